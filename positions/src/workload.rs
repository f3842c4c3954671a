//! Workloads: positions by name, in a stated order.
//!
//! What a design costs depends on the order of the positions as much as on the positions: a core
//! learns a short cycle by heart, profits from neighbours that differ by one move, and sees a long
//! shuffled list fresh each time. So a workload is always both, and its [`Order`] is part of what a
//! number says.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use raywalk_core::Position;

use crate::corpus::{INTERIOR, MakeError, QUIESCENCE, RARE};
use crate::oracle::{self, Refused};
use crate::pgn::Game;
use crate::placement::{Kinds, Material};
use crate::random::shuffle;
use crate::slices::Slice;
use crate::{Corpus, CorpusId, Sample, Source, Store, Totals, facts, packed, tree};

/// Seed of every shuffle.
const SHUFFLE_SEED: u64 = 5;

/// What the neighbours of a position are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Runs of this many positions, each replayed over and over; with 1, one position at a time.
    Cyclic(usize),
    /// As a search visits them, repeats included.
    Tree,
    /// As they were played.
    Game,
    /// By a fixed random permutation.
    Shuffled,
    /// As they were drawn, each independent of the one before.
    Generated,
    /// As they stand in their file.
    Listed,
}

impl Order {
    /// The word in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Order::Cyclic(_) => "cyclic",
            Order::Tree => "tree",
            Order::Game => "game",
            Order::Shuffled => "shuffled",
            Order::Generated => "generated",
            Order::Listed => "listed",
        }
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Cyclic(period) => write!(f, "cyclic, period {period}"),
            other => f.write_str(other.name()),
        }
    }
}

/// What a workload is made of.
#[derive(Clone, Copy, Debug)]
enum Content {
    /// The first so many of `sp1` shuffled.
    Shuffled(usize),
    /// A corpus as it is.
    Whole(CorpusId),
    /// The nodes of one kind in the alpha-beta stream.
    Part(u8),
    /// A slice of a corpus, shuffled.
    Slice(Slice, CorpusId),
    /// The first [`RARE`] positions of a slice in these corpora together, shuffled.
    Rare(Slice, &'static [CorpusId]),
    /// The bundled games, each position once.
    Famous,
    /// The bundled perft positions of a group, or all.
    Facts(Option<&'static str>),
}

/// The description of a workload: what there is to say without making it.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The name.
    pub name: &'static str,
    /// One line: what it holds and what it is for.
    pub about: &'static str,
    /// The order of its positions.
    pub order: Order,
    content: Content,
}

const fn cycle(name: &'static str, period: usize, about: &'static str) -> Description {
    Description { name, about, order: Order::Cyclic(period), content: Content::Shuffled(period) }
}

const fn whole(name: &'static str, order: Order, id: CorpusId, about: &'static str) -> Description {
    Description { name, about, order, content: Content::Whole(id) }
}

const fn slice(name: &'static str, content: Content, about: &'static str) -> Description {
    Description { name, about, order: Order::Shuffled, content }
}

const fn placed(name: &'static str, pieces: Material, about: &'static str) -> Description {
    whole(name, Order::Generated, CorpusId::Placed(pieces), about)
}

const fn part(name: &'static str, part: u8, about: &'static str) -> Description {
    Description { name, about, order: Order::Tree, content: Content::Part(part) }
}

/// Every workload, in the order in which they are listed to users.
pub const ALL: &[Description] = &[
    Description {
        name: "repeat-1",
        about: "eight self-play positions, one at a time: everything is predicted and cached",
        order: Order::Cyclic(1),
        content: Content::Shuffled(8),
    },
    cycle("cycle-16", 16, "16 self-play positions in a cycle: learnt by heart"),
    cycle("cycle-256", 256, "256 self-play positions in a cycle: learnt by heart on large cores"),
    cycle("cycle-1024", 1024, "1024 self-play positions in a cycle: the knee of large cores"),
    cycle("cycle-4096", 4096, "4096 self-play positions in a cycle: past the knee"),
    cycle("cycle-65536", 65_536, "65536 self-play positions in a cycle: nothing is remembered"),
    whole("game", Order::Game, CorpusId::Sp1Every, "self-play games as played"),
    Description {
        name: "famous",
        about: "68 famous games as played, each position once",
        order: Order::Game,
        content: Content::Famous,
    },
    whole("perft3", Order::Tree, CorpusId::Perft3, "perft trees of three plies, depth first"),
    whole("ab4", Order::Tree, CorpusId::Ab4, "alpha-beta searches of four plies with quiescence"),
    part("ab4-interior", INTERIOR, "the interior nodes of ab4: where all moves are wanted"),
    part("qs", QUIESCENCE, "the quiescence nodes of ab4: where captures are wanted"),
    slice(
        "opening",
        Content::Slice(Slice::Opening, CorpusId::Sp1),
        "self-play, the first 16 plies",
    ),
    slice(
        "middlegame",
        Content::Slice(Slice::Middlegame, CorpusId::Sp1),
        "self-play, later, with many pieces",
    ),
    slice(
        "endgame",
        Content::Slice(Slice::Endgame, CorpusId::Sp1Long),
        "long self-play games, few pieces left",
    ),
    slice(
        "rook-ending",
        Content::Rare(Slice::RookEnding, &[CorpusId::Sp1LongRare]),
        "long self-play games: kings, rooks and pawns",
    ),
    slice(
        "check",
        Content::Rare(Slice::Check, &[CorpusId::Sp1, CorpusId::Sp1LongRare]),
        "self-play, the side to move is in check",
    ),
    placed("queen-ending", Material::QUEEN_ENDING, "queen and four pawns each: long open rays"),
    placed("density-3", Material::Drawn(Kinds::Mixed, 3), "3 mixed pieces placed at random"),
    placed("density-4", Material::Drawn(Kinds::Mixed, 4), "4 mixed pieces placed at random"),
    placed("density-6", Material::Drawn(Kinds::Mixed, 6), "6 mixed pieces placed at random"),
    placed("density-8", Material::Drawn(Kinds::Mixed, 8), "8 mixed pieces placed at random"),
    placed("density-12", Material::Drawn(Kinds::Mixed, 12), "12 mixed pieces placed at random"),
    placed("density-16", Material::Drawn(Kinds::Mixed, 16), "16 mixed pieces placed at random"),
    placed("density-20", Material::Drawn(Kinds::Mixed, 20), "20 mixed pieces placed at random"),
    placed("density-24", Material::Drawn(Kinds::Mixed, 24), "24 mixed pieces placed at random"),
    placed("density-28", Material::Drawn(Kinds::Mixed, 28), "28 mixed pieces placed at random"),
    placed("density-32", Material::Drawn(Kinds::Mixed, 32), "32 mixed pieces placed at random"),
    placed("nosliders-8", Material::Drawn(Kinds::NoSliders, 8), "8 pieces, none of them a slider"),
    placed(
        "nosliders-16",
        Material::Drawn(Kinds::NoSliders, 16),
        "16 pieces, none of them a slider",
    ),
    placed(
        "nosliders-24",
        Material::Drawn(Kinds::NoSliders, 24),
        "24 pieces, none of them a slider",
    ),
    placed("sliders-8", Material::Drawn(Kinds::Sliders, 8), "8 pieces, sliders but for the kings"),
    placed(
        "sliders-16",
        Material::Drawn(Kinds::Sliders, 16),
        "16 pieces, sliders but for the kings",
    ),
    placed(
        "sliders-24",
        Material::Drawn(Kinds::Sliders, 24),
        "24 pieces, sliders but for the kings",
    ),
    placed(
        "adversarial",
        Material::Drawn(Kinds::Mixed, 32),
        "32 mixed pieces at random: the most unpredictable rays",
    ),
    Description {
        name: "max-218",
        about: "positions with 218 legal moves, one at a time: the cost of writing moves down",
        order: Order::Cyclic(1),
        content: Content::Facts(Some("record")),
    },
    Description {
        name: "tricky",
        about: "all bundled perft positions: rare paths, too few for a claim about speed",
        order: Order::Listed,
        content: Content::Facts(None),
    },
];

/// Why there is no such workload.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WorkloadError {
    /// No workload has this name.
    #[error("there is no workload `{name}`; near it are {}", near.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names nearest to it.
        near: Vec<&'static str>,
    },
    /// A corpus of it could not be made.
    #[error(transparent)]
    Make(#[from] MakeError),
}

impl From<Refused> for WorkloadError {
    fn from(refused: Refused) -> WorkloadError {
        WorkloadError::Make(refused.into())
    }
}

/// Positions by name, in a stated order.
#[derive(Clone, Debug)]
pub struct Workload {
    /// The name.
    pub name: &'static str,
    /// One line: what it holds and what it is for.
    pub about: &'static str,
    /// The order of its positions.
    pub order: Order,
    /// The positions in that order, repeats included.
    pub positions: Arc<[Position]>,
    /// How many of them differ in what a generator sees: pieces, side, rights, en passant square.
    pub distinct: usize,
    /// What they come to, in that order.
    pub totals: Totals,
    /// The corpora or facts they were taken from.
    pub sources: Vec<Source>,
}

impl Workload {
    /// The workload of this name, from the user's cache folder.
    ///
    /// # Errors
    /// As [`Store::workload`].
    pub fn named(name: &str) -> Result<Workload, WorkloadError> {
        Store::open_default().workload(name)
    }

    /// The description of the workload of this name.
    ///
    /// # Errors
    /// [`WorkloadError::Unknown`] with the nearest names.
    pub fn describe(name: &str) -> Result<&'static Description, WorkloadError> {
        ALL.iter()
            .find(|description| description.name == name)
            .ok_or_else(|| WorkloadError::Unknown { name: name.to_owned(), near: nearest(name) })
    }

    pub(crate) fn load(name: &str, store: &Store) -> Result<Workload, WorkloadError> {
        let &Description { name, about, order, content } = Workload::describe(name)?;
        let (samples, sources) = collect(content, store)?;
        let distinct: HashSet<_> = samples.iter().map(packed::seen).collect();
        Ok(Workload {
            name,
            about,
            order,
            positions: samples.iter().map(|sample| sample.position).collect(),
            distinct: distinct.len(),
            totals: Totals::of(&samples),
            sources,
        })
    }
}

type Collected = (Vec<Sample>, Vec<Source>);

fn collect(content: Content, store: &Store) -> Result<Collected, WorkloadError> {
    let from = |id, take: &dyn Fn(&Corpus) -> Vec<Sample>| -> Result<Collected, WorkloadError> {
        let corpus = store.corpus(id)?;
        Ok((take(&corpus), vec![corpus.source()]))
    };
    match content {
        Content::Whole(id) => from(id, &|corpus| corpus.samples.clone()),
        Content::Part(part) => from(CorpusId::Ab4, &|corpus| tree::part(corpus, part)),
        Content::Shuffled(count) => from(CorpusId::Sp1, &|corpus| {
            let mut samples = shuffled(corpus.samples.clone());
            samples.truncate(count);
            samples
        }),
        Content::Slice(slice, id) => from(id, &|corpus| shuffled(slice.of(&corpus.samples))),
        Content::Rare(slice, ids) => {
            let (mut samples, mut sources) = (Vec::new(), Vec::new());
            for &id in ids {
                let corpus = store.corpus(id)?;
                samples.extend(slice.of(&corpus.samples));
                sources.push(corpus.source());
            }
            samples.truncate(RARE);
            Ok((shuffled(samples), sources))
        }
        Content::Famous => {
            let boards = facts::famous_games().iter().flat_map(Game::boards);
            let mut seen = HashSet::new();
            let samples = boards
                .map(|board| Sample::of(board, 0))
                .filter(|sample| seen.insert(packed::placed(sample)));
            Ok(bundled("famous-games", samples.collect()))
        }
        Content::Facts(group) => {
            let facts = facts::perft().iter();
            let wanted = facts.filter(|fact| group.is_none_or(|group| fact.group == group));
            let samples: Result<Vec<_>, Refused> =
                wanted.map(|fact| Ok(Sample::of(&oracle::board(&fact.position)?, 0))).collect();
            let name = group.map_or("perft".to_owned(), |group| format!("perft/{group}"));
            Ok(bundled(&name, samples?))
        }
    }
}

fn bundled(name: &str, samples: Vec<Sample>) -> Collected {
    let corpus = Corpus::new(name.to_owned(), samples);
    let source = corpus.source();
    (corpus.samples, vec![source])
}

fn shuffled(mut samples: Vec<Sample>) -> Vec<Sample> {
    shuffle(&mut samples, SHUFFLE_SEED);
    samples
}

/// The names that a mistyped one may have meant: at most four, the nearest first.
fn nearest(name: &str) -> Vec<&'static str> {
    let mut names: Vec<_> = ALL.iter().map(|d| (distance(name, d.name), d.name)).collect();
    names.sort_by_key(|&(distance, _)| distance); // stable: of equals the first listed
    names.into_iter().take(4).map(|(_, name)| name).collect()
}

/// Letters to insert, delete or replace to get from one name to the other (V. Levenshtein, 1966).
fn distance(from: &str, to: &str) -> usize {
    let mut row: Vec<usize> = (0..=to.chars().count()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, b) in to.chars().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[row.len() - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_each_finds_itself() {
        let names: HashSet<_> = ALL.iter().map(|description| description.name).collect();
        assert_eq!(names.len(), ALL.len());
        for description in ALL {
            let found = Workload::describe(description.name).expect("a listed name");
            assert_eq!(found.about, description.about);
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_near_ones() {
        let error = Workload::describe("densty-8").expect_err("no such workload");
        assert_eq!(
            error.to_string(),
            "there is no workload `densty-8`; near it are density-8, density-3, density-4, density-6"
        );
        assert_eq!(nearest("cycle4096")[0], "cycle-4096");
        assert_eq!(nearest("").len(), 4);
    }

    #[test]
    fn distances_between_names_are_right() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "qs"), 2);
        assert_eq!(distance("qs", "qs"), 0);
    }

    #[test]
    fn the_bundled_workloads_have_their_known_sizes() {
        let store = Store::in_memory();
        let load = |name| store.workload(name).expect("a bundled workload");
        let famous = load("famous");
        assert_eq!((famous.positions.len(), famous.totals.positions), (6204, 6204));
        let tricky = load("tricky");
        assert_eq!(tricky.positions.len(), 220);
        let leaves = facts::perft().iter().filter_map(|fact| fact.count(1));
        assert_eq!(tricky.totals.legal, leaves.sum::<u64>());
        let widest = load("max-218");
        assert_eq!((widest.positions.len(), widest.totals.legal), (2, 2 * 218));
        assert_eq!(
            (widest.order, widest.sources[0].name.as_str()),
            (Order::Cyclic(1), "perft/record")
        );
    }
}
