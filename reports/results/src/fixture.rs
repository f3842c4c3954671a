//! A synthetic journal for tests: made by a formula, with names that say so.
//!
//! The formula has the shape of real sessions: a fixed cost per position, a misprediction cost that
//! grows with the number of distinct positions, a drifting clock rate, noise. All integers come from
//! SplitMix64 and one seed, so the bytes are the same everywhere.

use std::collections::BTreeMap;

use crate::journal::{self, Results};
use crate::schema::*;

mod explained;
mod machine;
mod shards;
pub use explained::explained;
use machine::{counts, session, timings};
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

/// Parameters of the journal.
#[derive(Clone, Copy)]
pub struct Recipe {
    /// Seed of the noise, and part of the name of the CPU.
    pub seed: u64,
    /// Number of designs: twelve shapes, then variations of them.
    pub designs: usize,
    /// Rounds of each panel.
    pub rounds: u64,
    /// Whether the session can count core cycles and hardware events.
    pub instruments: bool,
    /// Only two panels instead of 15.
    pub small: bool,
    /// Number of processes that the rounds are cut into; 0 for one process without warm-ups, steal
    /// time or an effect of placement.
    pub shares: u64,
    /// Number of section orders that the processes take in turn.
    pub layouts: u64,
}

/// Batches of a synthetic workload.
const BATCHES: u64 = 24;

impl Recipe {
    /// Two regimes, eight designs, twenty rounds.
    pub const SMALL: Recipe = Recipe {
        seed: 1,
        designs: 8,
        rounds: 20,
        instruments: true,
        small: true,
        shares: 0,
        layouts: 0,
    };
    /// Everything a page can show.
    pub const FULL: Recipe =
        Recipe { designs: 12, rounds: 40, small: false, shares: 8, layouts: 4, ..Recipe::SMALL };
    /// A machine with a clock and nothing else.
    pub const PLAIN: Recipe =
        Recipe { seed: 2, rounds: 24, instruments: false, small: false, ..Recipe::SMALL };

    /// The journal, read back from its text.
    pub fn results(self) -> Results {
        read(&text(&self.records()))
    }

    /// The journal as one machine writes it with every seed, which then decides the noise alone.
    pub fn on_one_machine(self) -> Results {
        let mut results = self.results();
        results.session.machine.cpu = "Synthetic processor".to_owned();
        results
    }

    /// The records of the journal in order, from the session to the end.
    pub fn records(self) -> Vec<Record> {
        let designs = designs(self.designs);
        let mut noise = Noise(self.seed);
        let mut records = vec![Record::Session(session(self))];
        records.extend(designs.iter().map(|design| Record::Design(design.design.clone())));
        records.extend(outsiders().map(Record::Design));
        if !self.small && self.instruments {
            records.extend(explained::codes(&designs).map(Record::Code));
            records.extend(explained::traces(&designs, self.layouts).map(Record::Trace));
        }
        let panels = panels(self, &designs);
        records.extend(panels.iter().map(|panel| Record::Panel(panel.panel.clone())));
        let mut rounds = 0;
        let mut processes = 0;
        for share in 0..self.shares.max(1) {
            let mine = self.share(share);
            if mine.is_empty() {
                continue;
            }
            records.push(Record::Process(self.process(processes, share)));
            for panel in &panels {
                if self.shares > 0 {
                    let levels = vec![130.0, 101.0, 100.5];
                    let panel = panel.panel.id.clone();
                    records.push(Record::WarmUp(WarmUp { panel, process: processes, levels }));
                }
                for round in mine.clone() {
                    let made = self.round(panel, &designs, round, &mut noise);
                    // The processes take the batches in turn, each of which is a root.
                    let root = round % BATCHES;
                    let first = root * panel.panel.batch;
                    records.push(Record::Round(Round { process: processes, first, root, ..made }));
                    rounds += 1;
                }
            }
            processes += 1;
        }
        if !self.small && self.instruments {
            records.extend(counts(&designs).map(Record::Count));
            records.extend(timings(&designs).map(Record::Timing));
        }
        let finished = "2000-01-01T00:05:00Z".to_owned();
        records.push(Record::End(End { finished, rounds }));
        if !self.small && self.instruments {
            records.push(Record::Fit(explained::fit(&designs)));
        }
        records
    }

    /// The rounds of a share.
    fn share(self, share: u64) -> std::ops::Range<u64> {
        let shares = self.shares.max(1);
        self.rounds * share / shares..self.rounds * (share + 1) / shares
    }

    fn process(self, number: u64, share: u64) -> Process {
        let mut place = Noise(self.seed ^ number << 8);
        let mut address = |base: u64| format!("{:#x}", base + (place.below(1 << 28) << 12));
        Process {
            number,
            share,
            layout: share.checked_rem(self.layouts),
            padding: number * 128,
            heap_padding: number * 16,
            code: address(0x5500_0000_0000),
            stack: address(0x7ffc_0000_0000),
            heap: address(0x5600_0000_0000),
        }
    }

    /// Factor of placement on a design in a round: branchy designs differ by layout, all by process.
    fn placement(self, design: &Synthetic, round: u64) -> f64 {
        let share = (0..self.shares).find(|&share| self.share(share).contains(&round));
        let Some(share) = share else { return 1.0 };
        let of_layout = design.effect_of_layout(share.checked_rem(self.layouts).unwrap_or(0));
        let of_process = Noise(design.seed() << 16 | share).around_zero();
        1.0 + of_layout + 0.001 * of_process
    }

    fn round(self, made: &Made, designs: &[Synthetic], round: u64, noise: &mut Noise) -> Round {
        let panel = &made.panel;
        // The clock of the core wanders: why designs are compared within a round.
        let drift = 1.0 + 0.03 * ((round as f64) * 0.35).sin();
        let mut samples: Vec<Sample> = designs
            .iter()
            .filter(|design| panel.designs.contains(&design.design.id))
            .map(|design| (design.design.id.clone(), design))
            .chain([(panel.aa_control.clone(), &designs[0])])
            .map(|(id, design)| {
                let cycles = (design.fixed + design.surprise * made.surprise) * made.share;
                let spread = 1.0 + 0.006 * noise.around_zero();
                let disturbed = noise.below(150) == 0;
                let spike = if disturbed { 1.12 } else { 1.0 };
                let cycles = cycles * panel.batch as f64 * spread * spike;
                let cycles = cycles * self.placement(design, round);
                let rate = 1.6 / drift;
                let moves = if design.design.legality == Legality::Legal { 0.94 } else { 1.0 };
                let moves = (made.moves * panel.batch as f64 * moves) as u64;
                Sample {
                    design: id,
                    ticks: (cycles / rate) as u64,
                    blocks: Vec::new(),
                    empty_calls: panel.regime.is_disturbed().then(|| (cycles / rate * 90.0) as u64),
                    positions: panel.batch,
                    moves,
                    cycles_per_tick: self.instruments.then_some(rate),
                    events: self.events(design, made, panel.batch),
                    marks: if disturbed { vec![Mark::ContextSwitch] } else { vec![] },
                }
            })
            .collect();
        noise.shuffle(&mut samples);
        // One round of a long session.
        let busy = self.shares > 0 && round == 33;
        Round {
            panel: panel.id.clone(),
            round,
            process: 0,
            first: 0,
            root: 0,
            delayed_ms: if busy { 250 } else { 0 },
            steal_ms: (self.shares > 0).then_some(if busy { 12 } else { 0 }),
            marks: if busy { vec![Mark::BusyNeighbour] } else { vec![] },
            samples,
        }
    }

    fn events(self, design: &Synthetic, made: &Made, batch: u64) -> BTreeMap<Event, u64> {
        let mut events = BTreeMap::new();
        if self.instruments && !self.small {
            let misses = design.surprise * made.surprise * made.share / 22.0;
            events.insert(Event::BranchMisses, (misses * batch as f64) as u64);
            let instructions = design.fixed * 2.9 * made.share;
            events.insert(Event::Instructions, (instructions * batch as f64) as u64);
        }
        if !self.small {
            events.insert(Event::ContextSwitches, 0);
        }
        events
    }
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

pub use crate::journal::text;

/// Reads what [`text`] wrote.
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

    /// What a layout changes, as a fraction: something for branchy designs only.
    fn effect_of_layout(&self, layout: u64) -> f64 {
        match self.design.control {
            Control::Branchy => 0.005 * Noise(self.seed() << 8 | layout).around_zero(),
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
                    needs: if id == "eta" { vec!["bmi2".to_owned()] } else { vec![] },
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
        needs: vec!["avx512vbmi2".to_owned()],
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
        order: Order::Shuffled,
        period: Some(k),
        boards: None,
        lists: None,
        intensity: None,
        label: format!("replay of {k}"),
        description: match k {
            1 => "one position, again and again".to_owned(),
            k => format!("the same {k} positions, again and again"),
        },
    }
}

/// An undisturbed stream.
pub fn stream(order: Order) -> Regime {
    Regime {
        kind: RegimeKind::Stream,
        order,
        period: None,
        boards: None,
        lists: None,
        intensity: None,
        label: format!("stream, {order}"),
        description: order.label().to_owned(),
    }
}

/// A stream in tree order that is disturbed before each call.
pub fn disturbed(kind: RegimeKind, amount: u64, unit: IntensityUnit) -> Regime {
    Regime {
        kind,
        order: Order::Tree,
        period: None,
        boards: None,
        lists: None,
        intensity: Some(Intensity { amount, unit }),
        label: format!("{kind}, {amount} {unit}"),
        description: format!("{}, disturbed by {amount} {unit}", Order::Tree.label()),
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
        panel("ab4", stream(Order::Tree), Stage::All, 0.22),
    ];
    if recipe.small {
        return made;
    }
    for k in [16, 256, 1024, 4096, 65_536] {
        // A smooth cliff near 700 positions, from powers of two alone.
        let steep = (k as f64 / 700.0).powi(2);
        let surprise = steep / (1.0 + steep);
        made.push(panel(&format!("cycle-{k}"), replay(k), Stage::All, surprise));
    }
    made.push(panel("cycle-65536", replay(65_536), Stage::Captures, 1.0));
    made.push(panel("game", stream(Order::Game), Stage::All, 0.78));
    made.push(panel("perft3", stream(Order::Tree), Stage::All, 0.12));
    made.push(panel("ab4", stream(Order::Tree), Stage::Captures, 0.22));
    made.push(panel("ab4", stream(Order::Tree), Stage::Quiets, 0.22));
    let cold = disturbed(RegimeKind::Cold, 16_384, IntensityUnit::Branches);
    made.push(panel("ab4", cold, Stage::All, 1.3));
    let pressure = disturbed(RegimeKind::Pressure, 256 << 10, IntensityUnit::Bytes);
    made.push(panel("ab4", pressure, Stage::All, 0.25));
    let mut sliders = panel("ab4", stream(Order::Tree), Stage::All, 0.2);
    sliders.panel.id.push_str("-sliders");
    sliders.panel.call = Call::Generate { stage: Stage::All, scope: Scope::Sliders };
    // The last design does not offer the scope.
    if sliders.panel.designs.len() > 1 {
        sliders.panel.designs.pop();
    }
    made.push(sliders);
    made
}

/// SplitMix64.
pub struct Noise(pub u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }

    /// Triangular between -1 and 1.
    fn around_zero(&mut self) -> f64 {
        (self.below(1 << 20) + self.below(1 << 20)) as f64 / (1 << 20) as f64 - 1.0
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}
