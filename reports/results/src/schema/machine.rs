//! The machine that measured, and its clock.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Cache;
use crate::named;

/// The machine, as it describes itself. What it does not report is empty or absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// Brand string of the CPU.
    pub cpu: String,
    /// Vendor string of the CPU.
    pub vendor: String,
    /// Family, model and stepping of an x86 processor, as `family 25 model 17 stepping 1`; what another processor
    /// calls its model; empty if it is not known.
    #[schemars(with = "String")]
    pub model: CpuModel,
    /// Logical processors this process may use.
    pub processors: usize,
    /// Hypervisor, if it identifies itself.
    pub hypervisor: Option<String>,
    /// Caches of the first processor.
    pub caches: Vec<Cache>,
    /// Operating system and kernel release.
    pub os: String,
    /// CPU features that matter here (`popcnt`, `bmi2`, `avx2`, …).
    pub features: Vec<String>,
    /// Policy that chooses the clock rate of the cores (`performance`, `powersave`), if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Whether a core may exceed its nominal rate for a while, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turbo: Option<bool>,
    /// Whether two logical processors share a core, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
}

/// The governor that keeps the cores at their highest rate.
const PERFORMANCE: &str = "performance";

impl Machine {
    /// The governor, if it may lower the clock rate of the cores.
    pub fn slowing_governor(&self) -> Option<&str> {
        self.governor.as_deref().filter(|&governor| governor != PERFORMANCE)
    }
}

/// The model of a processor. A journal has it as text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum CpuModel {
    /// The numbers of the instruction `cpuid`.
    #[expect(missing_docs, reason = "the words of `cpuid`")]
    Cpuid { family: u32, model: u32, stepping: u32 },
    /// The text of a processor without that instruction; empty if it is not known.
    Other(String),
}

impl Default for CpuModel {
    fn default() -> CpuModel {
        CpuModel::Other(String::new())
    }
}

impl fmt::Display for CpuModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CpuModel::Cpuid { family, model, stepping } => {
                write!(f, "family {family} model {model} stepping {stepping}")
            }
            CpuModel::Other(text) => f.write_str(text),
        }
    }
}

impl From<CpuModel> for String {
    fn from(model: CpuModel) -> String {
        model.to_string()
    }
}

impl From<String> for CpuModel {
    fn from(text: String) -> CpuModel {
        let numbers = |text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            let ["family", family, "model", model, "stepping", stepping] = words[..] else {
                return None;
            };
            let [family, model, stepping] = [family, model, stepping].map(|it| it.parse().ok());
            Some(CpuModel::Cpuid { family: family?, model: model?, stepping: stepping? })
        };
        numbers(&text).unwrap_or(CpuModel::Other(text))
    }
}

named! {
    /// A counter that serves as clock.
    #[derive(schemars::JsonSchema)]
    pub enum ClockSource {
        /// The time-stamp counter of x86.
        Tsc = "tsc",
        /// The virtual counter of aarch64.
        Cntvct = "cntvct",
        /// The monotonic clock of the system, where no counter can be read.
        Monotonic = "monotonic",
        /// Virtual time of a test. No journal of a user has it, so the published schema leaves it out.
        #[schemars(skip)]
        Fake = "fake",
    }
}

/// The clock, measured at the start of the session.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// The counter that is read.
    pub source: ClockSource,
    /// Rate of the clock in ticks per second.
    pub hertz: f64,
    /// Smallest difference above zero between two readings, in ticks.
    pub quantum: u64,
    /// Ticks of an empty timed region.
    pub overhead: u64,
    /// Whether the CPU promises a constant rate.
    pub invariant: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_read_back_and_a_text_of_another_form_is_kept() {
        let model = CpuModel::Cpuid { family: 25, model: 17, stepping: 1 };
        let json = serde_json::to_string(&model).expect("a model");
        assert_eq!(json, "\"family 25 model 17 stepping 1\"");
        assert_eq!(serde_json::from_str::<CpuModel>(&json).expect("a model"), model);
        for text in ["", "0xd0c", "family 25 model 17", "family x model 17 stepping 1"] {
            let model = CpuModel::from(text.to_owned());
            assert_eq!(
                (&model, model.to_string()),
                (&CpuModel::Other(text.to_owned()), text.to_owned())
            );
        }
    }

    #[test]
    fn only_the_governor_performance_does_not_lower_the_rate() {
        let machine =
            |governor: &str| Machine { governor: Some(governor.to_owned()), ..Machine::default() };
        assert_eq!(machine("performance").slowing_governor(), None);
        assert_eq!(machine("powersave").slowing_governor(), Some("powersave"));
        assert_eq!(Machine::default().slowing_governor(), None);
    }
}
