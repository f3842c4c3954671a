//! Properties of conditions on which outcomes may turn.

use raywalk_results::format::grouped;

use super::condition::{Condition, OutcomeKind};

raywalk_results::texts! {
    /// A property of conditions on which outcomes may turn.
    pub enum Property: label {
        /// Whether each of the two designs has memorised the positions.
        Memorised = "which design has memorised the positions",
        /// Kind of the regime, such as `stream` or `cold`.
        Regime = "the regime",
        /// The order of the positions.
        Order = "the order of the positions",
        /// What is timed for each position, such as a stage or an operation.
        Call = "the call",
        /// After how many positions the same ones return.
        Returns = "how soon positions return",
        /// Moves per position that `one` finds.
        Moves = "the moves per position",
        /// Control flow of the two designs.
        Class = "the class of the designs",
        /// Kinds of the boards that the designs read.
        Board = "the kind of board",
        /// Whether illegal moves are left in the list.
        Legality = "the legality of the moves",
        /// Whose tables exceed the first-level cache for data.
        FirstLevel = "whose tables exceed the first-level cache",
        /// Whose tables exceed the second-level cache.
        SecondLevel = "whose tables exceed the second-level cache",
        /// The designs, which differ between tests and where the fastest of several counts.
        Designs = "the designs",
        /// Name of the workload that the test was applied to.
        Workload = "the workload",
        /// The test, where no other property separates the outcomes.
        Test = "what is compared",
    }
}

/// A gap that divides the outcomes by a number: the greatest value below it and the least one above.
type Cut = Option<(f64, f64)>;

/// The cuts of the properties that are numbers, and whether traits of designs count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cuts {
    moves: Cut,
    returns: Cut,
    /// Some conditions are about one design and others compare two: their traits would say which is which, and no more.
    mixes_one_and_two: bool,
}

/// A separation counts if at most this part of all orders of the outcomes has one as clear. Among few numbers, or with
/// all but few on one side, chance would find a cut.
pub(super) const CHANCE: f64 = 0.05;

impl Cuts {
    pub(crate) fn of(resolved: &[&Condition]) -> Cuts {
        Cuts {
            moves: cut(resolved, |condition| condition.place.moves),
            returns: cut(resolved, |condition| condition.place.returns),
            mixes_one_and_two: resolved
                .windows(2)
                .any(|two| two[0].other.is_some() != two[1].other.is_some()),
        }
    }
}

fn cut(resolved: &[&Condition], number: impl Fn(&Condition) -> Option<f64>) -> Cut {
    let numbers = resolved.iter().map(|one| Some((number(one)?, one.outcome.kind())));
    let mut numbers = numbers.collect::<Option<Vec<_>>>()?;
    numbers.sort_by(|one, other| one.0.total_cmp(&other.0));
    let place = numbers.windows(2).position(|two| two[0].1 != two[1].1)?;
    let (below, above) = numbers.split_at(place + 1);
    let (last, first) = (below.last()?.0, above.first()?.0);
    let is_one = above.iter().all(|it| it.1 == above[0].1);
    // Panels that share a number count once: they are hardly independent.
    let distinct = |side: &[(f64, OutcomeKind)]| {
        let steps = side.windows(2).filter(|two| two[0].0 < two[1].0).count();
        (1 + steps) as f64
    };
    let (few, many) = (distinct(below), distinct(above));
    let orders = (1..=few as u32).fold(1.0, |all, n| all * (many + f64::from(n)) / f64::from(n));
    // Two orders are as clear as this one: either outcome may lie below the cut.
    (is_one && last < first && 2.0 / orders <= CHANCE).then_some((last, first))
}

impl Property {
    /// The value of a condition in words; `None` if it has none.
    pub(super) fn value(self, condition: &Condition, cuts: &Cuts) -> Option<String> {
        let (place, traits) = (&condition.place, &condition.traits);
        if self.is_trait() && cuts.mixes_one_and_two {
            return None;
        }
        Some(match self {
            Property::Memorised => match place.memorised? {
                [true, true] => "memorised by both".to_owned(),
                [false, false] => "memorised by neither".to_owned(),
                [true, false] => "memorised by the first design only".to_owned(),
                [false, true] => "memorised by the second design only".to_owned(),
            },
            Property::Regime => place.regime?.to_string(),
            Property::Order => place.order?.to_string(),
            Property::Call => place.call?.label(),
            Property::Returns => match (place.returns?, cuts.returns?) {
                (number, (below, _)) if number <= below => {
                    format!("after at most {} positions", grouped(below as u64))
                }
                (_, (_, above)) if above.is_infinite() => "never".to_owned(),
                (_, (_, above)) => format!("after {} positions or more", grouped(above as u64)),
            },
            Property::Moves => match (place.moves?, cuts.moves?) {
                (number, (below, _)) if number <= below => format!("at most {below:.1}"),
                (_, (_, above)) => format!("at least {above:.1}"),
            },
            Property::Class => traits.class.clone()?,
            Property::Board => traits.board.clone()?,
            Property::Legality => traits.legality.clone()?,
            Property::FirstLevel => traits.tables[0].clone()?,
            Property::SecondLevel => traits.tables[1].clone()?,
            Property::Designs => {
                let one = condition.one.as_ref()?;
                match &condition.other {
                    Some(other) => format!("{one} against {other}"),
                    None => one.clone(),
                }
            }
            Property::Workload => place.workload.clone()?,
            Property::Test => format!("test {}", condition.test + 1),
        })
    }

    /// Whether its values are the two sides of a number that the outcomes cut.
    pub(super) fn is_cut(self) -> bool {
        matches!(self, Property::Moves | Property::Returns)
    }

    /// Whether it is a property of the designs that are compared.
    fn is_trait(self) -> bool {
        use Property::{Board, Class, FirstLevel, Legality, SecondLevel};
        matches!(self, Class | Board | Legality | FirstLevel | SecondLevel)
    }

    /// Property to name instead, because it needs less guessing, where both separate the outcomes alike: a trait of
    /// two designs that are the only ones is no finding.
    pub(super) fn rather(self) -> Option<Property> {
        match self {
            Property::Returns => Some(Property::Memorised),
            _ => self.is_trait().then_some(Property::Designs),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::condition::{Kind, Outcome, Place};
    use super::super::decision::{Decision, decide};
    use super::super::traits::Traits;
    use super::*;

    fn condition(moves: f64, workload: &str, outcome: Outcome) -> Condition {
        let place =
            Place { moves: Some(moves), workload: Some(workload.to_owned()), ..Place::default() };
        Condition { place, ..Condition::new(0, Kind::Measured, outcome) }
    }

    /// The claim holds in so many workloads, from few moves to many, and is contradicted in the others.
    fn conditions(holds: usize, contradicts: usize) -> Vec<Condition> {
        let outcome = |place| if place < holds { Outcome::Holds } else { Outcome::Contradicts };
        (0..holds + contradicts)
            .map(|place| condition(5.0 + place as f64, &format!("w{place}"), outcome(place)))
            .collect()
    }

    fn on(conditions: &[Condition]) -> Vec<Vec<Property>> {
        match decide(conditions, &[None]) {
            Decision::Depends { on, against: 0 } => on,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_number_that_divides_the_outcomes_is_named_with_its_ends() {
        let found = conditions(5, 17);
        assert_eq!(on(&found), [[Property::Moves]]);
        let all: Vec<&Condition> = found.iter().collect();
        let cuts = Cuts::of(&all);
        assert_eq!(Property::Moves.value(all[4], &cuts).as_deref(), Some("at most 9.0"));
        assert_eq!(Property::Moves.value(all[5], &cuts).as_deref(), Some("at least 10.0"));
        // A condition on the wrong side.
        let mut mixed = found;
        mixed[21].outcome = Outcome::Holds;
        assert!(on(&mixed).is_empty());
    }

    #[test]
    fn a_cut_that_chance_would_find_is_none() {
        // One of two orders, two of six, two of ten, two of 300, of 12,341 and of 10,626. 105 sets are tried.
        for (few, many, is_cut) in [
            (1, 1, false),
            (1, 5, false),
            (2, 3, false),
            (1, 299, false),
            (3, 40, true),
            (4, 20, true),
        ] {
            let found = conditions(few, many);
            assert_eq!(on(&found).contains(&vec![Property::Moves]), is_cut, "{few} and {many}");
        }
        // Panels of one workload are one number.
        let again: Vec<Condition> =
            conditions(1, 1).into_iter().flat_map(|one| vec![one; 30]).collect();
        assert!(!on(&again).contains(&vec![Property::Moves]));
    }

    #[test]
    fn the_class_is_named_where_it_covers_several_pairs_of_designs() {
        let of = |one: &str, class: &str, outcome| Condition {
            one: Some(one.to_owned()),
            traits: Traits { class: Some(class.to_owned()), ..Traits::default() },
            ..condition(1.0, "w", outcome)
        };
        let (branchy, branchless) = (Outcome::Holds, Outcome::Contradicts);
        let four = [
            of("a", "branchy", branchy),
            of("b", "branchy", branchy),
            of("c", "branchless", branchless),
            of("d", "branchless", branchless),
        ];
        let often = |conditions: &[Condition]| {
            conditions.iter().flat_map(|one| vec![one.clone(); 8]).collect::<Vec<_>>()
        };
        assert_eq!(on(&often(&four)), [[Property::Class]]);
        // Two pairs: that their classes differ is no finding.
        assert_eq!(on(&often(&four[1..3])), [[Property::Designs]]);
        // Four conditions are separated by chance.
        assert!(on(&four).is_empty());
        // Single designs and a pair: the words for a pair tell them apart, and say nothing about a class.
        let mut pair = of("c", "branchless against branchless", branchless);
        pair.other = Some("d".to_owned());
        let mixed = often(&[four[0].clone(), four[1].clone(), pair.clone(), pair]);
        assert!(!on(&mixed).iter().flatten().any(|property| *property == Property::Class));
    }
}
