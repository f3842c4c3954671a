//! Colour, marker and number of each design, the same in every plot and table of a page.
//!
//! The colour is that of the class of control flow, the marker that of the family. Designs that share both are told
//! apart by their names, which plots write beside their marks.

use std::collections::BTreeMap;

use raywalk_results::journal::Results;
use raywalk_results::schema::Control;

use crate::palette::{Ink, Paint, SYMBOLS};

#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    keys: BTreeMap<String, Key>,
}

/// Marker, colour and short label of one design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// Number on the page, in the order of first appearance.
    number: u8,
    pub(crate) control: Control,
    /// Number of its family, in the order of first appearance.
    family: usize,
    pub(crate) name: String,
}

impl Key {
    pub(crate) fn ink(&self) -> Ink {
        Ink::Design(self.number, self.control)
    }

    /// The marker. It is that of one family only, unless a session has more families than there are markers.
    fn shape(&self) -> usize {
        self.family % SYMBOLS.len()
    }

    /// The marker as a character, for tables.
    pub(crate) fn symbol(&self) -> char {
        SYMBOLS[self.shape()]
    }

    pub(crate) fn class(&self) -> String {
        format!("d{}", self.number)
    }
}

/// The text, or its beginning and an ellipsis if it is longer than `most` characters.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
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

    /// The class of elements that disappear with a design; `None` for an A/A control.
    pub(crate) fn owner(&self, id: &str) -> Option<String> {
        self.get(id).map(Key::class)
    }

    pub(crate) fn shape(&self, id: &str) -> usize {
        self.get(id).map_or(0, Key::shape)
    }

    /// A role of a design: hidden together with the design.
    pub(crate) fn paint(&self, id: &str, ink: Ink) -> Paint {
        Paint { ink, owner: self.get(id).map(|key| key.number) }
    }

    /// The name of a design in at most so many characters, unlike that of any other. If two names begin alike, it is
    /// the end of the id.
    pub(crate) fn label(&self, id: &str, most: usize) -> String {
        let Some(key) = self.get(id) else { return clipped(id, most) };
        let label = clipped(&key.name, most);
        let mut others = self.keys.iter().filter(|(other, _)| *other != id);
        if others.all(|(_, other)| clipped(&other.name, most) != label) {
            return label;
        }
        let length = id.chars().count();
        if length <= most {
            return id.to_owned();
        }
        let kept: String = id.chars().skip(length + 1 - most).collect();
        format!("…{kept}")
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
    fn shortened_names_stay_different() {
        let mut results = Recipe { designs: 30, ..Recipe::FULL }.results();
        for (number, design) in results.designs.iter_mut().enumerate() {
            design.name = format!("Conditional linked list, variant {number}");
            design.id = format!("linked-list/variant-{number}");
        }
        let keys = Keys::of([&results]);
        for most in [12, 20, 26, 60] {
            let labels: std::collections::BTreeSet<String> =
                results.designs.iter().map(|design| keys.label(&design.id, most)).collect();
            assert_eq!(labels.len(), results.designs.len(), "{most} characters");
            assert!(labels.iter().all(|label| label.chars().count() <= most));
        }
        let first = &results.designs[0].id;
        assert_eq!(keys.label(first, 60), "Conditional linked list, variant 0");
        assert_eq!(keys.label(first, 26), "linked-list/variant-0");
        assert_eq!(keys.label(first, 12), "…t/variant-0");
    }

    #[test]
    fn colour_means_class_and_marker_means_family() {
        let results = Recipe { designs: SYMBOLS.len(), ..Recipe::FULL }.results();
        let keys = Keys::of([&results]);
        for one in &results.designs {
            assert_eq!(keys.ink(&one.id).variable(), one.control.name());
            for other in &results.designs {
                let family = |id: &str| id.split('/').next().map(str::to_owned);
                let is_same = keys.shape(&one.id) == keys.shape(&other.id);
                assert_eq!(is_same, family(&one.id) == family(&other.id), "{one:?} {other:?}");
            }
        }
    }
}
