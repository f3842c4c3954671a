//! Events that only some processors have, found by the names that the kernel lists.
//!
//! The kernel provides a folder for each PMU. In it, `type` is the number that opens an event,
//! `events/<name>` holds the fields of an event (`event=0x00,umask=0x4`), and `format/<field>` the bits
//! of a field (`config:0-7`). Where cores differ, `cpus` lists the processors of a PMU (`0-3,8`). This module
//! holds only the names of events, and one code for a name that means a different cache on each vendor's
//! processors.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use raywalk_results::schema::Event;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Raw {
    /// Number of the PMU, from its file `type`.
    pub kind: u32,
    /// The bits that select the event.
    pub config: u64,
}

/// The event that Linux lists as `cache-misses` on AMD since Zen: requests of a core that missed its
/// second level. The same name counts the last level on Intel and the first on ARM.
///
/// # Source
/// The tables of the Linux kernel in `arch/x86/events` and `drivers/perf/arm_pmuv3.c`.
const AMD_L2_MISSES: u64 = 0x0964;

/// The named events of the core's PMU, as the kernel lists them.
#[derive(Default)]
pub(super) struct Names {
    has_core: bool,
    named: BTreeMap<Event, Raw>,
}

impl Names {
    /// Finds the PMU of the core among the devices in this folder. On a machine with several kinds of cores it is the
    /// one of this processor; of the faster kind if the kernel lists no processors or none is given.
    pub(crate) fn read(devices: &Path, processor: Option<usize>) -> Names {
        let Ok(entries) = devices.read_dir() else { return Names::default() };
        let mut folders: Vec<_> = entries
            .flatten()
            .map(|device| device.path())
            .filter(|path| path.file_name().is_some_and(|name| is_core(&name.to_string_lossy())))
            .collect();
        let counts = |path: &Path| counts_on(path, processor?);
        folders.retain(|path| counts(path) != Some(false));
        // `cpu_atom` comes last: it is the PMU of the slower cores of hybrid processors.
        folders
            .sort_by_key(|path| (counts(path).is_none(), path.ends_with("cpu_atom"), path.clone()));
        let Some(folder) = folders.first() else { return Names::default() };
        let named = |event| Some((event, find(folder, event)?));
        let named = Event::HARDWARE.into_iter().filter_map(named).collect();
        Names { has_core: true, named }
    }

    /// Whether the core has a PMU.
    pub(crate) fn has_core(&self) -> bool {
        self.has_core
    }

    /// The code of an event that has no number in the kernel's interface.
    pub(crate) fn find(&self, event: Event) -> Option<Raw> {
        self.named.get(&event).copied()
    }
}

/// The names under which the kernel may list an event, each with the code that it must have if the same
/// name has other meanings; none for an event with a number in the kernel's interface.
pub(super) fn listed_as(event: Event) -> &'static [(&'static str, Option<u64>)] {
    match event {
        Event::L2Misses => &[("l2d_cache_refill", None), ("cache-misses", Some(AMD_L2_MISSES))],
        Event::Slots => &[("slots", None)],
        Event::SlotsRetiring => &[("topdown-retiring", None)],
        Event::SlotsBadSpeculation => &[("topdown-bad-spec", None)],
        Event::SlotsFrontendBound => &[("topdown-fe-bound", None)],
        Event::SlotsBackendBound => &[("topdown-be-bound", None)],
        _ => &[],
    }
}

fn find(folder: &Path, event: Event) -> Option<Raw> {
    listed_as(event).iter().find_map(|&(name, code)| {
        raw(folder, name).filter(|raw| code.is_none_or(|code| raw.config == code))
    })
}

fn raw(folder: &Path, name: &str) -> Option<Raw> {
    let fields = fs::read_to_string(folder.join("events").join(name)).ok()?;
    let mut config = 0;
    for field in fields.trim().split(',') {
        let (field, value) = match field.split_once('=') {
            Some((field, value)) => (field, number(value)?),
            // A field without a value is a flag, which the event sets.
            None => (field, 1),
        };
        let places = fs::read_to_string(folder.join("format").join(field)).ok()?;
        config |= spread(value, places.trim())?;
    }
    let kind = fs::read_to_string(folder.join("type")).ok()?.trim().parse().ok()?;
    Some(Raw { kind, config })
}

/// Whether a PMU counts on a processor; `None` if it does not list its processors.
fn counts_on(folder: &Path, processor: usize) -> Option<bool> {
    let list = ranges(fs::read_to_string(folder.join("cpus")).ok()?.trim())?;
    Some(list.iter().any(|range| range.contains(&processor)))
}

/// Whether a device is the PMU of a core: `cpu`, `cpu_core`, `cpu_atom`, `armv8_…`.
fn is_core(device: &str) -> bool {
    device == "cpu" || device.starts_with("cpu_") || device.starts_with("armv")
}

/// Parses a decimal number, or a hexadecimal one after `0x`.
fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Parses ranges in the format of the kernel: `0-7,32-35`.
fn ranges(text: &str) -> Option<Vec<RangeInclusive<usize>>> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    text.split(',').map(range).collect()
}

/// Spreads the bits of a value, lowest first, over the places of a field such as `config:0-7,32-35`.
/// `None` if the value does not fit, or if the field is in a word other than `config`.
fn spread(value: u64, places: &str) -> Option<u64> {
    let mut left = value;
    let mut config = 0;
    for place in ranges(places.strip_prefix("config:")?)?.into_iter().flatten() {
        config |= (left & 1).checked_shl(place.try_into().ok()?)?;
        left >>= 1;
    }
    (left == 0).then_some(config)
}

#[cfg(test)]
pub(super) mod tests;
