//! Systems without a tracer: none can be made, and the error names the reason.

use std::convert::Infallible;

use crate::code::Code;
use crate::error::TraceError;
use crate::trace::Trace;

const REASON: &str = "it needs x86-64 Linux";

/// A tracer cannot be made here, see [`check`].
pub struct Tracer(Infallible);

impl Tracer {
    /// Returns [`TraceError::NotHere`].
    ///
    /// # Errors
    /// Always.
    pub fn new(_entry: usize) -> Result<Tracer, TraceError> {
        Err(TraceError::NotHere(REASON))
    }

    /// Returns [`TraceError::NotHere`].
    ///
    /// # Errors
    /// Always.
    pub fn with_capacity(_entry: usize, _events: usize) -> Result<Tracer, TraceError> {
        Err(TraceError::NotHere(REASON))
    }

    /// The instructions that traces have reached.
    pub fn code(&self) -> &Code {
        match self.0 {}
    }

    /// Traces a call by stepping.
    ///
    /// # Errors
    /// Never, because there is no tracer.
    pub fn step(&mut self, _call: impl FnMut()) -> Result<Trace, TraceError> {
        match self.0 {}
    }

    /// Traces a call with breakpoints.
    ///
    /// # Errors
    /// Never, because there is no tracer.
    pub fn follow(&mut self, _call: impl FnMut()) -> Result<Trace, TraceError> {
        match self.0 {}
    }
}

/// Whether calls can be traced here.
///
/// # Errors
/// [`TraceError::NotHere`] with the reason.
pub fn check() -> Result<(), TraceError> {
    Err(TraceError::NotHere(REASON))
}

/// The program and the libraries of this process, which are not known here.
#[derive(Clone, Debug)]
pub struct Loaded(());

impl Loaded {
    /// An empty description, because nothing is known of this process.
    pub fn now() -> Loaded {
        Loaded(())
    }

    /// The address itself, because its file is not known.
    pub fn relative(&self, address: u64) -> u64 {
        address
    }

    /// Always true, because the file of an address is not known.
    pub fn is_program(&self, _address: u64) -> bool {
        true
    }
}

/// Address at which the program is loaded; zero, because it is not known here.
pub fn image_base() -> u64 {
    0
}
