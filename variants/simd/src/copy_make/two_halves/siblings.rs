//! The moves after four moves at a time.

use super::operations::*;
use crate::copy_make::siblings::siblings;
use crate::legal_tables::ShuffleTables;

siblings!(ShuffleTables, "avx2,bmi1,bmi2,lzcnt,popcnt");
