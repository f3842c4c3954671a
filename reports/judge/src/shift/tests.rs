#![allow(clippy::unwrap_used)]
use super::*;
use proptest::prelude::*;

const ALONE: Confidence = Confidence::NINETY_FIVE;

#[test]
fn the_cuts_are_those_of_the_printed_tables() {
    // Critical values of the Mann–Whitney U, two-sided, 5 %.
    for (n, m, expected) in [
        (3, 3, None),
        (4, 4, Some(0)),
        (5, 5, Some(2)),
        (6, 6, Some(5)),
        (8, 8, Some(13)),
        (10, 10, Some(23)),
        (5, 10, Some(8)),
        (15, 15, Some(64)),
        (10, 20, Some(55)),
        (20, 20, Some(127)),
    ] {
        assert_eq!(mann_whitney_cut(n, m, ALONE), expected, "{n} and {m}");
        assert_eq!(mann_whitney_cut(m, n, ALONE), expected, "{m} and {n}");
    }
}

/// An independent computation: every order of two samples, counted.
#[test]
fn the_distribution_equals_a_count_of_all_orders() {
    for (n, m) in [(1, 1), (1, 4), (3, 2), (4, 4), (5, 6)] {
        let mut counts = vec![0u32; n * m + 1];
        for order in 0u32..1 << (n + m) {
            if order.count_ones() as usize != n {
                continue;
            }
            // A set bit is a value of the first sample; it beats each clear bit below it.
            let beaten = (0..n + m).filter(|&i| order >> i & 1 == 1);
            let u: usize = beaten.map(|i| (0..i).filter(|&k| order >> k & 1 == 0).count()).sum();
            counts[u] += 1;
        }
        let all: u32 = counts.iter().sum();
        for (u, chance) in mann_whitney(n, m).into_iter().enumerate() {
            let counted = f64::from(counts[u]) / f64::from(all);
            assert!((chance - counted).abs() < 1e-14, "{n} and {m}, {u}: {chance}, {counted}");
        }
    }
}

#[test]
fn the_normal_law_agrees_with_printed_tables() {
    for (p, printed) in [
        (0.5, 0.0),
        (0.25, -0.674_490),
        (0.025, -1.959_964),
        (0.001, -3.090_232),
        (1e-6, -4.753_424),
        (1e-12, -7.034_484),
        (0.975, 1.959_964),
    ] {
        let found = Normal::standard().inverse_cdf(p);
        assert!((found - printed).abs() < 2e-6, "{p}: {found}");
    }
}

#[test]
fn the_normal_cut_exceeds_the_exact_one_by_one_at_most() {
    for (n, m) in [(50, 50), (25, 100), (40, 60)] {
        let chances = mann_whitney(n, m);
        for comparisons in [1, 10, 100] {
            let limit = ALONE.shared_by(comparisons).miss() / 2.0;
            let mut tail = 0.0;
            let exact = chances.iter().take_while(|&&chance| {
                tail += chance;
                tail <= limit
            });
            let (exact, normal) = (exact.count() - 1, normal_cut(n, m, limit));
            assert!(normal <= exact + 1, "{n} and {m}: {normal}, exactly {exact}");
            assert!(exact as f64 - normal as f64 <= 0.02 * exact as f64, "{normal}, {exact}");
        }
    }
}

#[test]
fn a_shift_is_found_despite_an_outlier() {
    let from: Vec<f64> = (0..20).map(f64::from).collect();
    let mut to: Vec<f64> = from.iter().map(|value| value + 7.0).collect();
    let quiet = shift_interval(&from, &to, ALONE).unwrap();
    assert_eq!(quiet.middle, 7.0);
    assert!(quiet.low < 7.0 && 7.0 < quiet.high);
    to[19] = 1e9;
    let loud = shift_interval(&from, &to, ALONE).unwrap();
    assert_eq!((quiet.low, quiet.middle), (loud.low, loud.middle));
    assert!(loud.high <= quiet.high + 1.0);
}

#[test]
fn three_values_have_no_interval_and_more_comparisons_take_more() {
    let values = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let few = shift_interval(&values[..3], &values[..3], ALONE).unwrap_err();
    assert_eq!(few, TooFew { found: 3, needed: 4 });
    assert!(shift_interval(&values[..4], &values[..4], ALONE).is_ok());
    // 2 ÷ C(8, 4) is above 0.05 ÷ 10; 2 ÷ C(12, 6) is not.
    assert!(shift_interval(&values[..4], &values[..4], ALONE.shared_by(10)).is_err());
    assert!(shift_interval(&values, &values, ALONE.shared_by(10)).is_ok());
    assert!(shift_interval(&[], &values, ALONE).is_err());
}

/// Of many pairs of equal samples, at most the allowed fraction is called different. 2,000 pairs; three
/// standard errors of a fraction of 5 % are 1.5 %.
#[test]
fn equal_samples_are_rarely_called_different() {
    let mut state = 1u64;
    let mut noise = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let uniform = ((state >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        // Skewed, with a long tail, as times are.
        1.0 - uniform.ln()
    };
    let mut missed = 0;
    for _ in 0..2_000 {
        let from: Vec<f64> = (0..15).map(|_| noise()).collect();
        let to: Vec<f64> = (0..12).map(|_| noise()).collect();
        let interval = shift_interval(&from, &to, ALONE).unwrap();
        missed += u32::from(interval.low > 0.0 || interval.high < 0.0);
    }
    assert!((50..=130).contains(&missed), "{missed} of 2,000");
}

proptest! {
    #[test]
    fn a_rank_is_that_of_the_sorted_differences(
        from in prop::collection::vec(-1e3f64..1e3, 1..20),
        to in prop::collection::vec(-1e3f64..1e3, 1..20),
    ) {
        let mut all: Vec<f64> =
            from.iter().flat_map(|x| to.iter().map(move |y| y - x)).collect();
        all.sort_by(f64::total_cmp);
        let differences = Differences::new(&from, &to);
        for (rank, expected) in all.iter().enumerate() {
            prop_assert_eq!(differences.ranked(rank), *expected);
        }
    }

    #[test]
    fn exchanging_the_samples_exchanges_the_ends(
        from in prop::collection::vec(-1e3f64..1e3, 8..60),
        to in prop::collection::vec(-1e3f64..1e3, 8..60),
    ) {
        let there = shift_interval(&from, &to, ALONE).unwrap();
        let back = shift_interval(&to, &from, ALONE).unwrap().inverse();
        prop_assert!((there.low - back.low).abs() < 1e-9);
        prop_assert!((there.middle - back.middle).abs() < 1e-9);
        prop_assert!((there.high - back.high).abs() < 1e-9);
    }
}
