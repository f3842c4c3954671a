//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(flags: raywalk_gambiet::Flags);
raywalk_conformance::conformance!(computed: raywalk_gambiet::Computed);
raywalk_conformance::conformance!(table: raywalk_gambiet::Table);
