//! Peers: the move generators of cozy-chess, owlchess and chess, as plug-ins for Raywalk.
//!
//! They are compiled as their users compile them: fat link-time optimisation, one codegen unit, the
//! features of the CPU. Each keeps its own board and its own moves, and writes them to a plain list.
//!
//! [`raywalk`] is the C interface for any [`Peer`]; the other modules are the peers. The feature `pext` of
//! cozy-chess replaces its attack tables, so the library is built twice.

mod cozy;
#[cfg(feature = "others")]
mod jordan;
#[cfg(feature = "others")]
mod owl;
mod raywalk;
#[cfg(test)]
mod tests;

use raywalk::Design;

/// Version of `raywalk.h`.
const ABI_VERSION: u32 = 3;

#[cfg(feature = "others")]
static DESIGNS: &[Design] =
    &[Design::of::<cozy::Cozy>(), Design::of::<owl::Owl>(), Design::of::<jordan::Jordan>()];
#[cfg(not(feature = "others"))]
static DESIGNS: &[Design] = &[Design::of::<cozy::Cozy>()];

/// The version of the header that this library is built for.
#[unsafe(no_mangle)]
pub extern "C" fn raywalk_abi_version() -> u32 {
    ABI_VERSION
}

/// The table of a design, or null if there are no more.
#[unsafe(no_mangle)]
pub extern "C" fn raywalk_design_at(number: u32) -> *const Design {
    DESIGNS.get(number as usize).map_or(std::ptr::null(), |design| design)
}
