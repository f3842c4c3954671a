//! Reads a journal: one JSON record per line, the session first.
//!
//! What is read here is outside input, so everything that a later floor relies on is checked once,
//! and a fault is one sentence with the number of its line. After [`read`] each round is complete,
//! each tick count positive, and each panel's designs are known.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};

use serde_json::Value;

use crate::schema::{
    Count, Design, End, Panel, Process, Record, Round, SCHEMA, Sample, Selftest, Session, Status,
    Timing, WarmUp,
};

/// A journal that has been read and found sound.
#[derive(Clone, Debug, PartialEq)]
pub struct Results {
    /// Where and how it was made.
    pub session: Session,
    /// The designs, in the order of the registry that wrote them.
    pub designs: Vec<Design>,
    /// What the instruments found where the answer is known: once for each part of a session that
    /// was stopped and gone on with.
    pub selftest: Vec<Selftest>,
    /// The processes that made the rounds, in the order they ran; empty if the journal does not say.
    pub processes: Vec<Process>,
    /// What was run before rounds were kept.
    pub warm_ups: Vec<WarmUp>,
    /// The panels in the order of the plan, each with its rounds.
    pub panels: Vec<PanelRounds>,
    /// Counts by instrumenting tools.
    pub counts: Vec<Count>,
    /// Timings by other harnesses.
    pub timings: Vec<Timing>,
    /// The last record of a complete journal; absent if the session was stopped.
    pub end: Option<End>,
    /// Whether the last line was cut in the middle of a record, which was then left out.
    pub truncated: bool,
}

impl Results {
    /// The design with this id.
    pub fn design(&self, id: &str) -> Option<&Design> {
        self.designs.iter().find(|design| design.id == id)
    }

    /// The display name of a design, or its id if nobody introduced it.
    pub fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.design(id).map_or(id, |design| &design.name)
    }
}

/// A panel and its rounds, in the order they ran.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelRounds {
    /// What is compared.
    pub panel: Panel,
    /// Complete rounds: each design once and the twin once, on the same positions.
    pub rounds: Vec<Round>,
}

impl PanelRounds {
    /// The samples of one design (or of the twin), one per round, in time order.
    pub fn samples<'a>(&'a self, design: &'a str) -> impl Iterator<Item = &'a Sample> + 'a {
        self.rounds.iter().filter_map(move |round| {
            round.samples.iter().find(move |sample| sample.design == design)
        })
    }
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The source failed.
    #[error("line {line} cannot be read: {error}")]
    Unreadable {
        /// Number of the line, from 1.
        line: usize,
        /// What the source said.
        error: io::Error,
    },
    /// There is no first line.
    #[error("the journal is empty: its first line should be a session of schema {SCHEMA}")]
    Empty,
    /// A line says something that cannot be.
    #[error("line {line}: {why}")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

/// Reads one journal.
///
/// # Errors
/// A [`Fault`] names the line and what is wrong with it. A last line that was cut off by a crash
/// is no fault: see [`Results::truncated`].
pub fn read(mut source: impl BufRead) -> Result<Results, Fault> {
    let mut reader: Option<Reader> = None;
    let mut truncated = false;
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let length = source
            .read_until(b'\n', &mut bytes)
            .map_err(|error| Fault::Unreadable { line, error })?;
        if length == 0 {
            break;
        }
        let cut = bytes.last() != Some(&b'\n');
        let fault = |why| Fault::Line { line, why };
        let Some(reader) = &mut reader else {
            reader = Some(Reader::new(first(&bytes).map_err(fault)?));
            continue;
        };
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        match serde_json::from_slice::<Record>(&bytes) {
            Ok(record) => reader.take(record).map_err(fault)?,
            Err(error) if cut && error.is_eof() => truncated = true,
            Err(error) => return Err(fault(format!("not a record of {SCHEMA}: {error}"))),
        }
    }
    let mut results = reader.ok_or(Fault::Empty)?.results;
    results.truncated = truncated;
    Ok(results)
}

/// The session of the first line. The schema's name is looked at before anything else, so that a
/// journal of another version is called that, and not a broken one.
fn first(bytes: &[u8]) -> Result<Session, String> {
    let value: Value = serde_json::from_slice(bytes)
        .map_err(|error| format!("not a session of schema {SCHEMA}: {error}"))?;
    if value.get("record").and_then(Value::as_str) != Some("session") {
        return Err(format!("a journal begins with a session of schema {SCHEMA}"));
    }
    match value.get("schema").and_then(Value::as_str) {
        Some(SCHEMA) => {}
        Some(other) => return Err(format!("schema is {other:?}; this reader knows {SCHEMA} only")),
        None => return Err(format!("the session names no schema; it should be {SCHEMA}")),
    }
    let session = match serde_json::from_value(value) {
        Ok(Record::Session(session)) => session,
        Ok(_) => return Err(format!("a journal begins with a session of schema {SCHEMA}")),
        Err(error) => return Err(format!("the session is not as {SCHEMA} has it: {error}")),
    };
    if !(session.clock.hertz.is_finite() && session.clock.hertz > 0.0) {
        return Err(format!("clock.hertz is {}; it should be positive", session.clock.hertz));
    }
    Ok(session)
}

struct Reader {
    results: Results,
    /// Place of each panel, by id.
    panels: BTreeMap<String, usize>,
    /// Panels and numbers of the rounds seen.
    rounds: BTreeSet<(usize, u64)>,
}

impl Reader {
    fn new(session: Session) -> Reader {
        let results = Results {
            session,
            designs: Vec::new(),
            selftest: Vec::new(),
            processes: Vec::new(),
            warm_ups: Vec::new(),
            panels: Vec::new(),
            counts: Vec::new(),
            timings: Vec::new(),
            end: None,
            truncated: false,
        };
        Reader { results, panels: BTreeMap::new(), rounds: BTreeSet::new() }
    }

    fn take(&mut self, record: Record) -> Result<(), String> {
        match record {
            Record::Session(_) => {
                return Err("a second session; give the report one file for each".to_owned());
            }
            Record::Design(design) => {
                if self.results.design(&design.id).is_some() {
                    return Err(format!("design {:?} stands here a second time", design.id));
                }
                self.results.designs.push(design);
            }
            Record::Selftest(selftest) => self.results.selftest.push(selftest),
            Record::Panel(panel) => self.take_panel(panel)?,
            Record::Process(process) => self.take_process(process)?,
            Record::WarmUp(warm_up) => self.take_warm_up(warm_up)?,
            Record::Round(round) => self.take_round(round)?,
            Record::Count(count) => self.results.counts.push(count),
            Record::Timing(timing) => {
                let Timing { low, estimate, high, .. } = timing;
                if ![low, estimate, high].iter().all(|value| value.is_finite()) {
                    return Err("low, estimate and high should be numbers".to_owned());
                }
                self.results.timings.push(timing);
            }
            Record::End(end) => self.results.end = Some(end),
        }
        Ok(())
    }

    fn take_panel(&mut self, panel: Panel) -> Result<(), String> {
        if self.panels.contains_key(&panel.id) {
            return Err(format!("panel {:?} stands here a second time", panel.id));
        }
        for id in &panel.designs {
            match self.results.design(id).map(|design| &design.status) {
                None => return Err(format!("panel {:?} names unknown design {id:?}", panel.id)),
                Some(Status::Verified { .. }) => {}
                Some(Status::Wrong { .. } | Status::Missing { .. }) => {
                    return Err(format!("panel {:?} times unverified design {id:?}", panel.id));
                }
            }
        }
        if !panel.designs.contains(&panel.baseline) {
            return Err(format!("baseline {:?} is not in its panel", panel.baseline));
        }
        if panel.designs.contains(&panel.twin) {
            return Err(format!("twin {:?} has the name of a design", panel.twin));
        }
        self.panels.insert(panel.id.clone(), self.results.panels.len());
        self.results.panels.push(PanelRounds { panel, rounds: Vec::new() });
        Ok(())
    }

    fn take_process(&mut self, process: Process) -> Result<(), String> {
        let due = self.results.processes.len() as u64;
        if process.number != due {
            return Err(format!("process {} where process {due} was due", process.number));
        }
        self.results.processes.push(process);
        Ok(())
    }

    fn take_warm_up(&mut self, warm_up: WarmUp) -> Result<(), String> {
        if !self.panels.contains_key(&warm_up.panel) {
            return Err(format!("a warm-up of unknown panel {:?}", warm_up.panel));
        }
        if !warm_up.levels.iter().all(|level| level.is_finite()) {
            return Err("levels should be numbers".to_owned());
        }
        self.results.warm_ups.push(warm_up);
        Ok(())
    }

    fn take_round(&mut self, round: Round) -> Result<(), String> {
        let Some(&place) = self.panels.get(&round.panel) else {
            return Err(format!("a round of unknown panel {:?}", round.panel));
        };
        let number = round.round;
        let known = self.results.processes.len() as u64;
        if known > 0 && round.process >= known {
            return Err(format!(
                "round {number} is of process {}, which never began",
                round.process
            ));
        }
        if !self.rounds.insert((place, number)) {
            return Err(format!("round {number} of panel {:?} stands here again", round.panel));
        }
        let PanelRounds { panel, rounds } = &mut self.results.panels[place];
        let mut missing: BTreeSet<&str> = panel.designs.iter().map(String::as_str).collect();
        missing.insert(&panel.twin);
        let work = round.samples.first().map(|sample| sample.positions);
        for sample in &round.samples {
            if !missing.remove(sample.design.as_str()) {
                return Err(format!(
                    "round {number} has {:?} twice, or its panel does not have it",
                    sample.design
                ));
            }
            check(sample)?;
            if Some(sample.positions) != work {
                return Err(format!("the samples of round {number} differ in positions"));
            }
        }
        if let Some(design) = missing.first() {
            return Err(format!("round {number} has no sample of {design:?}"));
        }
        rounds.push(round);
        Ok(())
    }
}

fn check(sample: &Sample) -> Result<(), String> {
    let design = &sample.design;
    if sample.ticks == 0 || sample.positions == 0 {
        return Err(format!("the sample of {design:?} has no ticks or no positions"));
    }
    if !sample.blocks.is_empty() && sample.blocks.iter().sum::<u64>() != sample.ticks {
        return Err(format!("the blocks of the sample of {design:?} are not its ticks together"));
    }
    match sample.cycles_per_tick {
        Some(rate) if !(rate.is_finite() && rate > 0.0) => {
            Err(format!("cycles_per_tick of {design:?} is {rate}; it should be positive"))
        }
        _ => Ok(()),
    }
}
