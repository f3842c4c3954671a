//! Every design of this crate passes the whole test kit.

raywalk_conformance::conformance!(flags: raywalk_gambiet::Flags);
raywalk_conformance::conformance!(table: raywalk_gambiet::Table);
