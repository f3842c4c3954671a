//! Kinds of processors that a claim is about.

use raywalk_results::schema::{CpuModel, Machine};

raywalk_results::texts! {
    /// The processors that a claim is about, if it is not about all.
    #[derive(serde::Deserialize)]
    pub enum Processor: label {
        /// AMD up to Zen 2, where PEXT and PDEP are microcode.
        #[serde(rename = "amd-before-zen-3")]
        AmdBeforeZen3 = "an AMD processor before Zen 3",
        /// AMD Zen 4.
        #[serde(rename = "zen-4")]
        Zen4 = "a Zen 4",
    }
}

impl Processor {
    /// Whether a machine has such a processor, by its vendor, family and model as `cpuid` gives them. Zen 3 and Zen 4
    /// share a family; their models are those of Linux (`arch/x86/kernel/cpu/amd.c`).
    pub(super) fn is_in(self, machine: &Machine) -> bool {
        let CpuModel::Cpuid { family, model, .. } = machine.model else { return false };
        let is_amd = machine.vendor == "AuthenticAMD";
        match self {
            Processor::AmdBeforeZen3 => is_amd && family < 25,
            Processor::Zen4 => is_amd && family == 25 && matches!(model, 0x10..=0x1f | 0x60..=0xaf),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_is_known_by_vendor_family_and_model() {
        let machine = |vendor: &str, model: &str| Machine {
            vendor: vendor.to_owned(),
            model: model.to_owned().into(),
            ..Machine::default()
        };
        let found = |vendor, model| {
            let machine = machine(vendor, model);
            [Processor::AmdBeforeZen3, Processor::Zen4].map(|one| one.is_in(&machine))
        };
        let amd = "AuthenticAMD";
        assert_eq!(found(amd, "family 23 model 1 stepping 2"), [true, false]);
        // A Zen 3, two of Zen 4 and a Zen 5.
        assert_eq!(found(amd, "family 25 model 33 stepping 0"), [false, false]);
        assert_eq!(found(amd, "family 25 model 17 stepping 1"), [false, true]);
        assert_eq!(found(amd, "family 25 model 97 stepping 2"), [false, true]);
        assert_eq!(found(amd, "family 26 model 2 stepping 1"), [false, false]);
        assert_eq!(found("GenuineIntel", "family 6 model 143 stepping 8"), [false, false]);
        assert_eq!(found(amd, ""), [false, false]);
    }
}
