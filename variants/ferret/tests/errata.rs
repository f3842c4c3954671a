//! The printed example of Ferret's move table, a bishop on d5, walked by the printed loop.
//!
//! The source is the Chess Programming Wiki, *Table-driven Move Generation*, which quotes Bruce
//! Moreland's *Move Table move generation*. The layout is right, and it is that of our lists. The
//! example is not: two squares are no targets of the bishop, four links lead back instead of on, and
//! the link of h1 is null one ray early.

use raywalk_core::{Kind, Square, one_way::OneWayLists};

/// An element: the square, and the index of the element behind `pmtBlocked`; `None` for `NULL`.
type Element = (&'static str, Option<usize>);

/// The table as printed, without the sentinel of square −1.
const PRINTED: [Element; 13] = [
    ("e6", Some(3)),
    ("d7", Some(3)),
    ("f8", Some(3)),
    ("c6", Some(3)),
    ("b7", Some(6)),
    ("a8", Some(6)),
    ("e4", Some(6)),
    ("f3", Some(6)),
    ("g2", Some(6)),
    ("h1", None),
    ("c4", None),
    ("b3", None),
    ("a2", None),
];

/// The table as meant: north-east, north-west, south-east and south-west, where the link of each square
/// leads to the first square of the next ray.
const CORRECT: [Element; 13] = [
    ("e6", Some(3)),
    ("f7", Some(3)),
    ("g8", Some(3)),
    ("c6", Some(6)),
    ("b7", Some(6)),
    ("a8", Some(6)),
    ("e4", Some(10)),
    ("f3", Some(10)),
    ("g2", Some(10)),
    ("h1", Some(10)),
    ("c4", None),
    ("b3", None),
    ("a2", None),
];

/// The rays of the table in its order.
const RAYS: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

fn square(name: &str) -> Square {
    name.parse().expect("a square")
}

/// A board with enemies on these squares and otherwise empty.
fn enemies(names: &[&str]) -> u64 {
    names.iter().fold(0, |set, name| set | 1 << square(name).number())
}

fn occupied(board: u64, square: Square) -> bool {
    board >> square.number() & 1 != 0
}

/// The printed `genMoves`, and the targets of its moves; `None` if it never ends.
///
/// Nothing on the board changes during the walk, so a walk that reaches an element a second time
/// repeats itself for ever.
fn generate(table: &[Element], board: u64) -> Option<Vec<Square>> {
    let mut moves = Vec::new();
    let mut reached = vec![false; table.len()];
    let mut at = 0;
    loop {
        if std::mem::replace(&mut reached[at], true) {
            return None;
        }
        let (target, blocked) = table[at];
        // Both branches generate: no own piece is on the board.
        moves.push(square(target));
        if !occupied(board, square(target)) {
            at += 1;
            // The sentinel.
            if at == table.len() {
                return Some(moves);
            }
        } else {
            match blocked {
                Some(next) => at = next,
                None => return Some(moves),
            }
        }
    }
}

/// The targets of a bishop on d5, found by walking on the board.
fn expected(board: u64) -> Vec<Square> {
    let mut moves = Vec::new();
    for (files, ranks) in RAYS {
        let mut at = square("d5");
        while let Some(to) = at.offset(files, ranks) {
            moves.push(to);
            if occupied(board, to) {
                break;
            }
            at = to;
        }
    }
    moves
}

/// The names of the squares that are among `these` but not among `those`.
fn lacking(these: &[Square], those: &[Square]) -> Vec<String> {
    these.iter().filter(|at| !those.contains(at)).map(Square::to_string).collect()
}

/// A table by the rule of the layout, for rays in this order.
fn table(rays: &[(i8, i8)]) -> Vec<(Square, Option<usize>)> {
    let mut elements = Vec::new();
    for (n, &(files, ranks)) in rays.iter().enumerate() {
        let next = |at: &Square| at.offset(files, ranks);
        let ray: Vec<_> = std::iter::successors(next(&square("d5")), next).collect();
        let link = (n + 1 < rays.len()).then_some(elements.len() + ray.len());
        elements.extend(ray.into_iter().map(|target| (target, link)));
    }
    elements
}

#[test]
fn the_printed_table_has_two_squares_that_no_bishop_reaches_from_d5() {
    let printed = generate(&PRINTED, 0).expect("no link is followed on an empty board");
    let expected = expected(0);
    assert_eq!(lacking(&printed, &expected), ["d7", "f8"]);
    assert_eq!(lacking(&expected, &printed), ["f7", "g8"]);
}

#[test]
fn the_printed_loop_never_ends_if_an_enemy_is_on_c6_e4_f3_or_g2() {
    let mut endless: Vec<_> = PRINTED.iter().map(|&(target, _)| target).collect();
    endless.retain(|&target| generate(&PRINTED, enemies(&[target])).is_none());
    assert_eq!(endless, ["c6", "e4", "f3", "g2"]);
}

#[test]
fn an_enemy_on_h1_hides_the_fourth_ray_of_the_printed_table() {
    let board = enemies(&["h1"]);
    let printed = generate(&PRINTED, board).expect("the null link ends the walk");
    // f7 and g8 are missing on every board.
    assert_eq!(lacking(&expected(board), &printed), ["f7", "g8", "c4", "b3", "a2"]);
}

/// Tries every arrangement of enemies on the thirteen targets.
#[test]
fn the_corrected_table_is_right_on_every_board() {
    for arrangement in 0..1u32 << CORRECT.len() {
        let mut on_board = Vec::new();
        for (n, &(target, _)) in CORRECT.iter().enumerate() {
            if arrangement >> n & 1 != 0 {
                on_board.push(target);
            }
        }
        let board = enemies(&on_board);
        assert_eq!(generate(&CORRECT, board), Some(expected(board)), "{on_board:?}");
    }
}

#[test]
fn our_list_has_the_layout_of_the_corrected_table() {
    let correct = CORRECT.map(|(target, blocked)| (square(target), blocked));
    assert_eq!(table(&RAYS), correct);

    let lists = OneWayLists::new();
    let head = lists.heads.pieces(Kind::Bishop)[square("d5").index()];
    let ours: Vec<_> = lists.elements[usize::from(head)..lists.sentinel(head.into())]
        .iter()
        .map(|element| {
            let link = element.blocked.map(|index| usize::from(index - head));
            (element.to.expect("an element before the sentinel"), link)
        })
        .collect();
    assert_eq!(ours, table(Kind::Bishop.steps()));
}
