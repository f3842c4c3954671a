//! Every kind of change takes effect, and inputs depend on their number alone.

use super::*;

fn corpus() -> Corpus {
    let seeds = ["one 12.5 two\nthree = 7\nfour", "five, 345 six\n{ seven: -8 }\n"];
    Corpus { seeds: seeds.map(|seed| seed.as_bytes().to_vec()).to_vec(), words: &["word"] }
}

#[test]
fn an_input_depends_on_its_number_alone_and_differs_from_the_seeds() {
    let corpus = corpus();
    let mut inputs: Vec<_> = (0..5000).map(|number| corpus.input(number)).collect();
    assert_eq!(inputs[4999], corpus.input(4999));
    assert!(inputs.iter().all(|input| input.len() <= LONGEST));
    inputs.sort();
    inputs.dedup();
    assert!(inputs.len() > 3000, "only {} of 5000 inputs are distinct", inputs.len());
}

#[test]
fn every_change_changes_some_text_and_accepts_an_empty_one() {
    let corpus = corpus();
    for (number, change) in CHANGES.iter().enumerate() {
        let mut random = SplitMix(number as u64);
        let changed = |text: &[u8], random: &mut SplitMix| {
            let mut input = text.to_vec();
            change(&mut input, &corpus, random);
            input != text
        };
        let seed = &corpus.seeds[0];
        assert!((0..100).any(|_| changed(seed, &mut random)), "change {number} does nothing");
        for short in ["", "x", "\n", " ", "7", "-"] {
            (0..100).for_each(|_| _ = changed(short.as_bytes(), &mut random));
        }
    }
}

#[test]
fn a_repetition_is_rarely_as_long_as_allowed() {
    let corpus = corpus();
    let mut random = SplitMix(1);
    let lengths = (0..10_000).map(|_| {
        let mut input = corpus.seeds[0].clone();
        repeat_span(&mut input, &corpus, &mut random);
        input.len()
    });
    let long: Vec<_> = lengths.filter(|&length| length > USUAL).collect();
    assert!((1..100).contains(&long.len()) && long.iter().all(|&length| length == LONGEST));
}

#[test]
fn fields_lines_and_numbers_are_found_whole() {
    let text = b"ab -12.5,cd\nef";
    let found = |find: &dyn Fn(&mut SplitMix) -> Range<usize>| {
        let mut random = SplitMix(1);
        let mut found: Vec<_> = (0..200)
            .map(|_| String::from_utf8_lossy(&text[find(&mut random)]).into_owned())
            .collect();
        found.sort();
        found.dedup();
        found
    };
    assert_eq!(found(&|random| field(text, random)), ["-12.5", "ab", "cd", "ef"]);
    assert_eq!(found(&|random| line(text, random)), ["ab -12.5,cd\n", "ef"]);
    assert_eq!(found(&|random| number(text, random).expect("a number")), ["-12.5"]);
    assert_eq!(number(b"none", &mut SplitMix(1)), None);
    assert_eq!(column(b"a bc d", 1), Some(2..4));
    assert_eq!(column(b"a bc d", 3), None);
}

#[test]
fn a_swap_exchanges_two_ranges_in_either_order() {
    for (one, other) in [(0..1, 2..4), (2..4, 0..1)] {
        let mut text = b"a-bc.".to_vec();
        swap(&mut text, one, other);
        assert_eq!(text, b"bc-a.");
    }
}
