//! Identifiers with user data: what operations tell apart, and what they keep.

use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::sets::{Map, MapSpace, Name, Params, Set, SetSpace, Tuple, UnionSet};
use std::collections::HashSet;
use std::sync::Arc;

fn segment(param: &Name, tuple: &Name) -> Set {
    let text: Set = "[n] -> { A[i] : 0 <= i < n }".parse().unwrap();
    let space = SetSpace::new(Params::new([param]), Tuple::new(tuple, 1));
    Set::from_conjs(space, text.pieces().to_vec())
}

#[test]
fn equality_is_by_text_and_shared_user_data() {
    let plain = Name::from("A");
    let one = Name::with_user("A", 1);
    assert_eq!(plain, Name::from(String::from("A")));
    assert_eq!(one, one.clone());
    assert_ne!(one, Name::with_user("A", 1));
    assert_ne!(one, plain);
    let shared = Arc::new(String::from("payload"));
    assert_eq!(
        Name::with_shared_user("A", shared.clone()),
        Name::with_shared_user("A", shared.clone())
    );
    assert_ne!(
        Name::with_shared_user("A", shared.clone()),
        Name::with_shared_user("B", shared)
    );
    // Values without a size have no address of their own; the allocations of two `Arc`s still have.
    assert_ne!(Name::with_user("A", ()), Name::with_user("A", 1));
    assert_eq!(
        [&plain, &one, &one.clone()].into_iter().collect::<HashSet<_>>().len(),
        2
    );
}

#[test]
fn user_data_has_the_type_it_was_made_with() {
    let name = Name::with_user("A", vec![1, 2]);
    assert_eq!(name.user::<Vec<i32>>(), Some(&vec![1, 2]));
    assert_eq!(name.user::<i32>(), None);
    assert_eq!(Name::from("A").user::<Vec<i32>>(), None);
    assert_eq!((name.to_string(), format!("{name:?}")), ("A".into(), "\"A\"".into()));
}

#[test]
fn alignment_keeps_identifiers_apart_and_as_they_are() {
    let b = Budget::new(1_000_000);
    let (n, other, a) = (
        Name::with_user("n", "mine"),
        Name::with_user("n", "other"),
        Name::from("A"),
    );
    let mine = segment(&n, &a);
    let same = mine.intersect(&segment(&n.clone(), &a));
    assert_eq!(same.params(), &Params::new([&n]));
    assert_eq!(same.params().names()[0].user::<&str>(), Some(&"mine"));
    assert!(same.is_equal(&mine, &b).unwrap());

    let both = mine.intersect(&segment(&other, &a));
    assert_eq!(both.params(), &Params::new([&n, &other]));
    assert_eq!(both.to_string(), "[n, n'] -> { A[i0] : 0 <= i0 < n and i0 < n' }");
    assert!(!both.is_equal(&mine, &b).unwrap());
    assert_eq!(both.params().position("n"), Some(0));
    assert_eq!(both.params().position_of(&other), Some(1));
    assert_eq!(both.params().position_of(&Name::from("n")), None);
    // What goes by text alone means the first of them.
    let rest = both.project_out_param("n", &b).unwrap();
    assert_eq!(rest.params(), &Params::new([&other]));
    assert_eq!(rest.to_string(), "[n] -> { A[i0] : 0 <= i0 < n }");
    let dims = both.params_to_dims(&["n"]);
    assert_eq!(dims.params(), &Params::new([&other]));
}

#[test]
fn tuples_of_one_text_may_be_different_spaces() {
    let b = Budget::new(1_000_000);
    let n = Name::from("n");
    let (a, c) = (Name::with_user("A", 1), Name::with_user("A", 2));
    let all = UnionSet::from(segment(&n, &a)).union(&segment(&n, &c).into());
    assert_eq!(all.sets().count(), 2);
    let rest = all.subtract(&segment(&n, &a).into(), &b).unwrap();
    let left: Vec<Option<i32>> = rest
        .sets()
        .map(|set| set.tuple().name().unwrap().user().copied())
        .collect();
    assert_eq!(left, [Some(2)]);
}

#[test]
fn relations_keep_identifiers() {
    let b = Budget::new(1_000_000);
    let (s, t) = (Name::with_user("S", 1), Name::with_user("T", 2));
    let (domain, range) = (Tuple::new(&s, 1), Tuple::new(&t, 1));
    let text: Map = "{ S[i] -> T[i + 1] : 0 <= i < 5 }".parse().unwrap();
    let space = MapSpace::new(Params::none(), domain.clone(), range.clone());
    let map = Map::from_conjs(space, text.pieces().to_vec());
    let user = |tuple: &Tuple| tuple.name().and_then(|n| n.user::<i32>()).copied();
    assert_eq!(user(map.domain(&b).unwrap().tuple()), Some(1));
    assert_eq!(user(map.reverse().domain_tuple()), Some(2));
    let pair = map.wrap();
    let (first, second) = pair.tuple().nested().unwrap();
    assert_eq!((user(first), user(second)), (Some(1), Some(2)));
    let back = map.apply_range(&map.reverse(), &b).unwrap();
    assert_eq!(
        (user(back.domain_tuple()), user(back.range_tuple())),
        (Some(1), Some(1))
    );
}

#[test]
#[should_panic(expected = "sets in")]
fn sets_of_different_identifiers_do_not_fit() {
    let n = Name::from("n");
    segment(&n, &Name::with_user("A", 1)).union(&segment(&n, &Name::from("A")));
}
