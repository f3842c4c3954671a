//! The keys of a plan file: the one declaration that the parser and the reference in
//! `docs/plan-file.md` are made from.

use std::fmt;

use raywalk_results::schema::{Operation, Scope, Search, Stage};

use super::Plan;

/// A key of a plan file or of one of its panels.
pub(super) struct Key {
    pub name: &'static str,
    pub kind: Kind,
    /// Value of the key if it is left out.
    pub default: Fallback,
    /// Purpose of the key, in Markdown.
    pub about: &'static str,
}

/// The values that a key takes.
pub(super) enum Kind {
    /// A whole number in this range.
    Whole(u64, u64),
    /// A number in this range.
    Number(f64, f64),
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// A list of texts.
    Texts,
    /// One of these names.
    OneOf(fn() -> Vec<&'static str>),
    /// A list of some of these names.
    SomeOf(fn() -> Vec<&'static str>),
    /// The name of a regime, or one name with its parameter.
    Regime,
    /// The tables `[[panels]]`.
    Panels,
}

/// The value of a key that is left out.
pub(super) enum Fallback {
    /// The key must be given.
    Required,
    /// This value, in TOML.
    Value(&'static str),
    /// No value; the text describes what happens instead.
    Otherwise(&'static str),
}

use Fallback::{Otherwise, Required, Value};
use Kind::{Flag, Number, OneOf, Panels, Regime, SomeOf, Text, Texts, Whole};

fn stages() -> Vec<&'static str> {
    Stage::ALL.iter().map(|stage| stage.name()).collect()
}

fn calls() -> Vec<&'static str> {
    let searches = Search::ALL.iter().map(|search| search.name());
    searches.chain(Operation::ALL.iter().map(|operation| operation.name())).collect()
}

fn scopes() -> Vec<&'static str> {
    Scope::ALL.iter().map(|scope| scope.name()).collect()
}

const fn key(name: &'static str, kind: Kind, default: Fallback, about: &'static str) -> Key {
    Key { name, kind, default, about }
}

/// Upper bound of `rounds`. It keeps the product with the number of processes in range.
const MOST_ROUNDS: u64 = 1_000_000;

/// The keys at the top of a file.
#[rustfmt::skip] // one row per key
pub(super) const TOP: &[Key] = &[
    key("seed", Whole(0, i64::MAX as u64), Otherwise("drawn anew for each session"), "Seed of every random order: of the batches, of the designs in a round, of the layouts, of the addresses of stack, heap and lists. Sessions of one seed visit the same batches in the same order."),
    key("seconds", Number(1.0, 1e6), Value("60.0"), "Time for measuring. Each panel gets as many rounds as fit. A panel that repeats K positions gets half as many as other panels; the headline panel and panels in tree order get three times as many; all within `least-rounds` and `most-rounds`. Time that is left goes to those first, then to other streams, then to replays, cheap ones first. Verification, self-test, traces, sizes, the start of processes and building corpora come on top."),
    key("total-seconds", Number(1.0, 1e6), Otherwise("no bound"), "Upper bound on the time from the verification of the designs to the last round, `least-rounds` permitting. What verification, traces, sizes and the start of processes take shortens `seconds`, and a fifth of the time for measuring is kept for delays because the machine is slow. Building peers and corpora comes on top, and so does the page."),
    key("least-rounds", Whole(1, MOST_ROUNDS), Value("12"), "Lower bound on the rounds of each panel, even if `seconds` is exceeded."),
    key("most-rounds", Whole(1, MOST_ROUNDS), Value("10000"), "Upper bound on the rounds of each panel, even if time is left."),
    key("rounds", Whole(1, MOST_ROUNDS), Otherwise("as many as fit into `seconds`"), "The same number of rounds for each panel. Conflicts with `seconds`, `total-seconds`, `least-rounds` and `most-rounds`."),
    key("batch-ms", Number(0.01, 2.0), Value("1.0"), "How long the timed passes of a replay may take the median design, in milliseconds; their number is a power of two, and at least one whole pass is timed. Longer batches are interrupted by the scheduler. Batches of other regimes have a fixed number of positions."),
    key("processes", Whole(1, Plan::MOST_PROCESSES), Value("12"), "Number of short processes that the rounds are spread over, each with its own memory placement and its own share of the batches."),
    key("margin-percent", Number(0.0, 5.0), Value("1.0"), "Equality margin: designs that differ by less are called equal."),
    key("trace", Whole(0, 65_536), Value("0"), "Number of positions, in the longest replay of the plan and in the workload of its headline, for which the branches of each design are recorded before the first round, in windows of at most 256. The first quarter only trains the models. The page then shows what each design executes and which branches a predictor would miss. Takes about half a millisecond for each position and design."),
    key("designs", Texts, Value("[]"), "Designs to measure: ids, families, or patterns such as `bitboard/*`. An empty list stands for all built-in designs. `raywalk list` shows them. [Peers](plugin/README.md#peers) take part if a pattern matches them, such as `peer` or `*`."),
    key("plugins", Texts, Value("[]"), "Files of [plug-ins](plugin/README.md), from the current folder. Their designs take part beside those of `designs`."),
    key("baseline", Text, Otherwise("the first design that takes part"), "Id or family of the design that ratios refer to."),
    key("panels", Panels, Required, "The panels, in the order in which they run, each a table `[[panels]]` with the keys below. At least one."),
];

/// The keys of a panel.
#[rustfmt::skip] // one row per key
pub(super) const PANEL: &[Key] = &[
    key("workload", Text, Required, "Name of the workload (`raywalk workloads` shows them), or the path of a file of positions in FEN, EPD or PGN, from the current folder. It also fixes the order of the positions, which no key can change."),
    key("stages", SomeOf(stages), Value("[\"all\"]"), "Moves to generate; one panel for each stage. None if `calls` is given and `stages` is not."),
    key("scope", OneOf(scopes), Value("\"whole\""), "`whole` generates the moves of all pieces, `sliders` those of bishops, rooks and queens only. `sliders` has no stage other than `all`."),
    key("calls", SomeOf(calls), Otherwise("none"), "Calls other than the generation of a stage, described in [How a number is made](measuring.md#other-calls); one panel for each. `node`, `tree` and `bare-tree` need the workload `ab4` in the regime `stream`; the others cannot be timed in a perturbed regime, except for `queen-lookups`. A panel with `calls` and without `stages` generates no stage. Designs that do not offer a call are not in its panel."),
    key("regime", Regime, Otherwise("the regime that the workload is made for"), "How the positions reach the designs; see the regimes below. One panel for each value of a list of parameters."),
    key("headline", Flag, Value("false"), "Marks the panel that stands for the session in summaries. If several are marked, the first one counts."),
];

impl Kind {
    /// Checks a value. The error is the end of a sentence that starts with the key.
    pub(super) fn check(&self, value: &toml::Value) -> Result<(), String> {
        use toml::Value as V;
        let known = |names: Vec<&'static str>, value: &V| match value {
            V::String(name) if names.contains(&name.as_str()) => Ok(()),
            V::String(name) => {
                Err(format!("is `{name}`, which is not one of {}", names.join(", ")))
            }
            other => Err(format!("contains {}; names are {}", a(other), names.join(", "))),
        };
        let fits = match (self, value) {
            (Whole(least, most), V::Integer(n)) => {
                u64::try_from(*n).is_ok_and(|n| (*least..=*most).contains(&n))
            }
            (Number(least, most), V::Float(n)) => (*least..=*most).contains(n), // NaN is in no range
            (Number(least, most), V::Integer(n)) => (*least..=*most).contains(&(*n as f64)),
            (Flag, V::Boolean(_)) | (Text, V::String(_)) => true,
            (Texts, V::Array(texts)) => texts.iter().all(V::is_str),
            (OneOf(names), V::String(_)) => return known(names(), value),
            (SomeOf(names), V::Array(values)) if !values.is_empty() => {
                return values.iter().try_for_each(|value| known(names(), value));
            }
            (Panels, V::Array(panels)) => panels.iter().all(V::is_table),
            // Names and parameters are checked by the rules of the regime.
            (Regime, V::String(_)) => true,
            (Regime, V::Table(table)) => table.len() == 1,
            _ => false,
        };
        let is = match value {
            V::Integer(n) => format!("is {n}"),
            V::Float(n) => format!("is {n}"),
            other => format!("is {}", a(other)),
        };
        if fits { Ok(()) } else { Err(format!("{is}; it must be {self}")) }
    }
}

/// The type of a value, in words.
fn a(value: &toml::Value) -> &'static str {
    match value {
        toml::Value::String(_) => "a text",
        toml::Value::Integer(_) | toml::Value::Float(_) => "a number",
        toml::Value::Boolean(_) => "true or false",
        toml::Value::Datetime(_) => "a date",
        toml::Value::Array(list) if list.is_empty() => "an empty list",
        toml::Value::Array(_) => "a list",
        toml::Value::Table(_) => "a table",
    }
}

/// The values of the key, as the end of the sentence "it must be …".
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Whole(least, most) if *most == i64::MAX as u64 => {
                write!(f, "a whole number from {least} to 2^63 - 1")
            }
            Whole(least, most) => write!(f, "a whole number from {least} to {most}"),
            Number(least, most) => write!(f, "a number from {least} to {most}"),
            Flag => f.write_str("true or false"),
            Text => f.write_str("a text"),
            Texts => f.write_str("a list of texts"),
            OneOf(names) => write!(f, "one of {}", names().join(", ")),
            SomeOf(names) => write!(f, "a list of {}", names().join(", ")),
            Regime => f.write_str("a name, or one name with a value such as { replay = 256 }"),
            Panels => f.write_str("a list of tables"),
        }
    }
}
