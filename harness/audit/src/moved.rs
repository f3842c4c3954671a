//! Finds the code of this program in another program that was linked from the same functions in another order.

use std::collections::HashMap;
use std::ops::Range;

use crate::program::Program;

/// The functions of two programs, paired by name.
pub struct Moved<'a> {
    ours: &'a Program<'a>,
    /// The range of each function in the other program; `None` where two have one name.
    theirs: HashMap<&'a str, Option<Range<u64>>>,
}

impl<'a> Moved<'a> {
    /// Pairs the functions of this program with those of another.
    pub fn new(ours: &'a Program<'a>, theirs: &'a Program<'a>) -> Moved<'a> {
        let mut ranges: HashMap<&str, Option<Range<u64>>> = HashMap::new();
        for (range, name) in theirs.functions() {
            let known = ranges.entry(name).or_insert_with(|| Some(range.clone()));
            if known.as_ref() != Some(&range) {
                *known = None;
            }
        }
        Moved { ours, theirs: ranges }
    }

    /// The address in the other program of an address in this one, both relative to the start of the file. `None` where
    /// the other program has no function of this name and length, or several.
    pub fn address(&self, address: u64) -> Option<u64> {
        let (ours, name) = self.ours.function(address)?;
        let theirs = self.theirs.get(name)?.as_ref()?;
        let is_same = ours.end - ours.start == theirs.end - theirs.start;
        is_same.then(|| theirs.start + (address - ours.start))
    }
}
