//! What the entries execute, counted by exact traces of a few positions.
//!
//! The positions are spread over the famous games, so they need no corpus and never change. A trace depends
//! on nothing but code and position, so the counts repeat to the last digit, and a number that differs from
//! the stored one means other code.

use std::collections::HashMap;

use anyhow::{Context, Result};
use raywalk_audit::{Executed, Report};
use raywalk_core::Position;
use raywalk_measure::design::Design;
use raywalk_positions::Store;
use raywalk_results::schema::{Call, Scope, Stage};
use raywalk_trace::{TraceError, Tracer, image_base};

use super::EntryStage;
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

/// Counts what the audited entries execute. `entries` are the designs by id.
///
/// # Errors
/// The positions cannot be made. An entry that cannot be traced says so in its report.
pub(crate) fn count_executed<'a>(
    reports: &mut [Report],
    entry_of: impl Fn(&str) -> Option<&'a Entry>,
) -> Result<()> {
    let positions = positions()?;
    for of_design in reports.chunk_by_mut(|one, other| one.design == other.design) {
        let Some(entry) = entry_of(&of_design[0].design) else { continue };
        let mut design = entry.build();
        for report in of_design {
            let stage = EntryStage::named(&report.stage);
            let Some((stage, address)) = stage.and_then(|s| Some((s, s.address(entry)?))) else {
                continue;
            };
            let counted = match &mut design {
                Err(feature) => Err(format!("this machine lacks {feature}")),
                Ok(design) => count(report, &mut **design, stage, address, &positions)
                    .map_err(|error| error.to_string()),
            };
            match counted {
                Ok(executed) => report.executed = Some(executed),
                Err(reason) => report.not_executed = Some(reason),
            }
        }
    }
    Ok(())
}

/// Traces one entry over the positions.
fn count(
    report: &Report,
    design: &mut dyn Design,
    stage: EntryStage,
    address: usize,
    positions: &[Position],
) -> Result<Executed, TraceError> {
    let call = call(stage);
    design.prepare_for(call);
    design.load(positions);
    let mut tracer = Tracer::new(address)?;
    let base = image_base();
    let loops = loops_by_address(report);
    let mut turns = vec![0_u64; report.loops.len()];
    let (mut instructions, mut squares, mut moves) = (0_u64, 0_u64, 0_u64);
    for (place, position) in positions.iter().enumerate() {
        let mut found = 0;
        let mut pass = || found = design.pass(call.into(), place..place + 1);
        // Breakpoints take a tenth of the time of steps. Some systems do not let a program change its code.
        let trace = tracer.follow(&mut pass).or_else(|_| tracer.step(&mut pass))?;
        for &number in &trace.path {
            let address = tracer.code()[number].address.wrapping_sub(base);
            if let Some(&number) = loops.get(&address) {
                turns[number] += 1;
            }
        }
        instructions += trace.path.len() as u64;
        squares += visited::squares(position, stage == EntryStage::Sliders);
        moves += found;
    }
    let hottest = (0..turns.len()).max_by_key(|&number| turns[number]);
    Ok(Executed {
        per_square: instructions as f64 / squares as f64,
        per_move: instructions as f64 / moves as f64,
        hottest: hottest.filter(|&number| turns[number] > 0),
    })
}

/// The loops of the walk by the addresses of their instructions.
fn loops_by_address(report: &Report) -> HashMap<u64, usize> {
    let walks = report.loops.iter().enumerate().filter(|(_, one)| !one.rules);
    walks.flat_map(|(n, one)| one.lines.iter().map(move |line| (line.address, n))).collect()
}

fn call(stage: EntryStage) -> Call {
    let (stage, scope) = match stage {
        EntryStage::All => (Stage::All, Scope::Whole),
        EntryStage::Captures => (Stage::Captures, Scope::Whole),
        EntryStage::Quiets => (Stage::Quiets, Scope::Whole),
        EntryStage::Sliders => (Stage::All, Scope::Sliders),
    };
    Call::Generate { stage, scope }
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
