//! Runs every design of the crate through the conformance tests.

raywalk_conformance::conformance!(pointer: raywalk_ferret::Pointer);
raywalk_conformance::conformance!(conditional_write: raywalk_ferret::ConditionalWrite);
raywalk_conformance::conformance!(
    conditional_write_at_empty: raywalk_ferret::ConditionalWriteAtEmpty
);
raywalk_conformance::conformance!(index32: raywalk_ferret::Index32);
raywalk_conformance::conformance!(index16: raywalk_ferret::Index16);
