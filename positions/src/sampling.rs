//! Selects the positions of self-play games that enter a corpus.

use std::collections::HashSet;
use std::ops::ControlFlow;

use raywalk_core::parallel::in_order;

use crate::packed;
use crate::sample::Sample;
use crate::selfplay::Rules;
use crate::slices::Slice;

/// Size of the rare slices. Fewer positions could be memorised by a branch predictor.
pub(crate) const RARE: usize = 16_384;
/// Positions in check that `sp1` itself contains; `sp1-long-rare` supplies the rest of [`RARE`].
const CHECKS_OF_SP1: usize = 2_994;

/// The first `count` samples of self-play; see [`self_play_until`].
pub(crate) fn self_play(rules: Rules, one_in_four: bool, count: usize) -> Vec<Sample> {
    self_play_until(rules, one_in_four, |samples, sample| {
        samples.push(sample);
        if samples.len() < count { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })
}

/// The first [`RARE`] rook endings of `sp1-long`, continued, and the positions in check that `sp1`
/// lacks.
pub(crate) fn rare() -> Vec<Sample> {
    let (mut rook_endings, mut checks) = (0, 0);
    self_play_until(Rules::LONG, true, |samples, sample| {
        let rook_ending = rook_endings < RARE && Slice::RookEnding.holds(&sample);
        let check = checks < RARE - CHECKS_OF_SP1 && Slice::Check.holds(&sample);
        rook_endings += usize::from(rook_ending);
        checks += usize::from(check);
        if rook_ending || check {
            samples.push(sample);
        }
        if rook_endings < RARE || checks < RARE - CHECKS_OF_SP1 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })
}

/// Passes the samples of games 0, 1, 2, … to `take` until it breaks, and returns what it collected.
///
/// With `one_in_four`, three of four positions are dropped by [`Rules::keeps`]. Of the others, a
/// position is skipped if one with the same pieces, side to move and castling rights was passed
/// before.
fn self_play_until(
    rules: Rules,
    one_in_four: bool,
    mut take: impl FnMut(&mut Vec<Sample>, Sample) -> ControlFlow<()>,
) -> Vec<Sample> {
    let play = |game| -> Vec<(packed::Seen, Sample)> {
        let keeps = |ply| !one_in_four || rules.keeps(game, ply);
        let kept = (0..).zip(rules.play(game)).filter(|&(ply, _)| keeps(ply));
        let sample = kept.map(|(_, (board, _))| Sample::of(&board, 0));
        sample.map(|sample| (packed::placed(&sample), sample)).collect()
    };
    let (mut samples, mut seen) = (Vec::new(), HashSet::new());
    in_order(u64::MAX, play, |game| {
        for (key, sample) in game {
            if seen.insert(key) {
                take(&mut samples, sample)?;
            }
        }
        ControlFlow::Continue(())
    });
    samples
}
