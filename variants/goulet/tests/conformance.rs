//! Every design of this crate passes the whole test kit.

raywalk_conformance::conformance!(bytes: raywalk_goulet::GouletBytes);
raywalk_conformance::conformance!(words: raywalk_goulet::GouletWords);
