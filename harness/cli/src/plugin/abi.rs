//! The C interface of `docs/plugin/raywalk.h`: loads a library and calls its functions.
//!
//! All unsafe code about plug-ins is in this file. A library is native code that runs with the rights of
//! this program, and the header says what it must do. What can be checked is checked when it is loaded:
//! version, texts, sizes, and that no required function is missing. Its memory is allocated here, with
//! the sizes that it states.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ops::Range;
use std::path::Path;
use std::ptr;

use anyhow::{Result, anyhow, bail, ensure};
use libloading::Library;
use raywalk_core::{Card, Color, Control, Legality, Square, StageId};

use super::offered::Offered;

/// The version of the header that this program supports.
const VERSION: u32 = 2;
/// The alignment of all memory that a plug-in gets.
const ALIGN: usize = 64;
/// Upper bound on boards, moves and undo records, in bytes. Sizes beyond it are mistakes.
const LARGEST: u32 = 1 << 20;
/// Bounds on the room of a list. No position has more than 218 legal moves.
const LISTS: std::ops::RangeInclusive<u32> = 256..=4096;
/// Upper bound on the designs of a library, in case it never returns null.
const MOST_DESIGNS: u32 = 256;

/// `raywalk_design` of the header.
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
    perft: Option<unsafe extern "C" fn(*const c_void, *mut c_void, u32) -> u64>,
    attacked: Option<unsafe extern "C" fn(*const c_void, *const c_void, u32, c_int) -> c_int>,
}

type Generate = unsafe extern "C" fn(*const c_void, *mut c_void, *mut c_void) -> u32;

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
    /// The sentence of the design that says why it cannot run on this machine.
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
            counts_in_bulk: self.perft.is_some() || makes_moves && self.is_legal(),
            tells_attacks: self.attacked.is_some(),
        }
    }
}

const CHECKED: &str = "a function, which was checked when the library was loaded";

fn generate(table: &Table, stage: StageId) -> Generate {
    let number = match stage {
        StageId::All => 0,
        StageId::Captures => 1,
        StageId::Quiets => 2,
    };
    table.generate[number].expect(CHECKED)
}

/// The functions of a design whose tables are built, behind a safe surface: places are checked, and memory
/// has the sizes that the design states.
#[derive(Clone, Copy)]
pub(super) struct Functions {
    table: &'static Table,
    tables: *const c_void,
    pub table_bytes: u64,
}

// SAFETY: the header promises that tables do not change after `build`.
unsafe impl Send for Functions {}
// SAFETY: as above. Calls of one library are made one at a time, by whoever holds its boards and lists.
unsafe impl Sync for Functions {}

/// What stands for each position in an empty call.
unsafe extern "C" fn nothing(_: *const c_void, _: *mut c_void, _: *mut c_void) -> u32 {
    0
}

impl Functions {
    /// Memory for boards.
    pub(super) fn boards(&self) -> Slots {
        let align = self.table.board_align as usize;
        Slots::of((self.table.board_bytes as usize).next_multiple_of(align))
    }

    /// Memory for lists.
    pub(super) fn lists(&self) -> Slots {
        let bytes = self.list_moves() * self.table.move_bytes as usize;
        Slots::of(bytes.next_multiple_of(ALIGN))
    }

    /// Memory for moves.
    pub(super) fn moves(&self) -> Slots {
        Slots::of(self.table.move_bytes as usize)
    }

    /// Memory for undo records.
    pub(super) fn undos(&self) -> Slots {
        Slots::of((self.table.undo_bytes as usize).max(1).next_multiple_of(ALIGN))
    }

    fn list_moves(&self) -> usize {
        self.table.list_moves as usize
    }

    pub(super) fn makes_moves(&self) -> bool {
        self.table.make.is_some()
    }

    pub(super) fn is_legal(&self) -> bool {
        self.table.is_legal()
    }

    pub(super) fn offered(&self) -> Offered {
        self.table.offered()
    }

    pub(super) fn has_perft(&self) -> bool {
        self.table.perft.is_some()
    }

    /// Sets up a board. False if the design refuses the FEN.
    #[must_use]
    pub(super) fn load(&self, fen: &str, boards: &mut Slots, board: usize) -> bool {
        let Ok(fen) = CString::new(fen) else { return false };
        let load = self.table.load.expect(CHECKED);
        // SAFETY: a board of the stated size, and a text that ends with a zero.
        unsafe { load(self.tables, boards.at(board), fen.as_ptr()) != 0 }
    }

    /// Generates a stage into a list and returns the number of moves.
    #[inline(always)]
    pub(super) fn generate(
        &self,
        stage: StageId,
        [boards, lists]: [&mut Slots; 2],
        [board, list]: [usize; 2],
    ) -> usize {
        // SAFETY: a board and a list of the stated sizes.
        let count =
            unsafe { generate(self.table, stage)(self.tables, boards.at(board), lists.at(list)) };
        // A design that says more has written behind the list, and fails its checks with what is in it.
        (count as usize).min(self.list_moves())
    }

    /// The timed loop: generates a stage, or makes the empty call, for a range of boards into the lists that
    /// `next` chooses, and counts the moves.
    #[inline(always)]
    pub(super) fn count(
        &self,
        stage: Option<StageId>,
        [boards, lists]: [&mut Slots; 2],
        range: Range<usize>,
        mut next: impl FnMut() -> usize,
    ) -> u64 {
        let entry = stage.map_or(nothing as Generate, |stage| generate(self.table, stage));
        let mut moves = 0;
        for board in range {
            // SAFETY: a board and a list of the stated sizes.
            let count = unsafe { entry(self.tables, boards.at(board), lists.at(next())) };
            moves += u64::from(count);
        }
        moves
    }

    /// A move of a list in coordinate notation, or what the design wrote in its place.
    pub(super) fn uci_of(
        &self,
        [boards, lists]: [&Slots; 2],
        [board, list]: [usize; 2],
        number: usize,
    ) -> String {
        let mut text: [c_char; 8] = [0; 8];
        let to_uci = self.table.to_uci.expect(CHECKED);
        let mv = self.listed(lists, list, number);
        // SAFETY: a board and a move of the stated sizes, and the text has the size that the header states.
        unsafe {
            to_uci(self.tables, boards.get(board), mv, text.as_mut_ptr());
        }
        text.iter().take_while(|&&c| c != 0).map(|&c| char::from(c as u8)).collect()
    }

    /// Writes the move that a text means. False if the design does not know it.
    #[must_use]
    pub(super) fn move_of(
        &self,
        text: &str,
        boards: &Slots,
        board: usize,
        moves: &mut Slots,
        mv: usize,
    ) -> bool {
        let Ok(text) = CString::new(text) else { return false };
        let from_uci = self.table.from_uci.expect(WALKS);
        // SAFETY: a board and a move of the stated sizes, and a text that ends with a zero.
        unsafe { from_uci(self.tables, boards.get(board), text.as_ptr(), moves.at(mv)) != 0 }
    }

    /// Makes a move. False if it left the own king in check.
    #[inline(always)]
    #[must_use]
    pub(super) fn make(
        &self,
        boards: &mut Slots,
        moves: &Slots,
        undos: &mut Slots,
        [board, mv, undo]: [usize; 3],
    ) -> bool {
        let make = self.table.make.expect(WALKS);
        // SAFETY: a board, a move and an undo record of the stated sizes.
        unsafe { make(self.tables, boards.at(board), moves.get(mv), undos.at(undo)) != 0 }
    }

    /// Takes a move back.
    #[inline(always)]
    pub(super) fn unmake(
        &self,
        boards: &mut Slots,
        moves: &Slots,
        undos: &Slots,
        [board, mv, undo]: [usize; 3],
    ) {
        let unmake = self.table.unmake.expect(WALKS);
        // SAFETY: a board, a move and an undo record of the stated sizes.
        unsafe { unmake(self.tables, boards.at(board), moves.get(mv), undos.get(undo)) }
    }

    /// The address of a move of a list.
    #[inline(always)]
    fn listed(&self, lists: &Slots, list: usize, number: usize) -> *const c_void {
        assert!(number < self.list_moves(), "a move of the list");
        lists.get(list).wrapping_byte_add(number * self.table.move_bytes as usize)
    }

    /// Makes a move of a list. False if it left the own king in check.
    #[inline(always)]
    #[must_use]
    pub(super) fn make_listed(
        &self,
        boards: &mut Slots,
        lists: &Slots,
        undos: &mut Slots,
        [board, list, number, undo]: [usize; 4],
    ) -> bool {
        let make = self.table.make.expect(WALKS);
        let mv = self.listed(lists, list, number);
        // SAFETY: a board, a move and an undo record of the stated sizes.
        unsafe { make(self.tables, boards.at(board), mv, undos.at(undo)) != 0 }
    }

    /// Takes a move of a list back.
    #[inline(always)]
    pub(super) fn unmake_listed(
        &self,
        boards: &mut Slots,
        lists: &Slots,
        undos: &Slots,
        [board, list, number, undo]: [usize; 4],
    ) {
        let unmake = self.table.unmake.expect(WALKS);
        let mv = self.listed(lists, list, number);
        // SAFETY: a board, a move and an undo record of the stated sizes.
        unsafe { unmake(self.tables, boards.at(board), mv, undos.get(undo)) }
    }

    /// Whether a piece of a side attacks a square.
    #[inline(always)]
    pub(super) fn attacked(&self, boards: &Slots, board: usize, square: Square, by: Color) -> bool {
        let attacked =
            self.table.attacked.expect("a function, because only offered calls are made");
        let (square, white) = (u32::from(square.number()), c_int::from(by == Color::White));
        // SAFETY: a board of the stated size.
        unsafe { attacked(self.tables, boards.get(board), square, white) != 0 }
    }

    /// The perft of the design itself.
    pub(super) fn perft(&self, boards: &mut Slots, board: usize, depth: u32) -> u64 {
        let perft = self.table.perft.expect("a perft, because `has_perft` was asked");
        // SAFETY: a board of the stated size.
        unsafe { perft(self.tables, boards.at(board), depth) }
    }
}

const WALKS: &str = "a function, because only designs that can walk are asked to";

/// Memory for values of one size, aligned to [`ALIGN`].
pub(super) struct Slots {
    lines: Vec<Line>,
    stride: usize,
    len: usize,
}

/// The unit of allocation.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; ALIGN]);

impl Slots {
    /// None yet, `stride` bytes apart.
    fn of(stride: usize) -> Slots {
        Slots { lines: Vec::new(), stride, len: 0 }
    }

    /// The same with room for `len` values.
    #[must_use]
    pub(super) fn with(mut self, len: usize) -> Slots {
        self.resize(len);
        self
    }

    /// Keeps the first values, and adds zeroed ones up to `len`.
    pub(super) fn resize(&mut self, len: usize) {
        self.lines.resize((len * self.stride).div_ceil(ALIGN), Line([0; ALIGN]));
        self.len = len;
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes of a value.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The address of a value. Panics if there are not so many.
    #[inline(always)]
    fn at(&mut self, place: usize) -> *mut c_void {
        assert!(place < self.len, "value {place} of {}", self.len);
        self.lines.as_mut_ptr().cast::<c_void>().wrapping_byte_add(place * self.stride)
    }
    /// The address of a value to be read. Panics if there are not so many.
    #[inline(always)]
    fn get(&self, place: usize) -> *const c_void {
        assert!(place < self.len, "value {place} of {}", self.len);
        self.lines.as_ptr().cast::<c_void>().wrapping_byte_add(place * self.stride)
    }
}
