//! Bell ray loop (Atlas, 1967).
