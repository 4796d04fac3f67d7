//! The catalogue of set-ups: chosen from the solved atlas by the length of the win, by how few
//! moves keep the value, and by variety. It does not claim to be that of any printed box.

use kiban_core::Grade::{self, Beginner, Easy, Hard, Medium};
use kiban_core::{SetupSpec, Value};

/// The side to move wins in so many plies.
const fn win(plies: u32) -> (Value, Option<u32>) {
    (Value::Win, Some(plies))
}

/// The side to move loses in so many plies.
const fn loss(plies: u32) -> (Value, Option<u32>) {
    (Value::Loss, Some(plies))
}

const DRAW: (Value, Option<u32>) = (Value::Draw, None);

const fn setup(
    id: &'static str,
    name: &'static str,
    position: &'static str,
    grade: Grade,
    worth: (Value, Option<u32>),
) -> SetupSpec {
    SetupSpec { id, name, position, grade: Some(grade), worth: Some(worth) }
}

/// The set-ups, the easiest first.
pub(crate) const SETUPS: &[SetupSpec] = &[
    setup("silver-pawn", "Silver and pawn", "psk/3/KSP b - 1", Beginner, win(3)),
    setup("knight-gold", "Knight and gold", "ngk/3/KGN b - 1", Beginner, win(3)),
    setup("rook-gold", "The king between rook and gold", "rkg/3/GKR b - 1", Beginner, win(3)),
    setup("knight-silver", "Knight and silver", "nsk/3/KSN b - 1", Beginner, win(3)),
    setup("hand-rook-bishop", "Rook and bishop in hand", "2k/3/K2 b RBrb 1", Beginner, win(3)),
    setup("hand-bishop", "A bishop in hand", "2k/3/K2 b Bb 1", Beginner, win(5)),
    setup("hand-silver-lance", "Silver and lance in hand", "2k/3/K2 b SLsl 1", Beginner, win(3)),
    setup("lance-hand-gold", "A lance, a gold in hand", "1lk/3/KL1 b Gg 1", Beginner, win(5)),
    setup("bishop-pawn", "Bishop and pawn", "bpk/3/KPB b - 1", Beginner, win(5)),
    setup("rook-pawn", "Rook and pawn", "prk/3/KRP b - 1", Beginner, win(5)),
    setup("silver-gold", "The king between silver and gold", "gks/3/SKG b - 1", Beginner, loss(4)),
    setup("silver", "A silver beside the king", "1sk/3/KS1 b - 1", Beginner, loss(4)),
    setup("rook-bishop", "Rook and bishop", "pbk/3/KRP b - 1", Easy, win(7)),
    setup("hand-rook", "A rook in hand", "2k/3/K2 b Rr 1", Easy, win(7)),
    setup("gold-hand-pawn", "A gold, a pawn in hand", "1gk/3/KG1 b Pp 1", Easy, win(7)),
    setup("gold-hand-rook", "A gold, a rook in hand", "1gk/3/KG1 b Rr 1", Easy, win(7)),
    setup("knight-lance", "Knight and lance", "nlk/3/KLN b - 1", Easy, win(7)),
    setup("pawn-gold", "Gold and pawn", "pgk/3/KGP b - 1", Easy, win(7)),
    setup("lance-gold", "Lance and gold", "glk/3/KLG b - 1", Easy, win(9)),
    setup("hand-silver", "A silver in hand", "2k/3/K2 b Ss 1", Easy, win(9)),
    setup("bishop-middle", "The king between bishop and edge", "1kb/3/BK1 b - 1", Easy, win(9)),
    setup("silver-lance", "Silver and lance", "slk/3/KLS b - 1", Easy, win(9)),
    setup("silver-gold-apart", "Silver and gold", "gsk/3/KSG b - 1", Easy, loss(8)),
    setup(
        "corner-gold-hand-lance",
        "A gold in the corner, a lance in hand",
        "g1k/3/K1G b Ll 1",
        Easy,
        win(11),
    ),
    setup("silver-hand-pawn", "Silver, a pawn in hand", "s1k/3/K1S b Pp 1", Medium, win(13)),
    setup("knight-pawn", "Knight and pawn", "npk/3/KPN b - 1", Medium, DRAW),
    setup(
        "middle-hand-rook",
        "Kings in the middle, a rook in hand",
        "1k1/3/1K1 b Rr 1",
        Medium,
        win(13),
    ),
    setup(
        "pawn-hand-bishop",
        "A pawn in the corner, a bishop in hand",
        "p1k/3/K1P b Bb 1",
        Medium,
        win(13),
    ),
    setup("hand-rook-pawn", "Rook and pawn in hand", "2k/3/K2 b RPrp 1", Medium, win(15)),
    setup("hand-lance-pawn", "Lance and pawn in hand", "2k/3/K2 b LPlp 1", Medium, win(15)),
    setup("bishop-hand-pawn", "A bishop, a pawn in hand", "1bk/3/KB1 b Pp 1", Medium, win(15)),
    setup("rook-middle", "The king between rook and edge", "1kr/3/RK1 b - 1", Medium, win(17)),
    setup("lance-hand-pawn", "A lance, a pawn in hand", "1lk/3/KL1 b Pp 1", Medium, win(17)),
    setup("bishop", "A bishop beside the king", "1bk/3/KB1 b - 1", Medium, loss(10)),
    setup(
        "rook-pawn-around",
        "The king between rook and pawn",
        "rkp/3/PKR b - 1",
        Medium,
        loss(14),
    ),
    setup("corner-pawn", "A pawn in the corner", "p1k/3/K1P b - 1", Medium, DRAW),
    setup("hand-knight-pawn", "Knight and pawn in hand", "2k/3/K2 b NPnp 1", Hard, win(21)),
    setup("hand-knight-lance", "Knight and lance in hand", "2k/3/K2 b NLnl 1", Hard, win(21)),
    setup("pawn-in-hand", "A pawn in hand", "2k/3/K2 b Pp 1", Hard, win(21)),
    setup("lance-pawn-around", "The king between lance and pawn", "lkp/3/PKL b - 1", Hard, win(21)),
    setup("pawn-hand-rook", "A pawn, a rook in hand", "1pk/3/KP1 b Rr 1", Hard, win(21)),
    setup("lance-hand-knight", "A lance, a knight in hand", "1lk/3/KL1 b Nn 1", Hard, win(23)),
    setup("gold-hand-knight", "A gold, a knight in hand", "1gk/3/KG1 b Nn 1", Hard, win(27)),
    setup("hand-silver-pawn", "Silver and pawn in hand", "2k/3/K2 b SPsp 1", Hard, win(27)),
    setup("edge-pawn-hand-bishop", "A pawn, a bishop in hand", "1pk/3/KP1 b Bb 1", Hard, loss(24)),
    setup(
        "rook-middle-hand-pawn",
        "The king between rook and edge, a pawn in hand",
        "1kr/3/RK1 b Pp 1",
        Hard,
        DRAW,
    ),
    setup("pawn-hand-gold", "A pawn, a gold in hand", "1pk/3/KP1 b Gg 1", Hard, DRAW),
    setup(
        "corner-knight-hand-lance",
        "A knight in the corner, a lance in hand",
        "n1k/3/K1N b Ll 1",
        Hard,
        DRAW,
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::{Solution, Within};
    use crate::{Shogi3, sfen};

    #[test]
    fn every_set_up_is_worth_what_the_catalogue_says() {
        let mut seen = std::collections::HashSet::new();
        for setup in SETUPS {
            let p = sfen::read(setup.position).unwrap();
            assert!(seen.insert(setup.position), "{} is listed twice", setup.id);
            assert_eq!(sfen::faults(&p), Vec::<String>::new(), "{}", setup.id);
            let solution = Solution::of(Shogi3::default(), &p, &Within::bytes(1 << 28)).unwrap();
            let worth = solution.worth(&p).unwrap();
            let found = Some((worth.value, worth.distance.map(u32::from)));
            assert_eq!(found, setup.worth, "{}", setup.id);
        }
        assert!(SETUPS.is_sorted_by_key(|setup| setup.grade));
        assert!(SETUPS.len() >= 40);
    }
}
