//! The typical process: a ratio is that of the middle half of the processes.
//!
//! Most processes place code, stack and heap so that a design runs about equally fast. A few place them so
//! that it runs several per cent slower. A mean over a dozen processes then depends on how many of those few
//! a session happens to draw, and its interval is too narrow when it draws none. In twenty quick sessions the
//! ratios of learnt replays differed between sessions by 0.9 to 1.3 % with the mean, and by 0.4 % with the
//! mean of the middle half. How far the other processes are from it is the subject of the spread.
//!
//! # Source
//! K. K. Yuen, *The two-sample trimmed t for unequal population variances*, Biometrika 61 (1974), 165–170: the
//! variance of a trimmed mean is that of the winsorised values, and it has as many degrees of freedom as
//! values are left, less one.

use std::collections::{BTreeMap, BTreeSet};

use raywalk_results::statistics::interquartile_mean;

use crate::crossed::{FEWEST_CLUSTERS, Fit, Part};

/// Number of processes in the middle half of so many.
pub(crate) fn kept(processes: usize) -> usize {
    processes - 2 * (processes / 4)
}

/// Limits the effects of processes to those of the middle half, in [`Part::limited`]; `fit` is the fit of these parts.
/// Returns what the middle half adds to the log ratio of the totals. `None`, and nothing is changed, if there are few
/// processes or several layouts, or if processes and roots cannot be told apart: then a process that is left out would
/// take its roots with it.
pub(crate) fn limit(parts: &mut [Part], fit: &Fit) -> Option<f64> {
    let layouts: BTreeSet<_> = parts.iter().map(|part| part.layout).collect();
    let count = fit.processes.len();
    // A replay has one root. Where there are several, enough processes must meet on them.
    let apart = fit.roots.len() == 1 || fit.freedom >= FEWEST_CLUSTERS && fit.groups == 1;
    if count < FEWEST_CLUSTERS || layouts.len() > 1 || !apart {
        return None;
    }
    let mut sorted: Vec<f64> = fit.processes.values().copied().collect();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (sorted[count / 4], sorted[count - 1 - count / 4]);
    let mut weights: BTreeMap<_, f64> = BTreeMap::new();
    for part in parts.iter() {
        *weights.entry((part.layout, part.process)).or_default() += part.weight;
    }
    // Processes whose roots have one part each have no effect in the fit.
    let effects = || fit.processes.iter().map(|(process, &effect)| (weights[process], effect));
    let all: f64 = effects().map(|(weight, _)| weight).sum();
    let mean = |of: &dyn Fn(f64) -> f64| {
        effects().map(|(weight, effect)| weight * of(effect)).sum::<f64>() / all
    };
    let center = mean(&|effect| effect.clamp(low, high));
    let kept = kept(count) as f64;
    // Yuen divides the winsorised squares by kept · (kept − 1). The interval divides by count · (count − 1) where the
    // weights are equal.
    let scale = (count * (count - 1)) as f64 / (kept * (kept - 1.0));
    for part in parts.iter_mut().filter(|part| part.weight > 0.0) {
        if let Some(effect) = fit.processes.get(&(part.layout, part.process)) {
            let limited = scale.sqrt() * (effect.clamp(low, high) - center);
            part.limited = part.influence + part.weight * (limited - effect);
        }
    }
    Some(interquartile_mean(sorted) - mean(&|effect| effect))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(parts: &mut [Part]) -> Option<f64> {
        let fit = Fit::of(parts);
        limit(parts, &fit)
    }

    /// A process on one root.
    fn part(process: u64, effect: f64) -> Part {
        let (weight, layout, turn) = (1.0 / 12.0, None, process);
        let influence = weight * effect;
        Part { session: 0, layout, process, turn, root: 0, influence, limited: influence, weight }
    }

    #[test]
    fn three_of_twelve_processes_are_left_out_at_either_end() {
        // The mean is 0.01; the middle half has 0.
        let effects = [0.0, 0.12, 0.0, 0.001, -0.001, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let mut parts: Vec<Part> = (0..).zip(effects).map(|(n, e)| part(n, e - 0.01)).collect();
        let added = limited(&mut parts).expect("twelve processes");
        assert!((added + 0.01).abs() < 1e-12);
        assert!(parts.iter().all(|part| part.limited.abs() < 1e-12));
    }

    #[test]
    fn the_variance_is_that_of_yuen() {
        let mut parts: Vec<Part> = (0..12).map(|n| part(n, n as f64 - 5.5)).collect();
        assert!(limited(&mut parts).expect("twelve processes").abs() < 1e-12);
        // Winsorized: four times ±2.5, once ±1.5 and ±0.5; 55 ÷ 11 is their variance, 6 are left.
        let by_hand = (8.0 * 6.25 + 2.0 * 2.25 + 2.0 * 0.25) / (6.0 * 5.0);
        let squares: f64 = parts.iter().map(|part| part.limited * part.limited).sum();
        assert!((squares * 12.0 / 11.0 - by_hand).abs() < 1e-12, "{squares} {by_hand}");
    }

    #[test]
    fn nothing_is_left_out_of_few_processes_several_layouts_or_roots_of_one_process_each() {
        let mut few: Vec<Part> = (0..5).map(|n| part(n, n as f64)).collect();
        assert_eq!(limited(&mut few), None);
        let layout = |n| Part { layout: Some(n % 2), ..part(n, n as f64) };
        assert_eq!(limited(&mut (0..12).map(layout).collect::<Vec<_>>()), None);
        let root = |n| Part { root: n, ..part(n, n as f64) };
        assert_eq!(limited(&mut (0..12).map(root).collect::<Vec<_>>()), None);
        // Six pairs of processes, each with a root of its own.
        let pairs = |n| Part { root: n / 2, ..part(n, n as f64) };
        assert_eq!(limited(&mut (0..12).map(pairs).collect::<Vec<_>>()), None);
        // The same with two roots of their own each, so that the noise is known.
        let twice = |n: u64| Part { root: 2 * (n % 12 / 2) + n / 12, ..part(n % 12, n as f64) };
        assert_eq!(limited(&mut (0..24).map(twice).collect::<Vec<_>>()), None);
    }
}
