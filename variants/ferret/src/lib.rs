//! Ferret blocked-pointer lists (Moreland).
