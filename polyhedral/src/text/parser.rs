//! Tokens to syntax trees, by recursive descent.

use super::ParseError;
use super::lexer::{Pos, Token, tokens};
use super::syntax::{Body, Entry, Factor, Formula, List, Member, Op, Term, TupleBody, TupleSyntax};
use crate::int::Int;
use std::collections::HashSet;

/// How deep expressions and conditions may nest.
const MAX_DEPTH: usize = 200;

/// A condition or an expression: which of them parentheses hold shows only inside.
enum Node {
    Term(Term),
    Formula(Formula),
}

pub(super) struct Parser {
    tokens: Vec<(Token, Pos)>,
    at: usize,
    depth: usize,
    /// Whether a comma continues the list that is compared, and does not end an entry or an argument.
    lists: bool,
}

type Parsed<T> = Result<T, ParseError>;

impl Parser {
    pub(super) fn new(text: &str) -> Parsed<Parser> {
        Ok(Parser {
            tokens: tokens(text)?,
            at: 0,
            depth: 0,
            lists: true,
        })
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn peek_after(&self, n: usize) -> &Token {
        &self.tokens[(self.at + n).min(self.tokens.len() - 1)].0
    }

    pub(super) fn pos(&self) -> Pos {
        self.tokens[self.at].1
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(s) if *s == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Token::Word(w) if w == word)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let is = self.is_sign(sign);
        if is {
            self.next();
        }
        is
    }

    fn accept_any(&mut self, signs: &[&str], words: &[&str]) -> bool {
        let is = signs.iter().any(|s| self.is_sign(s)) || words.iter().any(|w| self.is_word(w));
        if is {
            self.next();
        }
        is
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.pos()
            .error(format!("expected {what}, found {}", self.peek().describe()))
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.accept(sign) {
            Ok(())
        } else {
            self.expected(&format!("`{sign}`"))
        }
    }

    fn expect_name(&mut self, what: &str) -> Parsed<String> {
        match self.peek().clone() {
            Token::Word(word) if !is_keyword(&word) => {
                self.next();
                Ok(word)
            }
            _ => self.expected(what),
        }
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_DEPTH {
            return self.pos().error("nested too deeply");
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    /// The end of the text.
    pub(super) fn end(&mut self) -> Parsed<()> {
        if *self.peek() == Token::End {
            Ok(())
        } else {
            self.expected("the end of the text")
        }
    }

    /// `[n, m = 0:9, k = 3] ->`, or nothing: the names, and the conditions on them.
    pub(super) fn params(&mut self) -> Parsed<(Vec<String>, Vec<Formula>)> {
        let mut names = Vec::new();
        let mut distinct = HashSet::new();
        let mut conditions = Vec::new();
        if !self.accept("[") {
            return Ok((names, conditions));
        }
        while !self.accept("]") {
            if !names.is_empty() {
                self.expect(",")?;
            }
            let pos = self.pos();
            let name = self.expect_name("a parameter")?;
            if !distinct.insert(name.clone()) {
                return pos.error(format!("the parameter `{name}` occurs twice"));
            }
            if self.accept("=") {
                let (low, high) = self.range()?;
                let name = || vec![Term::Name(name.clone(), pos)];
                conditions.push(match high {
                    None => Formula::Chain(vec![name(), vec![low]], vec![(Op::Eq, pos)]),
                    Some(high) => {
                        Formula::Chain(vec![vec![low], name(), vec![high]], vec![(Op::Le, pos), (Op::Le, pos)])
                    }
                });
            }
            names.push(name);
        }
        self.expect("->")?;
        Ok((names, conditions))
    }

    /// `e`, or `low:high`.
    fn range(&mut self) -> Parsed<(Term, Option<Term>)> {
        let low = self.argument()?;
        let high = if self.accept(":") { Some(self.argument()?) } else { None };
        Ok((low, high))
    }

    /// `[n] -> L[{ member; member }, { member }]`, with the name and the parameters left out or not, or
    /// `(L[] : { member })`.
    pub(super) fn list(&mut self) -> Parsed<List> {
        let pos = self.pos();
        // `[{` is no parameter, and `[]` is one only before an arrow.
        let is_list = matches!(self.peek_after(1), Token::Sign("{"))
            || (matches!(self.peek_after(1), Token::Sign("]")) && *self.peek_after(2) != Token::Sign("->"));
        let (params, conditions) = if is_list { Default::default() } else { self.params()? };
        let parenthesised = self.accept("(");
        let name = match self.peek() {
            Token::Word(_) => Some(self.expect_name("a tuple")?),
            _ => None,
        };
        let entries = self.list_of_members(&conditions)?;
        let domain = if self.accept(":") {
            Some(self.members(&conditions)?)
        } else {
            None
        };
        if parenthesised {
            self.expect(")")?;
        }
        Ok(List {
            params,
            name,
            entries,
            domain,
            pos,
        })
    }

    /// `[n] -> { member; member }`.
    pub(super) fn body(&mut self) -> Parsed<Body> {
        let pos = self.pos();
        let (params, conditions) = self.params()?;
        let members = self.members(&conditions)?;
        Ok(Body { params, members, pos })
    }

    /// `{ member; member }`, all of them under `conditions`.
    fn members(&mut self, conditions: &[Formula]) -> Parsed<Vec<Member>> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.accept("}") {
            if !members.is_empty() {
                self.expect(";")?;
                if self.accept("}") {
                    break;
                }
            }
            let mut member = self.member()?;
            if !conditions.is_empty() {
                let own = member.condition.take();
                member.condition = Some(Formula::And(conditions.iter().cloned().chain(own).collect()));
            }
            members.push(member);
        }
        Ok(members)
    }

    /// `[{ member; member }, { member }]`: a list of unions.
    fn list_of_members(&mut self, conditions: &[Formula]) -> Parsed<Vec<Vec<Member>>> {
        let mut list = Vec::new();
        self.expect("[")?;
        while !self.accept("]") {
            if !list.is_empty() {
                self.expect(",")?;
            }
            list.push(self.members(conditions)?);
        }
        Ok(list)
    }

    fn member(&mut self) -> Parsed<Member> {
        let pos = self.pos();
        let mut domain = None;
        let mut range = None;
        if self.is_word("rat") && *self.peek_after(1) == Token::Sign(":") {
            return pos.error("expected a set or relation of integers: `rat:`, rational sets, are not supported");
        }
        if !self.is_sign(":") {
            domain = Some(self.tuple()?);
            if self.accept("->") {
                range = Some(self.tuple()?);
            }
        }
        let condition = if self.accept(":") && !(self.is_sign("}") || self.is_sign(";")) {
            Some(self.formula()?)
        } else {
            None
        };
        Ok(Member {
            domain,
            range,
            condition,
            pos,
        })
    }

    fn tuple(&mut self) -> Parsed<TupleSyntax> {
        self.nested(|p| {
            let pos = p.pos();
            let name = match p.peek() {
                Token::Word(_) => Some(p.expect_name("a tuple")?),
                _ => None,
            };
            if !p.is_sign("[") {
                return p.expected("`[`");
            }
            p.next();
            let body = if p.starts_tuple() {
                let first = p.tuple()?;
                p.expect("->")?;
                let second = p.tuple()?;
                p.expect("]")?;
                TupleBody::Pair(Box::new(first), Box::new(second))
            } else {
                let mut entries = Vec::new();
                while !p.accept("]") {
                    if !entries.is_empty() {
                        p.expect(",")?;
                    }
                    entries.push(p.entry()?);
                }
                TupleBody::Entries(entries)
            };
            Ok(TupleSyntax { name, body, pos })
        })
    }

    /// Whether a tuple follows, where an entry of a tuple may as well: `S[`, or a bracket that does not hold a
    /// rounded quotient `[e/n]`, which is a bracket that `->` follows.
    fn starts_tuple(&self) -> bool {
        match (self.peek(), self.peek_after(1)) {
            (Token::Word(_), Token::Sign("[")) => true,
            (Token::Sign("["), _) => {
                let mut depth = 0usize;
                for pair in self.tokens[self.at..].windows(2) {
                    match pair[0].0 {
                        Token::Sign("[") => depth += 1,
                        Token::Sign("]") => depth -= 1,
                        _ => {}
                    }
                    if depth == 0 {
                        return pair[1].0 == Token::Sign("->");
                    }
                }
                false
            }
            _ => false,
        }
    }

    fn entry(&mut self) -> Parsed<Entry> {
        if let (Token::Word(word), Token::Sign(sign)) = (self.peek().clone(), self.peek_after(1)) {
            let sign = *sign;
            if !is_keyword(&word) && matches!(sign, "=" | "," | "]") {
                self.next();
                let (value, high) = if self.accept("=") {
                    let (low, high) = self.range()?;
                    (Some(low), high)
                } else {
                    (None, None)
                };
                return Ok(Entry {
                    name: Some(word),
                    value,
                    high,
                });
            }
        }
        if self.accept("*") {
            return Ok(Entry {
                name: None,
                value: None,
                high: None,
            });
        }
        let (low, high) = self.range()?;
        Ok(Entry {
            name: None,
            value: Some(low),
            high,
        })
    }

    fn formula(&mut self) -> Parsed<Formula> {
        let pos = self.pos();
        let node = self.with_lists(true, |p| p.implication())?;
        as_formula(node, pos)
    }

    /// An expression that a comma or bracket ends, conditional ones included.
    fn argument(&mut self) -> Parsed<Term> {
        let pos = self.pos();
        let node = self.with_lists(false, |p| p.conditional())?;
        as_term(node, pos)
    }

    fn with_lists<T>(&mut self, lists: bool, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.lists, lists);
        let result = parse(self);
        self.lists = outer;
        result
    }

    /// `condition ? expression : expression`, or either.
    fn conditional(&mut self) -> Parsed<Node> {
        let pos = self.pos();
        let node = self.implication()?;
        if !self.accept("?") {
            return Ok(node);
        }
        let condition = Box::new(match node {
            Node::Formula(formula) => formula,
            // An expression is true where it is not zero.
            Node::Term(term) => Formula::Chain(vec![vec![term], vec![Term::Number(Int::ZERO)]], vec![(Op::Ne, pos)]),
        });
        let branch = |p: &mut Self| {
            let pos = p.pos();
            let node = p.nested(|p| p.with_lists(false, |p| p.conditional()))?;
            Ok(Box::new(as_term(node, pos)?))
        };
        let then = branch(self)?;
        self.expect(":")?;
        let otherwise = branch(self)?;
        Ok(Node::Term(Term::Cond(condition, then, otherwise)))
    }

    fn term(&mut self) -> Parsed<Term> {
        let pos = self.pos();
        let node = self.sum()?;
        as_term(node, pos)
    }

    fn implication(&mut self) -> Parsed<Node> {
        let pos = self.pos();
        let node = self.disjunction()?;
        if !self.accept_any(&["=>"], &["implies"]) {
            return Ok(node);
        }
        let premise = as_formula(node, pos)?;
        let pos = self.pos();
        let conclusion = self.nested(|p| p.implication())?;
        let conclusion = as_formula(conclusion, pos)?;
        Ok(Node::Formula(Formula::Or(vec![
            Formula::Not(Box::new(premise)),
            conclusion,
        ])))
    }

    fn disjunction(&mut self) -> Parsed<Node> {
        let pos = self.pos();
        let first = self.conjunction()?;
        if !(self.is_word("or") || self.is_sign("||") || self.is_sign("∨")) {
            return Ok(first);
        }
        let mut parts = vec![as_formula(first, pos)?];
        while self.accept_any(&["||", "∨"], &["or"]) {
            let pos = self.pos();
            let part = self.conjunction()?;
            parts.push(as_formula(part, pos)?);
        }
        Ok(Node::Formula(Formula::Or(parts)))
    }

    fn conjunction(&mut self) -> Parsed<Node> {
        let pos = self.pos();
        let first = self.negation()?;
        if !(self.is_word("and") || self.is_sign("&&") || self.is_sign("∧")) {
            return Ok(first);
        }
        let mut parts = vec![as_formula(first, pos)?];
        while self.accept_any(&["&&", "∧"], &["and"]) {
            let pos = self.pos();
            let part = self.negation()?;
            parts.push(as_formula(part, pos)?);
        }
        Ok(Node::Formula(Formula::And(parts)))
    }

    fn negation(&mut self) -> Parsed<Node> {
        if self.accept_any(&["!", "¬"], &["not"]) {
            let pos = self.pos();
            let inner = self.nested(|p| p.negation())?;
            return Ok(Node::Formula(Formula::Not(Box::new(as_formula(inner, pos)?))));
        }
        if self.is_word("exists") {
            self.next();
            return self.nested(|p| p.exists()).map(Node::Formula);
        }
        if self.accept_any(&[], &["true"]) {
            return Ok(Node::Formula(Formula::True));
        }
        if self.accept_any(&[], &["false"]) {
            return Ok(Node::Formula(Formula::False));
        }
        self.comparison()
    }

    /// `exists (a, b = e : formula)` or `exists a, b : formula`, after the word.
    fn exists(&mut self) -> Parsed<Formula> {
        let parenthesised = self.accept("(");
        let mut variables = Vec::new();
        loop {
            let name = self.expect_name("a variable")?;
            let value = if self.accept("=") { Some(self.term()?) } else { None };
            variables.push((name, value));
            if !self.accept(",") {
                break;
            }
        }
        self.expect(":")?;
        let body = if parenthesised && self.is_sign(")") {
            Formula::True
        } else {
            self.formula()?
        };
        if parenthesised {
            self.expect(")")?;
        }
        Ok(Formula::Exists(variables, Box::new(body)))
    }

    fn comparison(&mut self) -> Parsed<Node> {
        let pos = self.pos();
        let first = match self.sum()? {
            Node::Formula(formula) => return Ok(Node::Formula(formula)),
            Node::Term(term) => term,
        };
        let mut lists = vec![vec![first]];
        let start = self.at;
        while self.lists && self.accept(",") {
            lists[0].push(self.term()?);
        }
        let mut ops = Vec::new();
        while let Some(op) = self.comparison_sign() {
            let op_pos = self.pos();
            self.next();
            ops.push((op, op_pos));
            let mut list = vec![self.term()?];
            while self.lists && self.accept(",") {
                list.push(self.term()?);
            }
            lists.push(list);
        }
        if ops.is_empty() {
            if lists[0].len() > 1 {
                self.at = start;
                return self.expected("a comparison");
            }
            let term = lists.pop().and_then(|mut l| l.pop());
            return term
                .map(Node::Term)
                .ok_or(())
                .or_else(|()| pos.error("expected an expression"));
        }
        Ok(Node::Formula(Formula::Chain(lists, ops)))
    }

    fn comparison_sign(&self) -> Option<Op> {
        let Token::Sign(sign) = self.peek() else { return None };
        Some(match *sign {
            "=" | "==" => Op::Eq,
            "!=" => Op::Ne,
            "<" => Op::Lt,
            "<=" | "≤" => Op::Le,
            ">" => Op::Gt,
            ">=" | "≥" => Op::Ge,
            "<<" => Op::LexLt,
            "<<=" => Op::LexLe,
            ">>" => Op::LexGt,
            ">>=" => Op::LexGe,
            _ => return None,
        })
    }

    fn sum(&mut self) -> Parsed<Node> {
        let pos = self.pos();
        let node = self.product()?;
        if !(self.is_sign("+") || self.is_sign("-")) {
            return Ok(node);
        }
        let first = Box::new(as_term(node, pos)?);
        let mut others = Vec::new();
        loop {
            let minus = self.is_sign("-");
            if !minus && !self.is_sign("+") {
                return Ok(Node::Term(Term::Sum(first, others)));
            }
            self.next();
            let pos = self.pos();
            let part = self.product()?;
            others.push((minus, as_term(part, pos)?));
        }
    }

    fn product(&mut self) -> Parsed<Node> {
        let pos = self.pos();
        let node = self.factor()?;
        let is_number = matches!(node, Node::Term(Term::Number(_)));
        let mut factors: Vec<(Factor, Term, Pos)> = Vec::new();
        loop {
            let op_pos = self.pos();
            // `2i`, `2(i + j)`, `2floor(..)`: a number right before a factor multiplies it.
            let implicit = is_number
                && factors.is_empty()
                && match self.peek() {
                    Token::Word(word) => !is_keyword(word) || is_function(word),
                    Token::Sign(sign) => *sign == "(",
                    _ => false,
                };
            let op = match self.peek() {
                _ if implicit => Factor::Mul,
                Token::Sign("*") => Factor::Mul,
                Token::Sign("/") => Factor::Div,
                Token::Sign("%") => Factor::Mod,
                Token::Word(word) if word == "mod" => Factor::Mod,
                _ if factors.is_empty() => return Ok(node),
                _ => return Ok(Node::Term(Term::Product(Box::new(as_term(node, pos)?), factors))),
            };
            if !implicit {
                self.next();
            }
            let right_pos = self.pos();
            let right = self.factor()?;
            factors.push((op, as_term(right, right_pos)?, op_pos));
        }
    }

    fn factor(&mut self) -> Parsed<Node> {
        self.nested(|p| p.factor_inner())
    }

    fn factor_inner(&mut self) -> Parsed<Node> {
        let pos = self.pos();
        match self.peek().clone() {
            Token::Number(number) => {
                self.next();
                Ok(Node::Term(Term::Number(number)))
            }
            Token::Sign("-") => {
                self.next();
                // `-2i` is `(-2) i`: fold the sign into the number.
                let pos = self.pos();
                let inner = self.factor()?;
                Ok(Node::Term(match as_term(inner, pos)? {
                    Term::Number(number) => Term::Number(-number),
                    term => Term::Neg(Box::new(term)),
                }))
            }
            Token::Sign("+") => {
                self.next();
                self.factor()
            }
            Token::Sign("(") => {
                self.next();
                let node = self.with_lists(true, |p| p.conditional())?;
                let node = match node {
                    Node::Term(term) if self.is_sign(":") || self.is_sign(";") => Node::Term(self.pieces(term, pos)?),
                    node => node,
                };
                self.expect(")")?;
                Ok(node)
            }
            Token::Sign("[") => {
                self.next();
                let term = self.argument()?;
                self.expect("]")?;
                Ok(Node::Term(Term::Floor(Box::new(term))))
            }
            Token::Word(word) if is_function(&word) => {
                self.next();
                self.function(&word, pos).map(Node::Term)
            }
            Token::Word(word) if matches!(&*word, "infty" | "infinity") => {
                self.next();
                Ok(Node::Term(Term::Infinity))
            }
            Token::Word(word) if matches!(&*word, "NaN" | "nan") => {
                self.next();
                Ok(Node::Term(Term::NotANumber))
            }
            Token::Word(word) if !is_keyword(&word) => {
                self.next();
                Ok(Node::Term(Term::Name(word, pos)))
            }
            _ => self.expected("an expression"),
        }
    }

    /// The arguments of a function, after its name.
    fn function(&mut self, name: &str, pos: Pos) -> Parsed<Term> {
        self.expect("(")?;
        let mut args = vec![self.argument()?];
        while self.accept(",") {
            args.push(self.argument()?);
        }
        if !self.is_sign(")") {
            return self.expected("`,` or `)`");
        }
        let n_args = args.len();
        let quotient = |a, b| Term::Product(Box::new(a), vec![(Factor::Div, b, pos)]);
        let term = match (name, <[Term; 2]>::try_from(args)) {
            ("min", args) => Term::Min(args.map_or_else(|args| args, Vec::from)),
            ("max", args) => Term::Max(args.map_or_else(|args| args, Vec::from)),
            ("floord", Ok([a, b])) => Term::Floor(Box::new(quotient(a, b))),
            ("ceild", Ok([a, b])) => Term::Ceil(Box::new(quotient(a, b))),
            ("floor", Err(mut args)) if n_args == 1 => Term::Floor(Box::new(args.remove(0))),
            ("ceil", Err(mut args)) if n_args == 1 => Term::Ceil(Box::new(args.remove(0))),
            _ => return pos.error(format!("`{name}` has another number of arguments than {n_args}")),
        };
        self.expect(")")?;
        Ok(term)
    }

    /// `e : condition; e : condition`, after the first expression.
    fn pieces(&mut self, first: Term, pos: Pos) -> Parsed<Term> {
        let mut pieces = Vec::new();
        let mut piece = (first, pos);
        loop {
            let condition = if self.accept(":") { Some(self.formula()?) } else { None };
            pieces.push((piece.0, condition, piece.1));
            if !self.accept(";") {
                return Ok(Term::Pieces(pieces));
            }
            let pos = self.pos();
            piece = (self.argument()?, pos);
        }
    }
}

fn is_function(word: &str) -> bool {
    matches!(word, "floor" | "ceil" | "floord" | "ceild" | "min" | "max")
}

fn is_keyword(word: &str) -> bool {
    is_function(word)
        || matches!(
            word,
            "and" | "or" | "not" | "implies" | "exists" | "mod" | "true" | "false"
        )
        || matches!(word, "infty" | "infinity" | "NaN" | "nan")
}

fn as_formula(node: Node, pos: Pos) -> Parsed<Formula> {
    match node {
        Node::Formula(formula) => Ok(formula),
        Node::Term(_) => pos.error("expected a condition, found an expression"),
    }
}

fn as_term(node: Node, pos: Pos) -> Parsed<Term> {
    match node {
        Node::Term(term) => Ok(term),
        Node::Formula(_) => pos.error("expected an expression, found a condition"),
    }
}
