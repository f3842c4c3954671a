//! Validates claims: rules that the types of their fields do not express.
//!
//! An error is the rest of a sentence that begins with the claim.

use super::{Bound, Claim, Comparison, Expected, Figure, call};

impl Claim {
    pub(super) fn check(&self) -> Result<(), String> {
        match (self.tests().len(), &self.untestable) {
            (0, None) => return Err("has neither a test nor a reason why there is none".to_owned()),
            (1.., Some(_)) => return Err("has tests and a reason why there are none".to_owned()),
            _ => {}
        }
        let texts = [&self.says, &self.source].into_iter().chain(&self.untestable);
        let texts = texts.chain(&self.ours).chain(&self.wide).chain(&self.no_pair);
        if texts.chain(self.figure.iter().map(|one| &one.what)).any(String::is_empty) {
            return Err("has an empty text".to_owned());
        }
        self.compare.iter().try_for_each(Comparison::check)?;
        for count in &self.count {
            sides(&count.one, &count.other, count.audited)?;
            factor(count.factor)?;
        }
        patterns(&self.verified)?;
        self.bound.iter().try_for_each(Bound::check)?;
        self.figure.iter().try_for_each(Figure::check)
    }
}

impl Comparison {
    fn check(&self) -> Result<(), String> {
        sides(&self.one, &self.other, self.audited)?;
        factor(self.factor)?;
        patterns(&self.place.workloads)?;
        if let Some(against) = &self.against {
            patterns(&against.workloads)?;
            if !against.calls.is_empty() {
                return Err("names a call in `against`, where the call stays the same".to_owned());
            }
            let is_of_regime = against.perturbed.is_some() || !against.orders.is_empty();
            if against.regimes.is_empty() && is_of_regime {
                return Err(
                    "names an order or a perturbation in `against` without its regime".to_owned()
                );
            }
            if self.other_call.is_some() || self.expect != Expected::Less || self.factor != 1.0 {
                return Err("compares ratios with another call, expectation or factor".to_owned());
            }
        }
        let calls = self.place.calls.iter().chain(&self.other_call);
        for name in calls {
            if call(name).is_none() {
                return Err(format!("names the call `{name}`, which does not exist"));
            }
        }
        Ok(())
    }
}

impl Bound {
    fn check(&self) -> Result<(), String> {
        if self.designs.is_empty() {
            return Err("has a bound on no design".to_owned());
        }
        patterns(&self.designs)?;
        let ends = [self.least, self.most];
        if ends == [None, None] || ends.iter().flatten().any(|end| !end.is_finite()) {
            return Err("has a bound without a finite `least` or `most`".to_owned());
        }
        if self.least.zip(self.most).is_some_and(|(least, most)| least > most) {
            return Err("has a bound whose `least` exceeds its `most`".to_owned());
        }
        match (self.per, self.of.is_executed()) {
            (Some(_), false) => {
                Err("divides a number of the code or a size by something that is executed"
                    .to_owned())
            }
            _ => Ok(()),
        }
    }
}

impl Figure {
    fn check(&self) -> Result<(), String> {
        if self.terms.is_empty() || self.terms.iter().any(Vec::is_empty) || self.value().is_none() {
            return Err("has a figure that is no sum of products within 64 bits".to_owned());
        }
        if self.least > self.most {
            return Err("has a figure whose `least` exceeds its `most`".to_owned());
        }
        Ok(())
    }
}

fn sides(one: &[String], other: &[String], audited: bool) -> Result<(), String> {
    if one.is_empty() || other.is_empty() {
        return Err("compares with no design".to_owned());
    }
    patterns(one)?;
    patterns(other)?;
    let is_design = |side: &[String]| matches!(side, [only] if !only.ends_with('*'));
    if audited && !(is_design(one) && is_design(other)) {
        return Err("calls a comparison of more than two designs audited".to_owned());
    }
    Ok(())
}

fn factor(value: f64) -> Result<(), String> {
    match value.is_finite() && value > 0.0 {
        true => Ok(()),
        false => Err(format!("has the factor {value}, which is not above 0")),
    }
}

fn patterns(patterns: &[String]) -> Result<(), String> {
    for pattern in patterns {
        let fixed = pattern.strip_suffix('*').unwrap_or(pattern);
        if fixed.is_empty() || fixed.contains('*') {
            return Err(format!("has the pattern `{pattern}`; only its last letter may be `*`"));
        }
    }
    Ok(())
}
