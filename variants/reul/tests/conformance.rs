//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(blocker_loop: raywalk_reul::BlockerLoop);
raywalk_conformance::conformance!(vector_attacks: raywalk_reul::VectorAttacks);
