//! The iterations of the inner loop that a design executes, from exact traces.
//!
//! A loop has several paths: an empty square, a blocked one, the end. The path that was taken most is used; traces
//! show it instruction by instruction.

use std::collections::{BTreeMap, HashMap, HashSet};

use raywalk_audit::{InnerLoop, Report};
use raywalk_core::Position;
use raywalk_measure::design::Design;
use raywalk_results::schema::Call;
use raywalk_trace::{TraceError, Tracer, image_base};

/// Code that a design executed over the positions.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Executed {
    /// The iteration that was taken most often, as addresses of the file.
    pub(super) iteration: Vec<u64>,
    /// Iterations of the loop in each position, whatever the way.
    pub(super) iterations: Vec<f64>,
    /// Instructions that the whole call executes in each position.
    pub(super) instructions: Vec<f64>,
    /// Places where the loop can be entered. With several of them no instruction need be on every iteration, so there
    /// may be more iterations than are counted.
    pub(super) entries: usize,
}

/// An inner loop of the walk.
struct Loop {
    addresses: HashSet<u64>,
    entries: usize,
}

impl Loop {
    fn of(one: &InnerLoop) -> Loop {
        let addresses = one.lines.iter().map(|line| line.address).collect();
        Loop { addresses, entries: one.entries }
    }
}

/// Traces an entry over loaded positions. `None` if it executes no inner loop of the walk.
pub(super) fn executed(
    report: &Report,
    entry: usize,
    design: &mut dyn Design,
    call: Call,
    positions: &[Position],
) -> Result<Option<Executed>, TraceError> {
    let mut tracer = Tracer::new(entry)?;
    let base = image_base();
    let mut paths = Vec::new();
    for place in 0..positions.len() {
        let mut pass = || {
            design.pass(call.into(), place..place + 1);
        };
        // Some systems do not let a program change its code; stepping works there too.
        let trace = tracer.follow(&mut pass).or_else(|_| tracer.step(&mut pass))?;
        let address = |&number: &u32| tracer.code()[number].address.wrapping_sub(base);
        paths.push(trace.path.iter().map(address).collect());
    }
    let loops: Vec<Loop> = report.loops.iter().filter(|one| !one.rules).map(Loop::of).collect();
    Ok(of(&paths, &loops))
}

/// The most frequent iteration of the loop that executes most instructions. `paths` are the executed addresses of
/// each position.
fn of(paths: &[Vec<u64>], loops: &[Loop]) -> Option<Executed> {
    let mut executions: BTreeMap<u64, u64> = BTreeMap::new();
    for &address in paths.iter().flatten() {
        *executions.entry(address).or_default() += 1;
    }
    let count = |address: &u64| executions.get(address).copied().unwrap_or(0);
    let Loop { addresses: hottest, entries } =
        loops.iter().max_by_key(|one| one.addresses.iter().map(count).sum::<u64>())?;
    // In a loop with one entry every iteration passes through the instruction that is executed most; the first in the
    // code of equal ones.
    let head =
        *hottest.iter().max_by_key(|&address| (count(address), std::cmp::Reverse(*address)))?;
    if count(&head) == 0 {
        return None;
    }
    let mut ways: HashMap<Vec<u64>, u64> = HashMap::new();
    for path in paths {
        let mut open: Option<Vec<u64>> = None;
        for &address in path {
            if address == head
                && let Some(way) = open.replace(Vec::new())
            {
                *ways.entry(way).or_default() += 1;
            }
            // A way that leaves the loop is the end of a walk and no iteration.
            match &mut open {
                Some(way) if hottest.contains(&address) => way.push(address),
                _ => open = None,
            }
        }
    }
    let iteration =
        ways.into_iter().max_by_key(|(way, count)| (*count, std::cmp::Reverse(way.clone())));
    let heads = |path: &Vec<u64>| path.iter().filter(|&&address| address == head).count() as f64;
    Some(Executed {
        iteration: iteration?.0,
        iterations: paths.iter().map(heads).collect(),
        instructions: paths.iter().map(|path| path.len() as f64).collect(),
        entries: *entries,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(addresses: &[u64]) -> Loop {
        Loop { addresses: addresses.iter().copied().collect(), entries: 1 }
    }

    #[test]
    fn the_way_that_is_taken_most_is_the_iteration() {
        // A loop of 10, 11 and 12; 11 is left out on blocked squares, and 13 is behind the loop.
        let empty = [10, 11, 12];
        let first = [&[1][..], &empty, &empty, &[10, 12], &empty, &[10, 13]].concat();
        let second = [&[1][..], &empty, &[10, 13]].concat();
        let found = of(&[first, second], &[set(&[1]), set(&empty)]).expect("a loop");
        // The way out is no iteration, but its head counts as one.
        assert_eq!((found.iteration, found.iterations), (empty.to_vec(), vec![5.0, 2.0]));
        assert_eq!(found.instructions, [14.0, 6.0]);
    }

    #[test]
    fn the_loop_that_executes_most_counts() {
        let path = [&[20, 21, 20, 21][..], &[30; 7]].concat();
        let found = of(&[path], &[set(&[20, 21]), set(&[30])]).expect("a loop");
        assert_eq!((found.iteration, found.iterations), (vec![30], vec![7.0]));
    }

    #[test]
    fn a_loop_with_two_entries_says_that_iterations_may_be_missing() {
        // Entered at 10 or at 11, and each of them is left out on another iteration.
        let two = |addresses: &[u64]| Loop { entries: 2, ..set(addresses) };
        let path = vec![10, 12, 11, 12, 10, 12];
        let found = of(std::slice::from_ref(&path), &[two(&[10, 11, 12])]).expect("a loop");
        assert_eq!((found.entries, found.iterations), (2, vec![3.0]));
        let found = of(&[path], &[set(&[10, 11, 12])]).expect("a loop");
        assert_eq!(found.entries, 1);
    }

    #[test]
    fn code_without_iterations_has_none() {
        assert_eq!(of(&[vec![1, 2, 3]], &[]), None);
        assert_eq!(of(&[vec![1, 2, 3]], &[set(&[7])]), None);
        // One pass through the loop is no iteration: it never comes back.
        assert_eq!(of(&[vec![1, 2, 3]], &[set(&[2])]), None);
    }
}
