//! Plug-ins: verified like every design; a faulty one is reported in one sentence, and the others are not affected.

#![cfg(unix)]

use predicates::prelude::*;
use serde_json::Value;

mod code;
#[path = "../folder/mod.rs"]
mod folder;
mod new;
#[path = "../plugin/mod.rs"]
mod plugin;

use folder::{Folder, PLAN, raywalk};
use plugin::{ID, broken, changed, library, right};

/// The rows of `raywalk verify --format json` with this exit code.
fn verified(words: &[&str], code: i32) -> Vec<Value> {
    let words = [&["verify", "--format", "json"], words].concat();
    let assert = raywalk(&words).assert().code(code);
    serde_json::from_slice(&assert.get_output().stdout).expect("rows")
}

#[test]
fn a_right_plugin_passes_all_checks_of_a_built_in_design() {
    let folder = Folder::new();
    let file = right(&folder);
    let rows = verified(&["--plugin", &file, "--design", "bell/steps"], 0);
    let ids: Vec<_> = rows.iter().map(|row| row["design"].as_str().expect("an id")).collect();
    assert_eq!(ids, ["bell/steps", ID]);
    assert!(rows.iter().all(|row| row["verified"] == true), "{rows:?}");
    assert_eq!(rows[0]["checks"], rows[1]["checks"]);
    assert_eq!(rows[0]["leaves"], rows[1]["leaves"]);
    // Without --design the plug-in alone, here with its move sets.
    let rows = verified(&["--plugin", &file, "--workload", "density-3:200"], 0);
    assert_eq!((rows.len(), &rows[0]["verified"]), (1, &Value::Bool(true)), "{rows:?}");
}

#[test]
#[ignore = "about 15 s; run by CI with --ignored"]
fn perft_without_make_and_with_a_function_of_its_own_is_checked_too() {
    let folder = Folder::new();
    let bare = changed(&folder, "bare.so", "d.from_uci = 0; d.make = 0; d.unmake = 0;");
    assert_eq!(verified(&["--plugin", &bare], 0)[0]["verified"], true);
    for function in ["perft", "perft_made"] {
        let wrong = changed(&folder, "perft.so", &format!("d.{function} = one;"));
        let row = &verified(&["--plugin", &wrong], 1)[0];
        let question = row["mismatch"]["question"].as_str().expect("a question");
        assert!(question.contains("leaves"), "{row}");
    }
}

#[test]
fn a_plugin_that_is_wrong_crashes_hangs_or_refuses_is_named_and_the_others_are_verified() {
    let folder = Folder::new();
    let faulty = |fault| broken(&folder, &format!("{fault}.so"), &[fault]);
    for (fault, code, key, why) in [
        ("CRASH", 1, "broken", "crashed (signal: 6 (SIGABRT)"),
        ("HANG", 1, "broken", "gave no answer within 1 s to the moves of stage all in "),
        ("CLOSE", 1, "broken", "closed its standard output at the moves of stage all in "),
        ("OVERRUN", 1, "broken", "wrote behind its list, at the moves of stage "),
        (
            "STAIN",
            1,
            "broken",
            "changed the board, which raywalk.h forbids, at the moves of stage ",
        ),
        ("REFUSE", 0, "missing", "needs a quantum computer"),
    ] {
        let words = [
            "--plugin",
            &faulty(fault),
            "--design",
            "bell/steps",
            "--plugin-timeout",
            "1s",
            "--max-nodes",
            "400",
        ];
        let rows = verified(&words, code);
        assert_eq!(rows[0]["verified"], true, "{fault}: {rows:?}");
        let row = &rows[1];
        assert!(row[key].as_str().is_some_and(|text| text.contains(why)), "{fault}: {row}");
        assert_eq!((&row["verified"], &row["mismatch"]), (&Value::Bool(false), &Value::Null));
        let shown = [&["verify"], &words[..]].concat();
        let begin = format!("{ID} {}", why.split(" the moves").next().expect("words"));
        let names_it = predicate::str::contains(begin);
        raywalk(&shown).assert().code(code).stdout(names_it);
    }
    let rows = verified(&["--plugin", &faulty("WRONG")], 1);
    assert!(rows[0]["mismatch"]["question"].is_string(), "{rows:?}");
    // The text of a move is longer than eight bytes.
    let rows = verified(&["--plugin", &faulty("LONG")], 1);
    assert!(rows[0]["mismatch"]["question"].is_string(), "{rows:?}");
    let rows = verified(&["--plugin", &faulty("MISPLACED")], 1);
    let question = rows[0]["mismatch"]["question"].as_str().expect("a question");
    assert_eq!(question, "moves that are not in their stages once");
}

#[test]
fn perft_of_a_plugin_that_loads_no_position_is_no_number() {
    let folder = Folder::new();
    let deaf = broken(&folder, "deaf.so", &["DEAF"]);
    let why = format!(
        "raywalk: {ID} refuses {} or generates none of its 20 legal moves\n",
        raywalk_core::Position::START
    );
    raywalk(&["perft", "2", "--plugin", &deaf]).assert().code(3).stdout("").stderr(why);
}

#[test]
fn a_library_that_crashes_or_hangs_while_it_is_loaded_is_named() {
    let folder = Folder::new();
    let early = |name: &str, statement: &str| {
        let source = format!(
            "#include \"generator.c\"\n#include <stdlib.h>\n\
             __attribute__((constructor)) static void early(void) {{ {statement} }}\n"
        );
        library(&folder, name, &source)
    };
    let crash = early("crash.so", "abort();");
    let hang = early("hang.so", "volatile int on = 1; while (on) continue;");
    for (file, why) in [
        (&crash, "crash.so crashed (signal: 6 (SIGABRT)"),
        (&hang, "hang.so gave no answer within 1 s to the loading of the library"),
    ] {
        for command in [&["verify"][..], &["perft", "1"], &["run", "--dry-run"]] {
            let words = [command, &["--plugin", file, "--plugin-timeout", "1s"]].concat();
            let named = predicate::str::contains(why);
            // In its folder, because a run tries to write there. After a change in the source folder, Cargo would
            // compile the command again.
            folder.raywalk(&words).assert().code(3).stdout("").stderr(named);
        }
    }
}

#[test]
fn what_is_no_plugin_is_bad_input() {
    let folder = Folder::new();
    let good = right(&folder);
    folder.write("text.so", "not a library");
    let text = folder.path("text.so").to_str().expect("a path").to_owned();
    let with = |name: &str, source: &str| {
        library(&folder, name, &format!("#include \"raywalk.h\"\n{source}\n"))
    };
    let version = "uint32_t raywalk_abi_version(void) { return RAYWALK_ABI_VERSION; }\n";
    let empty = with("empty.so", "");
    let newer = with("newer.so", "uint32_t raywalk_abi_version(void) { return 99; }");
    let half = with("half.so", version);
    let at = "const raywalk_design *raywalk_design_at(uint32_t n)";
    let none = with("none.so", &format!("{version}{at} {{ (void)n; return 0; }}"));
    let blank = format!("{version}static raywalk_design d; {at} {{ return n ? 0 : &d; }}");
    let blank = with("blank.so", &blank);
    let changed = |name: &str, change: &str| changed(&folder, name, change);
    let built_in = changed("built-in.so", "d.id = \"bell/steps\";");
    let odd = changed("odd.so", "d.id = \"My Design\";");
    let huge = changed("huge.so", "d.board_bytes = 1u << 30;");
    let align = changed("align.so", "d.board_align = 3;");
    let gap = changed("gap.so", "d.unmake = 0;");
    let no_quiets = changed("quiets.so", "d.generate[RAYWALK_QUIETS] = 0;");
    for (files, why) in [
        (&["no-such-file.so"][..], "plug-in no-such-file.so cannot be read"),
        (&[&text], "cannot load plug-in"),
        (&[&empty], "it has no function `raywalk_abi_version`"),
        (&[&newer], "version 99 of raywalk.h, and this raywalk supports version 3"),
        (&[&half], "it has no function `raywalk_design_at`"),
        (&[&none], "has no design"),
        (&[&blank], "design 1: `id` is null"),
        (&[&odd], "the id `My Design` is not"),
        (&[&huge], "`board_bytes` is 1073741824; it must be from 1 to"),
        (&[&align], "`board_align` is 3"),
        (&[&gap], "all or none must be"),
        (&[&no_quiets], "the function `generate[RAYWALK_QUIETS]` is null"),
        (&[&built_in], "two designs are called `bell/steps`"),
        (&[&good, &good], "two designs are called `toy/mailbox`"),
    ] {
        let plugins = files.iter().flat_map(|file| ["--plugin", file]);
        let words: Vec<&str> = ["verify"].into_iter().chain(plugins).collect();
        let assert = raywalk(&words).assert().code(2).stdout("");
        let error = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
        assert!(error.contains(why) && error.trim_end().lines().count() == 1, "{files:?}: {error}");
    }
}

/// The small plan with so many rounds of each panel.
pub(crate) fn plan(rounds: u64) -> String {
    PLAN.replace("rounds = 6", &format!("rounds = {rounds}"))
}

/// The records of a kind in the journal of the run.
pub(crate) fn journal(folder: &Folder, kind: &str) -> Vec<Value> {
    let text = folder.read(folder::JOURNAL);
    let records = text.lines().map(|line| serde_json::from_str(line).expect("a record"));
    records.filter(|record: &Value| record["record"] == kind).collect()
}

#[test]
fn a_plugin_is_measured_in_the_same_rounds_and_marked() {
    let folder = Folder::planned(&plan(8));
    let file = right(&folder);
    let shown = folder.run(&["--plugin", &file]).assert().success();
    let shown = String::from_utf8(shown.get_output().stdout.clone()).expect("text");
    assert!(shown.contains("toy/mailbox is a plug-in: right.so"), "{shown}");
    let design = &journal(&folder, "design")[2];
    assert_eq!((&design["id"], &design["plugin"]["file"]), (&ID.into(), &"right.so".into()));
    let rounds = journal(&folder, "round");
    assert_eq!(rounds.len(), 16);
    for round in &rounds {
        let samples = round["samples"].as_array().expect("samples");
        assert!(samples.iter().any(|sample| sample["design"] == ID), "{round}");
        let moves: Vec<_> = samples.iter().map(|sample| &sample["moves"]).collect();
        assert!(moves.windows(2).all(|pair| pair[0] == pair[1]), "{round}");
    }
    let page = folder.read(folder::PAGE);
    assert!(page.contains("toy/mailbox (plug-in)") && page.contains("right.so"));
    assert!(journal(&folder, "dropped").is_empty());
    // The journal names the plug-in.
    let resume = || folder.raywalk(&["run", "--resume", "--out", "result"]).assert();
    resume().success();
    // What was dropped before the run was stopped, or before it was finished, is still wrong.
    let text = folder.read(folder::JOURNAL);
    let mut lines: Vec<&str> = text.lines().collect();
    let dropped =
        format!("{{\"record\":\"dropped\",\"design\":\"{ID}\",\"why\":\"crashed there\"}}");
    let end = lines.pop().expect("an end");
    let last = lines.pop().expect("a round");
    lines.push(&dropped);
    let stopped = lines.join("\n") + "\n";
    // The round has a sample of it, which was left out after the drop.
    let whole = text.replacen(last, &format!("{last}\n{dropped}"), 1);
    assert!(whole.ends_with(&format!("{end}\n")));
    for journal in [whole, stopped] {
        folder.write(folder::JOURNAL, &journal);
        resume()
            .code(1)
            .stdout(predicate::str::contains("toy/mailbox crashed there; nothing of it is kept"));
    }
}

#[test]
fn a_traced_session_with_a_plugin_has_the_code_of_its_built_in_designs() {
    let plan = plan(4).replace("rounds = 4", "rounds = 4\ntrace = 4");
    let folder = Folder::planned(&plan);
    let file = right(&folder);
    folder.run(&["--plugin", &file]).assert().success();
    if journal(&folder, "trace").is_empty() {
        return eprintln!("skipped: no tracer here");
    }
    let codes = journal(&folder, "code");
    let ids: Vec<_> = codes.iter().map(|code| code["design"].as_str().expect("an id")).collect();
    assert_eq!(ids, ["bell/last-square", "bitboard/hyperbola"]);
}

#[test]
#[ignore = "about 11 s; run by CI with --ignored"]
fn a_plugin_walks_the_searches_of_the_headline() {
    let plan = plan(4).replace("cycle-16\"", "ab4\"\ncalls = [\"tree\", \"node\", \"bare-tree\"]");
    let folder = Folder::planned(&plan);
    let file = right(&folder);
    folder.run(&["--plugin", &file]).assert().success();
    for panel in journal(&folder, "panel") {
        assert_eq!(panel["designs"].as_array().expect("ids").len(), 3, "{panel}");
    }
    assert_eq!(journal(&folder, "round").len(), 16);
}

#[test]
fn the_calls_of_a_plugin_are_timed_and_one_without_a_function_is_not_offered() {
    let calls = "cycle-16\"\ncalls = [\"attacked\", \"perft\", \"in-check\"]";
    let folder = Folder::planned(&plan(4).replace("cycle-16\"", calls));
    let file = right(&folder);
    let silent = "d.id = \"toy/silent\"; d.attacked = 0; d.from_uci = 0; d.make = 0; d.unmake = 0;";
    let silent = changed(&folder, "silent.so", silent);
    folder.run(&["--plugin", &file, "--plugin", &silent]).assert().success();
    let designs = |call: &str| {
        let panels = journal(&folder, "panel");
        let id = format!("cycle-16/replay-16/{call}");
        let panel = panels.iter().find(|panel| panel["id"] == id.as_str()).expect("the panel");
        panel["designs"].clone()
    };
    let built_in = ["bell/last-square", "bitboard/hyperbola"];
    for call in ["attacked", "perft"] {
        assert_eq!(designs(call), serde_json::json!([built_in[0], built_in[1], ID]), "{call}");
    }
    assert_eq!(designs("in-check"), serde_json::json!(built_in));
    let shown = folder.answer(&["show", "result", "--workload", "cycle-16"]);
    assert_eq!(shown.matches("not in this table").count(), 3, "{shown}");
}

#[test]
fn a_plugin_that_answers_a_call_wrongly_is_not_verified() {
    let folder = Folder::new();
    let wrong = changed(&folder, "attacked.so", "d.attacked = no;");
    let row = &verified(&["--plugin", &wrong], 1)[0];
    let question = row["mismatch"]["question"].as_str().expect("a question");
    assert!(question.contains("wrong answers of the call `attacked`"), "{row}");
}

#[test]
#[ignore = "about 20 s; run by CI with --ignored"]
fn a_plugin_that_fails_while_it_is_measured_is_dropped_and_nothing_else_is_lost() {
    for (fault, why) in [
        ("CRASH", "crashed (signal: 6 (SIGABRT)"),
        ("HANG", "did not return within 2 s in panel cycle-16/"),
        ("CLOSE", "closed its standard output in panel cycle-16/"),
        ("WRONG", "is wrong in panel cycle-16/"),
        ("BUILD", ") in the building of its tables"),
    ] {
        let folder = Folder::planned(&plan(8));
        let faulty = broken(&folder, "late.so", &[fault, "LATE"]);
        let other = changed(&folder, "other.so", "d.id = \"toy/other\";");
        let plugins = ["--plugin", &faulty, "--plugin", &other, "--plugin-timeout", "2s"];
        let text = predicate::str::contains(ID).and(predicate::str::contains(why));
        folder.run(&plugins).assert().code(1).stdout(text);
        let dropped = journal(&folder, "dropped");
        assert_eq!((dropped.len(), &dropped[0]["design"]), (1, &Value::from(ID)), "{fault}");
        assert!(dropped[0]["why"].as_str().is_some_and(|text| text.contains(why)), "{dropped:?}");
        // All rounds are there, with all others.
        let rounds = journal(&folder, "round");
        assert_eq!(rounds.len(), 16, "{fault}");
        let has = |round: &Value, id: &str| {
            round["samples"].as_array().expect("samples").iter().any(|one| one["design"] == id)
        };
        for id in ["bell/last-square", "bitboard/hyperbola", "toy/other"] {
            assert!(rounds.iter().all(|round| has(round, id)), "{fault}: {id}");
        }
        assert!(!has(rounds.last().expect("a round"), ID));
        // No time of it is shown, and its reason is.
        let csv = folder.answer(&["export", "result", "--format", "csv"]);
        assert!(csv.contains("toy/other") && !csv.contains(ID), "{fault}");
        let page = folder.read(folder::PAGE);
        assert!(page.contains("is not timed") && page.contains(why), "{fault}");
    }
}

#[test]
fn a_plugin_that_fails_its_verification_is_not_timed() {
    let folder = Folder::planned(&plan(8));
    let file = broken(&folder, "crash.so", &["CRASH"]);
    let text = predicate::str::contains("toy/mailbox crashed (signal: 6 (SIGABRT)");
    folder.run(&["--plugin", &file]).assert().code(1).stdout(text);
    assert_eq!(journal(&folder, "design")[2]["status"]["is"], "wrong");
    assert!(!journal(&folder, "round")[0].to_string().contains(ID));
}

#[test]
fn a_run_of_plugins_needs_a_built_in_baseline() {
    let folder = Folder::planned(&plan(8));
    let file = right(&folder);
    for (words, why) in [
        (&["--plugin", &file, "--design", ID][..], "no built-in design takes part"),
        (&["--plugin", &file, "--baseline", ID], "the baseline must be a built-in design"),
    ] {
        folder.run(words).assert().code(2).stderr(predicate::str::contains(why));
    }
}

#[test]
fn perft_counts_with_a_plugin() {
    let folder = Folder::new();
    let file = right(&folder);
    let counted = folder.answer(&["perft", "3", "--plugin", &file, "--divide"]);
    assert!(counted.contains("e2e4: 600") && counted.contains("Nodes searched: 8902"), "{counted}");
    let crash = broken(&folder, "crash.so", &["CRASH"]);
    let words = ["perft", "3", "--plugin", &crash];
    let why = predicate::str::contains("toy/mailbox crashed (signal: 6");
    folder.raywalk(&words).assert().code(3).stdout("").stderr(why);
    let hash = predicate::str::contains("--hash needs a built-in design");
    folder.raywalk(&["perft", "3", "--plugin", &file, "--hash", "1"]).assert().code(2).stderr(hash);
}
