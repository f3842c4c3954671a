//! Instruments that this machine offers, and remedies for missing ones.
//!
//! Nothing on the system is changed.

use std::fmt;

use raywalk_core::{Card, Feature};
use raywalk_measure::clock::{Clock, HardwareClock};
use raywalk_measure::core_clock::{self, Chain};
use raywalk_measure::counters::{self, Counters};
use raywalk_measure::machine::tools::{self, Tool};
use raywalk_measure::machine::{affinity, describe, emulation, load_average};
use raywalk_page::terminal::text_table::{Cell, TextTable, text};
use raywalk_page::terminal::{Screen, Tone};
use raywalk_results::schema::{Absent, Build, ClockSource, Event, Instrument, Reason};
use serde::{Deserialize, Serialize};

use crate::manifest;

/// The state of everything that affects measurements on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Diagnosis {
    entries: Vec<Item>,
}

/// An instrument, or a property of the machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Item {
    /// Name of the instrument or property.
    instrument: String,
    state: State,
    /// Findings; may be empty if it is not usable.
    detail: String,
    /// Reason why it is not usable, or a restriction if it is; empty if there is neither.
    reason: String,
    /// Empty if there is none, or if none is needed.
    remedy: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    Usable,
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

impl Item {
    fn usable(instrument: &str, detail: impl Into<String>) -> Item {
        Item {
            instrument: instrument.to_owned(),
            state: State::Usable,
            detail: detail.into(),
            reason: String::new(),
            remedy: String::new(),
        }
    }

    fn absent(instrument: &str, absent: &Absent) -> Item {
        let remedy = absent.reason.remedy(absent.instrument);
        Item::not_usable(instrument, absent.reason.to_string(), remedy)
    }

    fn not_usable(instrument: &str, reason: impl Into<String>, remedy: impl Into<String>) -> Item {
        Item {
            instrument: instrument.to_owned(),
            state: State::NotUsable,
            detail: String::new(),
            reason: reason.into(),
            remedy: remedy.into(),
        }
    }
}

impl Diagnosis {
    /// Examines this machine. Of the CPU features, only those that the designs need are reported.
    pub(crate) fn of_this_machine(cards: &[Card]) -> Diagnosis {
        let clock = HardwareClock::measure();
        let mut entries: Vec<Item> = emulated().into_iter().collect();
        entries.extend([ticks(&clock), core(&clock)]);
        entries.extend(events(&*counters::of_this_machine(affinity::last_allowed().ok())));
        entries.push(paranoid());
        entries.extend(tools::ALL.map(tool));
        entries.extend(features(cards, Feature::present));
        entries.push(caches());
        entries.push(build(&manifest::build()));
        entries.push(processors());
        entries.push(load(load_average(), affinity::processors()));
        Diagnosis { entries }
    }

    /// Writes one row per entry, followed by reason and remedy if it has any.
    pub(crate) fn write_table(&self, out: &mut Screen) {
        let mut table = TextTable::new(["instrument", "state", "finding"].map(text));
        for entry in &self.entries {
            let finding = if entry.detail.is_empty() { &entry.reason } else { &entry.detail };
            let tone = match entry.state {
                State::Usable => Tone::Good,
                State::NotUsable => Tone::Warning,
            };
            table.row([
                entry.instrument.clone().into(),
                Cell::toned(entry.state.to_string(), tone),
                finding.clone().into(),
            ]);
            let below = if entry.detail.is_empty() { "" } else { entry.reason.as_str() };
            for line in [below, entry.remedy.as_str()].into_iter().filter(|line| !line.is_empty()) {
                table.note(line);
            }
        }
        table.write(out);
    }
}

/// Only if a user-mode emulator runs this program: then nothing is timed.
fn emulated() -> Option<Item> {
    let found = emulation::check().err()?;
    Some(Item::not_usable("processor", found.to_string(), ""))
}

fn ticks(clock: &HardwareClock) -> Item {
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
    let mut entry = Item::usable("clock", detail);
    if cfg!(target_arch = "x86_64") && facts.source == ClockSource::Monotonic {
        entry.reason = "The CPU does not guarantee a constant time-stamp counter, so the system's \
                     monotonic clock is used instead."
            .to_owned();
    }
    entry
}

/// Measures the core clock with two dependency chains of different latency, which must agree.
fn core(clock: &HardwareClock) -> Item {
    let rate = |chain| core_clock::cycles_per_tick(chain, || clock.start(), || clock.end());
    let (Some(add), Some(multiply)) = (rate(Chain::Add), rate(Chain::Multiply)) else {
        let reason = clock.absent().map(|absent| absent.reason.to_string()).unwrap_or_default();
        return Item::not_usable("core clock", reason, "");
    };
    let gigahertz = add * clock.facts().hertz / 1e9;
    let found = format!(
        "{gigahertz:.2} GHz: {add:.4} cycles per tick by additions, {multiply:.4} by \
         multiplications"
    );
    if (multiply / add - 1.0).abs() < 0.03 {
        Item::usable("core clock", found)
    } else {
        Item {
            detail: found,
            ..Item::not_usable(
                "core clock",
                "The two chains disagree by more than 3 %: one of them was disturbed or does not \
                 have its usual latency on this processor.",
                "Repeat while no other process runs.",
            )
        }
    }
}

fn events(counters: &dyn Counters) -> Vec<Item> {
    let counted = counters.events();
    let missing = |event: Event| {
        let instrument = Instrument::Event(event);
        counters.absent().iter().find(|absent| absent.instrument == instrument)
    };
    let entry = |event: Event| {
        let kind = if event.is_software() { "kernel event" } else { "hardware event" };
        match missing(event) {
            Some(absent) => Item::absent(event.name(), absent),
            None if counted.contains(&event) => Item::usable(event.name(), kind),
            None => Item::not_usable(event.name(), "It was not requested.", ""),
        }
    };
    Event::HARDWARE.into_iter().chain(Event::SOFTWARE).map(entry).collect()
}

#[cfg(target_os = "linux")]
fn paranoid() -> Item {
    match counters::linux::paranoid() {
        Some(level) => Item::usable("perf_event_paranoid", level.to_string()),
        None => Item::not_usable("perf_event_paranoid", Reason::NoSyscall.to_string(), ""),
    }
}

#[cfg(not(target_os = "linux"))]
fn paranoid() -> Item {
    Item::not_usable("perf_event_paranoid", Reason::LinuxOnly.to_string(), "")
}

fn tool(tool: Tool) -> Item {
    match tool.version() {
        Ok(version) => Item::usable(tool.facility.name(), version),
        Err(reason) => {
            let remedy = format!("Install the package {}.", tool.package);
            Item::not_usable(tool.facility.name(), reason, remedy)
        }
    }
}

/// One entry per CPU feature that a design needs.
fn features(cards: &[Card], present: impl Fn(Feature) -> bool) -> Vec<Item> {
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
        let name = format!("{feature:?}").to_lowercase();
        let designs = designs.join(", ");
        if present(feature) {
            Item::usable(&name, format!("needed by {designs}"))
        } else {
            let reason = format!("This processor lacks it, so {designs} cannot run.");
            Item::not_usable(&name, reason, "Use a processor that has it.")
        }
    };
    needs.into_iter().map(entry).collect()
}

/// Whether this program was built with the flags of the workspace.
fn build(build: &Build) -> Item {
    let missing = build.missing_flags();
    if missing.is_empty() {
        return Item::usable("build", format!("{}, {}", build.rustc, build.flags));
    }
    let flags = if build.flags.is_empty() { "no flags" } else { &build.flags };
    let remedy = if build.profile.packaged {
        let wanted: Vec<String> = build.wanted_flags().map(|flag| format!("-C {flag}")).collect();
        format!(
            "Install it again: RUSTFLAGS=\"{}\" cargo install --locked --force raywalk",
            wanted.join(" ")
        )
    } else {
        "Unset RUSTFLAGS and build inside the source tree, for example with cargo install --path harness/cli."
            .to_owned()
    };
    Item {
        detail: format!("{}, {flags}", build.rustc),
        ..Item::not_usable(
            "build",
            format!(
                "The program was built without {}, so it measures other machine code.",
                missing.join(" and ")
            ),
            remedy,
        )
    }
}

fn caches() -> Item {
    let caches = describe().caches;
    if caches.is_empty() {
        return Item::not_usable("caches", "The system does not report its caches.", "");
    }
    let texts = caches
        .iter()
        .map(|cache| format!("{} {} KiB, {} ways", cache.name, cache.bytes >> 10, cache.ways));
    Item::usable("caches", texts.collect::<Vec<_>>().join("; "))
}

fn processors() -> Item {
    let allowed = affinity::processors();
    match affinity::Pinned::to_one_processor() {
        Ok(pinned) => Item::usable(
            "processors",
            format!("{allowed} allowed; measurements are pinned to number {}", pinned.processor),
        ),
        Err(absent) => Item {
            detail: format!("{allowed} allowed; measurements cannot be pinned to one"),
            ..Item::absent("processors", &absent)
        },
    }
}

/// Checks that one processor is free. Otherwise the scheduler will interrupt samples.
fn load(average: Option<[f64; 3]>, processors: usize) -> Item {
    let Some([minute, five, fifteen]) = average else {
        return Item::not_usable("load", "The system does not report its load.", "");
    };
    let detail = format!("{minute:.2}, {five:.2}, {fifteen:.2} over 1, 5, 15 minutes");
    // One process for the measurement, with half a process of tolerance.
    if minute + 1.0 <= processors as f64 + 0.5 {
        Item::usable("load", detail)
    } else {
        Item {
            detail,
            ..Item::not_usable(
                "load",
                "Other processes keep the processors busy, so samples will be interrupted.",
                "Stop them during measurements.",
            )
        }
    }
}

#[cfg(test)]
mod tests;
