//! 12-bit dense index list (Brades, Isenberg, 2012).
