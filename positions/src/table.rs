//! The table of workloads.
//!
//! A workload is one row of [`ALL`]. If it needs a new corpus, the corpus is added in
//! [`corpus`](crate::corpus) together with its golden rows; nothing else has to change.

use std::fmt;

use crate::corpus::CorpusId;
use crate::epd::Fact;
use crate::golden::Rows;
use crate::placement::Kinds::{Mixed, NoSliders, Sliders};
use crate::placement::Material::{self, Drawn};
use crate::sampling::RARE;
use crate::slices::Slice;
use crate::{facts, famous, tree};

/// The order of a workload's positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// Cycles of this many positions, each replayed many times; 1 replays single positions.
    Cyclic(usize),
    /// In the order in which a search visits them, with repeats.
    Tree,
    /// As played in games.
    Game,
    /// In a fixed random permutation.
    Shuffled,
    /// Each position generated independently of its neighbours.
    Generated,
    /// As listed in a file.
    Listed,
}

impl Order {
    /// The name in commands and files, without the period of a cycle.
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

/// A series of workloads with similar positions that differ in one number; reports plot it as a
/// curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Series {
    /// The memorisation curve: shuffled self-play positions, replayed in cycles of `k`. It shows
    /// how long a cycle the branch predictor memorises.
    Memorisation {
        /// Positions per cycle.
        k: usize,
    },
}

impl Series {
    /// The name in files, such as `memorisation`.
    pub const fn name(self) -> &'static str {
        match self {
            Series::Memorisation { .. } => "memorisation",
        }
    }
}

/// Recipe for the positions of a workload.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    /// The first positions of a corpus after shuffling.
    Shuffled(CorpusId, usize),
    /// A whole corpus in its own order.
    Whole(CorpusId),
    /// One part of a corpus in its own order.
    Part(CorpusId, u8),
    /// A slice of a corpus, shuffled.
    Slice(Slice, CorpusId),
    /// The first [`RARE`](crate::sampling::RARE) positions of a slice of several corpora, shuffled.
    Rare(Slice, &'static [CorpusId]),
    /// The bundled famous games without repeated positions.
    Famous,
    /// The bundled perft positions of a group, or all of them.
    Facts(Option<&'static str>),
    /// The bundled perft position of this name.
    Fact(&'static str),
}

impl Content {
    /// A text that changes with the recipe: the golden rows of its corpora, or the bundled positions.
    pub(crate) fn fingerprint(self) -> String {
        let corpora: &[CorpusId] = match &self {
            Content::Shuffled(id, _)
            | Content::Whole(id)
            | Content::Part(id, _)
            | Content::Slice(_, id) => std::slice::from_ref(id),
            Content::Rare(_, ids) => ids,
            Content::Famous => return famous::TEXT.to_owned(),
            Content::Facts(_) | Content::Fact(_) => return facts::PERFT.to_owned(),
        };
        let rows: Vec<String> = corpora.iter().map(|id| id.fingerprint()).collect();
        format!("{self:?} {}", rows.join(" "))
    }
}

/// A row of the table: everything known about a workload before it is made.
#[derive(Clone, Copy, Debug)]
pub struct Description {
    /// The name, unique in the table.
    pub name: &'static str,
    /// One line: content and purpose.
    pub about: &'static str,
    /// The order of its positions.
    pub order: Order,
    /// The series that the workload belongs to, if any.
    pub series: Option<Series>,
    /// Whether the full plan times it. If not, it has so few positions that no session of the full plan resolves a
    /// difference; it serves verification and plans of users.
    pub timed: bool,
    pub(crate) content: Content,
}

const fn row(
    name: &'static str,
    order: Order,
    content: Content,
    about: &'static str,
) -> Description {
    Description { name, about, order, series: None, timed: true, content }
}

impl Description {
    /// Whether the search that makes the positions is [recorded](crate::Store::recording), so that the
    /// stage of each node and the moves between them are known.
    pub const fn is_recorded(&self) -> bool {
        matches!(self.content, Content::Whole(CorpusId::Ab4))
    }

    /// The number of its positions, repeats included, where it is known before they are made.
    pub fn positions(&self) -> Option<usize> {
        match self.content {
            Content::Shuffled(_, count) => Some(count),
            Content::Whole(id) => id.positions(),
            Content::Part(id, part) => id.positions_of(Rows::Part(part)),
            Content::Slice(..) => None,
            Content::Rare(..) => Some(RARE),
            Content::Famous => Some(famous::DISTINCT),
            Content::Facts(group) => {
                let wanted = |fact: &&Fact| group.is_none_or(|group| fact.group == group);
                Some(facts::perft().iter().filter(wanted).count())
            }
            Content::Fact(_) => Some(1),
        }
    }

    /// The leaves of the published perft that is timed on the one position of the workload. `None` for all other
    /// workloads: moves are generated on them. A single position says little about that.
    pub fn leaves(&self) -> Option<u64> {
        let Content::Fact(name) = self.content else { return None };
        Some(facts::deepest(facts::named(name)?)?.1)
    }

    const fn untimed(self) -> Description {
        Description { timed: false, ..self }
    }
}

/// A point of the memorisation curve: `positions` of `sp1`, replayed in cycles of `k`.
const fn cycle(name: &'static str, k: usize, positions: usize, about: &'static str) -> Description {
    let content = Content::Shuffled(CorpusId::Sp1, positions);
    let series = Some(Series::Memorisation { k });
    Description { series, ..row(name, Order::Cyclic(k), content, about) }
}

const fn whole(name: &'static str, order: Order, id: CorpusId, about: &'static str) -> Description {
    row(name, order, Content::Whole(id), about)
}

const fn part(name: &'static str, part: u8, about: &'static str) -> Description {
    row(name, Order::Tree, Content::Part(CorpusId::Ab4, part), about)
}

const fn slice(name: &'static str, slice: Slice, id: CorpusId, about: &'static str) -> Description {
    row(name, Order::Shuffled, Content::Slice(slice, id), about)
}

const fn rare(
    name: &'static str,
    slice: Slice,
    ids: &'static [CorpusId],
    about: &'static str,
) -> Description {
    row(name, Order::Shuffled, Content::Rare(slice, ids), about)
}

/// One of the positions whose published perft is timed.
const fn perft(name: &'static str, fact: &'static str, about: &'static str) -> Description {
    row(name, Order::Cyclic(1), Content::Fact(fact), about)
}

const fn placed(name: &'static str, material: Material, about: &'static str) -> Description {
    whole(name, Order::Generated, CorpusId::Placed(material), about)
}

/// Every workload, in the order of listings.
#[rustfmt::skip] // one row per workload
pub const ALL: &[Description] = &[
    cycle("repeat-1", 1, 8, "8 self-play positions, one at a time: everything is predicted and cached"),
    cycle("cycle-16", 16, 16, "cycle of 16 self-play positions: memorised by every predictor"),
    cycle("cycle-256", 256, 256, "cycle of 256 self-play positions: memorised by large cores"),
    cycle("cycle-512", 512, 512, "cycle of 512 self-play positions: at the knee of smaller cores"),
    cycle("cycle-1024", 1024, 1024, "cycle of 1024 self-play positions: memorised by designs with few branches"),
    cycle("cycle-2048", 2048, 2048, "cycle of 2048 self-play positions: at the knee of large cores"),
    cycle("cycle-4096", 4096, 4096, "cycle of 4096 self-play positions: past the knee"),
    cycle("cycle-65536", 65_536, 65_536, "cycle of 65536 self-play positions: nothing is memorised"),
    whole("game", Order::Game, CorpusId::Sp1Every, "self-play games as played"),
    row("famous", Order::Game, Content::Famous, "68 famous games as played, each position once").untimed(),
    whole("perft3", Order::Tree, CorpusId::Perft3, "perft trees of three plies, depth first"),
    whole("ab4", Order::Tree, CorpusId::Ab4, "alpha-beta searches of four plies with quiescence"),
    part("ab4-interior", tree::INTERIOR, "interior nodes of ab4, where an engine generates all moves"),
    part("qs", tree::QUIESCENCE, "quiescence nodes of ab4, where an engine generates captures"),
    slice("opening", Slice::Opening, CorpusId::Sp1, "self-play, the first 16 plies"),
    slice("middlegame", Slice::Middlegame, CorpusId::Sp1, "self-play from ply 16 on, many pieces left"),
    slice("endgame", Slice::Endgame, CorpusId::Sp1Long, "long self-play games, few pieces left"),
    rare("rook-ending", Slice::RookEnding, &[CorpusId::Sp1LongRare], "long self-play games: kings, rooks and pawns"),
    rare("check", Slice::Check, &[CorpusId::Sp1, CorpusId::Sp1LongRare], "self-play, the side to move is in check"),
    placed("queen-ending", Material::QUEEN_ENDING, "queen and four pawns each: long open rays"),
    placed("density-3", Drawn(Mixed, 3), "3 mixed pieces placed at random"),
    placed("density-4", Drawn(Mixed, 4), "4 mixed pieces placed at random"),
    placed("density-6", Drawn(Mixed, 6), "6 mixed pieces placed at random"),
    placed("density-8", Drawn(Mixed, 8), "8 mixed pieces placed at random"),
    placed("density-12", Drawn(Mixed, 12), "12 mixed pieces placed at random"),
    placed("density-16", Drawn(Mixed, 16), "16 mixed pieces placed at random"),
    placed("density-20", Drawn(Mixed, 20), "20 mixed pieces placed at random"),
    placed("density-24", Drawn(Mixed, 24), "24 mixed pieces placed at random"),
    placed("density-28", Drawn(Mixed, 28), "28 mixed pieces placed at random"),
    placed("density-32", Drawn(Mixed, 32), "32 mixed pieces placed at random"),
    placed("nosliders-8", Drawn(NoSliders, 8), "8 pieces placed at random, no sliders"),
    placed("nosliders-16", Drawn(NoSliders, 16), "16 pieces placed at random, no sliders"),
    placed("nosliders-24", Drawn(NoSliders, 24), "24 pieces placed at random, no sliders"),
    placed("sliders-8", Drawn(Sliders, 8), "8 pieces placed at random: kings and sliders"),
    placed("sliders-16", Drawn(Sliders, 16), "16 pieces placed at random: kings and sliders"),
    placed("sliders-24", Drawn(Sliders, 24), "24 pieces placed at random: kings and sliders"),
    placed("adversarial", Drawn(Mixed, 32), "32 mixed pieces placed at random: the least predictable rays"),
    row("max-218", Order::Cyclic(1), Content::Facts(Some("record")), "positions with 218 legal moves, one at a time: the cost of storing moves").untimed(),
    perft("perft-start", "start", "the start position: perft to depth 3, 8,902 leaves"),
    perft("perft-kiwipete", "kiwipete", "position by Peter McKenzie: perft to depth 3, 97,862 leaves"),
    perft("perft-cpw-3", "cpw-3", "position 3 of the Chess Programming Wiki: perft to depth 4, 43,238 leaves"),
    perft("perft-cpw-4", "cpw-4", "position 4 of the Chess Programming Wiki: perft to depth 3, 9,467 leaves"),
    perft("perft-cpw-5", "cpw-5", "position 5 of the Chess Programming Wiki: perft to depth 3, 62,379 leaves"),
    perft("perft-cpw-6", "cpw-6", "position 6 of the Chess Programming Wiki: perft to depth 3, 89,890 leaves"),
    row("tricky", Order::Listed, Content::Facts(None), "all bundled perft positions: rare cases, too few for a claim about speed").untimed(),
];
