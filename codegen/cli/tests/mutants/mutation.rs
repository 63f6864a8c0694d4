//! Mutants: a text with some random changes.

/// Random numbers: SplitMix64.
struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, 0 where `end` is.
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn choice<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// What replaces numbers.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "2",
    "255",
    "65536",
    "2147483647",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "18446744073709551616",
    "1000000000000000000000000000000",
    "1e9",
];

/// What is put between tokens.
const TOKENS: [&str; 40] = [
    "{", "}", "[", "]", "(", ")", "<", ">", ":", ";", ",", "->", "\"", "'", "#", "-", "*", "/", "+", "=", "!=", "<<",
    "mod", "floor", "exists", "and", "or", "not", "implies", "infty", "NaN", "|", "&x", "*x", "\n", "\n- ", "\t",
    "...", "1", "i",
];

/// Bytes that are put anywhere: a NUL, what is not UTF-8, a byte-order mark, and characters of several bytes.
const BYTES: [&[u8]; 8] = [
    b"\0",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"\r",
    "∀".as_bytes(),
    "\u{202e}".as_bytes(),
    b"\x1b[31m",
];

/// `text` with one to four random changes.
pub(crate) fn mutant(text: &str, seed: u64) -> Vec<u8> {
    let mut rng = Rng(seed);
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(4) {
        bytes = match rng.below(12) {
            0 => truncated(bytes, &mut rng),
            1 => with_bytes(bytes, &mut rng),
            2 | 3 => of_lines(&bytes, &mut rng),
            4 if rng.below(4) == 0 => with_line_ends(&bytes, &mut rng),
            4..=6 => with_number(&bytes, &mut rng),
            _ => of_tokens(&bytes, &mut rng),
        };
    }
    bytes
}

fn truncated(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    bytes.truncate(rng.below(bytes.len()));
    bytes
}

fn with_bytes(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let at = rng.below(bytes.len() + 1);
    bytes.splice(at..at, rng.choice(&BYTES).iter().copied());
    bytes
}

fn with_line_ends(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let end: &[u8] = rng.choice(&[b"\r\n", b"\r", b"\n\n"]);
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    lines.join(end)
}

/// Deletes, repeats, or exchanges pieces.
fn rearranged<'t>(mut pieces: Vec<&'t [u8]>, rng: &mut Rng) -> Vec<&'t [u8]> {
    if pieces.is_empty() {
        return pieces;
    }
    let at = rng.below(pieces.len());
    let other = rng.below(pieces.len());
    match rng.below(4) {
        0 => drop(pieces.remove(at)),
        1 => pieces.insert(at, pieces[at]),
        2 => pieces.swap(at, other),
        _ => pieces[at] = pieces[other],
    }
    pieces
}

fn of_lines(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    rearranged(bytes.split_inclusive(|&byte| byte == b'\n').collect(), rng).concat()
}

fn of_tokens(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut tokens = tokens(bytes);
    if rng.below(3) == 0 {
        tokens.insert(rng.below(tokens.len() + 1), rng.choice(&TOKENS).as_bytes());
        return tokens.concat();
    }
    rearranged(tokens, rng).concat()
}

fn with_number(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut tokens = tokens(bytes);
    let numbers: Vec<usize> = (0..tokens.len()).filter(|&at| tokens[at][0].is_ascii_digit()).collect();
    if !numbers.is_empty() {
        tokens[rng.choice(&numbers)] = rng.choice(&NUMBERS).as_bytes();
    }
    tokens.concat()
}

/// Words, numbers, spaces, and single characters.
fn tokens(bytes: &[u8]) -> Vec<&[u8]> {
    let kind = |byte: u8| match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => 1,
        b' ' => 2,
        _ => 3,
    };
    bytes.chunk_by(|&a, &b| kind(a) == kind(b) && kind(a) != 3).collect()
}
