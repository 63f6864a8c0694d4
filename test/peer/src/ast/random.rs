//! Random schedule trees with all kinds of nodes, small enough to be executed instance by instance.
//!
//! All instances are in a small box, whatever the parameters `n` and `m` are, and all schedules have a value on all of them.
//! An inner context may bring the parameter `b`.

use super::order::Values;
use crate::random::Rng;
use farkas_polyhedral::tree::{Node, Tree};

/// The values of the parameters with which a tree is executed: `n`, `m` and `b`.
const VALUES: [[i64; 3]; 6] = [[4, 2, 0], [2, 5, 1], [0, 3, 1], [-3, 0, 0], [1, 1, 1], [7, -1, 0]];

/// The values of all parameters that trees may have.
pub fn values() -> Vec<Values> {
    let named = |values: &[i64; 3]| ["n", "m", "b"].map(String::from).into_iter().zip(*values).collect();
    VALUES.iter().map(named).collect()
}

/// The tree with this number, of those that `seed` stands for.
pub fn tree(seed: u64, number: u64) -> Tree {
    let mut rng = Rng::new(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
    rng.draw();
    let mut generator = Generator {
        rng,
        fresh: 0,
        nodes: 0,
        unrolls: 0,
        has_block: false,
    };
    let text = generator.tree();
    text.parse().unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// A statement that reaches the node at hand.
#[derive(Clone)]
struct Statement {
    name: String,
    dims: Vec<String>,
}

impl Statement {
    fn tuple(&self) -> String {
        format!("{}[{}]", self.name, self.dims.join(", "))
    }
}

struct Generator {
    rng: Rng,
    /// The number of statements that inner nodes have brought.
    fresh: usize,
    nodes: usize,
    unrolls: usize,
    /// Whether there is the parameter `b`.
    has_block: bool,
}

const PARAMS: &str = "[n, m, b] -> ";

impl Generator {
    fn pick<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.rng.below(options.len())]
    }

    fn tree(&mut self) -> String {
        let n_statements = 1 + self.rng.below(3);
        let mut statements = Vec::new();
        let mut domain = Vec::new();
        for k in 0..n_statements {
            let n = match self.rng.below(8) {
                0 => 0,
                1 | 2 => 1,
                3..=6 => 2,
                _ => 3,
            };
            let statement = Statement {
                name: format!("S{k}"),
                dims: ["i", "j", "k"][..n].iter().map(|d| d.to_string()).collect(),
            };
            domain.push(format!("{} : {}", statement.tuple(), self.domain(&statement.dims)));
            statements.push(statement);
        }
        let node = self.node(&statements, 0, 0);
        let node = match (self.rng.below(4), node) {
            (0 | 1, Some(node)) => {
                let context = self.pick(&["n > 0", "n >= 2 and m >= 0", "n + m >= 3", "0 <= b <= 1"]);
                Some(format!(
                    "{{ context: \"{PARAMS}{{ [] : {context} }}\", child: {node} }}"
                ))
            }
            (_, node) => node,
        };
        let domain = format!("{PARAMS}{{ {} }}", domain.join("; "));
        match node {
            Some(node) => format!("{{ domain: \"{domain}\", child: {node} }}"),
            None => format!("{{ domain: \"{domain}\" }}"),
        }
    }

    /// A condition on dimensions, which keeps them in a box.
    fn domain(&mut self, dims: &[String]) -> String {
        let largest = if dims.len() > 2 { 3 } else { 5 };
        let mut parts = Vec::new();
        for (k, dim) in dims.iter().enumerate() {
            let low = self.pick(&["0", "0", "1", "-2"]);
            parts.push(format!("{low} <= {dim} <= {largest}"));
            let outer = if k > 0 { dims[k - 1].as_str() } else { "0" };
            match self.rng.below(8) {
                0 | 1 => parts.push(format!("{dim} < n")),
                2 => parts.push(format!("{dim} >= {outer}")),
                3 => parts.push(format!("{dim} <= {outer} + m")),
                4 => parts.push(format!("2{dim} <= n + {outer}")),
                _ => {}
            }
        }
        let (first, last) = match dims {
            [] => ("n", "m"),
            _ => (dims[0].as_str(), dims[dims.len() - 1].as_str()),
        };
        let cut = match self.rng.below(14) {
            0 => format!("{last} mod 2 = 0"),
            1 => format!("({first} + {last}) mod 3 = 1"),
            2 => format!("({first} - n) mod 4 = 0"),
            3 => format!("exists (a : {last} = 2a + {first} and a >= 0)"),
            4 => format!("exists (a, c : {last} = 2a + 3c and 0 <= a < 3 and 0 <= c)"),
            5 => format!("({first} <= 0 or {last} >= 2)"),
            6 => format!("({first} = 1 or {first} = 3 or {last} = n)"),
            7 => format!("floor({last}/2) + {first} <= 3"),
            8 => "m > 1".to_string(),
            9 => format!("2*floor({first}/2) >= n - 4"),
            _ => return parts_or_true(parts),
        };
        parts.push(cut);
        parts_or_true(parts)
    }

    /// A node for the statements below `outer` members; `None` is a leaf.
    fn node(&mut self, statements: &[Statement], outer: usize, depth: usize) -> Option<String> {
        self.nodes += 1;
        if depth > 4 || self.nodes > 12 || outer > 5 {
            return None;
        }
        let kind = if depth == 0 {
            self.rng.below(7)
        } else {
            self.rng.below(15)
        };
        Some(match kind {
            0..=4 => self.band(statements, outer, depth),
            5 | 6 => self.children(statements, outer, depth),
            7 => {
                let cut = self.pick(&["n > 1", "n < 3", "m mod 2 = 0"]);
                let own: Vec<String> = statements.iter().map(|s| self.part(s, cut)).collect();
                let text = format!("filter: \"{PARAMS}{{ {} }}\"", own.join("; "));
                with_child(text, self.node(statements, outer, depth + 1))
            }
            8 => with_child("mark: \"m\"".to_string(), self.node(statements, outer, depth + 1)),
            9 => self.expansion(statements, outer, depth),
            10 => self.extension(statements, outer, depth),
            11 => {
                let dims = members(outer);
                let condition = match dims.last() {
                    Some(last) => match self.rng.below(3) {
                        0 => format!("{last} <= 2"),
                        1 => format!("{last} mod 2 = 0"),
                        _ => format!("{last} + n >= 1"),
                    },
                    None => "n > 0".to_string(),
                };
                let text = format!("guard: \"{PARAMS}{{ [{}] : {condition} }}\"", dims.join(", "));
                with_child(text, self.node(statements, outer, depth + 1))
            }
            12 if !self.has_block => {
                self.has_block = true;
                let dims = members(outer);
                let own: Vec<String> = statements
                    .iter()
                    .map(|s| match s.dims.first() {
                        Some(dim) => format!("{} : {dim} mod 2 = b", s.tuple()),
                        None => format!("{} : b = 0", s.tuple()),
                    })
                    .collect();
                let child = with_child(
                    format!("filter: \"{PARAMS}{{ {} }}\"", own.join("; ")),
                    self.node(statements, outer, depth + 2),
                );
                let context = format!("context: \"{PARAMS}{{ [{}] : 0 <= b <= 1 }}\"", dims.join(", "));
                with_child(context, Some(child))
            }
            _ => return None,
        })
    }

    /// Part of a statement.
    fn part(&mut self, statement: &Statement, condition: &str) -> String {
        match (statement.dims.last(), self.rng.below(3)) {
            (Some(dim), 0) => format!("{} : {condition} or {dim} <= 1", statement.tuple()),
            _ => format!("{} : {condition}", statement.tuple()),
        }
    }

    fn band(&mut self, statements: &[Statement], outer: usize, depth: usize) -> String {
        let n = 1 + self.rng.below(2);
        let mut options = Vec::new();
        let mut members_text = Vec::new();
        for k in 0..n {
            let kind = self.rng.below(8);
            let unroll = kind == 0 && self.unrolls < 2;
            self.unrolls += usize::from(unroll);
            match kind {
                0 if unroll => options.push(format!("unroll[{k}]")),
                1 | 2 => options.push(format!("separate[{k}]")),
                3 => options.push(format!("atomic[{k}]")),
                _ => {}
            }
            // A shift by a parameter leaves no constant number of values where statements move apart.
            members_text.push(self.member(statements, unroll));
        }
        if self.rng.one_in(4) {
            let own: Vec<String> = (0..n).map(|k| format!("x{k}")).collect();
            let (first, last) = (&own[0], &own[n - 1]);
            let condition = match self.rng.below(5) {
                0 => format!("1 <= {first} <= 3"),
                1 => format!("{last} >= 2 and {first} <= n"),
                2 if outer > 0 => format!("{first} >= c0 and {last} <= 4"),
                3 => format!("2{first} + {last} <= 5"),
                _ => format!("{first} mod 2 = 0 and {last} >= 0"),
            };
            let isolated = format!(
                "isolate[[{}] -> [{}]] : {condition}",
                members(outer).join(", "),
                own.join(", ")
            );
            options.push(isolated);
            match self.rng.below(5) {
                0 => options.push("[isolate[] -> separate[0]]".to_string()),
                1 => options.push(format!("[isolate[] -> atomic[{}]]", n - 1)),
                2 if self.unrolls < 2 && self.rng.one_in(2) => {
                    self.unrolls += 1;
                    options.push(format!("[isolate[] -> unroll[{}]]", n - 1));
                }
                _ => {}
            }
        }
        let mut text = format!("schedule: \"{PARAMS}[{}]\"", members_text.join(", "));
        if self.rng.one_in(2) {
            text += ", permutable: 1";
            let flags: Vec<&str> = (0..n).map(|_| self.pick(&["0", "1"])).collect();
            text += &format!(", coincident: [{}]", flags.join(", "));
        }
        if !options.is_empty() {
            text += &format!(", options: \"{PARAMS}{{ {} }}\"", options.join("; "));
        }
        with_child(text, self.node(statements, outer + n, depth + 1))
    }

    /// A function on all statements, without parameters if it has to be `constant`.
    fn member(&mut self, statements: &[Statement], constant: bool) -> String {
        let common = self.rng.below(18);
        let mut parts = Vec::new();
        for statement in statements {
            let tuple = statement.tuple();
            let dim = |k: Option<&String>| k.map_or("0", |dim| dim.as_str()).to_string();
            let (first, last) = (dim(statement.dims.first()), dim(statement.dims.last()));
            // Often all statements have the same function.
            let kind = if self.rng.one_in(2) { common } else { self.rng.below(18) };
            let shift = self.rng.within(-2, 2);
            parts.push(match kind {
                0 | 1 => format!("{tuple} -> [{first} + {shift}]"),
                2 | 3 => format!("{tuple} -> [{last} + {shift}]"),
                4 if !constant => format!("{tuple} -> [{first} + {last} - n]"),
                4 | 5 => format!("{tuple} -> [{first} + {last}]"),
                6 => format!("{tuple} -> [floor(({first} + {shift})/2)]"),
                7 => format!("{tuple} -> [3*floor({last}/3)]"),
                8 => format!("{tuple} -> [-{last}]"),
                9 => format!("{tuple} -> [{last}] : {first} <= 1; {tuple} -> [{first} + 3] : {first} > 1"),
                10 if !constant => format!("{tuple} -> [{last}] : {first} < n; {tuple} -> [-{last}] : {first} >= n"),
                10 | 11 => format!("{tuple} -> [2*{first} + {last}]"),
                12 => format!("{tuple} -> [{first} - 2*{last}]"),
                13 => format!("{tuple} -> [({first} + {last}) mod 3]"),
                14 if !constant => format!("{tuple} -> [2*{first} + n]"),
                14 | 15 => format!("{tuple} -> [2*{first} + {shift}]"),
                16 => format!("{tuple} -> [floor({first}/2) + {last}]"),
                _ => format!("{tuple} -> [{shift}]"),
            });
        }
        format!("{{ {} }}", parts.join("; "))
    }

    fn children(&mut self, statements: &[Statement], outer: usize, depth: usize) -> String {
        let kind = self.pick(&["sequence", "sequence", "set"]);
        let by_statement = statements.len() > 1 && self.rng.below(3) > 0;
        let parts: Vec<(String, Vec<Statement>)> = if by_statement {
            let part = |s: &Statement| (s.tuple(), vec![s.clone()]);
            let mut parts: Vec<_> = statements.iter().map(part).collect();
            if self.rng.one_in(2) {
                parts.reverse();
            }
            parts
        } else {
            let limit = self.rng.within(-1, 3);
            let with_n = self.pick(&["", " + n"]);
            let side = |sign: &str| {
                let own = |s: &Statement| match s.dims.last() {
                    Some(dim) => format!("{} : {dim} {sign} {limit}{with_n}", s.tuple()),
                    None => format!("{} : 0 {sign} {limit}{with_n}", s.tuple()),
                };
                statements.iter().map(own).collect::<Vec<_>>().join("; ")
            };
            vec![(side(">"), statements.to_vec()), (side("<="), statements.to_vec())]
        };
        let mut children = Vec::new();
        for (filter, passed) in parts {
            let child = self.node(&passed, outer, depth + 1);
            children.push(with_child(format!("filter: \"{PARAMS}{{ {filter} }}\""), child));
        }
        format!("{{ {kind}: [ {} ] }}", children.join(", "))
    }

    fn extension(&mut self, statements: &[Statement], outer: usize, depth: usize) -> String {
        let dims = members(outer);
        self.fresh += 1;
        let new = Statement {
            name: format!("C{}", self.fresh),
            dims: ["p", "q"].map(String::from).to_vec(),
        };
        let condition = match (dims.last(), self.rng.below(4)) {
            (Some(last), 0) => format!("p = {last} and 0 <= q <= 1"),
            (Some(last), 1) => format!("{last} <= p <= {last} + 1 and q = 0 and p mod 2 = 0"),
            (_, 2) => "0 <= p < 3 and q = n".to_string(),
            _ => "p = 1 and 0 <= q <= 2 and q <= m".to_string(),
        };
        let text = format!(
            "extension: \"{PARAMS}{{ [{}] -> {} : {condition} }}\"",
            dims.join(", "),
            new.tuple()
        );
        let mut more = statements.to_vec();
        more.push(new);
        with_child(text, self.node(&more, outer, depth + 1))
    }

    /// Every instance becomes several.
    fn expansion(&mut self, statements: &[Statement], outer: usize, depth: usize) -> String {
        let (mut contraction, mut expansion, mut below) = (Vec::new(), Vec::new(), Vec::new());
        for statement in statements {
            let tuple = statement.tuple();
            if statement.dims.len() > 2 || self.rng.one_in(4) {
                contraction.push(format!("{tuple} -> {tuple}"));
                expansion.push(format!("{tuple} -> {tuple}"));
                below.push(statement.clone());
                continue;
            }
            self.fresh += 1;
            let mut new = statement.clone();
            new.name = format!("{}x{}", statement.name, self.fresh);
            let last = statement.dims.last().cloned();
            if let (Some(last), true) = (&last, self.rng.one_in(2)) {
                // Two instances that belong to the same one before.
                let dim = format!("e{}", self.fresh);
                new.dims.pop();
                new.dims.push(dim.clone());
                let kept = &statement.dims[..statement.dims.len() - 1];
                let from: Vec<String> = [kept, &[format!("floor({dim}/2)")]].concat();
                contraction.push(format!("{} -> {}[{}]", new.tuple(), statement.name, from.join(", ")));
                expansion.push(format!("{tuple} -> {} : 2{last} <= {dim} <= 2{last} + 1", new.tuple()));
            } else {
                let dim = format!("e{}", self.fresh);
                new.dims.push(dim.clone());
                let upper = match (last, self.rng.below(2)) {
                    (Some(last), 0) => format!("{last} or {dim} = 0"),
                    _ => "1".to_string(),
                };
                contraction.push(format!("{} -> {tuple}", new.tuple()));
                expansion.push(format!("{tuple} -> {} : 0 <= {dim} <= {upper}", new.tuple()));
            }
            below.push(new);
        }
        let text = format!(
            "contraction: \"{PARAMS}{{ {} }}\", expansion: \"{PARAMS}{{ {} }}\"",
            contraction.join("; "),
            expansion.join("; ")
        );
        with_child(text, self.node(&below, outer, depth + 1))
    }
}

fn parts_or_true(parts: Vec<String>) -> String {
    if parts.is_empty() {
        "0 = 0".to_string()
    } else {
        parts.join(" and ")
    }
}

fn members(outer: usize) -> Vec<String> {
    (0..outer).map(|k| format!("c{k}")).collect()
}

fn with_child(text: String, child: Option<String>) -> String {
    match child {
        Some(child) => format!("{{ {text}, child: {child} }}"),
        None => format!("{{ {text} }}"),
    }
}

/// A smaller tree for which `fails` holds as it does for `tree`: with fewer nodes, options and statements. At most `tries`
/// trees are tried.
pub fn shrunk(tree: &Tree, fails: &dyn Fn(&Tree) -> bool, tries: usize) -> Tree {
    let mut best = tree.clone();
    let mut left = tries;
    'smaller: loop {
        let mut candidates: Vec<Tree> = variants(&best.root)
            .into_iter()
            .map(|root| best.with_root(root))
            .collect();
        for dropped in best.domain.tuples() {
            let mut fewer = best.clone();
            let kept = best.domain.sets().filter(|set| set.tuple() != dropped);
            fewer.domain = farkas_polyhedral::sets::UnionSet::empty(best.domain.params().clone());
            kept.for_each(|set| fewer.domain.add(set));
            candidates.push(fewer);
        }
        for candidate in candidates {
            if left == 0 {
                return best;
            }
            left -= 1;
            if fails(&candidate) {
                best = candidate;
                continue 'smaller;
            }
        }
        return best;
    }
}

/// The nodes with one node or option less.
fn variants(node: &Node) -> Vec<Node> {
    let mut out = Vec::new();
    // The node left out.
    match node {
        Node::Leaf => {}
        Node::Sequence(children) | Node::Set(children) => {
            out.push(Node::Leaf);
            out.extend(children.iter().map(|filter| Node::Filter(Box::new(filter.clone()))));
        }
        _ => out.extend(node.children().cloned()),
    }
    if let Node::Band(band) = node {
        let mut plain = band.clone();
        plain.isolation = farkas_polyhedral::tree::Isolation::Nothing;
        plain
            .members_mut()
            .iter_mut()
            .for_each(|member| *member = Default::default());
        if plain.members() != band.members() || !matches!(band.isolation, farkas_polyhedral::tree::Isolation::Nothing) {
            out.push(Node::Band(plain));
        }
        if band.n() > 1 {
            out.extend((0..band.n()).map(|k| Node::band(band.select(&[k]))));
        }
    }
    // One of the nodes below changed.
    for (k, child) in node.children().enumerate() {
        for smaller in variants(child) {
            let mut changed = node.clone();
            if let Some(place) = changed.children_mut().nth(k) {
                *place = smaller;
            }
            out.push(changed);
        }
    }
    out
}
