//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(dumb7_getter: raywalk_setwise::Dumb7Getter);
raywalk_conformance::conformance!(kogge_stone_getter: raywalk_setwise::KoggeStoneGetter);
raywalk_conformance::conformance!(subtraction_getter: raywalk_setwise::SubtractionGetter);
raywalk_conformance::conformance!(dumb7_ray_run: raywalk_setwise::Dumb7RayRun);
raywalk_conformance::conformance!(kogge_stone_ray_run: raywalk_setwise::KoggeStoneRayRun);
raywalk_conformance::conformance!(kogge_stone_incremental: raywalk_setwise::KoggeStoneIncremental);
raywalk_conformance::conformance!(kogge_stone_delayed: raywalk_setwise::KoggeStoneDelayed);
raywalk_conformance::conformance!(kogge_stone_codes: raywalk_setwise::KoggeStoneCodes);
raywalk_conformance::conformance!(kogge_stone_guarded: raywalk_setwise::KoggeStoneGuarded);
raywalk_conformance::conformance!(kogge_stone_staged: raywalk_setwise::KoggeStoneStaged);
raywalk_conformance::conformance!(kogge_stone_tested: raywalk_setwise::KoggeStoneTested);
raywalk_conformance::conformance!(kogge_stone_untested_run: raywalk_setwise::KoggeStoneUntestedRun);
raywalk_conformance::conformance!(kogge_stone_rolled: raywalk_setwise::KoggeStoneRolled);
raywalk_conformance::conformance!(pawns_one_by_one: raywalk_setwise::KoggeStonePawnsOneByOne);
