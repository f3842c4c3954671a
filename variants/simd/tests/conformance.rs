//! Runs the conformance kit on every design of this crate.

raywalk_conformance::conformance!(compress: raywalk_simd::CompressPext);
raywalk_conformance::conformance!(compress_obstruction: raywalk_simd::CompressObstruction);
raywalk_conformance::conformance!(records: raywalk_simd::Records);
raywalk_conformance::conformance!(records_to_memory: raywalk_simd::RecordsToMemory);
raywalk_conformance::conformance!(records_shuffle: raywalk_simd::RecordsShuffle);
raywalk_conformance::conformance!(byteboard: raywalk_simd::Byteboard);
raywalk_conformance::conformance!(byteboard_scalar: raywalk_simd::ByteboardScalar);
raywalk_conformance::conformance!(bit_rays: raywalk_simd::BitRays);
raywalk_conformance::conformance!(rays: raywalk_simd::Rays);
raywalk_conformance::conformance!(gather_lists: raywalk_simd::GatherLists);
raywalk_conformance::conformance!(gather_lists_register: raywalk_simd::GatherListsRegister);
raywalk_conformance::conformance!(gather_lines: raywalk_simd::GatherLines);
raywalk_conformance::conformance!(legal: raywalk_simd::Legal);
raywalk_conformance::conformance!(legal_rays: raywalk_simd::LegalRays);
raywalk_conformance::conformance!(legal_keyed: raywalk_simd::LegalKeyed);
raywalk_conformance::conformance!(legal_shuffle: raywalk_simd::LegalShuffle);
raywalk_conformance::conformance!(dirgolem: raywalk_simd::DirGolem);
raywalk_conformance::conformance!(fills: raywalk_simd::Fills);
