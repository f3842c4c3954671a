//! Whether this processor executes the instructions that the program was compiled to.
//!
//! Designs are compiled for a level of x86-64, see `.cargo/config.toml`. On an older processor the first newer
//! instruction ends the program with a signal and without a message. The detection of the standard library answers
//! "present" at compile time for what the build enables, so this module reads the processor itself.

/// The first extension that this program was compiled to and this processor lacks.
#[cfg(target_arch = "x86_64")]
pub fn lacks() -> Option<&'static str> {
    use std::arch::x86_64::{__cpuid, __cpuid_count};

    let basic = __cpuid(1).ecx;
    let newer = if __cpuid(0).eax >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let extended =
        if __cpuid(0x8000_0000).eax > 0x8000_0000 { __cpuid(0x8000_0001).ecx } else { 0 };
    macro_rules! first_missing {
        ($($feature:tt, $register:ident, $bit:literal;)+) => {
            $(if cfg!(target_feature = $feature) && $register & (1 << $bit) == 0 { return Some($feature); })+
        };
    }
    first_missing! {
        "sse4.2", basic, 20;
        "popcnt", basic, 23;
        "movbe", basic, 22;
        "fma", basic, 12;
        "avx", basic, 28;
        "f16c", basic, 29;
        "bmi1", newer, 3;
        "avx2", newer, 5;
        "bmi2", newer, 8;
        "lzcnt", extended, 5;
    }
    None
}

/// Other architectures are compiled to their oldest instruction set.
#[cfg(not(target_arch = "x86_64"))]
pub fn lacks() -> Option<&'static str> {
    None
}
