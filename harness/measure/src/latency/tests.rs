//! Latencies and refill on virtual time.

use super::*;
use crate::fake::{FakeClock, Time};

/// A core of 2 GHz beside a clock of 1 GHz, on which the n-th link takes n + 1 cycles.
struct FakeKernels {
    now: Time,
    refill: f64,
    missing: Option<Link>,
}

fn cycles(link: Link) -> f64 {
    let place = Link::ALL.iter().position(|&other| other == link).expect("a link of the list");
    place as f64 + 1.0
}

impl FakeKernels {
    fn spend(&self, cycles: f64) {
        self.now.set(self.now.get() + (cycles / 2.0).round() as u64);
    }
}

impl Kernels for FakeKernels {
    fn chain(&mut self, link: Link, links: u64) -> bool {
        self.spend(links as f64 * cycles(link));
        self.missing != Some(link)
    }

    /// Three cycles for a predicted iteration; every second random one is mispredicted.
    fn hammock(&mut self, feed: Feed, outcomes: &Outcomes) {
        let chain: f64 = feed.chain().into_iter().map(cycles).sum();
        let is_random = outcomes != &Outcomes::steady(outcomes.len());
        let mean = if is_random { (3.0 + self.refill + chain) / 2.0 } else { 3.0 };
        self.spend(outcomes.len() as f64 * mean);
    }
}

fn fakes(missing: Option<Link>) -> (FakeClock, FakeKernels) {
    let now = Time::default();
    (FakeClock::new(&now), FakeKernels { now, refill: 20.0, missing })
}

#[test]
fn the_cycles_of_a_chain_are_divided_by_its_links() {
    let (clock, mut kernels) = fakes(None);
    let found = latencies(&clock, &mut kernels).expect("a clock rate");
    assert_eq!(found.iter().count(), Link::ALL.len());
    for (link, latency) in found.iter() {
        assert!((latency - cycles(link)).abs() < 1e-9, "{link:?} {latency}");
    }
}

#[test]
fn the_refill_is_what_remains_of_a_misprediction_without_its_chain() {
    let (clock, mut kernels) = fakes(None);
    let known = latencies(&clock, &mut kernels).expect("a clock rate");
    let found = hammocks(&clock, &mut kernels, &known, &mut SplitMix(1));
    assert_eq!(found.iter().map(|one| one.feed).collect::<Vec<_>>(), Feed::ALL);
    for one in &found {
        assert!(
            (one.predicted - 3.0).abs() < 1e-9 && (one.refill() - 20.0).abs() < 1e-9,
            "{one:?}"
        );
    }
    // The longer the chain to the next branch, the dearer the misprediction.
    assert!(found[2].cost - found[1].cost > 2.0, "{found:?}");
}

#[test]
fn an_instruction_that_the_processor_lacks_has_no_latency_and_its_hammock_no_refill() {
    let (clock, mut kernels) = fakes(Some(Link::LoadScaled));
    let known = latencies(&clock, &mut kernels).expect("a clock rate");
    assert_eq!((known.of(Link::LoadScaled), known.of(Link::Load)), (None, Some(1.0)));
    let found = hammocks(&clock, &mut kernels, &known, &mut SplitMix(1));
    assert_eq!(found.iter().map(|one| one.feed).collect::<Vec<_>>(), [Feed::Registers, Feed::Load]);
}

#[test]
fn a_copy_that_is_eliminated_takes_no_part_in_a_chain() {
    let known = Latencies::new(vec![(Link::Copy, 0.17), (Link::Simple, 1.01)]);
    assert_eq!((known.of(Link::Copy), known.in_chain(Link::Copy)), (Some(0.17), Some(0.0)));
    assert_eq!(known.in_chain(Link::Simple), Some(1.01));
}

#[test]
fn calls_are_timed_by_themselves_and_interruptions_do_not_count() {
    let now = Time::default();
    let clock = FakeClock::new(&now).with_overhead(30);
    let mut calls = 0;
    let cycles = one_by_one(&clock, || {
        calls += 1;
        // One call of every third run is interrupted.
        let interruption = if calls % (3 * CALLS) == 0 { 100_000 } else { 0 };
        now.set(now.get() + 50 + interruption);
    });
    assert_eq!(cycles, Some(100.0));
}

#[test]
fn random_outcomes_are_fair_and_steady_ones_alternate() {
    let random = Outcomes::random(10_000, &mut SplitMix(7));
    let odd = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte & 1 == 1).count();
    // Four standard deviations of 10,000 coins are 200.
    assert!(odd(&random.bytes).abs_diff(5_000) < 200 && odd(&random.table) == 128);
    assert!(random.places.iter().all(|&place| usize::from(place) < random.table.len()));
    let looked_up: Vec<u8> = random.places.iter().map(|&p| random.table[usize::from(p)]).collect();
    assert!(odd(&looked_up).abs_diff(5_000) < 200);
    let steady = Outcomes::steady(4);
    assert_eq!((steady.seed, steady.bytes, &steady.table[..2]), (0, vec![0, 1, 0, 1], &[0, 1][..]));
}
