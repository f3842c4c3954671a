//! Links the program again with other memory layouts.
//!
//! The address of a function decides which branches share a predictor entry and which lines share a
//! cache set: moving identical code has changed its speed by up to 6 %. One binary is one sample of that
//! effect, however often it runs. This module therefore links the measuring program once per seed with its
//! sections in shuffled order. Only its one-page `main` is compiled again, which takes a second or two.
//!
//! Cargo passes linker arguments to the program of one package only, and then selects the features of
//! external crates for that package alone. A plain `cargo run` selects them for the whole workspace, so
//! after it the first layout rebuilds all libraries, which takes minutes; after `cargo build --release -p
//! raywalk` it does not. The code of the designs is the same either way.
//!
//! Each linked program prints its [`BuildManifest`]. It must come from the same sources, compiler and flags
//! as this program, and its functions must be elsewhere.
//!
//! # Source
//! LLVM's `ld.lld`, option `--shuffle-sections`; it is the default linker of stable Rust on
//! x86-64 Linux. The idea: C. Curtsinger, E. D. Berger, *Stabilizer*, ASPLOS 2013.

use std::path::{Path, PathBuf};
use std::process::Command;

use raywalk_measure::machine::program::{self, Answer, Failure, Limits, Stderr};
use raywalk_results::likeness::{Difference, differences};
use raywalk_results::schema::{Build, Profile};

use crate::manifest::{self, BuildManifest, Places};
use crate::workspace;

/// Reason why a layout cannot be linked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LayoutError {
    /// lld gives 0 and 4294967295 meanings of their own, and a second copy of a layout adds nothing.
    #[error(
        "{0} is not a valid layout seed; seeds are 1 to 4294967294, and each may be used only once"
    )]
    Seed(u64),
    #[error("layouts need the release build, and this program is `{0}`; build it with --release")]
    Profile(Profile),
    #[error("{program}, which links the program again, {failure}")]
    Cargo { program: PathBuf, failure: Failure },
    /// The linker lacks the option.
    #[error(
        "the linker cannot shuffle sections ({0}); install lld and add `-C link-arg=-fuse-ld=lld` to \
         the flags in .cargo/config.toml"
    )]
    Linker(String),
    #[error("cargo could not link the program again: {0}")]
    Build(String),
    #[error("a linked program prints no build manifest: {0}")]
    BuildManifest(String),
    /// The linked program is of another build.
    #[error(
        "the linked program has another {}, `{}` instead of `{}`; build this program again and \
         restart it", .0.what, .0.one, .0.other
    )]
    Other(Difference),
    #[error("the linker accepts --shuffle-sections, but two programs have the same layout")]
    Unmoved,
    #[error("cannot write {path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
}

impl LayoutError {
    /// Whether another program failed: cargo, its linker, or a linked program.
    pub(crate) fn is_external(&self) -> bool {
        use LayoutError::{Build, BuildManifest, Cargo, Linker};
        matches!(self, Cargo { .. } | Linker(_) | Build(_) | BuildManifest(_))
    }
}

/// Checks what can be checked without linking: seeds, profile, and that cargo starts.
pub(crate) fn check(root: &Path, seeds: &[u64]) -> Result<(), LayoutError> {
    check_seeds(seeds)?;
    check_profile(&manifest::build().profile)?;
    Cargo { root: root.to_owned(), program: workspace::cargo() }.check()
}

fn check_seeds(seeds: &[u64]) -> Result<(), LayoutError> {
    for (place, &seed) in seeds.iter().enumerate() {
        if seed == 0 || seed >= u64::from(u32::MAX) || seeds[..place].contains(&seed) {
            return Err(LayoutError::Seed(seed));
        }
    }
    Ok(())
}

fn check_profile(profile: &Profile) -> Result<(), LayoutError> {
    match profile.is_release() {
        true => Ok(()),
        false => Err(LayoutError::Profile(profile.clone())),
    }
}

/// Links the measuring program of the workspace at `root` once per seed and copies the results to
/// `into/raywalk-SEED`, in the order of the seeds. Calls `progress` with each seed after its program is
/// linked. Afterwards cargo's target folder contains the default layout again.
pub(crate) fn relink(
    root: &Path,
    seeds: &[u64],
    into: &Path,
    progress: impl FnMut(u64),
) -> Result<Vec<PathBuf>, LayoutError> {
    let ours = BuildManifest::of_this_binary();
    check_profile(&ours.build.profile)?;
    let cargo = Cargo { root: root.to_owned(), program: workspace::cargo() };
    relink_by(&cargo, &ours, seeds, into, progress)
}

/// Links layouts. A trait, so that tests need no linker.
trait Linker {
    /// Links with a seed, or in the default layout, and returns the path of the program.
    fn link(&self, seed: Option<u64>) -> Result<PathBuf, LayoutError>;

    /// Runs a program to get its build manifest.
    fn manifest(&self, program: &Path) -> Result<BuildManifest, LayoutError>;

    /// Deletes the linker's own copy of a program.
    fn forget(&self, program: &Path);
}

fn relink_by(
    linker: &impl Linker,
    ours: &BuildManifest,
    seeds: &[u64],
    into: &Path,
    progress: impl FnMut(u64),
) -> Result<Vec<PathBuf>, LayoutError> {
    check_seeds(seeds)?;
    std::fs::create_dir_all(into)
        .map_err(|source| LayoutError::Io { path: into.to_owned(), source })?;
    let linked = link_each(linker, ours, seeds, into, progress);
    // Even after an error: the next `cargo run` must not start a shuffled program.
    let plain = linker.link(None);
    let (programs, mut places): (Vec<_>, Vec<_>) = linked?.into_iter().unzip();
    places.push(linker.manifest(&plain?)?.places);
    // Sorted, so that equal layouts are neighbours.
    places.sort();
    if places.windows(2).any(|two| two[0] == two[1]) {
        return Err(LayoutError::Unmoved);
    }
    Ok(programs)
}

/// Links each seed and returns the programs with the places of their functions.
fn link_each(
    linker: &impl Linker,
    ours: &BuildManifest,
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
        let manifest = linker.manifest(&program)?;
        ensure_same_build(&manifest.build, &ours.build)?;
        programs.push((program, manifest.places));
        progress(seed);
    }
    Ok(programs)
}

/// Fails at the first property in which two builds differ.
fn ensure_same_build(found: &Build, ours: &Build) -> Result<(), LayoutError> {
    match differences(found.identity(), ours.identity()).into_iter().next() {
        Some(difference) => Err(LayoutError::Other(difference)),
        None => Ok(()),
    }
}

/// A linker that runs cargo in the workspace.
struct Cargo {
    /// Root of the workspace.
    root: PathBuf,
    program: PathBuf,
}

impl Cargo {
    /// Runs cargo at the root.
    fn run(&self, arguments: &[&str], limits: Limits) -> Result<Answer, LayoutError> {
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.root);
        program::run(&mut command, limits, Stderr::Read)
            .map_err(|failure| LayoutError::Cargo { program: self.program.clone(), failure })
    }

    /// Fails unless cargo can be run.
    fn check(&self) -> Result<(), LayoutError> {
        let answer = self.run(&["--version"], workspace::DESCRIBE)?;
        match answer.status.success() {
            true => Ok(()),
            false => Err(LayoutError::Build(workspace::first_error(&String::from_utf8_lossy(
                &answer.stderr,
            )))),
        }
    }
}

impl Linker for Cargo {
    /// `cargo rustc` passes the argument to this one crate, so that no library is built again. Flags and
    /// profile are those of the workspace.
    fn link(&self, seed: Option<u64>) -> Result<PathBuf, LayoutError> {
        let mut arguments = vec!["rustc", "--release", "--locked", "--package", "raywalk"];
        arguments.extend(["--bin", "raywalk", "--message-format", "json-render-diagnostics"]);
        let order = seed.map(|seed| format!("-Clink-arg=-Wl,--shuffle-sections=*={seed}"));
        if let Some(order) = &order {
            arguments.extend(["--", order]);
        }
        let answer = self.run(&arguments, workspace::BUILD)?;
        if !answer.status.success() {
            return Err(link_error(&String::from_utf8_lossy(&answer.stderr)));
        }
        workspace::executable(&String::from_utf8_lossy(&answer.stdout), "raywalk")
            .ok_or_else(|| LayoutError::Build("it does not name the program".to_owned()))
    }

    fn manifest(&self, program: &Path) -> Result<BuildManifest, LayoutError> {
        let mut command = Command::new(program);
        command.arg("manifest");
        let answer = program::run(&mut command, workspace::DESCRIBE, Stderr::Read)
            .map_err(|failure| LayoutError::BuildManifest(format!("it {failure}")))?;
        if !answer.status.success() {
            let errors = String::from_utf8_lossy(&answer.stderr);
            return Err(LayoutError::BuildManifest(workspace::first_error(&errors)));
        }
        serde_json::from_slice(&answer.stdout)
            .map_err(|error| LayoutError::BuildManifest(error.to_string()))
    }

    /// Cargo keeps one program per list of arguments in the folder `deps`, tens of megabytes for each seed.
    /// The linked program is a hard link to it, so both have the same inode.
    fn forget(&self, program: &Path) {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let inode = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
            let deps = program.parent().map(|folder| folder.join("deps"));
            let kept = deps.and_then(|deps| deps.read_dir().ok()).into_iter().flatten().flatten();
            for file in kept.map(|entry| entry.path()) {
                if inode(&file).is_some() && inode(&file) == inode(program) {
                    // A file that cannot be removed only wastes space.
                    let _ = std::fs::remove_file(file);
                }
            }
        }
        #[cfg(not(unix))]
        let _ = program;
    }
}

/// The error in what cargo printed.
fn link_error(errors: &str) -> LayoutError {
    let unknown = |line: &&str| {
        let contains = |word| line.contains(word);
        // The output repeats the command line, so the name of the option alone proves nothing.
        contains("shuffle-sections")
            && ["unrecognized option", "unknown option", "unknown argument", "invalid"]
                .into_iter()
                .any(contains)
    };
    match errors.lines().find(unknown) {
        Some(line) => LayoutError::Linker(line.trim().trim_start_matches("= note: ").to_owned()),
        None => LayoutError::Build(workspace::first_error(errors)),
    }
}

#[cfg(test)]
mod tests;
