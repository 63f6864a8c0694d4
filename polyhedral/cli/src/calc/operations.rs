//! Operations with a name.

use super::enumerate::points;
use super::value::{Computed, Failure, Value, each_map, each_set, misuse};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::sets::{Approximation, Map, Set, UnionMap, UnionPwMultiAff, UnionSet};

/// An operation.
pub(super) struct Operation {
    /// The name, and other ones for the same.
    pub(super) names: &'static [&'static str],
    /// What it takes.
    pub(super) takes: &'static str,
    /// What it gives.
    pub(super) gives: &'static str,
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

/// Rows of the table: `names takes gives { patterns => value }`, where the patterns are for the operands.
macro_rules! operations {
    ($($names:expr, $takes:literal, $gives:literal, |$b:ident| { $($pattern:pat => $value:expr),+ $(,)? });+ $(;)?) => {
        pub(super) const OPERATIONS: &[Operation] = &[$(Operation {
            names: &$names,
            takes: $takes,
            gives: $gives,
            run: |args, $b| Ok(match args {
                $($pattern => $value,)+
                _ => return not_for($names[0], args),
            }),
        }),+];
    };
}

operations! {
    ["lexmin"], "a set or relation", "the lexicographically smallest elements, or images", |b| {
        [Value::Set(s)] => Value::Set(s.lexmin(b)?),
        [Value::Map(r)] => Value::Map(r.lexmin(b)?),
    };
    ["lexmax"], "a set or relation", "the lexicographically largest elements, or images", |b| {
        [Value::Set(s)] => Value::Set(s.lexmax(b)?),
        [Value::Map(r)] => Value::Map(r.lexmax(b)?),
    };
    ["card"], "a bounded set or relation without parameters", "the number of elements, or pairs", |b| {
        [Value::Set(s)] => Value::Number(count(s, b)?),
        [Value::Map(r)] => Value::Number(count(&r.wrap(), b)?),
    };
    ["scan"], "a bounded set or relation without parameters", "the same, element by element", |b| {
        [Value::Set(s)] => Value::Set(scan(s, b)?),
        [Value::Map(r)] => Value::Map(scan(&r.wrap(), b)?.unwrap()),
    };
    ["sample"], "a set or relation", "one of the elements, or pairs, for one value of the parameters", |b| {
        [Value::Set(s)] => Value::Set(sample(s, b)?),
        [Value::Map(r)] => Value::Map(sample(&r.wrap(), b)?.unwrap()),
    };
    ["dom", "domain"], "a relation or function", "the first elements of the pairs", |b| {
        [Value::Map(r)] => Value::Set(r.domain(b)?),
        [Value::Function(f)] => Value::Set(f.domain()),
    };
    ["ran", "range"], "a relation or function", "the second elements of the pairs", |b| {
        [Value::Map(r)] => Value::Set(r.range(b)?),
        [Value::Function(f)] => Value::Set(f.to_union_map().range(b)?),
    };
    ["domain_map"], "a relation", "the relation from the pairs to their first elements", |_b| {
        [Value::Map(r)] => Value::Map(r.domain_map()),
    };
    ["range_map"], "a relation", "the relation from the pairs to their second elements", |_b| {
        [Value::Map(r)] => Value::Map(r.range_map()),
    };
    ["deltas"], "a relation", "the differences of the pairs of a tuple with itself", |b| {
        [Value::Map(r)] => Value::Set(r.deltas(b)?),
    };
    ["wrap"], "a relation", "the set of its pairs", |_b| {
        [Value::Map(r)] => Value::Set(r.wrap()),
    };
    ["unwrap"], "a set", "the relation of the pairs that are among its elements", |_b| {
        [Value::Set(s)] => Value::Map(s.unwrap()),
    };
    ["zip"], "a relation of pairs", "the relation between the firsts and the seconds of the pairs", |_b| {
        [Value::Map(r)] => Value::Map(r.zip()),
    };
    ["curry"], "a relation of pairs to others", "`x -> [y -> z]` for `[x -> y] -> z`", |_b| {
        [Value::Map(r)] => Value::Map(r.curry()),
    };
    ["uncurry"], "a relation to pairs", "`[x -> y] -> z` for `x -> [y -> z]`", |_b| {
        [Value::Map(r)] => Value::Map(r.uncurry()),
    };
    ["deltas_map"], "a relation", "the relation of each pair to its difference", |_b| {
        [Value::Map(r)] => Value::Map(r.deltas_map()),
    };
    ["closure"], "a relation of a tuple with itself", "what is reached in one or more steps, as `R^+`, or more than that", |b| {
        [Value::Map(r)] => Value::Map(closure(r, b)?.value.into()),
    };
    ["closure_is_exact"], "a relation of a tuple with itself", "whether `closure`, and `R^+`, are known to give no more than what is reached", |b| {
        [Value::Map(r)] => Value::Answer(closure(r, b)?.exact),
    };
    ["inverse", "reverse"], "a relation", "the same pairs, the other way round", |_b| {
        [Value::Map(r)] => Value::Map(r.reverse()),
    };
    ["identity", "id"], "a set", "the relation of each element to itself", |_b| {
        [Value::Set(s)] => Value::Map(s.identity()),
    };
    ["params"], "a set or relation", "the parameter values for which there is an element, or pair", |b| {
        [Value::Set(s)] => Value::Set(s.project_onto_params(b)?.into()),
        [Value::Map(r)] => Value::Set(r.project_onto_params(b)?.into()),
    };
    ["complement"], "a set or relation", "what is not in it, of the same tuples", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| s.complement(b).map(Some))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| r.complement(b).map(Some))?),
    };
    ["coalesce"], "a set or relation", "the same in fewer pieces", |b| {
        [Value::Set(s)] => Value::Set(s.coalesce(b)?),
        [Value::Map(r)] => Value::Map(r.coalesce(b)?),
        [Value::Function(f)] => Value::Function(f.coalesce(b)?),
    };
    ["gist"], "two sets or relations", "the first, simplified where the second one holds", |b| {
        [Value::Set(s), Value::Set(c)] => Value::Set(s.gist(c, b)?),
        [Value::Map(r), Value::Map(c)] => Value::Map(r.gist(c, b)?),
        [Value::Function(f), Value::Set(c)] => Value::Function(f.gist(c, b)?),
    };
    ["hull", "polyhedral_hull"], "a set or relation", "one conjunction around each tuple's elements: the smallest polyhedron, with their strides", |b| {
        [Value::Set(s)] => Value::Set(s.polyhedral_hull(b)?),
        [Value::Map(r)] => Value::Map(r.polyhedral_hull(b)?),
    };
    ["simple_hull"], "a set or relation", "one conjunction around each tuple's elements, of the constraints of the pieces", |b| {
        [Value::Set(s)] => Value::Set(s.simple_hull(b)?),
        [Value::Map(r)] => Value::Map(r.simple_hull(b)?),
    };
    ["affine_hull"], "a set or relation", "the equalities that hold of each tuple's elements", |b| {
        [Value::Set(s)] => Value::Set(s.affine_hull(b)?),
        [Value::Map(r)] => Value::Map(r.affine_hull(b)?),
    };
    ["box_hull"], "a set", "the smallest box around each tuple's elements", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| s.box_hull(b).map(Some))?),
    };
    ["make_disjoint"], "a set or relation", "the same in pieces that do not overlap", |b| {
        [Value::Set(s)] => Value::Set(each_set(s, |s| s.make_disjoint(b).map(Some))?),
        [Value::Map(r)] => Value::Map(each_map(r, |r| r.wrap().make_disjoint(b).map(|s| Some(s.unwrap())))?),
    };
    ["function"], "a single-valued relation", "the function of which it is the graph", |b| {
        [Value::Map(r)] => match UnionPwMultiAff::from_union_map(r, b)? {
            Some(function) => Value::Function(function),
            None => return misuse("some element has two images"),
        },
    };
    ["graph"], "a function", "the relation of arguments and values", |_b| {
        [Value::Function(f)] => Value::Map(f.to_union_map()),
    };
    ["is_empty"], "a set or relation", "whether there is no element, or pair", |b| {
        [Value::Set(s)] => Value::Answer(s.is_empty(b)?),
        [Value::Map(r)] => Value::Answer(r.is_empty(b)?),
    };
    ["is_bounded"], "a set", "whether there are bounds on its elements, for each value of the parameters", |b| {
        [Value::Set(s)] => Value::Answer(is_bounded(s, b)?),
    };
    ["is_single_valued"], "a relation", "whether every element has at most one image", |b| {
        [Value::Map(r)] => Value::Answer(is_single_valued(r, b)?),
    };
    ["is_injective"], "a relation", "whether no two elements have the same image", |b| {
        [Value::Map(r)] => Value::Answer(is_single_valued(&r.reverse(), b)?),
    };
    ["is_bijective"], "a relation", "whether it is single-valued and injective", |b| {
        [Value::Map(r)] => Value::Answer(is_single_valued(r, b)? && is_single_valued(&r.reverse(), b)?),
    };
    ["typeof"], "any value", "the name of its type", |_b| {
        [value] => Value::Text(value.type_name().into()),
    };
}

/// The transitive closure of a relation of one space.
pub(super) fn closure(union: &UnionMap, b: &Budget) -> Result<Approximation<Map>, Failure> {
    let mut maps = union.maps();
    match (maps.next(), maps.next()) {
        (Some(map), None) if map.domain_tuple() == map.range_tuple() => Ok(map.transitive_closure(b)?),
        _ => misuse("a transitive closure is one of a relation of a single tuple with itself"),
    }
}

fn is_bounded(union: &UnionSet, b: &Budget) -> Result<bool, Failure> {
    for set in union.sets() {
        if !set.is_bounded(b)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn count(union: &UnionSet, b: &Budget) -> Result<Int, Failure> {
    let mut n = Int::ZERO;
    for set in union.sets() {
        n += Int::from(points(set, b)?.len());
    }
    Ok(n)
}

fn scan(union: &UnionSet, b: &Budget) -> Result<UnionSet, Failure> {
    each_set(union, |set| {
        let mut out = Set::empty(set.space().clone());
        for point in points(set, b)? {
            out = out.union(&at(set, &[], &point));
        }
        Ok(Some(out))
    })
}

/// The element `dims` of the space of `set` for the parameter values `params`, as far as these are given.
fn at(set: &Set, params: &[Int], dims: &[Int]) -> Set {
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
