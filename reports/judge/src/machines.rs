//! The claims of the literature on several machines: which verdicts are the same on all, which differ, and with which
//! traits of the machines.
//!
//! Sessions of different machines share no ratio. Each claim is judged within each session, and only the verdicts are
//! shown side by side. Where they differ, the machines are compared in a few traits that are known to change
//! rankings: how many branches the predictor memorises, how large the caches are, how wide the core is. A trait
//! *separates* the verdicts if machines of one verdict lie beside each other when all are sorted by it. This is no
//! proof, because a few machines differ in many traits at once.

use std::collections::BTreeMap;

use raywalk_results::schema::{Cache, Selftest, Session};

use crate::Judged;
use crate::claims::{Claim, Decision, Judgement, judge};
use crate::format::{NONE, bytes, grouped, rate};

raywalk_results::texts! {
    /// A property of a machine.
    pub enum Trait: label {
        /// Random outcomes that the branch predictor memorises: the knee of the self-test.
        Reach = "predictor reach (branches)",
        /// Independent additions per core cycle, as the self-test measured them.
        Width = "additions per cycle",
        /// Bytes of the first cache that a load looks at.
        FirstCache = "first data cache",
        /// Bytes of the second level.
        SecondCache = "second cache",
        /// Bytes of the last level.
        LastCache = "last cache",
    }
}

impl Trait {
    /// The value of a machine, from its sessions. `None` if none of them contains it.
    fn of(self, sessions: &[&Judged<'_>]) -> Option<f64> {
        let tested = |of: fn(&Selftest) -> Option<f64>| {
            sessions.iter().flat_map(|session| &session.results.selftest).find_map(of)
        };
        let caches = &sessions.first()?.results.session.machine.caches;
        let data = || caches.iter().filter(|cache| cache.name.holds_data());
        let size = |cache: Option<&Cache>| cache.map(|cache| cache.bytes as f64);
        match self {
            Trait::Reach => tested(|selftest| selftest.knee.as_ref().map(|knee| knee.branches)),
            Trait::Width => tested(|selftest| selftest.width),
            Trait::FirstCache => size(data().find(|cache| cache.name.is_first_for_data())),
            Trait::SecondCache => size(data().find(|cache| !cache.name.is_first_for_data())),
            Trait::LastCache => size(data().next_back()),
        }
    }

    /// A value as text, caches with a unit of bytes; a dash if it is absent.
    pub fn text(self, value: Option<f64>) -> String {
        let Some(value) = value.filter(|value| value.is_finite() && *value >= 0.0) else {
            return NONE.to_owned();
        };
        match self {
            Trait::Reach => grouped(value.round() as u64),
            Trait::Width => rate(value),
            Trait::FirstCache | Trait::SecondCache | Trait::LastCache => bytes(value as u64),
        }
    }
}

/// A machine with its sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Machine {
    /// Brand and model of its processor.
    pub processor: String,
    /// Places of its sessions in the list that was compared, from 0.
    pub sessions: Vec<usize>,
    /// Traits of the machine, in the order of [`Trait::ALL`].
    pub traits: [Option<f64>; Trait::ALL.len()],
}

/// A claim on all machines.
#[derive(Clone, Debug, PartialEq)]
pub struct OnMachines<'a> {
    /// The claim that the sessions judge.
    pub claim: &'a Claim,
    /// The verdict on each machine; absent where no session decides the claim.
    pub verdicts: Vec<Option<String>>,
    /// Traits of the machines that separate the verdicts; absent if the verdicts agree.
    pub turns: Option<Vec<Trait>>,
}

/// Several machines and the claims that at least two of them decide.
#[derive(Clone, Debug, PartialEq)]
pub struct Machines<'a> {
    /// The machines, in the order of their first sessions.
    pub machines: Vec<Machine>,
    /// The claims, in the order of the files.
    pub claims: Vec<OnMachines<'a>>,
}

impl Machines<'_> {
    /// The claims whose verdicts differ between machines, each with the traits that separate them, if any does.
    pub fn turning(&self) -> impl Iterator<Item = (&OnMachines<'_>, &[Trait])> {
        self.claims.iter().filter_map(|one| Some((one, one.turns.as_deref()?)))
    }

    /// The claims with the same verdict on every machine that decides them.
    pub fn stable(&self) -> impl Iterator<Item = &OnMachines<'_>> {
        self.claims.iter().filter(|one| one.turns.is_none())
    }
}

/// Puts the verdicts of sessions side by side; `None` if all are of one machine.
pub fn machines<'a>(sessions: &[Judged<'_>], claims: &'a [Claim]) -> Option<Machines<'a>> {
    let machines = of_sessions(sessions);
    if machines.len() < 2 {
        return None;
    }
    let judged: Vec<Vec<Judgement<'a>>> =
        sessions.iter().map(|session| judge(session, claims)).collect();
    let on_machines = |(place, claim): (usize, &'a Claim)| {
        let verdicts = machines.iter().map(|machine| {
            let of = |&session: &usize| judged[session][place].clone();
            verdict(&machine.sessions.iter().map(of).collect::<Vec<_>>())
        });
        let verdicts: Vec<Option<String>> = verdicts.collect();
        let known: Vec<(&str, &Machine)> = verdicts
            .iter()
            .zip(&machines)
            .filter_map(|(verdict, machine)| Some((verdict.as_deref()?, machine)))
            .collect();
        let is_same = known.windows(2).all(|two| two[0].0 == two[1].0);
        let turns = (!is_same).then(|| separating(&known));
        (known.len() > 1).then_some(OnMachines { claim, verdicts, turns })
    };
    let claims = claims.iter().enumerate().filter_map(on_machines).collect();
    Some(Machines { machines, claims })
}

/// The machines of these sessions, each once.
fn of_sessions(sessions: &[Judged<'_>]) -> Vec<Machine> {
    let identity = |session: &Session| session.machine.identity().map(|(_, value)| value);
    let mut found: Vec<([String; 2], Vec<usize>)> = Vec::new();
    for (place, judged) in sessions.iter().enumerate() {
        let machine = identity(&judged.results.session);
        match found.iter_mut().find(|(known, _)| *known == machine) {
            Some((_, places)) => places.push(place),
            None => found.push((machine, vec![place])),
        }
    }
    let machine = |(_, places): ([String; 2], Vec<usize>)| {
        let of_machine: Vec<&Judged<'_>> = places.iter().map(|&place| &sessions[place]).collect();
        Machine {
            processor: of_machine[0].results.session.machine.processor(),
            traits: Trait::ALL.map(|one| one.of(&of_machine)),
            sessions: places,
        }
    };
    found.into_iter().map(machine).collect()
}

/// Verdict of all sessions of one machine on a claim; `None` if none decides it.
fn verdict(judgements: &[Judgement<'_>]) -> Option<String> {
    let mut verdicts: Vec<String> = Vec::new();
    for judgement in judgements.iter().filter(|one| one.decision.is_decided()) {
        // How wide a band is, how many conditions are resolved, and which properties separate them, differs from
        // session to session.
        let name = judgement.decision.kind().name();
        let verdict = match (&judgement.decision, judgement.most()) {
            (Decision::Depends { .. }, Some(outcome)) => format!("{name}, mostly {outcome}"),
            _ => name.to_owned(),
        };
        if !verdicts.contains(&verdict) {
            verdicts.push(verdict);
        }
    }
    (!verdicts.is_empty()).then(|| verdicts.join(", and in another session "))
}

/// Two values of a trait differ if one is larger by so much. The self-test measures some of them.
const DIFFERENT: f64 = 1.1;

/// The traits that separate these verdicts.
fn separating(known: &[(&str, &Machine)]) -> Vec<Trait> {
    let separates = |place: usize| {
        let values: Option<Vec<(f64, &str)>> = known
            .iter()
            .map(|(verdict, machine)| Some((machine.traits[place]?, *verdict)))
            .collect();
        values.is_some_and(|mut values| {
            values.sort_by(|(one, _), (other, _)| one.total_cmp(other));
            let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
            values.iter().enumerate().all(|(number, &(value, verdict))| {
                let before = ends.insert(verdict, number);
                let Some(previous) = number.checked_sub(1) else { return true };
                // The values of one verdict have to be neighbours, and clearly apart from those of the next.
                match before {
                    Some(last) => last == previous,
                    None => value >= values[previous].0 * DIFFERENT,
                }
            })
        })
    };
    let places = (0..Trait::ALL.len()).filter(|&place| separates(place));
    places.map(|place| Trait::ALL[place]).collect()
}

#[cfg(test)]
mod tests;
