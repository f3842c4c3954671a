//! Every design of this crate against the shared kit.

raywalk_conformance::conformance!(conditional: raywalk_diep::Conditional);
raywalk_conformance::conformance!(mixed: raywalk_diep::Mixed);
