//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(last_square: raywalk_bell::BellLastSquare);
raywalk_conformance::conformance!(steps: raywalk_bell::BellSteps);
raywalk_conformance::conformance!(empty_first: raywalk_bell::BellEmptyFirst);
raywalk_conformance::conformance!(two_boards: raywalk_bell::BellTwoBoards);
