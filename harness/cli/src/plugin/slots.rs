//! Memory that the functions of a plug-in work on: boards, lists, moves and undo records.

use std::ffi::c_void;
use std::ops::Range;

/// Alignment of every slot: a cache line.
pub(super) const ALIGN: usize = 64;

/// Every byte of a value that no function may write to.
const GUARD: u8 = 0xA5;

/// Memory for values of one size, aligned to [`ALIGN`].
pub(super) struct Slots {
    lines: Vec<Line>,
    stride: usize,
    len: usize,
}

/// Unit of allocation: one cache line.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; ALIGN]);

impl Slots {
    /// None yet, `stride` bytes apart.
    pub(super) fn of(stride: usize) -> Slots {
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

    /// Makes the last value one that no function may write to.
    pub(super) fn guard(&mut self) {
        let bytes = self.lines.iter_mut().flat_map(|line| &mut line.0);
        let first = self.len.saturating_sub(1) * self.stride;
        bytes.skip(first).take(self.stride).for_each(|byte| *byte = GUARD);
    }

    /// Whether nothing was written to the last value since then.
    pub(super) fn is_guarded(&self) -> bool {
        self.bytes(self.len.saturating_sub(1)).all(|&byte| byte == GUARD)
    }

    /// A copy of a value.
    pub(super) fn copy(&self, place: usize) -> Vec<u8> {
        self.bytes(place).copied().collect()
    }

    fn bytes(&self, place: usize) -> impl Iterator<Item = &u8> {
        let bytes = self.lines.iter().flat_map(|line| &line.0);
        bytes.skip(place * self.stride).take(self.stride)
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Bytes from the beginning of one value to that of the next.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// The address of a value.
    ///
    /// # Panics
    /// If the index is out of range.
    #[inline(always)]
    pub(super) fn at(&mut self, place: usize) -> *mut c_void {
        assert!(place < self.len, "value {place} of {}", self.len);
        // A wrapping addition needs no unsafe code, and the assertion keeps it within the memory.
        self.lines.as_mut_ptr().cast::<c_void>().wrapping_byte_add(place * self.stride)
    }

    /// The addresses of values one after another, for timed loops: the range is checked once. Panics if there are not
    /// so many.
    #[inline(always)]
    pub(super) fn each(
        &mut self,
        range: Range<usize>,
    ) -> impl Iterator<Item = *mut c_void> + use<> {
        assert!(range.end <= self.len, "values {range:?} of {}", self.len);
        let stride = self.stride;
        let lines = self.lines.as_mut_ptr().cast::<c_void>();
        let mut next = lines.wrapping_byte_add(range.start * stride);
        range.map(move |_| {
            let this = next;
            next = next.wrapping_byte_add(stride);
            this
        })
    }

    /// The address of a value to be read. Panics if there are not so many.
    #[inline(always)]
    pub(super) fn get(&self, place: usize) -> *const c_void {
        assert!(place < self.len, "value {place} of {}", self.len);
        self.lines.as_ptr().cast::<c_void>().wrapping_byte_add(place * self.stride)
    }
}
