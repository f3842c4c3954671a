use super::*;
use raywalk_results::schema::{CallgrindEvent, Per, Quantity, Stage, Unit};
use serde_json::{Value, json};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, file: &str, text: &str) -> &Folder {
        let file = self.path().join(file);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
        self
    }
}

fn benchmark(group: &str, design: &str, moves: u64) -> String {
    json!({
        "group_id": group, "function_id": design, "value_str": null,
        "throughput": { "Elements": moves }, "full_id": "x", "directory_name": "x", "title": "x",
    })
    .to_string()
}

fn estimates(slope: Option<f64>) -> String {
    let estimate = |point: f64| {
        json!({
            "confidence_interval": {
                "confidence_level": 0.95, "lower_bound": point - 2.0, "upper_bound": point + 4.0,
            },
            "point_estimate": point, "standard_error": 1.0,
        })
    };
    json!({
        "mean": estimate(100.0), "median": estimate(100.0), "median_abs_dev": estimate(1.0),
        "slope": slope.map(estimate), "std_dev": estimate(1.0),
    })
    .to_string()
}

#[test]
fn criterion_timings_are_per_move_and_prefer_the_slope() {
    let folder = Folder::new();
    // A benchmark may pass its designs as parameters.
    let by_parameter = benchmark("gen-cycles/qs/all", "bell", 10)
        .replace("\"function_id\":\"bell\"", "\"function_id\":null")
        .replace("\"value_str\":null", "\"value_str\":\"bell\"");
    folder
        .write("gen_ab4_all/bell/new/benchmark.json", &benchmark("gen/ab4/all", "bell/steps", 20))
        .write("gen_ab4_all/bell/new/estimates.json", &estimates(Some(90.0)))
        .write("gen_ab4_all/bell/base/benchmark.json", "an older run")
        .write("gen_qs_captures/bell/new/benchmark.json", &benchmark("gen/qs/captures", "bell", 10))
        .write("gen_qs_captures/bell/new/estimates.json", &estimates(None))
        .write("gen-cycles_qs_all/bell/new/benchmark.json", &by_parameter)
        .write("gen-cycles_qs_all/bell/new/estimates.json", &estimates(None))
        .write("other/new/benchmark.json", &benchmark("tables", "bell", 10));
    let import = timings(folder.path());
    assert_eq!(import.warnings, [""; 0]);
    let [cycles, all, captures] = &import.results[..] else { panic!("{import:?}") };
    assert_eq!(
        (cycles.design.as_str(), cycles.unit),
        ("bell", Unit::per(Quantity::Cycles, Per::Move))
    );
    assert_eq!((all.design.as_str(), all.workload.as_str()), ("bell/steps", "ab4"));
    assert_eq!((all.stage, all.unit), (Stage::All, Unit::per(Quantity::Nanoseconds, Per::Move)));
    assert_eq!((all.low, all.estimate, all.high), (4.4, 4.5, 4.7));
    assert_eq!((captures.stage, captures.estimate), (Stage::Captures, 10.0));
}

#[test]
fn an_unusable_criterion_file_is_reported_with_the_reason() {
    let folder = Folder::new();
    folder
        .write("a/new/benchmark.json", "{")
        .write("b/new/benchmark.json", &benchmark("gen/ab4/evasions", "bell", 1))
        .write("c/new/benchmark.json", &benchmark("gen/ab4/all", "bell", 0))
        .write("d/new/benchmark.json", &benchmark("gen/ab4/all", "bell", 1));
    let import = timings(folder.path());
    assert!(import.results.is_empty());
    for (warning, part) in import.warnings.iter().zip([
        "a/new/benchmark.json: the text ends within",
        "b/new/benchmark.json: `group_id` is `gen/ab4/evasions`",
        "c/new/benchmark.json: `throughput` contains no number of moves",
        "d/new/benchmark.json: the estimates.json next to it: ",
    ]) {
        assert!(warning.contains(part), "{warning}");
    }
    assert_eq!(import.warnings.len(), 4);
}

fn summary(function: &str, id: &str) -> Value {
    let metric = |new: Value| json!({ "change": null, "values": { "new": new } });
    let command = "valgrind --tool=callgrind --D1=49152,12,64 --cache-sim=yes bench";
    json!({
        "version": "7", "function_name": function, "id": id, "module_path": "counts::designs",
        "profiles": [{
            "tool": "Callgrind",
            "data": {
                "parts": [{ "metrics": {}, "tool_run": { "new": { "command": command, "pid": 1 } } }],
                "total": {
                    "regressions": [],
                    "metrics": {
                        "Ir": { "change": null, "values": { "new": 5000, "old": 6000 } },
                        "Bcm": metric(json!(70)),
                        "L1HitRate": metric(json!(99.5)),
                    },
                },
            },
        }],
    })
}

fn names() -> Names {
    Names::new(["bell", "bitboard/pext"], ["ab4", "cycle-65536"])
}

#[test]
fn callgrind_counts_have_their_events_and_model_parameters() {
    let folder = Folder::new();
    let text = summary("bitboard_pext", "cycle_65536_all").to_string();
    folder.write("p/counts/designs/bitboard_pext.cycle_65536_all/summary.json", &text);
    let sizes = |design: &str, workload: &str, stage: Stage| {
        assert_eq!((design, workload, stage), ("bitboard/pext", "cycle-65536", Stage::All));
        Some((1024, 31_000))
    };
    let import = counts(folder.path(), &names(), &sizes);
    assert_eq!(import.warnings, [""; 0]);
    let [count] = &import.results[..] else { panic!("{import:?}") };
    assert_eq!((count.design.as_str(), count.workload.as_str()), ("bitboard/pext", "cycle-65536"));
    assert_eq!((count.positions, count.moves), (1024, 31_000));
    assert_eq!(count.tool, "callgrind --D1=49152,12,64 --cache-sim=yes");
    let expected = [(CallgrindEvent::Instructions, 5000), (CallgrindEvent::ConditionalMisses, 70)];
    assert_eq!(count.values, expected.into());
}

#[test]
fn an_unusable_summary_is_reported_with_the_reason() {
    let folder = Folder::new();
    let mut old = summary("bell", "ab4_all");
    old["version"] = json!("6");
    folder
        .write("a/summary.json", &old.to_string())
        .write("b/summary.json", &summary("rook", "ab4_all").to_string())
        .write("c/summary.json", &summary("bell", "ab4_evasions").to_string())
        .write("d/summary.json", &summary("bell", "ab4_quiets").to_string())
        .write("e/summary.json", "[]");
    let import = counts(folder.path(), &names(), &|_, _, _| None);
    assert!(import.results.is_empty());
    for (warning, part) in import.warnings.iter().zip([
        "`version` is 6; only version 7 is supported",
        "`function_name` is `rook`, which is not a design",
        "`id` is `ab4_evasions`",
        "the number of moves of bell in `ab4_quiets` is unknown",
        "e/summary.json: ",
    ]) {
        assert!(warning.contains(part), "{warning}");
    }
    assert_eq!(import.warnings.len(), 5);
}

#[test]
fn a_missing_folder_holds_no_results() {
    let folder = Folder::new();
    let nowhere = folder.path().join("nowhere");
    assert!(timings(&nowhere).results.is_empty());
    assert!(counts(&nowhere, &names(), &|_, _, _| None).warnings.is_empty());
}
