//! What this machine offers to a measurement, and what would help.
//!
//! Reads and reports only; nothing of the system is changed.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use raywalk_core::{Card, Feature};
use serde::{Deserialize, Serialize};

use super::tools::{self, Tool};
use super::{affinity, describe, load_average};
use crate::measure::clock::{Clock, HardwareClock};
use crate::measure::core_clock::{self, Chain};
use crate::measure::counters::{self, Counters, Event};

/// Everything that was looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnosis {
    /// One entry per thing.
    pub entries: Vec<Entry>,
}

/// One thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// What was looked at.
    pub what: String,
    /// Whether it can be used.
    pub state: State,
    /// What was found.
    pub detail: String,
    /// Why it cannot be used; empty if it can.
    pub why: String,
    /// What would help; empty if nothing would, or if nothing needs to.
    pub cure: String,
}

/// Whether something can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// It works.
    Usable,
    /// It does not.
    NotUsable,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            State::Usable => "usable",
            State::NotUsable => "not usable",
        })
    }
}

impl Entry {
    fn usable(what: &str, detail: impl Into<String>) -> Entry {
        Entry {
            what: what.to_owned(),
            state: State::Usable,
            detail: detail.into(),
            why: String::new(),
            cure: String::new(),
        }
    }

    fn not_usable(what: &str, why: impl Into<String>, cure: impl Into<String>) -> Entry {
        Entry {
            what: what.to_owned(),
            state: State::NotUsable,
            detail: String::new(),
            why: why.into(),
            cure: cure.into(),
        }
    }
}

impl Diagnosis {
    /// Looks at this machine, as far as these designs need it.
    pub fn of_this_machine(cards: &[Card]) -> Diagnosis {
        let clock = HardwareClock::measure();
        let mut entries = vec![ticks(&clock), core(&clock)];
        entries.extend(events(&*counters::of_this_machine()));
        entries.push(paranoid());
        entries.extend(tools::ALL.map(tool));
        entries.extend(features(cards, Feature::present));
        entries.push(caches());
        entries.push(processors());
        entries.push(load(load_average(), affinity::processors()));
        Diagnosis { entries }
    }

    /// Writes one line per entry, and the reason and cure below it where something is missing.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_table(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.entries.iter().map(|entry| entry.what.len()).max().unwrap_or(0);
        for entry in &self.entries {
            let line = if entry.detail.is_empty() { &entry.why } else { &entry.detail };
            writeln!(out, "{:<width$}  {:<10}  {line}", entry.what, entry.state)?;
            let below = if entry.detail.is_empty() { "" } else { entry.why.as_str() };
            for line in [below, entry.cure.as_str()].into_iter().filter(|line| !line.is_empty()) {
                writeln!(out, "{:<width$}  {:<10}  {line}", "", "")?;
            }
        }
        Ok(())
    }

    /// Writes one JSON object.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        writeln!(out)
    }
}

fn ticks(clock: &HardwareClock) -> Entry {
    let facts = clock.facts();
    let nanoseconds = |ticks: u64| ticks as f64 * 1e9 / facts.hertz;
    let detail = format!(
        "{}, {:.3} MHz, quantum {} ticks ({:.1} ns), steps of {}, empty region {} ticks",
        facts.source,
        facts.hertz / 1e6,
        facts.quantum,
        nanoseconds(facts.quantum),
        facts.step,
        facts.overhead,
    );
    let mut entry = Entry::usable("clock", detail);
    if cfg!(target_arch = "x86_64") && facts.source == "monotonic" {
        entry.why = "The CPU does not promise a constant time-stamp counter, so the system's \
                     monotonic clock is read instead."
            .to_owned();
    }
    entry
}

/// Two chains of different latency must tell the same clock.
fn core(clock: &HardwareClock) -> Entry {
    let rate = |chain| core_clock::cycles_per_tick(chain, || clock.start(), || clock.end());
    let (Some(add), Some(multiply)) = (rate(Chain::Add), rate(Chain::Multiply)) else {
        let why = clock.absent().map(|absent| absent.why).unwrap_or_default();
        return Entry::not_usable("core clock", why, "");
    };
    let gigahertz = add * clock.facts().hertz / 1e9;
    let found = format!(
        "{gigahertz:.2} GHz: {add:.4} cycles per tick by additions, {multiply:.4} by \
         multiplications"
    );
    if (multiply / add - 1.0).abs() < 0.03 {
        Entry::usable("core clock", found)
    } else {
        Entry {
            detail: found,
            ..Entry::not_usable(
                "core clock",
                "The two chains disagree by more than 3 %, so one of them was disturbed or does \
                 not have its usual latency here.",
                "Repeat on a quieter machine.",
            )
        }
    }
}

fn events(counters: &dyn Counters) -> Vec<Entry> {
    let counted = counters.events();
    let missing: BTreeMap<Event, _> =
        counters.unavailable().iter().map(|missing| (missing.event, &missing.why)).collect();
    let entry = |event: Event| {
        let kind = if event.is_software() { "kernel event" } else { "hardware event" };
        match missing.get(&event) {
            Some(why) => Entry::not_usable(event.name(), why.to_string(), why.cure()),
            None if counted.contains(&event) => Entry::usable(event.name(), kind),
            None => Entry::not_usable(event.name(), "It was not asked for.", ""),
        }
    };
    Event::HARDWARE.into_iter().chain(Event::SOFTWARE).map(entry).collect()
}

#[cfg(target_os = "linux")]
fn paranoid() -> Entry {
    match counters::linux::paranoid() {
        Some(level) => Entry::usable("perf_event_paranoid", level.to_string()),
        None => Entry::not_usable(
            "perf_event_paranoid",
            counters::Why::NoSyscall.to_string(),
            counters::Why::NoSyscall.cure(),
        ),
    }
}

#[cfg(not(target_os = "linux"))]
fn paranoid() -> Entry {
    let why = counters::Why::NotLinux;
    Entry::not_usable("perf_event_paranoid", why.to_string(), why.cure())
}

fn tool(tool: Tool) -> Entry {
    match tool.version() {
        Ok(version) => Entry::usable(tool.name, version),
        Err(why) => Entry::not_usable(tool.name, why, tool.cure()),
    }
}

/// The features that the designs need, with the designs that need them.
fn features(cards: &[Card], present: impl Fn(Feature) -> bool) -> Vec<Entry> {
    let mut needs: Vec<(Feature, Vec<&str>)> = Vec::new();
    for card in cards {
        for &feature in card.needs {
            match needs.iter_mut().find(|(known, _)| *known == feature) {
                Some((_, designs)) => designs.push(card.id),
                None => needs.push((feature, vec![card.id])),
            }
        }
    }
    let entry = |(feature, designs): (Feature, Vec<&str>)| {
        let what = format!("{feature:?}").to_lowercase();
        let designs = designs.join(", ");
        if present(feature) {
            Entry::usable(&what, format!("needed by {designs}"))
        } else {
            let why = format!("This processor lacks it; {designs} cannot run.");
            Entry::not_usable(&what, why, "Run on a processor that has it.")
        }
    };
    needs.into_iter().map(entry).collect()
}

fn caches() -> Entry {
    let caches = describe().caches;
    if caches.is_empty() {
        return Entry::not_usable("caches", "The system does not describe its caches.", "");
    }
    let texts = caches
        .iter()
        .map(|cache| format!("{} {} KiB, {} ways", cache.name, cache.bytes >> 10, cache.ways));
    Entry::usable("caches", texts.collect::<Vec<_>>().join("; "))
}

fn processors() -> Entry {
    let allowed = affinity::processors();
    match affinity::Pinned::to_one_processor() {
        Ok(pinned) => Entry::usable(
            "processors",
            format!("{allowed} allowed; measuring stays on number {}", pinned.processor),
        ),
        Err(absent) => Entry {
            detail: format!("{allowed} allowed; measuring cannot stay on one"),
            ..Entry::not_usable("processors", absent.why, absent.cure)
        },
    }
}

/// More processes ready to run than processors means that samples will be interrupted.
fn load(average: Option<[f64; 3]>, processors: usize) -> Entry {
    let Some([minute, five, fifteen]) = average else {
        return Entry::not_usable("load", "The system does not tell its load.", "");
    };
    let detail = format!("{minute:.2}, {five:.2}, {fifteen:.2} over 1, 5, 15 minutes");
    if minute + 1.0 <= processors as f64 + 0.5 {
        Entry::usable("load", detail)
    } else {
        Entry {
            detail,
            ..Entry::not_usable(
                "load",
                "Other processes keep the processors busy, so samples will be interrupted.",
                "Stop them while measuring.",
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::counters::{NoCounters, Why};
    use raywalk_core::{Control, Legality};

    const CARD: Card = Card {
        id: "a/one",
        name: "A",
        author: "B",
        year: Some(2000),
        source: "C",
        control: Control::Mixed,
        legality: Legality::Pseudo,
        published_bytes: None,
        needs: &[Feature::Bmi2, Feature::Avx2],
        reconstructed: "",
    };

    #[test]
    fn a_missing_feature_names_the_designs_that_cannot_run() {
        let cards = [CARD, Card { id: "b", needs: &[Feature::Bmi2], ..CARD }];
        let entries = features(&cards, |feature| feature == Feature::Avx2);
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[0].why, "This processor lacks it; a/one, b cannot run.");
        assert_eq!(
            (entries[1].state, entries[1].detail.as_str()),
            (State::Usable, "needed by a/one")
        );
    }

    #[test]
    fn a_table_shows_reason_and_cure_below_what_is_missing() {
        let entries = events(&NoCounters::because(&Why::Forbidden));
        let diagnosis = Diagnosis { entries: entries[..1].to_vec() };
        let mut table = Vec::new();
        diagnosis.write_table(&mut table).expect("memory can be written");
        assert_eq!(
            String::from_utf8(table).expect("text"),
            "cycles  not usable  A security policy, such as a container's seccomp filter, forbids \
             counters.\n                    Allow perf_event_open in the container's security \
             profile.\n"
        );
    }

    #[test]
    fn json_says_the_same_and_can_be_read_back() {
        let diagnosis = Diagnosis { entries: vec![load(Some([4.0, 2.0, 1.0]), 2)] };
        let mut text = Vec::new();
        diagnosis.write_json(&mut text).expect("memory can be written");
        let back: Diagnosis = serde_json::from_slice(&text).expect("a diagnosis");
        assert_eq!(back, diagnosis);
        assert!(String::from_utf8(text).expect("text").contains("\"state\": \"not-usable\""));
    }

    #[test]
    fn a_busy_machine_is_told_so_and_a_quiet_one_is_not() {
        assert_eq!(load(Some([0.2, 3.0, 3.0]), 2).state, State::Usable);
        assert_eq!(load(Some([2.2, 0.0, 0.0]), 2).state, State::NotUsable);
        assert_eq!(load(None, 2).state, State::NotUsable);
    }
}
