//! `raywalk new-plugin`: its templates build and are right.

use predicates::prelude::*;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use serde_json::Value;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use crate::code::{audited, faults};
use crate::folder::{self, Folder, raywalk};
use crate::{journal, plan};

#[test]
#[ignore = "about 20 s; run by CI with --ignored"]
fn a_new_plugin_builds_with_a_compiler_alone_and_is_verified_audited_and_measured() {
    let folder = Folder::planned(&plan(8));
    let mut libraries = Vec::new();
    for lang in ["c", "cpp", "rust"] {
        let name = format!("my-{lang}");
        let printed = folder.answer(&["new-plugin", &name, "--lang", lang]);
        let mut commands = printed.lines().filter_map(|line| line.strip_prefix("  "));
        let [enter, build, verify] = [(); 3].map(|()| commands.next().expect("a command"));
        assert_eq!(enter, format!("cd {name}"));
        let mut words = build.split(' ');
        let program = words.next().expect("a program");
        let mut command = std::process::Command::new(program);
        // Not the folder of the tests that run this.
        command.args(words).current_dir(folder.path(&name)).env_remove("CARGO_TARGET_DIR");
        match command.output() {
            Err(error) if lang == "cpp" => {
                eprintln!("skipped: no C++ compiler ({error})");
                continue;
            }
            built => {
                let built = built.expect(program);
                assert!(built.status.success(), "{lang}: {built:?}");
                assert!(lang == "rust" || built.stderr.is_empty(), "{lang}: {built:?}");
            }
        }
        let words: Vec<&str> = verify.split(' ').skip(1).collect();
        let mut check = raywalk(&words);
        check.current_dir(folder.path(&name));
        let shown = folder::output(check);
        assert!(shown.contains("verified") && shown.contains(&name), "{shown}");
        let library = folder.path(&name).join(words.last().expect("a file"));
        let library = library.to_str().expect("a path").to_owned();
        #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
        assert_eq!(faults(&audited(&library, &[])), [] as [&Value; 0], "{lang}");
        libraries.push(library);
    }
    let words: Vec<&str> = libraries.iter().flat_map(|it| ["--plugin", it]).collect();
    folder.run(&words).assert().success();
    let designs = journal(&folder, "design");
    let plugins: Vec<_> = designs.iter().filter(|it| it["plugin"].is_object()).collect();
    assert_eq!(plugins.len(), libraries.len());
    for round in journal(&folder, "round") {
        let samples = round["samples"].as_array().expect("samples");
        for plugin in &plugins {
            assert!(samples.iter().any(|sample| sample["design"] == plugin["id"]), "{round}");
        }
    }
    let again = folder.raywalk(&["new-plugin", "my-c", "--lang", "c"]).assert().code(2);
    again.stderr(predicate::str::contains("my-c exists"));
    let built_in = folder.raywalk(&["new-plugin", "bell", "--lang", "c"]).assert().code(2);
    built_in.stderr(predicate::str::contains("taken by the design"));
}
