//! Differences between the designs of a pair, planted in the code of one of them.

use std::collections::BTreeMap;

use iced_x86::code_asm::*;
use raywalk_results::schema::Control;

use super::{branching, branchless, clean, walks};
use crate::checks::check;
use crate::entry_stage::EntryStage;
use crate::finding::{Check, Finding};
use crate::lines::Portion;
use crate::pairs::{Difference, Pair};
use crate::report::Report;
use crate::tests::fake::{ENTRY, Fake, assembled};

/// Reports of two designs.
fn two(fakes: [&Fake; 2]) -> [Report; 2] {
    let named = |(name, fake): (&str, &Fake)| Report {
        design: format!("test/{name}"),
        ..fake.report(Control::Branchless)
    };
    [named(("one", fakes[0])), named(("two", fakes[1]))]
}

/// The pair of both, with these further differences.
fn pair(also: &[Difference]) -> Pair {
    Pair {
        claims: Vec::new(),
        designs: ["test/one", "test/two"].map(str::to_owned),
        differ: "the width of a link".to_owned(),
        also: also.to_vec(),
        why: None,
        branch: false,
    }
}

/// What is found in two designs of a pair with these further differences.
fn found(fakes: [&Fake; 2], also: &[Difference]) -> Vec<Finding> {
    check(&two(fakes), &[pair(also)], &[])
}

/// The findings as check and text.
fn told(findings: &[Finding]) -> Vec<(Check, &str)> {
    findings.iter().map(|one| (one.check, &*one.what)).collect()
}

/// A declared difference in stage *all*.
fn declared(check: Check, portion: Portion, source: &str, times: [usize; 2]) -> Difference {
    let times = BTreeMap::from([(EntryStage::All, times)]);
    Difference { check, portion, source: source.to_owned(), times }
}

fn five_walks() -> Fake {
    walks(5, &|_| Ok(()), &|_| Ok(()))
}

#[test]
fn designs_of_a_pair_that_differ_in_shape_are_found() {
    assert_eq!(found([&clean(), &clean()], &[]), []);
    let unrolled =
        branchless(&|a| (1..8).try_for_each(|n| a.mov(word_ptr(rdx + r11 * 2 + 2 * n), r9w)));
    let vectorised = branchless(&|a| a.vpaddw(xmm0, xmm0, xmm1));
    let planted = [
        (
            Check::Copies,
            five_walks(),
            [1, 5],
            "has 1 copy of one loop in the walk, and test/two has 5 copies of one loop in the walk",
        ),
        (
            Check::Unrolling,
            unrolled,
            [1, 8],
            "has 1 copy of one line in the walk, and test/two has 8 copies of one line in the walk",
        ),
        (
            Check::Vectorisation,
            vectorised,
            [0, 1],
            "is not vectorised in the walk, and test/two is vectorised in the walk",
        ),
    ];
    for (expected, other, times, what) in planted {
        let findings = found([&clean(), &other], &[]);
        assert_eq!(told(&findings), [(expected, what)]);
        // A selection of either design shows it.
        assert_eq!(findings[0].designs().collect::<Vec<_>>(), ["test/one", "test/two"]);
        assert_eq!(
            findings[0].source.as_ref().expect("the place").to_string(),
            "variants/test/src/walk.rs:7"
        );
        assert_eq!(check(&two([&clean(), &other]), &[], &[]), [], "not compared with each other");
        let also = [declared(expected, Portion::Walk, "walk.rs", times)];
        assert_eq!(found([&clean(), &other], &also), [], "declared");
        let findings = found([&clean(), &clean()], &also);
        assert_eq!(told(&findings).len(), 1, "declared, and not so");
        assert_eq!(findings[0].check, Check::Exception);
    }
}

#[test]
fn a_pair_whose_parameter_is_a_branch_has_it() {
    let pair = Pair { branch: true, ..pair(&[]) };
    let found = |fakes: [&Fake; 2], stage: EntryStage| {
        // Without known cells, what the card says of branches is not checked.
        let reports = two(fakes).map(|report| Report {
            control: Control::Mixed,
            cell_bytes: None,
            stage,
            ..report
        });
        let findings = check(&reports, std::slice::from_ref(&pair), &[]);
        findings.iter().map(|one| (one.check, one.what.clone())).collect::<Vec<_>>()
    };
    let (branchy, clean) = (branching(), clean());
    assert_eq!(found([&branchy, &clean], EntryStage::All), []);
    let what = "differs from test/two by a branch on a square, and has 0 of them, the other 0";
    let lost = vec![(Check::NoBoardJump, what.to_owned())];
    assert_eq!(found([&clean, &clean], EntryStage::All), lost, "the compiler took it out");
    assert_eq!(found([&clean, &clean], EntryStage::Quiets), [], "a stage without it");
    assert_eq!(found([&clean, &branchy], EntryStage::Quiets).len(), 1, "the other has it");
}

#[test]
fn a_declared_difference_excuses_its_own_size_place_portion_and_stage_only() {
    let other = five_walks();
    let excused = declared(Check::Copies, Portion::Walk, "src/walk.rs:7", [1, 5]);
    assert_eq!(found([&clean(), &other], std::slice::from_ref(&excused)), []);
    let is_found = |also: Difference, outdated: bool| {
        let findings = found([&clean(), &other], std::slice::from_ref(&also));
        let checks: Vec<_> = findings.iter().map(|one| one.check).collect();
        let expected =
            if outdated { vec![Check::Copies, Check::Exception] } else { vec![Check::Copies] };
        assert_eq!(checks, expected, "{also:?}");
    };
    is_found(
        Difference { times: BTreeMap::from([(EntryStage::All, [1, 4])]), ..excused.clone() },
        true,
    );
    is_found(
        Difference { times: BTreeMap::from([(EntryStage::All, [5, 1])]), ..excused.clone() },
        true,
    );
    is_found(Difference { source: "src/walk.rs:8".to_owned(), ..excused.clone() }, true);
    is_found(Difference { portion: Portion::Rest, ..excused.clone() }, true);
    is_found(Difference { check: Check::Unrolling, ..excused.clone() }, true);
    let quiets = BTreeMap::from([(EntryStage::Quiets, [1, 5])]);
    is_found(Difference { times: quiets, ..excused }, false);
}

/// Two loops that read cells and write moves, so many copies of each: that of the walk, and that of the pawns.
fn of_pieces_and_pawns(copies: [usize; 2]) -> Fake {
    let iteration = |a: &mut CodeAssembler| {
        let mut again = a.create_label();
        a.set_label(&mut again)?;
        a.mov(word_ptr(rdx + r8 * 2), r8w)?;
        a.add(r8, 8)?;
        a.cmp(byte_ptr(rsi + r8), 0)?;
        a.jne(again)
    };
    let loops = |a: &mut CodeAssembler, count: usize| (0..count).try_for_each(|_| iteration(a));
    let pieces = assembled(ENTRY, |a| loops(a, copies[0])).len() as u64;
    Fake::entry(|a| {
        loops(a, copies[0] + copies[1])?;
        a.ret()
    })
    .lines(ENTRY, &[("variants/test/src/walk.rs", 7)])
    .lines(ENTRY + pieces, &[("variants/test/src/pawns.rs", 9)])
}

#[test]
fn a_difference_in_one_portion_is_not_hidden_by_the_other() {
    let of = |one, other| found([&of_pieces_and_pawns(one), &of_pieces_and_pawns(other)], &[]);
    let control = |findings: &[Finding]| {
        let of_checks: Vec<_> = findings.iter().filter(|one| one.check == Check::Copies).collect();
        let told = |one: &&Finding| one.what.split(", and").next().expect("a text").to_owned();
        of_checks.iter().map(told).collect::<Vec<_>>()
    };
    assert_eq!(control(&of([2, 4], [2, 4])), [] as [&str; 0]);
    // One maximum for the whole entry is four in both designs.
    assert_eq!(control(&of([1, 4], [2, 4])), ["has 1 copy of one loop in the walk"]);
    assert_eq!(control(&of([4, 2], [4, 1])), ["has 2 copies of one loop in the rest"]);
    let both = ["has 4 copies of one loop in the walk", "has 1 copy of one loop in the rest"];
    assert_eq!(control(&of([4, 1], [1, 4])), both);
}
