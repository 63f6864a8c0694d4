//! Random well-formed trees, from a list of decisions.

use farkas_polyhedral::tree::Tree;
use proptest::prelude::*;

/// What random trees are made from.
pub(crate) fn decisions() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 12..60)
}

/// A statement that reaches the node at hand.
#[derive(Clone)]
struct Statement {
    name: String,
    dims: Vec<String>,
}

impl Statement {
    fn new(name: &str, dims: &[&str]) -> Statement {
        Statement {
            name: name.to_string(),
            dims: dims.iter().map(|d| d.to_string()).collect(),
        }
    }

    fn tuple(&self) -> String {
        format!("{}[{}]", self.name, self.dims.join(", "))
    }
}

/// Which nodes there may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nodes {
    /// Bands, filters, sequences, sets and marks.
    Plain,
    /// And expansions.
    Expanding,
    /// All.
    All,
}

struct Builder<'a> {
    decisions: std::slice::Iter<'a, u8>,
    nodes: Nodes,
    fresh: usize,
}

/// A tree over `S[i, j]` and `T[i]` with the parameter `n`, whose dimensions are all between 0 and 3.
pub(crate) fn tree(decisions: &[u8], nodes: Nodes) -> Tree {
    let mut builder = Builder {
        decisions: decisions.iter(),
        nodes,
        fresh: 0,
    };
    let s = builder.pick(&["", " and j <= i", " and (i + j) mod 2 = 0", " and i < n"]);
    let t = builder.pick(&["", " and i <= n", " and i mod 2 = 1"]);
    let statements = [Statement::new("S", &["i", "j"]), Statement::new("T", &["i"])];
    let root = builder.node(&statements, 0, 0);
    let domain = format!("[n] -> {{ S[i, j] : 0 <= i <= 3 and 0 <= j <= 2{s}; T[i] : 0 <= i <= 3{t} }}");
    let text = match root {
        Some(root) => format!("{{ domain: \"{domain}\", child: {root} }}"),
        None => format!("{{ domain: \"{domain}\" }}"),
    };
    text.parse().unwrap_or_else(|e| panic!("{e} in {text}"))
}

impl Builder<'_> {
    fn decide(&mut self, n: usize) -> usize {
        usize::from(*self.decisions.next().unwrap_or(&0)) % n
    }

    fn pick<'b>(&mut self, options: &[&'b str]) -> &'b str {
        options[self.decide(options.len())]
    }

    /// A node for the statements below `outer` members; `None` is a leaf.
    fn node(&mut self, statements: &[Statement], outer: usize, depth: usize) -> Option<String> {
        if depth > 5 {
            return None;
        }
        let with_child = |text: String, child: Option<String>| match child {
            Some(child) => format!("{{ {text}, child: {child} }}"),
            None => format!("{{ {text} }}"),
        };
        let kinds = match self.nodes {
            Nodes::Plain => 8,
            Nodes::Expanding => 9,
            Nodes::All => 12,
        };
        Some(match self.decide(kinds) {
            0 => return None,
            1..=3 => {
                let n = 1 + self.decide(2);
                let members: Vec<String> = (0..n).map(|_| self.member(statements)).collect();
                let text = format!("schedule: \"[n] -> [{}]\", permutable: 1", members.join(", "));
                with_child(text, self.node(statements, outer + n, depth + 1))
            }
            4 | 5 => {
                let kind = self.pick(&["sequence", "set"]);
                let by_statement = self.decide(2) == 0;
                let parts: Vec<(String, Vec<Statement>)> = if by_statement {
                    let part = |s: &Statement| (s.tuple(), vec![s.clone()]);
                    statements.iter().rev().map(part).collect()
                } else {
                    let limit = self.decide(4);
                    let side = |sign: &str| {
                        let own = |s: &Statement| match s.dims.last() {
                            Some(dim) => format!("{} : {dim} {sign} {limit}", s.tuple()),
                            None => format!("{} : 0 {sign} {limit}", s.tuple()),
                        };
                        statements.iter().map(own).collect::<Vec<_>>().join("; ")
                    };
                    vec![(side(">"), statements.to_vec()), (side("<="), statements.to_vec())]
                };
                let mut children = Vec::new();
                for (filter, passed) in parts {
                    let child = self.node(&passed, outer, depth + 1);
                    children.push(with_child(format!("filter: \"{{ {filter} }}\""), child));
                }
                format!("{{ {kind}: [ {} ] }}", children.join(", "))
            }
            6 => {
                let cut = self.pick(&["0 < 1", "n > 1", "n < 3"]);
                let own: Vec<String> = statements.iter().map(|s| format!("{} : {cut}", s.tuple())).collect();
                let text = format!("filter: \"[n] -> {{ {} }}\"", own.join("; "));
                with_child(text, self.node(statements, outer, depth + 1))
            }
            7 => with_child("mark: \"m\"".to_string(), self.node(statements, outer, depth + 1)),
            8 => self.expansion(statements, outer, depth),
            9 => {
                let outer_dims: Vec<String> = (0..outer).map(|k| format!("c{k}")).collect();
                let condition = match outer_dims.last() {
                    Some(last) => format!("{last} <= {}", self.decide(4)),
                    None => "n > 0".to_string(),
                };
                let text = format!("guard: \"[n] -> {{ [{}] : {condition} }}\"", outer_dims.join(", "));
                with_child(text, self.node(statements, outer, depth + 1))
            }
            _ => {
                let outer_dims: Vec<String> = (0..outer).map(|k| format!("c{k}")).collect();
                let value = outer_dims.last().map_or("1", |last| last.as_str());
                self.fresh += 1;
                let new = Statement::new(&format!("C{}", self.fresh), &["p", "q"]);
                let text = format!(
                    "extension: \"{{ [{}] -> {} : p = {value} and 0 <= p <= 3 and 0 <= q <= 1 }}\"",
                    outer_dims.join(", "),
                    new.tuple()
                );
                let mut more = statements.to_vec();
                more.push(new);
                with_child(text, self.node(&more, outer, depth + 1))
            }
        })
    }

    fn member(&mut self, statements: &[Statement]) -> String {
        let mut parts = Vec::new();
        for statement in statements {
            let tuple = statement.tuple();
            let first = statement.dims.first().cloned().unwrap_or_else(|| "0".to_string());
            let last = statement.dims.last().cloned().unwrap_or_else(|| "1".to_string());
            parts.push(match self.decide(8) {
                0 => format!("{tuple} -> [{first}]"),
                1 => format!("{tuple} -> [{last} + 1]"),
                2 => format!("{tuple} -> [{first} + {last} - n]"),
                3 => format!("{tuple} -> [floor({first}/2)]"),
                4 => format!("{tuple} -> [-{last}]"),
                5 => format!("{tuple} -> [{last}] : {first} <= 1; {tuple} -> [{first} + 3] : {first} > 1"),
                6 => format!("{tuple} -> [2*{first} + {last}]"),
                _ => format!("{tuple} -> [1]"),
            });
        }
        format!("{{ {} }}", parts.join("; "))
    }

    /// Every instance becomes two, or as many as its last dimension says.
    fn expansion(&mut self, statements: &[Statement], outer: usize, depth: usize) -> String {
        let (mut contraction, mut expansion, mut below) = (Vec::new(), Vec::new(), Vec::new());
        for statement in statements {
            if statement.dims.len() > 2 {
                contraction.push(format!("{0} -> {0}", statement.tuple()));
                expansion.push(format!("{0} -> {0}", statement.tuple()));
                below.push(statement.clone());
                continue;
            }
            let mut new = statement.clone();
            new.name = format!("{}x", statement.name);
            new.dims.push(format!("e{depth}"));
            let dim = new.dims.last().cloned().unwrap_or_default();
            let last = statement.dims.last().cloned().unwrap_or_else(|| "1".to_string());
            let upper = match self.decide(2) {
                0 => "1".to_string(),
                _ => last,
            };
            contraction.push(format!("{} -> {}", new.tuple(), statement.tuple()));
            expansion.push(format!(
                "{} -> {} : 0 <= {dim} <= {upper}",
                statement.tuple(),
                new.tuple()
            ));
            below.push(new);
        }
        let child = self.node(&below, outer, depth + 1);
        let child = child.map_or_else(String::new, |child| format!(", child: {child}"));
        format!(
            "{{ contraction: \"{{ {} }}\", expansion: \"{{ {} }}\"{child} }}",
            contraction.join("; "),
            expansion.join("; ")
        )
    }
}
