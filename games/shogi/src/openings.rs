//! Openings for matches.

const LIST: &str = include_str!("../data/openings.txt");

/// The openings, their moves separated by spaces.
pub(crate) fn lines() -> Vec<String> {
    let lines = LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moves::Move;
    use crate::position::Position;

    #[test]
    fn every_opening_can_be_played_and_no_two_are_the_same() {
        let lines = lines();
        let mut ends = std::collections::HashSet::new();
        for line in &lines {
            let mut p = Position::start();
            for text in line.split(' ') {
                let m = Move::from_usi(text).expect("a move");
                assert!(p.legal_moves().to_vec().contains(&m), "{text} of {line}");
                p.play(m);
            }
            assert!(ends.insert(p.to_sfen()), "{line} is there twice");
        }
        assert!(lines.len() >= 50);
    }
}
