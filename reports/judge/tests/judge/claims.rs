//! The claims against the designs of the project. The tests of `harness/cli/src/audit/pairs.rs` hold them against
//! the pairs of the audit.

use std::fs;
use std::path::Path;

use raywalk_judge::claims::{self, Claim, FILES};
use raywalk_results::pattern::is_match;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read_to_string(root.join(path)).expect("a file of the project")
}

fn all() -> Vec<Claim> {
    claims::all()
}

#[test]
fn each_claim_has_the_letter_of_its_file_and_the_number_of_its_place() {
    let mut counts = Vec::new();
    for (file, text) in FILES {
        let claims = claims::parse(file, text).expect("claims");
        for (place, claim) in claims.iter().enumerate() {
            let letter = file[..1].to_uppercase();
            assert_eq!(claim.id, format!("{letter}{}", place + 1), "{file}");
        }
        counts.push(claims.len());
    }
    assert_eq!(counts, [32, 15, 5, 17, 2, 5]);
    assert!(all().iter().filter(|claim| claim.untestable.is_none()).count() >= 65);
}

#[test]
fn each_design_of_a_claim_exists() {
    let page = read("docs/designs.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let ids: Vec<&str> = rows.collect();
    assert!(ids.len() > 80);
    for claim in all() {
        let timed = claim.compare.iter().flat_map(|test| test.one.iter().chain(&test.other));
        let counts = claim.count.iter().flat_map(|test| test.one.iter().chain(&test.other));
        let bounds = claim.bound.iter().flat_map(|test| &test.designs);
        for pattern in timed.chain(counts).chain(bounds).chain(&claim.verified) {
            let is_known = ids.iter().any(|id| is_match(pattern, id));
            assert!(is_known, "{}: no design is called `{pattern}`", claim.id);
        }
    }
}

/// The numbers of squares that figures rely on, counted square by square.
#[test]
fn the_lists_of_sliders_have_2912_elements() {
    let inside = |at: i32| (0..8).contains(&at);
    let reach = |directions: &[(i32, i32)]| -> usize {
        let ray = |(file, rank): (i32, i32), (df, dr): (i32, i32)| {
            let on_board = |n: &i32| inside(file + n * df) && inside(rank + n * dr);
            (1..8).take_while(on_board).count()
        };
        let squares = (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank)));
        squares.map(|at| directions.iter().map(|&way| ray(at, way)).sum::<usize>()).sum()
    };
    let rook = reach(&[(0, 1), (1, 0), (0, -1), (-1, 0)]);
    let bishop = reach(&[(1, 1), (1, -1), (-1, -1), (-1, 1)]);
    assert_eq!((rook, bishop), (896, 560));
    assert_eq!(rook + bishop + (rook + bishop), 2912);
}
