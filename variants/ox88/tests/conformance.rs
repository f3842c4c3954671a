//! Every design of this crate passes the whole test kit.

raywalk_conformance::conformance!(raywalk_ox88::PairScan);
