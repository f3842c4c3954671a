use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;

use proptest::prelude::*;

use raywalk_measure::schedule::layout_seed;

use super::*;

/// Records the seeds it links, and places its only function at the seed.
struct Fake {
    folder: tempfile::TempDir,
    linked: RefCell<Vec<Option<u64>>>,
    build: Build,
    /// Whether it obeys the option.
    shuffles: bool,
}

impl Fake {
    fn new() -> Fake {
        let build = Build { profile: Profile::release(), ..Build::default() };
        let folder = tempfile::tempdir().expect("a folder");
        Fake { folder, linked: RefCell::default(), build, shuffles: true }
    }

    fn copies(&self) -> PathBuf {
        self.folder.path().join("into")
    }

    fn relink(&self, seeds: &[u64]) -> Result<Vec<PathBuf>, LayoutError> {
        relink_by(self, &manifest(&Fake::new().build, 0), seeds, &self.copies(), |_| ())
    }
}

fn manifest(build: &Build, place: i64) -> BuildManifest {
    BuildManifest { build: build.clone(), places: BTreeMap::from([("walk".to_owned(), place)]) }
}

impl Linker for Fake {
    fn link(&self, seed: Option<u64>) -> Result<PathBuf, LayoutError> {
        self.linked.borrow_mut().push(seed);
        let program = self.folder.path().join("raywalk");
        let place = seed.filter(|_| self.shuffles).unwrap_or(0);
        fs::write(&program, place.to_string()).expect("a file");
        Ok(program)
    }

    fn manifest(&self, program: &Path) -> Result<BuildManifest, LayoutError> {
        let place = fs::read_to_string(program).expect("a file").parse().expect("a number");
        Ok(manifest(&self.build, place))
    }

    fn forget(&self, program: &Path) {
        fs::remove_file(program).expect("the linked file");
    }
}

#[test]
fn each_seed_gives_a_program_and_the_default_layout_is_restored() {
    let linker = Fake::new();
    let mut reported = Vec::new();
    let ours = manifest(&linker.build, 0);
    let programs = relink_by(&linker, &ours, &[7, 5], &linker.copies(), |seed| reported.push(seed));
    let expected = [7, 5].map(|seed| {
        linker.copies().join(format!("raywalk-{seed}{}", std::env::consts::EXE_SUFFIX))
    });
    assert_eq!(programs.expect("two programs"), expected);
    assert_eq!(fs::read_to_string(&expected[1]).expect("the program"), "5");
    assert_eq!(reported, [7, 5]);
    assert_eq!(*linker.linked.borrow(), [Some(7), Some(5), None]);
}

#[test]
fn other_sources_are_an_error_and_the_default_layout_is_restored() {
    let mut linker = Fake::new();
    linker.build.sources = "other".to_owned();
    let error = linker.relink(&[3, 4]).expect_err("another program").to_string();
    assert!(error.contains("digest of the sources, `other` instead of ``"), "{error}");
    assert_eq!(*linker.linked.borrow(), [Some(3), None]);
}

#[test]
fn every_property_of_the_build_is_compared() {
    let ours = Build::default();
    let word = || "x".to_owned();
    let others = [
        Build { version: word(), ..ours.clone() },
        Build { commit: Some(word()), ..ours.clone() },
        Build { dirty: true, ..ours.clone() },
        Build { rustc: word(), ..ours.clone() },
        Build { target: word(), ..ours.clone() },
        Build { flags: word(), ..ours.clone() },
        Build { profile: Profile { name: word(), ..Profile::release() }, ..ours.clone() },
        Build { sources: word(), ..ours.clone() },
    ];
    assert!(ensure_same_build(&ours, &ours).is_ok());
    for other in others {
        assert!(
            matches!(ensure_same_build(&other, &ours), Err(LayoutError::Other { .. })),
            "{other:?}"
        );
    }
}

#[test]
fn a_linker_that_moves_nothing_is_an_error() {
    let linker = Fake { shuffles: false, ..Fake::new() };
    for seeds in [&[3, 4][..], &[3]] {
        assert!(matches!(linker.relink(seeds), Err(LayoutError::Unmoved)), "{seeds:?}");
    }
}

#[test]
fn repeated_seeds_and_seeds_that_lld_reserves_are_an_error() {
    let linker = Fake::new();
    for seeds in [&[0][..], &[u64::from(u32::MAX)], &[1 << 32], &[1, 2, 1]] {
        assert!(matches!(linker.relink(seeds), Err(LayoutError::Seed(_))), "{seeds:?}");
    }
    assert!(linker.linked.borrow().is_empty());
}

#[test]
fn a_linker_without_the_option_is_named_with_the_remedy() {
    // The message of GNU ld, as printed by rustc below the command line.
    let text = "error: linking with `cc` failed: exit status: 1\n  |\n  = note:  \"cc\" \
                \"-Wl,--shuffle-sections=*=7\"\n  = note: /usr/bin/ld: unrecognized option \
                '--shuffle-sections=*=7'\n          collect2: error: ld returned 1 exit status\n";
    let error = link_error(text).to_string();
    assert!(error.starts_with("the linker cannot shuffle sections (/usr/bin/ld: unrec"), "{error}");
    assert!(error.contains("-fuse-ld=lld"), "{error}");
    let error = link_error("   Compiling a\nerror[E0425]: cannot find\n  --> a.rs\n").to_string();
    assert_eq!(error, "cargo could not link the program again: error[E0425]: cannot find");
}

#[test]
fn the_program_is_found_in_the_messages_of_cargo() {
    let messages = concat!(
        r#"{"reason":"compiler-artifact","target":{"name":"raywalk"},"executable":null}"#,
        "\nnot JSON\n",
        r#"{"reason":"compiler-artifact","target":{"name":"raywalk"},"executable":"/t/raywalk"}"#,
        "\n",
        r#"{"reason":"build-finished","success":true}"#,
    );
    assert_eq!(workspace::executable(messages, "raywalk"), Some(PathBuf::from("/t/raywalk")));
    let finished = r#"{"reason":"build-finished","success":true}"#;
    assert_eq!(workspace::executable(finished, "raywalk"), None);
}

#[test]
#[cfg(unix)]
fn a_cargo_or_a_program_that_prints_without_end_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    // The shell takes the first argument, `rustc`, as the name of a script.
    fs::write(folder.path().join("rustc"), "exec yes").expect("written");
    let endless = Cargo { root: folder.path().to_owned(), program: "sh".into() };
    let message = |error: LayoutError| {
        assert!(error.is_external(), "{error}");
        error.to_string()
    };
    let linked = message(endless.link(Some(1)).expect_err("no end"));
    assert_eq!(linked, "sh, which links the program again, printed more than 65536 KiB");
    let described = message(endless.manifest("yes".as_ref()).expect_err("no end"));
    assert!(
        described.ends_with("no build manifest: it printed more than 16384 KiB"),
        "{described}"
    );
    let none = Cargo { program: "/no/such/cargo".into(), ..endless };
    assert!(message(none.check().expect_err("no cargo")).contains("cannot be started"));
}

/// Needs the release build; `cargo test --release -- --ignored` runs it.
#[test]
#[ignore = "links the release build three times"]
fn real_layouts_move_the_functions_of_the_same_build() {
    let into = tempfile::tempdir().expect("a folder");
    let root = workspace::find().expect("this source tree");
    let programs = relink(&root, &[11, 12], into.path(), |_| ()).expect("two layouts");
    let cargo = Cargo { root, program: workspace::cargo() };
    let places = programs.iter().map(|program| cargo.manifest(program).expect("a manifest").places);
    let [first, second] = places.collect::<Vec<_>>().try_into().expect("two layouts");
    let moved = first.iter().filter(|(name, place)| second[*name] != **place).count();
    assert!(moved + 1 >= first.len(), "all but the first, which is the origin: {moved}");
}

proptest! {
    #[test]
    fn every_word_gives_a_valid_seed(word: u64) {
        let seed = layout_seed(word);
        prop_assert!((1..u64::from(u32::MAX)).contains(&seed));
    }
}
