//! *Pressure*: a stream with other data in the caches before each call.
//!
//! Before each call some lines of a ring of memory are read. The ring represents the hash table, the
//! evaluation tables and the stack of an engine: memory that competes for the caches. With 64 lines
//! per call, a line of a design's table must be used again within a dozen calls to stay in a
//! first-level cache of 48 KiB, and within 256 calls to stay in a second-level cache of 1 MiB. Small
//! tables that each call reads in full therefore suffer little, and large tables of which each call
//! reads a few lines suffer most.
//!
//! The steps are near the golden section of the ring: every line comes in turn, and no prefetcher
//! finds a stride within a page. A ring of more pages than the TLB holds also presses the TLB, as an
//! engine's tables do. The parameter in plan files is the size of the ring, or a list of sizes.

use std::hint::black_box;

use raywalk_results::schema::{Call, Intensity, IntensityUnit, Order, Regime, RegimeKind};

use super::interface::{Parameter, Rules, one_by_one};
use crate::perturb::Perturb;

pub(super) struct Pressure;

/// Lines that are read before each call.
const LINES: u64 = 64;
/// Sizes of the built-in plans, in bytes.
pub(crate) const SIZES: [u64; 6] = [0, 32 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20];
/// The largest ring: sixty times the largest cache of a desktop.
const LARGEST: u64 = 2 << 30;

/// Formats bytes in the largest unit that divides them: `0 B`, `256 KiB`, `8 MiB`.
pub(super) fn bytes(value: u64) -> String {
    match value {
        0 => "0 B".to_owned(),
        whole if whole.is_multiple_of(1 << 20) => format!("{} MiB", whole >> 20),
        whole if whole.is_multiple_of(1 << 10) => format!("{} KiB", whole >> 10),
        other => format!("{other} B"),
    }
}

fn ring(regime: &Regime) -> u64 {
    regime.intensity.map_or(0, |intensity| intensity.amount)
}

impl Pressure {
    fn regime(size: u64, order: Order) -> Regime {
        let order_label = order.label();
        let description = match size {
            0 => format!(
                "{order_label}, no cache pressure but measured as with it (difference of two timed \
                 runs)"
            ),
            size => format!(
                "{order_label}, {LINES} cache lines of a ring of {} read before each call \
                 (difference of two timed runs)",
                bytes(size)
            ),
        };
        Regime {
            kind: RegimeKind::Pressure,
            intensity: Some(Intensity { amount: size, unit: IntensityUnit::Bytes }),
            label: format!("pressure, {}", bytes(size)),
            description,
            ..Regime::stream(order)
        }
    }
}

impl Rules for Pressure {
    fn parse(&self, parameter: Parameter<'_>, order: Order) -> Result<Vec<Regime>, String> {
        let sizes = sizes(parameter, LARGEST, "2 GiB")?;
        // A ring without a whole line would read nothing, and its panel would claim that it reads lines.
        if let Some(&size) = sizes.iter().find(|&&size| (1..LINE).contains(&size)) {
            return Err(format!(
                "is `{}`; it needs \"0\" or at least one cache line, \"{}\"",
                bytes(size),
                bytes(LINE)
            ));
        }
        Ok(sizes.into_iter().map(|size| Pressure::regime(size, order)).collect())
    }

    fn parameter(&self, regime: &Regime) -> Option<toml::Value> {
        Some(toml::Value::String(format!("{} B", ring(regime))))
    }

    fn reference(&self) -> (&'static str, &'static str) {
        (
            "required: a size, `\"0\"` or from `\"64 B\"` to `\"2 GiB\"`, or a list of such sizes; units are \
             `B`, `KiB`, `MiB`, `GiB`",
            "A stream; before each call, 64 cache lines of a ring of this size are read. The size must \
             fit into the available memory.",
        )
    }

    fn memory(&self, regime: &Regime) -> u64 {
        ring(regime)
    }

    fn id(&self, regime: &Regime) -> String {
        format!("pressure-{}-{}", ring(regime), regime.order)
    }

    fn times(&self, regime: &Regime, call: Call) -> Result<(), String> {
        one_by_one(regime, call)
    }

    fn perturb(&self, regime: &Regime) -> Result<Option<Box<dyn Perturb>>, String> {
        Ok(Some(Box::new(Walker::new(ring(regime), LINES)?)))
    }

    fn works_here(&self, regime: &Regime) -> Result<(), String> {
        // Reserved and not written: the ring may be large.
        reserved((ring(regime) / LINE) as usize).map(drop)
    }

    fn perturbation_nanoseconds(&self, _regime: &Regime) -> f64 {
        // Of a line from a cache that is not the first.
        const EACH: f64 = 6.0;
        LINES as f64 * EACH
    }
}

/// The sizes of a parameter, or what it needs.
pub(super) fn sizes(
    parameter: Parameter<'_>,
    largest: u64,
    in_words: &str,
) -> Result<Vec<u64>, String> {
    let needs =
        format!("needs a size up to {in_words} or a list of sizes, such as \"0\" or \"256 KiB\"");
    let sizes = match parameter {
        Some(toml::Value::Array(sizes)) if !sizes.is_empty() => sizes.iter().collect(),
        Some(size) => vec![size],
        None => return Err(needs),
    };
    let parsed = |value: &toml::Value| {
        let size = value.as_str().and_then(|text| size(text, largest));
        size.ok_or_else(|| match value {
            toml::Value::String(text) => format!("is `{text}`; it {needs}"),
            _ => needs.clone(),
        })
    };
    sizes.into_iter().map(parsed).collect()
}

/// The bytes of `0`, `512 B`, `32 KiB`, `8 MiB`.
fn size(text: &str, largest: u64) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let unit: u64 = match unit.trim() {
        "" | "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit).filter(|&size| size <= largest)
}

#[derive(Debug)]
struct Walker {
    ring: Vec<Line>,
    at: usize,
    step: usize,
    lines: u64,
}

#[derive(Clone, Debug)]
#[repr(align(64))]
struct Line(u64);

/// Bytes of a line, and of the smallest ring that has one.
const LINE: u64 = size_of::<Line>() as u64;

impl Walker {
    /// Reads `lines` lines of a ring of `bytes` before each call; none of an empty ring.
    fn new(bytes: u64, lines: u64) -> Result<Walker, String> {
        let count = (bytes / LINE) as usize;
        let mut ring = reserved(count)?;
        // Written, not only allocated: pages that were never written all map to one page of zeros.
        ring.extend((1..=count as u64).map(Line));
        Ok(Walker { ring, at: 0, step: step(count), lines: if count == 0 { 0 } else { lines } })
    }

    #[inline(always)]
    fn read(&mut self) {
        self.at += self.step;
        // One subtraction is enough in place of a division: place and step are both below the length.
        self.at -= if self.at >= self.ring.len() { self.ring.len() } else { 0 };
        black_box(self.ring[self.at].0);
    }
}

impl Perturb for Walker {
    fn perturb(&mut self) {
        for _ in 0..self.lines {
            self.read();
        }
    }

    /// Reads the ring once around, so that every line is where the caches will keep it.
    fn settle(&mut self) {
        for _ in 0..self.ring.len() {
            self.read();
        }
    }
}

/// Memory for the lines of a ring.
fn reserved(lines: usize) -> Result<Vec<Line>, String> {
    let mut ring = Vec::new();
    let no_memory = |_| format!("there is no memory for a ring of {}", bytes(lines as u64 * LINE));
    ring.try_reserve_exact(lines).map_err(no_memory)?;
    Ok(ring)
}

/// The smallest odd step from the golden section on that visits every line of the ring.
pub fn step(lines: usize) -> usize {
    if lines < 2 {
        return 0;
    }
    let wanted = (lines as f64 * 0.618) as usize | 1;
    (wanted..lines).step_by(2).find(|&step| divisor(step, lines) == 1).unwrap_or(1)
}

fn divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walker_of(bytes: u64, lines: u64) -> Walker {
        Walker::new(bytes, lines).expect("memory for a small ring")
    }

    #[test]
    fn every_line_of_a_ring_comes_once_before_any_comes_again() {
        for bytes in [64, 128, 192, 64 * 100, 32 << 10, 256 << 10, 1_000_000] {
            let mut walker = walker_of(bytes, 1);
            let count = walker.ring.len();
            let mut seen = vec![false; count];
            for _ in 0..count {
                walker.perturb();
                assert!(!std::mem::replace(&mut seen[walker.at], true), "{bytes}");
            }
        }
    }

    #[test]
    fn a_ring_that_is_not_empty_has_a_line() {
        let parse = |sizes: &[&str]| {
            Pressure.parse(Some(&sizes.to_vec().into()), Order::Tree).map(|regimes| regimes.len())
        };
        assert_eq!(parse(&["0", "64 B", "65 B"]), Ok(3));
        assert_eq!((walker_of(64, LINES).lines, walker_of(63, LINES).lines), (LINES, 0));
        for size in ["1 B", "63"] {
            let why = parse(&["0", size]).expect_err("no line");
            assert!(why.ends_with("it needs \"0\" or at least one cache line, \"64 B\""), "{why}");
        }
    }

    #[test]
    fn the_step_is_odd_and_near_the_golden_section() {
        for lines in [512, 4_096, 16_384, 65_536, 131_072] {
            let step = step(lines);
            assert!(step % 2 == 1 && (step as f64 / lines as f64 - 0.618).abs() < 0.003, "{step}");
        }
    }

    #[test]
    fn a_call_reads_as_many_lines_as_asked_and_an_empty_ring_none() {
        let mut walker = walker_of(32 << 10, 64);
        let step = walker.step;
        walker.perturb();
        assert_eq!(walker.at, 64 * step % 512);
        walker.settle();
        assert_eq!(walker.at, 64 * step % 512, "once around");
        let mut none = walker_of(0, 64);
        none.perturb();
        none.settle();
        assert_eq!((none.at, none.lines), (0, 0));
    }

    #[test]
    fn a_ring_without_memory_is_refused_before_anything_is_measured() {
        let regime = Pressure::regime(1 << 62, Order::Tree);
        let why = "there is no memory for a ring of 4398046511104 MiB".to_owned();
        assert_eq!(Pressure.works_here(&regime), Err(why.clone()));
        assert_eq!(Pressure.perturb(&regime).err(), Some(why));
    }
}
