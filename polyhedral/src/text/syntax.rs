//! The syntax tree between parser and sets.

use super::lexer::Pos;
use crate::int::Int;

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Term {
    Number(Int),
    Name(String, Pos),
    Neg(Box<Term>),
    /// `e ± e ± ..`, not nested, so that long sums are not deep: the others with whether they are subtracted.
    Sum(Box<Term>, Vec<(bool, Term)>),
    /// `e * e / e % ..`, from left to right, not nested either.
    Product(Box<Term>, Vec<(Factor, Term, Pos)>),
    Floor(Box<Term>),
    Ceil(Box<Term>),
    /// At least one.
    Min(Vec<Term>),
    Max(Vec<Term>),
    /// `condition ? then : otherwise`
    Cond(Box<Formula>, Box<Term>, Box<Term>),
    /// `(e : condition; ..)`: expressions on disjoint sets, with their places.
    Pieces(Vec<(Term, Option<Formula>, Pos)>),
    Infinity,
    NotANumber,
}

/// What a factor of a product does to what is before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Factor {
    Mul,
    /// The rational quotient.
    Div,
    Mod,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LexLt,
    LexLe,
    LexGt,
    LexGe,
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    True,
    False,
    /// A chain `l_0 op_0 l_1 op_1 ..` of lists, each comparison of two neighbours for all pairs of an element each.
    Chain(Vec<Vec<Term>>, Vec<(Op, Pos)>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Not(Box<Formula>),
    /// Some of the variables are given by an expression.
    Exists(Vec<(String, Option<Term>)>, Box<Formula>),
}

/// An entry of a tuple: a name, an expression, or a name and what it is equal to.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) name: Option<String>,
    /// What it is equal to; with `high`, at least this.
    pub(super) value: Option<Term>,
    pub(super) high: Option<Term>,
}

/// A tuple.
#[derive(Clone, Debug)]
pub(super) struct TupleSyntax {
    pub(super) name: Option<String>,
    pub(super) body: TupleBody,
    pub(super) pos: Pos,
}

/// What is between the brackets of a tuple.
#[derive(Clone, Debug)]
pub(super) enum TupleBody {
    Entries(Vec<Entry>),
    Pair(Box<TupleSyntax>, Box<TupleSyntax>),
}

/// One of the members of a union, between `;`s: `domain -> range : condition`.
#[derive(Clone, Debug)]
pub(super) struct Member {
    /// None for parameter values.
    pub(super) domain: Option<TupleSyntax>,
    /// None for sets.
    pub(super) range: Option<TupleSyntax>,
    pub(super) condition: Option<Formula>,
    pub(super) pos: Pos,
}

/// A list of unions, `[n] -> L[{ members }, { members }]`, or `(L[] : { members })`.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) params: Vec<String>,
    pub(super) name: Option<String>,
    pub(super) entries: Vec<Vec<Member>>,
    /// What the list is defined on, if that is said.
    pub(super) domain: Option<Vec<Member>>,
    pub(super) pos: Pos,
}

/// A text: parameters and members.
#[derive(Clone, Debug)]
pub(super) struct Body {
    pub(super) params: Vec<String>,
    pub(super) members: Vec<Member>,
    pub(super) pos: Pos,
}
