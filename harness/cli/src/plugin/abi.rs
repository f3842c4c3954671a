//! The C interface of `docs/plugin/raywalk.h`: loads a library and calls its functions.
//!
//! All unsafe code about plug-ins is in this module. A library is native code that runs with the rights of this
//! program; the header states its obligations. The library is checked when it is loaded: version, texts, sizes, and
//! that no required function is missing. Its memory is allocated here, with the sizes that it states.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

use anyhow::{Result, anyhow, bail, ensure};
use libloading::Library;
use raywalk_core::{Card, Control, Legality, StageId};

use super::offered::Offered;
use super::slots::ALIGN;

mod functions;

pub(super) use functions::Functions;
use functions::{CHECKED, generate};

/// The version of the header that this program supports.
const VERSION: u32 = 3;
/// Upper bound on boards, moves and undo records, in bytes. Sizes beyond it are mistakes.
const LARGEST: u32 = 1 << 20;
/// Bounds on the room of a list. No position has more than 218 legal moves.
const LISTS: std::ops::RangeInclusive<u32> = 256..=4096;
/// Upper bound on the designs of a library, in case it never returns null.
const MOST_DESIGNS: u32 = 256;

/// The struct `raywalk_design` of the header `raywalk.h`, field by field.
#[repr(C)]
#[derive(Clone, Copy)]
struct Table {
    id: *const c_char,
    name: *const c_char,
    author: *const c_char,
    source: *const c_char,
    year: u32,
    control: u32,
    legality: u32,
    board_bytes: u32,
    board_align: u32,
    move_bytes: u32,
    undo_bytes: u32,
    list_moves: u32,
    build: Option<unsafe extern "C" fn(*mut *mut c_void, *mut u64) -> *const c_char>,
    load: Option<unsafe extern "C" fn(*const c_void, *mut c_void, *const c_char) -> c_int>,
    generate: [Option<Generate>; 3],
    to_uci: Option<unsafe extern "C" fn(*const c_void, *const c_void, *const c_void, *mut c_char)>,
    from_uci: Option<
        unsafe extern "C" fn(*const c_void, *const c_void, *const c_char, *mut c_void) -> c_int,
    >,
    make: Option<
        unsafe extern "C" fn(*const c_void, *mut c_void, *const c_void, *mut c_void) -> c_int,
    >,
    unmake: Option<unsafe extern "C" fn(*const c_void, *mut c_void, *const c_void, *const c_void)>,
    perft: Option<Perft>,
    attacked: Option<unsafe extern "C" fn(*const c_void, *const c_void, u32, c_int) -> c_int>,
    perft_made: Option<Perft>,
}

pub(super) type Perft = unsafe extern "C" fn(*const c_void, *mut c_void, u32) -> u64;

pub(super) type Generate = unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void) -> u32;

/// A design of a library: its card and sizes, checked, and its functions.
pub(super) struct Declared {
    pub card: Card,
    pub board_bytes: usize,
    pub move_bytes: usize,
    /// Address of the function [`EXPORTED`] of the library.
    exported: usize,
    table: Table,
}

/// A function that every library exports.
const EXPORTED: &str = "raywalk_abi_version";

// SAFETY: the texts and functions that the table points to do not change while the library is loaded, and
// it is never unloaded.
unsafe impl Send for Declared {}
// SAFETY: as above.
unsafe impl Sync for Declared {}

/// Loads a library and returns its designs. It stays loaded until the process ends, because designs keep
/// addresses of its functions.
pub(super) fn load(path: &Path) -> Result<Vec<Declared>> {
    let file = path.display();
    // SAFETY: loading runs the initialisers of the library, as starting a program of the user does.
    let library = unsafe { Library::new(path) };
    let library = library.map_err(|error| anyhow!("cannot load plug-in {file}: {error}"))?;
    let library: &'static Library = Box::leak(Box::new(library));
    let missing = |name: &str| anyhow!("{file} is no Raywalk plug-in: it has no function `{name}`");
    // SAFETY: the header gives the function this type.
    let version = unsafe { library.get::<extern "C" fn() -> u32>(b"raywalk_abi_version\0") };
    let version = *version.map_err(|_| missing(EXPORTED))?;
    let exported = (version as *const ()).addr();
    let version = version();
    ensure!(
        version == VERSION,
        "plug-in {file} is built for version {version} of raywalk.h, and this raywalk supports version \
         {VERSION} only; build it again with the header of this raywalk"
    );
    // SAFETY: the header gives the function this type in this version.
    let at = unsafe { library.get::<extern "C" fn(u32) -> *const Table>(b"raywalk_design_at\0") };
    let at = at.map_err(|_| missing("raywalk_design_at"))?;
    let mut designs = Vec::new();
    for number in 0..MOST_DESIGNS {
        let table = at(number);
        if table.is_null() {
            ensure!(number > 0, "plug-in {file} has no design");
            return Ok(designs);
        }
        // SAFETY: the library says that it has a table of this version here.
        let table = unsafe { table.read_unaligned() };
        let declared = Declared::of(table, exported)
            .map_err(|why| anyhow!("plug-in {file}: design {}: {why}", number + 1))?;
        designs.push(declared);
    }
    bail!("plug-in {file} has more than {MOST_DESIGNS} designs")
}

impl Declared {
    fn of(table: Table, exported: usize) -> Result<Declared> {
        let text = |name: &str, text: *const c_char| -> Result<&'static str> {
            ensure!(!text.is_null(), "`{name}` is null");
            // SAFETY: not null, and the header asks for a text that ends with a zero and stays where it is.
            let text = unsafe { CStr::from_ptr(text) };
            text.to_str().map_err(|_| anyhow!("`{name}` is not UTF-8"))
        };
        let card = Card {
            id: text("id", table.id)?,
            name: text("name", table.name)?,
            author: text("author", table.author)?,
            year: u16::try_from(table.year).ok().filter(|&year| year > 0),
            source: text("source", table.source)?,
            control: match table.control {
                0 => Control::Branchy,
                1 => Control::Branchless,
                2 => Control::Mixed,
                other => bail!("`control` is {other}; it must be 0, 1 or 2"),
            },
            legality: match table.legality {
                0 => Legality::Pseudo,
                1 => Legality::Legal,
                other => bail!("`legality` is {other}; it must be 0 or 1"),
            },
            published_bytes: None,
            needs: &[],
            reconstructed: "",
        };
        let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let is_part = |part: &str| !part.is_empty() && part.chars().all(is_plain);
        ensure!(
            card.id.split('/').count() <= 2 && card.id.split('/').all(is_part),
            "the id `{}` is not `family` or `family/variant` in lower-case letters, digits and hyphens",
            card.id.escape_debug()
        );
        for (name, bytes, least) in [
            ("board_bytes", table.board_bytes, 1),
            ("move_bytes", table.move_bytes, 1),
            ("undo_bytes", table.undo_bytes, 0),
        ] {
            ensure!(
                (least..=LARGEST).contains(&bytes),
                "`{name}` is {bytes}; it must be from {least} to {LARGEST}"
            );
        }
        let align = table.board_align as usize;
        ensure!(
            align.is_power_of_two() && align <= ALIGN,
            "`board_align` is {align}; it must be a power of two up to {ALIGN}"
        );
        ensure!(
            LISTS.contains(&table.list_moves),
            "`list_moves` is {}; it must be from {} to {}",
            table.list_moves,
            LISTS.start(),
            LISTS.end()
        );
        let [all, captures, quiets] = table.generate.map(|function| function.is_some());
        for (name, is_there) in [
            ("build", table.build.is_some()),
            ("load", table.load.is_some()),
            ("generate[RAYWALK_ALL]", all),
            ("generate[RAYWALK_CAPTURES]", captures),
            ("generate[RAYWALK_QUIETS]", quiets),
            ("to_uci", table.to_uci.is_some()),
        ] {
            ensure!(is_there, "the function `{name}` is null");
        }
        let walks = [table.from_uci.is_some(), table.make.is_some(), table.unmake.is_some()];
        ensure!(
            walks == [true; 3] || walks == [false; 3],
            "of `from_uci`, `make` and `unmake` some are null; all or none must be"
        );
        let (board_bytes, move_bytes) = (table.board_bytes as usize, table.move_bytes as usize);
        Ok(Declared { card, board_bytes, move_bytes, exported, table })
    }

    /// Builds the tables.
    ///
    /// # Errors
    /// The reason of the design why it cannot run on this machine, one sentence.
    pub(super) fn build(&'static self) -> Result<Functions, String> {
        let (mut tables, mut table_bytes) = (ptr::null_mut(), 0);
        // SAFETY: the header gives the function this type; both addresses are valid.
        let error = unsafe { self.table.build.expect(CHECKED)(&mut tables, &mut table_bytes) };
        if !error.is_null() {
            // SAFETY: not null, and the header asks for a text that ends with a zero.
            return Err(unsafe { CStr::from_ptr(error) }.to_string_lossy().into_owned());
        }
        Ok(Functions { table: &self.table, tables, table_bytes })
    }

    /// A function that the library exports, and its address.
    pub(super) fn exported(&self) -> (&'static str, usize) {
        (EXPORTED, self.exported)
    }

    /// The calls that it has functions for.
    pub(super) fn offered(&self) -> Offered {
        self.table.offered()
    }

    /// Address of the function of a stage.
    pub(super) fn entry(&self, stage: StageId) -> usize {
        (generate(&self.table, stage) as *const ()).addr()
    }
}

impl Table {
    fn is_legal(&self) -> bool {
        self.legality == Legality::Legal as u32
    }

    fn offered(&self) -> Offered {
        let makes_moves = self.make.is_some();
        Offered {
            makes_moves,
            makes_leaves: self.perft_made.is_some() || makes_moves,
            counts_in_bulk: self.perft.is_some() || makes_moves && self.is_legal(),
            tells_attacks: self.attacked.is_some(),
        }
    }
}
