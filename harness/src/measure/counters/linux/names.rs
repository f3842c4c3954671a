//! Events that only some processors have, found by the names that the kernel lists for them.
//!
//! The kernel keeps a folder for each set of counters; in it, `type` is the number to open an event
//! with, `events/<name>` the fields of an event (`event=0x00,umask=0x4`), and `format/<field>` the
//! bits that a field takes (`config:0-7`). Of particular processors only names are written here, and
//! one code where a name means another cache on each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::measure::counters::Event;

/// What an event is opened with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Raw {
    /// Number of the set of counters.
    pub kind: u32,
    /// The bits that choose the event.
    pub config: u64,
}

/// What Linux lists as `cache-misses` on AMD since Zen: requests of a core that missed its second
/// level. Under the same name it counts the last level on Intel and the first on ARM (the tables of
/// `arch/x86/events` and `drivers/perf/arm_pmuv3.c`).
const AMD_L2_MISSES: u64 = 0x0964;

/// The core's own set of counters, as the kernel lists it.
#[derive(Default)]
pub(super) struct Names {
    has_core: bool,
    named: BTreeMap<Event, Raw>,
}

impl Names {
    /// Looks for the counters of the core among the devices that the kernel lists in `devices`.
    /// Where there are two kinds of cores, the faster one's are taken.
    pub fn read(devices: &Path) -> Names {
        let Ok(entries) = devices.read_dir() else { return Names::default() };
        let mut folders: Vec<_> = entries
            .flatten()
            .map(|device| device.path())
            .filter(|path| path.file_name().is_some_and(|name| of_core(&name.to_string_lossy())))
            .collect();
        folders.sort_by_key(|path| (path.ends_with("cpu_atom"), path.clone()));
        let Some(folder) = folders.first() else { return Names::default() };
        let named = |event| Some((event, find(folder, event)?));
        let named = Event::HARDWARE.into_iter().filter_map(named).collect();
        Names { has_core: true, named }
    }

    /// Whether the core has counters at all.
    pub fn has_core(&self) -> bool {
        self.has_core
    }

    /// How an event is opened that has no number of its own in the kernel's interface.
    pub fn find(&self, event: Event) -> Option<Raw> {
        self.named.get(&event).copied()
    }
}

fn find(folder: &Path, event: Event) -> Option<Raw> {
    match event {
        Event::L2Misses => raw(folder, "l2d_cache_refill")
            .or_else(|| raw(folder, "cache-misses").filter(|raw| raw.config == AMD_L2_MISSES)),
        Event::Slots => raw(folder, "slots"),
        Event::SlotsRetiring => raw(folder, "topdown-retiring"),
        Event::SlotsBadSpeculation => raw(folder, "topdown-bad-spec"),
        Event::SlotsFrontendBound => raw(folder, "topdown-fe-bound"),
        Event::SlotsBackendBound => raw(folder, "topdown-be-bound"),
        _ => None,
    }
}

/// What stands in the files of one name.
fn raw(folder: &Path, name: &str) -> Option<Raw> {
    let fields = fs::read_to_string(folder.join("events").join(name)).ok()?;
    let mut config = 0;
    for field in fields.trim().split(',') {
        let (field, value) = match field.split_once('=') {
            Some((field, value)) => (field, number(value)?),
            None => (field, 1),
        };
        let places = fs::read_to_string(folder.join("format").join(field)).ok()?;
        config |= spread(value, places.trim())?;
    }
    let kind = fs::read_to_string(folder.join("type")).ok()?.trim().parse().ok()?;
    Some(Raw { kind, config })
}

/// `cpu`, `cpu_core`, `cpu_atom`, `armv8_…`.
fn of_core(device: &str) -> bool {
    device == "cpu" || device.starts_with("cpu_") || device.starts_with("armv")
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// Lays the bits of a value, lowest first, onto the places of a field such as `config:0-7,32-35`.
/// Nothing if it does not fit, or if the field lies in a word other than `config`.
fn spread(value: u64, places: &str) -> Option<u64> {
    let mut left = value;
    let mut config = 0;
    for range in places.strip_prefix("config:")?.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        for place in first.parse::<u32>().ok()?..=last.parse::<u32>().ok()? {
            config |= (left & 1).checked_shl(place)?;
            left >>= 1;
        }
    }
    (left == 0).then_some(config)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A folder of devices like the kernel's, with one device of these files.
    pub fn devices(device: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(device).join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        folder
    }

    /// What Linux lists for an Ice Lake.
    pub const ICE_LAKE: [(&str, &str); 8] = [
        ("type", "4\n"),
        ("format/event", "config:0-7\n"),
        ("format/umask", "config:8-15\n"),
        ("events/slots", "event=0x00,umask=0x4\n"),
        ("events/topdown-retiring", "event=0x00,umask=0x80\n"),
        ("events/topdown-bad-spec", "event=0x00,umask=0x81\n"),
        ("events/topdown-fe-bound", "event=0x00,umask=0x82\n"),
        ("events/topdown-be-bound", "event=0x00,umask=0x83\n"),
    ];

    #[test]
    fn the_slots_of_an_intel_core_are_opened_by_what_the_kernel_lists() {
        let folder = devices("cpu", &ICE_LAKE);
        let names = Names::read(folder.path());
        let found =
            Event::TOP_DOWN.map(|event| names.find(event).map(|raw| (raw.kind, raw.config)));
        // The codes of Intel's manual: event 0, unit masks 04 and 80 to 83.
        assert_eq!(found, [0x0400, 0x8000, 0x8100, 0x8200, 0x8300].map(|code| Some((4, code))));
        assert_eq!(names.find(Event::L2Misses), None);
    }

    #[test]
    fn the_second_level_is_counted_only_where_the_name_means_it() {
        let named = |device, name, text| {
            let folder = devices(
                device,
                &[
                    ("type", "8"),
                    ("format/event", "config:0-7,32-35"),
                    ("format/umask", "config:8-15"),
                    (name, text),
                ],
            );
            Names::read(folder.path()).find(Event::L2Misses).map(|raw| raw.config)
        };
        assert_eq!(named("cpu", "events/cache-misses", "event=0x64,umask=0x09"), Some(0x0964));
        assert_eq!(named("cpu", "events/cache-misses", "event=0x2e,umask=0x41"), None, "Intel");
        assert_eq!(named("armv8_pmuv3_0", "events/l2d_cache_refill", "event=0x0017"), Some(0x17));
        assert_eq!(named("power", "events/l2d_cache_refill", "event=0x0017"), None);
    }

    #[test]
    fn of_two_kinds_of_cores_the_faster_is_asked() {
        let folder = devices("cpu_atom", &[("type", "10")]);
        assert!(Names::read(folder.path()).has_core());
        for (name, text) in ICE_LAKE {
            let path = folder.path().join("cpu_core").join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        }
        assert!(Names::read(folder.path()).find(Event::Slots).is_some());
        assert!(!Names::read(&folder.path().join("nowhere")).has_core());
    }

    #[test]
    fn a_value_takes_the_places_of_its_field_and_no_others() {
        assert_eq!(spread(0x1ff, "config:0-7,32-35"), Some(0x1_0000_00ff));
        assert_eq!(spread(1, "config:18"), Some(1 << 18));
        assert_eq!(spread(0x1ff, "config:0-7"), None, "too wide");
        assert_eq!(spread(1, "config1:0-7"), None, "another word");
        assert_eq!(spread(1, "config:70"), None, "no such bit");
        assert_eq!(spread(1, "config:x"), None);
    }
}
