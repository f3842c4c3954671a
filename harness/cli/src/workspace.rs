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
    let values = messages.lines().filter_map(|line| serde_json::from_str(line).ok());
    let mut paths = values.filter_map(|value: serde_json::Value| {
        let named = value["target"]["name"] == name;
        let path = value["executable"].as_str().filter(|_| named)?;
        Some(PathBuf::from(path))
    });
    paths.next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

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
