//! The finding of several sessions: under which conditions the same class wins in all of them, and where it turns.
//!
//! Every winner is decided within one session. No ratio mixes two of them, so the sessions may be of different
//! machines. Under a condition only sessions with the same panel and the same corpora are compared.

use raywalk_results::schema::Session;

use super::{Finding, Sentence, designs, phrases};
use crate::Judged;
use crate::board_kind::BoardKind;
use crate::classes::{Classes, Condition, Point, Winner, in_order};
use crate::format::list;

/// A condition on one kind of board, as the sessions decide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// Two sessions or more resolve a difference, and the same class wins in each of them.
    Agreed(Winner),
    /// Some sessions resolve that one class wins, others that the other does.
    Turned,
    /// Fewer than two sessions resolve a difference.
    Open,
}

/// The sessions on one kind of board.
struct OnBoard<'a> {
    board: BoardKind,
    /// The sessions that measured both classes on this kind of board.
    sessions: Vec<Side<'a>>,
    /// Every condition that some session judged, with its outcome.
    outcomes: Vec<(Condition, Outcome)>,
}

/// One session on one kind of board.
struct Side<'a> {
    /// Number of the session in the sentences, from 1.
    number: usize,
    session: &'a Session,
    classes: &'a Classes<'a>,
}

impl<'a> Side<'a> {
    fn point(&self, condition: Condition) -> Option<&'a Point<'a>> {
        self.classes.points.iter().find(|point| point.condition == condition)
    }

    /// The panel of a point and the digests of its corpora.
    fn panel(&self, point: &'a Point<'a>) -> (&'a str, Vec<&'a str>) {
        let panel = &point.panel.panel;
        let corpora = self.session.corpora_of(&panel.workload);
        (&panel.id, corpora.into_iter().map(|corpus| corpus.digest.as_str()).collect())
    }
}

/// The heading, and a sentence for each kind of board; `classes` are those of each session. `None` if no condition is
/// resolved in two sessions.
pub fn together(sessions: &[Judged<'_>], classes: &[Vec<Classes<'_>>]) -> Option<Finding> {
    let boards: Vec<OnBoard<'_>> =
        BoardKind::ALL.into_iter().map(|board| OnBoard::of(board, sessions, classes)).collect();
    let outcomes = || boards.iter().flat_map(|board| &board.outcomes).map(|(_, it)| *it);
    let turned = outcomes().filter(|it| *it == Outcome::Turned).count();
    let resolved = outcomes().filter(|it| *it != Outcome::Open).count();
    if resolved == 0 {
        return None;
    }
    let headings = classes.iter().map(|classes| super::heading(classes));
    let sentences = boards.iter().filter_map(OnBoard::sentence).collect();
    Some(Finding { heading: heading(turned, resolved, headings), sentences })
}

fn heading(turned: usize, resolved: usize, mut headings: impl Iterator<Item = String>) -> String {
    let conditions = match resolved {
        1 => "the one condition".to_owned(),
        more => format!("{more} conditions"),
    };
    let question = "Branchy or branchless? The sessions";
    if turned > 0 {
        return format!(
            "{question} contradict each other under {turned} of {conditions} that two of them resolve."
        );
    }
    match headings.next() {
        Some(first) if headings.all(|heading| heading == first) => {
            format!("{}, in each session.", first.trim_end_matches('.'))
        }
        _ => format!("{question} agree under {conditions} that two of them resolve."),
    }
}

impl<'a> OnBoard<'a> {
    fn of(
        board: BoardKind,
        sessions: &'a [Judged<'_>],
        all: &'a [Vec<Classes<'a>>],
    ) -> OnBoard<'a> {
        let numbered = sessions.iter().zip(all).zip(1..);
        let sessions = numbered.filter_map(|((judged, classes), number)| {
            let classes = classes.iter().find(|one| one.board == board)?;
            Some(Side { number, session: &judged.results.session, classes })
        });
        let mut found = OnBoard { board, sessions: sessions.collect(), outcomes: Vec::new() };
        let points = found.sessions.iter().flat_map(|side| &side.classes.points);
        let conditions = in_order(points.map(|point| point.condition)).into_iter();
        let outcome = |condition| {
            let winners: Vec<Winner> = found.winners(condition).into_iter().flatten().collect();
            (condition, Outcome::of(&winners))
        };
        found.outcomes = conditions.map(outcome).collect();
        found
    }

    /// `None` if no condition is resolved in two sessions.
    fn sentence(&self) -> Option<Sentence> {
        let agreed = |winner: Winner| {
            let won = self.phrases(Outcome::Agreed(winner));
            (!won.is_empty()).then(|| format!("{} designs win {won}", winner.control().name()))
        };
        let agreed = [Winner::Branchy, Winner::Branchless].map(agreed);
        let agreed: Vec<String> = agreed.into_iter().flatten().collect();
        let turned: Vec<String> = self.turned();
        let mut parts = Vec::new();
        if !agreed.is_empty() {
            parts.push(format!("the sessions agree that {}", agreed.join(" and that ")));
        }
        if !turned.is_empty() {
            let who = if parts.is_empty() { "the sessions" } else { "they" };
            parts.push(format!("{who} contradict each other {}", turned.join("; and ")));
        }
        let open = self.phrases(Outcome::Open);
        if parts.is_empty() {
            return None;
        }
        if !open.is_empty() {
            parts.push(format!("fewer than two resolve a difference {open}"));
        }
        let text = format!("On {}, {}.", self.board.plural(), parts.join("; "));
        let points = self.sessions.iter().flat_map(|side| &side.classes.points);
        Some(Sentence { designs: designs(points), ..Sentence::measured(text) })
    }

    /// The conditions with an outcome, in words.
    fn phrases(&self, outcome: Outcome) -> String {
        self.phrases_if(|condition| self.outcomes.contains(&(condition, outcome)))
    }

    fn phrases_if(&self, is: impl Fn(Condition) -> bool) -> String {
        let are_neighbours =
            |one, other| self.sessions.iter().all(|side| side.classes.are_neighbours(one, other));
        let marked = self.outcomes.iter().map(|&(condition, _)| (condition, is(condition)));
        phrases(&marked.collect::<Vec<_>>(), are_neighbours)
    }

    /// The winner in each session; none in one that has another panel than the first.
    fn winners(&self, condition: Condition) -> Vec<Option<Winner>> {
        let point = |side: &Side<'a>| side.point(condition).map(|point| (point, side.panel(point)));
        let points: Vec<_> = self.sessions.iter().map(point).collect();
        let first = points.iter().flatten().next().map(|(_, panel)| panel.clone());
        let winner = |found: Option<(&Point<'_>, _)>| {
            let (point, panel) = found?;
            point.winner().filter(|_| Some(panel) == first)
        };
        points.into_iter().map(winner).collect()
    }

    /// `in game order (branchy in session 1, branchless in session 2)`, once for each way in which the sessions differ.
    fn turned(&self) -> Vec<String> {
        let turned = self.outcomes.iter().filter(|(_, it)| *it == Outcome::Turned);
        let mut ways: Vec<Vec<Option<Winner>>> = Vec::new();
        for way in turned.map(|&(condition, _)| self.winners(condition)) {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        let phrase = |way: Vec<Option<Winner>>| {
            let by = |winner: Winner| {
                let name = winner.control().name();
                let won = self.sessions.iter().zip(&way).filter(|(_, it)| **it == Some(winner));
                let numbers: Vec<String> = won.map(|(side, _)| side.number.to_string()).collect();
                let noun = if numbers.len() == 1 { "session" } else { "sessions" };
                format!("{name} in {noun} {}", list(&numbers))
            };
            let [branchy, branchless] = [Winner::Branchy, Winner::Branchless].map(by);
            let conditions = self.phrases_if(|condition| self.winners(condition) == way);
            format!("{conditions} ({branchy}, {branchless})")
        };
        ways.into_iter().map(phrase).collect()
    }
}

impl Outcome {
    fn of(winners: &[Winner]) -> Outcome {
        match winners {
            [first, others @ ..] if !others.is_empty() => {
                match others.iter().all(|other| other == first) {
                    true => Outcome::Agreed(*first),
                    false => Outcome::Turned,
                }
            }
            _ => Outcome::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use raywalk_results::fixture::{self, Recipe};
    use raywalk_results::journal::Results;

    use super::*;
    use crate::classes::classes;

    /// A session in which every branchless design takes so many times as long as every branchy one.
    fn session(ratio: f64) -> Results {
        fixture::with_classes(Recipe::FULL.results(), |_| ratio)
    }

    fn found(sessions: &[Results]) -> Option<(String, Vec<String>)> {
        let judged: Vec<Judged<'_>> = sessions.iter().map(Judged::of).collect();
        let classes: Vec<Vec<Classes<'_>>> = judged.iter().map(classes).collect();
        let found = together(&judged, &classes)?;
        Some((found.heading, found.sentences.into_iter().map(|one| one.text).collect()))
    }

    #[test]
    fn sessions_with_the_same_winner_agree() {
        let (heading, sentences) = found(&[session(0.8), session(0.8)]).expect("a finding");
        assert_eq!(
            heading,
            "Branchless designs are faster wherever a difference is resolved, in each session."
        );
        let [sentence] = &sentences[..] else { panic!("{sentences:?}") };
        let start = "On square boards, the sessions agree that branchless designs win from K = 1 to K = 65,536";
        assert!(sentence.starts_with(start), "{sentence}");
        assert!(!sentence.contains("contradict") && !sentence.contains("branchy designs"));
    }

    #[test]
    fn a_class_that_loses_in_one_session_turns_under_every_condition() {
        let (heading, sentences) =
            found(&[session(0.8), session(1.25), session(1.25)]).expect("a finding");
        let start = "Branchy or branchless? The sessions contradict each other under ";
        let counts = heading.strip_prefix(start).expect("a contradiction");
        let (turned, all) = counts.split_once(" of ").expect("two counts");
        assert_eq!(Some(turned), all.strip_suffix(" conditions that two of them resolve."));
        let turned =
            "On square boards, the sessions contradict each other from K = 1 to K = 65,536, ";
        assert!(sentences[0].starts_with(turned), "{sentences:?}");
        let winners = "(branchy in sessions 2 and 3, branchless in session 1).";
        assert!(sentences[0].ends_with(winners), "{sentences:?}");
        assert_eq!(sentences[0].matches('(').count(), 1, "{sentences:?}");
        assert!(!sentences[0].contains("agree"), "{sentences:?}");
    }

    #[test]
    fn what_one_session_alone_resolves_is_no_agreement() {
        let (heading, sentences) =
            found(&[session(0.8), session(0.8), session(1.0)]).expect("a finding");
        assert!(heading.starts_with("Branchy or branchless? The sessions agree under "));
        assert!(sentences[0].contains("branchless designs win from K = 1"), "{sentences:?}");
        assert_eq!(found(&[session(0.8), session(1.0)]), None);
    }

    #[test]
    fn other_positions_are_not_compared() {
        let mut other = session(1.25);
        other.session.corpora.iter_mut().for_each(|corpus| corpus.digest = "another".to_owned());
        assert_eq!(found(&[session(0.8), other.clone()]), None);
        // A third session decides what the first two do not.
        let (heading, sentences) = found(&[session(0.8), other, session(0.8)]).expect("a finding");
        assert!(heading.contains("agree under "), "{heading}");
        assert!(!sentences[0].contains("contradict"), "{sentences:?}");
    }
}
