//! What an audit needs to know of the designs: their entries, the sources that are no part of a walk, the
//! designs that are compared with each other, and the findings that are accepted.

use raywalk_audit::{Audit, Check, Exception, Finding, Report, Sources, Stored, Subject};
use raywalk_results::schema::Control;

use crate::registry::{DESIGNS, Entry};

/// Where the sources of designs are, and which of them are rules or accessors.
pub(crate) const SOURCES: Sources = Sources {
    root: "variants/",
    rare: &["core/src/square_board/rules.rs", "core/src/castling.rs"],
    accessors: &[
        "core/src/board.rs",
        "core/src/move_format.rs",
        "core/src/movelist.rs",
        "core/src/moves.rs",
        "core/src/piece.rs",
        "core/src/square.rs",
        "core/src/square_board.rs",
        "core/src/square_board/code.rs",
        "core/src/square_board/geometry.rs",
    ],
};

/// Findings that are accepted, each with its reason. An exception that no finding needs is a finding.
const EXCEPTIONS: &[Exception] = &[
    Exception {
        check: Check::BoardLoopEnd,
        design: "raylist",
        stages: &[],
        source: "raylist/src/walk.rs",
        reason: "The ring ends when its first ray comes again. The cell selects the ray, and rays are part \
                 of the board's piece list instead of a table.",
    },
    Exception {
        check: Check::Copies,
        design: "setwise/kogge-stone-incremental",
        stages: &["all", "captures", "quiets"],
        source: "",
        reason: "Its serialiser has one loop for all directions.",
    },
    Exception {
        check: Check::Copies,
        design: "setwise/kogge-stone-delayed",
        stages: &["all", "captures", "quiets"],
        source: "",
        reason: "Its serialiser has one loop for all directions.",
    },
    Exception {
        check: Check::Copies,
        design: "bitboard/pawns-one-by-one",
        stages: &["all", "captures"],
        source: "",
        reason: "It has one loop over pawns, and its siblings have one for each direction of pawns.",
    },
    Exception {
        check: Check::Unrolling,
        design: "mailbox/10x12-moves-object",
        stages: &["all", "captures"],
        source: "core/src/square_board/pawns.rs",
        reason: "A move is an object whose fields are stored one by one, four times for promotions.",
    },
    Exception {
        check: Check::Copies,
        design: "reul/blocker-loop",
        stages: &["captures"],
        source: "",
        reason: "It walks from the piece to captures, and its sibling looks from targets to the piece.",
    },
    Exception {
        check: Check::Unrolling,
        design: "reul/blocker-loop",
        stages: &["captures"],
        source: "",
        reason: "It walks from the piece to captures, and its sibling looks from targets to the piece.",
    },
];

/// Instructions per visited square by compiler.
const STORED: &str = include_str!("audit/instructions.toml");

/// The compiled entries of a design.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EntryStage {
    /// Captures and quiet moves
    All,
    /// Moves that capture
    Captures,
    /// Moves that do not capture
    Quiets,
    /// All moves of bishops, rooks and queens
    Sliders,
}

impl EntryStage {
    pub(crate) const ALL: [EntryStage; 4] =
        [EntryStage::All, EntryStage::Captures, EntryStage::Quiets, EntryStage::Sliders];

    pub(crate) fn name(self) -> &'static str {
        match self {
            EntryStage::All => "all",
            EntryStage::Captures => "captures",
            EntryStage::Quiets => "quiets",
            EntryStage::Sliders => "sliders",
        }
    }

    /// The address of the compiled entry; `None` if the design does not support the scope.
    fn address(self, entry: &Entry) -> Option<usize> {
        let compiled = &entry.compiled;
        match self {
            EntryStage::All => Some((compiled.all)()),
            EntryStage::Captures => Some((compiled.captures)()),
            EntryStage::Quiets => Some((compiled.quiets)()),
            EntryStage::Sliders => compiled.sliders.map(|address| address()),
        }
    }
}

/// The entries of all designs, those of a design together.
pub(crate) fn subjects(stages: &[EntryStage]) -> Vec<Subject> {
    let of = |entry: &Entry, stage: EntryStage| {
        Some(Subject {
            design: entry.card.id.to_owned(),
            stage: stage.name().to_owned(),
            address: stage.address(entry)?,
            control: match entry.card.control {
                raywalk_core::Control::Branchy => Control::Branchy,
                raywalk_core::Control::Branchless => Control::Branchless,
                raywalk_core::Control::Mixed => Control::Mixed,
            },
            cell_bytes: entry.board_cells.unwrap_or(0),
            length_at: entry.length_at,
        })
    };
    let pairs = DESIGNS.iter().flat_map(|entry| stages.iter().map(move |&stage| (entry, stage)));
    pairs.filter_map(|(entry, stage)| of(entry, stage)).collect()
}

/// Audits the entries in turn.
///
/// # Errors
/// An entry whose code is not found.
pub(crate) fn reports(audit: &Audit<'_>, subjects: &[Subject]) -> anyhow::Result<Vec<Report>> {
    subjects.iter().map(|subject| Ok(audit.examine(subject)?)).collect()
}

/// Checks the entries, and compares the designs of each family.
pub(crate) fn findings(reports: &[Report]) -> Vec<Finding> {
    raywalk_audit::check(reports, &group, EXCEPTIONS)
}

/// The designs that a design is compared with: those of its family.
fn group(design: &str) -> String {
    design.split('/').next().unwrap_or(design).to_owned()
}

/// The accepted findings among the audited entries.
pub(crate) fn exceptions(reports: &[Report]) -> Vec<&'static Exception> {
    let concerns = |exception: &&Exception| {
        reports.iter().any(|report| exception.concerns(&report.design, &report.stage))
    };
    EXCEPTIONS.iter().filter(concerns).collect()
}

/// Warnings about instruction counts that differ from those stored for this compiler.
pub(crate) fn warnings(rustc: &str, flags: &str, reports: &[Report]) -> Vec<String> {
    stored().warnings(rustc, flags, reports)
}

fn stored() -> Stored {
    Stored::parse(STORED).expect("the stored table, which a test parses")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_table_is_read() {
        stored();
    }

    #[test]
    fn every_design_has_an_entry_for_each_stage_and_most_for_sliders() {
        let count = |stage| subjects(&[stage]).len();
        for stage in [EntryStage::All, EntryStage::Captures, EntryStage::Quiets] {
            assert_eq!(count(stage), DESIGNS.len());
        }
        assert!((1..DESIGNS.len()).contains(&count(EntryStage::Sliders)));
        let bell = |subject: &&Subject| subject.design == "bell/last-square";
        let all = subjects(&EntryStage::ALL);
        let mut addresses: Vec<_> = all.iter().filter(bell).map(|bell| bell.address).collect();
        addresses.sort_unstable();
        addresses.dedup();
        assert_eq!(addresses.len(), 4);
    }

    #[test]
    fn an_exception_names_designs_that_exist_and_gives_its_reason() {
        for exception in EXCEPTIONS {
            let all = subjects(&EntryStage::ALL);
            let known = all.iter().any(|one| exception.concerns(&one.design, &one.stage));
            assert!(known && !exception.reason.is_empty(), "{exception:?}");
        }
    }

    #[test]
    fn the_sources_that_are_told_apart_exist() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../variants");
        for file in SOURCES.rare.iter().chain(SOURCES.accessors) {
            assert!(folder.join(file).is_file(), "{file}");
        }
    }
}
