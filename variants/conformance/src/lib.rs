//! The test kit that every design passes.
