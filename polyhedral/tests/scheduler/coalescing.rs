//! P0, section 7.5: what loop coalescing is, and what makes for it. Each test says which example it is, and what the paper
//! has.

use crate::ppcg::{ppcg, sum};
use crate::verify::check;
use expect_test::expect;
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::schedule::{Options, ScheduleConstraints, count_groups, schedule};
use farkas_polyhedral::sets::Map;
use farkas_polyhedral::tree::Node;

fn map(text: &str) -> Map {
    text.parse().unwrap()
}

/// Example 27, equations 89 to 91: both coordinates can be told from the member that coalesces them, by a remainder and a
/// quotient; from a skewed one they cannot.
#[test]
fn example_27_coordinates_of_a_coalescing_member() {
    let b = Budget::new(1_000_000);
    let options = Options {
        treat_coalescing: false,
        ..ppcg()
    };
    let constraints = sum("10000");
    let tree = schedule(&constraints, &options, &b).unwrap();
    let Node::Band(band) = &tree.root else {
        panic!("a band at the root of\n{tree}")
    };
    let statement = constraints.domain.tuples().next().unwrap();
    let member = band.function_of(statement).unwrap().to_map();
    assert!(member.is_equal(&map("{ S[i, j] -> [10000i + j] }"), &b).unwrap());
    let on_instances = |member: &Map| member.intersect_domain(&"{ S[i, j] : 0 <= i, j < 10000 }".parse().unwrap());
    let coordinates = "{ [x] -> S[i, j] : j = x mod 10000 and i = floor(x / 10000) and 0 <= i < 10000 }";
    let back = on_instances(&member).reverse();
    assert!(back.is_equal(&map(coordinates), &b).unwrap());
    let skewed = on_instances(&map("{ S[i, j] -> [i + j] }"));
    assert!(!skewed.is_injective(&b).unwrap());
}

/// Example 28, equations 94 to 97: a context that fixes a size makes the constraints ones that a coalescing member can make
/// use of, whether it is intersected with them or they are simplified by it.
#[test]
fn example_28_context() {
    let b = Budget::new(1_000_000);
    let flow = map("[n] -> { S[i, j] -> S[i + 1, j] : 0 <= i and i + 1 < n and 0 <= j < n }");
    let context = "[n] -> { : n = 1024 }".parse().unwrap();
    let intersected = "[n] -> { S[i, j] -> S[i + 1, j] : 0 <= i and i + 1 < 1024 and 0 <= j < 1024 and n = 1024 }";
    assert!(flow.intersect_params(&context).is_equal(&map(intersected), &b).unwrap());
    // The paper's result is without `n`; as any gist, ours is that only where the context holds.
    let gist = flow.gist_params(&context, &b).unwrap();
    let simplified = map("[n] -> { S[i, j] -> S[i + 1, j] : 0 <= i and i + 1 < 1024 and 0 <= j < 1024 }");
    let within = |map: &Map| map.intersect_params(&context);
    assert!(within(&gist).is_equal(&within(&simplified), &b).unwrap());
}

/// Listing 15 with a symbolic size, of which only the context says what it is.
fn sum_in_context() -> ScheduleConstraints {
    ScheduleConstraints {
        context: "[n] -> { : n = 10000 }".parse().unwrap(),
        ..sum("n")
    }
}

/// Example 28, what it means: with the size in the context, there is a coalescing member as with a fixed size (equation 68).
/// The paper uses the context sparingly for that reason.
#[test]
fn example_28_coalescing() {
    let options = Options {
        treat_coalescing: false,
        ..ppcg()
    };
    check(
        &options,
        &sum_in_context(),
        expect![[r#"
        schedule: "[n] -> [{ S[i, j] -> [(10000i + j)] }]"
        permutable: 1
        child:
          schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
          permutable: 1
          coincident: [ 1 ]
    "#]],
    );
}

/// Example 28: now that coalescing is treated, the context does no harm, as the paper expects. The schedule is that of
/// the symbolic size.
#[test]
fn example_28_treated() {
    check(
        &ppcg(),
        &sum_in_context(),
        expect![[r#"
        schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
        permutable: 1
        child:
          schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
          permutable: 1
    "#]],
    );
}

/// Example 32, equations 116 to 122: the lexicographic order on three dimensions of a fixed size. Without the bounds that
/// are sizes, nothing but the first coordinate matters, and the second and the third disjunct become one group.
#[test]
fn example_32_lineality_space() {
    let order = "{ S[a, b, c] -> S[a', b', c'] : 0 <= a, b, c, a', b', c' < 10 and
        (a' > a or (a' = a and b' > b) or (a' = a and b' = b and c' > c)) }";
    let constraints: ScheduleConstraints =
        format!("domain: {{ S[a, b, c] : 0 <= a, b, c < 10 }}\nvalidity: {order}\ncoincidence: {order}")
            .parse()
            .unwrap();
    let b = Budget::new(1_000_000);
    let groups = |treat_coalescing: bool| {
        let options = Options {
            treat_coalescing,
            ..ppcg()
        };
        count_groups(&constraints, &options, &b).unwrap()
    };
    assert_eq!(groups(false), (3, 0));
    assert_eq!(groups(true), (2, 0));
    check(
        &ppcg(),
        &constraints,
        expect![[r#"
        schedule: "[{ S[a, b, c] -> [(a)] }]"
        permutable: 1
        child:
          schedule: "[{ S[a, b, c] -> [(b)] }]"
          permutable: 1
          child:
            schedule: "[{ S[a, b, c] -> [(c)] }]"
            permutable: 1
    "#]],
    );
}
