//! Pairs of designs that differ in one parameter, and what else differs in their code.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::entry_stage::EntryStage;
use crate::finding::{Check, Finding};
use crate::lines::{Portion, Source};
use crate::report::{Copied, Repeated, Report};

/// Two designs that differ in one parameter, so that a comparison of them judges that parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pair {
    /// The claims that it decides, such as `T8`; none for a pair that only shows what a parameter is worth.
    #[serde(default)]
    pub claims: Vec<String>,
    /// Ids of the two designs.
    pub designs: [String; 2],
    /// The parameter in which they differ, as a noun phrase.
    pub differ: String,
    /// Further differences of their code, because the parameter is about them.
    #[serde(default)]
    pub also: Vec<Difference>,
    /// Why they differ in these properties too, in one sentence.
    #[serde(default)]
    pub why: Option<String>,
    /// Whether the parameter is a branch on a square, by which the first design does what the second does without it.
    #[serde(default)]
    pub branch: bool,
}

/// A difference between the code of two designs other than their parameter.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// The property: copies, unrolling or vectorisation.
    pub check: Check,
    /// The portion of the code.
    pub portion: Portion,
    /// End of the source file of the design that has more, with or without a line.
    pub source: String,
    /// Values of the two designs in the stages that differ: numbers of copies, or 1 for code that is vectorised.
    pub times: BTreeMap<EntryStage, [usize; 2]>,
}

impl Difference {
    /// Its name: `copies of a loop in the walk`.
    pub fn label(&self) -> String {
        format!("{} in the {}", self.check.label(), self.portion)
    }
}

impl Pair {
    /// Reads the pairs of a TOML file, each a table `[[pair]]`.
    ///
    /// # Errors
    /// The file is not TOML of this form.
    pub fn parse_all(text: &str) -> Result<Vec<Pair>, toml::de::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            pair: Vec<Pair>,
        }
        toml::from_str(text).map(|File { pair }| pair)
    }
}

/// A property in which the designs of a pair must agree.
struct Property {
    check: Check,
    of: fn(&Copied) -> (usize, Option<&Source>),
    what: fn(usize, Portion) -> String,
}

const PROPERTIES: [Property; 3] = [
    Property {
        check: Check::Copies,
        of: |copied| at_least_one(&copied.copies),
        what: |times, portion| format!("has {} of one loop in the {portion}", copies(times)),
    },
    Property {
        check: Check::Unrolling,
        of: |copied| at_least_one(&copied.unrolled),
        what: |times, portion| format!("has {} of one line in the {portion}", copies(times)),
    },
    Property {
        check: Check::Vectorisation,
        of: |copied| {
            let computing = &copied.vector_arithmetic;
            (usize::from(computing.times > 0), computing.source.as_ref())
        },
        what: |times, portion| {
            let is = if times > 0 { "is" } else { "is not" };
            format!("{is} vectorised in the {portion}")
        },
    },
];

/// Code that one design has and the other has not is no copy.
fn at_least_one(repeated: &Repeated) -> (usize, Option<&Source>) {
    (repeated.times.max(1), repeated.source.as_ref())
}

fn copies(count: usize) -> String {
    if count == 1 { "1 copy".to_owned() } else { format!("{count} copies") }
}

/// One property of the two designs of a pair in one portion and stage, and the place in the design with the larger
/// value.
struct Compared<'a> {
    times: [usize; 2],
    source: Option<&'a Source>,
}

impl Compared<'_> {
    fn is(&self, difference: &Difference, stage: EntryStage) -> bool {
        difference.times.get(&stage) == Some(&self.times)
            && self.source.is_some_and(|source| source.ends_with(&difference.source))
    }
}

/// Differences between the two designs of a pair other than their parameter, without those that the pair declares, and
/// the declared ones that do not exist.
pub(crate) fn compared(reports: &[Report], pair: &Pair) -> Vec<Finding> {
    let of = |n: usize| reports.iter().filter(move |report| report.design == pair.designs[n]);
    let stages = of(0).filter_map(|one| Some([one, of(1).find(|other| other.stage == one.stage)?]));
    let mut findings = Vec::new();
    for reports in stages {
        for property in &PROPERTIES {
            for portion in Portion::ALL {
                findings.extend(in_one(reports, property, portion, pair));
            }
        }
        findings.extend(lost_branch(reports, pair));
    }
    findings
}

/// The finding that the branch which is the parameter of a pair is not there. Among all moves the first design has more
/// branches on a square. A single stage may not need the branch, and there it has no fewer.
fn lost_branch(reports: [&Report; 2], pair: &Pair) -> Option<Finding> {
    let [one, other] = reports.map(|report| report.counts.jumps.board);
    let stage = reports[0].stage;
    let is_there = one > other || one == other && stage != EntryStage::All;
    (pair.branch && !is_there).then(|| Finding {
        check: Check::NoBoardJump,
        design: pair.designs[0].clone(),
        against: Some(pair.designs[1].clone()),
        stage,
        address: None,
        source: None,
        what: format!(
            "differs from {} by a branch on a square, and has {one} of them, the other {other}",
            pair.designs[1]
        ),
        fraction: None,
    })
}

/// The findings about one property in one portion of one stage.
fn in_one(
    reports: [&Report; 2],
    property: &Property,
    portion: Portion,
    pair: &Pair,
) -> Vec<Finding> {
    let [(one, source), (other, others)] =
        reports.map(|report| (property.of)(report.shape.of(portion)));
    let compared =
        Compared { times: [one, other], source: if one < other { others } else { source } };
    let stage = reports[0].stage;
    let finding = |check, what| Finding {
        check,
        design: pair.designs[0].clone(),
        against: Some(pair.designs[1].clone()),
        stage,
        address: None,
        source: compared.source.cloned(),
        what,
        fraction: None,
    };
    let (matching, outdated): (Vec<_>, Vec<_>) = pair
        .also
        .iter()
        .filter(|also| also.check == property.check && also.portion == portion)
        .filter(|also| also.times.contains_key(&stage))
        .partition(|also| one != other && compared.is(also, stage));
    let what = |times| (property.what)(times, portion);
    let found = format!("{}, and {} {}", what(one), pair.designs[1], what(other));
    let outdated = outdated.into_iter().map(|also| {
        let [one, other] = also.times[&stage].map(what);
        let declared = format!(
            "is declared to differ from {} ({one}, the other {other}, {}), and does not",
            pair.designs[1], also.source
        );
        finding(Check::Exception, declared)
    });
    let undeclared = (one != other && matching.is_empty()).then(|| finding(property.check, found));
    undeclared.into_iter().chain(outdated).collect()
}
