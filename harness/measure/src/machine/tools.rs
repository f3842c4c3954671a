//! External programs that some reports need.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use raywalk_results::schema::{Absent, Facility, Reason};

use super::program::{self, Limits, Stderr};

/// An external program, looked up on the search path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tool {
    /// The program. Its file has the name of the facility.
    pub facility: Facility,
    /// Name of the package that contains it, such as `llvm`.
    pub package: &'static str,
}

/// Limits for `--version`.
const LIMITS: Limits = Limits { time: Duration::from_secs(10), bytes: 64 << 10 };

/// Counts instructions and branches exactly.
const VALGRIND: Tool = Tool { facility: Facility::Valgrind, package: "valgrind" };
/// Computes throughput bounds of a loop from its instructions.
pub const LLVM_MCA: Tool = Tool { facility: Facility::LlvmMca, package: "llvm" };

/// All external programs that raywalk can run.
pub const ALL: [Tool; 2] = [VALGRIND, LLVM_MCA];

impl Tool {
    /// Path of the program, if it is installed.
    pub fn find(self) -> Option<PathBuf> {
        let folders = std::env::var_os("PATH")?;
        self.find_in(std::env::split_paths(&folders))
    }

    /// Some systems install a program under its version only, such as `llvm-mca-19`. Without the plain name, the
    /// highest version counts.
    fn find_in(self, folders: impl Iterator<Item = PathBuf>) -> Option<PathBuf> {
        let folders: Vec<PathBuf> = folders.collect();
        let file = format!("{}{}", self.facility, std::env::consts::EXE_SUFFIX);
        let plain = folders.iter().map(|folder| folder.join(&file));
        plain.chain(self.versions(&folders)).find(|path| is_program(path))
    }

    /// The programs in these folders with a version behind their name, the highest first.
    fn versions(self, folders: &[PathBuf]) -> Vec<PathBuf> {
        let begin = format!("{}-", self.facility);
        let version = |path: &Path| -> Option<u32> {
            let name = path.file_name()?.to_str()?.strip_suffix(std::env::consts::EXE_SUFFIX)?;
            // As a number: as texts, 9 would follow 19.
            name.strip_prefix(&begin)?.parse().ok()
        };
        let files = folders.iter().filter_map(|folder| folder.read_dir().ok()).flatten();
        let paths = files.filter_map(|file| Some(file.ok()?.path()));
        let mut found: Vec<_> = paths.filter_map(|path| Some((version(&path)?, path))).collect();
        found.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
        found.into_iter().map(|(_, path)| path).collect()
    }

    /// The line of its `--version` that contains a version number.
    ///
    /// # Errors
    /// Why it cannot be run, as one sentence.
    pub fn version(self) -> Result<String, String> {
        let path = self.find().ok_or_else(|| self.missing().reason.to_string())?;
        version_of(&mut Command::new(path), LIMITS)
    }

    /// The record of the missing program.
    pub fn missing(self) -> Absent {
        let reason = Reason::NotInstalled { package: self.package.to_owned() };
        Absent::facility(self.facility, reason)
    }
}

fn version_of(command: &mut Command, limits: Limits) -> Result<String, String> {
    let name = Path::new(command.get_program()).display().to_string();
    let answer = program::run(command.arg("--version"), limits, Stderr::Read)
        .map_err(|failure| format!("{name} {failure}."))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let numbered =
        text.lines().map(str::trim).find(|line| line.contains(|c: char| c.is_ascii_digit()));
    match numbered {
        Some(line) if answer.status.success() => Ok(line.to_owned()),
        _ => Err(format!("{name} prints no version.")),
    }
}

/// Records of the programs that are not installed.
pub fn absent() -> Vec<Absent> {
    ALL.into_iter().filter(|tool| tool.find().is_none()).map(Tool::missing).collect()
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

    #[test]
    fn a_program_is_found_in_the_first_folder_where_it_is_executable() {
        use std::fs::{self, Permissions};
        use std::os::unix::fs::PermissionsExt;
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

    #[test]
    fn without_the_plain_name_the_highest_version_is_found() {
        use std::fs::{self, Permissions};
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().expect("a folder");
        let add = |name: &str, mode| {
            let path = root.path().join(name);
            fs::write(&path, "").expect("a file");
            fs::set_permissions(&path, Permissions::from_mode(mode)).expect("permissions");
            path
        };
        let find = || LLVM_MCA.find_in([root.path().to_owned()].into_iter());
        add("llvm-mca-old", 0o755);
        assert_eq!(find(), None);
        add("llvm-mca-9", 0o755);
        let nineteen = add("llvm-mca-19", 0o755);
        add("llvm-mca-20", 0o644);
        assert_eq!(find(), Some(nineteen));
        let plain = add("llvm-mca", 0o755);
        assert_eq!(find(), Some(plain));
    }

    #[test]
    fn a_program_without_a_version_is_an_error() {
        let short = Limits { time: Duration::from_millis(100), ..LIMITS };
        for (script, limits, expected) in [
            ("echo; echo \"valgrind-3.24 $0\"", LIMITS, Ok("valgrind-3.24 --version")),
            ("echo none", LIMITS, Err("sh prints no version.")),
            ("echo 3.24; exit 1", LIMITS, Err("sh prints no version.")),
            ("exec sleep 600", short, Err("sh did not end within 0 s.")),
            ("exec yes 3.24", LIMITS, Err("sh printed more than 64 KiB.")),
        ] {
            let found = version_of(Command::new("sh").args(["-c", script]), limits);
            assert_eq!(found.as_deref().map_err(String::as_str), expected, "{script}");
        }
    }
}
