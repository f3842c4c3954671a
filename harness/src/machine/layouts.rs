//! The same program, laid out in memory in another way.
//!
//! Where a function lies decides which branches share a predictor entry and which lines share a
//! cache set; moving identical code changed its speed by up to 6 %. One binary is one sample of
//! that, however often it is run. So the measuring program is linked anew with its sections in
//! shuffled order, once per seed; nothing is compiled but its one-page `main`, which takes a second
//! or two.
//!
//! Cargo passes arguments to one package's program only, and then chooses the features of foreign
//! crates for that package alone. A plain `cargo run` chooses them for the whole workspace, so after
//! it the first layout builds all libraries once more, which takes minutes; after `cargo build
//! --release -p raywalk-harness` it does not. The code of the designs is the same either way.
//!
//! Each program found this way is asked for its [`Receipt`]: it must be built from the same sources
//! by the same compiler with the same flags as the one that asks, and its functions must lie
//! elsewhere.
//!
//! # Source
//! LLVM's `ld.lld`, option `--shuffle-sections`; it is the default linker of stable Rust on
//! x86-64 Linux. The idea: C. Curtsinger, E. D. Berger, *Stabilizer*, ASPLOS 2013.

use std::path::{Path, PathBuf};
use std::process::Command;

use raywalk_reports::schema::Build;

use super::built::{Places, Receipt};
use super::workspace;

/// Why there are no layouts.
#[derive(Debug, thiserror::Error)]
pub enum LayoutError {
    /// A seed that lld does not take for one.
    #[error("{0} is no seed of a layout: seeds are 1 to 4294967294, and each is given once")]
    Seed(u64),
    /// Layouts are made of the release build.
    #[error(
        "layouts are made of the release build, and this program is `{0}`; build it with --release"
    )]
    Profile(String),
    /// Cargo cannot be started.
    #[error("cargo is needed to link the program anew, and {program} does not start: {source}")]
    NoCargo {
        /// What was started.
        program: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The linker does not know the option.
    #[error(
        "the linker cannot shuffle sections ({0}); lld can: install it and add \
         `-C link-arg=-fuse-ld=lld` to the flags in .cargo/config.toml"
    )]
    Linker(String),
    /// The program cannot be built.
    #[error("cargo could not link the program anew: {0}")]
    Build(String),
    /// A program does not tell what it is.
    #[error("the program that was linked anew gives no receipt: {0}")]
    Receipt(String),
    /// Another program.
    #[error(
        "the program that was linked anew is another one: its {what} is `{found}`, that of this \
         program `{ours}`; build this one again and start it again"
    )]
    Other {
        /// What differs.
        what: &'static str,
        /// In the new one.
        found: String,
        /// In the one that runs.
        ours: String,
    },
    /// The option was taken and nothing moved.
    #[error("the linker takes --shuffle-sections and lays two programs out in the same way")]
    Unmoved,
    /// A file cannot be written.
    #[error("cannot write {path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

/// A seed from a random word: lld takes 32 bits, of which 0 stands for a seed of its own choice and
/// all ones for the reversed order.
pub const fn seed(word: u64) -> u64 {
    1 + word % (u32::MAX as u64 - 1)
}

/// Links the measuring program of the workspace at `root` once per seed and copies the results to
/// `into/raywalk-SEED`, in the order of the seeds. `progress` is told each seed whose program is
/// there. What cargo has built before is what it finds afterwards.
///
/// # Errors
/// One sentence why a layout could not be made.
pub fn relink(
    root: &Path,
    seeds: &[u64],
    into: &Path,
    progress: impl FnMut(u64),
) -> Result<Vec<PathBuf>, LayoutError> {
    let ours = Receipt::of_this_binary();
    if !ours.build.profile.starts_with("release") {
        return Err(LayoutError::Profile(ours.build.profile));
    }
    relink_by(&Cargo { root: root.to_owned() }, &ours, seeds, into, progress)
}

/// Makes layouts. Behind a trait, so that everything else is tested without a linker.
trait Linker {
    /// Links with a seed, or as ever; the program.
    fn link(&self, seed: Option<u64>) -> Result<PathBuf, LayoutError>;

    /// What a program says of itself.
    fn receipt(&self, program: &Path) -> Result<Receipt, LayoutError>;

    /// Forgets a program that has been copied.
    fn forget(&self, program: &Path);
}

fn relink_by(
    linker: &impl Linker,
    ours: &Receipt,
    seeds: &[u64],
    into: &Path,
    progress: impl FnMut(u64),
) -> Result<Vec<PathBuf>, LayoutError> {
    for (place, &seed) in seeds.iter().enumerate() {
        if seed == 0 || seed >= u64::from(u32::MAX) || seeds[..place].contains(&seed) {
            return Err(LayoutError::Seed(seed));
        }
    }
    std::fs::create_dir_all(into)
        .map_err(|source| LayoutError::Io { path: into.to_owned(), source })?;
    let made = each(linker, ours, seeds, into, progress);
    // Whatever happened, the next `cargo run` shall find the program as it was.
    let plain = linker.link(None);
    let (programs, mut places): (Vec<_>, Vec<_>) = made?.into_iter().unzip();
    places.push(linker.receipt(&plain?)?.places);
    places.sort();
    if places.windows(2).any(|two| two[0] == two[1]) {
        return Err(LayoutError::Unmoved);
    }
    Ok(programs)
}

/// The programs, and where their functions lie.
fn each(
    linker: &impl Linker,
    ours: &Receipt,
    seeds: &[u64],
    into: &Path,
    mut progress: impl FnMut(u64),
) -> Result<Vec<(PathBuf, Places)>, LayoutError> {
    let mut programs = Vec::with_capacity(seeds.len());
    for &seed in seeds {
        let linked = linker.link(Some(seed))?;
        let program = into.join(format!("raywalk-{seed}{}", std::env::consts::EXE_SUFFIX));
        std::fs::copy(&linked, &program)
            .map_err(|source| LayoutError::Io { path: program.clone(), source })?;
        linker.forget(&linked);
        let receipt = linker.receipt(&program)?;
        same(&receipt.build, &ours.build)?;
        programs.push((program, receipt.places));
        progress(seed);
    }
    Ok(programs)
}

/// Whether two programs differ in nothing but their layout.
fn same(found: &Build, ours: &Build) -> Result<(), LayoutError> {
    let commit = |build: &Build| {
        let commit = build.commit.as_deref().unwrap_or("unknown");
        format!("{commit}{}", if build.dirty { ", changed" } else { "" })
    };
    let parts = [
        ("version", found.version.clone(), ours.version.clone()),
        ("digest of the sources", found.sources.clone(), ours.sources.clone()),
        ("commit", commit(found), commit(ours)),
        ("compiler", found.rustc.clone(), ours.rustc.clone()),
        ("target", found.target.clone(), ours.target.clone()),
        ("flags", found.flags.clone(), ours.flags.clone()),
        ("profile", found.profile.clone(), ours.profile.clone()),
    ];
    match parts.into_iter().find(|(_, found, ours)| found != ours) {
        Some((what, found, ours)) => Err(LayoutError::Other { what, found, ours }),
        None => Ok(()),
    }
}

/// Cargo, in a workspace.
struct Cargo {
    root: PathBuf,
}

impl Linker for Cargo {
    /// Arguments for one crate alone, so that no library is built again; flags and profile are those
    /// of the workspace.
    fn link(&self, seed: Option<u64>) -> Result<PathBuf, LayoutError> {
        let program = workspace::cargo();
        let mut cargo = Command::new(&program);
        cargo.current_dir(&self.root);
        cargo.args(["rustc", "--release", "--locked", "--package", "raywalk-harness"]);
        cargo.args(["--bin", "raywalk", "--message-format", "json-render-diagnostics"]);
        if let Some(seed) = seed {
            cargo.arg("--").arg(format!("-Clink-arg=-Wl,--shuffle-sections=*={seed}"));
        }
        let output = cargo.output().map_err(|source| LayoutError::NoCargo { program, source })?;
        if !output.status.success() {
            return Err(refusal(&String::from_utf8_lossy(&output.stderr)));
        }
        workspace::executable(&String::from_utf8_lossy(&output.stdout), "raywalk")
            .ok_or_else(|| LayoutError::Build("it names no program".to_owned()))
    }

    fn receipt(&self, program: &Path) -> Result<Receipt, LayoutError> {
        let output = Command::new(program)
            .arg("receipt")
            .output()
            .map_err(|error| LayoutError::Receipt(error.to_string()))?;
        if !output.status.success() {
            return Err(LayoutError::Receipt(first_line(&String::from_utf8_lossy(&output.stderr))));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|error| LayoutError::Receipt(error.to_string()))
    }

    /// Cargo keeps a program for each list of arguments, tens of megabytes for each seed, in the
    /// folder `deps` under the same inode.
    fn forget(&self, program: &Path) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let inode = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
            let deps = program.parent().map(|folder| folder.join("deps"));
            let kept = deps.and_then(|deps| deps.read_dir().ok()).into_iter().flatten().flatten();
            for file in kept.map(|entry| entry.path()) {
                if inode(&file).is_some() && inode(&file) == inode(program) {
                    // What stays behind takes space and nothing else.
                    let _ = std::fs::remove_file(file);
                }
            }
        }
        #[cfg(not(unix))]
        let _ = program;
    }
}

/// What cargo printed, as a sentence.
fn refusal(errors: &str) -> LayoutError {
    let unknown = |line: &&str| {
        let says = |word| line.contains(word);
        // The command line, which is printed too, names the option and complains of nothing.
        says("shuffle-sections")
            && ["unrecognized option", "unknown option", "unknown argument", "invalid"]
                .into_iter()
                .any(says)
    };
    match errors.lines().find(unknown) {
        Some(line) => LayoutError::Linker(line.trim().trim_start_matches("= note: ").to_owned()),
        None => LayoutError::Build(first_line(errors)),
    }
}

/// The line that says what went wrong: the first error or, failing that, the last line.
fn first_line(text: &str) -> String {
    let error = text.lines().find(|line| line.starts_with("error"));
    error.or(text.lines().last()).unwrap_or("it printed nothing").trim().to_owned()
}

#[cfg(test)]
mod tests;
