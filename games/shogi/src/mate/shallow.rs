//! Mates so near that trying everything is quickest.

use crate::moves::Move;
use crate::position::Position;

/// A check with more answers than this is no candidate of a mate in three.
const ANSWERS: u32 = 10;

/// A move that mates at once. The side to move must not be in check.
pub(crate) fn mate_in_one(p: &mut Position) -> Option<Move> {
    let checks = p.checking_moves();
    checks.iter().copied().find(|m| {
        let undo = p.play(*m);
        let mated = !p.has_legal_move();
        p.undo(*m, undo);
        mated
    })
}

/// A move that mates in three plies, if it leaves few answers. There must be no mate in one.
pub(crate) fn mate_in_three(p: &mut Position) -> Option<Move> {
    let checks = p.checking_moves();
    checks.iter().copied().find(|m| {
        let undo = p.play(*m);
        let mated = p.count_legal() <= ANSWERS && every_answer_is_mated(p);
        p.undo(*m, undo);
        mated
    })
}

/// A mate in three plies that may begin without a check, with its first answer. There must be no
/// mate in one.
pub(crate) fn quiet_mate_in_three(p: &mut Position) -> Option<[Move; 3]> {
    let moves = p.legal_moves();
    moves.iter().find_map(|m| {
        let undo = p.play(*m);
        let answers = p.legal_moves();
        let mates = answers.first().copied().filter(|_| every_answer_is_mated(p));
        let line = mates.and_then(|answer| {
            let undo = p.play(answer);
            let last = mate_in_one(p);
            p.undo(answer, undo);
            Some([*m, answer, last?])
        });
        p.undo(*m, undo);
        line
    })
}

fn every_answer_is_mated(p: &mut Position) -> bool {
    let answers = p.legal_moves();
    answers.iter().all(|m| {
        let undo = p.play(*m);
        let mated = !p.in_check() && mate_in_one(p).is_some();
        p.undo(*m, undo);
        mated
    })
}
