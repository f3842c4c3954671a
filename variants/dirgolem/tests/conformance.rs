//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(kogge_stone: raywalk_dirgolem::DirGolemKoggeStone);
raywalk_conformance::conformance!(branchy: raywalk_dirgolem::DirGolemBranchy);
raywalk_conformance::conformance!(dumb7: raywalk_dirgolem::DirGolemDumb7);
