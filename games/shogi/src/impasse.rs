//! Points, declarations and agreed impasse (入玉宣言法, 持将棋).

use crate::moves::{Color, PieceKind};
use crate::position::Position;
use kiban_core::{Outcome, Reason, Seats};

/// Who may win by declaring, and with how many points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration {
    /// 28 points for sente and 27 for gote win.
    Points27,
    /// 31 points win, 24 to 30 are no decision.
    Points24,
    /// A king that reaches the enemy king's starting square wins.
    Try,
    /// No declaration, and no impasse by agreement either.
    None,
}

/// When both players may agree that this is an impasse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// Both kings in the zone; whoever alone has fewer than 27 points loses.
    Agreed27,
    /// One king in the zone is enough; whoever has fewer than 24 points loses.
    Agreed24,
}

/// Points of all pieces of a set.
pub const POINTS_IN_A_SET: u32 = 54;
/// Other own pieces a declarer needs in the zone.
const MEN_NEEDED: u32 = 10;

const IMPASSE: Reason = Reason("impasse");
const FAILED: Reason = Reason("failed-declaration");

/// What one side has towards a declaration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Whether the own king stands in the enemy's camp.
    pub king_in_zone: bool,
    /// Own pieces in the zone, the king not counted.
    pub men_in_zone: u32,
    /// Points of the pieces in the zone and in hand.
    pub points: u32,
    /// Points of all own pieces, on the board and in hand.
    pub all_points: u32,
}

/// A rook or bishop counts 5, a king nothing, any other piece 1.
fn worth(kind: PieceKind) -> u32 {
    match kind.unpromoted() {
        PieceKind::King => 0,
        PieceKind::Rook | PieceKind::Bishop => 5,
        _ => 1,
    }
}

/// Counts a side; `missing` are points given to it for pieces a handicap took off the board.
pub fn tally(p: &Position, side: Color, missing: u32) -> Tally {
    let in_hand: u32 = p.hand(side).iter().map(|(kind, n)| worth(kind) * u32::from(n)).sum();
    let start = in_hand + missing;
    let mut tally = Tally { king_in_zone: false, men_in_zone: 0, points: start, all_points: start };
    for square in p.pieces_of(side) {
        let Some(piece) = p.piece_at(square) else { continue };
        let in_zone = square.in_zone(side);
        tally.all_points += worth(piece.kind());
        if piece.kind() == PieceKind::King {
            tally.king_in_zone = in_zone;
        } else if in_zone {
            tally.men_in_zone += 1;
            tally.points += worth(piece.kind());
        }
    }
    tally
}

/// What comes of the side to move declaring now.
pub fn declare(p: &Position, rule: Declaration, missing: [u32; 2]) -> Outcome {
    let side = p.turn();
    let count = tally(p, side, missing[side.index()]);
    let (own, other) = (Seats::from(side.seat()), Seats::from(side.other().seat()));
    let lost = Outcome::Win { seats: other, by: FAILED };
    if !count.king_in_zone || count.men_in_zone < MEN_NEEDED || p.in_check() {
        return lost;
    }
    let won = Outcome::Win { seats: own, by: IMPASSE };
    match rule {
        // By colour, whoever moved first.
        Declaration::Points27 if count.points >= if side == Color::Sente { 28 } else { 27 } => won,
        Declaration::Points24 if count.points >= 31 => won,
        Declaration::Points24 if count.points >= 24 => Outcome::Replay { by: IMPASSE },
        _ => lost,
    }
}

/// What comes of both players agreeing that no mate is possible; `None` if the kings do not
/// stand as the rule wants it.
pub fn agree(p: &Position, rule: Agreement, missing: [u32; 2]) -> Option<Outcome> {
    let [sente, gote] = Color::BOTH.map(|side| tally(p, side, missing[side.index()]));
    let (kings, needed) = match rule {
        Agreement::Agreed27 => (sente.king_in_zone && gote.king_in_zone, 27),
        Agreement::Agreed24 => (sente.king_in_zone || gote.king_in_zone, 24),
    };
    if !kings {
        return None;
    }
    let win = |side: Color| Outcome::Win { seats: side.seat().into(), by: IMPASSE };
    Some(match (sente.all_points < needed, gote.all_points < needed) {
        (true, false) => win(Color::Gote),
        (false, true) => win(Color::Sente),
        _ => Outcome::Replay { by: IMPASSE },
    })
}

/// Whether the side that has just moved stands on the enemy king's starting square.
pub fn tried(p: &Position) -> Option<Outcome> {
    let side = p.turn().other();
    let king = p.king(side)?;
    let goal = king.file() == 5 && king.rank_for(side) == 1;
    goal.then(|| Outcome::Win { seats: side.seat().into(), by: Reason("try") })
}
