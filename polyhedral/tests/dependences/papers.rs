//! The examples of P0 section 3 and of P4, "Live-range reordering", with the results that are given there.

use expect_test::{Expect, expect};
use farkas_polyhedral::budget::Budget;
use farkas_polyhedral::flow::derive::{Fragment, LiveRangeDependences, PlainDependences, live_ranges, plain};
use farkas_polyhedral::flow::{AccessInfo, Order};
use farkas_polyhedral::schedule::{self, Fusion, Options};
use farkas_polyhedral::sets::{Set, SetSpace, UnionMap, UnionSet};
use farkas_polyhedral::tree::Tree;

/// A fragment in isl's notation. Accesses are restricted to the domain.
#[derive(Clone, Copy)]
struct Source {
    domain: &'static str,
    read: &'static str,
    write: &'static str,
    /// Whether writes happen for sure.
    is_sure: bool,
    kill: &'static str,
    schedule: &'static str,
}

fn budget() -> Budget {
    Budget::new(100_000_000)
}

fn map(text: &str) -> UnionMap {
    text.parse().unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// Tagged accesses of the instances in the domain.
fn within(domain: &UnionSet, accesses: &str) -> UnionMap {
    let mut out = UnionMap::empty(domain.params().clone());
    for part in map(accesses).maps() {
        let (statement, tag) = part.domain_tuple().nested().unwrap();
        let all = Set::universe(SetSpace::new(part.params().clone(), tag.clone()));
        out.add(&part.intersect_domain(&domain.extract(statement).product(&all)));
    }
    out
}

impl Source {
    fn fragment(&self) -> Fragment {
        let b = budget();
        let domain: UnionSet = self.domain.parse().unwrap();
        let write = within(&domain, self.write);
        let none = UnionMap::empty(domain.params().clone());
        let kill = map(self.kill);
        let mut executed = domain.clone();
        for part in kill.maps() {
            executed.add(&part.domain(&b).unwrap().unwrap().domain(&b).unwrap());
        }
        Fragment {
            context: Set::universe(SetSpace::params_only(domain.params().clone())),
            may_read: within(&domain, self.read),
            must_write: if self.is_sure { write.clone() } else { none },
            may_write: write,
            kill,
            order: Order::from_map(&map(self.schedule).intersect_domain(&executed), &b).unwrap(),
            domain,
        }
    }

    fn plain(&self) -> PlainDependences {
        plain(&self.fragment(), &budget()).unwrap()
    }

    fn live_ranges(&self) -> LiveRangeDependences {
        live_ranges(&self.fragment(), &budget()).unwrap()
    }

    /// A relation between instances "modulo domain constraints".
    fn check(&self, what: &str, found: &UnionMap, expected: &str) {
        let b = budget();
        let domain: UnionSet = self.domain.parse().unwrap();
        let expected = map(expected).intersect_domain(&domain).intersect_range(&domain);
        assert!(found.is_equal(&expected, &b).unwrap(), "{what}: {found}");
    }

    /// An access relation "modulo domain constraints".
    fn check_accesses(&self, what: &str, found: &UnionMap, expected: &str) {
        let domain: UnionSet = self.domain.parse().unwrap();
        let expected = map(expected).intersect_domain(&domain);
        assert!(found.is_equal(&expected, &budget()).unwrap(), "{what}: {found}");
    }

    /// Whether the members of a schedule are permutable by the definition: validity constraints have no negative distance
    /// in any of them, nor have conditioned ones with an adjacent condition that is not local.
    fn is_permutable(&self, schedule: &str) -> bool {
        let b = budget();
        let fragment = self.fragment();
        let constraints = self.live_ranges().constraints(&fragment, &b).unwrap();
        let schedule = map(schedule);
        let is_local = |pairs: &UnionMap| {
            let times = pairs
                .apply_domain(&schedule, &b)
                .unwrap()
                .apply_range(&schedule, &b)
                .unwrap();
            times
                .deltas(&b)
                .unwrap()
                .is_subset(&"{ [0, 0]; [0, 0, 0] }".parse().unwrap(), &b)
                .unwrap()
        };
        let mut non_local = UnionMap::empty(fragment.domain.params().clone());
        for part in constraints.condition.maps() {
            // Each condition here is local for all of its instances, or counts as a whole.
            if !is_local(&part.factor_domain(&b).unwrap().into()) {
                non_local.add(part);
            }
        }
        let order = &constraints.conditional_validity;
        let adjacent = order
            .intersect_domain(&non_local.range(&b).unwrap())
            .union(&order.intersect_range(&non_local.domain(&b).unwrap()));
        let mut kept = constraints.validity.clone();
        adjacent
            .maps()
            .for_each(|part| kept.add(&part.factor_domain(&b).unwrap()));
        is_forward(&kept, &schedule)
    }

    /// Whether flow and false dependences have no negative distance in any member.
    fn is_plainly_permutable(&self, schedule: &str) -> bool {
        let found = self.plain();
        is_forward(&found.flows.flow.union(&found.false_dependences), &map(schedule))
    }
}

fn is_forward(pairs: &UnionMap, schedule: &UnionMap) -> bool {
    let b = budget();
    let times = pairs
        .apply_domain(schedule, &b)
        .unwrap()
        .apply_range(schedule, &b)
        .unwrap();
    let forward = "{ [x, y] : x >= 0 and y >= 0; [x, y, z] : x >= 0 and y >= 0 and z >= 0 }";
    times
        .deltas(&b)
        .unwrap()
        .is_subset(&forward.parse().unwrap(), &b)
        .unwrap()
}

/// `A: a = f1(); B: f2(a); C: a = f3(); D: f4(a);`
const P0_LISTING_2: Source = Source {
    domain: "{ A[]; B[]; C[]; D[] }",
    read: "{ [B[] -> R1[]] -> a[]; [D[] -> R3[]] -> a[] }",
    write: "{ [A[] -> R0[]] -> a[]; [C[] -> R2[]] -> a[] }",
    is_sure: true,
    kill: "{ }",
    schedule: "{ A[] -> [0]; B[] -> [1]; C[] -> [2]; D[] -> [3]; K[] -> [4] }",
};

#[test]
fn p0_listing_2_equations_1_and_2() {
    let found = P0_LISTING_2.plain();
    P0_LISTING_2.check("flow (1)", &found.flows.flow, "{ A[] -> B[]; C[] -> D[] }");
    P0_LISTING_2.check("false (2)", &found.false_dependences, "{ A[] -> C[]; B[] -> C[] }");
}

#[test]
fn p0_section_3_2_2_live_ranges_may_change_places() {
    let with_kill = Source {
        kill: "{ [K[] -> R4[]] -> a[] }",
        ..P0_LISTING_2
    };
    let found = with_kill.live_ranges();
    with_kill.check("forced", &found.forced, "{ }");
    let order = map("{ [B[] -> R1[]] -> [C[] -> R2[]] }");
    assert!(
        found.tagged_order.is_equal(&order, &budget()).unwrap(),
        "{}",
        found.tagged_order
    );
    let swapped = "{ A[] -> [1, 0]; B[] -> [1, 0]; C[] -> [0, 0]; D[] -> [0, 0] }";
    assert!(with_kill.is_permutable(swapped));
    assert!(!with_kill.is_plainly_permutable(swapped));
    // Without a kill, the last write has to stay the last.
    P0_LISTING_2.check("forced", &P0_LISTING_2.live_ranges().forced, "{ A[] -> C[] }");
    assert!(!P0_LISTING_2.is_permutable(swapped));
    // C and D are apart, and then B has to stay before C.
    assert!(!with_kill.is_permutable("{ A[] -> [1, 0]; B[] -> [1, 0]; C[] -> [0, 0]; D[] -> [1, 0] }"));
}

/// `for (i) { S: t = A[i]; T: B[i] = t; }`
const P0_LISTING_3: Source = Source {
    domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }",
    read: "{ [S[i] -> R1[]] -> A[i]; [T[i] -> R3[]] -> t[] }",
    write: "{ [S[i] -> R0[]] -> t[]; [T[i] -> R2[]] -> B[i] }",
    is_sure: true,
    kill: "{ }",
    schedule: "{ S[i] -> [0, i, 0]; T[i] -> [0, i, 1]; K[] -> [1, 0, 0] }",
};

#[test]
fn p0_example_1_without_a_kill_the_last_write_remains_last() {
    let found = P0_LISTING_3.live_ranges();
    let live_out = "[n] -> { S[n - 1] -> t[]; T[i] -> B[i] }";
    P0_LISTING_3.check_accesses("live-out", &found.flows.may_live_out, live_out);
    P0_LISTING_3.check("forced", &found.forced, "[n] -> { S[i] -> S[n - 1] : i < n - 1 }");
}

#[test]
fn p0_examples_1_and_2_a_kill_at_the_end() {
    let with_kill = Source {
        kill: "{ [K[] -> R4[]] -> t[] }",
        ..P0_LISTING_3
    };
    let found = with_kill.live_ranges();
    with_kill.check_accesses("live-out", &found.flows.may_live_out, "{ T[i] -> B[i] }");
    with_kill.check("forced", &found.forced, "{ }");
    assert!(with_kill.is_permutable("{ S[i] -> [-i, 0]; T[i] -> [-i, 0] }"));
    assert!(!P0_LISTING_3.is_permutable("{ S[i] -> [-i, 0]; T[i] -> [-i, 0] }"));
}

/// Matrix multiplication, P0 listing 4: `for (i, j) { S1: C[i][j] = 0; for (k) S2: C[i][j] += A[i][k] * B[k][j]; }`.
const P0_LISTING_4: Source = Source {
    domain: "[M, N, K] -> { S1[i, j] : 0 <= i < M and 0 <= j < N; S2[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }",
    read: "{ [S2[i, j, k] -> R1[]] -> C[i, j]; [S2[i, j, k] -> R2[]] -> A[i, k]; [S2[i, j, k] -> R3[]] -> B[k, j] }",
    write: "{ [S1[i, j] -> R0[]] -> C[i, j]; [S2[i, j, k] -> R1[]] -> C[i, j] }",
    is_sure: true,
    kill: "{ }",
    schedule: "{ S1[i, j] -> [i, j, 0, 0]; S2[i, j, k] -> [i, j, 1, k] }",
};

#[test]
fn p0_example_3_the_tree_of_figure_5_is_the_original_order() {
    let tree: Tree = r#"
domain: "[M, N, K] -> { S1[i, j] : 0 <= i < M and 0 <= j < N; S2[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }"
child:
  schedule: "[{ S1[i, j] -> [i]; S2[i, j, k] -> [i] }]"
  child:
    schedule: "[{ S1[i, j] -> [j]; S2[i, j, k] -> [j] }]"
    child:
      sequence:
      - filter: "{ S1[i, j] }"
      - filter: "{ S2[i, j, k] }"
        child:
          schedule: "[{ S2[i, j, k] -> [k] }]"
"#
    .parse()
    .unwrap();
    let fragment = Fragment {
        order: Order::from_tree(&tree, &budget()).unwrap(),
        ..P0_LISTING_4.fragment()
    };
    let found = plain(&fragment, &budget()).unwrap();
    let flow = "{ S1[i, j] -> S2[i, j, 0]; S2[i, j, k] -> S2[i, j, k + 1] }";
    P0_LISTING_4.check("flow", &found.flows.flow, flow);
    P0_LISTING_4.check("flow", &P0_LISTING_4.plain().flows.flow, flow);
    P0_LISTING_4.check("false", &found.false_dependences, flow);
}

#[test]
fn p0_examples_4_and_6_no_flow_out_of_a_and_b_or_into_c() {
    let found = P0_LISTING_4.plain();
    let live_in = "{ S2[i, j, k] -> A[i, k]; S2[i, j, k] -> B[k, j] }";
    P0_LISTING_4.check_accesses("live-in", &found.flows.may_live_in, live_in);
    let live_out = "[K] -> { S1[i, j] -> C[i, j] : K <= 0; S2[i, j, K - 1] -> C[i, j] }";
    P0_LISTING_4.check_accesses("live-out", &found.flows.may_live_out, live_out);
}

#[test]
fn p0_example_5_the_references_to_a_of_syrk_are_live_in() {
    let syrk = Source {
        domain: "[N, M] -> { S0[i, j] : 0 <= j <= i < N; S1[i, k, j] : 0 <= j <= i < N and 0 <= k < M }",
        read: "{ [S0[i, j] -> R0[]] -> C[i, j]; [S1[i, k, j] -> R1[]] -> C[i, j]; [S1[i, k, j] -> R2[]] -> A[i, k];
                 [S1[i, k, j] -> R3[]] -> A[j, k] }",
        write: "{ [S0[i, j] -> R0[]] -> C[i, j]; [S1[i, k, j] -> R1[]] -> C[i, j] }",
        is_sure: true,
        kill: "{ }",
        schedule: "{ S0[i, j] -> [i, 0, j, 0]; S1[i, k, j] -> [i, 1, k, j] }",
    };
    let found = syrk.plain();
    let tagged = within(
        &syrk.domain.parse().unwrap(),
        "{ [S0[i, j] -> R0[]] -> [S1[i, 0, j] -> R1[]]; [S1[i, k, j] -> R1[]] -> [S1[i, k + 1, j] -> R1[]] }",
    );
    let sinks = found.flows.tagged_flow.range(&budget()).unwrap();
    assert!(
        found
            .flows
            .tagged_flow
            .is_equal(&tagged.intersect_range(&sinks), &budget())
            .unwrap()
    );
    syrk.check(
        "flow",
        &found.flows.flow,
        "{ S0[i, j] -> S1[i, 0, j]; S1[i, k, j] -> S1[i, k + 1, j] }",
    );
    let live_in = "{ S0[i, j] -> C[i, j]; S1[i, k, j] -> A[i, k]; S1[i, k, j] -> A[j, k] }";
    syrk.check_accesses("live-in", &found.flows.may_live_in, live_in);
}

/// P0 listing 10: `__pencil_kill(A); for (i) if (B[i] > 0) S: A[i] = B[i];`.
const P0_LISTING_10: Source = Source {
    domain: "[n] -> { S[i] : 0 <= i < n }",
    read: "{ [S[i] -> R1[]] -> B[i] }",
    write: "{ [S[i] -> R0[]] -> A[i] }",
    is_sure: false,
    kill: "[n] -> { [K[] -> R2[]] -> A[a] : 0 <= a < n }",
    schedule: "{ K[] -> [0, 0]; S[i] -> [1, i] }",
};

#[test]
fn p0_example_7_what_is_killed_and_then_maybe_written() {
    let b = budget();
    let found = P0_LISTING_10.plain();
    P0_LISTING_10.check_accesses("live-in", &found.flows.may_live_in, "{ S[i] -> B[i] }");
    P0_LISTING_10.check_accesses("live-out", &found.flows.may_live_out, "{ S[i] -> A[i] }");
    // What a read of A after the fragment sees: with the kill, nothing from before the fragment.
    let reader = |kill: &str| {
        let source = Source {
            domain: "[n] -> { S[i] : 0 <= i < n; R[i] : 0 <= i < n }",
            read: "{ [R[i] -> R3[]] -> A[i] }",
            schedule: "{ K[] -> [0, 0]; S[i] -> [1, i]; R[i] -> [2, i] }",
            kill: if kill.is_empty() { "{ }" } else { P0_LISTING_10.kill },
            ..P0_LISTING_10
        };
        source.plain().flows.may_live_in
    };
    assert!(reader("A").is_empty(&b).unwrap());
    let persistent = map("[n] -> { R[i] -> A[i] : 0 <= i < n }");
    assert!(reader("").is_equal(&persistent, &b).unwrap());
}

/// Statements `S1` to `S4` of P4's listing 1. `K0` and `K1` are where `t` is declared, and where its scope ends.
const P4_LISTING_1: Source = Source {
    domain: "[n] -> { S1[i, j] : 0 <= i < n and 0 <= j < n; S2[i, j] : 0 <= i < n and 0 <= j < n;
                      S3[i, j] : 0 <= i < n and 0 <= j < n; S4[i, j] : 0 <= i < n and 0 <= j < n }",
    read: "{ [S1[i, j] -> R1[]] -> A[i, j]; [S2[i, j] -> R3[]] -> t[i + j]; [S3[i, j] -> R5[]] -> B[i, j];
             [S4[i, j] -> R6[]] -> C[j, i]; [S4[i, j] -> R7[]] -> t[i + j] }",
    write: "{ [S1[i, j] -> R0[]] -> t[i + j]; [S2[i, j] -> R2[]] -> C[i, j]; [S3[i, j] -> R4[]] -> t[i + j];
              [S4[i, j] -> R6[]] -> C[j, i] }",
    is_sure: true,
    kill: "{ }",
    schedule: "{ K0[] -> [0, 0, 0, 0]; S1[i, j] -> [1, i, j, 0]; S2[i, j] -> [1, i, j, 1]; S3[i, j] -> [2, i, j, 0];
                 S4[i, j] -> [2, i, j, 1]; K1[] -> [3, 0, 0, 0] }",
};

/// The entire body of the function.
fn p4_listing_1_whole() -> Source {
    Source {
        kill: "[n] -> { [K0[] -> R8[]] -> t[a] : 0 <= a < 2n - 1; [K1[] -> R9[]] -> t[a] : 0 <= a < 2n - 1 }",
        ..P4_LISTING_1
    }
}

#[test]
fn p4_section_2_3_equations_5_to_8() {
    let found = P4_LISTING_1.plain();
    let flow = "{ S1[i, j] -> S2[i, j]; S3[i, j] -> S4[i, j]; S2[i, j] -> S4[j, i] }";
    P4_LISTING_1.check("flow (5)", &found.flows.flow, flow);
    let live_in = "{ S1[i, j] -> A[i, j]; S3[i, j] -> B[i, j] }";
    P4_LISTING_1.check_accesses("live-in (6)", &found.flows.may_live_in, live_in);
    let anti = "S2[i, 0] -> S3[0, i]; S2[n - 1, j] -> S3[j, n - 1]; S2[i, j] -> S1[i + 1, j - 1];
                S4[i, j] -> S3[i + 1, j - 1]";
    let output = "S2[i, j] -> S4[j, i]; S1[i, 0] -> S3[0, i]; S1[n - 1, j] -> S3[j, n - 1];
                  S1[i, j] -> S1[i + 1, j - 1]; S3[i, j] -> S3[i + 1, j - 1]";
    let all = format!("[n] -> {{ {anti}; {output} }}");
    P4_LISTING_1.check("false (7) and (8)", &found.false_dependences, &all);
}

#[test]
fn p4_section_2_3_equation_9_live_out() {
    let found = P4_LISTING_1.plain();
    let live_out = "[n] -> { S4[i, j] -> C[j, i]; S3[i, 0] -> t[i]; S3[n - 1, j] -> t[n - 1 + j] }";
    P4_LISTING_1.check_accesses("live-out (9)", &found.flows.may_live_out, live_out);
    let whole = p4_listing_1_whole().plain();
    P4_LISTING_1.check_accesses(
        "live-out with kills",
        &whole.flows.may_live_out,
        "{ S4[i, j] -> C[j, i] }",
    );
    assert!(whole.flows.flow.is_equal(&found.flows.flow, &budget()).unwrap());
}

#[test]
fn p4_section_2_5_equations_10_and_11() {
    let found = P4_LISTING_1.live_ranges();
    let order = "{ S2[i, j] -> S1[x, y] : i + j = x + y and x > i; S2[i, j] -> S3[x, y] : i + j = x + y;
                   S4[i, j] -> S3[x, y] : i + j = x + y and x > i }";
    P4_LISTING_1.check("order (10)", &found.array_order, order);
    let forced = "[n] -> { S2[i, j] -> S4[j, i]; S1[i, j] -> S3[i + j, 0]; S1[i, j] -> S3[n - 1, i + j - n + 1];
                           S3[i, j] -> S3[i + j, 0] : j > 0; S3[i, j] -> S3[n - 1, i + j - n + 1] : i < n - 1 }";
    P4_LISTING_1.check("forced (11)", &found.forced, forced);
    let whole = p4_listing_1_whole().live_ranges();
    P4_LISTING_1.check("forced with kills", &whole.forced, "{ S2[i, j] -> S4[j, i] }");
}

#[test]
fn p4_section_3_1_an_order_dependence_is_adjacent_to_live_ranges_on_the_same_element() {
    let b = budget();
    let found = P4_LISTING_1.live_ranges();
    let order = map("[n] -> { [S4[0, 1] -> R7[]] -> [S3[1, 0] -> R4[]] : n >= 2 }");
    assert!(order.is_subset(&found.tagged_order, &b).unwrap());
    let flow = &found.flows.tagged_flow;
    let adjacent = flow
        .intersect_range(&order.domain(&b).unwrap())
        .union(&flow.intersect_domain(&order.range(&b).unwrap()));
    let on_t = map(
        "[n] -> { [S3[0, 1] -> R4[]] -> [S4[0, 1] -> R7[]] : n >= 2; [S3[1, 0] -> R4[]] -> [S4[1, 0] -> R7[]] : n >= 2 }",
    );
    assert!(adjacent.is_equal(&on_t, &b).unwrap(), "{adjacent}");
    let on_c = map("[n] -> { [S2[1, 0] -> R2[]] -> [S4[0, 1] -> R6[]] : n >= 2 }");
    assert!(on_c.is_subset(flow, &b).unwrap());
}

#[test]
fn p4_section_4_1_schedules_12_and_13() {
    let fused = "{ S1[i, j] -> [j, i]; S2[i, j] -> [j, i]; S3[i, j] -> [i, j]; S4[i, j] -> [i, j] }";
    let skewed = "{ S1[i, j] -> [j, i + j]; S2[i, j] -> [j, i + j]; S3[i, j] -> [i, i + j]; S4[i, j] -> [i, i + j] }";
    assert!(p4_listing_1_whole().is_permutable(fused));
    assert!(!P4_LISTING_1.is_permutable(fused));
    assert!(P4_LISTING_1.is_permutable(skewed));
    assert!(!p4_listing_1_whole().is_plainly_permutable(fused));
    assert!(!p4_listing_1_whole().is_plainly_permutable(skewed));
    // (14) and (15), found with the false dependences.
    for plain in [
        "[n] -> { S1[i, j] -> [i + j, i]; S2[i, j] -> [i + j, i]; S3[i, j] -> [i + j, i + n]; S4[i, j] -> [i + j, i + n] }",
        "{ S1[i, j] -> [i + j, -j]; S2[i, j] -> [i + j, -j]; S3[i, j] -> [i + j, i]; S4[i, j] -> [i + j, i] }",
    ] {
        assert!(p4_listing_1_whole().is_plainly_permutable(plain), "{plain}");
    }
}

#[test]
fn p4_section_4_1_with_a_scalar() {
    let scalar = Source {
        read: "{ [S1[i, j] -> R1[]] -> A[i, j]; [S2[i, j] -> R3[]] -> t[]; [S3[i, j] -> R5[]] -> B[i, j];
                 [S4[i, j] -> R6[]] -> C[j, i]; [S4[i, j] -> R7[]] -> t[] }",
        write: "{ [S1[i, j] -> R0[]] -> t[]; [S2[i, j] -> R2[]] -> C[i, j]; [S3[i, j] -> R4[]] -> t[];
                  [S4[i, j] -> R6[]] -> C[j, i] }",
        ..P4_LISTING_1
    };
    let fused = "{ S1[i, j] -> [j, i]; S2[i, j] -> [j, i]; S3[i, j] -> [i, j]; S4[i, j] -> [i, j] }";
    // With and without the kills: the last S3 is the last one of the fused loops, too.
    assert!(scalar.is_permutable(fused));
    let killed = Source {
        kill: "{ [K1[] -> R9[]] -> t[] }",
        ..scalar
    };
    assert!(killed.is_permutable(fused));
    assert!(!killed.is_plainly_permutable(fused));
    // Order dependences of scalars do not stand against coincidence.
    killed.check("order of arrays", &killed.live_ranges().array_order, "{ }");
    P4_LISTING_1.check("forced", &killed.live_ranges().forced, "{ S2[i, j] -> S4[j, i] }");
}

/// P4 listing 3, from Mehta's thesis.
const P4_LISTING_3: Source = Source {
    domain: "[Nx, Ny, Nz] -> { S1[i, j, k] : 0 <= i < Nx and 0 <= j < Ny and 1 <= k < Nz;
             S2[i, j, k] : 0 <= i < Nx and 0 <= j < Ny and 1 <= k < Nz;
             S3[i, j, k] : 0 <= i < Nx and 0 <= j < Ny and 1 <= k < Nz;
             S4[i, j, k] : 0 <= i < Nx and 0 <= j < Ny and 0 <= k < Nz - 1;
             S5[i, j, k] : 0 <= i < Nx and 0 <= j < Ny and 0 <= k < Nz - 1 }",
    read:
        "{ [S1[i, j, k] -> R1[]] -> a[i, j, k]; [S2[i, j, k] -> R3[]] -> a[i, j, k - 1]; [S3[i, j, k] -> R5[]] -> a0[];
             [S3[i, j, k] -> R6[]] -> am1[]; [S4[i, j, k] -> R8[]] -> a[i, j, k]; [S5[i, j, k] -> R10[]] -> a0[];
             [S5[i, j, k] -> R11[]] -> x[i, j, k + 1]; [S5[i, j, k] -> R12[]] -> x[i, j, k] }",
    write: "{ [S1[i, j, k] -> R0[]] -> a0[]; [S2[i, j, k] -> R2[]] -> am1[]; [S3[i, j, k] -> R4[]] -> x[i, j, k];
              [S4[i, j, k] -> R7[]] -> a0[]; [S5[i, j, k] -> R9[]] -> rho[i, j, k] }",
    is_sure: true,
    kill: "{ [K[] -> R13[]] -> a0[]; [K[] -> R13[]] -> am1[] }",
    schedule: "{ S1[i, j, k] -> [0, i, j, k, 0]; S2[i, j, k] -> [0, i, j, k, 1]; S3[i, j, k] -> [0, i, j, k, 2];
                 S4[i, j, k] -> [1, i, j, k, 0]; S5[i, j, k] -> [1, i, j, k, 1]; K[] -> [2, 0, 0, 0, 0] }",
};

#[test]
fn p4_section_4_2_schedule_17() {
    let found = P4_LISTING_3.live_ranges();
    let flow = "{ S1[i, j, k] -> S3[i, j, k]; S2[i, j, k] -> S3[i, j, k]; S4[i, j, k] -> S5[i, j, k];
                  S3[i, j, k] -> S5[i, j, k]; S3[i, j, k] -> S5[i, j, k - 1] }";
    P4_LISTING_3.check("flow", &found.flows.flow, flow);
    P4_LISTING_3.check("forced", &found.forced, "{ }");
    let fused = "{ S1[i, j, k] -> [i, j, k]; S2[i, j, k] -> [i, j, k]; S3[i, j, k] -> [i, j, k];
                   S4[i, j, k] -> [i, j, k + 1]; S5[i, j, k] -> [i, j, k + 1] }";
    assert!(P4_LISTING_3.is_permutable(fused));
    assert!(!P4_LISTING_3.is_plainly_permutable(fused));
}

#[test]
fn p4_section_3_3_sources_with_the_same_sink_stay_in_order() {
    let either = Source {
        domain: "{ V[]; W[]; R[] }",
        read: "{ [R[] -> R2[]] -> a[] }",
        write: "{ [V[] -> R0[]] -> a[]; [W[] -> R1[]] -> a[] }",
        is_sure: false,
        kill: "{ [K[] -> R3[]] -> a[]; [L[] -> R4[]] -> a[] }",
        schedule: "{ K[] -> [0]; V[] -> [1]; W[] -> [2]; R[] -> [3]; L[] -> [4] }",
    };
    let found = either.live_ranges();
    either.check("flow", &found.flows.flow, "{ V[] -> R[]; W[] -> R[] }");
    either.check("forced", &found.forced, "{ V[] -> W[] }");
    either.check("order", &found.array_order, "{ }");
    assert!(found.tagged_order.is_empty(&budget()).unwrap());
}

#[test]
fn p0_section_3_2_5_a_write_that_is_never_read_is_a_live_range_of_its_own() {
    let lone = Source {
        domain: "{ V[]; W[]; R[] }",
        read: "{ [R[] -> R2[]] -> a[] }",
        write: "{ [V[] -> R0[]] -> a[]; [W[] -> R1[]] -> a[] }",
        is_sure: true,
        kill: "{ [L[] -> R4[]] -> a[] }",
        schedule: "{ V[] -> [1]; W[] -> [2]; R[] -> [3]; L[] -> [4] }",
    };
    let order = map("{ [V[] -> R0[]] -> [W[] -> R1[]] }");
    let found = lone.live_ranges();
    assert!(found.tagged_order.is_equal(&order, &budget()).unwrap());
    lone.check("forced", &found.forced, "{ }");
}

#[test]
fn p0_section_3_1_exact_dataflow_analysis() {
    let text = "sink: \"[n] -> { R[i] -> a[i] : 0 <= i < n }\"\nmust_source: \"[n] -> { W[i, j] -> a[i + j] : 0 <= i < n and 0 <= j < n }\"\nschedule_map: \"[n] -> { W[i, j] -> [0, i, j]; R[i] -> [1, i, 0] }\"\n";
    let b = budget();
    let flow = AccessInfo::parse(text, &b).unwrap().flow(&b).unwrap();
    let last = map("[n] -> { W[i, 0] -> R[i] : 0 <= i < n }");
    assert!(flow.must(&b).unwrap().is_equal(&last, &b).unwrap());
    assert!(flow.may(&b).unwrap().is_equal(&last, &b).unwrap());
}

/// The bands of the schedule of a fragment with live-range reordering.
fn check_bands(source: &Source, expected: &Expect) {
    let b = budget();
    let constraints = source.live_ranges().constraints(&source.fragment(), &b).unwrap();
    let options = Options {
        fusion: Fusion::Max,
        ..Options::default()
    };
    let tree = schedule::schedule(&constraints, &options, &b).unwrap().to_string();
    let bands = tree.lines().filter(|line| line.trim_start().starts_with("schedule:"));
    let bands: Vec<&str> = bands.map(str::trim).collect();
    expected.assert_eq(&bands.join("\n"));
}

/// One band for all statements as (12), with flow distances of zero. The order dependences of the array `t`, which count for
/// coincidence, have the same `i + j` at both ends.
#[test]
fn p4_section_4_1_a_band_as_12_from_the_derived_constraints() {
    check_bands(
        &p4_listing_1_whole(),
        &expect![[
            r#"schedule: "[n] -> [{ S1[i, j] -> [(i + j)]; S2[i, j] -> [(i + j)]; S3[i, j] -> [(i + j)]; S4[i, j] -> [(i + j)] }, { S1[i, j] -> [(i)]; S2[i, j] -> [(i)]; S3[i, j] -> [(j)]; S4[i, j] -> [(j)] }]""#
        ]],
    );
}

#[test]
fn p4_section_4_2_schedule_17_from_the_derived_constraints() {
    check_bands(
        &P4_LISTING_3,
        &expect![[
            r#"schedule: "[Nx, Ny, Nz] -> [{ S1[i, j, k] -> [(i)]; S2[i, j, k] -> [(i)]; S3[i, j, k] -> [(i)]; S4[i, j, k] -> [(i)]; S5[i, j, k] -> [(i)] }, { S1[i, j, k] -> [(j)]; S2[i, j, k] -> [(j)]; S3[i, j, k] -> [(j)]; S4[i, j, k] -> [(j)]; S5[i, j, k] -> [(j)] }, { S1[i, j, k] -> [(k)]; S2[i, j, k] -> [(k)]; S3[i, j, k] -> [(k)]; S4[i, j, k] -> [(1 + k)]; S5[i, j, k] -> [(1 + k)] }]""#
        ]],
    );
}
