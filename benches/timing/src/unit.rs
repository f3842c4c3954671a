//! The unit of measurement: time or derived core cycles, chosen when the benchmark starts.

use std::str::FromStr;
use std::time::Instant;

use criterion::Throughput;
use criterion::measurement::{Measurement, ValueFormatter};
use raywalk::UNITS;
use raywalk_measure::clock::{Clock, HardwareClock};
use raywalk_results::schema::Quantity;

/// The unit of the samples that Criterion receives.
pub enum Unit {
    /// Nanoseconds of the system's monotonic clock.
    Time,
    /// Core cycles: ticks of the fenced time-stamp counter, multiplied by the cycles per tick that a
    /// dependency chain measures at the end of the sample. Derived, not counted.
    Cycles(Box<HardwareClock>),
}

impl Unit {
    /// First part of the names of Criterion's groups. It differs by unit, so that results in one unit
    /// never overwrite those in the other and `raywalk report` can tell them apart.
    pub fn group(&self) -> &'static str {
        let unit = match self {
            Unit::Time => Quantity::Nanoseconds,
            Unit::Cycles(_) => Quantity::Cycles,
        };
        UNITS.iter().find(|(_, quantity)| *quantity == unit).map_or("gen", |(group, _)| group)
    }
}

/// The value of `RAYWALK_BENCH_UNIT` cannot be used.
#[derive(Debug)]
pub enum UnitError {
    /// It is not a unit.
    Unknown(String),
    /// There are no core cycles on this architecture, and ticks must not be called cycles.
    NoCycles,
}

impl std::fmt::Display for UnitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            UnitError::Unknown(text) => {
                write!(f, "RAYWALK_BENCH_UNIT is `{text}`; set it to `time` or `cycles`")
            }
            UnitError::NoCycles => f.write_str(
                "RAYWALK_BENCH_UNIT is `cycles`, and no dependency chain that measures the clock rate of the core is \
                 written for this architecture; set it to `time`",
            ),
        }
    }
}

impl std::error::Error for UnitError {}

impl FromStr for Unit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Unit, UnitError> {
        match text {
            "" | "time" => Ok(Unit::Time),
            "cycles" => {
                let clock = HardwareClock::measure();
                clock.cycles_per_tick().ok_or(UnitError::NoCycles)?;
                Ok(Unit::Cycles(Box::new(clock)))
            }
            _ => Err(UnitError::Unknown(text.to_owned())),
        }
    }
}

/// The start of a sample, on the clock of the unit.
pub enum Start {
    /// Reading of the monotonic clock.
    Time(Instant),
    /// Reading of the fenced time-stamp counter.
    Ticks(u64),
}

impl Measurement for Unit {
    type Intermediate = Start;
    type Value = f64;

    fn start(&self) -> Start {
        match self {
            Unit::Time => Start::Time(Instant::now()),
            Unit::Cycles(clock) => Start::Ticks(clock.start()),
        }
    }

    fn end(&self, start: Start) -> f64 {
        match (self, start) {
            (Unit::Cycles(clock), Start::Ticks(start)) => {
                let ticks = clock.end() - start;
                // Whether there is a chain depends on the architecture alone, and `from_str` found one.
                ticks as f64 * clock.cycles_per_tick().expect("a chain of this architecture")
            }
            (_, Start::Time(start)) => start.elapsed().as_secs_f64() * 1e9,
            (Unit::Time, Start::Ticks(_)) => unreachable!("`start` reads the monotonic clock"),
        }
    }

    fn add(&self, a: &f64, b: &f64) -> f64 {
        a + b
    }

    fn zero(&self) -> f64 {
        0.0
    }

    fn to_f64(&self, value: &f64) -> f64 {
        *value
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        match self {
            Unit::Time => &Scale("ns", "ns/move"),
            Unit::Cycles(_) => &Scale("cycles", "cycles/move"),
        }
    }
}

/// Prints plain numbers: the first unit per iteration, the second per move as "throughput".
struct Scale(&'static str, &'static str);

impl ValueFormatter for Scale {
    fn scale_values(&self, _: f64, _: &mut [f64]) -> &'static str {
        self.0
    }

    fn scale_throughputs(
        &self,
        _: f64,
        throughput: &Throughput,
        values: &mut [f64],
    ) -> &'static str {
        if let Throughput::Elements(moves) = throughput {
            values.iter_mut().for_each(|value| *value /= *moves as f64);
        }
        self.1
    }

    fn scale_for_machines(&self, _: &mut [f64]) -> &'static str {
        self.0
    }
}
