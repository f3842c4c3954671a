//! Bytes of the program's code: makes pages writable, exchanges bytes, and restores both.

use std::collections::BTreeSet;
use std::io;

use libc::{PROT_EXEC, PROT_READ, PROT_WRITE, c_int, c_void};

use super::signal::INT3;
use crate::error::TraceError;

/// Breakpoints in the code. Dropped, it restores the code and its protection.
pub(super) struct Armed<'a> {
    /// Address of each breakpoint, and the byte that belongs there.
    bytes: &'a [(u64, u8)],
    pages: BTreeSet<u64>,
    page: u64,
}

impl<'a> Armed<'a> {
    /// Places a breakpoint at each address.
    ///
    /// # Errors
    /// [`TraceError::Protected`] if the system does not make the code writable; then nothing is changed.
    ///
    /// # Safety
    /// An instruction of this process begins at each address, with this byte, in pages that can be read and
    /// executed but not written. Whoever reaches one is helped by a handler for SIGTRAP.
    pub(crate) unsafe fn new(bytes: &'a [(u64, u8)]) -> Result<Armed<'a>, TraceError> {
        // SAFETY: it only asks for a constant of the system.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        let page = u64::try_from(page).unwrap_or(4096);
        let wanted: BTreeSet<u64> =
            bytes.iter().map(|(address, _)| address & !(page - 1)).collect();
        let mut armed = Armed { bytes: &[], pages: BTreeSet::new(), page };
        for start in wanted {
            protect(start, page, PROT_READ | PROT_WRITE | PROT_EXEC)
                .map_err(TraceError::Protected)?;
            armed.pages.insert(start);
        }
        for &(address, _) in bytes {
            // SAFETY: the page is writable now.
            unsafe { write(address, INT3) };
        }
        // Set last: if a page is refused, the drop restores the protection of pages and writes no byte.
        armed.bytes = bytes;
        Ok(armed)
    }
}

impl Drop for Armed<'_> {
    fn drop(&mut self) {
        for &(address, byte) in self.bytes {
            // SAFETY: the page is still writable.
            unsafe { write(address, byte) };
        }
        for &start in &self.pages {
            // It was allowed to be more, so it is allowed to be less. A failure would leave code that works.
            let _ = protect(start, self.page, PROT_READ | PROT_EXEC);
        }
    }
}

/// Changes one byte of code. The processor observes its own stores to code, and a byte is written atomically.
///
/// # Safety
/// The address is writable.
unsafe fn write(address: u64, byte: u8) {
    // SAFETY: promised by the caller. Volatile, because the compiler does not know that it is executed.
    unsafe { (address as *mut u8).write_volatile(byte) };
}

fn protect(start: u64, length: u64, protection: c_int) -> io::Result<()> {
    // SAFETY: the pages hold code, which stays readable and executable.
    match unsafe { libc::mprotect(start as *mut c_void, length as usize, protection) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
