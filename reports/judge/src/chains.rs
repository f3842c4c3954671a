//! Compares the dependency chain of a walk with its measured time, and formats both.

use raywalk_results::schema::Chain;

use crate::format::{NONE, list, plural};

raywalk_results::texts! {
    /// Meaning of a comparison of prediction and measurement.
    pub enum Limit: name {
        /// The chain explains the time.
        Chain = "chain",
        /// The walk takes longer: other resources of the core limit it, or the chain runs through memory.
        Other = "other",
        /// The walk takes less: it consists of several walks that do not wait for each other.
        Overlap = "overlap",
    }
}

impl Limit {
    /// From cycles per visited square. Both must agree within a tenth, or within a quarter of a cycle.
    pub fn of(predicted: f64, measured: f64) -> Limit {
        let margin = (predicted / 10.0).max(0.25);
        match measured - predicted {
            difference if difference > margin => Limit::Other,
            difference if difference < -margin => Limit::Overlap,
            _ => Limit::Chain,
        }
    }
}

/// The steps of a chain in whole cycles, such as `5+4+1`, and in how many iterations they come; `None` without a chain.
pub fn steps(steps: &[f64], iterations: u64) -> Option<String> {
    let cycles = steps.iter().map(|step| step.round()).filter(|&cycles| cycles > 0.0);
    let cycles: Vec<String> = cycles.map(|cycles| cycles.to_string()).collect();
    match (steps.is_empty(), iterations) {
        (true, _) => None,
        (false, 1) => Some(cycles.join("+")),
        (false, iterations) => Some(format!("({})/{iterations}", cycles.join("+"))),
    }
}

/// The 95 % interval of the measured slope: `9.12 to 9.31`.
pub fn interval(chain: &Chain) -> String {
    chain.interval.map_or(NONE.to_owned(), |ends| format!("{:.2} to {:.2}", ends.low, ends.high))
}

/// The instructions whose latency counts one cycle, as text.
pub fn assumed(chain: &Chain) -> String {
    match chain.assumed.as_deref() {
        None => "not recorded".to_owned(),
        Some([]) => NONE.to_owned(),
        Some(some) => some.join("; "),
    }
}

/// Limit of a walk, in one or two words.
pub fn limit(chain: &Chain) -> &'static str {
    match chain.steps.is_empty() {
        true => "no chain",
        false => Limit::of(chain.predicted, chain.measured).name(),
    }
}

/// How many walks agree with their chain, and what the chain leaves out.
pub fn finding(chains: &[Chain]) -> String {
    let (with, without): (Vec<&Chain>, Vec<&Chain>) =
        chains.iter().partition(|chain| !chain.steps.is_empty());
    let count = |count: usize, [one, many]: [&str; 2]| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let those = |limit: Limit, words: [&str; 2]| {
        let is = |chain: &&&Chain| Limit::of(chain.predicted, chain.measured) == limit;
        count(with.iter().filter(is).count(), words)
    };
    let groups = [
        those(Limit::Chain, ["agrees with it", "agree with it"]),
        those(Limit::Other, ["takes longer", "take longer"]),
        those(Limit::Overlap, ["takes less", "take less"]),
        count(without.len(), ["has none", "have none"]),
    ];
    let groups: Vec<String> = groups.into_iter().flatten().collect();
    format!(
        "The dependency chain of a walk is the longest sequence of instructions that links a visited square to the next \
         one. Of {}, {}. Agreement is a difference of at most a tenth, or of a quarter of a cycle where that is more. A chain \
         knows no limit of throughput and no value that passes through memory, and several lists of one piece, or a loop \
         for each ray, can overlap.",
        plural(chains.len(), "walk"),
        list(&groups)
    )
}

#[cfg(test)]
mod tests {
    use raywalk_results::schema::{Scope, SlopeInterval};

    use super::*;

    #[test]
    fn a_chain_explains_a_time_that_is_near_it() {
        assert_eq!(Limit::of(11.0, 11.16), Limit::Chain);
        assert_eq!(Limit::of(19.0, 17.0), Limit::Overlap);
        assert_eq!(Limit::of(1.0, 2.1), Limit::Other);
        assert_eq!(Limit::of(0.0, 0.2), Limit::Chain);
    }

    #[test]
    fn steps_are_whole_cycles_and_name_the_turns_that_they_take() {
        assert_eq!(steps(&[5.04, 3.9, 0.2, 1.0], 1).as_deref(), Some("5+4+1"));
        assert_eq!(steps(&[5.0, 1.0], 2).as_deref(), Some("(5+1)/2"));
        assert_eq!(steps(&[], 1), None);
    }

    fn chain(steps: &[f64], measured: f64) -> Chain {
        Chain {
            design: "a".to_owned(),
            scope: Scope::Sliders,
            steps: steps.to_vec(),
            turns: 1,
            predicted: steps.iter().sum(),
            simulated: None,
            assumed: None,
            measured,
            interval: None,
            per_ray: 0.0,
            residual: 0.0,
            instructions: 5.0,
        }
    }

    #[test]
    fn an_interval_and_assumed_latencies_are_told_from_those_of_older_records() {
        let old = chain(&[5.0], 5.1);
        assert_eq!((&*interval(&old), &*assumed(&old)), (NONE, "not recorded"));
        let ends = Some(SlopeInterval { low: 5.04, high: 5.161 });
        let new = Chain { interval: ends, assumed: Some(vec![]), ..old };
        assert_eq!((&*interval(&new), &*assumed(&new)), ("5.04 to 5.16", NONE));
        let two = Some(["bsf rax, rbx", "bswap rcx"].map(str::to_owned).into());
        assert_eq!(assumed(&Chain { assumed: two, ..new }), "bsf rax, rbx; bswap rcx");
    }

    #[test]
    fn walks_are_counted_by_outcome_and_absent_outcomes_are_not_named() {
        let two = [chain(&[5.0, 4.0], 9.2), chain(&[5.0, 4.0], 12.0)];
        let text = finding(&two);
        assert!(text.contains("Of 2 walks, 1 agrees with it and 1 takes longer."), "{text}");
        let others = [chain(&[5.0, 4.0], 5.0), chain(&[], 0.2)];
        let text = finding(&others);
        assert!(text.contains("1 takes less and 1 has none"), "{text}");
    }
}
