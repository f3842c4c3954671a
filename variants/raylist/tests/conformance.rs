//! Runs the conformance kit on the design of this crate.

raywalk_conformance::conformance!(raywalk_raylist::RayLoop);
