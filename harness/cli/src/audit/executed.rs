//! Instructions that the entries execute, counted by exact traces of a few positions.
//!
//! The positions are spread over the famous games, so they need no corpus and never change. A trace depends only on
//! code and position, so the counts repeat to the last digit, and a difference from the stored number means that the
//! code changed.

use std::collections::HashMap;

use anyhow::{Context, Result};
use raywalk_audit::{EntryStage, Executed, Report};
use raywalk_core::Position;
use raywalk_measure::design::Design;
use raywalk_positions::Store;
use raywalk_results::schema::Stage;
use raywalk_trace::{TraceError, Tracer};

use super::{address_of, call_of};
use crate::registry::Entry;
use crate::trace::visited;

/// Positions that are traced. With 32 of them all entries of all designs take some seconds.
const POSITIONS: usize = 32;

/// Positions from the famous games, evenly spread.
fn positions() -> Result<Vec<Position>> {
    let all = Store::in_memory().ordered("famous").context("cannot make the positions to trace")?;
    let count = all.positions.len();
    Ok((0..POSITIONS).map(|place| all.positions[place * count / POSITIONS]).collect())
}

/// Counts what the audited entries execute. `base` is what to subtract from their addresses in this process to get
/// those in their file.
///
/// # Errors
/// The positions cannot be made. The report of an entry that cannot be traced contains the reason.
pub(crate) fn count_executed<'a>(
    reports: &mut [Report],
    base: u64,
    entry_of: impl Fn(&str) -> Option<&'a Entry>,
) -> Result<()> {
    let positions = positions()?;
    for of_design in reports.chunk_by_mut(|one, other| one.design == other.design) {
        let Some(entry) = entry_of(&of_design[0].design) else { continue };
        let tried = entry.tried(&Stage::ALL, positions.iter()).map_err(|error| error.to_string());
        let mut design = tried
            .and_then(|built| built.map_err(|feature| format!("this machine lacks {feature}")));
        for report in of_design.iter_mut() {
            let stage = report.stage;
            let Some(address) = address_of(entry, stage) else { continue };
            let counted = match &mut design {
                Err(why) => Err(why.clone()),
                Ok(design) => count(report, base, &mut **design, (stage, address), &positions)
                    .map_err(|error| error.to_string()),
            };
            match counted {
                Ok(executed) => report.executed = Some(executed),
                Err(reason) => report.not_executed = Some(reason),
            }
        }
        find_main_loops(of_design);
    }
    Ok(())
}

/// Replaces the main loop of each stage by the one of the source lines where sliders are walked, if there is one.
///
/// The innermost loop that executes most is not always the walk: with eight pawns it is a loop over pawns, and on a
/// board where knights and kings have a loop of their own it may be that one. Only the entry for sliders has neither.
fn find_main_loops(of_design: &mut [Report]) {
    let sliders = of_design.iter().find(|report| report.stage == EntryStage::Sliders);
    let Some(walk) = sliders.and_then(Report::main_loop).map(|one| one.calls.clone()) else {
        return;
    };
    for report in of_design {
        let Report { executed: Some(executed), loops, .. } = report else { continue };
        // One line may serve two loops, which it is inlined into. The calls around it tell them apart.
        let equal = |n: usize| loops[n].calls.iter().zip(&walk).take_while(|(a, b)| a == b).count();
        let candidates = (0..loops.len()).filter(|&n| equal(n) > 0 && executed.of_loops[n] > 0);
        let main = candidates.max_by_key(|&n| (equal(n), executed.of_loops[n]));
        executed.main = main.or(executed.main);
    }
}

/// Traces one entry over the positions.
fn count(
    report: &Report,
    base: u64,
    design: &mut dyn Design,
    (stage, address): (EntryStage, usize),
    positions: &[Position],
) -> Result<Executed, TraceError> {
    let call = call_of(stage);
    design.prepare_for(call);
    design.load(positions);
    let mut tracer = Tracer::new(address)?;
    let loops = loops_by_address(report);
    let spills = spills_by_address(report);
    let mut of_loops = vec![0_u64; report.loops.len()];
    let mut stack_of_loops = of_loops.clone();
    let (mut instructions, mut squares, mut moves) = (0_u64, 0_u64, 0_u64);
    for (place, position) in positions.iter().enumerate() {
        let mut found = 0;
        let mut pass = || found = design.pass(call.into(), place..place + 1);
        // Breakpoints take a tenth of the time of steps. Some systems do not let a program change its code.
        let trace = tracer.follow(&mut pass).or_else(|_| tracer.step(&mut pass))?;
        for &number in &trace.path {
            let address = tracer.code()[number].address.wrapping_sub(base);
            if let Some(&number) = loops.get(&address) {
                of_loops[number] += 1;
            }
            if let Some(&number) = spills.get(&address) {
                stack_of_loops[number] += 1;
            }
        }
        instructions += trace.path.len() as u64;
        squares += visited::squares(position, stage == EntryStage::Sliders);
        moves += found;
    }
    let most = (0..of_loops.len()).max_by_key(|&number| of_loops[number]);
    Ok(Executed {
        instructions,
        per_square: instructions as f64 / squares as f64,
        per_move: instructions as f64 / moves as f64,
        main: most.filter(|&number| of_loops[number] > 0),
        stack_per_square: stack_of_loops.iter().sum::<u64>() as f64 / squares as f64,
        of_loops,
        stack_of_loops,
    })
}

/// The loops of the walk by the addresses of their instructions.
fn loops_by_address(report: &Report) -> HashMap<u64, usize> {
    let walks = report.loops.iter().enumerate().filter(|(_, one)| !one.rules);
    walks.flat_map(|(n, one)| one.lines.iter().map(move |line| (line.address, n))).collect()
}

/// The loops by the addresses of their instructions with spilled variables. A loop in which the rules prevail may have
/// some that belong to the walk.
fn spills_by_address(report: &Report) -> HashMap<u64, usize> {
    let loops = report.loops.iter().enumerate();
    loops.flat_map(|(n, one)| one.spills.iter().map(move |&address| (address, n))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_are_distinct_and_of_both_sides() {
        let positions = positions().expect("bundled games");
        let mut texts: Vec<_> = positions.iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts.dedup();
        assert_eq!(texts.len(), POSITIONS);
        let white = positions.iter().filter(|one| one.side() == raywalk_core::Color::White);
        assert!((POSITIONS / 4..POSITIONS * 3 / 4).contains(&white.count()));
    }
}
