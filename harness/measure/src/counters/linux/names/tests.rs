use super::*;

/// A folder like `/sys/bus/event_source/devices`, with one device of these files.
pub(crate) fn devices(device: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(device).join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

/// The files that Linux lists for an Ice Lake.
pub(crate) const ICE_LAKE: [(&str, &str); 8] = [
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
fn the_codes_of_top_down_events_come_from_the_files_of_the_kernel() {
    let folder = devices("cpu", &ICE_LAKE);
    let names = Names::read(folder.path(), None);
    let found = Event::TOP_DOWN.map(|event| names.find(event).map(|raw| (raw.kind, raw.config)));
    // Codes from Intel's manual: event 0, unit masks 04 and 80 to 83.
    assert_eq!(found, [0x0400, 0x8000, 0x8100, 0x8200, 0x8300].map(|code| Some((4, code))));
    assert_eq!(names.find(Event::L2Misses), None);
}

#[test]
fn second_level_misses_need_a_name_that_means_the_second_level() {
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
        Names::read(folder.path(), None).find(Event::L2Misses).map(|raw| raw.config)
    };
    assert_eq!(named("cpu", "events/cache-misses", "event=0x64,umask=0x09"), Some(0x0964));
    assert_eq!(named("cpu", "events/cache-misses", "event=0x2e,umask=0x41"), None, "Intel");
    assert_eq!(named("armv8_pmuv3_0", "events/l2d_cache_refill", "event=0x0017"), Some(0x17));
    assert_eq!(named("power", "events/l2d_cache_refill", "event=0x0017"), None);
}

#[test]
fn the_kind_of_the_processor_is_used_or_else_the_faster_one() {
    let folder = devices("cpu_atom", &[("type", "10")]);
    assert!(Names::read(folder.path(), None).has_core());
    for (name, text) in ICE_LAKE {
        let path = folder.path().join("cpu_core").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    let found = |processor| {
        let names = Names::read(folder.path(), processor);
        (names.has_core(), names.find(Event::Slots).is_some())
    };
    let list = |device: &str, processors: &str| {
        fs::write(folder.path().join(device).join("cpus"), processors).expect("written");
    };
    let [faster, slower, none] = [(true, true), (true, false), (false, false)];
    assert_eq!([found(None), found(Some(9))], [faster; 2], "the kernel lists no processors");
    list("cpu_core", "0-3,8\n");
    list("cpu_atom", "4-7,9\n");
    assert_eq!([0, 3, 8].map(|processor| found(Some(processor))), [faster; 3]);
    assert_eq!([4, 7, 9].map(|processor| found(Some(processor))), [slower; 3]);
    assert_eq!([found(None), found(Some(10))], [faster, none]);
    // A list that cannot be parsed is as none.
    list("cpu_core", "\n");
    assert_eq!([4, 10].map(|processor| found(Some(processor))), [slower, faster]);
    assert!(!Names::read(&folder.path().join("nowhere"), Some(0)).has_core());
}

#[test]
fn the_bits_of_a_value_go_to_the_places_of_its_field() {
    assert_eq!(spread(0x1ff, "config:0-7,32-35"), Some(0x1_0000_00ff));
    assert_eq!(spread(1, "config:18"), Some(1 << 18));
    assert_eq!(spread(0x1ff, "config:0-7"), None, "too wide");
    assert_eq!(spread(1, "config1:0-7"), None, "another word");
    assert_eq!(spread(1, "config:70"), None, "no such bit");
    assert_eq!(spread(1, "config:x"), None);
}
