//! The moves after eight moves at a time.

use super::operations::*;
use crate::copy_make::siblings::siblings;
use crate::legal_tables::CompressTables;

siblings!(
    CompressTables,
    "avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,bmi1,bmi2,lzcnt,popcnt"
);
