//! Golden schedules, and an independent check of them: by enumeration of all instances for some values of the parameters.

use expect_test::Expect;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::int::Int;
use farkas_polyhedral::schedule::{Options, ScheduleConstraints, schedule};
use farkas_polyhedral::sets::{Set, Tuple, UnionMap};
use farkas_polyhedral::tree::{Band, Filter, Node, Tree};

type Instance = (Tuple, Vec<Int>);

/// Panics, with a counterexample, if `tree` does not satisfy `constraints` for parameters that all have the value
/// `param`, on the instances with coordinates in `-range..=range`.
pub(crate) fn verify(constraints: &ScheduleConstraints, tree: &Tree, param: i64, range: i64) {
    let instances: Vec<Instance> = constraints
        .domain
        .sets()
        .flat_map(|set| points(set, param, range))
        .collect();
    // An instance has not to come before itself.
    for (a, b) in pairs(&constraints.validity, &instances, param)
        .into_iter()
        .filter(|(a, b)| a != b)
    {
        assert!(
            carries(&tree.root, a, b, param),
            "{a:?} -> {b:?} is not carried, parameters {param}, in\n{tree}"
        );
    }
    for (a, b) in pairs(&constraints.coincidence, &instances, param) {
        check_coincidence(&tree.root, a, b, param, tree);
    }
}

fn points(set: &Set, param: i64, range: i64) -> Vec<Instance> {
    let mut points: Vec<Vec<Int>> = vec![vec![]];
    for _ in 0..set.n_dims() {
        let longer = |p: Vec<Int>| (-range..=range).map(move |v| [p.clone(), vec![Int::from(v)]].concat());
        points = points.into_iter().flat_map(longer).collect();
    }
    let params = vec![Int::from(param); set.params().len()];
    points.retain(|p| set.contains(&params, p, &Budget::unlimited()).unwrap());
    points.into_iter().map(|p| (set.tuple().clone(), p)).collect()
}

fn pairs<'a>(relation: &UnionMap, instances: &'a [Instance], param: i64) -> Vec<(&'a Instance, &'a Instance)> {
    let mut pairs = Vec::new();
    for map in relation.maps() {
        let params = vec![Int::from(param); map.params().len()];
        for a in instances.iter().filter(|a| a.0 == *map.domain_tuple()) {
            for b in instances.iter().filter(|b| b.0 == *map.range_tuple()) {
                if map.contains(&params, &a.1, &b.1, &Budget::unlimited()).unwrap() {
                    pairs.push((a, b));
                }
            }
        }
    }
    pairs
}

/// The values of a band's members.
fn values(band: &Band, (statement, point): &Instance, param: i64) -> Vec<Int> {
    let value = |member: usize| {
        let function = band.part(member, statement).expect("a function of the statement");
        let params = vec![Int::from(param); function.params().len()];
        let value = function.eval(&params, point, &Budget::unlimited()).unwrap();
        value.expect("an integer value")
    };
    (0..band.n()).map(value).collect()
}

fn distances(band: &Band, a: &Instance, b: &Instance, param: i64) -> Vec<Int> {
    let (from, to) = (values(band, a, param), values(band, b, param));
    from.iter().zip(&to).map(|(f, t)| t - f).collect()
}

/// The child of a sequence or a set that an instance passes to.
fn child_of(children: &[Filter], (statement, point): &Instance, param: i64) -> usize {
    let passes = |child: &Filter| {
        child.filter.sets().any(|set| {
            let params = vec![Int::from(param); set.params().len()];
            set.tuple() == statement && set.contains(&params, point, &Budget::unlimited()).unwrap()
        })
    };
    children.iter().position(passes).expect("a child for each instance")
}

/// Whether `a` comes strictly before `b`, and no permutable band has a negative distance on the way there.
fn carries(node: &Node, a: &Instance, b: &Instance, param: i64) -> bool {
    match node {
        Node::Leaf => false,
        Node::Mark(_, child) => carries(child, a, b, param),
        Node::Band(band) => {
            let distances = distances(band, a, b, param);
            match distances.iter().find(|d| !d.is_zero()) {
                None => carries(&band.child, a, b, param),
                Some(first) => first.is_pos() && (!band.permutable || distances.iter().all(|d| !d.is_neg())),
            }
        }
        Node::Sequence(children) | Node::Set(children) => {
            let child_of = |x: &Instance| child_of(children, x, param);
            match (child_of(a), child_of(b)) {
                (i, j) if i == j => carries(&children[i].child, a, b, param),
                (i, j) => i < j && matches!(node, Node::Sequence(_)),
            }
        }
        other => panic!("the scheduler makes no {}", other.kind()),
    }
}

fn check_coincidence(node: &Node, a: &Instance, b: &Instance, param: i64, tree: &Tree) {
    match node {
        Node::Leaf => {}
        Node::Mark(_, child) => check_coincidence(child, a, b, param, tree),
        Node::Band(band) => {
            let distances = distances(band, a, b, param);
            for (member, distance) in band.members().iter().zip(&distances) {
                assert!(
                    !member.coincident || distance.is_zero(),
                    "{a:?} -> {b:?} does not coincide in\n{tree}"
                );
            }
            if distances.iter().all(Int::is_zero) {
                check_coincidence(&band.child, a, b, param, tree);
            }
        }
        Node::Sequence(children) | Node::Set(children) => {
            let child_of = |x: &Instance| child_of(children, x, param);
            if child_of(a) == child_of(b) {
                check_coincidence(&children[child_of(a)].child, a, b, param, tree);
            }
        }
        other => panic!("the scheduler makes no {}", other.kind()),
    }
}

/// Schedules, checks by enumeration, and compares the tree below the domain and the context.
pub(crate) fn check(options: &Options, constraints: &ScheduleConstraints, expected: Expect) {
    let tree = schedule(constraints, options, &Budget::new(3_000_000)).unwrap();
    for param in [1, 2, 4] {
        verify(constraints, &tree, param, 4);
    }
    let text = tree.to_string();
    let first = ["schedule:", "sequence:", "set:"];
    let lines: Vec<&str> = text
        .lines()
        .skip_while(|line| !first.iter().any(|f| line.trim_start().starts_with(f)))
        .collect();
    let indent = lines[0].len() - lines[0].trim_start().len();
    expected.assert_eq(
        &lines
            .iter()
            .map(|line| format!("{}\n", &line[indent..]))
            .collect::<String>(),
    );
}
