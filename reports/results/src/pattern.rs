//! Patterns that select designs, workloads and claims by their ids.

/// Whether a pattern matches an id: the id itself, its family, or a text with `*` for any part of it.
pub fn is_match(pattern: &str, id: &str) -> bool {
    let family = id.split_once('/').map_or(id, |(family, _)| family);
    pattern == family || glob(pattern.as_bytes(), id.as_bytes())
}

/// Whether a pattern with `*` for any text matches the whole text.
///
/// Only the last `*` before a mismatch needs another try, because an earlier one could take nothing that
/// the last one cannot. So the time is at most the product of both lengths.
fn glob(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut next) = (0, 0);
    // Behind the last `*`, and the end of the text that it took.
    let mut star: Option<(usize, usize)> = None;
    while next < text.len() {
        match (pattern.get(at), star) {
            (Some(b'*'), _) => {
                at += 1;
                star = Some((at, next));
            }
            (Some(letter), _) if *letter == text[next] => {
                at += 1;
                next += 1;
            }
            (_, Some((behind, end))) => {
                (at, next) = (behind, end + 1);
                star = Some((behind, end + 1));
            }
            (_, None) => return false,
        }
    }
    pattern[at..].iter().all(|&letter| letter == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_matches_as_its_definition_says() {
        // By definition: a star takes any number of letters.
        fn defined(pattern: &[u8], text: &[u8]) -> bool {
            match (pattern.split_first(), text.split_first()) {
                (None, _) => text.is_empty(),
                (Some((b'*', rest)), _) => (0..=text.len()).any(|n| defined(rest, &text[n..])),
                (Some((one, rest)), Some((other, text))) => one == other && defined(rest, text),
                (Some(_), None) => false,
            }
        }
        let words = |letters: &'static [u8], longest: u32| {
            let base = letters.len();
            (0..=longest).flat_map(move |length| {
                (0..base.pow(length)).map(move |word| {
                    (0..length).map(|n| letters[word / base.pow(n) % base]).collect::<Vec<_>>()
                })
            })
        };
        for pattern in words(b"ab*", 5) {
            for text in words(b"ab", 5) {
                let found = glob(&pattern, &text);
                assert_eq!(found, defined(&pattern, &text), "{pattern:?} {text:?}");
            }
        }
    }

    #[test]
    fn a_pattern_of_many_stars_is_answered_at_once() {
        let stars = "*".repeat(100_000);
        assert!(is_match(&stars, "bitboard/hyperbola"));
        assert!(!is_match(&format!("{stars}x"), "bitboard/hyperbola"));
        assert!(!is_match(&"*a".repeat(30), &"a".repeat(29)));
    }
}
