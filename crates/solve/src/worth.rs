//! What a position is worth.

use kiban_core::Value;

/// What a position is worth to the side to move, history ignored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// Win, draw or loss.
    pub value: Value,
    /// Plies to the end when the winner plays fastest and the loser slowest; `None` for a draw.
    pub distance: Option<u16>,
}

impl Worth {
    /// Neither side wins.
    pub const DRAW: Worth = Worth { value: Value::Draw, distance: None };

    /// The side to move wins in so many plies.
    pub const fn win(plies: u16) -> Worth {
        Worth { value: Value::Win, distance: Some(plies) }
    }

    /// The side to move loses in so many plies; 0 is now.
    pub const fn loss(plies: u16) -> Worth {
        Worth { value: Value::Loss, distance: Some(plies) }
    }

    /// The same seen by the other side, one ply earlier.
    pub fn before(self) -> Worth {
        let value = match self.value {
            Value::Win => Value::Loss,
            Value::Draw => Value::Draw,
            Value::Loss => Value::Win,
        };
        Worth { value, distance: self.distance.map(|plies| plies + 1) }
    }

    /// The better it is for the side to move, the larger: quick wins before slow ones, then draws,
    /// then losses, the slow ones first.
    pub fn rank(self) -> i32 {
        const FAR: i32 = 1 << 20;
        let plies = i32::from(self.distance.unwrap_or(0));
        match self.value {
            Value::Win => FAR - plies,
            Value::Draw => 0,
            Value::Loss => plies - FAR,
        }
    }

    /// 0 for a draw, else one more than twice the distance, and one more for a win.
    pub(crate) fn code(self) -> u16 {
        self.distance.map_or(0, |plies| 2 * plies + 1 + u16::from(self.value == Value::Win))
    }

    pub(crate) fn of_code(code: u16) -> Worth {
        match code {
            0 => Worth::DRAW,
            code if code % 2 == 0 => Worth::win(code / 2 - 1),
            code => Worth::loss(code / 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worth_has_a_code_of_its_own() {
        let all = (0..500).flat_map(|plies| [Worth::win(plies), Worth::loss(plies)]);
        let all: Vec<Worth> = all.chain([Worth::DRAW]).collect();
        assert!(all.iter().all(|worth| Worth::of_code(worth.code()) == *worth));
    }

    #[test]
    fn quick_wins_and_slow_losses_are_the_better_ones() {
        let order = [Worth::win(1), Worth::win(9), Worth::DRAW, Worth::loss(8), Worth::loss(0)];
        assert!(order.is_sorted_by_key(|worth| -worth.rank()));
        assert_eq!(Worth::loss(4).before(), Worth::win(5));
    }
}
