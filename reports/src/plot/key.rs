//! One colour and one marker per design, the same in every plot and table of a page.

use std::collections::BTreeMap;

use crate::journal::Results;

use super::palette::{Ink, SLOTS};

/// How designs are drawn, by id.
#[derive(Clone, Debug, Default)]
pub struct Keys {
    keys: BTreeMap<String, Key>,
}

/// How one design is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// Its number on the page, in the order of first appearance.
    pub number: u8,
    /// Its display name.
    pub name: String,
}

impl Key {
    /// Its colour. Every eighth design shares one.
    pub fn ink(&self) -> Ink {
        Ink::Design(self.number)
    }

    /// Its marker; designs of one colour have different ones.
    pub fn shape(&self) -> usize {
        let number = usize::from(self.number);
        (number + number / SLOTS) % SLOTS
    }

    /// The marker as a character, for tables.
    pub fn symbol(&self) -> char {
        ['●', '■', '▲', '▼', '◆', '✚', '✖', '○'][self.shape() % SLOTS]
    }

    /// The class that script and style know the design by.
    pub fn class(&self) -> String {
        format!("d{}", self.number)
    }
}

impl Keys {
    /// Keys for all designs of all sessions. One id is one design, in whichever session.
    pub fn of(sessions: &[Results]) -> Keys {
        let mut keys = BTreeMap::new();
        for design in sessions.iter().flat_map(|results| &results.designs) {
            let number = u8::try_from(keys.len()).unwrap_or(u8::MAX);
            let key = Key { number, name: design.name.clone() };
            keys.entry(design.id.clone()).or_insert(key);
        }
        Keys { keys }
    }

    /// The key of a design; `None` for a twin, and for a design that no session introduced.
    pub fn get(&self, id: &str) -> Option<&Key> {
        self.keys.get(id)
    }

    /// The ink of a design, or that of an axis.
    pub fn ink(&self, id: &str) -> Ink {
        self.get(id).map_or(Ink::Axis, Key::ink)
    }

    /// The marker of a design.
    pub fn shape(&self, id: &str) -> usize {
        self.get(id).map_or(0, Key::shape)
    }

    /// All keys, by number.
    pub fn all(&self) -> Vec<(&str, &Key)> {
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
