//! Properties of the designs that a condition compares.

use raywalk_results::schema::Design;

use crate::board_kind::BoardKind;

/// Properties of the designs of a condition, in words; none without a design.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Traits {
    pub(super) class: Option<String>,
    pub(super) board: Option<String>,
    pub(super) legality: Option<String>,
    /// Whose tables exceed the first-level and the second-level cache; absent if either is not known.
    pub(super) tables: [Option<String>; 2],
}

impl Traits {
    /// The traits of one design, or of two that are compared. `caches` are the bytes of the first-level and of the
    /// second-level cache.
    pub(super) fn of(
        designs: &[Design],
        caches: [Option<u64>; 2],
        [one, other]: [Option<&str>; 2],
    ) -> Traits {
        let design = |id: &str| designs.iter().find(|design| design.id == id);
        let Some(one) = one.and_then(design) else { return Traits::default() };
        let other = other.and_then(design);
        let both = |of: &dyn Fn(&Design) -> String| match other {
            Some(other) => format!("{} against {}", of(one), of(other)),
            None => of(one),
        };
        let tables = |cache: Option<u64>| {
            let exceeds = |design: &Design| Some(design.table_bytes? > cache?);
            Some(match (exceeds(one)?, other.map(exceeds)) {
                (true, None) => "tables beyond it",
                (false, None) => "tables within it",
                (true, Some(Some(true))) => "the tables of both",
                (true, Some(Some(false))) => "those of the first design",
                (false, Some(Some(true))) => "those of the second design",
                (false, Some(Some(false))) => "those of neither",
                (_, Some(None)) => return None,
            })
        };
        Traits {
            class: Some(both(&|design| design.control.name().to_owned())),
            board: Some(both(&|design| BoardKind::of_design(design).plural().to_owned())),
            legality: Some(both(&|design| design.legality.name().to_owned())),
            tables: caches.map(|cache| tables(cache).map(str::to_owned)),
        }
    }
}
