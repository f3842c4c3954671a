//! What limits a walk: the comparison of its dependency chain with its measured time.

raywalk_results::texts! {
    /// What a comparison of prediction and measurement means.
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

/// The steps of a chain in whole cycles, such as `5+4+1`, and in how many turns they come; `None` without a chain.
pub fn steps(steps: &[f64], turns: u64) -> Option<String> {
    let cycles = steps.iter().map(|step| step.round()).filter(|&cycles| cycles > 0.0);
    let cycles: Vec<String> = cycles.map(|cycles| cycles.to_string()).collect();
    match (steps.is_empty(), turns) {
        (true, _) => None,
        (false, 1) => Some(cycles.join("+")),
        (false, turns) => Some(format!("({})/{turns}", cycles.join("+"))),
    }
}

#[cfg(test)]
mod tests {
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
}
