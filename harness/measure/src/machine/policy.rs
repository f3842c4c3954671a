//! The settings that determine clock rate and core sharing. They are read from sysfs and never changed.

use std::path::Path;

/// Settings of the processors. Those that the system does not report are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Policy {
    /// The frequency governors of all processors, each once.
    pub governor: Option<String>,
    /// Whether a core may exceed its nominal rate.
    pub turbo: Option<bool>,
    /// Whether logical processors share cores.
    pub smt: Option<bool>,
}

impl Policy {
    /// Reads `/sys/devices/system/cpu`, or a folder like it. Virtual machines seldom report anything.
    ///
    /// # Source
    /// The Linux kernel's documentation: *CPU Performance Scaling*, *intel_pstate*, and
    /// `sysfs-devices-system-cpu` of its ABI.
    pub(crate) fn read(folder: &Path) -> Policy {
        let flag = |file: &str| match text(&folder.join(file))?.as_str() {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        };
        let turbo = flag("intel_pstate/no_turbo").map(|off| !off);
        Policy {
            governor: governors(folder),
            turbo: turbo.or_else(|| flag("cpufreq/boost")),
            smt: flag("smt/active"),
        }
    }
}

fn governors(folder: &Path) -> Option<String> {
    let entries = folder.join("cpufreq").read_dir().ok()?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|policy| text(&policy.path().join("scaling_governor")))
        .collect();
    names.sort();
    names.dedup();
    (!names.is_empty()).then(|| names.join(", "))
}

fn text(file: &Path) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_from_sysfs_and_missing_ones_are_absent() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |file: &str, text: &str| {
            let path = root.path().join(file);
            std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        assert_eq!(Policy::read(root.path()), Policy::default());
        write("smt/active", "1\n");
        write("cpufreq/boost", "1\n");
        for (policy, governor) in ["powersave", "performance", "powersave"].iter().enumerate() {
            write(&format!("cpufreq/policy{policy}/scaling_governor"), governor);
        }
        let both = Some("performance, powersave".to_owned());
        let all = Policy { governor: both, turbo: Some(true), smt: Some(true) };
        assert_eq!(Policy::read(root.path()), all);
        // Intel's own driver stores the opposite flag and takes precedence.
        write("intel_pstate/no_turbo", "1\n");
        write("smt/active", "notsupported\n");
        assert_eq!(Policy::read(root.path()), Policy { turbo: Some(false), smt: None, ..all });
    }
}
