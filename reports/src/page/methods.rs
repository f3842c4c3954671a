//! How a number of the page is made, and what its words mean.

use maud::html;

use crate::summary::MARGIN;
use crate::wording::percent;

use super::Section;

/// Short: the reasons and their evidence are in the project's documentation.
pub fn method() -> Section {
    let body = html! {
        ol {
            li {
                strong { "Right first. " }
                "A design is timed only after its moves were proved right. Behind each timed batch \
                 the same calls are made once more, every move is folded into a checksum, and that \
                 and the timed count are compared with the answer of another design: a wrong answer \
                 has no time."
            }
            li {
                strong { "Interleaved. " }
                "In a round every design runs once on the same positions, in an order that changes \
                 from round to round and in which each follows each other equally often. A machine \
                 that drifts does so for all of them."
            }
            li {
                strong { "Paired. " }
                "A ratio is made within a round; the table shows the median over the rounds. The \
                 baseline takes part twice: how far it differs from itself is the A/A floor."
            }
            li {
                strong { "Exact intervals. " }
                "An interval is cut from the sorted ratios by counting (sign test), so it assumes \
                 no distribution, and its ends are rounds that happened. All intervals of a panel \
                 hold together at 95 %; the lead over the runner-up pays for all pairs it was \
                 picked from."
            }
            li {
                strong { "Four verdicts. " }
                "Faster or slower: the whole interval lies beyond the floor and beyond the spread. \
                 Equal: it lies inside a band of " (percent(MARGIN)) ", unless the plan has \
                 another, or of the floor where that is wider, and so does the spread. Otherwise it \
                 is not resolved, which is not the same as equal."
            }
            li {
                strong { "Spread. " }
                "A session is several short processes, and may be several links of the program with \
                 its sections in other orders; all visit the same positions. The variance of a \
                 ratio is split into layout, process, position and round (method of moments; values \
                 are drawn in to three deviations around a fit by medians, because an interruption \
                 is no spread). Twice the deviation of layouts, or of processes, is the spread."
            }
            li {
                strong { "Nothing deleted. " }
                "Samples and rounds that were disturbed are marked and kept; a median bears them."
            }
            li {
                strong { "Differences. " }
                "With a cold predictor or pressed caches something happens before each call that \
                 takes longer than the call. So each call is timed by itself, between fences, and \
                 so are as many empty calls beside them, which are subtracted. Compare such numbers \
                 with each other: the plain ones let one call overlap with the next."
            }
        }
        p {
            "Not in the floor: where the code lies in memory; the same loop at another address may \
             differ by several per cent where branches miss. That is in the spread, where a session \
             has several layouts; read small differences between branchy designs of one layout with \
             that in mind. Nor does one machine speak for another: the place of the memorisation \
             cliff is a property of the core."
        }
    };
    Section::new("method".to_owned(), "How a number is made", body)
}

/// The words that have one meaning here.
pub fn glossary() -> Section {
    let words = [
        ("measured", "read from a clock or a hardware counter, on this machine, in this run"),
        (
            "derived",
            "measured ticks × core cycles per tick, from a chain of dependent additions \
                     timed beside each sample",
        ),
        ("counted", "an exact property of the executed code on the workload"),
        ("simulated", "the model of a named external tool"),
        ("modelled", "our own model, shown with its parameters and its fit"),
        ("replay of K", "the same K positions over and over, learnt before they are timed"),
        ("stream", "each batch goes on where the last one ended"),
        ("tree, game", "the order of a stream: as a search visits positions, or as a game does"),
        (
            "cold predictor",
            "a stream in which random branches overwrite the branch predictor before each call; \
             they also take the place of the design's code in the first-level cache",
        ),
        (
            "pressure of S",
            "a stream in which cache lines of a ring of S bytes are read before each call",
        ),
        (
            "memorised",
            "so few positions come back that the predictor knows their branches by heart",
        ),
        ("sliders only", "the moves of bishops, rooks and queens, and nothing done for others"),
        ("stage", "what is generated: all moves, captures only, or quiet moves only"),
        ("panel", "one workload, fed in one way, at one stage: what a ranking holds for"),
        ("round", "every design once, on the same positions"),
        ("ratio", "time of a design ÷ time of the baseline, within a round; below 1 is faster"),
        ("layout", "one order of the program's sections, drawn from a seed and linked"),
        ("process", "one run of the program, with stack and heap at places of its own"),
        (
            "spread",
            "two standard deviations of a ratio over layouts, or over processes of one layout",
        ),
        ("A/A floor", "how far the baseline may seem to differ from itself"),
        ("branchy", "a branch decides about each visited square"),
        ("branchless", "no branch depends on what stands on a square, loop ends excepted"),
        ("mixed", "branch-free in one half, branchy in the other"),
        ("pseudo-legal", "the own king may be left in check; a legal generator never does that"),
    ];
    let body = html! {
        dl.words { @for (word, meaning) in words { dt { (word) } dd { (meaning) } } }
    };
    Section::new("words".to_owned(), "Words", body)
}
