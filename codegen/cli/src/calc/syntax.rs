//! Tokens to statements.
//!
//! ```text
//! statement  = name ":=" value | value | "print" value | "assert" value | "source" string | "write" string "," value
//!            | "help" [word] | "quit"
//! value      = sum { ("=" | "!=" | "<=" | "<" | ">=" | ">" | "<<" | "<<=" | ">>" | ">>=") sum }
//! sum        = product { ("+" | "-") product }
//! product    = operand { ("*" | "%" | "." | "->" | "->*" | "cross") operand }
//! operand    = operation operand | "-" operand | ("last" | "any") value "before" value "under" value
//!            | "schedule" value ["respecting" value] ["minimizing" value] | atom { "(" value ")" | "^" ("-1" | "+" | number) }
//! atom       = set | relation | number | string | name | "(" value ")" | operation "(" value { "," value } ")"
//! ```

use super::lexer::{Error, Pos, Token};
use super::operations;
use farkas_polyhedral::int::Int;

/// How deep values may nest.
const MAX_DEPTH: usize = 200;

/// How many operators a statement may have: those in a row are a value as deep as they are many.
const MAX_OPERATORS: usize = 1000;

/// A value that is to be computed.
#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) kind: Kind,
    pub(super) pos: Pos,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Literal(String),
    Number(String),
    Text(String),
    Name(String),
    /// An operation with a name.
    Call(&'static operations::Operation, Vec<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// The image of the second under the first.
    Apply(Box<Expr>, Box<Expr>),
    Power(Box<Expr>, Power),
    Before(Box<Before>),
    Schedule(Box<Wanted>),
}

/// `last SOURCE before SINK under ORDER`, or `any`.
#[derive(Clone, Debug)]
pub(super) struct Before {
    pub(super) last: bool,
    pub(super) source: Expr,
    pub(super) sink: Expr,
    pub(super) order: Expr,
}

/// `schedule DOMAIN respecting VALIDITY minimizing PROXIMITY`.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) domain: Expr,
    pub(super) validity: Option<Expr>,
    pub(super) proximity: Option<Expr>,
}

#[derive(Clone, Debug)]
pub(super) enum Power {
    Inverse,
    Closure,
    /// Positive.
    Number(Int),
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Nothing,
    Assign(String, Expr),
    Print(Expr),
    Assert(Expr),
    /// A file, with the place of its name.
    Source(String, Pos),
    /// A file, and what to write to it.
    Write(String, Expr),
    /// With the place of the word.
    Help(Option<(String, Pos)>),
    Quit,
}

/// Words that are no names.
pub(super) const KEYWORDS: [&str; 14] = [
    "any",
    "assert",
    "before",
    "cross",
    "help",
    "last",
    "minimizing",
    "print",
    "quit",
    "respecting",
    "schedule",
    "source",
    "under",
    "write",
];

struct Parser {
    tokens: Vec<(Token, Pos)>,
    at: usize,
    depth: usize,
    /// The operators so far.
    operators: usize,
}

/// The statement that the tokens are.
pub(super) fn statement(tokens: Vec<(Token, Pos)>) -> Result<Statement, Error> {
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        operators: 0,
    };
    let statement = parser.statement()?;
    match parser.peek() {
        Token::End => Ok(statement),
        _ => parser.expected("an operator or `;`"),
    }
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn pos(&self) -> Pos {
        self.tokens[self.at].1
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    fn expected<T>(&self, what: &str) -> Result<T, Error> {
        self.pos()
            .error(format!("expected {what}, found {}", self.peek().describe()))
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = matches!(self.peek(), Token::Sign(s) if *s == sign);
        if is {
            self.next();
        }
        is
    }

    fn expect(&mut self, sign: &str) -> Result<(), Error> {
        if self.accept(sign) {
            Ok(())
        } else {
            self.expected(&format!("`{sign}`"))
        }
    }

    fn statement(&mut self) -> Result<Statement, Error> {
        let pos = self.pos();
        let Token::Word(word) = self.peek().clone() else {
            return match self.peek() {
                Token::End => Ok(Statement::Nothing),
                _ => self.value().map(Statement::Print),
            };
        };
        if matches!(self.tokens.get(1), Some((Token::Sign(":="), _))) {
            if operations::find(&word).is_some() || KEYWORDS.contains(&&*word) {
                return pos.error(format!("`{word}` is an operation, and cannot be a name"));
            }
            self.at += 2;
            return Ok(Statement::Assign(word, self.value()?));
        }
        let keyword = ["quit", "help", "print", "assert", "source", "write"].contains(&&*word);
        if keyword {
            self.next();
        }
        Ok(match &*word {
            "quit" => Statement::Quit,
            "help" => Statement::Help(self.topic()),
            "assert" => Statement::Assert(self.value()?),
            "source" => {
                let pos = self.pos();
                Statement::Source(self.file()?, pos)
            }
            "write" => {
                let file = self.file()?;
                self.expect(",")?;
                Statement::Write(file, self.value()?)
            }
            _ => Statement::Print(self.value()?),
        })
    }

    /// What `help` is about.
    fn topic(&mut self) -> Option<(String, Pos)> {
        let pos = self.pos();
        match self.next() {
            Token::Word(word) => Some((word, pos)),
            Token::Sign(sign) => Some((sign.into(), pos)),
            _ => None,
        }
    }

    fn file(&mut self) -> Result<String, Error> {
        let Token::Text(file) = self.peek().clone() else {
            return self.expected("the name of a file, in quotation marks");
        };
        self.next();
        Ok(file)
    }

    fn accept_word(&mut self, word: &str) -> bool {
        let is = matches!(self.peek(), Token::Word(w) if w == word);
        if is {
            self.next();
        }
        is
    }

    fn expect_word(&mut self, word: &str) -> Result<(), Error> {
        match self.accept_word(word) {
            true => Ok(()),
            false => self.expected(&format!("`{word}`")),
        }
    }

    /// What is behind `last` or `any`.
    fn before(&mut self, last: bool) -> Result<Kind, Error> {
        let source = self.value()?;
        self.expect_word("before")?;
        let sink = self.value()?;
        self.expect_word("under")?;
        Ok(Kind::Before(Box::new(Before {
            last,
            source,
            sink,
            order: self.value()?,
        })))
    }

    /// What is behind `schedule`.
    fn schedule(&mut self) -> Result<Kind, Error> {
        let domain = self.value()?;
        let mut after = |word: &str| match self.accept_word(word) {
            true => self.value().map(Some),
            false => Ok(None),
        };
        Ok(Kind::Schedule(Box::new(Wanted {
            domain,
            validity: after("respecting")?,
            proximity: after("minimizing")?,
        })))
    }

    fn count_operator(&mut self) -> Result<(), Error> {
        if self.operators == MAX_OPERATORS {
            return self.pos().error("too many operators in one statement");
        }
        self.operators += 1;
        Ok(())
    }

    /// Operands between the signs, joined from the left.
    fn joined(
        &mut self,
        signs: &[&'static str],
        operand: impl Fn(&mut Self) -> Result<Expr, Error>,
    ) -> Result<Expr, Error> {
        let mut out = operand(self)?;
        loop {
            let found = signs.iter().find(|sign| match self.peek() {
                Token::Sign(s) => s == *sign,
                Token::Word(word) => word == *sign,
                _ => false,
            });
            let Some(sign) = found else { return Ok(out) };
            let pos = self.pos();
            self.count_operator()?;
            self.next();
            let right = operand(self)?;
            out = Expr {
                kind: Kind::Binary(sign, Box::new(out), Box::new(right)),
                pos,
            };
        }
    }

    fn value(&mut self) -> Result<Expr, Error> {
        if self.depth == MAX_DEPTH {
            return self.pos().error("nested too deeply");
        }
        self.depth += 1;
        let comparisons = ["=", "!=", "<=", "<", ">=", ">", "<<", "<<=", ">>", ">>="];
        let result = self.joined(&comparisons, |p| {
            p.joined(&["+", "-"], |p| {
                p.joined(&["*", "%", ".", "->", "->*", "cross"], Parser::operand)
            })
        });
        self.depth -= 1;
        result
    }

    fn operand(&mut self) -> Result<Expr, Error> {
        if self.depth == MAX_DEPTH {
            return self.pos().error("nested too deeply");
        }
        let pos = self.pos();
        let operation = match self.peek() {
            Token::Word(word) => operations::find(word),
            _ => None,
        };
        let called = matches!(self.tokens.get(self.at + 1), Some((Token::Sign("("), _)));
        self.depth += 1;
        let result = match operation {
            Some(operation) if !called => {
                self.next();
                self.operand().map(|inner| Expr {
                    kind: Kind::Call(operation, vec![inner]),
                    pos,
                })
            }
            _ if self.accept("-") => {
                let zero = Expr {
                    kind: Kind::Number("0".into()),
                    pos,
                };
                self.operand().map(|inner| Expr {
                    kind: Kind::Binary("-", Box::new(zero), Box::new(inner)),
                    pos,
                })
            }
            _ if self.accept_word("last") => self.before(true).map(|kind| Expr { kind, pos }),
            _ if self.accept_word("any") => self.before(false).map(|kind| Expr { kind, pos }),
            _ if self.accept_word("schedule") => self.schedule().map(|kind| Expr { kind, pos }),
            _ => self.postfix(),
        };
        self.depth -= 1;
        result
    }

    fn postfix(&mut self) -> Result<Expr, Error> {
        let mut out = self.atom()?;
        loop {
            let pos = self.pos();
            let kind = if self.accept("(") {
                let argument = self.value()?;
                self.expect(")")?;
                Kind::Apply(Box::new(out), Box::new(argument))
            } else if self.accept("^") {
                Kind::Power(Box::new(out), self.power()?)
            } else {
                return Ok(out);
            };
            self.count_operator()?;
            out = Expr { kind, pos };
        }
    }

    fn power(&mut self) -> Result<Power, Error> {
        let minus = self.accept("-");
        if !minus && self.accept("+") {
            return Ok(Power::Closure);
        }
        let pos = self.pos();
        let Token::Number(digits) = self.peek().clone() else {
            return self.expected("`-1`, `+` or a number");
        };
        self.next();
        match (minus, digits.parse::<Int>()) {
            (true, Ok(one)) if one.is_one() => Ok(Power::Inverse),
            (false, Ok(number)) if number.is_pos() => Ok(Power::Number(number)),
            _ => pos.error("expected `-1`, `+` or a positive number"),
        }
    }

    fn atom(&mut self) -> Result<Expr, Error> {
        let pos = self.pos();
        let kind = match self.peek().clone() {
            Token::Literal(text) => Kind::Literal(text),
            Token::Number(digits) => Kind::Number(digits),
            Token::Text(text) => Kind::Text(text),
            Token::Word(word) if KEYWORDS.contains(&&*word) => return self.expected("a value"),
            Token::Word(word) => match operations::find(&word) {
                Some(operation) => {
                    self.next();
                    return self.call(operation, pos);
                }
                None => Kind::Name(word),
            },
            Token::Sign("(") => {
                self.next();
                let value = self.value()?;
                self.expect(")")?;
                return Ok(value);
            }
            _ => return self.expected("a value"),
        };
        self.next();
        Ok(Expr { kind, pos })
    }

    fn call(&mut self, operation: &'static operations::Operation, pos: Pos) -> Result<Expr, Error> {
        self.expect("(")?;
        let mut args = vec![self.value()?];
        while self.accept(",") {
            args.push(self.value()?);
        }
        if !self.accept(")") {
            return self.expected("`,` or `)`");
        }
        Ok(Expr {
            kind: Kind::Call(operation, args),
            pos,
        })
    }
}
