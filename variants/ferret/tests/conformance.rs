//! Runs every design of the crate through the conformance tests.

use raywalk_ferret as designs;

raywalk_conformance::conformance!(pointer: super::designs::Pointer);
raywalk_conformance::conformance!(conditional_write: super::designs::ConditionalWrite);
raywalk_conformance::conformance!(at_empty: super::designs::ConditionalWriteAtEmpty);
raywalk_conformance::conformance!(index32: super::designs::Index32);
raywalk_conformance::conformance!(index16: super::designs::Index16);
raywalk_conformance::conformance!(end_origin: super::designs::EndOrigin);
