//! Workloads: lists of positions in a defined order, named by the table or read from a file.
//!
//! The cost of a design depends on the order of the positions as much as on the positions
//! themselves. A core memorises a short cycle, benefits from neighbours that differ by one move,
//! and meets a long shuffled list afresh each time. Therefore a workload fixes both, and a result
//! is only valid together with the workload's [`Order`].

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Arc;

use raywalk_core::Position;

use crate::cache_file;
use crate::corpus::{Corpus, CorpusId, MakeError};
use crate::escape::{escaped, shown};
use crate::names::nearest;
use crate::oracle::{self, Refused};
use crate::position_file::{FileError, Notation, PositionFile};
use crate::random::shuffle;
use crate::recording::RecordedTree;
use crate::sample::Sample;
use crate::sampling::RARE;
use crate::store::Store;
use crate::table::Content;
pub use crate::table::{ALL, Description, Order, Series};
use crate::totals::{Source, Totals};
use crate::{facts, famous, packed, tree};

/// Seed of every shuffle.
const SHUFFLE_SEED: u64 = 5;

/// A workload could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// No workload has this name.
    #[error(
        "unknown workload `{name}`; a file of positions is named by its path, such as `./{name}`{}",
        suggestion(near)
    )]
    Unknown {
        /// The name, as the user wrote it.
        name: String,
        /// Similar names, the closest first; may be empty.
        near: Vec<&'static str>,
    },
    /// One of its corpora could not be made.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// Its file cannot be read.
    #[error("cannot read {path}: {why}")]
    File {
        /// Path of the file, escaped.
        path: String,
        /// The reason why it cannot be read.
        why: FileError,
    },
    /// Its file has the name of a row of the table, and results name a workload by the file's name.
    #[error("the file {path} is called like the workload `{name}`; rename it")]
    Taken {
        /// Path of the file, escaped.
        path: String,
        /// Name of the file, which is that of the row.
        name: String,
    },
}

/// `; did you mean …?` with similar names, if there are any.
fn suggestion(near: &[&str]) -> String {
    match near {
        [] => String::new(),
        near => format!("; did you mean {}?", near.join(" or ")),
    }
}

impl From<Refused> for WorkloadError {
    fn from(refused: Refused) -> WorkloadError {
        WorkloadError::Make(refused.into())
    }
}

/// A workload by the name that a user gave.
#[derive(Clone, Debug)]
pub enum Named {
    /// By its row of the table.
    Row(&'static Description),
    /// By the path of a file of positions; `-` is standard input.
    File(PathBuf),
}

impl Named {
    /// Finds what a word names. It is a path if it is not the name of a row and contains a separator or
    /// a dot, is `-`, or exists as a file.
    ///
    /// # Errors
    /// [`WorkloadError::Unknown`] if it is neither.
    pub fn find(word: &str) -> Result<Named, WorkloadError> {
        match Workload::describe(word) {
            Ok(row) => Ok(Named::Row(row)),
            Err(unknown) => {
                let path = Path::new(word);
                let is_path = word.contains(['/', '.', MAIN_SEPARATOR]) || word == "-";
                if is_path || path.exists() {
                    Ok(Named::File(path.to_owned()))
                } else {
                    Err(unknown)
                }
            }
        }
    }
}

/// A workload with its positions.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The name: that of its row, or that of its file.
    pub name: String,
    /// One line: content and purpose.
    pub about: &'static str,
    /// The order of its positions.
    pub order: Order,
    /// The positions in that order, repeats included.
    pub positions: Arc<[Position]>,
    /// Index of the first position of each search tree, in ascending order; empty if the workload
    /// consists of no trees. A tree without positions begins where the next one does.
    pub roots: Arc<[usize]>,
    /// Number of distinct positions by pieces, side to move, castling rights and en passant square.
    pub distinct: usize,
    /// The totals of `positions`.
    pub totals: Totals,
    /// The corpora or files that the positions come from.
    pub sources: Vec<Source>,
}

/// The positions of a workload without its totals, which take longer to count than to load.
#[derive(Clone, Debug)]
pub struct Ordered {
    /// Positions in order, as in [`Workload::positions`].
    pub positions: Arc<[Position]>,
    /// Roots of the trees, as in [`Workload::roots`].
    pub roots: Arc<[usize]>,
    /// Corpora or files, as in [`Workload::sources`].
    pub sources: Vec<Source>,
}

impl Collected {
    fn ordered(self) -> Ordered {
        Ordered {
            positions: self.samples.iter().map(|sample| sample.position).collect(),
            roots: self.roots.into(),
            sources: self.sources,
        }
    }
}

impl Workload {
    /// The table row of the workload with this name.
    ///
    /// # Errors
    /// [`WorkloadError::Unknown`] with similar names.
    pub fn describe(name: &str) -> Result<&'static Description, WorkloadError> {
        ALL.iter().find(|description| description.name == name).ok_or_else(|| {
            let names = ALL.iter().map(|description| description.name);
            WorkloadError::Unknown { name: shown(name), near: nearest(name, names) }
        })
    }

    /// Reads a file of positions, or standard input if the path is `-`.
    ///
    /// # Errors
    /// [`WorkloadError::File`] or [`WorkloadError::Taken`].
    pub fn of_file(path: &Path) -> Result<Workload, WorkloadError> {
        let is_input = path == Path::new("-");
        let shown = |text: &OsStr| match is_input {
            true => "standard input".to_owned(),
            false => escaped(&text.to_string_lossy()),
        };
        let (name, path_text) =
            (shown(path.file_name().unwrap_or_default()), shown(path.as_os_str()));
        if Workload::describe(&name).is_ok() {
            return Err(WorkloadError::Taken { path: path_text, name });
        }
        let file =
            PositionFile::read(path).map_err(|why| WorkloadError::File { path: path_text, why })?;
        let PositionFile { notation, samples, distinct, totals } = file;
        let (order, about) = match notation {
            Notation::Lines => (Order::Listed, "positions of a file, in the order of its lines"),
            Notation::Games => (Order::Game, "games of a PGN file as played"),
        };
        let Totals { positions, digest, .. } = totals;
        Ok(Workload {
            sources: vec![Source { name: name.clone(), positions, digest }],
            name,
            about,
            order,
            positions: samples.iter().map(|sample| sample.position).collect(),
            roots: Arc::new([]),
            distinct,
            totals,
        })
    }
}

impl Store {
    /// Loads or makes the workload with this name.
    ///
    /// # Errors
    /// [`WorkloadError`] if the name is unknown or a corpus cannot be made.
    pub fn workload(&self, name: &str) -> Result<Workload, WorkloadError> {
        self.row(Workload::describe(name)?)
    }

    /// Loads or makes the workload of a row, or reads that of a file.
    ///
    /// # Errors
    /// [`WorkloadError`] if a corpus cannot be made or the file cannot be read.
    pub fn named(&self, named: &Named) -> Result<Workload, WorkloadError> {
        match named {
            Named::Row(row) => self.row(row),
            Named::File(path) => Workload::of_file(path),
        }
    }

    /// Loads or makes the positions of the workload with this name. Processes that run for a few seconds
    /// use it.
    ///
    /// # Errors
    /// As [`Store::workload`].
    pub fn ordered(&self, name: &str) -> Result<Ordered, WorkloadError> {
        Ok(self.collect(Workload::describe(name)?.content)?.ordered())
    }

    /// Loads or makes the searches that make the positions of a workload, one for each of its trees;
    /// `None` if they are not recorded.
    ///
    /// # Errors
    /// As [`Store::workload`].
    pub fn recording(&self, name: &str) -> Result<Option<Vec<RecordedTree>>, WorkloadError> {
        let row = Workload::describe(name)?;
        if !row.is_recorded() {
            return Ok(None);
        }
        let corpus = self.corpus(CorpusId::Ab4)?;
        let roots = self.beginnings(CorpusId::Ab4, &corpus.samples)?;
        Ok(Some(self.searches(&roots)?))
    }

    fn row(&self, row: &Description) -> Result<Workload, WorkloadError> {
        let &Description { name, about, order, content, .. } = row;
        let collected = self.collect(content)?;
        let distinct: HashSet<_> = collected.samples.iter().map(packed::seen).collect();
        let totals = Totals::of(&collected.samples);
        let Ordered { positions, roots, sources } = collected.ordered();
        let (name, distinct) = (name.to_owned(), distinct.len());
        Ok(Workload { name, about, order, positions, roots, distinct, totals, sources })
    }

    /// The first `count` positions of a workload, cached in a small file of their own.
    ///
    /// This is for programs for which it is expensive to load and verify a whole corpus, such as
    /// those that run under a simulator.
    ///
    /// # Errors
    /// As [`Store::workload`], if they are not cached yet.
    pub fn first(&self, name: &str, count: usize) -> Result<Vec<Position>, WorkloadError> {
        // With the recipe, so that a file of an earlier one is not found: its positions are not verified again.
        let recipe = Workload::describe(name)?.content.fingerprint();
        let title = format!("{name} first {count} of {recipe}");
        let file = cache_file::file_name(&format!("{name}-first-{count}"), &title);
        let path = self.folder().map(|folder| folder.join(file));
        if let Some(corpus) = path.as_ref().and_then(|path| cache_file::read(path, &title)) {
            return Ok(corpus.samples.iter().map(|sample| sample.position).collect());
        }
        let workload = self.workload(name)?;
        let positions: Vec<Position> = workload.positions.iter().take(count).copied().collect();
        if let Some(path) = path {
            let sample = |position| Ok(Sample::of(&oracle::board(position)?, 0));
            let samples = positions.iter().map(sample).collect::<Result<_, WorkloadError>>()?;
            // A failed write costs the next process some time, nothing else.
            let _ = cache_file::write(&path, &Corpus::new(title, samples));
        }
        Ok(positions)
    }

    fn collect(&self, content: Content) -> Result<Collected, WorkloadError> {
        match content {
            Content::Whole(id) => {
                let whole = self.take(id, |samples| samples.to_vec())?;
                let roots = self.beginnings(id, &whole.samples)?;
                Ok(Collected { roots, ..whole })
            }
            Content::Part(id, part) => {
                let whole = self.take(id, |samples| samples.to_vec())?;
                let (mut from, mut before) = (0, 0);
                let roots = self.beginnings(id, &whole.samples)?.into_iter().map(|root| {
                    before += tree::part(&whole.samples[from..root], part).len();
                    from = root;
                    before
                });
                let (roots, samples) = (roots.collect(), tree::part(&whole.samples, part));
                Ok(Collected { roots, samples, ..whole })
            }
            Content::Shuffled(id, count) => self.take(id, |samples| {
                // Indices are faster to swap than samples, and most cycles are short.
                let mut order: Vec<usize> = (0..samples.len()).collect();
                shuffle(&mut order, SHUFFLE_SEED);
                order.into_iter().take(count).map(|place| samples[place]).collect()
            }),
            Content::Slice(slice, id) => self.take(id, |samples| shuffled(slice.of(samples))),
            Content::Rare(slice, ids) => {
                let (mut samples, mut sources) = (Vec::new(), Vec::new());
                for &id in ids {
                    let corpus = self.corpus(id)?;
                    samples.extend(slice.of(&corpus.samples));
                    sources.push(corpus.source());
                }
                samples.truncate(RARE);
                Ok(Collected { samples: shuffled(samples), roots: Vec::new(), sources })
            }
            Content::Famous => Ok(bundled("famous-games", famous_samples())),
            Content::Facts(group) => {
                let facts = facts::perft().iter();
                let wanted = facts.filter(|fact| group.is_none_or(|group| fact.group == group));
                let samples: Result<Vec<_>, Refused> =
                    wanted.map(|fact| Ok(Sample::of(&oracle::board(&fact.position)?, 0))).collect();
                let name = group.map_or("perft".to_owned(), |group| format!("perft/{group}"));
                Ok(bundled(&name, samples?))
            }
            Content::Fact(name) => {
                let fact = facts::named(name).expect("a test finds the fact of each row");
                let sample = Sample::of(&oracle::board(&fact.position)?, 0);
                Ok(bundled(&format!("perft/{name}"), vec![sample]))
            }
        }
    }

    /// Takes samples from one corpus.
    fn take(
        &self,
        id: CorpusId,
        select: impl Fn(&[Sample]) -> Vec<Sample>,
    ) -> Result<Collected, WorkloadError> {
        let corpus = self.corpus(id)?;
        let (samples, sources) = (select(&corpus.samples), vec![corpus.source()]);
        Ok(Collected { samples, roots: Vec::new(), sources })
    }

    /// The beginnings of the trees in a corpus of trees; empty for other corpora.
    fn beginnings(&self, id: CorpusId, samples: &[Sample]) -> Result<Vec<usize>, WorkloadError> {
        if !matches!(id, CorpusId::Ab4 | CorpusId::Perft3) {
            return Ok(Vec::new());
        }
        let roots = tree::roots(&self.corpus(CorpusId::Sp1)?.samples);
        Ok(tree::beginnings(samples, &roots)?)
    }
}

/// Samples of a workload, the beginnings of its trees, and where they come from.
struct Collected {
    samples: Vec<Sample>,
    roots: Vec<usize>,
    sources: Vec<Source>,
}

fn bundled(name: &str, samples: Vec<Sample>) -> Collected {
    let corpus = Corpus::new(name.to_owned(), samples);
    let sources = vec![corpus.source()];
    Collected { samples: corpus.samples, roots: Vec::new(), sources }
}

/// The positions of the famous games, each once.
fn famous_samples() -> Vec<Sample> {
    let mut seen = HashSet::new();
    famous::games()
        .flat_map(|(_, moves)| famous::replay(moves).expect("a test replays the bundled games"))
        .map(|board| Sample::of(&board, 0))
        .filter(|sample| seen.insert(packed::placed(sample)))
        .collect()
}

fn shuffled(mut samples: Vec<Sample>) -> Vec<Sample> {
    shuffle(&mut samples, SHUFFLE_SEED);
    samples
}

#[cfg(test)]
mod tests;
