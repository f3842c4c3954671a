//! Writes down what was built and from what, for the journal's first line.
//!
//! Works outside a git tree and without git: then there is no commit.

use std::env;
use std::path::Path;
use std::process::Command;

#[path = "src/machine/sources.rs"]
mod sources;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let rustc = output(Command::new(compiler).arg("--version"));
    say("RUSTC", &rustc.unwrap_or_else(|| "rustc of unknown version".to_owned()));
    say("TARGET", &variable("TARGET"));
    say("FLAGS", &variable("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " "));
    let checks = if env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() { "on" } else { "off" };
    let (profile, level) = (variable("PROFILE"), variable("OPT_LEVEL"));
    say("PROFILE", &format!("{profile}, opt-level {level}, debug assertions {checks}"));

    // Without locks: a status that refreshed the index would make the next build run this again.
    let git = |arguments: &[&str]| {
        output(Command::new("git").arg("--no-optional-locks").arg("-C").arg(&root).args(arguments))
    };
    let commit = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    say("COMMIT", &commit);
    say("DIRTY", if changed.is_some_and(|changed| !changed.is_empty()) { "true" } else { "false" });
    // No flag of the linker is part of it, so a binary that was only linked anew has the same.
    say("SOURCES", &sources::digest(&root).unwrap_or_default());

    println!("cargo::rerun-if-changed=build.rs");
    // Whatever moves HEAD of this work tree is logged, and commits to other branches are not. Where
    // nothing is logged, HEAD itself and all that it may point to. The index is not watched: git
    // refreshes it while it only looks.
    let git_path = |name: &str| git(&["rev-parse", "--git-path", name]).map(|path| root.join(path));
    let logged = git_path("logs/HEAD").filter(|path| path.exists());
    let moves = match logged {
        Some(log) => vec![log],
        None => ["HEAD", "packed-refs", "refs/heads"].into_iter().filter_map(git_path).collect(),
    };
    // The tree gets dirty, and its digest another, with any source.
    let watched = moves.into_iter().chain(sources::ROOTS.map(|name| root.join(name)));
    // A path that does not exist would count as changed for ever.
    for path in watched.filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

fn say(name: &str, value: &str) {
    let line = value.lines().next().unwrap_or_default();
    println!("cargo::rustc-env=RAYWALK_{name}={line}");
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
