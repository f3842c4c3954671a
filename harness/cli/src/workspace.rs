//! Finds the source tree, for the commands that write or build in it.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use raywalk_measure::machine::program::Limits;

/// Limits of a build. A cold release build takes ten minutes on two cores.
pub(crate) const BUILD: Limits = Limits { time: Duration::from_secs(3_600), bytes: 64 << 20 };
/// Limits of a program that only describes itself.
pub(crate) const DESCRIBE: Limits = Limits { time: Duration::from_secs(60), bytes: 16 << 20 };

/// The path of this program, as it was at the first call.
///
/// Linking the layouts replaces the file. Linux then calls the running program deleted, although the same
/// program is in its place again afterwards.
pub(crate) fn this_program() -> Result<PathBuf> {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    // Not `get_or_init` alone, because finding the path may fail.
    if let Some(program) = PROGRAM.get() {
        return Ok(program.clone());
    }
    let found = std::env::current_exe().context("cannot find the path of this program")?;
    Ok(PROGRAM.get_or_init(|| found).clone())
}

/// The root of the workspace that contains `start`.
pub(crate) fn above(start: &Path) -> Result<PathBuf> {
    let is_root = |folder: &&Path| folder.join("variants/core/Cargo.toml").is_file();
    let root = start.ancestors().find(is_root);
    Ok(root.context("not inside the Raywalk workspace; name its root with --root")?.to_owned())
}

/// The root of the workspace that contains the working folder or, failing that, this program. Cargo builds
/// programs inside the workspace; installed ones are outside.
pub(crate) fn find() -> Result<PathBuf> {
    let program = this_program().and_then(|program| Ok(program.canonicalize()?));
    above(&std::env::current_dir()?).or_else(|_| above(&program?)).map_err(|_| {
        anyhow!("cannot find the source tree; run this command inside the Raywalk workspace")
    })
}

/// The cargo that started this program, or else the one on the search path.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()).into()
}

/// The path of the program `name` in cargo's JSON messages; the last one if there are several.
pub(crate) fn executable(messages: &str, name: &str) -> Option<PathBuf> {
    let paths = artifacts(messages, name);
    let mut paths = paths.filter_map(|value| Some(PathBuf::from(value["executable"].as_str()?)));
    paths.next_back()
}

/// The path of the shared library `name` in cargo's JSON messages.
pub(crate) fn library(messages: &str, name: &str) -> Option<PathBuf> {
    let mut files = artifacts(messages, name).filter_map(|value| {
        let files = value["filenames"].as_array()?.iter().filter_map(|file| file.as_str());
        let is_shared = |file: &&str| file.ends_with(std::env::consts::DLL_SUFFIX);
        files.rev().find(is_shared).map(PathBuf::from)
    });
    files.next_back()
}

/// The messages about the crate `name`.
fn artifacts(messages: &str, name: &str) -> impl DoubleEndedIterator<Item = serde_json::Value> {
    let values = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    values.filter(move |value: &serde_json::Value| value["target"]["name"] == name)
}

/// The first line of cargo's messages that starts with `error` or, failing that, the last line.
pub(crate) fn first_error(text: &str) -> String {
    let error = text.lines().find(|line| line.starts_with("error"));
    error.or(text.lines().last()).unwrap_or("it printed nothing").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_and_libraries_are_found_in_the_messages_of_cargo() {
        let suffix = std::env::consts::DLL_SUFFIX;
        let messages = format!(
            "{{\"target\":{{\"name\":\"other\"}},\"filenames\":[\"o{suffix}\"],\"executable\":\"o\"}}\n\
             {{\"target\":{{\"name\":\"mine\"}},\"filenames\":[\"m.rlib\",\"m{suffix}\"],\"executable\":null}}\n\
             no JSON\n\
             {{\"target\":{{\"name\":\"tool\"}},\"filenames\":[\"tool\"],\"executable\":\"bin/tool\"}}\n"
        );
        assert_eq!(library(&messages, "mine"), Some(PathBuf::from(format!("m{suffix}"))));
        assert_eq!(executable(&messages, "tool"), Some(PathBuf::from("bin/tool")));
        assert_eq!((library(&messages, "tool"), executable(&messages, "mine")), (None, None));
    }

    #[test]
    fn the_workspace_is_found_from_inside_only() {
        let root = tempfile::tempdir().expect("a folder");
        let core = root.path().join("variants/core");
        std::fs::create_dir_all(core.join("src")).expect("folders");
        let error = above(&core).expect_err("no manifest yet");
        assert!(error.to_string().contains("--root"), "{error}");
        std::fs::write(core.join("Cargo.toml"), "").expect("a file");
        for start in [root.path(), &core, &core.join("src"), &core.join("not/there")] {
            assert_eq!(above(start).expect("a folder inside"), root.path());
        }
    }
}
