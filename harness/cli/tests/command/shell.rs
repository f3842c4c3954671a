//! Completions for shells, and manual pages.

use predicates::prelude::*;

use crate::folder::{Folder, output, raywalk};

#[test]
fn every_shell_gets_completions_of_the_visible_commands() {
    for (shell, sign) in [
        ("bash", "complete -F _raywalk"),
        ("zsh", "#compdef raywalk"),
        ("fish", "complete -c raywalk"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = output(raywalk(&["completions", shell]));
        assert!(script.contains(sign), "{shell}");
        assert!(script.contains("new-design") && script.contains("resume"), "{shell}");
        assert!(!script.contains("worker"), "{shell}: a hidden command");
    }
    raywalk(&["completions", "basic"]).assert().code(2).stdout("");
}

#[test]
fn bash_accepts_its_completions() {
    let folder = Folder::new();
    folder.write("raywalk.bash", &output(raywalk(&["completions", "bash"])));
    // Not every system has bash.
    let check =
        std::process::Command::new("bash").arg("-n").arg(folder.path("raywalk.bash")).status();
    if let Ok(status) = check {
        assert!(status.success());
    }
}

#[test]
fn every_visible_command_has_a_manual_page() {
    let program = output(raywalk(&["man"]));
    assert!(program.contains(".TH raywalk 1"), "{program}");
    let run = output(raywalk(&["man", "run"]));
    assert!(run.contains("raywalk\\-run") && run.contains("\\-\\-resume"), "{run}");
    let folder = Folder::new();
    folder.raywalk(&["man", "--out", "man1"]).assert().success();
    let pages = std::fs::read_dir(folder.path("man1")).expect("a folder").flatten();
    let names: Vec<String> =
        pages.map(|page| page.file_name().to_string_lossy().into_owned()).collect();
    for expected in ["raywalk.1", "raywalk-run.1", "raywalk-new-design.1", "raywalk-man.1"] {
        assert!(names.iter().any(|name| name == expected), "{expected}: {names:?}");
    }
    assert!(names.iter().all(|name| !name.contains("worker") && !name.contains("manifest")));
    assert_eq!(folder.read("man1/raywalk-run.1"), run);
    raywalk(&["man", "dance"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("no command is called `dance`"));
}
