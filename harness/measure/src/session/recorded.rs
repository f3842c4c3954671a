//! The recorded searches of a workload, prepared for the designs of a panel.

use raywalk_core::Legality;
use raywalk_positions::recording::RecordedTree;

use crate::design::Walk;
use crate::source::{MOST_POSITIONS, Span};

/// The searches of all trees of a workload.
pub(super) struct Recorded {
    trees: Vec<Tree>,
    /// Whether each position is a quiescence node.
    quiescence: Vec<bool>,
}

struct Tree {
    /// Index of the root among the positions of the workload.
    begin: usize,
    pseudo: Walk,
    legal: Walk,
}

impl Recorded {
    /// Prepares the searches of a workload of `len` positions whose trees begin at `roots`. The error is
    /// the end of a sentence that begins with the workload.
    pub(crate) fn of(
        trees: &[RecordedTree],
        roots: &[usize],
        len: usize,
    ) -> Result<Recorded, String> {
        let ends = roots.iter().skip(1).copied().chain([len]);
        let lengths = roots.iter().zip(ends).map(|(begin, end)| end - begin);
        if !trees.iter().map(|tree| tree.nodes().count()).eq(lengths.clone()) {
            return Err("has other trees than its recorded searches".to_owned());
        }
        if let Some(longest) = lengths.max().filter(|&longest| longest > MOST_POSITIONS) {
            return Err(format!(
                "has a search of {longest} nodes, more than the {MOST_POSITIONS} of a batch"
            ));
        }
        let prepared = trees.iter().zip(roots).map(|(tree, &begin)| Tree {
            begin,
            pseudo: Walk::of(tree, Legality::Pseudo),
            legal: Walk::of(tree, Legality::Legal),
        });
        Ok(Recorded {
            quiescence: trees.iter().flat_map(RecordedTree::nodes).collect(),
            trees: prepared.collect(),
        })
    }

    /// For each position whether it is a quiescence node.
    pub(crate) fn quiescence(&self) -> &[bool] {
        &self.quiescence
    }

    /// The walks of the trees that a span of whole trees consists of.
    pub(crate) fn walks(&self, span: &Span, legality: Legality) -> Vec<&Walk> {
        let first = self.trees.iter().position(|tree| tree.begin == span.first).unwrap_or(0);
        let (before, from) = self.trees.split_at(first);
        let mut nodes = 0;
        let in_span = from.iter().chain(before).map(|tree| match legality {
            Legality::Pseudo => &tree.pseudo,
            Legality::Legal => &tree.legal,
        });
        in_span
            .take_while(|walk| {
                nodes += walk.len();
                nodes <= span.boards
            })
            .collect()
    }
}
