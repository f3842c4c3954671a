//! Conditional linked list (Chess Programming Wiki).
