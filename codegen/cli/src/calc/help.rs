//! What `help` says.

use super::binary;
use super::lexer::{Error, Pos};
use super::operations::{OPERATIONS, find};
use super::syntax::KEYWORDS;

const STATEMENTS: &str = "\
NAME := VALUE;        gives a value a name
VALUE;                prints a value, as does `print VALUE;`
assert VALUE;         is an error unless the value is `true`
source \"FILE\";        computes the statements in a file
write \"FILE\", VALUE;  writes a value to a file, from which `read` reads it
help;                 prints this, `help OPERATION;` what an operation does
quit;                 ends

Values are sets and relations in isl's notation, `[n] -> { A[i] : 0 <= i < n }`, numbers, strings, names, and operations
on values. An operation with a name takes the operand behind it, `lexmin S`, or several in parentheses, `gist(S, T)`.
R(S) is the image of a set or the composition with a relation, R^-1 the inverse, R^3 the third power. `#` begins a comment.

last W before R under S     the pairs of each read in R and the last write in W before it of the same element, where W and R are
                            relations from instances to elements, and S is an order: a relation to times, or a schedule
any W before R under S      the pairs of each read and all writes before it of the same element
schedule D respecting V minimizing P
                            a schedule of the instances in the set D. No pair in V changes its order, pairs in P are close to each
                            other; V and P are relations, either of which may be missing
";

/// What the statement `help` prints, with the word that it is about.
///
/// # Errors
///
/// If there is no operation of this name.
pub(super) fn statement(word: Option<(String, Pos)>) -> Result<String, Error> {
    let text = match word {
        None => help(None),
        Some((word, pos)) => match help(Some(&word)) {
            None => return pos.error(format!("there is no operation `{word}`")),
            text => text,
        },
    };
    Ok(text.unwrap_or_default().trim_end().to_string())
}

/// All operations, or none if there is none called `word`.
pub(super) fn help(word: Option<&str>) -> Option<String> {
    let Some(word) = word else {
        let mut out = format!("{STATEMENTS}\nBetween operands:\n");
        for (sign, meaning) in binary::HELP {
            out.push_str(&format!("  {sign:7}{meaning}\n"));
        }
        out.push_str("\nWith a name:\n");
        for operation in OPERATIONS {
            out.push_str(&format!("  {:21} {}\n", operation.names.join(", "), operation.gives));
        }
        return Some(out);
    };
    if let Some((sign, meaning)) = binary::HELP.iter().find(|(sign, _)| *sign == word) {
        return Some(format!("{sign}: {meaning}\n"));
    }
    if KEYWORDS.contains(&word) {
        return Some(STATEMENTS.to_string());
    }
    let operation = find(word)?;
    Some(format!(
        "{}: takes {}; gives {}\nexample: {};\n",
        operation.names.join(", "),
        operation.takes,
        operation.gives,
        operation.example
    ))
}
