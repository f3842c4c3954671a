//! Roots as strata: how evenly the batches of a sample are spread over them.

use super::Pair;

/// The fraction of the differences between roots that makes no error because each root has its part in the sample: 1 if
/// all `roots` of a workload are visited in equally many batches. The batches of a root are taken to be equal parts of
/// it. 0 if most roots that were visited again were visited in the same batch, because the noise then does not contain
/// how the batches of a root differ, and if the number of roots is 0, which is unknown.
///
/// Of n batches, a root should have n ÷ roots. The squared differences from that, divided by the squares, add up to the
/// fraction that remains an error; the result is the rest.
pub(crate) fn stratified(pairs: &[Pair], roots: u64) -> f64 {
    let clean = pairs.iter().filter(|pair| pair.blocks.iter().any(Option::is_some));
    let mut visits: Vec<(u64, u64)> = clean.map(|pair| (pair.root, pair.batch)).collect();
    visits.sort_unstable();
    let (mut again, mut elsewhere) = (0, 0);
    let (mut all, mut squares) = (0.0, 0.0);
    for root in visits.chunk_by(|one, other| one.0 == other.0) {
        let batches = root.chunk_by(|one, other| one == other).count();
        again += usize::from(root.len() > 1);
        elsewhere += usize::from(batches > 1);
        all += batches as f64;
        squares += (batches as f64).powi(2);
    }
    if roots == 0 || squares == 0.0 || 2 * elsewhere < again {
        return 0.0;
    }
    (all * all / squares / roots as f64).min(1.0)
}

#[cfg(test)]
mod tests {
    use raywalk_core::random::SplitMix;
    use raywalk_results::statistics::Confidence;

    use super::*;
    use crate::estimate::Estimate;

    const ROOTS: u64 = 64;
    const PLACES: u64 = 100;

    /// A round of one process at a place of a root.
    fn pair(process: u64, root: u64, place: u64, times: (f64, f64)) -> Pair {
        Pair {
            layout: None,
            process,
            turn: 1_000 * process + 10 * root + place % 10,
            root,
            batch: PLACES * root + place,
            positions: 1,
            passes: 1,
            disturbed: false,
            blocks: vec![Some(times)],
        }
    }

    #[test]
    fn even_visits_of_all_roots_leave_no_error() {
        let visits = |roots: &[u64]| -> Vec<Pair> {
            let pair = |(place, &root)| pair(0, root, place, (1.0, 1.0));
            (0..).zip(roots).map(pair).collect()
        };
        assert_eq!(stratified(&visits(&[0, 1, 2, 3, 3, 2, 1, 0]), 4), 1.0);
        assert_eq!(stratified(&visits(&[0, 1, 2, 3, 3, 2, 1, 0]), 8), 0.5);
        // Two of four roots once, two of them twice: 36 ÷ 10 ÷ 4.
        assert!((stratified(&visits(&[0, 1, 2, 3, 3, 2]), 4) - 0.9).abs() < 1e-12);
        assert_eq!(stratified(&visits(&[0, 1]), 0), 0.0, "an older journal");
        let mut spoilt = visits(&[0, 1]);
        spoilt[1].blocks = vec![None];
        assert_eq!(stratified(&spoilt, 2), 0.5);
        let again = [0, 1].map(|process| pair(process, 0, 7, (1.0, 1.0)));
        assert_eq!(stratified(&again, 1), 0.0, "one place");
        // A place that is visited twice counts once.
        let mut twice = visits(&[0, 1, 2, 2, 1, 0]);
        twice.push(twice[0].clone());
        assert_eq!(stratified(&twice, 3), 1.0);
    }

    #[test]
    fn intervals_hold_where_roots_differ_more_than_their_places() {
        let mut random = SplitMix(11);
        let (mut held, mut width, mut by_positions) = (0, 0.0, 0.0);
        for _ in 0..300 {
            // Roots differ by 20 %, their places by 10 %. Roots and places have several sizes.
            let of_root: Vec<(f64, f64)> = (0..ROOTS)
                .map(|_| (0.2 * random.normal(), (0.5 * random.normal()).exp()))
                .collect();
            let place = |random: &mut SplitMix, &(effect, size): &(f64, f64)| {
                let other = size * (0.3 * random.normal()).exp();
                (other * (effect + 0.1 * random.normal()).exp(), other)
            };
            let times: Vec<Vec<(f64, f64)>> = of_root
                .iter()
                .map(|root| (0..PLACES).map(|_| place(&mut random, root)).collect())
                .collect();
            let total = |of: fn(&(f64, f64)) -> f64| times.iter().flatten().map(of).sum::<f64>();
            let truth = (total(|times| times.0) / total(|times| times.1)).ln();
            // Eleven rounds of each of twelve processes.
            let mut pairs = Vec::new();
            while pairs.len() < 132 {
                let again = pairs.len() as u64 / ROOTS;
                for root in random.permutation(ROOTS as usize) {
                    let place = again + 3 * random.below(PLACES as usize / 3) as u64;
                    let (one, other) = times[root][place as usize];
                    let one = one * (0.02 * random.normal()).exp();
                    pairs.push(pair(pairs.len() as u64 / 11, root as u64, place, (one, other)));
                }
            }
            pairs.truncate(132);
            let mut estimate = Estimate::of(&pairs).expect("blocks");
            let mut interval = |known| {
                estimate.known_roots = Some(known);
                estimate.interval(Confidence::NINETY_FIVE).expect("many roots")
            };
            let known = stratified(&pairs, ROOTS);
            assert!((0.98..1.0).contains(&known), "{known}");
            let found = interval(known);
            held += u32::from((found.low..found.high).contains(&truth));
            width += found.high - found.low;
            let found = interval(132.0 / (ROOTS * PLACES) as f64);
            by_positions += found.high - found.low;
        }
        assert!((276..=297).contains(&held), "{held} of 300");
        assert!(width < 0.6 * by_positions, "{width} {by_positions}");
    }
}
