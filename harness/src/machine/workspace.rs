//! Where the source tree is: for the commands that write or build in it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The folder at or above `start` that holds the workspace.
///
/// # Errors
/// One sentence: there is none.
pub fn above(start: &Path) -> Result<PathBuf> {
    let holds = |folder: &&Path| folder.join("variants/core/Cargo.toml").is_file();
    let root = start.ancestors().find(holds);
    Ok(root.context("this is not inside the Raywalk workspace; name it with --root")?.to_owned())
}

/// The workspace at or above the working folder or, failing that, above this program, which lies
/// in the workspace unless it was installed.
///
/// # Errors
/// One sentence: there is none.
pub fn find() -> Result<PathBuf> {
    let program = std::env::current_exe().and_then(|program| program.canonicalize());
    above(&std::env::current_dir()?)
        .or_else(|_| above(&program?))
        .context("the source tree is not here; start the command inside the Raywalk workspace")
}

/// The cargo that this program was started by, or else the one on the path.
pub fn cargo() -> String {
    std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned())
}

/// The program of the target `name` among cargo's messages in JSON: the last, if there are several.
pub fn executable(messages: &str, name: &str) -> Option<PathBuf> {
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
    fn the_workspace_is_found_from_any_folder_inside_and_from_none_outside() {
        let root = tempfile::tempdir().expect("a folder");
        let core = root.path().join("variants/core");
        std::fs::create_dir_all(core.join("src")).expect("folders");
        let error = above(&core).expect_err("no manifest yet");
        assert!(error.to_string().contains("--root"), "{error}");
        std::fs::write(core.join("Cargo.toml"), "").expect("a file");
        for start in [root.path(), &core, &core.join("src"), &core.join("not/there")] {
            assert_eq!(above(start).expect("it is above"), root.path());
        }
    }
}
