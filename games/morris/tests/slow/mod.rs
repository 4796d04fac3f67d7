//! A second set of rules, slow and plain, written from the rules page alone: it shares no code
//! with the crate. Points are file and rank on a grid, lines are found by walking.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A point: steps right and up from the middle of the board.
pub(crate) type At = (i32, i32);

/// What a variant's text says.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) men: usize,
    size: i32,
    diagonals: bool,
    early_slides: bool,
    short_endgame: bool,
    flying: String,
    take: String,
    double: String,
    blocked: String,
}

impl Options {
    /// Reads a variant such as `six,flying=at-four`.
    pub(crate) fn read(text: &str) -> Options {
        let mut parts = text.split(',');
        let name = parts.next().expect("a name");
        let said: BTreeMap<&str, &str> =
            parts.map(|part| part.split_once('=').expect("key and value")).collect();
        let get = |key: &str, or: &str| said.get(key).copied().unwrap_or(or).to_string();
        Options {
            men: match name {
                "six" => 6,
                "lasker" => 10,
                "twelve" | "morabaraba" => 12,
                _ => 9,
            },
            size: if name == "six" { 5 } else { 7 },
            diagonals: name == "twelve" || name == "morabaraba",
            early_slides: name == "lasker",
            short_endgame: name == "morabaraba",
            flying: get("flying", if name == "six" { "never" } else { "at-three" }),
            take: get("remove-from-mills", "when-all-in-mills"),
            double: get("double-mill", "one"),
            blocked: get("blocked", "loses"),
        }
    }

    fn middle(&self) -> i32 {
        self.size / 2
    }

    /// Whether a file and rank, from the middle, are a point.
    fn is_point(&self, (x, y): (i32, i32)) -> bool {
        let ring = x.abs().max(y.abs());
        let on_ring = (1..=self.middle()).contains(&ring);
        on_ring && [0, ring].contains(&x.abs()) && [0, ring].contains(&y.abs())
    }

    pub(crate) fn name(&self, (x, y): At) -> String {
        let file = u8::try_from(x + self.middle()).expect("on the grid");
        format!("{}{}", char::from(b'a' + file), y + self.middle() + 1)
    }

    /// Every point, in the order of names.
    pub(crate) fn points(&self) -> Vec<At> {
        let range = -self.middle()..=self.middle();
        let all = range.clone().flat_map(|x| range.clone().map(move |y| (x, y)));
        all.filter(|p| self.is_point(*p)).collect()
    }

    /// The next point from here in this direction, if a line goes there.
    fn step(&self, (x, y): (i32, i32), (dx, dy): (i32, i32)) -> Option<(i32, i32)> {
        let ring = x.abs().max(y.abs());
        let along_ring = dx * x + dy * y == 0 && (dx == 0 || dy == 0);
        let corner = x.abs() == ring && y.abs() == ring;
        if dx != 0 && dy != 0 {
            let outward = x.signum() * dx > 0 && y.signum() * dy > 0;
            let inward = x.signum() * dx < 0 && y.signum() * dy < 0;
            let to = (x + dx, y + dy);
            return (self.diagonals && corner && (outward || inward) && self.is_point(to))
                .then_some(to);
        }
        if corner {
            // Along a side towards its middle.
            let to = (x + dx * ring, y + dy * ring);
            return self.is_point(to).then_some(to).filter(|(x, y)| x.abs().max(y.abs()) == ring);
        }
        let to = if along_ring { (x + dx * ring, y + dy * ring) } else { (x + dx, y + dy) };
        self.is_point(to).then_some(to)
    }

    fn neighbours(&self, point: At) -> Vec<At> {
        let all = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))).filter(|d| *d != (0, 0));
        all.filter_map(|d| self.step(point, d)).collect()
    }

    /// Every line of three points, each once.
    fn mills(&self) -> Vec<[At; 3]> {
        let mut mills = Vec::new();
        for point in self.points() {
            for d in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let one = self.step(point, d);
                let two = one.and_then(|p| self.step(p, d));
                if let (Some(one), Some(two)) = (one, two) {
                    mills.push([point, one, two]);
                }
            }
        }
        mills
    }
}

/// What does not change during a game.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) options: Options,
    points: Vec<At>,
    beside: BTreeMap<At, Vec<At>>,
    mills: Vec<[At; 3]>,
}

/// What makes positions the same.
pub(crate) type Same = (BTreeMap<At, usize>, [usize; 2], usize);

/// A position: who stands where, hands, the turn, the slides since a placing or removal.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) rules: Arc<Rules>,
    pub(crate) board: BTreeMap<At, usize>,
    pub(crate) hand: [usize; 2],
    pub(crate) turn: usize,
    pub(crate) slides: usize,
}

impl Game {
    pub(crate) fn new(variant: &str) -> Game {
        let options = Options::read(variant);
        let points = options.points();
        let rules = Rules {
            beside: points.iter().map(|p| (*p, options.neighbours(*p))).collect(),
            mills: options.mills(),
            points,
            options,
        };
        let hand = [rules.options.men; 2];
        Game { rules: Arc::new(rules), board: BTreeMap::new(), hand, turn: 0, slides: 0 }
    }

    pub(crate) fn same(&self) -> Same {
        (self.board.clone(), self.hand, self.turn)
    }

    fn men(&self, side: usize) -> Vec<At> {
        self.rules.points.iter().filter(|p| self.board.get(*p) == Some(&side)).copied().collect()
    }

    fn in_mill(&self, point: At) -> usize {
        let side = self.board.get(&point);
        let whole = |mill: &&[At; 3]| {
            mill.contains(&point) && mill.iter().all(|p| self.board.get(p) == side)
        };
        self.rules.mills.iter().filter(whole).count()
    }

    fn flies(&self, side: usize) -> bool {
        let left = self.men(side).len();
        self.hand[side] == 0
            && match self.rules.options.flying.as_str() {
                "never" => false,
                "at-four" => left <= 4,
                _ => left == 3,
            }
    }

    /// Steps without removals: from (none: from the hand), to.
    fn steps(&self, side: usize) -> Vec<(Option<At>, At)> {
        let empty = self.rules.points.iter().filter(|p| !self.board.contains_key(p));
        let empty: Vec<At> = empty.copied().collect();
        let mut steps = Vec::new();
        if self.hand[side] > 0 {
            steps.extend(empty.iter().map(|to| (None, *to)));
        }
        if self.hand[side] == 0 || self.rules.options.early_slides {
            for from in self.men(side) {
                for to in &empty {
                    if self.flies(side) || self.rules.beside[&from].contains(to) {
                        steps.push((Some(from), *to));
                    }
                }
            }
        }
        steps
    }

    fn stepped(&self, (from, to): (Option<At>, At)) -> Game {
        let mut next = self.clone();
        match from {
            Some(from) => drop(next.board.remove(&from)),
            None => next.hand[self.turn] -= 1,
        }
        next.board.insert(to, self.turn);
        next.slides = if from.is_some() { self.slides + 1 } else { 0 };
        next
    }

    /// What may be taken after a step that closed so many mills: all sets of points.
    fn takings(&self, closed: usize) -> Vec<Vec<At>> {
        let enemy = 1 - self.turn;
        let all = self.men(enemy);
        let free: Vec<At> = all.iter().filter(|p| self.in_mill(**p) == 0).copied().collect();
        let may = match self.rules.options.take.as_str() {
            "always" => all,
            "never" => free,
            _ if free.is_empty() => all,
            _ => free,
        };
        let wanted = if self.rules.options.double == "two" { closed.min(2) } else { closed.min(1) };
        match wanted.min(may.len()) {
            0 => vec![vec![]],
            1 => may.into_iter().map(|p| vec![p]).collect(),
            _ => {
                let pairs = may.iter().enumerate();
                let pairs = pairs.flat_map(|(i, a)| may[i + 1..].iter().map(move |b| (a, b)));
                pairs.map(|(a, b)| vec![*a, *b]).collect()
            }
        }
    }

    /// Every legal move with the position after it; the text first.
    pub(crate) fn moves(&self) -> Vec<(String, Game)> {
        let mut moves = Vec::new();
        if self.left(0) < 3 || self.left(1) < 3 {
            return moves;
        }
        let name = |point: At| self.rules.options.name(point);
        for (from, to) in self.steps(self.turn) {
            let stepped = self.stepped((from, to));
            let text = from.map_or(String::new(), |from| name(from) + "-") + &name(to);
            for taken in stepped.takings(stepped.in_mill(to)) {
                let (mut next, mut text) = (stepped.clone(), text.clone());
                for point in taken {
                    next.board.remove(&point);
                    next.slides = 0;
                    text += &format!("x{}", name(point));
                }
                next.turn = 1 - self.turn;
                moves.push((text, next));
            }
        }
        let other_moves = !self.steps(1 - self.turn).is_empty();
        if moves.is_empty() && self.rules.options.blocked == "passes" && other_moves {
            let mut next = self.clone();
            next.turn = 1 - self.turn;
            moves.push(("pass".to_string(), next));
        }
        moves
    }

    fn left(&self, side: usize) -> usize {
        self.men(side).len() + self.hand[side]
    }

    /// Result and reason by the position alone.
    pub(crate) fn ended(&self) -> Option<(&'static str, &'static str)> {
        let winner = |side: usize| ["first", "second"][side];
        let few = [self.turn, 1 - self.turn].into_iter().find(|side| self.left(*side) < 3);
        if let Some(side) = few {
            return Some((winner(1 - side), "fewer-than-three"));
        }
        let steps = |side: usize| !self.steps(side).is_empty();
        if steps(self.turn) || (self.rules.options.blocked == "passes" && steps(1 - self.turn)) {
            return None;
        }
        Some(match self.rules.options.blocked.as_str() {
            "loses" => (winner(1 - self.turn), "blocked"),
            _ => ("draw", "blocked"),
        })
    }

    /// Result and reason, after these positions and this one.
    pub(crate) fn verdict(&self, before: &[Same]) -> Option<(&'static str, &'static str)> {
        if let Some(ended) = self.ended() {
            return Some(ended);
        }
        let now = self.same();
        if before.iter().filter(|seen| **seen == now).count() >= 2 {
            return Some(("draw", "repetition"));
        }
        let three = self.left(0) == 3 && self.left(1) == 3;
        let limit = if self.rules.options.short_endgame && three { 20 } else { 100 };
        (self.slides >= limit).then_some(("draw", "no-removal"))
    }

    /// Lines of so many plies.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 || self.ended().is_some() {
            return 1;
        }
        self.moves().iter().map(|(_, next)| next.perft(depth - 1)).sum()
    }

    /// The position's text, with the move number given.
    pub(crate) fn text(&self, number: usize) -> String {
        // Rings from the inside, clockwise from the top middle.
        let middle = self.rules.options.middle();
        let around = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
        let ring = |r: i32| -> String {
            let mark = |(x, y): &At| match self.board.get(&(x * r, y * r)) {
                Some(0) => 'O',
                Some(_) => '@',
                None => '*',
            };
            around.iter().map(mark).collect()
        };
        let board = (1..=middle).map(ring).collect::<Vec<_>>().join("/");
        let phase = if self.hand == [0, 0] { 'm' } else { 'p' };
        format!(
            "{board} {} {phase} {} {} {} {} {} {number}",
            ['w', 'b'][self.turn],
            self.men(0).len(),
            self.hand[0],
            self.men(1).len(),
            self.hand[1],
            self.slides,
        )
    }
}
