//! Writes a plan as the text of a plan file, for the journal, and compares two plans.

use std::fmt::Debug;

use raywalk_results::likeness::Difference;
use raywalk_results::schema::{Call, Scope};
use toml::{Table, Value};

use super::{PanelPlan, Plan, Rounds};
use crate::regime::rules;

impl Plan {
    /// The plan as the text of a plan file, from which [`Plan::parse`] makes it again. Name, layouts
    /// and shard are not part of it.
    pub fn to_toml(&self) -> String {
        let whole = |number: u64| Value::Integer(number.cast_signed());
        let texts =
            |texts: &[String]| Value::Array(texts.iter().cloned().map(Value::String).collect());
        let mut table = Table::new();
        let mut set = |key: &str, value: Value| table.insert(key.to_owned(), value);
        if let Some(seed) = self.seed {
            set("seed", whole(seed));
        }
        match self.rounds {
            Rounds::Fixed(rounds) => {
                set("rounds", whole(rounds));
            }
            Rounds::Budget { time, total, least, most } => {
                set("seconds", Value::Float(time.as_secs_f64()));
                if let Some(total) = total {
                    set("total-seconds", Value::Float(total.as_secs_f64()));
                }
                set("least-rounds", whole(least));
                set("most-rounds", whole(most));
            }
        }
        set("batch-ms", Value::Float(rounded(self.batch.as_secs_f64() * 1e3)));
        set("processes", whole(self.processes));
        set("margin-percent", Value::Float(rounded(self.margin * 100.0)));
        set("trace", whole(self.trace as u64));
        set("designs", texts(&self.designs));
        if !self.plugins.is_empty() {
            set("plugins", texts(&self.plugin_paths()));
        }
        if let Some(baseline) = &self.baseline {
            set("baseline", Value::String(baseline.clone()));
        }
        set("panels", Value::Array(self.panels.iter().map(PanelPlan::to_toml).collect()));
        // A table of texts, numbers and lists has no value that TOML lacks.
        toml::to_string(&table).unwrap_or_default()
    }

    fn plugin_paths(&self) -> Vec<String> {
        self.plugins.iter().map(|file| file.path.clone()).collect()
    }

    /// The first property in which another plan differs from this one: 0 and 1 are `self` and `other`.
    pub fn difference(&self, other: &Plan) -> Option<Difference> {
        fn text(value: impl Debug) -> String {
            format!("{value:?}")
        }
        let rounds = |rounds| match rounds {
            Rounds::Fixed(rounds) => rounds.to_string(),
            Rounds::Budget { time, total, least, most } => {
                let total = total.map(|total| format!(" of {total:?}")).unwrap_or_default();
                format!("{least} to {most} in {time:?}{total}")
            }
        };
        let parts = |plan: &Plan| {
            let panels: Vec<_> = plan.panels.iter().map(PanelPlan::id).collect();
            let baseline = plan.baseline.clone().unwrap_or_else(|| "the first design".to_owned());
            let designs = match plan.designs.as_slice() {
                [] => "all".to_owned(),
                some => some.join(", "),
            };
            [
                ("plan", plan.name.clone()),
                ("seed", plan.seed.map_or("drawn anew".to_owned(), |seed| seed.to_string())),
                ("designs", designs),
                ("plug-ins", plan.plugin_paths().join(", ")),
                ("baseline", baseline),
                ("processes", plan.processes.to_string()),
                ("layouts", text(&plan.layouts)),
                ("shard", plan.shard.map_or("none".to_owned(), |shard| shard.to_string())),
                ("panels", panels.join(", ")),
                ("rounds", rounds(plan.rounds)),
                ("batch", text(plan.batch)),
                ("margin", text(rounded(plan.margin))),
                ("headline", plan.headline()),
                ("trace", plan.trace.to_string()),
            ]
        };
        raywalk_results::likeness::differences(parts(self), parts(other)).into_iter().next()
    }
}

impl PanelPlan {
    fn to_toml(&self) -> Value {
        let mut table = Table::new();
        let mut set = |key: &str, value: Value| table.insert(key.to_owned(), value);
        let path = self.file.as_ref().map(|file| file.path.clone());
        set("workload", path.unwrap_or_else(|| self.workload.clone()).into());
        set("regime", {
            let kind = self.regime.kind;
            match rules(kind).parameter(&self.regime) {
                None => kind.name().into(),
                Some(value) => {
                    Value::Table([(kind.name().to_owned(), value)].into_iter().collect())
                }
            }
        });
        match self.call {
            Call::Generate { stage, scope } => {
                set("stages", vec![stage.name()].into());
                if scope != Scope::Whole {
                    set("scope", scope.name().into());
                }
            }
            Call::Search { search } => {
                set("calls", vec![search.name()].into());
            }
            Call::Operation { operation } => {
                set("calls", vec![operation.name()].into());
            }
        }
        if self.headline {
            set("headline", true.into());
        }
        Value::Table(table)
    }
}

/// Without the last bits, which a change of units does not preserve.
fn rounded(value: f64) -> f64 {
    (value * 1e12).round() / 1e12
}
