//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(bytes: raywalk_goulet::GouletBytes);
raywalk_conformance::conformance!(words: raywalk_goulet::GouletWords);
raywalk_conformance::conformance!(steps: raywalk_goulet::GouletSteps);
raywalk_conformance::conformance!(by_colour: raywalk_goulet::GouletByColour);
