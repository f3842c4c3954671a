//! Merges the journals of all shards of a plan into that of the whole plan.
//!
//! Shards of another machine, build, plan or seed are refused, and so is a set in which a shard is missing or occurs
//! twice. The merged journal has the rounds that one session of the whole plan would have made, in the same order. A
//! process remains one process with one placement in memory, even where a process of the whole session would have run
//! what several shards ran.

use std::collections::{BTreeMap, BTreeSet};

use crate::journal::{PanelRounds, Results};
use crate::likeness::{Difference, differences};
use crate::schema::{Absent, Design, End, Panel, Process, Record, Round, Session, Shard, WarmUp};

/// A journal, by the name of its file.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The name of its file, as errors show it.
    pub name: &'a str,
    /// What was read from the file.
    pub results: &'a Results,
}

/// Why journals cannot be put together, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the sentence of each variant documents it")]
pub enum MergeError {
    #[error("there is no shard to merge")]
    Nothing,
    #[error("{name} is no shard: it was made without --shard")]
    NoShard { name: String },
    #[error(
        "{name} is not finished; continue shard {shard} with `raywalk run --resume --out`, then merge again"
    )]
    Unfinished { name: String, shard: Shard },
    #[error(
        "{one} and {other} are not shards of one plan, build and machine: {} is `{}` in the first and `{}` in the second",
        difference.what, difference.one, difference.other
    )]
    Foreign { one: String, other: String, difference: Box<Difference> },
    #[error("shard {shard} is there twice: {one} and {other}")]
    Doubled { shard: Shard, one: String, other: String },
    #[error("{} missing: {}", if shards.len() == 1 { "a shard is" } else { "shards are" }, texts(shards))]
    Missing { shards: Vec<Shard> },
    #[error(
        "design `{design}` is not the same in {one} and in {other}, or was verified in one of them only"
    )]
    Design { design: String, one: String, other: String },
    #[error("panel `{panel}` has rounds in {one} and in {other}, which describe it differently")]
    Panel { panel: String, one: String, other: String },
    #[error("round {round} of panel `{panel}` is in two of the shards")]
    RoundTwice { panel: String, round: u64 },
    #[error("round {round} of panel `{panel}` is in none of the shards")]
    NoRound { panel: String, round: u64 },
}

fn texts(shards: &[Shard]) -> String {
    shards.iter().map(Shard::to_string).collect::<Vec<_>>().join(", ")
}

/// The records of the whole plan, from the session to the end. `order` has the ids of the panels in the order of the
/// plan.
///
/// # Errors
/// [`MergeError`]: which journals do not fit together, and why.
pub fn merge(shards: &[Named<'_>], order: &[String]) -> Result<Vec<Record>, MergeError> {
    let shards = complete(shards)?;
    let designs = designs(&shards)?;
    let panels = panels(&shards, order)?;
    let processes = processes(&shards);
    let rounds = rounds(&shards, &panels, &processes)?;
    let results = || shards.iter().map(|shard| shard.results);
    let first = shards[0].results;

    let mut records = vec![Record::Session(session(&shards))];
    records.extend(designs.into_iter().map(Record::Design));
    records.extend(results().flat_map(|one| one.selftest.iter().cloned()).map(Record::Selftest));
    let mut coded = BTreeSet::new();
    for code in results().flat_map(|one| &one.codes) {
        if coded.insert(&code.design) {
            records.push(Record::Code(code.clone()));
        }
    }
    let mut traced = BTreeSet::new();
    for trace in results().flat_map(|one| &one.traces) {
        if traced.insert((&trace.design, &trace.workload, trace.stage)) {
            records.push(Record::Trace(trace.clone()));
        }
    }
    records.extend(panels.iter().cloned().map(Record::Panel));
    let count = rounds.len() as u64;
    let mut rounds = rounds.into_iter().peekable();
    for (number, &Placed { shard, process }) in (0..).zip(&processes) {
        records.push(Record::Process(Process { number, ..process.clone() }));
        let warm_ups = shards[shard].results.warm_ups.iter();
        let its = warm_ups.filter(|warm_up| warm_up.process == process.number);
        records.extend(its.map(|it| Record::WarmUp(WarmUp { process: number, ..it.clone() })));
        // The rounds are sorted by process, so those of this one come next.
        while let Some(round) = rounds.next_if(|round| round.process == number) {
            records.push(Record::Round(round));
        }
    }
    let dropped: Vec<_> = results().flat_map(|one| &one.dropped).collect();
    for (place, one) in dropped.iter().enumerate() {
        if dropped[..place].iter().all(|before| before.design != one.design) {
            records.push(Record::Dropped((*one).clone()));
        }
    }
    records.extend(results().flat_map(|one| one.counts.iter().cloned()).map(Record::Count));
    records.extend(results().flat_map(|one| one.timings.iter().cloned()).map(Record::Timing));
    let ends = results().filter_map(|one| one.end.as_ref()).map(|end| &end.finished);
    // Times in UTC, RFC 3339, have the order of their texts.
    let finished = ends.max().unwrap_or(&first.session.started).clone();
    records.push(Record::End(End { finished, rounds: count }));
    // Behind the end, where the commands that make them append them.
    records.extend(results().find_map(|one| one.fit.clone()).map(Record::Fit));
    records.extend(results().flat_map(|one| one.chains.iter().cloned()).map(Record::Chain));
    Ok(records)
}

/// The journals by the number of their shard: all of one plan, each once, each finished.
fn complete<'a>(shards: &[Named<'a>]) -> Result<Vec<Named<'a>>, MergeError> {
    let Some(first) = shards.first() else { return Err(MergeError::Nothing) };
    let mut found: BTreeMap<Shard, Named<'a>> = BTreeMap::new();
    for &shard in shards {
        let name = || shard.name.to_owned();
        let session = &shard.results.session;
        let Some(number) = session.shard else { return Err(MergeError::NoShard { name: name() }) };
        if let Some(difference) = difference(&first.results.session, session) {
            let difference = Box::new(difference);
            return Err(MergeError::Foreign {
                one: first.name.to_owned(),
                other: name(),
                difference,
            });
        }
        if shard.results.end.is_none() {
            return Err(MergeError::Unfinished { name: name(), shard: number });
        }
        if let Some(before) = found.insert(number, shard) {
            let one = before.name.to_owned();
            return Err(MergeError::Doubled { shard: number, one, other: name() });
        }
    }
    let of = first.results.session.shard.map_or(1, Shard::of);
    let missing: Vec<Shard> = Shard::all(of).filter(|one| !found.contains_key(one)).collect();
    match missing.is_empty() {
        true => Ok(found.into_values().collect()),
        false => Err(MergeError::Missing { shards: missing }),
    }
}

/// The first property in which two shards of one plan may not differ.
fn difference(one: &Session, other: &Session) -> Option<Difference> {
    /// Two nodes measure the rate of equal clocks a little differently.
    const SAME_RATE: f64 = 1e-3;
    let of = |session: &Session| session.shard.map_or(1, Shard::of).to_string();
    let rate = |session: &Session| format!("{:.3} GHz", session.clock.hertz / 1e9);
    let parts = |session: &Session| {
        let mut parts = session.identity_of_shards();
        parts.push(("number of shards", of(session)));
        parts.push(("equality margin", session.margin.to_string()));
        parts.push(("headline", session.headline.clone()));
        parts
    };
    let found = differences(parts(one), parts(other)).into_iter().next();
    let found = found.or_else(|| different_line(&one.plan_file, &other.plan_file));
    let is_same_rate = (one.clock.hertz / other.clock.hertz - 1.0).abs() < SAME_RATE;
    found.or_else(|| {
        let what = "rate of the clock".to_owned();
        (!is_same_rate).then(|| Difference { what, one: rate(one), other: rate(other) })
    })
}

/// The first line in which two plan files differ.
fn different_line(one: &str, other: &str) -> Option<Difference> {
    let count = one.lines().count().max(other.lines().count());
    let line = |text: &str, number| text.lines().nth(number).unwrap_or("no line").to_owned();
    let number = (0..count).find(|&number| line(one, number) != line(other, number))?;
    let what = format!("line {} of the plan file", number + 1);
    Some(Difference { what, one: line(one, number), other: line(other, number) })
}

/// The session of the whole plan.
fn session(shards: &[Named<'_>]) -> Session {
    let sessions = || shards.iter().map(|shard| &shard.results.session);
    let first = &shards[0].results.session;
    let mut absent: Vec<Absent> = Vec::new();
    for one in sessions().flat_map(|session| &session.absent) {
        if !absent.iter().any(|known| known.instrument == one.instrument) {
            absent.push(one.clone());
        }
    }
    let mut clock = first.clock.clone();
    clock.quantum = sessions().map(|one| one.clock.quantum).max().unwrap_or(clock.quantum);
    clock.overhead = sessions().map(|one| one.clock.overhead).max().unwrap_or(clock.overhead);
    clock.invariant = sessions().all(|one| one.clock.invariant);
    let same_place =
        sessions().all(|one| (one.processor, &one.siblings) == (first.processor, &first.siblings));
    let busiest = |one: [f64; 3], other: [f64; 3]| if other[0] > one[0] { other } else { one };
    Session {
        started: sessions().map(|one| &one.started).min().unwrap_or(&first.started).clone(),
        absent,
        clock,
        processor: first.processor.filter(|_| same_place),
        siblings: if same_place { first.siblings.clone() } else { Vec::new() },
        load: sessions().filter_map(|one| one.load).reduce(busiest),
        shard: None,
        merged: Some(shards.len() as u64),
        ..first.clone()
    }
}

/// Ids of the plug-ins that some shard dropped. A design that one shard found wrong has no time in the others either.
fn dropped<'a>(shards: &[Named<'a>]) -> BTreeSet<&'a str> {
    let of = |shard: &Named<'a>| shard.results.dropped.iter().map(|one| one.design.as_str());
    shards.iter().flat_map(of).collect()
}

/// The designs of the first shard, which must be those of all. A plug-in that was dropped is as it was in the shard
/// that dropped it.
fn designs(shards: &[Named<'_>]) -> Result<Vec<Design>, MergeError> {
    let dropped = dropped(shards);
    let first = shards[0];
    let by_id = |results: &Results, id: &str| results.design(id).cloned();
    for shard in shards {
        let ids = first.results.designs.iter().chain(&shard.results.designs).map(|one| &one.id);
        for id in ids.filter(|id| !dropped.contains(id.as_str())) {
            if by_id(first.results, id) != by_id(shard.results, id) {
                let [one, other] = [first.name, shard.name].map(str::to_owned);
                return Err(MergeError::Design { design: id.clone(), one, other });
            }
        }
    }
    let merged = |design: &Design| {
        let by =
            |shard: &&Named<'_>| shard.results.dropped.iter().any(|one| one.design == design.id);
        let dropping = shards.iter().find(by);
        dropping
            .and_then(|shard| by_id(shard.results, &design.id))
            .unwrap_or_else(|| design.clone())
    };
    Ok(first.results.designs.iter().map(merged).collect())
}

/// The panels of all shards in the order of the plan, without designs that were dropped.
fn panels(shards: &[Named<'_>], order: &[String]) -> Result<Vec<Panel>, MergeError> {
    let dropped = dropped(shards);
    let mut found: Vec<(Panel, &str)> = Vec::new();
    for shard in shards {
        for PanelRounds { panel, .. } in &shard.results.panels {
            let mut panel = panel.clone();
            panel.designs.retain(|id| !dropped.contains(id.as_str()));
            match found.iter().find(|(known, _)| known.id == panel.id) {
                Some((known, _)) if *known == panel => {}
                Some((_, one)) => {
                    let (one, other) = ((*one).to_owned(), shard.name.to_owned());
                    return Err(MergeError::Panel { panel: panel.id, one, other });
                }
                None => found.push((panel, shard.name)),
            }
        }
    }
    let place = |id: &String| order.iter().position(|one| one == id).unwrap_or(order.len());
    found.sort_by_key(|(panel, _)| place(&panel.id));
    Ok(found.into_iter().map(|(panel, _)| panel).collect())
}

/// A process of a shard.
struct Placed<'a> {
    /// Index of its shard in the list of shards.
    shard: usize,
    process: &'a Process,
}

/// All processes, by share. Their new numbers are their places.
fn processes<'a>(shards: &[Named<'a>]) -> Vec<Placed<'a>> {
    let of = |(shard, named): (usize, &Named<'a>)| {
        named.results.processes.iter().map(move |process| Placed { shard, process })
    };
    let mut processes: Vec<_> = shards.iter().enumerate().flat_map(of).collect();
    processes.sort_by_key(|one| (one.process.share, one.shard, one.process.number));
    processes
}

/// All rounds with the new numbers of their processes, by process and then by panel. Each is there once.
fn rounds(
    shards: &[Named<'_>],
    panels: &[Panel],
    processes: &[Placed<'_>],
) -> Result<Vec<Round>, MergeError> {
    let dropped = dropped(shards);
    let numbers: BTreeMap<(usize, u64), u64> =
        processes.iter().map(|one| (one.shard, one.process.number)).zip(0..).collect();
    let mut all = Vec::new();
    for (place, panel) in panels.iter().enumerate() {
        let mut seen = BTreeSet::new();
        for (shard, named) in shards.iter().enumerate() {
            let rounds = named.results.panel(&panel.id).map_or(&[][..], |found| &found.rounds[..]);
            for round in rounds {
                let mut round = round.clone();
                if !seen.insert(round.round) {
                    let panel = panel.id.clone();
                    return Err(MergeError::RoundTwice { panel, round: round.round });
                }
                round.process = numbers[&(shard, round.process)];
                round.samples.retain(|sample| !dropped.contains(sample.design.as_str()));
                all.push((place, round));
            }
        }
        if let Some(round) = (0..panel.rounds).find(|round| !seen.contains(round)) {
            let panel = panel.id.clone();
            return Err(MergeError::NoRound { panel, round });
        }
    }
    all.sort_by_key(|(place, round)| (round.process, *place, round.round));
    Ok(all.into_iter().map(|(_, round)| round).collect())
}

#[cfg(test)]
mod tests;
