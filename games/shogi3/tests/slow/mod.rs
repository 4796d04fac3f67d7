//! The rules page read a second time, slowly and from nothing: squares and pieces as text, every move
//! tried. Shares no code with the crate.

use std::collections::{BTreeMap, BTreeSet};

/// File (3 is the leftmost) and rank (1 is gote's).
pub(crate) type Place = (i32, i32);

/// A piece on the board: whose (0 is sente), its letter, whether it is promoted.
type Piece = (usize, char, bool);

/// A game so far.
#[derive(Clone)]
pub(crate) struct Slow {
    stalemate_draws: bool,
    pawn_mates: bool,
    endless_checks_draw: bool,
    board: BTreeMap<Place, Piece>,
    hands: [BTreeMap<char, usize>; 2],
    turn: usize,
    /// Each position that was, and whether the side to move was in check in it.
    history: Vec<(String, bool)>,
}

/// Steps and slides of a piece that plays towards rank 1.
fn ways(letter: char, promoted: bool) -> (Vec<Place>, Vec<Place>) {
    let gold = vec![(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (0, 1)];
    let straight = vec![(0, -1), (0, 1), (-1, 0), (1, 0)];
    let diagonal = vec![(-1, -1), (1, -1), (-1, 1), (1, 1)];
    match (letter, promoted) {
        ('K', _) => ([straight, diagonal].concat(), vec![]),
        ('R', false) => (vec![], straight),
        ('R', true) => (diagonal, straight),
        ('B', false) => (vec![], diagonal),
        ('B', true) => (straight, diagonal),
        ('G', _) | ('S' | 'N' | 'L' | 'P', true) => (gold, vec![]),
        ('S', _) => ([diagonal, vec![(0, -1)]].concat(), vec![]),
        ('N', _) => (vec![(-1, -2), (1, -2)], vec![]),
        ('L', _) => (vec![], vec![(0, -1)]),
        ('P', _) => (vec![(0, -1)], vec![]),
        other => panic!("{other:?} is no piece"),
    }
}

fn on_board((file, rank): Place) -> bool {
    (1..=3).contains(&file) && (1..=3).contains(&rank)
}

fn name((file, rank): Place) -> String {
    format!("{file}{}", ["a", "b", "c"][rank as usize - 1])
}

fn place(name: &str) -> Place {
    let bytes = name.as_bytes();
    (i32::from(bytes[0] - b'0'), i32::from(bytes[1] - b'a') + 1)
}

/// A rank as its owner counts it: 1 is the far one.
fn far(side: usize, (_, rank): Place) -> i32 {
    if side == 0 { rank } else { 4 - rank }
}

impl Slow {
    /// A game from a position's text, under a variant's options.
    pub(crate) fn new(variant: &str, text: &str) -> Slow {
        let mut fields = text.split(' ');
        let mut board = BTreeMap::new();
        for (rank, row) in (1..).zip(fields.next().expect("a board").split('/')) {
            let (mut file, mut promoted) = (3, false);
            for c in row.chars() {
                match c {
                    '+' => promoted = true,
                    '1'..='3' => file -= c.to_digit(10).expect("a digit") as i32,
                    _ => {
                        let side = usize::from(c.is_ascii_lowercase());
                        board.insert((file, rank), (side, c.to_ascii_uppercase(), promoted));
                        (file, promoted) = (file - 1, false);
                    }
                }
            }
        }
        let turn = usize::from(fields.next() == Some("w"));
        let mut hands = [BTreeMap::new(), BTreeMap::new()];
        let mut count = 1;
        for c in fields.next().expect("hands").chars().filter(|c| *c != '-') {
            match c.to_digit(10) {
                Some(n) => count = n as usize,
                None => {
                    let side = usize::from(c.is_ascii_lowercase());
                    *hands[side].entry(c.to_ascii_uppercase()).or_insert(0) += count;
                    count = 1;
                }
            }
        }
        let mut slow = Slow {
            stalemate_draws: variant.contains("stalemate=draw"),
            pawn_mates: variant.contains("uchifuzume=allowed"),
            endless_checks_draw: variant.contains("perpetual-check=draw"),
            board,
            hands,
            turn,
            history: Vec::new(),
        };
        slow.remember();
        slow
    }

    fn remember(&mut self) {
        let key = format!("{:?} {:?} {}", self.board, self.hands, self.turn);
        self.history.push((key, self.checked(self.turn)));
    }

    /// Squares a piece may move to, its own side's apart.
    fn targets(&self, from: Place) -> BTreeSet<Place> {
        let (side, letter, promoted) = self.board[&from];
        let (steps, slides) = ways(letter, promoted);
        let forward = if side == 0 { 1 } else { -1 };
        let mut to = BTreeSet::new();
        for (list, longest) in [(steps, 1), (slides, 2)] {
            for (files, ranks) in list {
                for n in 1..=longest {
                    let at = (from.0 + n * forward * files, from.1 + n * forward * ranks);
                    if !on_board(at) {
                        break;
                    }
                    let there = self.board.get(&at);
                    if there.is_none_or(|piece| piece.0 != side) {
                        to.insert(at);
                    }
                    if there.is_some() {
                        break;
                    }
                }
            }
        }
        to
    }

    fn checked(&self, side: usize) -> bool {
        let king = self.board.iter().find(|(_, piece)| **piece == (side, 'K', false));
        let king = *king.expect("every side has a king").0;
        let hits = |at: &Place| self.board[at].0 != side && self.targets(*at).contains(&king);
        self.board.keys().any(hits)
    }

    /// Moves that move pieces as they move and drop them where they may stand, whatever becomes of
    /// the kings.
    fn candidates(&self) -> Vec<String> {
        let side = self.turn;
        let mut moves = Vec::new();
        for (from, (_, letter, promoted)) in self.board.iter().filter(|(_, p)| p.0 == side) {
            for to in self.targets(*from) {
                let text = name(*from) + &name(to);
                let touches = far(side, *from) == 1 || far(side, to) == 1;
                if touches && !promoted && !"GK".contains(*letter) {
                    moves.push(format!("{text}+"));
                }
                if *promoted || !stuck(side, *letter, to) {
                    moves.push(text);
                }
            }
        }
        let squares = (1..=3).flat_map(|file| (1..=3).map(move |rank| (file, rank)));
        for to in squares.filter(|at| !self.board.contains_key(at)) {
            for letter in self.hands[side].keys().filter(|l| !stuck(side, **l, to)) {
                let pawn =
                    |(at, piece): (&Place, &Piece)| at.0 == to.0 && *piece == (side, 'P', false);
                if *letter != 'P' || !self.board.iter().any(pawn) {
                    moves.push(format!("{letter}*{}", name(to)));
                }
            }
        }
        moves
    }

    /// The game after a move, without memory.
    fn after(&self, text: &str) -> Slow {
        let mut next = self.clone();
        let side = self.turn;
        if let Some((letter, to)) = text.split_once('*') {
            let letter = letter.chars().next().expect("a letter");
            let left = next.hands[side].get_mut(&letter).expect("in hand");
            *left -= 1;
            next.hands[side].retain(|_, count| *count > 0);
            next.board.insert(place(to), (side, letter, false));
        } else {
            let (from, to) = (place(&text[..2]), place(&text[2..4]));
            let (_, letter, promoted) = next.board.remove(&from).expect("a piece");
            let piece = (side, letter, promoted || text.ends_with('+'));
            if let Some((_, taken, _)) = next.board.insert(to, piece) {
                *next.hands[side].entry(taken).or_insert(0) += 1;
            }
        }
        next.turn = 1 - side;
        next
    }

    fn safe(&self, text: &str) -> bool {
        !self.after(text).checked(self.turn)
    }

    /// Whether a pawn's drop mates: no answer helps, and none of them is a drop.
    fn mates_by_pawn(&self, text: &str) -> bool {
        let after = self.after(text);
        text.starts_with("P*")
            && after.checked(after.turn)
            && !after.candidates().iter().any(|answer| after.safe(answer))
    }

    /// The legal moves, sorted; none when the game is over.
    pub(crate) fn legal(&self) -> Vec<String> {
        if self.outcome().is_some() { Vec::new() } else { self.moves() }
    }

    fn moves(&self) -> Vec<String> {
        let legal =
            |text: &String| self.safe(text) && (self.pawn_mates || !self.mates_by_pawn(text));
        let mut moves: Vec<String> = self.candidates().into_iter().filter(legal).collect();
        moves.sort();
        moves
    }

    /// Whether a legal move gives check.
    pub(crate) fn gives_check(&self, text: &str) -> bool {
        let after = self.after(text);
        after.checked(after.turn)
    }

    /// Plays a legal move.
    pub(crate) fn play(&mut self, text: &str) {
        *self = self.after(text);
        self.remember();
    }

    /// Result and reason, once the game is over.
    pub(crate) fn outcome(&self) -> Option<(&'static str, &'static str)> {
        let winner = |side: usize| if side == 0 { "first" } else { "second" };
        if self.moves().is_empty() {
            return Some(match (self.checked(self.turn), self.stalemate_draws) {
                (true, _) => (winner(1 - self.turn), "checkmate"),
                (false, true) => ("draw", "stalemate"),
                (false, false) => (winner(1 - self.turn), "stalemate"),
            });
        }
        let (now, _) = self.history.last().expect("there is a position");
        let same: Vec<usize> =
            (0..self.history.len()).filter(|i| self.history[*i].0 == *now).collect();
        if same.len() < 4 {
            return None;
        }
        // Since it first stood: positions that the side not to move now made, and those of the other.
        let since = &self.history[same[0] + 1..];
        let all =
            |offset: usize| since.iter().rev().skip(offset).step_by(2).all(|(_, check)| *check);
        if self.endless_checks_draw {
            return Some(("draw", "sennichite"));
        }
        match (all(0), all(1)) {
            (true, false) => Some((winner(self.turn), "perpetual-check")),
            (false, true) => Some((winner(1 - self.turn), "perpetual-check")),
            _ => Some(("draw", "sennichite")),
        }
    }
}

/// Whether an unpromoted piece could never move again from here.
fn stuck(side: usize, letter: char, at: Place) -> bool {
    match letter {
        'P' | 'L' => far(side, at) == 1,
        'N' => far(side, at) <= 2,
        _ => false,
    }
}
