//! Colour, marker and number of each design, the same in every plot and table of a page.
//!
//! The colour is that of the class of control flow, the marker that of the family. Designs that share both are told
//! apart by their names, which plots write beside their marks.

use std::collections::BTreeMap;

use raywalk_results::journal::Results;
use raywalk_results::schema::Control;

use crate::palette::{Ink, Paint, SHAPES};

#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    keys: BTreeMap<String, Key>,
}

/// What one design looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Number on the page, in the order of first appearance.
    number: u8,
    control: Control,
    /// Number of its family, in the order of first appearance.
    family: usize,
    pub(crate) name: String,
}

impl Key {
    pub(crate) fn ink(&self) -> Ink {
        Ink::Design(self.number, self.control)
    }

    /// The marker. Every eighth family shares one.
    fn shape(&self) -> usize {
        self.family % SHAPES
    }

    /// The marker as a character, for tables.
    pub(crate) fn symbol(&self) -> char {
        ['●', '■', '▲', '▼', '◆', '✚', '✖', '○'][self.shape()]
    }

    pub(crate) fn class(&self) -> String {
        format!("d{}", self.number)
    }
}

impl Keys {
    /// Keys for the designs of all sessions. The same id is the same design in every session.
    pub(crate) fn of<'a>(sessions: impl IntoIterator<Item = &'a Results>) -> Keys {
        let mut keys = BTreeMap::new();
        let mut families: Vec<&str> = Vec::new();
        for design in sessions.into_iter().flat_map(|results| &results.designs) {
            let number = u8::try_from(keys.len()).unwrap_or(u8::MAX);
            let name = design.id.split('/').next().unwrap_or_default();
            let family = families.iter().position(|one| *one == name).unwrap_or_else(|| {
                families.push(name);
                families.len() - 1
            });
            let key = Key { number, control: design.control, family, name: design.name.clone() };
            keys.entry(design.id.clone()).or_insert(key);
        }
        Keys { keys }
    }

    /// The key of a design; `None` for an A/A control.
    pub(crate) fn get(&self, id: &str) -> Option<&Key> {
        self.keys.get(id)
    }

    /// The colour of a design; that of an axis for an A/A control.
    pub(crate) fn ink(&self, id: &str) -> Ink {
        self.get(id).map_or(Ink::Axis, Key::ink)
    }

    pub(crate) fn shape(&self, id: &str) -> usize {
        self.get(id).map_or(0, Key::shape)
    }

    /// A role of a design: hidden together with the design.
    pub(crate) fn paint(&self, id: &str, ink: Ink) -> Paint {
        Paint { ink, owner: self.get(id).map(|key| key.number) }
    }

    pub(crate) fn all(&self) -> Vec<(&str, &Key)> {
        let mut all: Vec<_> = self.keys.iter().map(|(id, key)| (id.as_str(), key)).collect();
        all.sort_by_key(|(_, key)| key.number);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::fixture::Recipe;

    #[test]
    fn colour_means_class_and_marker_means_family() {
        let results = Recipe::FULL.results();
        let keys = Keys::of([&results]);
        for one in &results.designs {
            assert_eq!(keys.ink(&one.id).variable(), one.control.name());
            for other in &results.designs {
                let family = |id: &str| id.split('/').next().map(str::to_owned);
                if family(&one.id) == family(&other.id) {
                    assert_eq!(keys.shape(&one.id), keys.shape(&other.id));
                }
            }
        }
        let shapes: std::collections::BTreeSet<_> =
            results.designs.iter().map(|design| keys.shape(&design.id)).collect();
        assert_eq!(shapes.len(), SHAPES, "the fixture has more families than markers");
    }
}
