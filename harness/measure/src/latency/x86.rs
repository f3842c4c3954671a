//! The chains and hammocks in x86-64 assembly.

use std::arch::asm;

use super::{Feed, Kernels, Link, Outcomes};

/// Links in one iteration of a chain. Its counter runs beside the chain and does not lengthen it.
const UNROLLED: u64 = 32;
/// Words of a ring: 512 bytes of the first-level cache.
const WORDS: usize = 64;
/// Distance of successive words, without a common divisor with their number.
const STEP: usize = 7;
/// The constant in the address of [`Link::LoadDisplaced`].
const DISPLACEMENT: usize = 24;

/// Words that lead to each other in one ring.
#[repr(align(64))]
struct Ring([usize; WORDS]);

/// A chain of these instructions, `$rounds` times [`UNROLLED`]: `rax` holds the link, `rsi` the address of a ring,
/// `rcx` five and `rdx` nothing.
macro_rules! chain {
    ($rounds:expr, $first:expr, $ring:expr, $($line:literal),+) => {
        // SAFETY: each word of a ring leads to a word of the same ring, whose address is exposed, and which is
        // only read. The block changes the registers that it declares, and the flags.
        unsafe {
            asm!(
                "2:", ".rept 32", $($line,)+ ".endr",
                "dec {rounds}", "jnz 2b",
                rounds = inout(reg) $rounds => _,
                inout("rax") $first => _,
                in("rsi") $ring,
                in("rcx") 5u64,
                out("rdx") _,
                options(nostack, readonly),
            )
        }
    };
}

/// The real kernels, with one ring for each form of address.
pub(super) struct X86Kernels {
    /// Addresses of the next word.
    addresses: Box<Ring>,
    /// Addresses of the next word, less the displacement.
    displaced: Box<Ring>,
    /// Distances from the ring in bytes.
    offsets: Box<Ring>,
    /// Distances from the ring in words.
    places: Box<Ring>,
}

impl X86Kernels {
    pub(super) fn new() -> X86Kernels {
        let next = |word: usize| (word + STEP) % WORDS;
        let of = |value: &dyn Fn(usize) -> usize| {
            Box::new(Ring(std::array::from_fn(|word| value(next(word)))))
        };
        // The kernels dereference plain addresses, so the provenance of the allocations is exposed.
        let in_itself = |less: usize| {
            let mut ring = of(&|next| next * size_of::<usize>());
            let first = (&raw mut *ring).expose_provenance();
            ring.0.iter_mut().for_each(|word| *word += first - less);
            ring
        };
        X86Kernels {
            addresses: in_itself(0),
            displaced: in_itself(DISPLACEMENT),
            offsets: of(&|next| next * size_of::<usize>()),
            places: of(&|next| next),
        }
    }
}

/// Whether the processor has the instruction of a link.
fn is_present(link: Link) -> bool {
    match link {
        Link::ShiftWithoutFlags | Link::Extract => is_x86_feature_detected!("bmi2"),
        Link::Scan | Link::ClearLowest => is_x86_feature_detected!("bmi1"),
        Link::Count => is_x86_feature_detected!("popcnt"),
        _ => true,
    }
}

impl Kernels for X86Kernels {
    #[inline(never)]
    fn chain(&mut self, link: Link, links: u64) -> bool {
        if !is_present(link) || links < UNROLLED {
            return false;
        }
        let none = &raw const *self.places;
        let rounds = links / UNROLLED;
        match link {
            Link::Load => {
                let first = self.addresses.0[0];
                chain!(rounds, first, &raw const *self.addresses, "mov rax, [rax]");
            }
            Link::LoadDisplaced => {
                let first = self.displaced.0[0];
                chain!(rounds, first, &raw const *self.displaced, "mov rax, [rax + 24]");
            }
            Link::LoadIndexed => {
                chain!(rounds, 0usize, &raw const *self.offsets, "mov rax, [rsi + rax]");
            }
            Link::LoadScaled => {
                chain!(rounds, 0usize, &raw const *self.places, "mov rax, [rsi + rax*8]");
            }
            Link::Simple => chain!(rounds, 1u64, none, "xor rax, rcx"),
            // Two links at a time, because a copy of a register to itself may be special.
            Link::Copy => chain!(rounds.div_ceil(2), 1u64, none, "mov rdx, rax", "mov rax, rdx"),
            Link::Extend => {
                chain!(rounds.div_ceil(2), 1u64, none, "movzx edx, al", "movzx eax, dl");
            }
            Link::TestAndSelect => chain!(rounds, 1u64, none, "test rax, rax", "cmovnz rax, rcx"),
            Link::AddressScaled => chain!(rounds, 1u64, none, "lea rax, [rcx + rax*8]"),
            Link::AddressOfThree => chain!(rounds, 1u64, none, "lea rax, [rcx + rax + 24]"),
            Link::ShiftBy => chain!(rounds, 1u64, none, "shl rax, cl"),
            Link::ShiftWithoutFlags => chain!(rounds, 1u64, none, "shlx rax, rax, rcx"),
            Link::Multiply => chain!(rounds, 1u64, none, "imul rax, rcx"),
            Link::Scan => chain!(rounds, 1u64, none, "tzcnt rax, rax"),
            Link::Count => chain!(rounds, 1u64, none, "popcnt rax, rax"),
            Link::ClearLowest => chain!(rounds, 1u64, none, "blsr rax, rax"),
            Link::Extract => chain!(rounds, 1u64, none, "pext rax, rax, rcx"),
        }
        true
    }

    #[inline(never)]
    fn hammock(&mut self, feed: Feed, outcomes: &Outcomes) {
        let branches = outcomes.len() as u64;
        if branches == 0 {
            return;
        }
        match feed {
            // Marsaglia's xorshift with 13, 7 and 17.
            // SAFETY: the block changes the registers that it declares, and the flags.
            Feed::Registers => unsafe {
                asm!(
                    "2:",
                    "mov {copy}, {word}", "shl {copy}, 13", "xor {word}, {copy}",
                    "mov {copy}, {word}", "shr {copy}, 7", "xor {word}, {copy}",
                    "mov {copy}, {word}", "shl {copy}, 17", "xor {word}, {copy}",
                    "test {word:e}, 1",
                    "jz 3f",
                    "inc {ones}",
                    "3:",
                    "dec {left}", "jnz 2b",
                    word = inout(reg) outcomes.seed => _,
                    copy = out(reg) _,
                    ones = inout(reg) 0u64 => _,
                    left = inout(reg) branches => _,
                    options(nomem, nostack),
                );
            },
            // The address of the next byte is made before the branch and so is known at the restart.
            // `lea` makes it and not `inc`, because the branch still needs the flags of `test`.
            // SAFETY: one byte per branch is read, and there are as many. The block changes the registers that
            // it declares, and the flags.
            Feed::Load => unsafe {
                asm!(
                    "2:",
                    "test byte ptr [{at}], 1",
                    "lea {at}, [{at} + 1]",
                    "jz 3f",
                    "inc {ones}",
                    "3:",
                    "dec {left}", "jnz 2b",
                    at = inout(reg) outcomes.bytes.as_ptr() => _,
                    ones = inout(reg) 0u64 => _,
                    left = inout(reg) branches => _,
                    options(nostack, readonly),
                );
            },
            // SAFETY: one place per branch is read, and there are as many as bytes. Places were bytes, and the
            // table has 256. The block changes the registers that it declares, and the flags.
            Feed::TwoLoads => unsafe {
                asm!(
                    "2:",
                    "movzx {place:e}, word ptr [{places} + {number}*2]",
                    "lea {number}, [{number} + 1]",
                    "test byte ptr [{table} + {place}], 1",
                    "jz 3f",
                    "inc {ones}",
                    "3:",
                    "dec {left}", "jnz 2b",
                    places = in(reg) outcomes.places.as_ptr(),
                    table = in(reg) outcomes.table.as_ptr(),
                    number = inout(reg) 0u64 => _,
                    place = out(reg) _,
                    ones = inout(reg) 0u64 => _,
                    left = inout(reg) branches => _,
                    options(nostack, readonly),
                );
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raywalk_core::random::SplitMix;

    #[test]
    fn a_ring_leads_through_all_of_its_words() {
        let kernels = X86Kernels::new();
        let first = (&raw const *kernels.addresses).addr();
        let (mut at, mut seen) = (0, [false; WORDS]);
        for _ in 0..WORDS {
            at = kernels.places.0[at];
            assert!(!std::mem::replace(&mut seen[at], true));
        }
        for word in 0..WORDS {
            let bytes = kernels.places.0[word] * 8;
            assert_eq!(kernels.offsets.0[word], bytes);
            assert_eq!(kernels.addresses.0[word], first + bytes);
            let displaced = (&raw const *kernels.displaced).addr() + bytes;
            assert_eq!(kernels.displaced.0[word] + DISPLACEMENT, displaced);
        }
    }

    #[test]
    fn every_chain_and_hammock_of_this_processor_runs() {
        let mut kernels = X86Kernels::new();
        let ran = Link::ALL.map(|link| kernels.chain(link, 64));
        assert_eq!(ran, Link::ALL.map(is_present));
        for outcomes in [Outcomes::random(100, &mut SplitMix(1)), Outcomes::steady(100)] {
            Feed::ALL.into_iter().for_each(|feed| kernels.hammock(feed, &outcomes));
        }
    }
}
