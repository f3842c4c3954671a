//! Attack sets of designs that differ from another one in how they write moves.

/// Implements `Attacking` for designs whose first field is a design with the same attack sets.
macro_rules! attacks_of_inner {
    ($Design:ty) => {
        impl raywalk_core::Attacking for $Design {
            #[inline(always)]
            fn attacks_of(
                &self,
                board: &raywalk_core::Bitboards,
                square: raywalk_core::Square,
            ) -> u64 {
                self.0.attacks_of(board, square)
            }

            #[inline(always)]
            fn attacks_of_side(
                &self,
                board: &raywalk_core::Bitboards,
                sets: &mut raywalk_core::AttackSets,
            ) {
                self.0.attacks_of_side(board, sets);
            }
        }
    };
}
