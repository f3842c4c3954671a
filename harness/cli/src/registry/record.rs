//! A design as a record of the journal.

use raywalk_core as core;
use raywalk_results::schema::{self, Control, Feature, Legality, Status};

use super::Entry;

impl Entry {
    /// The control on the card, as journals have it.
    pub(crate) fn control(&self) -> Control {
        match self.card.control {
            core::Control::Branchy => Control::Branchy,
            core::Control::Branchless => Control::Branchless,
            core::Control::Mixed => Control::Mixed,
        }
    }

    /// The CPU features on the card, as journals have them.
    pub(crate) fn needs(&self) -> Vec<Feature> {
        let named = |feature: &core::Feature| match feature {
            core::Feature::Bmi2 => Feature::Bmi2,
            core::Feature::Avx2 => Feature::Avx2,
            core::Feature::Avx512Vbmi2 => Feature::Avx512Vbmi2,
            core::Feature::X86_64 => Feature::X86_64,
        };
        self.card.needs.iter().map(named).collect()
    }

    /// The journal record of the design. `table_bytes` is absent if the tables could not be built.
    pub(crate) fn record(&self, table_bytes: Option<usize>, status: Status) -> schema::Design {
        let card = &self.card;
        schema::Design {
            id: card.id.to_owned(),
            // Marked wherever its name stands.
            name: match self.plugin() {
                None => card.name.to_owned(),
                Some(_) => format!("{} (plug-in)", card.name),
            },
            author: card.author.to_owned(),
            year: card.year,
            source: card.source.to_owned(),
            control: self.control(),
            legality: match card.legality {
                core::Legality::Pseudo => Legality::PseudoLegal,
                core::Legality::Legal => Legality::Legal,
            },
            published_bytes: card.published_bytes.map(|bytes| bytes as u64),
            table_bytes: table_bytes.map(|bytes| bytes as u64),
            board_bytes: Some(self.board_bytes as u64),
            board_cells: self.board_cells.map(|cells| cells as u64),
            move_bytes: Some(self.move_bytes as u64),
            whole_vectors: self.whole_vectors,
            needs: self.needs(),
            reconstructed: card.reconstructed.to_owned(),
            plugin: self.plugin().map(|plugin| schema::Plugin {
                file: plugin.file_name(),
                digest: plugin.digest.clone(),
            }),
            status,
        }
    }
}
