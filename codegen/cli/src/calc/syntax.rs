//! Tokens to statements.
//!
//! ```text
//! statement  = name ":=" value | value | "print" value | "help" [word] | "quit"
//! value      = sum { ("=" | "!=" | "<=" | "<" | ">=" | ">" | "<<" | "<<=" | ">>" | ">>=") sum }
//! sum        = product { ("+" | "-") product }
//! product    = operand { ("*" | "%" | "." | "->" | "->*" | "cross") operand }
//! operand    = operation operand | "-" operand | atom { "(" value ")" | "^" ("-1" | "+" | number) }
//! atom       = set | relation | number | string | name | "(" value ")" | operation "(" value { "," value } ")"
//! ```

use super::lexer::{Error, Pos, Token};
use super::operations;

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
}

#[derive(Clone, Debug)]
pub(super) enum Power {
    Inverse,
    Closure,
    Number(u32),
}

#[derive(Clone, Debug)]
pub(super) enum Statement {
    Nothing,
    Assign(String, Expr),
    Print(Expr),
    /// With the place of the word.
    Help(Option<(String, Pos)>),
    Quit,
}

/// Words that are no names.
const KEYWORDS: [&str; 4] = ["cross", "help", "print", "quit"];

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
        let (first, pos) = (self.peek().clone(), self.pos());
        let second = self.tokens.get(1).map(|(token, _)| token.clone());
        match (first, second) {
            (Token::End, _) => Ok(Statement::Nothing),
            (Token::Word(word), _) if word == "quit" => {
                self.next();
                Ok(Statement::Quit)
            }
            (Token::Word(word), _) if word == "help" => {
                self.next();
                let pos = self.pos();
                Ok(Statement::Help(match self.next() {
                    Token::Word(word) => Some((word, pos)),
                    Token::Sign(sign) => Some((sign.into(), pos)),
                    _ => None,
                }))
            }
            (Token::Word(word), _) if word == "print" => {
                self.next();
                Ok(Statement::Print(self.value()?))
            }
            (Token::Word(word), Some(Token::Sign(":="))) => {
                if operations::find(&word).is_some() || KEYWORDS.contains(&&*word) {
                    return pos.error(format!("`{word}` is an operation, and cannot be a name"));
                }
                self.at += 2;
                Ok(Statement::Assign(word, self.value()?))
            }
            _ => Ok(Statement::Print(self.value()?)),
        }
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
        match (minus, digits.parse()) {
            (true, Ok(1)) => Ok(Power::Inverse),
            (false, Ok(number)) if number > 0 => Ok(Power::Number(number)),
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
