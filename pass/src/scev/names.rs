//! Distinct names for parameters, statements, arrays and slots, taken from the IR where it has names.

use std::collections::BTreeSet;

/// The names given so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

/// Words of isl's notation that are no names.
const KEYWORDS: &[&str] = &[
    "and", "ceil", "ceild", "exists", "false", "floor", "floord", "implies", "infty", "max", "min", "mod", "nan",
    "not", "or", "rat", "true",
];

impl Names {
    /// A new name like `hint`, or `otherwise` followed by a number if the hint is no use. LLVM's number after a dot is
    /// left away: `i.0` gives `i`.
    pub(crate) fn fresh(&mut self, hint: &str, otherwise: &str) -> String {
        let stem: String = hint
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        let usable = stem.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !KEYWORDS.contains(&&*stem);
        let numbered = |n: usize| {
            if usable {
                format!("{stem}_{n}")
            } else {
                format!("{otherwise}{n}")
            }
        };
        let first = if usable { stem.clone() } else { numbered(0) };
        let name = std::iter::once(first)
            .chain((1..).map(numbered))
            .find(|name| !self.taken.contains(name))
            .expect("there are more numbers than names");
        self.taken.insert(name.clone());
        name
    }

    /// Gives a name back that is not used after all.
    pub(crate) fn release(&mut self, name: &str) {
        self.taken.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::Names;
    use expect_test::{Expect, expect};

    /// The names given for these hints, in turn.
    fn check(hints: &[&str], expected: Expect) {
        let mut names = Names::default();
        let given: Vec<String> = hints.iter().map(|hint| names.fresh(hint, "p")).collect();
        expected.assert_eq(&given.join(" "));
    }

    #[test]
    fn names_are_distinct() {
        check(&["n", "n", "n.0", "n_1"], expect!["n n_1 n_2 n_1_1"]);
    }

    #[test]
    fn hints_that_are_no_names_are_replaced() {
        check(&["", "7", "exists", ".x", "%i"], expect!["p0 p1 p2 p3 p4"]);
    }

    #[test]
    fn a_released_name_is_given_again() {
        let mut names = Names::default();
        let first = names.fresh("n", "p");
        names.release(&first);
        assert_eq!(names.fresh("n", "p"), "n");
    }
}
