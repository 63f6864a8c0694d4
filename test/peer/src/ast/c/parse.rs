//! Text to [`Program`].

use super::{Arithmetic, Comparison, Expr, Program, Slot, Statement};
use std::str::FromStr;

/// Why a text is not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct CError {
    /// The line, from 1.
    pub line: usize,
    /// What was expected.
    pub message: String,
}

/// Signs, with those that begin as another one does before it.
const SIGNS: [&str; 28] = [
    "&&", "||", "==", "!=", "<=", ">=", "+=", "++", "-=", "--", "<", ">", "=", "+", "-", "*", "/", "%", "(", ")", "{",
    "}", ",", ";", "!", "?", ":", "&",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    Number(i128),
    Sign(&'static str),
    End,
}

fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize)>, CError> {
    let mut out = Vec::new();
    let (mut rest, mut line) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let len = if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if is_word(first) {
            let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
            let digits = word.trim_end_matches(['L', 'l']);
            out.push(match digits.parse() {
                Ok(number) => (Token::Number(number), line),
                Err(_) => (Token::Word(word), line),
            });
            word.len()
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            out.push((Token::Sign(sign), line));
            sign.len()
        } else {
            let message = format!("unexpected character `{first}`");
            return Err(CError { line, message });
        };
        line += rest[..len].matches('\n').count();
        rest = &rest[len..];
    }
    out.push((Token::End, line));
    Ok(out)
}

impl FromStr for Program {
    type Err = CError;

    fn from_str(text: &str) -> Result<Program, CError> {
        let tokens = tokens(text)?;
        // All words may be parameters: those that are used as such get the first slots in the end.
        let mut parser = Parser {
            tokens: &tokens,
            at: 0,
            declared: Vec::new(),
            n_declared: 0,
            params: Vec::new(),
            statements: Vec::new(),
        };
        let mut body = Vec::new();
        while parser.peek() != Token::End {
            body.push(parser.statement()?);
        }
        let n_params = parser.params.len();
        body.iter_mut().for_each(|statement| resolve(statement, n_params));
        Ok(Program {
            n_slots: n_params + parser.n_declared,
            params: parser.params,
            statements: parser.statements,
            body,
        })
    }
}

/// While the text is read, declared variables are numbered from here.
const DECLARED: Slot = 1 << 32;

fn resolve_slot(slot: &mut Slot, n_params: usize) {
    if *slot >= DECLARED {
        *slot += n_params;
        *slot -= DECLARED;
    }
}

/// Moves declared variables behind the parameters.
fn resolve(statement: &mut Statement, n_params: usize) {
    match statement {
        Statement::Block(body) => body.iter_mut().for_each(|s| resolve(s, n_params)),
        Statement::For {
            variable,
            start,
            test,
            step,
            body,
        } => {
            resolve_slot(variable, n_params);
            [start, test, step]
                .into_iter()
                .for_each(|expr| resolve_expr(expr, n_params));
            resolve(body, n_params);
        }
        Statement::If {
            condition,
            then,
            otherwise,
        } => {
            resolve_expr(condition, n_params);
            resolve(then, n_params);
            if let Some(otherwise) = otherwise {
                resolve(otherwise, n_params);
            }
        }
        Statement::Declare(slot, value) => {
            resolve_slot(slot, n_params);
            resolve_expr(value, n_params);
        }
        Statement::Call { arguments, .. } => arguments.iter_mut().for_each(|e| resolve_expr(e, n_params)),
    }
}

fn resolve_expr(expr: &mut Expr, n_params: usize) {
    match expr {
        Expr::Number(_) => {}
        Expr::Variable(slot) => resolve_slot(slot, n_params),
        Expr::Negate(a) | Expr::Not(a) => resolve_expr(a, n_params),
        Expr::Arithmetic(_, both) | Expr::Compare(_, both) | Expr::And(both) | Expr::Or(both) => {
            both.iter_mut().for_each(|e| resolve_expr(e, n_params));
        }
        Expr::Choose(all) => all.iter_mut().for_each(|e| resolve_expr(e, n_params)),
    }
}

struct Parser<'a> {
    tokens: &'a [(Token<'a>, usize)],
    at: usize,
    /// The variables in scope.
    declared: Vec<(&'a str, Slot)>,
    n_declared: usize,
    params: Vec<String>,
    statements: Vec<String>,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.at].0
    }

    fn next(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    fn error<T>(&self, expected: &str) -> Result<T, CError> {
        Err(CError {
            line: self.tokens[self.at].1,
            message: format!("expected {expected}, found {:?}", self.peek()),
        })
    }

    fn accept(&mut self, token: Token<'_>) -> bool {
        let found = self.peek() == token;
        if found {
            self.next();
        }
        found
    }

    fn sign(&mut self, sign: &'static str) -> Result<(), CError> {
        if self.accept(Token::Sign(sign)) {
            Ok(())
        } else {
            self.error(&format!("`{sign}`"))
        }
    }

    fn word(&mut self) -> Result<&'a str, CError> {
        match self.peek() {
            Token::Word(word) => {
                self.next();
                Ok(word)
            }
            _ => self.error("a name"),
        }
    }

    fn declare(&mut self, name: &'a str) -> Slot {
        let slot = DECLARED + self.n_declared;
        self.n_declared += 1;
        self.declared.push((name, slot));
        slot
    }

    fn variable(&mut self, name: &str) -> Slot {
        if let Some((_, slot)) = self.declared.iter().rev().find(|(known, _)| *known == name) {
            return *slot;
        }
        match self.params.iter().position(|param| param == name) {
            Some(slot) => slot,
            None => {
                self.params.push(name.to_string());
                self.params.len() - 1
            }
        }
    }

    /// A statement that is a scope of its own.
    fn body(&mut self) -> Result<Box<Statement>, CError> {
        let outer = self.declared.len();
        let body = self.statement()?;
        self.declared.truncate(outer);
        Ok(Box::new(body))
    }

    fn statement(&mut self) -> Result<Statement, CError> {
        if self.accept(Token::Sign("{")) {
            let outer = self.declared.len();
            let mut body = Vec::new();
            while !self.accept(Token::Sign("}")) {
                body.push(self.statement()?);
            }
            self.declared.truncate(outer);
            return Ok(Statement::Block(body));
        }
        match self.word()? {
            "for" => self.for_loop(),
            "if" => {
                self.sign("(")?;
                let condition = self.expr()?;
                self.sign(")")?;
                let then = self.body()?;
                let otherwise = if self.accept(Token::Word("else")) {
                    Some(self.body()?)
                } else {
                    None
                };
                Ok(Statement::If {
                    condition,
                    then,
                    otherwise,
                })
            }
            "int" => {
                let name = self.word()?;
                self.sign("=")?;
                let value = self.expr()?;
                self.sign(";")?;
                Ok(Statement::Declare(self.declare(name), value))
            }
            name => {
                self.sign("(")?;
                let arguments = self.arguments()?;
                self.sign(";")?;
                let statement = match self.statements.iter().position(|known| known == name) {
                    Some(statement) => statement,
                    None => {
                        self.statements.push(name.to_string());
                        self.statements.len() - 1
                    }
                };
                Ok(Statement::Call { statement, arguments })
            }
        }
    }

    fn for_loop(&mut self) -> Result<Statement, CError> {
        self.sign("(")?;
        self.accept(Token::Word("int"));
        let name = self.word()?;
        self.sign("=")?;
        let start = self.expr()?;
        self.sign(";")?;
        let outer = self.declared.len();
        let variable = self.declare(name);
        let test = self.expr()?;
        self.sign(";")?;
        if self.word()? != name {
            return self.error(&format!("an increment of `{name}`"));
        }
        let step = match self.next() {
            Token::Sign("++") => Expr::Number(1),
            Token::Sign("--") => Expr::Number(-1),
            Token::Sign("+=") => self.expr()?,
            Token::Sign("-=") => Expr::Negate(Box::new(self.expr()?)),
            _ => return self.error("an increment"),
        };
        self.sign(")")?;
        let body = self.body()?;
        self.declared.truncate(outer);
        Ok(Statement::For {
            variable,
            start,
            test,
            step,
            body,
        })
    }

    /// What is between parentheses of which the first has been read.
    fn arguments(&mut self) -> Result<Vec<Expr>, CError> {
        let mut arguments = Vec::new();
        if self.accept(Token::Sign(")")) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expr()?);
            if self.accept(Token::Sign(")")) {
                return Ok(arguments);
            }
            self.sign(",")?;
        }
    }

    fn expr(&mut self) -> Result<Expr, CError> {
        let condition = self.binary(0)?;
        if !self.accept(Token::Sign("?")) {
            return Ok(condition);
        }
        let then = self.expr()?;
        self.sign(":")?;
        let otherwise = self.expr()?;
        Ok(Expr::Choose(Box::new([condition, then, otherwise])))
    }

    /// Operators that bind at least as `level`, all of them to the left.
    fn binary(&mut self, level: usize) -> Result<Expr, CError> {
        const LEVELS: [&[&str]; 6] = [
            &["||"],
            &["&&"],
            &["==", "!="],
            &["<", "<=", ">", ">="],
            &["+", "-"],
            &["*", "/", "%"],
        ];
        let Some(signs) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            let sign = match self.peek() {
                Token::Sign(sign) if signs.contains(&sign) => sign,
                _ => return Ok(left),
            };
            self.next();
            let both = Box::new([left, self.binary(level + 1)?]);
            left = match sign {
                "||" => Expr::Or(both),
                "&&" => Expr::And(both),
                "==" => Expr::Compare(Comparison::Equal, both),
                "!=" => Expr::Compare(Comparison::Different, both),
                "<" => Expr::Compare(Comparison::Less, both),
                "<=" => Expr::Compare(Comparison::AtMost, both),
                ">" => Expr::Compare(Comparison::Greater, both),
                ">=" => Expr::Compare(Comparison::AtLeast, both),
                "+" => Expr::Arithmetic(Arithmetic::Add, both),
                "-" => Expr::Arithmetic(Arithmetic::Subtract, both),
                "*" => Expr::Arithmetic(Arithmetic::Multiply, both),
                "/" => Expr::Arithmetic(Arithmetic::Divide, both),
                _ => Expr::Arithmetic(Arithmetic::Remainder, both),
            };
        }
    }

    fn unary(&mut self) -> Result<Expr, CError> {
        if self.accept(Token::Sign("-")) {
            return Ok(match self.unary()? {
                Expr::Number(number) => Expr::Number(-number),
                other => Expr::Negate(Box::new(other)),
            });
        }
        if self.accept(Token::Sign("!")) {
            return Ok(Expr::Not(Box::new(self.unary()?)));
        }
        if self.accept(Token::Sign("(")) {
            let inner = self.expr()?;
            self.sign(")")?;
            return Ok(inner);
        }
        match self.next() {
            Token::Number(number) => Ok(Expr::Number(number)),
            Token::Word(name) if self.accept(Token::Sign("(")) => self.call(name),
            Token::Word(name) => Ok(Expr::Variable(self.variable(name))),
            _ => self.error("an expression"),
        }
    }

    /// A call of a function, of which the name and the parenthesis have been read.
    fn call(&mut self, name: &str) -> Result<Expr, CError> {
        let operator = match name {
            "min" => Arithmetic::Min,
            "max" => Arithmetic::Max,
            "floord" => Arithmetic::FloorDivide,
            "ceild" => Arithmetic::CeilDivide,
            "intMod" => Arithmetic::Modulo,
            _ => return self.error(&format!("a known function instead of `{name}`")),
        };
        let mut arguments = self.arguments()?.into_iter();
        let is_fold = matches!(operator, Arithmetic::Min | Arithmetic::Max);
        let (Some(first), true) = (arguments.next(), is_fold || arguments.len() == 1) else {
            return self.error(&format!("two arguments of `{name}`"));
        };
        Ok(arguments.fold(first, |a, b| Expr::Arithmetic(operator, Box::new([a, b]))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_read() {
        let error = |text: &str| text.parse::<Program>().unwrap_err().to_string();
        assert_eq!(
            error("for (i = 0; i < n)\n S(i);"),
            "line 1: expected `;`, found Sign(\")\")"
        );
        assert_eq!(error("{\n S(i)\n}"), "line 3: expected `;`, found Sign(\"}\")");
        assert_eq!(
            error("S(f(i));"),
            "line 1: expected a known function instead of `f`, found Word(\"i\")"
        );
        assert_eq!(
            error("S(floord(i));"),
            "line 1: expected two arguments of `floord`, found Sign(\")\")"
        );
        assert_eq!(error("S(a[0]);"), "line 1: unexpected character `[`");
    }

    #[test]
    fn variables_have_scopes() {
        let program: Program = "for (int c = n; c < m; c += 2) { int d = c; S(d); } S(d);"
            .parse()
            .unwrap();
        assert_eq!(program.params, ["n", "m", "d"]);
        assert_eq!(program.n_slots, 5);
        let Some(Statement::Call { arguments, .. }) = program.body.last() else {
            panic!("a call")
        };
        assert_eq!(arguments[..], [Expr::Variable(2)]);
    }
}
