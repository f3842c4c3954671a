//! Runs every design of the crate through the conformance tests.

raywalk_conformance::conformance!(conditional: raywalk_diep::Conditional);
raywalk_conformance::conformance!(mixed: raywalk_diep::Mixed);
raywalk_conformance::conformance!(conditional_branchy: raywalk_diep::ConditionalBranchy);
raywalk_conformance::conformance!(all_branchy: raywalk_diep::AllBranchy);
raywalk_conformance::conformance!(register_occupancy: raywalk_diep::RegisterOccupancy);
