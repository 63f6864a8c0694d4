//! A text, as it comes in, to the texts of statements.

use super::lexer::{self, Error, Pos};
use crate::terminal::MAX_INPUT;
use std::io::{self, BufRead, Read};

/// Statements as they come in.
pub(super) struct Statements<'a> {
    input: &'a mut dyn BufRead,
    /// What has been read and not given out, and where it starts.
    text: String,
    /// Where in `text` the part begins that has not been given out. What is before it goes when more is read: a line may have any number of
    /// statements, and each would move the rest of it.
    start: usize,
    pos: Pos,
    /// How much of `text` has been looked at, and what its end is inside of.
    seen: usize,
    inside: Inside,
    /// Whether nothing has been read yet.
    fresh: bool,
}

/// What a `;` is inside of where it ends no statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Comment,
    Quotes,
    /// So many braces.
    Braces(usize),
}

/// Why there is no next statement.
pub(super) enum Unread {
    /// What is there is none.
    Wrong(Error),
    /// It cannot be read.
    System(io::Error),
}

impl<'a> Statements<'a> {
    /// The statements in `input`.
    pub(super) fn new(input: &'a mut dyn BufRead) -> Self {
        Statements {
            input,
            text: String::new(),
            start: 0,
            pos: Pos::START,
            seen: 0,
            inside: Inside::Nothing,
            fresh: true,
        }
    }

    /// The next statement without its semicolon, and where it starts; none at the end of the text.
    ///
    /// # Errors
    ///
    /// If the text cannot be read, or ends before a statement does.
    pub(super) fn next(&mut self) -> Result<Option<(String, Pos)>, Unread> {
        loop {
            if let Some(end) = self.end() {
                let statement = self.text[self.start..end].to_string();
                let pos = self.pos;
                self.pos = pos.after(&self.text[self.start..=end]);
                self.start = end + 1;
                self.seen = self.start;
                return Ok(Some((statement, pos)));
            }
            self.text.drain(..self.start);
            self.seen -= self.start;
            self.start = 0;
            if !self.read_line()? {
                return self.rest().map(|()| None).map_err(Unread::Wrong);
            }
        }
    }

    /// The place of the first semicolon that ends a statement. None if there is none yet.
    fn end(&mut self) -> Option<usize> {
        for (at, c) in self.text[self.seen..].char_indices() {
            self.inside = match (self.inside, c) {
                (Inside::Nothing, ';') => return Some(self.seen + at),
                (Inside::Nothing, '#') => Inside::Comment,
                (Inside::Nothing, '"') => Inside::Quotes,
                (Inside::Nothing, '{') => Inside::Braces(1),
                (Inside::Comment, '\n') | (Inside::Quotes, '"') | (Inside::Braces(1), '}') => Inside::Nothing,
                (Inside::Braces(depth), '{') => Inside::Braces(depth + 1),
                (Inside::Braces(depth), '}') => Inside::Braces(depth - 1),
                (inside, _) => inside,
            };
        }
        self.seen = self.text.len();
        None
    }

    /// Reads a line, if there is one.
    fn read_line(&mut self) -> Result<bool, Unread> {
        let mut bytes = Vec::new();
        let mut line = (&mut *self.input).take(MAX_INPUT);
        if line.read_until(b'\n', &mut bytes).map_err(Unread::System)? == 0 {
            return Ok(false);
        }
        if (self.text.len() + bytes.len()) as u64 >= MAX_INPUT {
            return Err(Unread::Wrong(Error {
                pos: self.pos,
                message: format!("a statement of more than {MAX_INPUT} bytes"),
            }));
        }
        let line = match str::from_utf8(&bytes) {
            Ok(line) => line,
            Err(error) => {
                let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                return Err(Unread::Wrong(Error {
                    pos: self.pos.after(&self.text).after(&before),
                    message: "not UTF-8".into(),
                }));
            }
        };
        let is_first = std::mem::take(&mut self.fresh);
        let marked = is_first.then(|| line.strip_prefix('\u{feff}')).flatten();
        self.text.push_str(marked.unwrap_or(line));
        Ok(true)
    }

    /// That what is behind the last semicolon is white space and comments.
    fn rest(&self) -> Result<(), Error> {
        match lexer::count_tokens(&self.text, self.pos)? {
            0 => Ok(()),
            _ => self
                .pos
                .after(self.text.trim_end())
                .error("expected `;`, found the end of the text"),
        }
    }
}
