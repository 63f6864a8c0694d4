//! The loops in which an expression varies, and its steps: `a[i * n + j]` goes on by `8 * n` with `i` and by 8 with `j`.

use farkas_llvm::Run;
use farkas_llvm::loops::Loop;
use farkas_llvm::scev::{Scev, ScevKind};
use indexmap::{IndexMap, IndexSet};
use std::iter;

/// How an expression varies from iteration to iteration of loops.
#[derive(Debug)]
pub(crate) struct Strides<'a> {
    /// The step in each loop in which the expression varies, if there is one.
    steps: IndexMap<Loop<'a>, Option<Scev<'a>>>,
}

impl<'a> Strides<'a> {
    /// The strides of an expression, as far as its terms show: values that are not looked into vary in all loops that they are computed in.
    pub(crate) fn of(run: &'a Run<'_>, scev: Scev<'a>) -> Self {
        let mut steps: IndexMap<Loop<'a>, Option<Scev<'a>>> = IndexMap::new();
        let (mut open, mut seen) = (vec![scev], IndexSet::new());
        while let Some(scev) = open.pop() {
            if !seen.insert(scev) {
                continue;
            }
            match scev.kind() {
                ScevKind::AddRec(l, parts, _) => {
                    let step = match (&parts[..], steps.contains_key(&l)) {
                        ([_, step], false) => Some(*step),
                        _ => None,
                    };
                    steps.insert(l, step);
                    open.extend(parts);
                }
                ScevKind::Add(parts, _) | ScevKind::Mul(parts, _) => open.extend(parts),
                ScevKind::UMax(parts)
                | ScevKind::SMax(parts)
                | ScevKind::UMin(parts)
                | ScevKind::SMin(parts)
                | ScevKind::SequentialUMin(parts) => open.extend(parts),
                ScevKind::Truncate(part) | ScevKind::ZeroExtend(part) | ScevKind::SignExtend(part) => open.push(part),
                ScevKind::UDiv(one, other) => open.extend([one, other]),
                ScevKind::Unknown(value) if value.is_instruction() => {
                    let around = iter::successors(run.loop_of(value.block()), |l| l.parent());
                    steps.extend(around.map(|l| (l, None)));
                }
                _ => {}
            }
        }
        Strides { steps }
    }

    /// The loops in which the expression varies.
    pub(crate) fn loops(&self) -> impl Iterator<Item = Loop<'a>> {
        self.steps.keys().copied()
    }

    /// Whether the expression varies in a loop.
    pub(crate) fn varies_in(&self, l: Loop<'a>) -> bool {
        self.steps.contains_key(&l)
    }

    /// The number of steps that differ: `y[i]` has one in a loop of `i` from `j + 1` on, though it varies with `j`, too.
    pub(crate) fn n_steps(&self) -> usize {
        let known: IndexSet<Scev<'a>> = self.steps.values().flatten().copied().collect();
        known.len() + self.steps.values().filter(|step| step.is_none()).count()
    }

    /// Whether all steps are the same, and no number: `y[i * increment]`.
    pub(crate) fn has_increment(&self) -> bool {
        let is_number = |step: &Scev<'a>| matches!(step.kind(), ScevKind::Constant(_));
        self.n_steps() == 1 && !self.steps.values().flatten().any(is_number)
    }
}
