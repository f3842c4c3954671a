//! Runs every design of the crate through the conformance tests.

use raywalk_dense_index as designs;

raywalk_conformance::conformance!(words32: super::designs::Words32);
raywalk_conformance::conformance!(words64: super::designs::Words64);
raywalk_conformance::conformance!(one_table: super::designs::OneTable);
raywalk_conformance::conformance!(three_loops: super::designs::ThreeLoops);
raywalk_conformance::conformance!(prefetch: super::designs::Prefetch);
raywalk_conformance::conformance!(select: super::designs::Select);
raywalk_conformance::conformance!(branch: super::designs::Branch);
raywalk_conformance::conformance!(by_index: super::designs::ByIndex);
raywalk_conformance::conformance!(register_occupancy: super::designs::RegisterOccupancy);
raywalk_conformance::conformance!(maintained_occupancy: super::designs::MaintainedOccupancy);
raywalk_conformance::conformance!(lock_step: super::designs::LockStep);
raywalk_conformance::conformance!(lock_step_3: super::designs::LockStep3);
raywalk_conformance::conformance!(lock_step_4: super::designs::LockStep4);
raywalk_conformance::conformance!(fixed_trip: super::designs::FixedTrip);
raywalk_conformance::conformance!(straight_line: super::designs::StraightLine);
raywalk_conformance::conformance!(by_density: super::designs::ByDensity);
