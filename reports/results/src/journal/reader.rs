//! Checks the records of a journal one by one, in the order of its lines.
//!
//! Everything that later code relies on is checked here, once.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::explained::{MOST, check_chain, check_fit, check_trace};
use super::results::{PanelRounds, Results};
use crate::schema::{
    Chain, Code, Dropped, End, Panel, Process, Record, RecordKind, Round, Sample, Session, Status,
    Trace, WarmUp,
};

/// Whether a journal may have a record of this kind after the end of its session: those of other tools and of later
/// commands stand beside the rounds. An end that is repeated changes nothing.
pub(super) fn may_follow(kind: RecordKind) -> bool {
    use RecordKind::{Chain, Count, End, Fit, Timing, Trace};
    matches!(kind, Trace | Fit | Chain | Count | Timing | End)
}

/// Checks records one by one and collects them.
#[derive(Debug)]
pub(super) struct Reader {
    pub results: Results,
    /// Index of each panel in the results, by id.
    panels: BTreeMap<String, usize>,
}

impl Reader {
    pub(crate) fn new(session: Session) -> Reader {
        let results = Results {
            session,
            designs: Vec::new(),
            selftest: Vec::new(),
            codes: Vec::new(),
            traces: Vec::new(),
            fit: None,
            chains: Vec::new(),
            dropped: Vec::new(),
            processes: Vec::new(),
            warm_ups: Vec::new(),
            panels: Vec::new(),
            counts: Vec::new(),
            timings: Vec::new(),
            end: None,
            truncated: false,
            skipped: 0,
        };
        Reader { results, panels: BTreeMap::new() }
    }

    /// A reader for the records that follow these results.
    pub(crate) fn resume(results: Results) -> Reader {
        let ids = results.panels.iter().map(|panel| panel.panel.id.clone());
        let panels = ids.zip(0..).collect();
        Reader { results, panels }
    }

    pub(crate) fn take(&mut self, record: Record) -> Result<(), String> {
        let kind = record.kind();
        // A second session has an error of its own below.
        let is_beside = may_follow(kind) || kind == RecordKind::Session;
        if self.results.end.is_some() && !is_beside {
            return Err("a record after the end of the session".to_owned());
        }
        match record {
            Record::Session(_) => {
                return Err("a second session; each session has a file of its own".to_owned());
            }
            Record::Design(design) => {
                if self.results.design(&design.id).is_some() {
                    return Err(format!("duplicate design {:?}", design.id));
                }
                self.results.designs.push(design);
            }
            Record::Selftest(selftest) => self.results.selftest.push(selftest),
            Record::Code(code) => self.take_code(code)?,
            Record::Trace(trace) => self.take_trace(trace)?,
            Record::Fit(fit) => {
                check_fit(&fit)?;
                self.results.fit = Some(fit);
            }
            Record::Chain(chain) => self.take_chain(chain)?,
            Record::Panel(panel) => self.take_panel(panel)?,
            Record::Process(process) => self.take_process(process)?,
            Record::WarmUp(warm_up) => self.take_warm_up(warm_up)?,
            Record::Round(round) => self.take_round(round)?,
            Record::Dropped(dropped) => self.take_dropped(dropped)?,
            Record::Count(count) => self.results.counts.push(count),
            Record::Timing(timing) => {
                timing.check()?;
                self.results.timings.push(timing);
            }
            Record::End(end) => self.take_end(end)?,
        }
        Ok(())
    }

    fn take_code(&mut self, code: Code) -> Result<(), String> {
        let design = &code.design;
        if self.results.design(design).is_none() {
            return Err(format!("the code of unknown design {design:?}"));
        }
        if self.results.code(design).is_some() {
            return Err(format!("a second record of the code of {design:?}"));
        }
        if code.per_square.is_some_and(|count| !(0.0..=MOST).contains(&count)) {
            return Err(format!("an impossible count of instructions in the code of {design:?}"));
        }
        self.results.codes.push(code);
        Ok(())
    }

    fn take_trace(&mut self, trace: Trace) -> Result<(), String> {
        let Trace { design, workload, stage, .. } = &trace;
        if self.results.design(design).is_none() {
            return Err(format!("a trace of unknown design {design:?}"));
        }
        if self.results.trace(design, workload, *stage).is_some() {
            return Err(format!("a second trace of {design:?} in {workload:?}, {}", stage.name()));
        }
        check_trace(&trace)?;
        self.results.traces.push(trace);
        Ok(())
    }

    /// A walk may be measured again; the last record counts.
    fn take_chain(&mut self, chain: Chain) -> Result<(), String> {
        if self.results.design(&chain.design).is_none() {
            return Err(format!("a chain of unknown design {:?}", chain.design));
        }
        check_chain(&chain)?;
        self.results.chains.retain(|before| before.design != chain.design);
        self.results.chains.push(chain);
        Ok(())
    }

    fn take_panel(&mut self, panel: Panel) -> Result<(), String> {
        if self.panels.contains_key(&panel.id) {
            return Err(format!("duplicate panel {:?}", panel.id));
        }
        if panel.regime.period == Some(0) {
            return Err(format!("panel {:?} has a period of 0", panel.id));
        }
        let mut seen = BTreeSet::new();
        for id in &panel.designs {
            if !seen.insert(id) {
                return Err(format!("panel {:?} names design {id:?} twice", panel.id));
            }
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
        if panel.designs.contains(&panel.aa_control) {
            return Err(format!("A/A control {:?} has the name of a design", panel.aa_control));
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
            return Err("levels must be finite numbers".to_owned());
        }
        self.results.warm_ups.push(warm_up);
        Ok(())
    }

    /// Leaves out what was measured of a design.
    fn take_dropped(&mut self, dropped: Dropped) -> Result<(), String> {
        let Dropped { design: id, why } = &dropped;
        let known = self.results.designs.iter_mut().find(|design| design.id == *id);
        let Some(design) = known.filter(|design| design.plugin.is_some()) else {
            return Err(format!("{id:?} is dropped and is no plug-in"));
        };
        design.status = Status::Wrong { why: why.clone() };
        for PanelRounds { panel, rounds } in &mut self.results.panels {
            if panel.baseline == *id {
                return Err(format!("the baseline {id:?} is dropped"));
            }
            panel.designs.retain(|other| other != id);
            rounds.iter_mut().for_each(|round| round.samples.retain(|one| one.design != *id));
        }
        self.results.dropped.push(dropped);
        Ok(())
    }

    /// The end counts the rounds. Lines that were lost before it would else go unnoticed if they are the
    /// last ones of a panel.
    fn take_end(&mut self, end: End) -> Result<(), String> {
        let rounds: u64 = self.results.panels.iter().map(|panel| panel.rounds.len() as u64).sum();
        if end.rounds != rounds {
            return Err(format!(
                "the end counts {} rounds, and the journal has {rounds}",
                end.rounds
            ));
        }
        self.results.end = Some(end);
        Ok(())
    }

    fn take_round(&mut self, round: Round) -> Result<(), String> {
        let Some(&place) = self.panels.get(&round.panel) else {
            return Err(format!("a round of unknown panel {:?}", round.panel));
        };
        let number = round.round;
        if round.process >= self.results.processes.len() as u64 {
            return Err(format!(
                "round {number} belongs to process {}, which never started",
                round.process
            ));
        }
        let is_shard = self.results.session.shard.is_some();
        let due = self.results.panels[place].next_round();
        let PanelRounds { panel, rounds } = &mut self.results.panels[place];
        // A shard leaves out the rounds of the others.
        let is_due = if is_shard { number >= due } else { number == due };
        if !is_due {
            let id = &panel.id;
            return Err(format!("round {number} of panel {id:?} where round {due} was due"));
        }
        if is_shard && number >= panel.rounds {
            let (id, all) = (&panel.id, panel.rounds);
            return Err(format!("round {number} of panel {id:?}, which has {all} in all shards"));
        }
        let mut missing: HashSet<&str> = panel.designs.iter().map(String::as_str).collect();
        missing.insert(&panel.aa_control);
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
        // The least, because the order of a hash set changes from run to run.
        if let Some(design) = missing.iter().min() {
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
    let sum = sample.blocks.iter().try_fold(0_u64, |sum, &block| sum.checked_add(block));
    if !sample.blocks.is_empty() && sum != Some(sample.ticks) {
        return Err(format!("the blocks of the sample of {design:?} do not add up to its ticks"));
    }
    match sample.cycles_per_tick {
        Some(rate) if !(1e-3..=1e3).contains(&rate) => {
            Err(format!("cycles_per_tick of {design:?} is {rate:?}; it must be from 0.001 to 1000"))
        }
        _ => Ok(()),
    }
}
