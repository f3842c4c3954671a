//! *Lists*: a stream whose calls write to many lists in turn.
//!
//! All other regimes give each call of a turn the same list, which then stays in the first-level cache. An engine has a
//! list for each ply, or one stack of moves, and reads each list before it comes back to it. The cache level of a list
//! when it is written depends on the engine and not on the design, so it is a regime: calls use the lists of a ring in
//! turn, and the size of the ring decides which level holds them. The lists of a ring that is larger than a cache come
//! from the next level.
//!
//! A call touches two or three lines of the moves in its list and the line of the length. A list of 16-bit moves
//! has 768 bytes, so the lines in use are about a third of the ring. The steps from list to list are near the golden
//! section of the ring, so that no prefetcher finds a stride. The smallest ring is one list, in the same loop:
//! compare with that, and not with a stream.
//!
//! The calls are timed as those of a stream and not one by one. A store that misses the caches costs nothing as
//! long as the store buffer has room, and fences around each call would give it the room.

use raywalk_results::schema::{Call, Order, Regime, RegimeKind};

use super::interface::{Parameter, Rules};
use super::pressure::{bytes, sizes};
use crate::source::PositionSource;

pub(super) struct Lists;

/// The largest ring. Every design has one.
const LARGEST: u64 = 8 << 20;
/// More designs than there are, for the memory that all rings need.
const DESIGNS: u64 = 256;

fn regime(size: u64, order: Order) -> Regime {
    let order_label = order.label();
    let description = match size {
        0 => format!("{order_label}, each call writes to the one list of a ring"),
        size => format!(
            "{order_label}, each call writes to the next of the lists that fit into {}, at least one",
            bytes(size)
        ),
    };
    Regime {
        kind: RegimeKind::Lists,
        lists: Some(size),
        label: match size {
            0 => "lists, one".to_owned(),
            size => format!("lists, {}", bytes(size)),
        },
        description,
        ..Regime::stream(order)
    }
}

impl Rules for Lists {
    fn parse(&self, parameter: Parameter<'_>, order: Order) -> Result<Vec<Regime>, String> {
        let sizes = sizes(parameter, LARGEST, "8 MiB")?;
        Ok(sizes.into_iter().map(|size| regime(size, order)).collect())
    }

    fn parameter(&self, regime: &Regime) -> Option<toml::Value> {
        Some(toml::Value::String(format!("{} B", regime.lists.unwrap_or_default())))
    }

    fn reference(&self) -> (&'static str, &'static str) {
        (
            "required: a size, or a list of sizes, from `\"0\"` to `\"8 MiB\"`; units are `B`, `KiB`, `MiB`",
            "A stream; each call writes to the next of the lists that fit into this size, at least one.",
        )
    }

    fn memory(&self, regime: &Regime) -> u64 {
        regime.lists.unwrap_or_default() * DESIGNS
    }

    fn id(&self, regime: &Regime) -> String {
        format!("lists-{}-{}", regime.lists.unwrap_or_default(), regime.order)
    }

    fn source(&self, _regime: &Regime, len: usize) -> Result<PositionSource, String> {
        Ok(PositionSource::stream(len))
    }

    fn times(&self, _regime: &Regime, call: Call) -> Result<(), String> {
        match call.operation().is_some() || call.is_walk() {
            true => {
                Err("cannot be timed in the regime `lists`, where calls only generate moves"
                    .to_owned())
            }
            false => Ok(()),
        }
    }
}
