//! The modelled mispredictions of a design in other layouts of the program.
//!
//! Another order of sections changes no instruction, only the addresses of branches, and with them which branches
//! share an entry of a predictor. So nothing is traced again: the recorded branches are moved to the addresses in the
//! other layout and replayed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use raywalk_audit::{Image, Moved, Program};
use raywalk_models::branch::{ConditionalModel, IndirectModel, Recording};
use raywalk_results::schema::LayoutMisses;

use super::models::Windows;

/// The files of the running program and of the programs of layouts.
pub(crate) struct Images {
    ours: Image,
    others: Vec<(u64, Image)>,
}

/// The files of [`Images`], parsed.
pub(crate) struct Programs<'a> {
    ours: Program<'a>,
    others: Vec<(u64, Program<'a>)>,
}

/// A layout with the places of all code in it.
pub(crate) struct Layout<'a> {
    pub(crate) seed: u64,
    moved: Moved<'a>,
}

impl Images {
    pub(crate) fn read(programs: &[(u64, PathBuf)]) -> Result<Images> {
        let image = |path: &Path| {
            Image::linked(path).with_context(|| format!("cannot read {}", path.display()))
        };
        let others = programs.iter().map(|(seed, path)| Ok((*seed, image(path)?)));
        Ok(Images { ours: Image::running()?, others: others.collect::<Result<_>>()? })
    }

    pub(crate) fn parse(&self) -> Result<Programs<'_>> {
        let others = self.others.iter().map(|(seed, image)| Ok((*seed, Program::parse(image)?)));
        Ok(Programs { ours: Program::parse(&self.ours)?, others: others.collect::<Result<_>>()? })
    }
}

impl Programs<'_> {
    pub(crate) fn layouts(&self) -> Vec<Layout<'_>> {
        let others = self.others.iter();
        others
            .map(|(seed, program)| Layout { seed: *seed, moved: Moved::new(&self.ours, program) })
            .collect()
    }
}

impl Layout<'_> {
    /// Mispredictions at the counted positions of a recording. `None` if code of the design is not found in
    /// the layout.
    pub(crate) fn misses(
        &self,
        recording: &Recording,
        windows: &Windows,
        (conditional, indirect): (ConditionalModel, IndirectModel),
    ) -> Option<LayoutMisses> {
        let moved = recording.moved(|address| self.moved.address(address))?;
        let counted = windows.counted();
        let once = moved.missed_once(counted.clone(), conditional, indirect);
        let learnt = moved.missed_learnt(counted, windows.replay, conditional, indirect);
        let [stream, replay] = [once.rate_of_all(), learnt.rate_of_all()];
        Some(LayoutMisses { layout: self.seed, stream, replay })
    }
}
