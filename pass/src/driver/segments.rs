//! Regions of several segments: each has to gain by itself, and is tried alone if the region is not replaced.

use crate::detect::declined::Modelled;
use crate::detect::fragment::Fragment;
use crate::detect::regions::{Fit, Segment};
use crate::pipeline::{self, Kept};
use farkas_report::Record;

use super::findings::{Cause, Standing};
use super::{Decision, RegionKind, RegionSearch, loops_of};

impl<'w> RegionSearch<'w, '_> {
    /// Replaces a region of several loops, or with more than a loop, if it has a model and that is worth it; otherwise
    /// sees to it that its fragments will be tried.
    pub(super) fn several(&mut self, segments: &[Segment<'w>], outer: Option<&Cause>) -> bool {
        let fragments: Vec<Fragment<'w>> = segments
            .iter()
            .flat_map(|segment| segment.fragments.iter().copied())
            .collect();
        let is_by_hand = self.file_by_hand(&loops_of(&fragments)).is_some();
        let is_in_parts = || {
            let annotations = self.annotations;
            annotations.ask_for_single_nests(self.run, &fragments) || segments.iter().any(|own| self.is_by_hand(own))
        };
        if !is_by_hand && segments.len() > 1 && is_in_parts() {
            self.take_apart(segments);
            return false;
        }
        if !self.options.model_only && !is_by_hand && !self.each_gains(segments, outer) {
            return false;
        }
        let stop = match self.decide(&fragments, RegionKind::Segments(segments)) {
            Decision::Replaced => return true,
            Decision::Settled => {
                let loops = fragments.into_iter().filter(|f| matches!(f, Fragment::Loop(_)));
                loops.for_each(|l| self.set(l, Standing::Kept));
                return false;
            }
            Decision::BySegment => {
                self.take_apart(segments);
                return false;
            }
            Decision::Kept(reason) => {
                log::debug!("{fragments:?} kept: {reason}");
                self.take_apart(segments);
                return false;
            }
            Decision::NoModel(stop) => stop,
        };
        log::debug!("{fragments:?} declined: {stop:?}");
        let of = |at| {
            segments
                .iter()
                .position(|segment| segment.fragments.iter().any(|fragment| fragment.contains(at)))
        };
        match stop.cause().filter(|at| at.is_instruction()).and_then(of) {
            None => self.take_apart(segments),
            Some(0) => self.take_apart(&segments[..1]),
            Some(position) => {
                let segment = &segments[position];
                let fit = if segment.has_loops { Fit::Begins } else { Fit::Never };
                self.set(segment.fragments[0], Standing::Fit(fit));
            }
        }
        false
    }

    /// Whether each segment would be transformed by itself; sees to it that others will be in no region with what is
    /// around them. What gains nothing must not be rewritten for the gain of another: LLVM does better with the
    /// original.
    fn each_gains(&mut self, segments: &[Segment<'w>], outer: Option<&Cause>) -> bool {
        if segments.len() < 2 {
            return true;
        }
        let mut all = true;
        for segment in segments.iter().filter(|segment| segment.has_loops) {
            let standing = match (&segment.fragments[..], self.gains(segment)) {
                (_, Ok(Ok(()))) => continue,
                // By itself the loop has no other model.
                ([Fragment::Loop(l)], Err(stop)) => self.declined(*l, &stop, outer),
                ([Fragment::Loop(l), ..], Ok(Err(kept))) => self.kept(*l, &kept),
                ([Fragment::Loop(_), ..], Err(_)) => Standing::Fit(Fit::Alone),
                _ => Standing::Fit(Fit::Never),
            };
            self.set(segment.fragments[0], standing);
            all = false;
        }
        all
    }

    /// Whether a segment has an order by itself that is expected to gain, which is kept then.
    fn gains(&mut self, segment: &Segment<'w>) -> Modelled<'w, Result<(), Kept>> {
        if self.findings.has_order(self.run, segment) {
            return Ok(Ok(()));
        }
        self.kept = None;
        self.is_vague = false;
        let (scop, _hoisted) = match self.model(&segment.fragments)? {
            Ok(model) => model,
            Err(kept) => return Ok(Err(kept)),
        };
        self.is_vague = self.is_vague(&scop);
        let options = self.options_of(&scop);
        let work = pipeline::work(&options, &scop);
        Ok(match pipeline::find_order(&options, self.run, &scop, work) {
            Ok(order) => {
                self.findings.keep_order(self.run, segment, &scop.program, order);
                Ok(())
            }
            Err((kept, stages)) => {
                self.print(&scop);
                let record = Record::default();
                stages.print(&record);
                self.export(&scop, None);
                self.note_kept(&scop, &kept, record);
                Err(kept)
            }
        })
    }

    /// Makes each segment a candidate of its own; a single segment is searched inside.
    pub(super) fn take_apart(&mut self, segments: &[Segment<'w>]) {
        for segment in segments.iter().filter(|segment| segment.has_loops) {
            let first = segment.fragments[0];
            let alone = self.findings.standing(self.run, first) == Some(&Standing::Fit(Fit::Alone));
            let fit = match first {
                Fragment::Branch(_) if alone || segments.len() == 1 => Fit::Never,
                _ => Fit::Alone,
            };
            self.set(first, Standing::Fit(fit));
        }
    }
}
