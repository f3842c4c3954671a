//! Describes the machine, and changes the settings of the measuring process: processor, memory, parent.

use std::path::Path;

use raywalk_results::schema::{Cache, CpuModel, Machine};

pub mod affinity;
pub mod emulation;
#[allow(unsafe_code, reason = "system calls that have no safe form")]
pub mod memory;
pub mod placement;
mod policy;
pub mod program;
pub mod tools;

/// Describes the machine that this process runs on. Unknown properties are empty or absent.
pub fn describe() -> Machine {
    let processors = Path::new("/sys/devices/system/cpu");
    let policy = policy::Policy::read(processors);
    Machine {
        processors: affinity::processors(),
        // Cores of several kinds have different caches, and one of them measures.
        caches: caches(processors, affinity::last_allowed().unwrap_or(0)),
        os: operating_system(),
        features: features(),
        governor: policy.governor,
        turbo: policy.turbo,
        smt: policy.smt,
        ..cpu()
    }
}

/// Description of the CPU by the `cpuid` instruction, which also works where `/proc` is hidden.
#[cfg(target_arch = "x86_64")]
fn cpu() -> Machine {
    use raw_cpuid::{CpuId, Hypervisor};
    let id = CpuId::new();
    let info = id.get_feature_info();
    let brand = id.get_processor_brand_string();
    let brand = brand.map(|brand| brand.as_str().trim().to_owned()).unwrap_or_default();
    let vendor = id.get_vendor_info();
    let model = info.as_ref().map(|info| {
        let (family, model, stepping) = (info.family_id(), info.model_id(), info.stepping_id());
        CpuModel::Cpuid { family: family.into(), model: model.into(), stepping: stepping.into() }
    });
    let named = id.get_hypervisor_info().map(|info| match info.identify() {
        Hypervisor::Unknown(..) => "unknown".to_owned(),
        known => format!("{known:?}"),
    });
    let hypervisor = named
        .or_else(|| info.is_some_and(|info| info.has_hypervisor()).then(|| "unknown".to_owned()));
    Machine {
        cpu: brand,
        vendor: vendor.map(|vendor| vendor.as_str().to_owned()).unwrap_or_default(),
        model: model.unwrap_or_default(),
        hypervisor,
        ..Machine::default()
    }
}

/// Reads the first processor in `/proc/cpuinfo`; on systems without it only the architecture is known.
#[cfg(not(target_arch = "x86_64"))]
fn cpu() -> Machine {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        line.map(|rest| rest.trim_start_matches([' ', '\t', ':']).trim().to_owned())
    };
    Machine {
        cpu: field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        vendor: field("CPU implementer").unwrap_or_default(),
        model: CpuModel::Other(field("CPU part").unwrap_or_default()),
        ..Machine::default()
    }
}

/// The caches of a processor, first level first, from `/sys/devices/system/cpu` or a folder like it; empty if the
/// system does not report them.
fn caches(folder: &Path, processor: usize) -> Vec<Cache> {
    let folder = folder.join(format!("cpu{processor}/cache"));
    let Ok(entries) = folder.read_dir() else { return Vec::new() };
    let mut caches: Vec<Cache> =
        entries.flatten().filter_map(|entry| cache(&entry.path())).collect();
    caches.sort_by_key(|cache| cache.name);
    caches
}

/// One cache; `None` if its level, type or size is missing, or if the schema has no name for it.
fn cache(folder: &Path) -> Option<Cache> {
    let read = |file| Some(std::fs::read_to_string(folder.join(file)).ok()?.trim().to_owned());
    let number = |file| read(file)?.parse::<u32>().ok();
    let level = read("level")?;
    let letter = match read("type")?.as_str() {
        "Data" => "d",
        "Instruction" => "i",
        _ => "",
    };
    Some(Cache {
        name: format!("L{level}{letter}").parse().ok()?,
        bytes: bytes(&read("size")?)?,
        ways: number("ways_of_associativity").unwrap_or(0),
        line: number("coherency_line_size").unwrap_or(0),
    })
}

/// Parses a size in the format of sysfs: `48K`, `32768K`, `1M`.
fn bytes(size: &str) -> Option<u64> {
    let (number, unit) = match size.char_indices().last()? {
        (end, 'K') => (&size[..end], 1 << 10),
        (end, 'M') => (&size[..end], 1 << 20),
        (end, 'G') => (&size[..end], 1 << 30),
        _ => (size, 1),
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(target_os = "linux")]
fn operating_system() -> String {
    let release = rustix::system::uname();
    let kernel =
        format!("{} {}", release.sysname().to_string_lossy(), release.release().to_string_lossy());
    let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="));
    match name {
        Some(name) => format!("{}, {kernel}", name.trim_matches('"')),
        None => kernel,
    }
}

#[cfg(not(target_os = "linux"))]
fn operating_system() -> String {
    std::env::consts::OS.to_owned()
}

/// The CPU features of this machine that a design, a compiler flag or a library could use.
#[cfg(target_arch = "x86_64")]
fn features() -> Vec<String> {
    macro_rules! present {
        ($($name:tt),+ $(,)?) => {
            [$(($name, is_x86_feature_detected!($name))),+]
        };
    }
    // Braces, because the formatter would write one name per line.
    let features = present! {
        "popcnt", "lzcnt", "bmi1", "bmi2", "avx", "avx2", "fma", "avx512f", "avx512bw",
        "avx512cd", "avx512dq", "avx512vl", "avx512vbmi", "avx512vbmi2", "avx512bitalg",
        "avx512vpopcntdq", "gfni", "vpclmulqdq",
    };
    features.into_iter().filter(|&(_, here)| here).map(|(name, _)| name.to_owned()).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<String> {
    Vec::new()
}

/// Processes ready to run, averaged over one, five and fifteen minutes.
pub fn load_average() -> Option<[f64; 3]> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    let mut numbers = text.split_whitespace().map(|number| number.parse::<f64>().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_results::schema::CacheName;

    #[test]
    fn sizes_are_parsed_in_the_format_of_sysfs() {
        assert_eq!(bytes("48K"), Some(49_152));
        assert_eq!(bytes("1M"), Some(1_048_576));
        assert_eq!(bytes("512"), Some(512));
        assert_eq!((bytes(""), bytes("K"), bytes("-1K")), (None, None, None));
    }

    #[test]
    fn caches_are_those_of_the_processor_sorted_by_level_without_unreadable_ones() {
        let root = tempfile::tempdir().expect("a folder");
        let write = |cache: &str, file: &str, text: &str| {
            let folder = root.path().join(cache);
            std::fs::create_dir_all(&folder).expect("a folder");
            std::fs::write(folder.join(file), text).expect("a file");
        };
        for (cache, level, kind, size) in [
            ("cpu0/cache/index2", "2", "Unified", "1024K"),
            ("cpu0/cache/index0", "1", "Data", "48K"),
            ("cpu12/cache/index0", "1", "Data", "32K"),
        ] {
            write(cache, "level", level);
            write(cache, "type", kind);
            write(cache, "size", size);
        }
        write("cpu0/cache/index0", "ways_of_associativity", "12\n");
        write("cpu0/cache/index0", "coherency_line_size", "64\n");
        write("cpu0/cache/index1", "level", "1");
        let expected = [
            Cache { name: CacheName::L1Data, bytes: 49_152, ways: 12, line: 64 },
            Cache { name: CacheName::L2, bytes: 1_048_576, ways: 0, line: 0 },
        ];
        assert_eq!(caches(root.path(), 0), expected);
        let other = Cache { name: CacheName::L1Data, bytes: 32_768, ways: 0, line: 0 };
        assert_eq!(caches(root.path(), 12), [other], "a core of another kind");
        assert_eq!(caches(root.path(), 1), []);
    }

    #[test]
    fn this_machine_has_processors_and_a_system() {
        let machine = describe();
        assert!(machine.processors >= 1);
        assert!(!machine.os.is_empty());
    }
}
