//! The page of a journal that was cut off.

use proptest::prelude::*;
use raywalk_judge::Judged;
use raywalk_results::fixture::{self, Recipe};
use raywalk_results::journal::read;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_journal_cut_anywhere_after_its_first_line_has_a_page(fraction in 0.0f64..1.0) {
        let records = Recipe { designs: 3, rounds: 2, ..Recipe::SMALL }.records();
        let text = fixture::text(&records);
        let first = text.find('\n').expect("more than one line") + 1;
        let cut = first + ((text.len() - first) as f64 * fraction) as usize;
        let results = read(&text.as_bytes()[..cut]).expect("a cut journal is readable");
        prop_assert!(!raywalk_page::page(&[Judged::of(&results)]).is_empty());
    }
}
