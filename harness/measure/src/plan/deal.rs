//! Deals the rounds of a plan out to its shards.
//!
//! A share of a panel is what one process runs of it, and a shard makes some shares of some panels. Plan and number
//! of shards alone decide which, not a clock or another shard. The batches of a share depend on the seed, the panel,
//! the number of the share and the rounds of the panel alone, so the shards together make the rounds of the whole
//! plan.
//!
//! *Streams* are dealt out by processes: a shard runs whole processes as long as there are no more shards than
//! processes. With more shards each share of a stream goes to a shard by itself. *Replays* that stay loaded are dealt
//! out by panels. How often a sample passes over such a replay is measured when the panel is sized, and two processes
//! of a panel must not make different numbers of passes.
//!
//! For the same reason a shard does not measure how many rounds fit into the time of the plan. It takes the number that
//! `--dry-run` prints.

use super::Plan;

/// Designs for which a plan is dealt out: about as many as the full plan has.
const DESIGNS: usize = 160;

/// A plan is cut into more shards than it has parts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "plan `{plan}` is too small for {of} shards: a replay stays whole and a stream is cut into {processes} processes; use \
     fewer shards or more processes"
)]
pub struct TooManyShards {
    plan: String,
    of: u64,
    processes: u64,
}

impl Plan {
    /// Checks that every shard has something to measure, if the plan is cut into shards.
    ///
    /// # Errors
    /// [`TooManyShards`].
    pub fn check_shard(&self) -> Result<(), TooManyShards> {
        let Some(shard) = self.shard else { return Ok(()) };
        let dealt = self.deal(shard.of());
        let has_any = |number: u64| dealt.iter().flatten().any(|&(_, to)| to == number);
        if (1..=shard.of()).all(has_any) {
            return Ok(());
        }
        let (plan, processes) = (self.name.clone(), self.shares());
        Err(TooManyShards { plan, of: shard.of(), processes })
    }

    /// For each panel, the shares that a session of this plan makes: all, or those of its shard.
    pub(crate) fn dealt(&self) -> Vec<Vec<u64>> {
        let Some(shard) = self.shard else {
            return vec![(0..self.shares()).collect(); self.panels.len()];
        };
        let is_mine = |(share, to): (u64, u64)| (to == shard.number()).then_some(share);
        let dealt = self.deal(shard.of()).into_iter();
        dealt.map(|shares| shares.into_iter().filter_map(is_mine).collect()).collect()
    }

    /// For each panel its shares, each with the number of the shard that makes it.
    fn deal(&self, of: u64) -> Vec<Vec<(u64, u64)>> {
        // Always for as many designs, so that the deal depends on the plan alone.
        let (costs, rounds) = self.expected(DESIGNS);
        let shares = self.shares();
        let mut times = vec![0.0; of as usize];
        let mut dealt: Vec<Vec<(u64, u64)>> = vec![Vec::new(); self.panels.len()];
        let mut parts = Vec::new();
        for (place, panel) in self.panels.iter().enumerate() {
            let made = |share: &u64| !share_of(rounds[place], shares, *share).is_empty();
            let made: Vec<u64> = (0..shares).filter(made).collect();
            let time = costs[place].of(rounds[place], shares);
            if panel.is_resident() {
                parts.push((place, made, time));
                continue;
            }
            let each = time / made.len().max(1) as f64;
            // With enough processes a shard runs whole ones: the same shares of every stream.
            let is_cut_by_processes = of <= made.len() as u64;
            for (number, share) in made.into_iter().enumerate() {
                if is_cut_by_processes {
                    let to = number % of as usize;
                    times[to] += each;
                    dealt[place].push((share, to as u64 + 1));
                } else {
                    parts.push((place, vec![share], each));
                }
            }
        }
        // The longest first, each to the shard that has least to do, so that no shard is left out.
        parts.sort_by(|(_, _, one), (_, _, other)| other.total_cmp(one));
        for (place, made, time) in parts {
            let least = (0..times.len()).min_by(|&one, &other| times[one].total_cmp(&times[other]));
            let to = least.expect("a plan has a shard");
            times[to] += time;
            dealt[place].extend(made.into_iter().map(|share| (share, to as u64 + 1)));
        }
        dealt.iter_mut().for_each(|shares| shares.sort_unstable());
        dealt
    }
}

/// The rounds of one of so many shares of a panel.
pub(crate) fn share_of(rounds: u64, shares: u64, share: u64) -> std::ops::Range<u64> {
    rounds * share / shares..rounds * (share + 1) / shares
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use raywalk_results::schema::Shard;

    use super::*;
    use crate::plan::Rounds;

    /// Panels and shares of each shard of a plan.
    fn shards(plan: &Plan, of: u64) -> Vec<BTreeSet<(usize, u64)>> {
        let made = |shard| {
            let dealt = Plan { shard: Some(shard), ..plan.clone() }.dealt();
            let of_panel = |(panel, shares): (usize, Vec<u64>)| {
                shares.into_iter().map(move |share| (panel, share))
            };
            dealt.into_iter().enumerate().flat_map(of_panel).collect()
        };
        Shard::all(of).map(made).collect()
    }

    #[test]
    fn the_shards_of_a_plan_make_every_share_once_and_none_has_nothing_to_do() {
        for plan in [Plan::quick(), Plan::full(160)] {
            let all = plan.dealt().iter().map(Vec::len).sum::<usize>();
            assert_eq!(all, plan.panels.len() * 12, "{}", plan.name);
            for of in [1, 2, 3, 5, 12, 20] {
                let shards = shards(&plan, of);
                assert_eq!(shards.iter().map(BTreeSet::len).sum::<usize>(), all, "{of} shards");
                assert_eq!(shards.iter().flatten().collect::<BTreeSet<_>>().len(), all);
                assert!(shards.iter().all(|shard| !shard.is_empty()), "{} of {of}", plan.name);
            }
        }
    }

    #[test]
    fn a_replay_stays_whole_and_a_stream_is_cut_into_whole_processes() {
        let plan = Plan::full(160);
        let shards = shards(&plan, 4);
        for (place, panel) in plan.panels.iter().enumerate() {
            let of = |shard: &BTreeSet<(usize, u64)>| -> Vec<u64> {
                shard.iter().filter(|made| made.0 == place).map(|made| made.1).collect()
            };
            let cut: Vec<_> = shards.iter().map(of).filter(|shares| !shares.is_empty()).collect();
            match panel.is_resident() {
                true => assert_eq!(cut, [(0..12).collect::<Vec<_>>()], "{}", panel.id()),
                false => {
                    assert_eq!(
                        cut,
                        [[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]],
                        "{}",
                        panel.id()
                    );
                }
            }
        }
    }

    #[test]
    fn the_shards_of_a_plan_take_about_as_long_as_each_other() {
        let plan = Plan::full(160);
        for of in [4, 12, 30] {
            let time = |shard| {
                let estimate = Plan { shard: Some(shard), ..plan.clone() }.estimate(80);
                estimate.time.as_secs_f64()
            };
            let times: Vec<f64> = Shard::all(of).map(time).collect();
            let mean = times.iter().sum::<f64>() / of as f64;
            let whole = plan.estimate(80).time.as_secs_f64();
            assert!((mean * of as f64 / whole - 1.0).abs() < 1e-9, "{of} shards");
            assert!(times.iter().all(|time| (time / mean - 1.0).abs() < 0.3), "{times:?}");
        }
    }

    #[test]
    fn a_plan_of_fewer_parts_than_shards_is_refused() {
        let plan = |rounds, of| Plan {
            rounds: Rounds::Fixed(rounds),
            shard: Shard::new(1, of),
            ..Plan::quick()
        };
        assert_eq!(plan(40, 12).check_shard(), Ok(()));
        // A stream of two rounds has two shares.
        let panels = Plan::quick().panels;
        let parts = panels.iter().map(|panel| if panel.is_resident() { 1 } else { 2 }).sum();
        assert_eq!(plan(2, parts).check_shard(), Ok(()));
        let error = plan(2, parts + 1).check_shard().expect_err("a shard without a round");
        assert!(error.to_string().starts_with("plan `quick` is too small for"), "{error}");
    }
}
