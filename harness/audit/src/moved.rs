//! Finds the code of this program in another program that was linked from the same functions in another order.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::ops::Range;

use crate::program::Program;

/// The functions of two programs, paired by name.
pub struct Moved<'a> {
    ours: &'a Program<'a>,
    theirs: Functions<'a>,
}

impl<'a> Moved<'a> {
    /// Pairs the functions of this program with those of another.
    pub fn new(ours: &'a Program<'a>, theirs: &'a Program<'a>) -> Moved<'a> {
        Moved { ours, theirs: Functions::new(theirs.functions()) }
    }

    /// The address in the other program of an address in this one, both relative to the start of the file. `None` where
    /// the other program has no function of this name and length, or several.
    pub fn address(&self, address: u64) -> Option<u64> {
        let (ours, name) = self.ours.function(address)?;
        let theirs = self.theirs.find(name, ours.end - ours.start)?;
        Some(theirs + (address - ours.start))
    }
}

/// The functions of a program.
struct Functions<'a> {
    by_name: HashMap<&'a str, Option<Range<u64>>>,
    by_path: HashMap<(&'a str, u64), Option<u64>>,
}

impl<'a> Functions<'a> {
    fn new(functions: impl Iterator<Item = (Range<u64>, &'a str)>) -> Functions<'a> {
        let (mut by_name, mut by_path) = (HashMap::new(), HashMap::new());
        for (range, name) in functions {
            insert_once(&mut by_path, (path(name), range.end - range.start), range.start);
            insert_once(&mut by_name, name, range);
        }
        Functions { by_name, by_path }
    }

    /// Where the function of this name and length begins. Libraries that were compiled with other features of their
    /// dependencies have other hashes in all their names; then the rest of the name decides.
    fn find(&self, name: &str, length: u64) -> Option<u64> {
        match self.by_name.get(name) {
            Some(range) => {
                let range = range.as_ref()?;
                (range.end - range.start == length).then_some(range.start)
            }
            None => *self.by_path.get(&(path(name), length))?,
        }
    }
}

/// Inserts a value, or `None` where the key has another one.
fn insert_once<K: Eq + Hash, V: PartialEq>(map: &mut HashMap<K, Option<V>>, key: K, value: V) {
    match map.entry(key) {
        Entry::Vacant(place) => _ = place.insert(Some(value)),
        Entry::Occupied(mut place) => {
            if place.get().as_ref() != Some(&value) {
                place.insert(None);
            }
        }
    }
}

/// A mangled name without the hash at its end: `17h`, 16 hexadecimal digits and `E`.
fn path(name: &str) -> &str {
    let Some((path, hash)) = name.rsplit_once("17h") else { return name };
    let digits = hash.strip_suffix('E').unwrap_or_default();
    let is_hash = digits.len() == 16 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    if is_hash { path } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: &str = "_ZN6ferret3all17h0123456789abcdefE";
    const ALL_REBUILT: &str = "_ZN6ferret3all17hfedcba9876543210E";
    const QUIETS: &str = "_ZN6ferret6quiets17h0123456789abcdefE";

    #[test]
    fn a_function_is_found_by_its_name_and_length() {
        let functions = Functions::new([(100..150, ALL), (200..260, QUIETS)].into_iter());
        assert_eq!(functions.find(ALL, 50), Some(100));
        assert_eq!(functions.find(QUIETS, 60), Some(200));
        assert_eq!(functions.find(ALL, 51), None, "another length is other code");
        assert_eq!(functions.find("memcpy", 50), None);
    }

    #[test]
    fn the_hashes_of_another_build_do_not_matter() {
        let functions = Functions::new([(100..150, ALL), (200..260, QUIETS)].into_iter());
        assert_eq!(functions.find(ALL_REBUILT, 50), Some(100));
        assert_eq!(functions.find(ALL_REBUILT, 60), None);
    }

    #[test]
    fn instances_that_only_their_hash_tells_apart_are_not_guessed() {
        let both = [(100..150, ALL), (200..250, ALL_REBUILT)];
        let functions = Functions::new(both.into_iter());
        assert_eq!(functions.find(ALL, 50), Some(100));
        assert_eq!(functions.find("_ZN6ferret3all17h00000000000000ffE", 50), None);
        let twice = Functions::new([(100..150, ALL), (200..250, ALL)].into_iter());
        assert_eq!(twice.find(ALL, 50), None);
    }

    #[test]
    fn only_a_hash_is_cut_off() {
        assert_eq!(path(ALL), "_ZN6ferret3all");
        let no_hash = "_ZN6ferret3all17h0123456789abcdegE";
        for name in ["memcpy", "17h", "_RNvCs1234_7mycrate3foo", no_hash] {
            assert_eq!(path(name), name);
        }
    }
}
