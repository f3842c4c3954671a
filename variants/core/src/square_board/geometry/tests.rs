use super::*;

fn round_trip<G: Geometry>() {
    for square in Square::all() {
        assert_eq!(G::square(G::cell(square)), square, "{}", G::NAME);
    }
}

#[test]
fn every_geometry_maps_a_cell_back_to_its_square() {
    round_trip::<Grid8x8>();
    round_trip::<Grid10x12>();
    round_trip::<Grid0x88>();
    round_trip::<Grid15x12>();
    round_trip::<Grid16x12>();
    round_trip::<SplitGrid8x8>();
    round_trip::<TwoGrids8x8>();
}

/// Every step from every square reaches the right square or no square.
fn steps_respect_the_edge<G: Geometry>() {
    let squares: Vec<u8> = Square::all().map(G::cell).collect();
    for from in Square::all() {
        for &(files, ranks) in Kind::Knight.steps().iter().chain(Kind::Queen.steps()) {
            let cell = G::cell(from).wrapping_add(G::step(files, ranks));
            match from.offset(files, ranks) {
                Some(to) => assert_eq!(cell, G::cell(to)),
                None => assert!(!squares.contains(&cell), "{} {from} {files} {ranks}", G::NAME),
            }
        }
    }
}

#[test]
fn a_step_over_the_edge_never_lands_on_a_square() {
    steps_respect_the_edge::<Grid10x12>();
    steps_respect_the_edge::<Grid0x88>();
    steps_respect_the_edge::<Grid15x12>();
    steps_respect_the_edge::<Grid16x12>();
}

/// Published board sizes: Computer Chess Club and Chess Programming Wiki for 10x12 and 0x88, Reul 2009
/// for 15x12, and 16x12 by its rows.
#[test]
fn the_boards_have_the_published_numbers_of_cells() {
    let cells = [Grid8x8::CELLS, Grid10x12::CELLS, Grid0x88::CELLS];
    assert_eq!(cells, [64, 120, 128]);
    assert_eq!([Grid15x12::CELLS, Grid16x12::CELLS], [180, 192]);
    // One board for each half of the code.
    assert_eq!([SplitGrid8x8::CELLS, TwoGrids8x8::CELLS], [128, 128]);
}

/// A map of targets has an entry of two bytes for each cell. 8x8 and 0x88 compute their targets.
#[test]
fn a_map_has_two_bytes_for_each_cell_of_its_board() {
    let maps = [Grid10x12::MAP_BYTES, Grid15x12::MAP_BYTES, Grid16x12::MAP_BYTES];
    assert_eq!(maps, [240, 360, 384]);
    assert_eq!([Grid8x8::MAP_BYTES, Grid0x88::MAP_BYTES], [0, 0]);
}

/// No step from a square, on or off the board, reaches a cell behind those that are counted.
fn steps_stay_within_the_cells<G: Geometry>() {
    let mut highest = 0;
    for from in Square::all() {
        for &(files, ranks) in Kind::Knight.steps().iter().chain(Kind::Queen.steps()) {
            let cell = G::cell(from).wrapping_add(G::step(files, ranks));
            if G::PADDED || from.offset(files, ranks).is_some() {
                highest = highest.max(usize::from(cell));
            }
        }
    }
    assert!(highest < G::CELLS, "{}: {highest}", G::NAME);
    assert!(highest + usize::from(G::WIDTH) >= G::CELLS, "{}: a row is unused", G::NAME);
}

#[test]
fn every_cell_that_a_step_can_reach_is_counted() {
    steps_stay_within_the_cells::<Grid8x8>();
    steps_stay_within_the_cells::<Grid10x12>();
    steps_stay_within_the_cells::<Grid0x88>();
    steps_stay_within_the_cells::<Grid15x12>();
    steps_stay_within_the_cells::<Grid16x12>();
}

#[test]
fn two_bits_identify_every_cell_off_the_0x88_board() {
    for from in Square::all() {
        for &(files, ranks) in Kind::Knight.steps().iter().chain(Kind::Queen.steps()) {
            let cell = Grid0x88::cell(from).wrapping_add(Grid0x88::step(files, ranks));
            assert_eq!(Grid0x88::on_board(cell), from.offset(files, ranks).is_some());
        }
    }
}

/// A walk gets the same targets as other code.
fn targets_of_steps_are_targets<G: Geometry>() {
    for from in Square::all().map(|square| usize::from(G::cell(square))) {
        for &step in G::KNIGHT_STEPS.iter().chain(G::QUEEN_STEPS) {
            let Some(to) = G::stepped(from, signed(step)) else { continue };
            // SAFETY: the cell comes from `stepped`.
            let target = unsafe { G::target_of_step(to as u8) };
            assert_eq!(target, G::target(to as u8), "{} {to}", G::NAME);
        }
    }
}

#[test]
fn the_target_of_a_step_is_that_of_its_cell() {
    targets_of_steps_are_targets::<Grid8x8>();
    targets_of_steps_are_targets::<Grid10x12>();
    targets_of_steps_are_targets::<Grid0x88>();
    targets_of_steps_are_targets::<Grid15x12>();
    targets_of_steps_are_targets::<Grid16x12>();
}

/// `stepped` and `wraps` are right for every step from every square, and false if padded.
fn the_index_reveals_the_edge<G: Geometry>() {
    for from in Square::all() {
        let cell = G::cell(from);
        for (kind, steps) in [(Kind::Queen, G::QUEEN_STEPS), (Kind::Knight, G::KNIGHT_STEPS)] {
            for (&(files, ranks), step) in kind.steps().iter().zip(steps) {
                assert_eq!(*step, G::step(files, ranks), "{} {kind:?}", G::NAME);
                let outside = from.offset(files, ranks).is_none();
                let to = G::stepped(cell.into(), signed(*step));
                let expected = (!outside || G::PADDED).then_some(cell.wrapping_add(*step));
                assert_eq!(to.map(|to| to as u8), expected, "{} {from}", G::NAME);
            }
        }
        for files in [-1, 1] {
            let outside = from.offset(files, 0).is_none();
            assert_eq!(G::wraps(cell, files), outside && !G::PADDED, "{} {from}", G::NAME);
        }
    }
}

#[test]
fn the_index_reveals_the_edge_unless_the_board_is_padded() {
    the_index_reveals_the_edge::<Grid8x8>();
    the_index_reveals_the_edge::<Grid10x12>();
    the_index_reveals_the_edge::<Grid0x88>();
    the_index_reveals_the_edge::<Grid15x12>();
    the_index_reveals_the_edge::<Grid16x12>();
    the_index_reveals_the_edge::<SplitGrid8x8>();
    the_index_reveals_the_edge::<TwoGrids8x8>();
}
