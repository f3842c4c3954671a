//! Every design of this crate passes the whole test kit.

raywalk_conformance::conformance!(blocker_loop: raywalk_reul::BlockerLoop);
raywalk_conformance::conformance!(vector_attacks: raywalk_reul::VectorAttacks);
