//! Simulation of loops that run on threads: how evenly teams of any size share the work of a plan, without a machine that has as
//! many cores.
//!
//! The loops of a plan are walked through for given sizes. The work of an iteration is the number of statement instances in it. What
//! is dealt out statically or cyclically is summed up for each thread; of pipelines, each row begins on the thread that is free
//! first, and waits in its steps as the emitted code does:
//!
//! ```text
//! 4 rows of 3 steps, 2 threads        thread 0   0 0 0 2 2 2
//!                                     thread 1     1 1 1 3 3 3      7 steps of 12: 1.17 times the mean
//! ```
//!
//! A fork, a wait, caches and bandwidth take no time here: what comes out is the best that a team can do.

use farkas_polyhedral::ast::rows::{is_rows, is_steps, is_uneven, may_fork};
use farkas_polyhedral::ast::{Ast, BrokenPromise, Condition, Expr, For, Node, Point, Upper};
use farkas_polyhedral::int::Int;
use farkas_polyhedral::tree::Mark;

/// With parts that go round, each thread gets about so many, as in emitted code.
const ROUNDS: u64 = 32;

/// What a team of threads does for some loops. Work is in statement instances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shares {
    /// How often a team is forked.
    pub forks: u64,
    /// Iterations of loops on threads: rows, where these overlap.
    pub iterations: u64,
    /// How often a row says how far it is.
    pub steps: u64,
    /// The work of one thread alone, while no team is there.
    pub alone: u64,
    /// The work of all threads of teams.
    pub shared: u64,
    /// For each size of a team, the time from forks to ends: the work of the busiest thread, with what it waits for.
    pub longest: Vec<u64>,
}

impl Shares {
    /// The time of teams over that of teams which share their work evenly and never wait.
    pub fn imbalance(&self, team: usize, threads: usize) -> f64 {
        (self.longest[team] * threads as u64) as f64 / self.shared.max(1) as f64
    }

    /// How many times as fast the team is as one thread.
    pub fn speed_up(&self, team: usize) -> f64 {
        (self.alone + self.shared) as f64 / (self.alone + self.longest[team]).max(1) as f64
    }

    /// Adds what another program does.
    pub fn add(&mut self, other: &Shares) {
        self.forks += other.forks;
        self.iterations += other.iterations;
        self.steps += other.steps;
        self.alone += other.alone;
        self.shared += other.shared;
        self.longest.resize(other.longest.len(), 0);
        self.longest
            .iter_mut()
            .zip(&other.longest)
            .for_each(|(own, more)| *own += more);
    }
}

/// Walks through the loops with these values of parameters, for each team of so many threads.
///
/// # Errors
///
/// If the loops are wrong.
pub fn simulate(ast: &Ast, params: &[Int], teams: &[usize]) -> Result<Shares, BrokenPromise> {
    let mut walk = Walk {
        ast,
        params,
        teams,
        iters: vec![Int::ZERO; ast.iterators.len()],
        is_marked: false,
        in_team: false,
        row: None,
        shares: Shares {
            longest: vec![0; teams.len()],
            ..Shares::default()
        },
    };
    let all = walk.node(&ast.root)?;
    walk.shares.alone = all - walk.shares.shared;
    Ok(walk.shares)
}

/// A piece of a row.
struct Piece {
    /// Begins when the row before has done this step, and all before it.
    waits: i64,
    work: u64,
    /// The last step that is done then.
    done: Option<i64>,
}

struct Walk<'a> {
    ast: &'a Ast,
    params: &'a [Int],
    teams: &'a [usize],
    iters: Vec<Int>,
    /// Whether the mark of a loop on threads is around, whose loop is still to come.
    is_marked: bool,
    in_team: bool,
    /// The pieces of the row at hand, where this is not in one of its steps.
    row: Option<Vec<Piece>>,
    shares: Shares,
}

impl Walk<'_> {
    fn point(&self) -> Point<'_> {
        Point {
            names: self.ast.names(),
            params: self.params,
            iters: &self.iters,
        }
    }

    fn value(&self, expr: &Expr) -> Result<i64, BrokenPromise> {
        let value = self.point().value(expr)?;
        Ok(value.to_i64().expect("a number of 64 bits"))
    }

    fn holds(&self, condition: &Condition) -> Result<bool, BrokenPromise> {
        self.point().holds(condition)
    }

    /// The first and the last value of a loop.
    fn bounds(&self, node: &For) -> Result<(i64, i64), BrokenPromise> {
        let Upper::AtMost(upper) = &node.upper else {
            panic!("a loop of a plan has one upper bound");
        };
        Ok((self.value(&node.lower)?, self.value(upper)?))
    }

    /// The work in a node.
    fn node(&mut self, node: &Node) -> Result<u64, BrokenPromise> {
        match node {
            Node::Block(nodes) => nodes.iter().try_fold(0, |sum, node| Ok(sum + self.node(node)?)),
            Node::For(node) => self.for_loop(node),
            Node::If {
                condition,
                then,
                otherwise,
            } => match (self.holds(condition)?, otherwise) {
                (true, _) => self.node(then),
                (false, Some(otherwise)) => self.node(otherwise),
                (false, None) => Ok(0),
            },
            Node::Call(_) => {
                self.waits_for_all(1);
                Ok(1)
            }
            Node::Mark { mark, body } => {
                let outer = self.is_marked;
                if let Mark::Parallel { .. } | Mark::Pipeline { .. } = mark {
                    self.is_marked = !self.in_team;
                }
                let work = self.node(body)?;
                self.is_marked = outer;
                Ok(work)
            }
        }
    }

    /// In a row, but in none of its steps, something waits for all of the row before.
    fn waits_for_all(&mut self, work: u64) {
        if let Some(row) = &mut self.row {
            row.push(Piece {
                waits: i64::MAX,
                work,
                done: None,
            });
        }
    }

    fn for_loop(&mut self, node: &For) -> Result<u64, BrokenPromise> {
        if self.is_marked && !self.in_team && may_fork(node) {
            return self.team(node);
        }
        let (lower, upper) = self.bounds(node)?;
        let step = node.step.to_i64().expect("a small step");
        if is_steps(node)
            && let Some(mut row) = self.row.take()
        {
            let mut all = 0;
            for value in lower..=upper {
                let work = self.iteration(node, value)?;
                all += work;
                let done = Some(value);
                row.push(Piece {
                    waits: value,
                    work,
                    done,
                });
            }
            self.row = Some(row);
            return Ok(all);
        }
        if let Some(calls) = calls_alone(&node.body) {
            let trips = if upper < lower { 0 } else { (upper - lower) / step + 1 };
            let work = trips as u64 * calls;
            self.waits_for_all(work);
            return Ok(work);
        }
        let mut work = 0;
        let mut value = lower;
        while value <= upper {
            work += self.iteration(node, value)?;
            value += step;
        }
        Ok(work)
    }

    fn iteration(&mut self, node: &For, value: i64) -> Result<u64, BrokenPromise> {
        self.iters[node.iter.0] = value.into();
        self.node(&node.body)
    }

    /// A loop that runs on threads.
    fn team(&mut self, node: &For) -> Result<u64, BrokenPromise> {
        let (lower, upper) = self.bounds(node)?;
        let step = node.step.to_i64().expect("a small step");
        self.in_team = true;
        let (mut works, mut rows) = (Vec::new(), Vec::new());
        let mut value = lower;
        while value <= upper {
            self.row = is_rows(node).then(Vec::new);
            works.push(self.iteration(node, value)?);
            rows.extend(self.row.take());
            value += step;
        }
        self.in_team = false;
        let work = works.iter().sum();
        if works.len() < 2 {
            return Ok(work);
        }
        self.shares.forks += 1;
        self.shares.iterations += works.len() as u64;
        self.shares.steps += rows.iter().flatten().filter(|piece| piece.done.is_some()).count() as u64;
        self.shares.shared += work;
        let is_cyclic = is_uneven(&node.body, node.iter);
        for (longest, threads) in self.shares.longest.iter_mut().zip(self.teams) {
            *longest += match is_rows(node) {
                true => overlapping(&rows, *threads),
                false => dealt(&works, *threads, is_cyclic),
            };
        }
        Ok(work)
    }
}

/// The calls of a node without loops and conditions.
fn calls_alone(node: &Node) -> Option<u64> {
    match node {
        Node::Block(nodes) => nodes.iter().map(calls_alone).sum(),
        Node::Call(_) => Some(1),
        Node::Mark { body, .. } => calls_alone(body),
        Node::For(_) | Node::If { .. } => None,
    }
}

/// The work of the busiest thread.
fn dealt(works: &[u64], threads: usize, is_cyclic: bool) -> u64 {
    let iterations = works.len() as u64;
    let mut own = vec![0; threads];
    if is_cyclic {
        let part = (iterations - 1) / (threads as u64 * ROUNDS) + 1;
        for (number, part) in works.chunks(part as usize).enumerate() {
            own[number % threads] += part.iter().sum::<u64>();
        }
    } else {
        let (part, more) = (works.len() / threads, works.len() % threads);
        let mut left = works;
        for (thread, own) in own.iter_mut().enumerate() {
            let (part, others) = left.split_at(part + usize::from(thread < more));
            *own = part.iter().sum();
            left = others;
        }
    }
    own.into_iter().max().unwrap_or(0)
}

/// The time until all rows have ended.
fn overlapping(rows: &[Vec<Piece>], threads: usize) -> u64 {
    let mut free = vec![0; threads];
    // How far the row before is from when on, and when it has ended.
    let mut before: (Vec<(i64, u64)>, u64) = (Vec::new(), 0);
    for row in rows {
        let thread = (0..threads).min_by_key(|thread| free[*thread]).expect("a thread");
        let mut now: u64 = free[thread];
        let mut done = Vec::new();
        for piece in row {
            let at = before.0.partition_point(|(step, _)| *step < piece.waits);
            now = now.max(before.0.get(at).map_or(before.1, |(_, time)| *time)) + piece.work;
            done.extend(piece.done.map(|step| (step, now)));
        }
        now = now.max(before.1);
        free[thread] = now;
        before = (done, now);
    }
    free.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_overlap_in_steps() {
        let row = || {
            let piece = |step| Piece {
                waits: step,
                work: 1,
                done: Some(step),
            };
            (0..3).map(piece).collect::<Vec<_>>()
        };
        let rows: Vec<_> = (0..4).map(|_| row()).collect();
        assert_eq!([1, 2, 4].map(|threads| overlapping(&rows, threads)), [12, 7, 6]);
    }

    #[test]
    fn what_is_in_no_step_waits_for_the_row() {
        let whole = || {
            vec![Piece {
                waits: i64::MAX,
                work: 3,
                done: None,
            }]
        };
        assert_eq!(overlapping(&[whole(), whole()], 2), 6);
    }

    #[test]
    fn triangles_go_round() {
        let works: Vec<u64> = (0..100).collect();
        assert_eq!([false, true].map(|is_cyclic| dealt(&works, 2, is_cyclic)), [3725, 2525]);
    }
}
