//! Whether a session has ended, from the last lines of its journal.

use std::io::{self, Read, Seek, SeekFrom};

use super::read::kind;
use super::reader::may_follow;
use crate::schema::RecordKind;

/// Bytes that are read first. They have the end unless long records stand behind it.
const TAIL: u64 = 1 << 16;

/// Searches backwards from the last line, because a journal may have hundreds of megabytes before it. A line that is
/// torn or only known to a newer version decides nothing.
pub(super) fn has_ended(source: &mut (impl Read + Seek)) -> io::Result<bool> {
    let length = source.seek(SeekFrom::End(0))?;
    let mut wanted = TAIL;
    loop {
        let begin = length.saturating_sub(wanted);
        source.seek(SeekFrom::Start(begin))?;
        let mut tail = Vec::new();
        source.take(length - begin).read_to_end(&mut tail)?;
        // The first line is whole only at the beginning of the journal.
        let cut = match begin {
            0 => 0,
            _ => tail.iter().position(|&byte| byte == b'\n').map_or(tail.len(), |end| end + 1),
        };
        let mut kinds = tail[cut..].rsplit(|&byte| byte == b'\n').filter_map(kind);
        let last = kinds.find(|&kind| kind == RecordKind::End || !may_follow(kind));
        if last.is_some() || begin == 0 {
            return Ok(last == Some(RecordKind::End));
        }
        wanted *= 8;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn ended(text: &str) -> bool {
        has_ended(&mut Cursor::new(text)).expect("a text")
    }

    #[test]
    fn the_end_is_found_in_any_spelling_and_before_what_stands_beside_the_rounds() {
        let begin = "{\"record\":\"session\"}\n{\"record\":\"round\"}\n";
        let end = "{ \"rounds\": 1, \"record\": \"end\" }\n";
        for rest in
            ["", "{\"record\":\"trace\"}\n", "{\"record\":\"weather\"}\n", "{\"record\":\"ti", "\n"]
        {
            assert!(ended(&format!("{begin}{end}{rest}")), "{rest}");
            assert!(!ended(&format!("{begin}{rest}")), "{rest}");
        }
        assert!(!ended("") && !ended("{\"record\":\"ses"));
        assert!(!ended(&format!("{begin}{{\"record\":\"round\",\"panel\":\"end\"}}\n")));
    }

    #[test]
    fn records_longer_than_the_tail_are_skipped() {
        let long =
            format!("{{\"record\":\"trace\",\"design\":\"{}\"}}\n", "x".repeat(3 * TAIL as usize));
        let session = "{\"record\":\"session\"}\n";
        assert!(ended(&format!("{session}{{\"record\":\"end\"}}\n{long}{long}")));
        assert!(!ended(&format!("{session}{long}{long}")));
    }
}
