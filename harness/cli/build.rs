//! Records compiler, flags and sources of the build, for the session record of journals.
//!
//! Without git, or outside a git tree, the commit is empty. A package from a registry carries the commit that it
//! was made from; a git tree around its folder is ignored.

use std::env;
use std::path::Path;
use std::process::Command;

#[path = "src/sources.rs"]
mod sources;

fn main() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let workspace = package.join("../..");
    let packaged = !workspace.join("harness/cli/build.rs").is_file();
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let compiler = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let rustc = output(Command::new(compiler).arg("--version"));
    set("RUSTC", &rustc.unwrap_or_else(|| "rustc of unknown version".to_owned()));
    set("TARGET", &variable("TARGET"));
    set("FLAGS", &variable("CARGO_ENCODED_RUSTFLAGS").replace('\x1f', " "));
    set("PROFILE", &variable("PROFILE"));
    set("OPT_LEVEL", &variable("OPT_LEVEL"));

    set("PACKAGED", if packaged { "true" } else { "false" });
    println!("cargo::rerun-if-changed=build.rs");
    if packaged {
        record_package(package);
    } else {
        record_workspace(&workspace);
    }
}

/// Records a package. The exact versions of the other crates of Raywalk stand in its manifest, so that the digest
/// of its own files identifies them too.
fn record_package(root: &Path) {
    let made_from = std::fs::read_to_string(root.join(".cargo_vcs_info.json")).unwrap_or_default();
    let (commit, dirty) = sources::packaged_commit(&made_from);
    set("COMMIT", commit.unwrap_or_default());
    set("DIRTY", if dirty { "true" } else { "false" });
    set("SOURCES", &sources::digest(root, &sources::PACKAGE).unwrap_or_default());
}

/// Records the tree of the workspace.
fn record_workspace(root: &Path) {
    // Without optional locks, `git status` leaves the index alone and cannot block other git commands.
    let git = |arguments: &[&str]| {
        output(Command::new("git").arg("--no-optional-locks").arg("-C").arg(root).args(arguments))
    };
    let commit = git(&["rev-parse", "HEAD"]).unwrap_or_default();
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    set("COMMIT", &commit);
    set("DIRTY", if changed.is_some_and(|changed| !changed.is_empty()) { "true" } else { "false" });
    // Arguments on the command line of cargo are not part of the digest, so a relinked layout has the
    // same one.
    set("SOURCES", &sources::digest(root, &sources::WORKSPACE).unwrap_or_default());

    // The log of HEAD changes whenever HEAD of this work tree moves, and does not change with commits to
    // other branches. Without a log, watch HEAD and everything it may point to. The index is not watched,
    // because even `git status` rewrites it.
    let git_path = |name: &str| git(&["rev-parse", "--git-path", name]).map(|path| root.join(path));
    let logged = git_path("logs/HEAD").filter(|path| path.exists());
    let moves = match logged {
        Some(log) => vec![log],
        None => ["HEAD", "packed-refs", "refs/heads"].into_iter().filter_map(git_path).collect(),
    };
    // Any change of a source makes the tree dirty and changes the digest.
    let watched = moves.into_iter().chain(sources::WORKSPACE.map(|name| root.join(name)));
    // Cargo treats a path that does not exist as changed in every build.
    for path in watched.filter(|path| path.exists()) {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// Sets an environment variable for `env!` in the crate, to the first line of the value.
fn set(name: &str, value: &str) {
    let line = value.lines().next().unwrap_or_default();
    println!("cargo::rustc-env=RAYWALK_{name}={line}");
}

/// The trimmed standard output of a command, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
