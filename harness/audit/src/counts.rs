//! Counts instructions by kind, and collects the events that the checks may report.

use iced_x86::{FlowControl, Mnemonic};

use crate::decode::{computes_by_vectors, is_vector};
use crate::entry::{Operands, Part, Spot, Use};
use crate::flow::Callee;
use crate::jumps::is_board_jump;
use crate::report::{Counts, Event, Jumps, Located};
use crate::shape::walk;

/// Counts the parts that the walk calls.
pub(crate) fn counts(parts: &[Part], operands: Operands) -> Counts {
    let mut counts = Counts::default();
    for spot in parts.iter().filter(|part| !part.rare).flat_map(Part::spots) {
        count(&mut counts, spot, operands);
    }
    counts
}

fn count(counts: &mut Counts, spot: Spot<'_>, operands: Operands) {
    let instruction = spot.instruction();
    counts.code_bytes += instruction.len();
    counts.instructions += 1;
    match instruction.flow_control() {
        FlowControl::ConditionalBranch => jump(&mut counts.jumps, spot, operands),
        FlowControl::IndirectBranch => counts.indirect_jumps += 1,
        FlowControl::Call | FlowControl::IndirectCall => counts.calls += 1,
        _ => {}
    }
    match instruction.mnemonic() {
        Mnemonic::Adc | Mnemonic::Sbb => counts.carries += 1,
        _ if instruction.condition_code() == iced_x86::ConditionCode::None => {}
        _ if instruction.is_jcc_short_or_near() => {}
        _ if instruction.op_count() == 1 => counts.setcc += 1,
        _ => counts.cmov += 1,
    }
    if let Some(access) = spot.note().access {
        counts.loads += usize::from(access.reads);
        counts.stores += usize::from(access.writes);
    }
    if !spot.is_rare() {
        match spot.used_for(operands) {
            Some(Use::Spill) if spot.around().is_some_and(|around| around.innermost) => {
                counts.stack_operands += 1;
            }
            Some(Use::Length) if spot.is_in_loop() => counts.length_stores += 1,
            _ => {}
        }
    }
    if is_vector(instruction) {
        counts.vector += 1;
        counts.vector_arithmetic += usize::from(computes_by_vectors(instruction));
    }
}

/// Puts a conditional jump into its kind.
fn jump(jumps: &mut Jumps, spot: Spot<'_>, operands: Operands) {
    if spot.is_rare() {
        jumps.rules += 1;
    } else if is_board_jump(spot, operands) {
        jumps.board += 1;
        jumps.board_loop_ends += usize::from(spot.ends_loop());
    } else if spot.ends_loop() {
        jumps.loop_ends += 1;
    } else {
        jumps.guards += 1;
    }
}

/// Events that a check may report, in the order of the code.
pub(crate) fn events(parts: &[Part], operands: Operands) -> Vec<Located> {
    let mut events = Vec::new();
    for part in parts {
        for spot in part.spots() {
            events.extend(event(spot, parts, operands).map(|event| located(spot, event)));
        }
        for one in part.loops.iter().filter(|one| one.innermost && !part.rare) {
            let used = |spot: &Spot<'_>, wanted| {
                !spot.is_rare() && spot.used_for(operands) == Some(wanted)
            };
            let mut note = |wanted, event: fn(usize) -> Event| {
                let all: Vec<_> = part.spots_in(one).filter(|spot| used(spot, wanted)).collect();
                let Some(&first) = all.first() else { return };
                let mut located = located(first, event(all.len()));
                // The place of the loop, if it has one.
                if let Some(origin) = walk(part, one, operands) {
                    located.source.clone_from(&origin.place);
                }
                events.push(located);
            };
            note(Use::Length, Event::Length);
            note(Use::Spill, Event::Stack);
        }
    }
    events
}

fn event(spot: Spot<'_>, parts: &[Part], operands: Operands) -> Option<Event> {
    let instruction = spot.instruction();
    let hot = spot.is_in_loop() && !spot.is_rare();
    let name = |address: u64| {
        let part = parts.iter().find(|part| part.function.code.range.start == address);
        part.map(|part| part.name.clone()).unwrap_or_default()
    };
    if spot.note().lost {
        return Some(Event::Lost);
    }
    match &spot.note().callee {
        Some(Callee::Panic(name)) => return Some(Event::Panic(name.clone())),
        Some(Callee::Function(address)) if hot => return Some(Event::Call(name(*address))),
        Some(Callee::Import(name)) if hot => return Some(Event::Call(name.clone())),
        Some(Callee::Unknown) => return Some(Event::Lost),
        _ => {}
    }
    match instruction.mnemonic() {
        Mnemonic::Div | Mnemonic::Idiv if hot => Some(Event::Division),
        _ if instruction.is_jcc_short_or_near()
            && !spot.is_rare()
            && is_board_jump(spot, operands) =>
        {
            Some(Event::BoardJump { ends_loop: spot.ends_loop() })
        }
        _ => None,
    }
}

fn located(spot: Spot<'_>, event: Event) -> Located {
    let source = spot.origin().source.clone();
    Located { source, address: spot.instruction().ip(), event }
}
