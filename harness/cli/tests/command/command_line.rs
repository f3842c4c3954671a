//! The command line: output, error messages, exit codes.

use predicates::prelude::*;

use crate::folder::{self, output, raywalk};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn answer(words: &[&str]) -> String {
    output(raywalk(words))
}

#[test]
fn bad_input_gets_one_sentence_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_string_lossy().into_owned()
    };
    let plan = file("plan.toml", b"seed = 1\npannels = []\n");
    let epd = file("wrong.epd", b"8/8/8/8/8/8/8/8 w - - 0 1 ;D1 3 ; no kings\n");
    let binary = file("binary.epd", &[0xff, 0xfe, 0]);
    let journal = file("journal.jsonl", b"{\"record\":\"end\",\"finished\":\"\",\"rounds\":0}\n");
    let foreign = file("foreign.jsonl", b"{\"record\":\"session\",\"schema\":\"other/9\"}\n");
    let cases: &[(&[&str], &str)] = &[
        (&["fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "king"),
        (&["fen", "nonsense"], "board"),
        (
            &["fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1"],
            "en passant square",
        ),
        (&["fen", "4k3/8/8/8/8/8/8/4K3 w K - 0 1"], "castling rights"),
        (&["perft", "3", "--fen", "4k3/8/8/8/8/8/4r3/4K3 b - - 0 1"], "check"),
        (&["perft", "2", "--moves", "e2e5"], "e2e5"),
        (&["perft", "2", "--count", "bulk", "--design", "bell/steps"], "pseudo-legal"),
        (&["moves", "--design", "bitbord/pext"], "did you mean"),
        (&["moves", "--design", "bitboard"], "several designs"),
        (&["verify", "--epd", "no-such-file.epd"], "no-such-file.epd"),
        (&["verify", "--epd", &epd], "line 1"),
        (&["verify", "--epd", &binary], "binary.epd"),
        (&["verify", "--workload", "ab44"], "ab4"),
        (&["verify", "--workload", "ab4:many"], "many"),
        (&["run", "--plan", "no-such-plan.toml"], "no-such-plan.toml"),
        (&["run", "--plan", &plan], "pannels"),
        (&["run", "--workload", "ab44"], "ab4"),
        (&["run", "--resume", "--out", "no-such-folder"], "no journal"),
        (&["report", "no-such-folder"], "no-such-folder"),
        (&["report", &journal], "line 1"),
        (&["report", &foreign], "line 1"),
        (&["new-design", "Mine!"], "Mine!"),
    ];
    for (words, expected) in cases {
        let assert =
            raywalk(words).assert().code(2).stdout("").stderr(predicate::str::contains(*expected));
        let error = String::from_utf8(assert.get_output().stderr.clone()).expect("text");
        assert_eq!(error.trim_end().lines().count(), 1, "{words:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}

#[test]
fn unknown_words_are_bad_input() {
    raywalk(&["perft", "many"]).assert().code(2);
    raywalk(&["dance"]).assert().code(2);
    raywalk(&["list", "--format", "xml"]).assert().code(2);
}

#[test]
fn a_position_is_drawn_and_its_fen_normalised() {
    let text = answer(&["fen", "4k3/8/8/8/8/8/8/4K2R", "w", "K", "-"]);
    assert!(text.contains("White to move"), "{text}");
    assert!(text.ends_with("4k3/8/8/8/8/8/8/4K2R w K - 0 1\n"), "{text}");
}

#[test]
fn moves_are_sorted_and_split_into_stages() {
    let lines = |words: &[&str]| answer(words).lines().map(str::to_owned).collect::<Vec<_>>();
    let all = lines(&["moves", "--fen", KIWIPETE]);
    assert_eq!(all.len(), 48);
    assert!(all.is_sorted());
    let captures = lines(&["moves", "--fen", KIWIPETE, "--stage", "captures"]);
    let quiets = lines(&["moves", "--fen", KIWIPETE, "--stage", "quiets"]);
    assert_eq!((captures.len(), quiets.len()), (8, 40));
    assert!(quiets.contains(&"e1g1".to_owned()) && captures.contains(&"e2a6".to_owned()));
    // The rook is pinned: pseudo-legal moves leave the file, legal ones do not.
    let pinned =
        ["moves", "--fen", "4r1k1/8/8/8/8/8/4R3/4K3 w - - 0 1", "--design", "bell/last-square"];
    let legal = lines(&pinned).len();
    let pseudo = lines(&[&pinned[..], &["--pseudo"]].concat()).len();
    assert!(pseudo > legal, "{pseudo} {legal}");
}

#[test]
fn winning_captures_are_a_stage_of_the_designs_that_offer_them() {
    // The rook takes the queen, the pawn takes the rook and promotes. The bishop could take a bishop.
    let fen = "n3rk2/3P4/8/q6b/8/2n3r1/4B3/R2RK3 w - - 0 1";
    let designs = ["bitboard/hyperbola", "dense-index/u32", "reul/blocker-loop", "ox88/pair-scan"];
    for design in designs {
        let words = ["moves", "--stage", "winning", "--pseudo", "--design", design, "--fen"];
        let text = answer(&[&words[..], &[fen]].concat());
        assert_eq!(text, "a1a5\nd7e8b\nd7e8n\nd7e8q\nd7e8r\n", "{design}");
    }
    // Queen and knight give check at once, so no capture of one of them is legal.
    let words = ["moves", "--stage", "winning", "--fen", "4k3/8/8/q7/8/5n2/4P3/R3K3 w - - 0 1"];
    assert_eq!(answer(&words), "");
    assert_eq!(answer(&[&words[..], &["--pseudo"]].concat()), "a1a5\ne2f3\n");
}

#[test]
fn perft_divides_in_the_styles_of_stockfish_and_perftree() {
    let stockfish = answer(&["perft", "2", "--divide"]);
    assert_eq!(stockfish.lines().filter(|line| line.ends_with(": 20")).count(), 20);
    assert!(stockfish.ends_with("\n\nNodes searched: 400\n"), "{stockfish}");
    let perftree = answer(&["perft", "2", "--style", "perftree", "--moves", "e2e4", "e7e5"]);
    assert!(perftree.lines().any(|line| line == "g1f3 29"), "{perftree}");
    assert!(
        perftree.ends_with("\n\n839\n")
            || perftree.lines().last().is_some_and(|n| n.parse::<u64>().is_ok())
    );
    assert!(answer(&["perft", "0"]).starts_with("1 leaves"));
    assert!(answer(&["perft", "4"]).starts_with("197281 leaves at depth 4"));
    assert!(answer(&["perft", "5", "--hash", "16"]).starts_with("4865609 leaves"));
}

#[test]
fn the_list_is_json_for_programs() {
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(&answer(&["list", "--format", "json"])).expect("JSON");
    folder::is_documented(&["list"], &rows.clone().into());
    let pext = rows.iter().find(|row| row["id"] == "bitboard/pext").expect("a design of the list");
    assert_eq!((&pext["family"], &pext["legality"]), (&"bitboard".into(), &"pseudo-legal".into()));
    let bell = answer(&["list", "--design", "bell"]);
    assert_eq!(bell.lines().filter(|line| line.starts_with("bell/")).count(), 4);
}

#[test]
fn the_workloads_are_json_for_programs() {
    let text = answer(&["workloads", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    folder::is_documented(&["workloads"], &value);
    let rows = value.as_array().expect("a list");
    let cycle = rows.iter().find(|row| row["name"] == "cycle-16").expect("a workload");
    assert_eq!((&cycle["period"], &cycle["series"]["k"]), (&16.into(), &16.into()));
}

#[test]
fn the_readme_and_the_help_list_the_same_exit_codes() {
    let help = answer(&["--help"]);
    let (_, codes) = help.split_once("Exit codes:\n").expect("a list at the end");
    let (numbers, meanings): (Vec<&str>, Vec<&str>) =
        codes.lines().map(|line| line.trim().split_once("  ").expect("two columns")).unzip();
    assert_eq!(numbers, ["0", "1", "2", "3", "130"]);
    let readme = include_str!("../../../../README.md");
    for (number, meaning) in numbers.iter().zip(meanings) {
        let row = format!("| {number} | {} |", meaning.trim());
        assert!(readme.contains(&row), "{row}");
    }
}

#[test]
fn the_readme_gives_the_number_of_designs() {
    let readme = include_str!("../../../../README.md");
    let sentence =
        format!("Raywalk collects {} designs in Rust,", raywalk::registry::DESIGNS.len());
    assert!(readme.contains(&sentence), "the README lacks `{sentence}`");
}

#[test]
fn a_pattern_of_many_stars_is_answered_at_once() {
    let stars = format!("{}zz", "*".repeat(30));
    let mut list = raywalk(&["list", "--design", &stars]);
    list.timeout(std::time::Duration::from_secs(60)).assert().code(2);
}

#[test]
fn a_wrong_count_is_exit_code_1_and_names_the_fact_as_possibly_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let epd = folder.path().join("one.epd");
    std::fs::write(&epd, format!("{KIWIPETE} ;D1 47 ; wrong fact\n")).expect("written");
    let epd = epd.to_string_lossy().into_owned();
    raywalk(&["verify", "--design", "bell", "--epd", &epd])
        .assert()
        .code(1)
        .stdout(predicate::str::contains("expected 47, found 48"))
        .stdout(predicate::str::contains("the fact itself may be wrong"));
}

#[test]
fn the_doctor_prints_json() {
    let value: serde_json::Value =
        serde_json::from_str(&answer(&["doctor", "--format", "json"])).expect("JSON");
    let entries = value["entries"].as_array().expect("a list");
    assert!(entries.iter().any(|entry| entry["instrument"] == "cycles"));
}

#[test]
fn hunt_finds_no_difference_between_two_right_designs() {
    assert_eq!(
        answer(&["hunt", "3", "--design", "bell/last-square", "--against", "bitboard/hyperbola"]),
        "no difference to depth 3\n"
    );
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for words in [&["schema"][..], &["list"], &["list", "--format", "json"]] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_raywalk"))
            .args(words)
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program of this package");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
    }
}
