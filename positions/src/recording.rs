//! A recorded search: what an engine does on one board while it searches a tree.
//!
//! At a node the engine generates moves. It makes one, tests whether its king is in check, and takes the
//! move back when the search below it is over. A [`Step`] is one such move, with what follows it. Engines
//! with a legal generator skip the illegal moves and need no test, so one recording serves both kinds.

use raywalk_core::{Legality, Move, Position};

use crate::sample::Sample;

/// The most moves that are made and not yet taken back. Four plies, then captures of up to 30 pieces.
pub const DEEPEST: usize = 64;

/// A move of a recorded search.
///
/// Bits 0 to 15 hold the move, 16 and 17 what is generated behind it (nothing, all moves, captures), 18
/// whether it is illegal, 19 and up how many moves are taken back before the next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Step(u32);

const ALL: u32 = 1 << 16;
const CAPTURES: u32 = 2 << 16;
const ILLEGAL: u32 = 1 << 18;
const UNMADE: u32 = 19;

impl Step {
    /// A legal move, with nothing behind it yet.
    pub const fn legal(mv: Move) -> Step {
        Step(mv.bits() as u32)
    }

    /// A move that leaves the own king in check. It is taken back before anything else happens.
    pub const fn illegal(mv: Move) -> Step {
        Step(mv.bits() as u32 | ILLEGAL)
    }

    /// The step with a node behind it, which generates captures or all moves.
    #[must_use]
    pub const fn generating(self, captures: bool) -> Step {
        Step(self.0 | if captures { CAPTURES } else { ALL })
    }

    /// The step with `count` more legal moves taken back before the next step.
    #[must_use]
    pub const fn taking_back(self, count: u32) -> Step {
        Step(self.0 + (count << UNMADE))
    }

    /// The move that the search tried.
    #[inline(always)]
    pub const fn mv(self) -> Move {
        Move::from_bits(self.0 as u16)
    }

    /// Whether the move leaves the own king in check.
    #[inline(always)]
    pub const fn is_illegal(self) -> bool {
        self.0 & ILLEGAL != 0
    }

    /// Whether a node follows that generates captures.
    #[inline(always)]
    pub const fn generates_captures(self) -> bool {
        self.0 & CAPTURES != 0
    }

    /// Whether a node follows, which generates all moves or captures.
    pub const fn is_node(self) -> bool {
        self.0 & (ALL | CAPTURES) != 0
    }

    /// Number of legal moves that are taken back before the next step.
    #[inline(always)]
    pub const fn unmade(self) -> u32 {
        self.0 >> UNMADE
    }

    /// The step as a word of a cache file.
    pub(crate) const fn word(self) -> u32 {
        self.0
    }

    /// The step of a word of a cache file, to be checked with the others of its tree.
    pub(crate) const fn of_word(word: u32) -> Step {
        Step(word)
    }
}

/// The search of one tree. Its first node is the root, which generates all moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedTree {
    /// The position of the root.
    pub root: Position,
    /// The steps, legal and illegal. The last one leads back to the root.
    pub steps: Vec<Step>,
}

impl RecordedTree {
    /// Whether each node generates captures only, for all nodes in order.
    pub fn nodes(&self) -> impl Iterator<Item = bool> + '_ {
        let behind = self.steps.iter().filter(|step| step.is_node());
        std::iter::once(false).chain(behind.map(|step| step.generates_captures()))
    }

    /// The steps of an engine whose generator has this legality.
    pub fn steps_of(&self, legality: Legality) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::with_capacity(self.steps.len());
        for &step in &self.steps {
            if step.is_illegal() && legality == Legality::Legal {
                // What it takes back was made before it.
                if let Some(last) = steps.last_mut() {
                    *last = last.taking_back(step.unmade());
                }
            } else {
                steps.push(step);
            }
        }
        steps
    }

    /// Whether the steps take back no more than they make, never hold more than [`DEEPEST`] moves, and
    /// end at the root.
    pub(crate) fn is_sound(&self) -> bool {
        let mut depth = 0;
        for step in &self.steps {
            if step.is_illegal() {
                if step.is_node() {
                    return false;
                }
            } else {
                depth += 1;
            }
            let unmade = step.unmade() as usize;
            // An illegal move is on the board together with all others.
            if depth >= DEEPEST || unmade > depth {
                return false;
            }
            depth -= unmade;
        }
        depth == 0
    }
}

/// The steps of all trees as words: the number of steps of each tree, then the steps.
pub(crate) fn words_of(trees: &[RecordedTree]) -> Vec<u32> {
    let mut words = Vec::with_capacity(trees.iter().map(|tree| tree.steps.len() + 1).sum());
    for RecordedTree { steps, .. } in trees {
        words.push(steps.len() as u32);
        words.extend(steps.iter().map(|step| step.word()));
    }
    words
}

/// The trees in these words, whose nodes are these samples: tree by tree, each beginning at one of
/// `roots`. `None` if the words belong to other trees.
pub(crate) fn trees_of(
    mut words: &[u32],
    nodes: &[Sample],
    roots: &[usize],
    captures: u8,
) -> Option<Vec<RecordedTree>> {
    let mut trees = Vec::with_capacity(roots.len());
    let ends = roots.iter().skip(1).copied().chain([nodes.len()]);
    for (&begin, end) in roots.iter().zip(ends) {
        let (&count, rest) = words.split_first()?;
        let (steps, rest) = rest.split_at_checked(count as usize)?;
        let nodes = nodes.get(begin..end)?;
        let steps = steps.iter().copied().map(Step::of_word).collect();
        let tree = RecordedTree { root: nodes.first()?.position, steps };
        let same = tree.nodes().eq(nodes.iter().map(|node| node.part == captures));
        if !same || !tree.is_sound() {
            return None;
        }
        trees.push(tree);
        words = rest;
    }
    words.is_empty().then_some(trees)
}

/// Writes the steps of a tree down while it is searched.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    steps: Vec<Step>,
}

impl Recorder {
    /// A legal move is made.
    pub(crate) fn make(&mut self, mv: Move) {
        self.steps.push(Step::legal(mv));
    }

    /// An illegal move is made and taken back.
    pub(crate) fn try_illegal(&mut self, mv: Move) {
        self.steps.push(Step::illegal(mv));
    }

    /// The node behind the last move generates captures, or all moves.
    pub(crate) fn generate(&mut self, captures: bool) {
        // The root has no move before it.
        if let Some(last) = self.steps.last_mut() {
            *last = last.generating(captures);
        }
    }

    /// The last legal move that is still made is taken back.
    pub(crate) fn unmake(&mut self) {
        if let Some(last) = self.steps.last_mut() {
            *last = last.taking_back(1);
        }
    }

    /// The recorded steps, in order.
    pub(crate) fn finish(self) -> Vec<Step> {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(bits: u16) -> Move {
        Move::from_bits(bits)
    }

    fn tree(record: impl FnOnce(&mut Recorder)) -> RecordedTree {
        let mut recorder = Recorder::default();
        recorder.generate(false);
        record(&mut recorder);
        let root = crate::facts::perft()[0].position;
        RecordedTree { root, steps: recorder.finish() }
    }

    #[test]
    fn a_legal_engine_skips_illegal_moves_and_takes_back_what_they_took_back() {
        let tree = tree(|r| {
            r.try_illegal(mv(9));
            r.make(mv(1));
            r.generate(true);
            r.try_illegal(mv(2));
            r.unmake();
            r.make(mv(3));
            r.unmake();
        });
        assert!(tree.is_sound());
        assert_eq!(tree.nodes().collect::<Vec<_>>(), [false, true]);
        assert_eq!(tree.steps_of(Legality::Pseudo), tree.steps);
        let legal = tree.steps_of(Legality::Legal);
        let first = Step::legal(mv(1)).generating(true).taking_back(1);
        assert_eq!(legal, [first, Step::legal(mv(3)).taking_back(1)]);
        assert!(RecordedTree { steps: legal, ..tree }.is_sound());
    }

    #[test]
    fn unsound_steps_are_found() {
        assert!(tree(|_| ()).is_sound());
        assert!(!tree(|r| r.make(mv(1))).is_sound(), "a move is left");
        assert!(
            !tree(|r| {
                r.try_illegal(mv(1));
                r.unmake();
            })
            .is_sound(),
            "nothing to take back"
        );
        assert!(
            !tree(|r| {
                r.try_illegal(mv(1));
                r.generate(true);
            })
            .is_sound(),
            "a node in check"
        );
        let deep = |depth: usize| {
            tree(|r| {
                (0..depth).for_each(|_| r.make(mv(1)));
                (0..depth).for_each(|_| r.unmake());
            })
        };
        assert!(deep(DEEPEST - 1).is_sound() && !deep(DEEPEST).is_sound());
    }

    #[test]
    fn a_step_says_what_it_was_made_of() {
        let step = Step::legal(mv(0xffff)).generating(false).taking_back(40);
        assert_eq!((step.mv(), step.unmade(), step.is_illegal()), (mv(0xffff), 40, false));
        assert!(step.is_node() && !step.generates_captures());
        assert_eq!(Step::of_word(step.word()), step);
    }
}
