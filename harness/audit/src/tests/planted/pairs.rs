//! Differences between the designs of a pair, planted in the code of one of them.

use iced_x86::code_asm::*;
use raywalk_results::schema::Control;

use super::{branchless, clean, walks};
use crate::checks::{Check, Pair, check};
use crate::report::Report;
use crate::tests::fake::Fake;

/// Reports of two designs, the clean walk and another one.
fn two(other: &Fake) -> [Report; 2] {
    [("one", &clean()), ("two", other)].map(|(name, fake)| Report {
        design: format!("test/{name}"),
        ..fake.report(Control::Branchless)
    })
}

/// A pair of the two designs that may also differ in these properties.
fn pair(also: &[Check]) -> Pair {
    Pair {
        claims: Vec::new(),
        designs: ["test/one", "test/two"].map(str::to_owned),
        differ: "the width of a link".to_owned(),
        also: also.to_vec(),
        why: None,
    }
}

#[test]
fn designs_of_a_pair_that_differ_in_shape_are_found() {
    assert_eq!(check(&two(&clean()), &[pair(&[])], &[]), []);
    let copied = walks(5, &|_| Ok(()), &|_| Ok(()));
    let unrolled =
        branchless(&|a| (1..8).try_for_each(|n| a.mov(word_ptr(rdx + r11 * 2 + 2 * n), r9w)));
    let vectorised = branchless(&|a| a.vpaddw(xmm0, xmm0, xmm1));
    let planted = [
        (Check::Copies, copied, "has 1 copy of one loop, and test/two has 5"),
        (Check::Unrolling, unrolled, "has 1 copy of one line, and test/two has 8"),
        (Check::Vectorisation, vectorised, "is not vectorised, and test/two is"),
    ];
    for (expected, other, what) in planted {
        let findings = check(&two(&other), &[pair(&[])], &[]);
        let found: Vec<_> =
            findings.iter().map(|one| (one.check, &*one.design, &*one.what)).collect();
        assert_eq!(found, [(expected, "test/one", what)]);
        assert_eq!(check(&two(&other), &[], &[]), [], "not compared with each other");
        assert_eq!(check(&two(&other), &[pair(&[expected])], &[]), [], "declared");
        let findings = check(&two(&clean()), &[pair(&[expected])], &[]);
        assert_eq!(findings.len(), 1, "declared, and not so");
        assert_eq!(findings[0].check, Check::Exception);
    }
}
