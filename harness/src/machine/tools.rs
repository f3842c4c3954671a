//! Programs that others wrote and that some numbers need.

use std::path::{Path, PathBuf};
use std::process::Command;

use raywalk_reports::schema::Absent;

/// A program outside, looked for on the search path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Name of the program.
    pub name: &'static str,
    /// What it gives.
    pub gives: &'static str,
    /// Package that holds it.
    pub package: &'static str,
}

/// Counts instructions and branches exactly.
pub const VALGRIND: Tool =
    Tool { name: "valgrind", gives: "counted instructions and branches", package: "valgrind" };
/// Bounds the throughput of a loop from its instructions.
pub const LLVM_MCA: Tool =
    Tool { name: "llvm-mca", gives: "static bounds of the loops", package: "llvm" };

/// All of them.
pub const ALL: [Tool; 2] = [VALGRIND, LLVM_MCA];

impl Tool {
    /// Where it is.
    pub fn find(self) -> Option<PathBuf> {
        let folders = std::env::var_os("PATH")?;
        self.find_in(std::env::split_paths(&folders))
    }

    fn find_in(self, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
        let file = format!("{}{}", self.name, std::env::consts::EXE_SUFFIX);
        folders.map(|folder| folder.join(&file)).find(|path| is_program(path))
    }

    /// The line of its `--version` that names a version.
    ///
    /// # Errors
    /// One sentence why it cannot be used.
    pub fn version(self) -> Result<String, String> {
        let path = self.find().ok_or_else(|| self.missing())?;
        let output = Command::new(&path)
            .arg("--version")
            .output()
            .map_err(|error| format!("{} does not start: {error}.", path.display()))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let numbered =
            text.lines().map(str::trim).find(|line| line.contains(|c: char| c.is_ascii_digit()));
        match numbered {
            Some(line) if output.status.success() => Ok(line.to_owned()),
            _ => Err(format!("{} does not tell its version.", path.display())),
        }
    }

    fn missing(self) -> String {
        format!("The program {} is not on the search path.", self.name)
    }

    /// How to get it.
    pub fn cure(self) -> String {
        format!("Install the package {} for {}.", self.package, self.gives)
    }
}

/// The programs that are not here.
pub fn absent() -> Vec<Absent> {
    let missing = ALL.into_iter().filter(|tool| tool.find().is_none());
    missing
        .map(|tool| Absent { what: tool.name.to_owned(), why: tool.missing(), cure: tool.cure() })
        .collect()
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_program_is_found_in_the_first_folder_where_it_can_be_run() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = |name: &str, mode| {
            let folder = root.path().join(name);
            fs::create_dir(&folder).expect("a folder");
            fs::write(folder.join("valgrind"), "").expect("a file");
            let path = folder.join("valgrind");
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("permissions");
            folder
        };
        let (text, first, second) = (folder("a", 0o644), folder("b", 0o755), folder("c", 0o755));
        let found = VALGRIND.find_in([text.clone(), first.clone(), second].into_iter());
        assert_eq!(found, Some(first.join("valgrind")));
        assert_eq!(VALGRIND.find_in([text].into_iter()), None);
    }
}
