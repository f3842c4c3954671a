//! One colour and one marker per design, the same in every plot and table of a page.

use std::collections::BTreeMap;

use raywalk_results::journal::Results;

use crate::palette::{Ink, Paint, SLOTS};

#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    keys: BTreeMap<String, Key>,
}

/// Number and name of one design; colour and marker follow from the number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Number on the page, in the order of first appearance.
    number: u8,
    pub(crate) name: String,
}

impl Key {
    /// The colour. Every eighth design shares one.
    pub(crate) fn ink(&self) -> Ink {
        Ink::Design(self.number)
    }

    /// The marker; designs of the same colour have different ones.
    fn shape(&self) -> usize {
        let number = usize::from(self.number);
        (number + number / SLOTS) % SLOTS
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
        for design in sessions.into_iter().flat_map(|results| &results.designs) {
            let number = u8::try_from(keys.len()).unwrap_or(u8::MAX);
            let key = Key { number, name: design.name.clone() };
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

    #[test]
    fn sixty_four_designs_look_different() {
        let look = |number| {
            let key = Key { number, name: String::new() };
            (key.ink().variable(), key.shape())
        };
        let looks: std::collections::BTreeSet<_> = (0..64).map(look).collect();
        assert_eq!(looks.len(), 64);
    }
}
