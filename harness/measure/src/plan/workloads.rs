//! The workloads of a plan: rows of the table, and files of positions with the properties that a plan needs.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use raywalk_positions::Workload;
use raywalk_positions::workload::{self, Description, Named, WorkloadError};
use raywalk_results::format::{grouped, plural};
use raywalk_results::schema::{Call, Operation, Order, Regime, Stage};
use serde::{Deserialize, Serialize};

use super::PanelPlan;
use crate::memorised;
use crate::regime::{replay, rules};

/// A workload cannot be part of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChoiceError {
    /// It does not exist or cannot be read.
    #[error(transparent)]
    Workload(#[from] WorkloadError),
    /// Its positions can be read once only.
    #[error(
        "each measuring process reads the positions again, so they cannot come from {0}; write them to a \
         file"
    )]
    Once(String),
    /// Another file of the plan has the same name.
    #[error(
        "two files are called `{0}`, and results name a workload by its file; rename one of them"
    )]
    Twice(String),
    /// It has too few positions for the regime.
    #[error("workload `{workload}` {why}")]
    Unfit {
        /// Name of the workload that does not fit the regime.
        workload: String,
        /// The rest of the sentence.
        why: String,
    },
}

/// Summary of the positions of a workload, counted when they were read or made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contents {
    /// The name, for a file without its folders.
    pub name: String,
    /// The order of the positions.
    pub order: Order,
    /// Number of positions, repeats included.
    pub positions: u64,
    /// Number of distinct positions: the largest K of a replay, and so of a memorisation curve.
    pub distinct: u64,
    /// Number of legal moves of all positions.
    pub moves: u64,
    /// Number of positions whose side to move is in check.
    pub in_check: u64,
    /// FNV-1a 64, sixteen hex digits: of a file over its positions, each as a FEN and a line feed; of a corpus over its
    /// numbers of legal moves modulo 256.
    pub digest: String,
}

impl Contents {
    /// Counts the positions of a workload.
    pub fn of(workload: &Workload) -> Contents {
        let totals = workload.totals;
        Contents {
            name: workload.name.clone(),
            order: order_of(workload.order),
            positions: totals.positions as u64,
            distinct: workload.distinct as u64,
            moves: totals.legal,
            in_check: totals.in_check,
            digest: format!("{:016x}", totals.digest),
        }
    }

    /// Legal moves per position.
    pub fn density(&self) -> f64 {
        self.moves as f64 / self.positions.max(1) as f64
    }
}

/// `mine.epd: 30,000 positions, 29,877 distinct, 31.2 legal moves per position, 4.1 % in check, digest
/// 8483a35606f0bd2f, memorisation curve up to K = 29,877`, in one line.
impl fmt::Display for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contents { name, positions, distinct, in_check, digest, .. } = self;
        let in_check = 100.0 * *in_check as f64 / (*positions).max(1) as f64;
        write!(
            f,
            "{name}: {}, {} distinct, {:.1} legal moves per position, {in_check:.1} % in check, digest \
             {digest}, memorisation curve up to K = {}",
            plural(*positions as usize, "position"),
            grouped(*distinct),
            self.density(),
            grouped(*distinct)
        )
    }
}

/// A file of positions, as it was when the plan was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadFile {
    /// Its path, absolute, so that the run can be resumed from any folder.
    pub path: String,
    /// Summary of its positions, counted when the plan was read.
    pub contents: Contents,
}

/// A workload that a user chose.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// A row of the table.
    Row(&'static Description),
    /// A file of positions.
    File(Arc<WorkloadFile>),
}

impl Chosen {
    /// Finds what a word names, and reads it if it is a file.
    ///
    /// # Errors
    /// [`ChoiceError::Workload`] or [`ChoiceError::Once`].
    pub fn find(word: &str) -> Result<Chosen, ChoiceError> {
        let path = match Named::find(word)? {
            Named::Row(row) => return Ok(Chosen::Row(row)),
            Named::File(path) => path,
        };
        if word == "-" {
            return Err(ChoiceError::Once("standard input".to_owned()));
        }
        // A pipe has no positions left for the second reader. Opening a folder fails later, with its own message.
        if path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir()) {
            return Err(ChoiceError::Once(word.to_owned()));
        }
        let contents = Contents::of(&Workload::of_file(&path)?);
        // A journal holds text, so a folder whose name is not text leaves the path as it was given.
        let absolute = std::path::absolute(&path).ok();
        let path = absolute.as_deref().and_then(Path::to_str).unwrap_or(word).to_owned();
        Ok(Chosen::File(Arc::new(WorkloadFile { path, contents })))
    }

    /// Name in results: that of the row, or that of the file without its folders.
    pub fn name(&self) -> &str {
        match self {
            Chosen::Row(row) => row.name,
            Chosen::File(file) => &file.contents.name,
        }
    }

    /// Whether a panel is of this workload.
    pub fn is_of(&self, panel: &PanelPlan) -> bool {
        let path = match self {
            Chosen::Row(_) => None,
            Chosen::File(file) => Some(&file.path),
        };
        self.name() == panel.workload && path == panel.file.as_ref().map(|file| &file.path)
    }

    /// A panel of this workload: in its own regime, or a replay of K positions. On a position that is known for its
    /// perft, the panel times that and no stage.
    ///
    /// # Errors
    /// [`ChoiceError::Unfit`].
    pub fn panel(&self, k: Option<u64>, stage: Stage) -> Result<PanelPlan, ChoiceError> {
        let regime = k.map_or_else(|| self.own_regime(), |k| replay(k, self.order()));
        let unfit = |why| ChoiceError::Unfit { workload: self.name().to_owned(), why };
        self.fits(&regime).map_err(unfit)?;
        let call = match self {
            Chosen::Row(row) if row.leaves().is_some() => Operation::Perft.into(),
            _ => Call::generate(stage),
        };
        Ok(self.panel_in(regime, call))
    }

    pub(super) fn panel_in(&self, regime: Regime, call: Call) -> PanelPlan {
        let file = match self {
            Chosen::Row(_) => None,
            Chosen::File(file) => Some(Arc::clone(file)),
        };
        PanelPlan { workload: self.name().to_owned(), file, regime, call, headline: false }
    }

    pub(super) fn order(&self) -> Order {
        match self {
            Chosen::Row(row) => order_of(row.order),
            Chosen::File(file) => file.contents.order,
        }
    }

    /// The regime that the workload is made for.
    pub(super) fn own_regime(&self) -> Regime {
        match self {
            Chosen::Row(Description { order: workload::Order::Cyclic(k), .. }) => {
                replay(*k as u64, Order::Shuffled)
            }
            _ => Regime::stream(self.order()),
        }
    }

    /// Whether a call can be made on the workload in a regime. The error is the end of a sentence that
    /// begins with the key.
    pub(super) fn allows(&self, call: Call, regime: &Regime) -> Result<(), String> {
        let is_recorded = matches!(self, Chosen::Row(row) if row.is_recorded());
        if let Some(search) = call.search().filter(|_| !is_recorded) {
            let rows = workload::ALL.iter().filter(|row| row.is_recorded()).map(|row| row.name);
            return Err(format!(
                "contains `{search}`, which needs a recorded search; `{}` has none, but {} has",
                self.name(),
                rows.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
            ));
        }
        rules(regime.kind).times(regime, call)
    }

    /// Whether the positions suffice for a regime. The error is the rest of a sentence that begins with
    /// the workload.
    pub(super) fn fits(&self, regime: &Regime) -> Result<(), String> {
        let file = match self {
            Chosen::Row(row) => {
                let source = |len| rules(regime.kind).source(regime, len).map(|_| ());
                return row.positions().map_or(Ok(()), source);
            }
            Chosen::File(file) => file,
        };
        let distinct = file.contents.distinct;
        let has = plural(distinct as usize, "distinct position");
        if let Some(k) = regime.period {
            let fits = k <= distinct;
            return if fits {
                Ok(())
            } else {
                Err(format!("has {has}, too few for a replay of {k}"))
            };
        }
        // A row of the table was chosen by someone who knows what it can show. A file was not.
        let fewest = memorised::fewest_that_are_not();
        if distinct < fewest && !regime.overwrites_predictor() {
            return Err(format!(
                "has {has}, few enough for a branch predictor to memorise; a stream needs {}; measure a \
                 replay instead, with `--replay {distinct}` or with `regime = {{ replay = {distinct} }}` \
                 in a plan file",
                grouped(fewest)
            ));
        }
        Ok(())
    }
}

/// Order of a workload, as journals name it. A cycle holds shuffled positions of many games.
pub(super) fn order_of(order: workload::Order) -> Order {
    match order {
        workload::Order::Cyclic(_) | workload::Order::Shuffled => Order::Shuffled,
        workload::Order::Tree => Order::Tree,
        workload::Order::Game => Order::Game,
        workload::Order::Generated => Order::Generated,
        workload::Order::Listed => Order::Listed,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use raywalk_results::schema::RegimeKind;

    use super::*;
    use raywalk_core::{CastlingRights, Color, Kind, Piece, Position, State};

    /// A file with `distinct` positions of two kings, each `times` times in a row.
    fn file(folder: &Path, distinct: usize, times: usize) -> PathBuf {
        let kings = |white: u8, black: u8| {
            let mut pieces = [None; 64];
            for (king, color) in [(white, Color::White), (black, Color::Black)] {
                pieces[usize::from(king)] = Some(Piece::new(color, Kind::King));
            }
            let (side, rights) = (Color::White, CastlingRights::NONE);
            let state = State { side, rights, en_passant: None, halfmove: 0, fullmove: 1 };
            Position::trusted(pieces, state).to_string() + "\n"
        };
        let apart = |a: u8, b: u8| (a % 8).abs_diff(b % 8).max((a / 8).abs_diff(b / 8)) > 1;
        let pairs = (0..64).flat_map(|a| (0..64).map(move |b| (a, b)));
        let lines = pairs.filter(|&(a, b)| apart(a, b)).take(distinct);
        let text: String = lines.map(|(a, b)| kings(a, b).repeat(times)).collect();
        let path = folder.join(format!("kings {distinct}.epd"));
        std::fs::write(&path, text).expect("written");
        path
    }

    fn chosen(path: &Path) -> Chosen {
        Chosen::find(path.to_str().expect("a path in UTF-8")).expect("a file of positions")
    }

    #[test]
    fn a_file_that_can_be_memorised_is_a_replay_and_no_stream() {
        let folder = tempfile::tempdir().expect("a folder");
        let fewest = memorised::fewest_that_are_not();
        let small = chosen(&file(folder.path(), fewest as usize - 1, 2));
        let error = small.panel(None, Stage::All).expect_err("too few").to_string();
        assert_eq!(
            error,
            "workload `kings 2621.epd` has 2,621 distinct positions, few enough for a branch predictor to \
             memorise; a stream needs 2,622; measure a replay instead, with `--replay 2621` or with \
             `regime = { replay = 2621 }` in a plan file"
        );
        let whole = small.panel(Some(fewest - 1), Stage::All).expect("a replay of all");
        assert_eq!(whole.id(), "kings 2621.epd/replay-2621/all");
        let error = small.panel(Some(fewest), Stage::All).expect_err("more than there are");
        assert!(
            error
                .to_string()
                .ends_with("has 2,621 distinct positions, too few for a replay of 2622")
        );
        // Cold is a stream whose predictor is overwritten, pressure is not.
        let regime = |kind: RegimeKind| {
            let value = toml::Value::from("0");
            let value = (kind == RegimeKind::Pressure).then_some(&value);
            rules(kind).parse(value, Order::Listed).expect("a regime").remove(0)
        };
        assert_eq!(small.fits(&regime(RegimeKind::Cold)), Ok(()));
        assert!(small.fits(&regime(RegimeKind::Pressure)).is_err());

        let large = chosen(&file(folder.path(), fewest as usize, 1));
        let panel = large.panel(None, Stage::Captures).expect("a stream");
        assert_eq!(panel.id(), "kings 2622.epd/stream-listed/captures");
        assert!(large.is_of(&panel) && !small.is_of(&panel) && small.is_of(&whole));
    }

    #[test]
    fn the_contents_of_a_file_are_told_in_one_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a\u{1b}b.epd");
        std::fs::write(&path, "startpos\nstartpos\n4k3/8/8/8/8/8/4r3/4K3 w - -\n")
            .expect("written");
        let Chosen::File(file) = chosen(&path) else { panic!("a file") };
        // 20, 20 and 3 legal moves.
        assert_eq!(
            file.contents.to_string(),
            format!(
                "a\\u{{1b}}b.epd: 3 positions, 2 distinct, 14.3 legal moves per position, 33.3 % in check, \
                 digest {}, memorisation curve up to K = 2",
                file.contents.digest
            )
        );
        assert_eq!(file.path, path.to_string_lossy());
    }

    #[test]
    fn positions_that_can_be_read_once_are_refused() {
        let error = Chosen::find("-").expect_err("standard input");
        assert!(error.to_string().contains("cannot come from standard input"), "{error}");
        #[cfg(unix)]
        {
            let error = Chosen::find("/dev/null").expect_err("a device");
            assert!(error.to_string().contains("cannot come from /dev/null"), "{error}");
        }
    }
}
