//! `raywalk chains`: counts, and messages where something is missing. No time is judged.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use crate::folder::{Folder, JOURNAL, PAGE, PLAN, is_documented, records};
use predicates::prelude::*;
use raywalk_results::schema::Record;
use serde_json::Value;

fn chains(folder: &Folder, designs: &[&str]) -> Value {
    let mut words = vec!["chains", "--format", "json"];
    designs.iter().for_each(|design| words.extend(["--design", design]));
    serde_json::from_str(&folder.answer(&words)).expect("JSON")
}

#[test]
fn every_visited_square_of_a_list_is_one_iteration_whatever_the_rays() {
    let found =
        chains(&Folder::new(), &["ferret/pointer", "linked-list/pointer", "dense-index/u32"]);
    is_documented(&["chains"], &found);
    assert_eq!((&found["unavailable"], &found["not_measured"]), (&Value::Null, &Value::Null));
    let designs = found["designs"].as_array().expect("designs");
    assert_eq!(designs.len(), 3);
    for design in designs {
        assert_eq!((&design["missing"], &design["scope"]), (&Value::Null, &"sliders".into()));
        let iterations = |key: &str| design["iterations"][key].as_f64().expect("a number");
        // One list for all rays of a piece: their number changes nothing.
        assert!((iterations("per_square") - 1.0).abs() < 1e-6, "{design}");
        assert!(iterations("per_ray").abs() < 1e-6 && iterations("residual") < 1e-6, "{design}");
        let [low, high] = ["low", "high"].map(|end| design["interval"][end].as_f64());
        let slope = design["measured"]["per_square"].as_f64();
        assert!(low < slope && slope < high, "{design}");
        let count = design["iteration"].as_array().expect("instructions").len();
        let steps = design["steps"].as_array().expect("steps");
        assert!(!steps.is_empty(), "{design}");
        let places = steps.iter().map(|step| step["instruction"].as_u64().expect("a place"));
        assert!(places.into_iter().all(|place| (place as usize) < count), "{design}");
    }
}

#[test]
fn latencies_and_mispredictions_have_all_their_kernels() {
    let found = chains(&Folder::new(), &["ferret/pointer"]);
    let names = |list: &str, key: &str| {
        let list = found[list].as_array().expect("a list").iter();
        list.map(|one| one[key].as_str().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let latencies = names("latencies", "instruction");
    for form in ["load [r]", "load [b+i]", "load [b+i*8]", "xor", "test + cmov"] {
        assert!(latencies.iter().any(|name| name == form), "{latencies:?}");
    }
    assert_eq!(names("mispredictions", "feed"), ["registers", "one load", "two loads"]);
}

#[test]
fn without_llvm_mca_one_sentence_says_so() {
    let folder = Folder::new();
    let mut command = folder.raywalk(&["chains", "--design", "ferret/pointer"]);
    let expected = predicate::str::contains("llvm-mca is not available here: ");
    command.env("PATH", "").assert().success().stdout(expected);
}

#[test]
fn chains_are_appended_to_a_session_that_has_their_designs() {
    let folder = Folder::planned(PLAN);
    folder.run(&[]).assert().success();
    let into =
        |design: &str| folder.raywalk(&["chains", "--design", design, "--into", "result"]).assert();
    into("bell/last-square").success();
    into("bell/last-square").success();
    let chains = |record: &Record| match record {
        Record::Chain(chain) => {
            assert!(chain.interval.is_some() && chain.assumed.is_some(), "{chain:?}");
            Some(chain.design.clone())
        }
        _ => None,
    };
    let found: Vec<String> = records(&folder.read(JOURNAL)).iter().filter_map(chains).collect();
    assert_eq!(found, ["bell/last-square"; 2]);
    let page = folder.read(PAGE);
    // Of two measurements the last one counts.
    assert!(page.contains("Of 1 walk, "), "no chain on the page");
    let none = predicate::str::contains("the session has none of these designs");
    into("ferret/pointer").code(2).stdout("").stderr(none);
}

#[test]
fn an_unknown_design_is_bad_input() {
    Folder::new().raywalk(&["chains", "--design", "ferrot"]).assert().code(2);
}
