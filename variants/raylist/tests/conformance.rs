//! The design of this crate against the shared kit.

raywalk_conformance::conformance!(raywalk_raylist::RayLoop);
