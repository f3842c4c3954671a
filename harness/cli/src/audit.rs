//! Input of an audit: the entries of the designs, the sources that are no part of a walk, the pairs of designs, and
//! the accepted findings.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use raywalk_audit::{
    Audit, EntryStage, Exception, Finding, Image, Report, Sources, Stored, Subject, Unavailable,
};
use raywalk_core::StageId;
use raywalk_results::schema::{Build, Call, Operation, Scope, Stage};
use raywalk_trace::image_base;

use crate::manifest;
use crate::registry::{DESIGNS, Entry};

mod c_loops;
mod exceptions;
mod executed;
mod pairs;
mod plugins;
mod recorded;

pub(crate) use c_loops::{AuditedLoop, CLoops};
pub(crate) use exceptions::EXCEPTIONS;
pub(crate) use pairs::{also_different, also_of, pairs, why};
pub(crate) use plugins::{Libraries, audit_plugins};
pub(crate) use recorded::codes;

/// The file of this program, if its designs can be found in it.
///
/// # Errors
/// The reason why it cannot be audited here.
pub(crate) fn image() -> Result<Image, Unavailable> {
    match manifest::build().profile.packaged {
        true => Err(Unavailable::Packaged),
        false => Image::running(),
    }
}

/// Where the sources of designs are, and which of them are rules or accessors.
pub(crate) const SOURCES: Sources = Sources {
    root: Some("variants/"),
    rare: &[
        "core/src/square_board/rules.rs",
        "core/src/square_board/passage.rs",
        "core/src/square_board/passing.rs",
        "core/src/bitboards/castling.rs",
        "core/src/castling.rs",
    ],
    accessors: &[
        "core/src/board.rs",
        "core/src/move_format.rs",
        "core/src/move_format/plies.rs",
        "core/src/move_format/slots.rs",
        "core/src/move_format/two_lists.rs",
        "core/src/move_format/wide.rs",
        "core/src/movelist.rs",
        "core/src/movelist/cursor.rs",
        "core/src/moves.rs",
        "core/src/piece.rs",
        "core/src/square.rs",
        "core/src/square_board.rs",
        "core/src/square_board/cells.rs",
        "core/src/square_board/code.rs",
        "core/src/square_board/geometry.rs",
        "core/src/square_board/words.rs",
    ],
    rest: &[
        "bitboard/src/pawns.rs",
        "bitboard/src/pawns_one_by_one.rs",
        "core/src/set_wise/complete.rs",
        "core/src/square_board/pawns.rs",
        "setwise/src/pawns.rs",
        "simd/src/castling.rs",
        "simd/src/en_passant.rs",
        "simd/src/pawns.rs",
    ],
};

/// Instructions per visited square by compiler.
const STORED: &str = include_str!("audit/instructions.toml");

/// A parser for flags that choose entries.
pub(crate) fn entry_stages() -> impl TypedValueParser<Value = EntryStage> {
    let help = |stage| match stage {
        EntryStage::All => "Captures and quiet moves",
        EntryStage::Captures => "Moves that capture",
        EntryStage::Quiets => "Moves that do not capture",
        EntryStage::Sliders => "All moves of bishops, rooks and queens",
        EntryStage::Winning => "Captures of a piece that is worth more than the capturing one",
    };
    let value = |stage: EntryStage| PossibleValue::new(stage.name()).help(help(stage));
    PossibleValuesParser::new(EntryStage::ALL.map(value)).try_map(|name| name.parse::<EntryStage>())
}

/// Entries in a sentence: `captures, quiets`.
pub(crate) fn listed(stages: &[EntryStage]) -> String {
    stages.iter().map(|stage| stage.name()).collect::<Vec<_>>().join(", ")
}

/// The call that runs an entry.
pub(crate) fn call_of(stage: EntryStage) -> Call {
    let (stage, scope) = match stage {
        EntryStage::All => (Stage::All, Scope::Whole),
        EntryStage::Captures => (Stage::Captures, Scope::Whole),
        EntryStage::Quiets => (Stage::Quiets, Scope::Whole),
        EntryStage::Sliders => (Stage::All, Scope::Sliders),
        EntryStage::Winning => return Operation::WinningCaptures.into(),
    };
    Call::Generate { stage, scope }
}

/// The address of the compiled entry; `None` if the design does not support the scope or does not offer the call.
fn address_of(entry: &Entry, stage: EntryStage) -> Option<usize> {
    match stage {
        EntryStage::All => Some(entry.address(StageId::All)),
        EntryStage::Captures => Some(entry.address(StageId::Captures)),
        EntryStage::Quiets => Some(entry.address(StageId::Quiets)),
        EntryStage::Sliders => entry.address_of_sliders(),
        EntryStage::Winning => entry.address_of_winning(),
    }
}

/// The entries of all built-in designs, those of a design together.
pub(crate) fn subjects(stages: &[EntryStage]) -> Vec<Subject> {
    let pairs = DESIGNS.iter().flat_map(|entry| stages.iter().map(move |&stage| (entry, stage)));
    let cells = |entry: &Entry| Some(entry.board_cells.unwrap_or(0));
    pairs.filter_map(|(entry, stage)| subject(entry, stage, cells(entry))).collect()
}

/// An entry of a design with so many bytes of cells, if they are known; `None` if the design does not support the
/// scope.
fn subject(entry: &Entry, stage: EntryStage, cell_bytes: Option<usize>) -> Option<Subject> {
    Some(Subject {
        design: entry.card.id.to_owned(),
        stage,
        address: address_of(entry, stage)?,
        control: entry.control(),
        cell_bytes,
        length_at: entry.length_at(),
        quiets: !matches!(stage, EntryStage::Captures | EntryStage::Winning),
    })
}

/// Audits the entries in turn.
///
/// # Errors
/// An entry whose code is not found.
pub(crate) fn reports(audit: &Audit<'_>, subjects: &[Subject]) -> anyhow::Result<Vec<Report>> {
    subjects.iter().map(|subject| Ok(audit.examine(subject)?)).collect()
}

/// The findings of all entries, and those of comparing the designs of each pair.
pub(crate) fn findings(reports: &[Report]) -> Vec<Finding> {
    raywalk_audit::check(reports, &pairs(), EXCEPTIONS)
}

/// The accepted findings among the audited entries.
pub(crate) fn exceptions(reports: &[Report]) -> Vec<&'static Exception> {
    let concerns = |exception: &&Exception| {
        reports.iter().any(|report| exception.concerns(&report.design, report.stage))
    };
    EXCEPTIONS.iter().filter(concerns).collect()
}

/// The accepted findings of a design, with the stages that have them.
pub(crate) fn accepted(
    design: &str,
) -> impl Iterator<Item = (&'static Exception, &'static [EntryStage])> {
    let of = move |exception: &'static Exception| (exception, exception.stages_of(design));
    EXCEPTIONS.iter().map(of).filter(|(_, stages)| !stages.is_empty())
}

/// Counts what the entries of these designs execute, and writes it into their reports.
///
/// # Errors
/// The positions to trace cannot be made.
pub(crate) fn count_executed(reports: &mut [Report], designs: &[&Entry]) -> anyhow::Result<()> {
    let entry_of = |id: &str| designs.iter().copied().find(|entry| entry.card.id == id);
    executed::count_executed(reports, image_base(), entry_of)
}

/// Warnings about instruction counts that differ from those stored for this compiler, and about loops that are longer
/// than in C or wait longer. Only optimised programs without debug assertions are compared.
pub(crate) fn warnings(build: &Build, reports: &[Report]) -> Vec<String> {
    if cfg!(debug_assertions) {
        return Vec::new();
    }
    let mut warnings = stored().warnings(&build.rustc, &build.flags, reports);
    warnings.extend(CLoops::new().warnings(reports));
    warnings
}

/// A warning about entries whose stack operands are accepted although nothing was counted: the part of the instructions
/// that an exception allows is not checked there.
pub(crate) fn uncounted(reports: &[Report]) -> Option<String> {
    let uncounted = reports.iter().filter(|report| report.executed.is_none());
    accepted_without_a_count(uncounted.map(|report| (&*report.design, report.stage)))
}

fn accepted_without_a_count<'a>(
    uncounted: impl Iterator<Item = (&'a str, EntryStage)>,
) -> Option<String> {
    let is_limited = |(design, stage): &(&str, EntryStage)| {
        let mut limited = EXCEPTIONS.iter().filter(|exception| exception.at_most.is_some());
        limited.any(|exception| exception.concerns(design, *stage))
    };
    let entries: Vec<String> =
        uncounted.filter(is_limited).map(|(design, stage)| format!("{design} {stage}")).collect();
    (!entries.is_empty()).then(|| {
        format!(
            "Stack operands are accepted without a count, because nothing was traced: {}.",
            entries.join(", ")
        )
    })
}

/// The text of the stored table with the counts of this program in place of those of its compiler.
pub(crate) fn replaced(build: &Build, reports: &[Report]) -> String {
    let mut stored = stored();
    stored.replace(&build.rustc, &build.flags, reports);
    let comments: String =
        STORED.split_inclusive('\n').take_while(|line| line.starts_with('#')).collect();
    comments + &stored.to_text()
}

fn stored() -> Stored {
    Stored::parse(STORED).expect("the stored table, which a test parses")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_table_is_as_it_would_be_written() {
        let comments = STORED.find("\n\n").expect("a blank line behind the comments") + 1;
        assert_eq!(stored().to_text(), STORED[comments..]);
    }

    #[test]
    fn every_design_has_an_entry_for_each_stage_and_most_for_sliders() {
        let count = |stage| subjects(&[stage]).len();
        for stage in [EntryStage::All, EntryStage::Captures, EntryStage::Quiets] {
            assert_eq!(count(stage), DESIGNS.len());
        }
        for stage in [EntryStage::Sliders, EntryStage::Winning] {
            assert!((1..DESIGNS.len()).contains(&count(stage)), "{stage:?}");
        }
        let bell = |subject: &&Subject| subject.design == "bell/last-square";
        let all = subjects(&EntryStage::ALL);
        let mut addresses: Vec<_> = all.iter().filter(bell).map(|bell| bell.address).collect();
        addresses.sort_unstable();
        addresses.dedup();
        assert_eq!(addresses.len(), 4);
    }

    #[test]
    fn an_exception_names_designs_that_exist_and_gives_its_reason() {
        let all = subjects(&EntryStage::ALL);
        for exception in EXCEPTIONS {
            for (design, stages) in exception.entries {
                let is_known = |stage: &EntryStage| {
                    all.iter().any(|one| one.design == *design && one.stage == *stage)
                };
                assert!(!stages.is_empty() && stages.iter().all(is_known), "{design}: {stages:?}");
            }
            assert!(!exception.sources.is_empty() && !exception.reason.is_empty(), "{exception:?}");
        }
    }

    #[test]
    fn stack_operands_that_are_accepted_without_a_count_are_named() {
        use EntryStage::{All, Captures};
        let warning = |entries: &[(&'static str, EntryStage)]| {
            accepted_without_a_count(entries.iter().copied())
        };
        // An exception of another kind has no limit, and this design has none of either kind.
        assert_eq!(warning(&[]), None);
        assert_eq!(warning(&[("bitboard/pext", All)]), None);
        let text =
            warning(&[("bell/steps", All), ("bitboard/pext", All), ("bell/steps", Captures)]);
        assert_eq!(
            text.as_deref(),
            Some(
                "Stack operands are accepted without a count, because nothing was traced: bell/steps all, bell/steps \
                 captures."
            )
        );
    }

    #[test]
    fn the_sources_that_are_told_apart_exist() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../variants");
        for file in SOURCES.rare.iter().chain(SOURCES.accessors).chain(SOURCES.rest) {
            assert!(folder.join(file).is_file(), "{file}");
        }
    }
}
