//! A synthetic journal for tests: made by a formula, with names that say so.
//!
//! The formula has the shape of real sessions: a fixed cost per position, a misprediction cost that
//! grows with the number of distinct positions, a drifting clock rate, noise. All integers come from
//! SplitMix64 and one seed, so the bytes are the same everywhere.

use raywalk_core::random::SplitMix;

use crate::journal::{self, Results};
use crate::schema::*;

mod explained;
mod machine;
mod records;
mod shards;
pub use explained::explained;
pub use shards::{by_share, shards};

/// id, name, control, table bytes, cycles every position pays, cycles of surprise, legal.
type Shape = (&'static str, &'static str, Control, u64, f64, f64, bool);

const SHAPES: [Shape; 12] = [
    ("alpha", "Synthetic alpha", Control::Branchy, 0, 310.0, 1450.0, false),
    ("beta", "Synthetic beta", Control::Branchy, 98_304, 270.0, 1180.0, false),
    ("gamma", "Synthetic gamma", Control::Branchy, 524_288, 255.0, 1310.0, false),
    ("delta", "Synthetic delta", Control::Branchless, 11_648, 520.0, 330.0, false),
    ("epsilon", "Synthetic epsilon", Control::Branchless, 131_072, 410.0, 390.0, false),
    ("zeta/ray", "Synthetic zeta, rays", Control::Mixed, 6_144, 205.0, 310.0, false),
    ("zeta/line", "Synthetic zeta, lines", Control::Mixed, 861_696, 190.0, 295.0, false),
    ("eta", "Synthetic eta", Control::Mixed, 862_720, 230.0, 280.0, true),
    ("theta", "Synthetic theta", Control::Branchy, 0, 380.0, 1600.0, false),
    ("iota", "Synthetic iota", Control::Branchless, 4_096, 196.0, 120.0, false),
    ("kappa", "Synthetic kappa", Control::Mixed, 2_048, 211.0, 300.0, false),
    (
        "lambda",
        "Synthetic lambda with a long display name",
        Control::Branchy,
        65_536,
        262.0,
        1200.0,
        false,
    ),
];

/// Parameters of a synthetic journal.
#[derive(Clone, Copy)]
pub struct Recipe {
    /// Seed of the noise, and part of the name of the CPU.
    pub seed: u64,
    /// Number of designs: twelve shapes, then variations of them.
    pub designs: usize,
    /// Number of rounds of each panel.
    pub rounds: u64,
    /// Whether the session can count core cycles and hardware events.
    pub instruments: bool,
    /// Only two panels instead of 15.
    pub small: bool,
    /// At least so many panels: further ones are like the first ones, with workloads of other names.
    pub panels: usize,
    /// Blocks of each sample of an unperturbed panel; 0 for samples without blocks.
    pub blocks: u64,
    /// Number of processes that the rounds are cut into; 0 for one process without warm-ups, steal
    /// time or an effect of placement.
    pub shares: u64,
    /// Number of section orders that the processes take in turn.
    pub layouts: u64,
}

/// Multiplies the ticks of a design.
pub fn stretch(records: &mut [Record], design: &str, factor: f64) {
    for record in records {
        let Record::Round(round) = record else { continue };
        for sample in round.samples.iter_mut().filter(|sample| sample.design == design) {
            sample.ticks = (sample.ticks as f64 * factor) as u64;
        }
    }
}

/// Sets the times of these designs to those of alpha times a factor, round by round.
pub fn with_times(mut results: Results, factors: &[(&str, f64)]) -> Results {
    for round in results.panels.iter_mut().flat_map(|panel| &mut panel.rounds) {
        let alpha = round.samples.iter().find(|sample| sample.design == "synthetic-alpha");
        let ticks = alpha.expect("a sample").ticks as f64;
        for (id, factor) in factors {
            let sample = round.samples.iter_mut().find(|sample| sample.design == *id);
            sample.expect("a sample").ticks = (ticks * factor) as u64;
        }
    }
    results
}

/// In each round every branchless design takes `ratio` times as long as all others, which take the time of the first
/// sample. `ratio` is given the number of the round.
pub fn with_classes(mut results: Results, ratio: impl Fn(usize) -> f64) -> Results {
    let is_branchless = |design: &&Design| design.control == Control::Branchless;
    let branchless: Vec<String> =
        results.designs.iter().filter(is_branchless).map(|design| design.id.clone()).collect();
    for panel in &mut results.panels {
        for (number, round) in panel.rounds.iter_mut().enumerate() {
            let ticks = round.samples[0].ticks as f64;
            for sample in &mut round.samples {
                let factor = if branchless.contains(&sample.design) { ratio(number) } else { 1.0 };
                sample.ticks = (ticks * factor) as u64;
                sample.blocks.clear();
            }
        }
    }
    results
}

pub use crate::journal::text;

/// Reads a journal that [`text`] wrote; panics if there is a fault in it.
pub fn read(text: &str) -> Results {
    journal::read(text.as_bytes()).expect("the fixture is sound")
}

struct Synthetic {
    design: Design,
    fixed: f64,
    surprise: f64,
}

impl Synthetic {
    fn seed(&self) -> u64 {
        self.design.id.bytes().map(u64::from).sum()
    }

    /// Relative effect of a layout on the cost; zero for designs that are not branchy.
    fn effect_of_layout(&self, layout: u64) -> f64 {
        match self.design.control {
            Control::Branchy => 0.005 * around_zero(&mut SplitMix(self.seed() << 8 | layout)),
            _ => 0.0,
        }
    }
}

fn designs(n: usize) -> Vec<Synthetic> {
    (0..n)
        .map(|i| {
            let (id, name, control, bytes, fixed, surprise, legal) = SHAPES[i % SHAPES.len()];
            let again = i / SHAPES.len();
            let suffix = if again == 0 { String::new() } else { format!(" {}", again + 1) };
            let slower = 1.0 + 0.13 * again as f64;
            Synthetic {
                design: Design {
                    id: format!("synthetic-{id}{}", suffix.trim()),
                    name: format!("{name}{suffix}"),
                    author: "The fixture".to_owned(),
                    year: Some(2000 + i as u16),
                    source: "a formula, not a program; see the fixture of the report's tests"
                        .to_owned(),
                    control,
                    legality: if legal { Legality::Legal } else { Legality::PseudoLegal },
                    published_bytes: (i % 3 == 0).then_some(bytes),
                    table_bytes: Some(bytes + if i % 6 == 3 { 64 } else { 0 }),
                    board_bytes: Some(96 + 32 * i as u64),
                    board_cells: (control != Control::Mixed && id != "iota").then_some(64),
                    move_bytes: Some(2),
                    whole_vectors: Some(false),
                    needs: if id == "eta" { vec![Feature::Bmi2] } else { vec![] },
                    reconstructed: if i % 2 == 0 {
                        "pawns, castling and promotions".to_owned()
                    } else {
                        String::new()
                    },
                    plugin: None,
                    status: Status::Verified { checks: 1483 },
                },
                fixed: fixed * slower,
                surprise: surprise * slower,
            }
        })
        .collect()
}

fn outsiders() -> impl Iterator<Item = Design> {
    let outsider = |id: &str, name: &str, status| Design {
        id: format!("synthetic-{id}"),
        name: format!("Synthetic {name}"),
        author: "The fixture".to_owned(),
        year: Some(2000),
        source: "a formula".to_owned(),
        control: Control::Branchless,
        legality: Legality::PseudoLegal,
        published_bytes: Some(2_048),
        table_bytes: None,
        board_bytes: None,
        board_cells: None,
        move_bytes: None,
        whole_vectors: None,
        needs: vec![Feature::Avx512Vbmi2],
        reconstructed: String::new(),
        plugin: None,
        status,
    };
    let why = "AVX-512 VBMI2, which this machine lacks".to_owned();
    let wrong = "perft 3 of the start position: 8901, expected 8902".to_owned();
    [
        outsider("mu", "mu", Status::Missing { why }),
        outsider("nu", "nu", Status::Wrong { why: wrong }),
    ]
    .into_iter()
}

#[derive(Clone)]
struct Made {
    panel: Panel,
    /// Fraction of the misprediction cost that remains in this order of positions.
    surprise: f64,
    /// Fraction of the work that the stage takes.
    share: f64,
    moves: f64,
}

/// A replay of `k` positions.
pub fn replay(k: u64) -> Regime {
    Regime {
        kind: RegimeKind::Replay,
        period: Some(k),
        label: format!("replay of {k}"),
        description: match k {
            1 => "one position, again and again".to_owned(),
            k => format!("the same {k} positions, again and again"),
        },
        ..Regime::stream(Order::Shuffled)
    }
}

/// A stream in tree order that is perturbed before each call.
pub fn perturbed(kind: RegimeKind, amount: u64, unit: IntensityUnit) -> Regime {
    Regime {
        kind,
        intensity: Some(Intensity { amount, unit }),
        label: format!("{kind}, {amount} {unit}"),
        description: format!("{}, perturbed by {amount} {unit}", Order::Tree.label()),
        ..Regime::stream(Order::Tree)
    }
}

fn panels(recipe: Recipe, designs: &[Synthetic]) -> Vec<Made> {
    let panel = |workload: &str, regime: Regime, stage: Stage, surprise: f64| {
        let (share, moves) = match stage {
            Stage::Captures => (0.42, 1.9),
            Stage::Quiets => (0.81, 29.1),
            Stage::All => (1.0, 31.0),
        };
        let call = Call::generate(stage);
        let part = match (regime.period, regime.intensity) {
            (Some(k), _) => format!("replay-{k}"),
            (None, Some(intensity)) => format!("{}-{}", regime.kind, intensity.amount),
            (None, None) => format!("stream-{}", regime.order),
        };
        let panel = Panel {
            id: format!("{workload}/{part}/{}", call.id()),
            workload: workload.to_owned(),
            learning: None,
            memorisation_curve: regime.period.is_some() && call.is_whole(),
            regime,
            call,
            positions: 65_536,
            roots: 64,
            batch: 1024,
            blocks: 1,
            designs: designs.iter().map(|design| design.design.id.clone()).collect(),
            baseline: designs[0].design.id.clone(),
            aa_control: "A/A control".to_owned(),
            rounds: recipe.rounds,
        };
        Made { panel, surprise, share, moves }
    };
    let mut made = vec![
        panel("repeat-1", replay(1), Stage::All, 0.0),
        panel("ab4", Regime::stream(Order::Tree), Stage::All, 0.22),
    ];
    if recipe.small {
        return made;
    }
    for k in [16, 256, 1024, 4096, 65_536] {
        // A smooth knee near 700 positions, from powers of two alone.
        let steep = (k as f64 / 700.0).powi(2);
        let surprise = steep / (1.0 + steep);
        made.push(panel(&format!("cycle-{k}"), replay(k), Stage::All, surprise));
    }
    made.push(panel("cycle-65536", replay(65_536), Stage::Captures, 1.0));
    made.push(panel("game", Regime::stream(Order::Game), Stage::All, 0.78));
    made.push(panel("perft3", Regime::stream(Order::Tree), Stage::All, 0.12));
    made.push(panel("ab4", Regime::stream(Order::Tree), Stage::Captures, 0.22));
    made.push(panel("ab4", Regime::stream(Order::Tree), Stage::Quiets, 0.22));
    let cold = perturbed(RegimeKind::Cold, 16_384, IntensityUnit::Branches);
    made.push(panel("ab4", cold, Stage::All, 1.3));
    let pressure = perturbed(RegimeKind::Pressure, 256 << 10, IntensityUnit::Bytes);
    made.push(panel("ab4", pressure, Stage::All, 0.25));
    let mut sliders = panel("ab4", Regime::stream(Order::Tree), Stage::All, 0.2);
    sliders.panel.id.push_str("-sliders");
    sliders.panel.call = Call::Generate { stage: Stage::All, scope: Scope::Sliders };
    // The last design does not offer the scope.
    if sliders.panel.designs.len() > 1 {
        sliders.panel.designs.pop();
    }
    made.push(sliders);
    let known = made.len();
    for number in known..recipe.panels {
        // The first panel is a point of the memorisation curve, of which there is one.
        let mut copy = made[1 + number % (known - 1)].clone();
        copy.panel.workload = format!("{}-{number}", copy.panel.workload);
        copy.panel.id = format!("{}-{number}", copy.panel.id);
        copy.panel.memorisation_curve = false;
        made.push(copy);
    }
    made
}

/// Triangular between -1 and 1.
fn around_zero(random: &mut SplitMix) -> f64 {
    (random.below(1 << 20) + random.below(1 << 20)) as f64 / (1 << 20) as f64 - 1.0
}
