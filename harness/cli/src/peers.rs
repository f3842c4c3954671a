//! The peers: the generators of other chess libraries, in `variants/peers`.
//!
//! They are plug-ins, and are measured, drawn and verified like other plug-ins. Their users build them with link-time
//! optimisation, which is off in this program, so they are shared libraries with a profile of their own. They are
//! built when a plan names them for the first time, and kept in the cache folder.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use raywalk_measure::machine::program::{self, Answer, Limits, Stderr};
use raywalk_measure::plan::{Plan, PluginFile};
use raywalk_positions::Store;
use raywalk_results::pattern::is_match;

use crate::console::note;
use crate::duration::in_words;
use crate::output::stopwatch;
use crate::registry::DESIGNS;
use crate::{folders, workspace};

mod key;

/// The peers of the quick plan: the fastest one of each legality.
pub(crate) const QUICK: [&str; 2] = ["peer/cozy-chess-pext", "peer/owlchess"];

/// Upper bound on the time that all libraries take to build. With two processors they take about a minute.
const LIMIT: Duration = Duration::from_secs(90);
/// Upper bound on what cargo prints.
const PRINTED: usize = 16 << 20;

/// A shared library of peers.
#[derive(Debug)]
struct Library {
    /// Its file without the extension of the system, and its folder while it is built.
    name: &'static str,
    /// The features of the package that it is built with.
    features: &'static [&'static str],
    ids: &'static [&'static str],
}

/// The libraries. PEXT is a feature of cozy-chess, so no library has it with and without.
const LIBRARIES: [Library; 2] = [
    Library {
        name: "cozy-chess-pext",
        features: &["--no-default-features", "--features", "pext"],
        ids: &["peer/cozy-chess-pext"],
    },
    Library {
        name: "others",
        features: &[],
        ids: &["peer/cozy-chess", "peer/owlchess", "peer/chess"],
    },
];

/// The ids of all peers that one of these patterns matches. No pattern stands for the built-in designs.
pub(crate) fn named(patterns: &[String]) -> Vec<&'static str> {
    let is_named = |id: &&str| patterns.iter().any(|pattern| is_match(pattern, id));
    ids().filter(is_named).collect()
}

fn ids() -> impl Iterator<Item = &'static str> {
    LIBRARIES.iter().flat_map(|library| library.ids.iter().copied())
}

/// Whether a design is a peer.
pub(crate) fn is_peer(id: &str) -> bool {
    ids().any(|peer| peer == id)
}

/// Leaves out all peers but those in `kept`. A pattern that matches others becomes the list of the rest.
///
/// # Errors
/// A sentence if no design is left, because an empty list would stand for all.
pub(crate) fn leave_out(plan: &mut Plan, kept: &[&str]) -> Result<()> {
    let mut left: Vec<String> = Vec::new();
    for pattern in &plan.designs {
        if ids().all(|id| !is_match(pattern, id) || kept.contains(&id)) {
            left.push(pattern.clone());
            continue;
        }
        let built_in = DESIGNS.iter().map(|entry| entry.card.id);
        let rest = built_in.chain(kept.iter().copied()).filter(|id| is_match(pattern, id));
        left.extend(rest.map(str::to_owned));
    }
    ensure!(
        plan.designs.is_empty() || !left.is_empty(),
        "no built-in design takes part, and ratios refer to one; add one with --design"
    );
    let has_all = DESIGNS.iter().all(|entry| left.iter().any(|id| id == entry.card.id));
    plan.designs = if has_all && kept.is_empty() { Vec::new() } else { left };
    Ok(())
}

/// Adds the libraries of the peers that a plan names. Peers that cannot be built are left out, with a
/// sentence each on stderr.
///
/// # Errors
/// No design is left, or a library that was built cannot be read.
pub(crate) fn join(plan: &mut Plan) -> Result<()> {
    let named = named(&plan.designs);
    let mut there = Vec::new();
    let began = Instant::now();
    for library in &LIBRARIES {
        let wanted: Vec<&str> =
            library.ids.iter().copied().filter(|id| named.contains(id)).collect();
        if wanted.is_empty() {
            continue;
        }
        match library.built(began) {
            Ok(path) => {
                let file = PluginFile::read(&path)?;
                // A user may have passed it as a plug-in.
                if !plan.plugins.contains(&file) {
                    plan.peers.push(file);
                }
                there.extend(wanted);
            }
            Err(error) => note!("without {}: {error:#}", wanted.join(", ")),
        }
    }
    leave_out(plan, &there)
}

/// Builds all libraries that are not in the cache folder, and returns their files.
///
/// # Errors
/// The sentence of the first one that cannot be built.
pub(crate) fn all() -> Result<Vec<PathBuf>> {
    let began = Instant::now();
    LIBRARIES.iter().map(|library| library.built(began)).collect()
}

impl Library {
    /// The file of the library, built now if it is not in the cache folder.
    fn built(&self, began: Instant) -> Result<PathBuf> {
        let source = workspace::find()?.join("variants/peers");
        let store = Store::open_default();
        let cache = store.folder().context("there is no cache folder")?.join("peers");
        let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let name = format!("{prefix}{}{suffix}", self.name);
        let file = cache.join(key::of(&source)?).join(name);
        if !file.is_file() {
            note!("building {}: once, at most {}", self.ids.join(", "), in_words(LIMIT));
            let start = Instant::now();
            let seconds = stopwatch(LIMIT);
            self.build(&source, &cache.join("build").join(self.name), &file, began)?;
            drop(seconds);
            note!("  built in {}", in_words(start.elapsed()));
        }
        Ok(file)
    }

    /// Builds the library in the folder `target` and puts it in its place. The folder stays if that fails, so
    /// that the next attempt resumes there.
    fn build(&self, source: &Path, target: &Path, file: &Path, began: Instant) -> Result<()> {
        let mut cargo = Command::new(workspace::cargo());
        cargo
            .args(["build", "--release", "--locked", "--target-dir"])
            .arg(target)
            .args(["--message-format", "json-render-diagnostics"])
            .args(self.features)
            .current_dir(source)
            // Instead of the flags of the workspace, which hold the compiler back for comparisons' sake.
            .env("CARGO_ENCODED_RUSTFLAGS", key::FLAGS)
            .env_remove("CARGO_BUILD_TARGET");
        let limits = Limits { time: LIMIT.saturating_sub(began.elapsed()), bytes: PRINTED };
        let Answer { status, stdout, stderr } = program::run(&mut cargo, limits, Stderr::Read)
            .map_err(|failure| anyhow!("cargo {failure}"))?;
        let errors = String::from_utf8_lossy(&stderr);
        ensure!(status.success(), "cargo cannot build it: {}", workspace::first_error(&errors));
        let built = workspace::library(&String::from_utf8_lossy(&stdout), "raywalk_peers");
        let built = built.context("cargo does not name the library")?;
        let bytes =
            std::fs::read(&built).with_context(|| format!("cannot read {}", built.display()))?;
        folders::create(file.parent().unwrap_or(source))?;
        folders::replace(file, |out| out.write_all(&bytes))?;
        // Nothing needs it any more, and it is twenty times as large.
        let _ = std::fs::remove_dir_all(target);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patterns(patterns: &[&str]) -> Vec<String> {
        patterns.iter().map(|&pattern| pattern.to_owned()).collect()
    }

    #[test]
    fn peers_take_part_if_they_are_named() {
        assert_eq!(named(&[]), [""; 0]);
        assert_eq!(named(&patterns(&["bitboard", "*/pext"])), [""; 0]);
        assert_eq!(named(&patterns(&["peer/owl*"])), ["peer/owlchess"]);
        assert_eq!(named(&patterns(&["peer"])).len(), 4);
        assert_eq!(named(&patterns(&["*"])).len(), 4);
        assert_eq!(named(&QUICK.map(str::to_owned)), QUICK);
    }

    #[test]
    fn missing_peers_are_left_out_and_an_empty_list_never_becomes_all() {
        let left = |designs: &[&str], kept: &[&str]| {
            let mut plan = Plan { designs: patterns(designs), ..Plan::quick() };
            leave_out(&mut plan, kept).map(|()| plan.designs)
        };
        assert_eq!(left(&["bell", "peer"], &[]).expect("one"), ["bell"]);
        assert_eq!(left(&["bell", "peer"], &["peer/chess"]).expect("both"), ["bell", "peer/chess"]);
        let two = ["peer/cozy-chess", "peer/cozy-chess-pext"];
        assert_eq!(left(&["peer/cozy*"], &two).expect("both"), ["peer/cozy*"]);
        assert_eq!(left(&[], &[]).expect("all built-in ones"), [""; 0]);
        assert_eq!(left(&["*"], &[]).expect("all built-in ones"), [""; 0]);
        let all = left(&["*"], &["peer/chess"]).expect("and one peer");
        assert_eq!((all.len(), all[DESIGNS.len()].as_str()), (DESIGNS.len() + 1, "peer/chess"));
        // A wrong word is reported later.
        assert_eq!(left(&["bel"], &[]).expect("kept"), ["bel"]);
        let error = left(&["peer"], &[]).expect_err("none is left");
        assert!(error.to_string().contains("no built-in design takes part"), "{error}");
    }

    #[test]
    fn the_package_declares_these_peers() {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../variants/peers/src");
        let files = source.read_dir().expect("a folder").flatten().map(|entry| entry.path());
        let files = files.filter(|path| path.extension().is_some_and(|end| end == "rs"));
        let text: String =
            files.map(|path| std::fs::read_to_string(&path).expect("a source")).collect();
        let mut declared: Vec<&str> = text
            .split("c\"peer/")
            .skip(1)
            .map(|rest| rest.split('"').next().expect("the end of a text"))
            .collect();
        declared.sort_unstable();
        let mut known: Vec<_> = ids().map(|id| id.trim_start_matches("peer/")).collect();
        known.sort_unstable();
        assert_eq!(declared, known);
        assert!(ids().all(|id| is_peer(id) && !DESIGNS.iter().any(|entry| entry.card.id == id)));
    }
}
