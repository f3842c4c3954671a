//! Description of a model as data: name, parameters and storage.

use std::fmt;

/// A model with its parameters and its storage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Name for tables, such as "TAGE 12×2048".
    pub name: String,
    /// The main parameters. Start values and details of replacement are left out, and of the corrector and the loop
    /// predictor everything but their size.
    pub parameters: Vec<Parameter>,
    /// Bits of state: the tables, the histories and the counters. Not included are values that are only
    /// kept to save time, such as folded histories.
    pub bits: u64,
}

/// One parameter of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The property of the model that it sets.
    pub name: &'static str,
    /// Value of the parameter, with its unit.
    pub value: String,
}

impl Description {
    pub(crate) fn new(name: impl Into<String>, bits: u64) -> Description {
        Description { name: name.into(), parameters: Vec::new(), bits }
    }

    #[must_use]
    pub(crate) fn with(mut self, name: &'static str, value: impl fmt::Display) -> Description {
        self.parameters.push(Parameter { name, value: value.to_string() });
        self
    }

    /// Storage in KiB (8,192 bits each).
    pub fn kib(&self) -> f64 {
        self.bits as f64 / 8192.0
    }
}

/// One line: name, storage, parameters.
impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {:.1} KiB", self.name, self.kib())?;
        for (n, parameter) in self.parameters.iter().enumerate() {
            let before = if n == 0 { ": " } else { ", " };
            write!(f, "{before}{} {}", parameter.name, parameter.value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_prints_name_storage_and_parameters() {
        let description = Description::new("two counters", 12_288).with("width", 2).with("ways", 4);
        assert_eq!(description.to_string(), "two counters, 1.5 KiB: width 2, ways 4");
        assert_eq!(Description::new("nothing", 0).to_string(), "nothing, 0.0 KiB");
    }
}
