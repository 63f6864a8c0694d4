//! Operations with a name.

use super::value::{Computed, Failure, Value, each_map, each_set, misuse};
use super::{count, enumerate, files, order};
use farkas_polyhedral::budget::{Budget, Outcome};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Approximation, Map, Set, Tuple, UnionMap, UnionPwMultiAff, UnionSet};

/// An operation.
pub(super) struct Operation {
    /// The name, and other ones for the same.
    pub(super) names: &'static [&'static str],
    /// What it takes.
    pub(super) takes: &'static str,
    /// What it gives.
    pub(super) gives: &'static str,
    /// A use of it.
    pub(super) example: &'static str,
    run: fn(&[Value], &Budget) -> Computed,
}

impl std::fmt::Debug for Operation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.names[0])
    }
}

/// The operation called `name`.
pub(super) fn find(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.names.contains(&name))
}

impl Operation {
    /// The value of the operation on these operands.
    pub(super) fn apply(&self, args: &[Value], b: &Budget) -> Computed {
        (self.run)(args, b)
    }

    fn not_for(&self, args: &[Value]) -> Computed {
        let types: Vec<String> = args.iter().map(|value| format!("a {}", value.type_name())).collect();
        misuse(format!(
            "`{}` takes {}, not {}",
            self.names[0],
            self.takes,
            types.join(" and ")
        ))
    }
}

/// What an operation called `name` that does not take `args` says.
fn not_for(name: &str, args: &[Value]) -> Computed {
    find(name).expect("an operation of the table").not_for(args)
}

/// Rows of the table: `names takes gives example { patterns => value }`, where the patterns are for the operands.
macro_rules! operations {
    ($($names:expr, $takes:literal, $gives:literal, $example:literal, |$b:ident| { $($pattern:pat => $value:expr),+ $(,)? });+ $(;)?) => {
        pub(super) const OPERATIONS: &[Operation] = &[$(Operation {
            names: &$names,
            takes: $takes,
            gives: $gives,
            example: $example,
            run: |args, $b| Ok(match args {
                $($pattern => $value,)+
                _ => return not_for($names[0], args),
            }),
        }),+];
    };
}

operations! {
    ["lexmin"], "a set or relation", "the lexicographically smallest elements, or images", "lexmin [n] -> { [i, j] : i + j >= n and 0 <= i, j <= n }", |b| {
        [Value::Set(s)] => Value::Set(s.lexmin(b)?),
        [Value::Map(r)] => Value::Map(r.lexmin(b)?),
    };
    ["lexmax"], "a set or relation", "the lexicographically largest elements, or images", "lexmax { [i] -> [j] : 0 <= 2j <= i }", |b| {
        [Value::Set(s)] => Value::Set(s.lexmax(b)?),
        [Value::Map(r)] => Value::Map(r.lexmax(b)?),
    };
    ["card"], "a bounded set, or a relation with bounded images", "the number of elements, or of the images of each, by the parameters", "card [n] -> { [i, j] : 0 <= i <= j < n }", |b| {
        [Value::Set(s)] => count::elements(s, b)?,
        [Value::Map(r)] => count::images(r, b)?,
    };
    ["sum"], "a quasi-polynomial", "the sum of its values at all points, by the parameters", "sum (card [n] -> { [i] -> [j] : 0 <= j <= i < n })", |b| {
        [Value::QuasiPolynomial(f)] => count::sum(f, b)?,
    };
    ["scan"], "a bounded set or relation without parameters", "the same, element by element", "scan { [i, j] : 0 <= i <= j < 2 }", |b| {
        [Value::Set(s)] => Value::Set(enumerate::scan(s, b)?),
        [Value::Map(r)] => Value::Map(enumerate::scan(&r.wrap(), b)?.unwrap()),
    };
    ["sample"], "a set or relation", "one of the elements, or pairs, for one value of the parameters", "sample { [i] : i > 5 and i mod 7 = 0 }", |b| {
        [Value::Set(s)] => Value::Set(sample(s, b)?),
        [Value::Map(r)] => Value::Map(sample(&r.wrap(), b)?.unwrap()),
    };
    ["dom", "domain"], "a relation or function", "the first elements of the pairs", "dom { A[i] -> B[j] : 0 <= i <= j <= 9 }", |b| {
        [Value::Map(r)] => Value::Set(r.domain(b)?),
        [Value::Function(f)] => Value::Set(f.domain()),
    };
    ["ran", "range"], "a relation or function", "the second elements of the pairs", "ran { A[i] -> B[2i] : 0 <= i <= 9 }", |b| {
        [Value::Map(r)] => Value::Set(r.range(b)?),
        [Value::Function(f)] => Value::Set(f.to_union_map().range(b)?),
    };
    ["domain_map"], "a relation", "the relation from the pairs to their first elements", "domain_map { A[i] -> B[j] }", |_b| {
        [Value::Map(r)] => Value::Map(r.domain_map()),
    };
    ["range_map"], "a relation", "the relation from the pairs to their second elements", "range_map { A[i] -> B[j] }", |_b| {
        [Value::Map(r)] => Value::Map(r.range_map()),
    };
    ["deltas"], "a relation", "the differences of the pairs of a tuple with itself", "deltas { [i, j] -> [i + 1, k] : k >= j }", |b| {
        [Value::Map(r)] => Value::Set(r.deltas(b)?),
    };
    ["wrap"], "a relation", "the set of its pairs", "wrap { A[i] -> B[i + 1] }", |_b| {
        [Value::Map(r)] => Value::Set(r.wrap()),
    };
    ["unwrap"], "a set", "the relation of the pairs that are among its elements", "unwrap { [A[i] -> B[i + 1]]; C[] }", |_b| {
        [Value::Set(s)] => Value::Map(s.unwrap()),
    };
    ["zip"], "a relation of pairs", "the relation between the firsts and the seconds of the pairs", "zip { [A[i] -> B[j]] -> [C[k] -> D[l]] }", |_b| {
        [Value::Map(r)] => Value::Map(r.zip()),
    };
    ["curry"], "a relation of pairs to others", "`x -> [y -> z]` for `[x -> y] -> z`", "curry { [A[i] -> B[j]] -> C[k] }", |_b| {
        [Value::Map(r)] => Value::Map(r.curry()),
    };
    ["uncurry"], "a relation to pairs", "`[x -> y] -> z` for `x -> [y -> z]`", "uncurry { A[i] -> [B[j] -> C[k]] }", |_b| {
        [Value::Map(r)] => Value::Map(r.uncurry()),
    };
    ["deltas_map"], "a relation", "the relation of each pair to its difference", "deltas_map { A[i] -> A[i + 1] }", |_b| {
        [Value::Map(r)] => Value::Map(r.deltas_map()),
    };
    ["closure"], "a relation of a tuple with itself", "what is reached in one or more steps, as `R^+`, or more than that", "closure { [i] -> [i + 2] : 0 <= i < 9 }", |b| {
        [Value::Map(r)] => Value::Map(closure(r, b)?.value.into()),
    };
    ["closure_is_exact"], "a relation of a tuple with itself", "whether `closure`, and `R^+`, are known to give no more than what is reached", "closure_is_exact { [i] -> [i + 2] : 0 <= i < 9 }", |b| {
        [Value::Map(r)] => Value::Answer(closure(r, b)?.exact),
    };
    ["inverse", "reverse"], "a relation", "the same pairs, the other way round", "inverse { A[i] -> B[i + 1] }", |_b| {
        [Value::Map(r)] => Value::Map(r.reverse()),
    };
    ["identity", "id"], "a set", "the relation of each element to itself", "identity { A[i] : i > 0 }", |_b| {
        [Value::Set(s)] => Value::Map(s.identity()),
    };
    ["params"], "a set or relation", "the parameter values for which there is an element, or pair", "params [n] -> { [i] : 0 <= i < n }", |b| {
        [Value::Set(s)] => Value::Set(s.project_onto_params(b)?.into()),
        [Value::Map(r)] => Value::Set(r.project_onto_params(b)?.into()),
    };
    ["complement"], "a set or relation", "what is not in it, of the same tuples", "complement { [i] : 0 <= i < 10 }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.complement(b)?))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.complement(b)?))?),
    };
    ["coalesce"], "a set or relation", "the same in fewer pieces", "coalesce { [i] : 0 <= i < 10; [10] }", |b| {
        [Value::Set(s)] => Value::Set(s.coalesce(b)?),
        [Value::Map(r)] => Value::Map(r.coalesce(b)?),
        [Value::Function(f)] => Value::Function(f.coalesce(b)?),
    };
    ["gist"], "two sets or relations", "the first, simplified where the second one holds", "gist({ [i] : 0 <= i < 10 and i mod 2 = 0 }, { [i] : i >= 0 })", |b| {
        [Value::Set(s), Value::Set(c)] => Value::Set(s.gist(c, b)?),
        [Value::Map(r), Value::Map(c)] => Value::Map(r.gist(c, b)?),
        [Value::Function(f), Value::Set(c)] => Value::Function(f.gist(c, b)?),
    };
    ["hull", "polyhedral_hull"], "a set or relation", "a polyhedron around each tuple's elements: the rational hull of the pieces, each within its affine hull", "hull { [0, 0]; [2, 0]; [0, 2] }", |b| {
        [Value::Set(s)] => Value::Set(s.polyhedral_hull(b)?),
        [Value::Map(r)] => Value::Map(r.polyhedral_hull(b)?),
    };
    ["simple_hull"], "a set or relation", "one conjunction around each tuple's elements, of the constraints of the pieces", "simple_hull { [0]; [2]; [4] }", |b| {
        [Value::Set(s)] => Value::Set(s.simple_hull(b)?),
        [Value::Map(r)] => Value::Map(r.simple_hull(b)?),
    };
    ["affine_hull"], "a set or relation", "the equalities and strides that hold of each tuple's elements", "affine_hull { [i, j] : j = i + 1 and i mod 2 = 0 and i > 0 }", |b| {
        [Value::Set(s)] => Value::Set(s.affine_hull(b)?),
        [Value::Map(r)] => Value::Map(r.affine_hull(b)?),
    };
    ["box_hull"], "a set or relation", "the smallest box around each tuple's elements, or pairs", "box_hull { [i, j] : 0 <= i <= j < 10 }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.box_hull(b)?))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.box_hull(b)?))?),
    };
    ["make_disjoint"], "a set or relation", "the same in pieces that do not overlap", "make_disjoint { [i] : 0 <= i < 10; [i] : 5 <= i < 15 }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.make_disjoint(b)?))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.wrap().make_disjoint(b)?.unwrap()))?),
    };
    ["convex_hull"], "a set or relation", "the smallest rational polyhedron around each tuple's elements, as if they were rational", "convex_hull { [0, 0]; [2, 0]; [0, 2] }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.convex_hull(b)?))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.convex_hull(b)?))?),
    };
    ["unshifted_simple_hull"], "a set or relation", "one conjunction around each tuple's elements, of constraints of the pieces that hold on all", "unshifted_simple_hull { [i] : 0 <= i < 10; [i] : 0 <= i < 20 }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.unshifted_simple_hull(b)?))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.unshifted_simple_hull(b)?))?),
    };
    ["lineality_space"], "a set or relation", "the directions in which the convex hull has no end", "lineality_space { [i, j] : 0 <= i + j <= 3 }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.lineality_space(b)?))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.lineality_space(b)?))?),
    };
    ["explicit"], "a set or relation", "the same with integer divisions in the place of quantified variables", "explicit { [i] : exists (a: 3a <= i <= 3a + 1) }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.explicit(b)?))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.explicit(b)?))?),
    };
    ["detect_equalities"], "a set or relation", "the same with implied equalities written out", "detect_equalities { [i, j] : 2i <= j <= 2i + 1 and 2j <= 4i }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.detect_equalities(b)?))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.detect_equalities(b)?))?),
    };
    ["remove_redundancies"], "a set or relation", "the same without constraints that follow from others", "remove_redundancies { [i, j] : i >= 0 and j >= 0 and i + j >= 0 }", |b| {
        [Value::Set(s)] => Value::Set(s.remove_redundancies(b)?),
        [Value::Map(r)] => Value::Map(r.remove_redundancies(b)?),
    };
    ["flatten"], "a set or relation", "the same on tuples that nest no pairs", "flatten { [A[i] -> B[j]] }", |_b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.flatten()))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.flatten()))?),
    };
    ["flatten_domain"], "a relation", "the same with first elements that nest no pairs", "flatten_domain { [A[i] -> B[j]] -> C[] }", |_b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.flatten_domain()))?),
    };
    ["flatten_range"], "a relation", "the same with second elements that nest no pairs", "flatten_range { C[] -> [A[i] -> B[j]] }", |_b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.flatten_range()))?),
    };
    ["range_curry"], "a relation to pairs of a pair and others", "`u -> [x -> [y -> z]]` for `u -> [[x -> y] -> z]`", "range_curry { U[] -> [[X[] -> Y[]] -> Z[]] }", |_b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.range_curry()))?),
    };
    ["domain_reverse"], "a relation of pairs", "`[y -> x] -> z` for `[x -> y] -> z`", "domain_reverse { [A[i] -> B[j]] -> C[] }", |_b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.domain_reverse()))?),
    };
    ["range_reverse"], "a relation to pairs", "`x -> [z -> y]` for `x -> [y -> z]`", "range_reverse { C[] -> [A[i] -> B[j]] }", |_b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.range_reverse()))?),
    };
    ["domain_product"], "two relations", "`[x -> y] -> z` for `x -> z` in the first and `y -> z` in the second", "domain_product({ A[i] -> C[i] }, { B[j] -> C[2j] })", |_b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.domain_product(t)),
    };
    ["range_product"], "two relations", "`x -> [y -> z]` for `x -> y` in the first and `x -> z` in the second", "range_product({ A[i] -> B[i] }, { A[i] -> C[2i] })", |_b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.range_product(t)),
    };
    ["flat_range_product"], "two relations", "`x -> [y, z]` for `x -> y` in the first and `x -> z` in the second", "flat_range_product({ A[i] -> B[i] }, { A[i] -> C[2i] })", |_b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.flat_range_product(t)),
    };
    ["factor_domain"], "a relation of pairs to pairs", "`x -> y` for `[x -> u] -> [y -> v]`", "factor_domain { [A[i] -> B[j]] -> [C[i] -> D[j]] : j > i }", |b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.factor_domain(b)?))?),
    };
    ["factor_range"], "a relation of pairs to pairs", "`u -> v` for `[x -> u] -> [y -> v]`", "factor_range { [A[i] -> B[j]] -> [C[i] -> D[j]] : j > 0 }", |b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.factor_range(b)?))?),
    };
    ["domain_factor_domain"], "a relation of pairs", "`x -> z` for `[x -> y] -> z`", "domain_factor_domain { [A[i] -> B[j]] -> C[i + j] }", |b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.domain_factor_domain(b)?))?),
    };
    ["domain_factor_range"], "a relation of pairs", "`y -> z` for `[x -> y] -> z`", "domain_factor_range { [A[i] -> B[j]] -> C[j] }", |b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.domain_factor_range(b)?))?),
    };
    ["range_factor_domain"], "a relation to pairs", "`x -> y` for `x -> [y -> z]`", "range_factor_domain { A[i] -> [B[i] -> C[2i]] }", |b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.range_factor_domain(b)?))?),
    };
    ["range_factor_range"], "a relation to pairs", "`x -> z` for `x -> [y -> z]`", "range_factor_range { A[i] -> [B[i] -> C[2i]] }", |b| {
        [Value::Map(r)] => Value::Map(each_map(r, |r| Ok(r.range_factor_range(b)?))?),
    };
    ["intersect_domain_factor_domain"], "two relations", "the `[x -> y] -> z` with `x -> z` in the second", "intersect_domain_factor_domain({ [A[i] -> B[j]] -> C[k] }, { A[i] -> C[i] })", |_b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.intersect_domain_factor_domain(t)),
    };
    ["intersect_domain_factor_range"], "two relations", "the `[x -> y] -> z` with `y -> z` in the second", "intersect_domain_factor_range({ [A[i] -> B[j]] -> C[k] }, { B[j] -> C[j] })", |_b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.intersect_domain_factor_range(t)),
    };
    ["intersect_range_factor_domain"], "two relations", "the `x -> [y -> z]` with `x -> y` in the second", "intersect_range_factor_domain({ A[i] -> [B[j] -> C[k]] }, { A[i] -> B[i] })", |_b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.intersect_range_factor_domain(t)),
    };
    ["intersect_range_factor_range"], "two relations", "the `x -> [y -> z]` with `x -> z` in the second", "intersect_range_factor_range({ A[i] -> [B[j] -> C[k]] }, { A[i] -> C[i] })", |_b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.intersect_range_factor_range(t)),
    };
    ["intersect_params"], "a set, relation or function, and a parameter set", "the first where the parameters are in the second", "intersect_params([n] -> { [i] : 0 <= i < n }, [n] -> { : n = 3 })", |b| {
        [Value::Set(s), Value::Set(p)] => Value::Set(s.intersect_params(&params(p)?)),
        [Value::Map(r), Value::Set(p)] => Value::Map(r.intersect_params(&params(p)?)),
        [Value::Function(f), Value::Set(p)] => Value::Function(f.intersect_params(&params(p)?, b)?),
    };
    ["gist_params"], "a set or relation, and a parameter set", "the first, simplified where the parameters are in the second", "gist_params([n] -> { [i] : 0 <= i < n and n > 3 }, [n] -> { : n > 5 })", |b| {
        [Value::Set(s), Value::Set(p)] => Value::Set(s.gist_params(&params(p)?, b)?),
        [Value::Map(r), Value::Set(p)] => Value::Map(r.gist_params(&params(p)?, b)?),
    };
    ["gist_domain"], "a relation and a set", "the relation, simplified for first elements in the set", "gist_domain({ A[i] -> B[i] : i >= 0 }, { A[i] : i > 3 })", |b| {
        [Value::Map(r), Value::Set(s)] => Value::Map(r.gist_domain(s, b)?),
    };
    ["gist_range"], "a relation and a set", "the relation, simplified for second elements in the set", "gist_range({ A[i] -> B[j] : j >= i >= 0 and j >= 3 }, { B[j] : j > 3 })", |b| {
        [Value::Map(r), Value::Set(s)] => Value::Map(r.gist_range(s, b)?),
    };
    ["subtract_domain"], "a relation or function, and a set", "the pairs of which the first element is not in the set", "subtract_domain({ A[i] -> B[i] }, { A[0] })", |b| {
        [Value::Map(r), Value::Set(s)] => Value::Map(each_map(r, |r| Ok(r.subtract_domain(&s.extract(r.domain_tuple()), b)?))?),
        [Value::Function(f), Value::Set(s)] => Value::Function(f.subtract_domain(s, b)?),
    };
    ["apply_domain"], "two relations", "the first with its first elements replaced by their images in the second", "apply_domain({ A[i] -> B[i] }, { A[i] -> C[i + 1] })", |b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.apply_domain(t, b)?),
    };
    ["lex_lt_at"], "two relations", "pairs of an element of which the image in the first is lexicographically smaller than that of the other in the second", "lex_lt_at({ S[i] -> [i, 0] }, { T[i] -> [i, 1] })", |b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.lex_lt_map(t, b)?),
    };
    ["lex_le_at"], "two relations", "pairs as of `lex_lt_at`, or of equal images", "lex_le_at({ S[i] -> [i] }, { T[i] -> [2i] })", |b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.lex_le_map(t, b)?),
    };
    ["lex_gt_at"], "two relations", "pairs of an element of which the image in the first is lexicographically larger than that of the other in the second", "lex_gt_at({ S[i] -> [i, 0] }, { T[i] -> [i, 1] })", |b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.lex_gt_map(t, b)?),
    };
    ["lex_ge_at"], "two relations", "pairs as of `lex_gt_at`, or of equal images", "lex_ge_at({ S[i] -> [i] }, { T[i] -> [2i] })", |b| {
        [Value::Map(r), Value::Map(t)] => Value::Map(r.lex_ge_map(t, b)?),
    };
    ["pow", "power"], "a relation of a tuple with itself", "`k -> [x -> y]` for the pairs of its `k`-th power, or more than that", "pow { [i] -> [i + 2] }", |b| {
        [Value::Map(r)] => Value::Map(only_map(r)?.power(b)?.value.into()),
    };
    ["path_lengths"], "a relation of a tuple with itself", "the numbers of steps of its paths, or more than that", "path_lengths { [i] -> [i + 2] }", |b| {
        [Value::Map(r)] => Value::Set(only_map(r)?.reaching_path_lengths(b)?.value.into()),
    };
    ["coefficients"], "a set of one tuple", "the coefficients of the inequalities that hold on it", "coefficients { [i] : 0 <= i <= 9 }", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| Ok(s.coefficients(b)?))?),
    };
    ["project_out"], "a set, a dimension, and a number of them", "the set without these dimensions", "project_out({ [i, j] : 0 <= i <= j < 9 }, 0, 1)", |b| {
        [Value::Set(s), first, count] => Value::Set(each_set(s, |s| {
            let (first, count) = dims(s, first, count)?;
            Ok(s.project_out(first, count, b)?)
        })?),
    };
    ["eliminate"], "a set, a dimension, and a number of them", "the set with any values of these dimensions", "eliminate({ [i, j] : 0 <= i <= j < 9 }, 0, 1)", |b| {
        [Value::Set(s), first, count] => Value::Set(each_set(s, |s| {
            let (first, count) = dims(s, first, count)?;
            Ok(s.eliminate(first, count, b)?)
        })?),
    };
    ["project_out_param"], "a set and the name of a parameter", "the elements for some value of the parameter", "project_out_param([n] -> { [i] : 0 <= i < n < 9 }, \"n\")", |b| {
        [Value::Set(s), Value::Text(name)] => Value::Set(each_set(s, |s| Ok(s.project_out_param(name, b)?))?),
    };
    ["fix"], "a set, a dimension and a number", "the elements of which the dimension has this value", "fix({ [i, j] : 0 <= i <= j < 9 }, 0, 5)", |_b| {
        [Value::Set(s), dim, Value::Number(value)] => Value::Set(each_set(s, |s| {
            let (dim, _) = dims(s, dim, &ONE)?;
            Ok(s.fix_dim(dim, value))
        })?),
    };
    ["dim_min"], "a set of one tuple and a dimension", "the smallest value of the dimension, by the parameters", "dim_min([n] -> { [i] : n <= 3i and i <= 9 }, 0)", |b| {
        [Value::Set(s), dim] => Value::Function({
            let set = only_set(s)?;
            set.dim_min_pw_aff(dims(set, dim, &ONE)?.0, b)?.to_pw_multi_aff().into()
        }),
    };
    ["dim_max"], "a set of one tuple and a dimension", "the largest value of the dimension, by the parameters", "dim_max([n] -> { [i] : 3i <= n and i <= 9 }, 0)", |b| {
        [Value::Set(s), dim] => Value::Function({
            let set = only_set(s)?;
            set.dim_max_pw_aff(dims(set, dim, &ONE)?.0, b)?.to_pw_multi_aff().into()
        }),
    };
    ["stride"], "a set of one tuple and a dimension", "the number of which the values of the dimension are a multiple apart", "stride({ [i] : i mod 6 = 1 }, 0)", |b| {
        [Value::Set(s), dim] => {
            let set = only_set(s)?;
            Value::Number(set.stride(dims(set, dim, &ONE)?.0, b)?.stride)
        },
    };
    ["is_disjoint"], "two sets or relations", "whether nothing is in both", "is_disjoint({ [i] : i > 0 }, { [i] : i < 0 })", |b| {
        [Value::Set(s), Value::Set(t)] => Value::Answer(s.is_disjoint(t, b)?),
        [Value::Map(r), Value::Map(t)] => Value::Answer(r.is_disjoint(t, b)?),
    };
    ["is_singleton"], "a set", "whether each tuple has one element, for each value of the parameters with any", "is_singleton [n] -> { [i] : 2i = n }", |b| {
        [Value::Set(s)] => Value::Answer(all_sets(s, |s| s.is_singleton(b))?),
    };
    ["has_bounded_images"], "a relation", "whether the images of each element are bounded", "has_bounded_images { [i] -> [j] : 0 <= j <= i }", |b| {
        [Value::Map(r)] => Value::Answer(all_maps(r, |r| r.has_bounded_images(b))?),
    };
    ["function"], "a single-valued relation", "the function of which it is the graph", "function { [i] -> [j] : j <= i < j + 1 }", |b| {
        [Value::Map(r)] => match UnionPwMultiAff::from_union_map(r, b)? {
            Some(function) => Value::Function(function),
            None => return misuse("some element has two images"),
        },
    };
    ["graph"], "a function", "the relation of arguments and values", "graph (function { [i] -> [floor(i/2)] })", |_b| {
        [Value::Function(f)] => Value::Map(f.to_union_map()),
    };
    ["is_empty"], "a set or relation", "whether there is no element, or pair", "is_empty { [i] : 2i = 1 }", |b| {
        [Value::Set(s)] => Value::Answer(s.is_empty(b)?),
        [Value::Map(r)] => Value::Answer(r.is_empty(b)?),
    };
    ["is_bounded"], "a set", "whether there are bounds on its elements, for each value of the parameters", "is_bounded [n] -> { [i] : 0 <= i < n }", |b| {
        [Value::Set(s)] => Value::Answer(all_sets(s, |s| s.is_bounded(b))?),
    };
    ["is_single_valued"], "a relation", "whether every element has at most one image", "is_single_valued { [i] -> [j] : 0 <= j <= i }", |b| {
        [Value::Map(r)] => Value::Answer(is_single_valued(r, b)?),
    };
    ["is_injective"], "a relation", "whether no two elements have the same image", "is_injective { [i] -> [floor(i/2)] }", |b| {
        [Value::Map(r)] => Value::Answer(is_single_valued(&r.reverse(), b)?),
    };
    ["is_bijective"], "a relation", "whether it is single-valued and injective", "is_bijective { [i] -> [i + 1] }", |b| {
        [Value::Map(r)] => Value::Answer(is_single_valued(r, b)? && is_single_valued(&r.reverse(), b)?),
    };
    ["codegen"], "a schedule, or a relation to times", "the loops that execute it", "codegen [n] -> { S[i, j] -> [j, i] : 0 <= j <= i < n }", |b| {
        [order] => order::codegen(order, b)?,
    };
    ["map"], "a schedule", "the relation from instances to times", "map (schedule { S[i] : 0 <= i < 9 })", |b| {
        [Value::Schedule(tree)] => Value::Map(tree.schedule_map(b)?),
    };
    ["read"], "the name of a file", "the set, relation or schedule tree in it", "read \"set.txt\"", |_b| {
        [Value::Text(file)] => files::read(file)?,
    };
    ["typeof"], "any value", "the name of its type", "typeof { [i] -> [i] }", |_b| {
        [value] => Value::Text(value.type_name().into()),
    };
}

/// The transitive closure of a relation of one space.
pub(super) fn closure(union: &UnionMap, b: &Budget) -> Result<Approximation<Map>, Failure> {
    Ok(only_map(union)?.transitive_closure(b)?)
}

const ONE: Value = Value::Number(Int::ONE);

/// The relation of a tuple with itself that is all of the union.
fn only_map(union: &UnionMap) -> Result<&Map, Failure> {
    let mut maps = union.maps();
    match (maps.next(), maps.next()) {
        (Some(map), None) if map.domain_tuple() == map.range_tuple() => Ok(map),
        _ => misuse("expected a relation of a single tuple with itself"),
    }
}

/// The set that is all of the union.
fn only_set(union: &UnionSet) -> Result<&Set, Failure> {
    let mut sets = union.sets();
    match (sets.next(), sets.next()) {
        (Some(set), None) => Ok(set),
        _ => misuse("expected a set of a single tuple"),
    }
}

/// The union as a set of parameter values.
fn params(union: &UnionSet) -> Result<Set, Failure> {
    match union.sets().next() {
        Some(_) => match only_set(union)? {
            set if set.tuple().is_unit() => Ok(set.clone()),
            _ => misuse("expected a parameter set, as `[n] -> { : n > 0 }`"),
        },
        None => Ok(union.extract(&Tuple::unit())),
    }
}

/// `count` dimensions of the set from `first` on, if it has them.
fn dims(set: &Set, first: &Value, count: &Value) -> Result<(usize, usize), Failure> {
    let number = |value: &Value| match value {
        Value::Number(number) => number.to_i64().and_then(|n| usize::try_from(n).ok()),
        _ => None,
    };
    match (number(first), number(count)) {
        (Some(first), Some(count)) if first.checked_add(count).is_some_and(|end| end <= set.n_dims()) => {
            Ok((first, count))
        }
        _ => misuse(format!("no dimensions of {}, which are counted from 0", set.tuple())),
    }
}

fn all_sets(union: &UnionSet, holds: impl Fn(&Set) -> Outcome<bool>) -> Outcome<bool> {
    union.sets().try_fold(true, |all, set| Ok(all && holds(set)?))
}

fn all_maps(union: &UnionMap, holds: impl Fn(&Map) -> Outcome<bool>) -> Outcome<bool> {
    union.maps().try_fold(true, |all, map| Ok(all && holds(map)?))
}

/// The element `dims` of the space of `set` for the parameter values `params`, as far as these are given.
pub(super) fn at(set: &Set, params: &[Int], dims: &[Int]) -> Set {
    let mut out = Set::universe(set.space().clone());
    for (name, value) in set.params().names().iter().zip(params) {
        out = out.fix_param(name, value);
    }
    for (dim, value) in dims.iter().enumerate() {
        out = out.fix_dim(dim, value);
    }
    out
}

fn sample(union: &UnionSet, b: &Budget) -> Result<UnionSet, Failure> {
    let mut out = UnionSet::empty(union.params().clone());
    for set in union.sets() {
        if let Some((params, dims)) = set.sample(b)? {
            out.add(&at(set, &params, &dims));
            break;
        }
    }
    Ok(out)
}

fn is_single_valued(union: &UnionMap, b: &Budget) -> Result<bool, Failure> {
    let maps: Vec<&Map> = union.maps().collect();
    for (i, map) in maps.iter().enumerate() {
        if !map.is_single_valued(b)? {
            return Ok(false);
        }
        // Images of different tuples differ.
        for other in maps[..i].iter().filter(|m| m.domain_tuple() == map.domain_tuple()) {
            if !map.domain(b)?.is_disjoint(&other.domain(b)?, b)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
