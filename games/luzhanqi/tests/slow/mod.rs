//! Moves from the words of the rules page, station by station and without any cleverness.

use kiban_testkit::Random;
use std::collections::{BTreeMap, BTreeSet};

/// A piece: its side (0 Red, 1 Black; or the arm), its letter `a` to `l`, whether it is face down.
type Piece = (usize, char, bool);
type Stations = BTreeMap<usize, Piece>;

const ARMS: [&str; 4] = ["S", "E", "N", "W"];
/// How many of each letter `a` to `l` a side has.
const COUNTS: [usize; 12] = [1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 2, 1];

pub(crate) struct Slow {
    four: bool,
    flip: bool,
    hq_free: bool,
    taker: &'static str,
    bomb_flag: bool,
    names: Vec<String>,
    camps: BTreeSet<usize>,
    headquarters: BTreeSet<usize>,
    /// Straight railways.
    lines: Vec<Vec<usize>>,
    roads: BTreeSet<(usize, usize)>,
}

impl Slow {
    pub(crate) fn of(variant: &str) -> Slow {
        let four = variant.starts_with("four");
        let flip = variant == "flip";
        let taker = match variant {
            v if flip || v.contains("engineer-after-mines") => "engineer",
            v if v.contains("not-marshal") => "not-marshal",
            _ => "anyone",
        };
        let mut slow = Slow {
            four,
            flip,
            hq_free: flip || variant.contains("hq=free"),
            taker,
            bomb_flag: !flip && !variant.contains("bomb-flag=forbidden"),
            names: Vec::new(),
            camps: BTreeSet::new(),
            headquarters: BTreeSet::new(),
            lines: Vec::new(),
            roads: BTreeSet::new(),
        };
        if four {
            slow.four_stations()
        } else {
            slow.two_stations()
        }
        slow
    }

    fn two_stations(&mut self) {
        for rank in 1..=12 {
            self.names.extend("abcde".chars().map(|file| format!("{file}{rank}")));
        }
        self.camps = self.all("b3 d3 c4 b5 d5 b10 d10 c9 b8 d8");
        self.headquarters = self.all("b1 d1 b12 d12");
        for rank in [2, 6, 7, 11] {
            self.line(&format!("a{rank} b{rank} c{rank} d{rank} e{rank}"));
        }
        for file in ["a", "e"] {
            let stations: Vec<String> = (2..=11).map(|rank| format!("{file}{rank}")).collect();
            self.line(&stations.join(" "));
        }
        self.line("c6 c7");
        for half in [1, 7] {
            self.half("", half);
        }
        // The crossings are a, c and e: all three are rails.
    }

    fn four_stations(&mut self) {
        for arm in ARMS {
            for rank in 1..=6 {
                self.names.extend("abcde".chars().map(|file| format!("{arm}{file}{rank}")));
            }
        }
        self.names.extend((1..=9).map(|n| format!("m{n}")));
        for (arm, left) in [("S", "W"), ("E", "S"), ("N", "E"), ("W", "N")] {
            self.camps.extend(self.all(&format!("{arm}b3 {arm}d3 {arm}c4 {arm}b5 {arm}d5")));
            self.headquarters.extend(self.all(&format!("{arm}b1 {arm}d1")));
            for r in [2, 6] {
                self.line(&format!("{arm}a{r} {arm}b{r} {arm}c{r} {arm}d{r} {arm}e{r}"));
            }
            self.line(&format!("{} {}", up(arm, "a"), down(left, "e")));
            self.half(arm, 1);
        }
        for (from, through, to) in [
            (up("S", "a"), "m7 m4 m1", down("N", "e")),
            (up("S", "e"), "m9 m6 m3", down("N", "a")),
            (up("E", "a"), "m9 m8 m7", down("W", "e")),
            (up("E", "e"), "m3 m2 m1", down("W", "a")),
            ("Sc6".to_string(), "m8 m5 m2", "Nc6".to_string()),
            ("Ec6".to_string(), "m6 m5 m4", "Wc6".to_string()),
        ] {
            self.line(&format!("{from} {through} {to}"));
        }
    }

    fn all(&self, names: &str) -> BTreeSet<usize> {
        names.split_whitespace().map(|name| self.index(name)).collect()
    }

    fn index(&self, name: &str) -> usize {
        self.names.iter().position(|n| n == name).expect("a station")
    }

    fn line(&mut self, names: &str) {
        let line = names.split_whitespace().map(|name| self.index(name)).collect();
        self.lines.push(line);
    }

    fn is_rail(&self, a: usize, b: usize) -> bool {
        let pair = |w: &[usize]| w == [a, b] || w == [b, a];
        self.lines.iter().any(|line| line.windows(2).any(pair))
    }

    /// The roads of six ranks that begin at this one.
    fn half(&mut self, arm: &str, first: i32) {
        let mut found = Vec::new();
        for rank in first..first + 6 {
            for file in 0..5i32 {
                for (df, dr) in [(0, 1), (1, 0), (1, 1), (-1, 1)] {
                    let (f, r) = (file + df, rank + dr);
                    if !(0..5).contains(&f) || r >= first + 6 {
                        continue;
                    }
                    let name = |f: i32, r: i32| format!("{arm}{}{r}", (b'a' + f as u8) as char);
                    let (a, b) = (self.index(&name(file, rank)), self.index(&name(f, r)));
                    let slant = df != 0 && dr != 0;
                    let camp = self.camps.contains(&a) || self.camps.contains(&b);
                    if (slant && camp) || (!slant && !self.is_rail(a, b)) {
                        found.extend([(a, b), (b, a)]);
                    }
                }
            }
        }
        self.roads.extend(found);
    }

    /// The moves of the side to move, sorted.
    pub(crate) fn moves(&self, text: &str) -> Vec<String> {
        let fields: Vec<&str> = text.split(' ').collect();
        let pieces = self.pieces(fields[0]);
        let side = match fields[1] {
            "r" | "S" => Some(0),
            "b" | "E" => Some(1),
            "N" => Some(2),
            "W" => Some(3),
            _ => None,
        };
        let mut moves = Vec::new();
        for (from, (owner, letter, down)) in &pieces {
            if *down {
                moves.push(self.names[*from].clone());
                continue;
            }
            let held = !self.hq_free && self.headquarters.contains(from);
            if Some(*owner) != side || matches!(letter, 'j' | 'l') || held {
                continue;
            }
            for to in self.reached(&pieces, *from, *letter == 'i') {
                if self.may_attack(&pieces, *owner, *letter, to) {
                    moves.push(format!("{}{}", self.names[*from], self.names[to]));
                }
            }
        }
        moves.sort_unstable();
        moves
    }

    fn reached(&self, pieces: &Stations, from: usize, engineer: bool) -> BTreeSet<usize> {
        let mut reached: BTreeSet<usize> =
            self.roads.iter().filter(|(a, _)| *a == from).map(|(_, b)| *b).collect();
        for line in self.lines.iter().filter(|line| line.contains(&from)) {
            let start = line.iter().position(|at| *at == from).expect("it is on the line");
            for (end, to) in line.iter().enumerate() {
                let between = start.min(end) + 1..start.max(end);
                if end != start && line[between].iter().all(|at| !pieces.contains_key(at)) {
                    reached.insert(*to);
                }
            }
        }
        // An engineer goes on from every empty rail station it can reach.
        let mut stops = BTreeSet::from([from]);
        let mut growing = engineer;
        while growing {
            let mut more = BTreeSet::new();
            for pair in self.lines.iter().flat_map(|line| line.windows(2)) {
                for (a, b) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                    if stops.contains(&a) && b != from {
                        reached.insert(b);
                        if !pieces.contains_key(&b) && !stops.contains(&b) {
                            more.insert(b);
                        }
                    }
                }
            }
            growing = !more.is_empty();
            stops.extend(more);
        }
        reached
    }

    fn may_attack(&self, pieces: &Stations, owner: usize, letter: char, to: usize) -> bool {
        let Some((other, its, down)) = pieces.get(&to) else { return true };
        let ally = if self.four { owner % 2 == other % 2 } else { owner == *other };
        if *down || self.camps.contains(&to) || ally {
            return false;
        }
        let mines = pieces.values().filter(|(side, l, _)| (side, *l) == (other, 'j')).count();
        match (its, letter, self.taker) {
            ('l', 'k', _) => self.bomb_flag,
            ('l', letter, "engineer") => letter == 'i' && mines == 0,
            ('l', letter, "not-marshal") => letter != 'a',
            _ => true,
        }
    }

    /// The stations in the order of a position's text.
    fn order(&self) -> Vec<Vec<usize>> {
        let row = |first: usize, n: usize| (first..first + n).collect();
        if !self.four {
            return (0..12).rev().map(|rank| row(rank * 5, 5)).collect();
        }
        let arms = (0..4).flat_map(|arm| (0..6).rev().map(move |rank| arm * 30 + rank * 5));
        arms.map(|first| row(first, 5)).chain([row(120, 3), row(123, 3), row(126, 3)]).collect()
    }

    fn pieces(&self, board: &str) -> Stations {
        let mut pieces = Stations::new();
        for (row, text) in self.order().iter().zip(board.split('/')) {
            let (mut stations, mut down) = (row.iter(), false);
            let mut arm = None;
            for c in text.chars() {
                match (c, c.to_digit(10)) {
                    (_, Some(n)) => drop(stations.by_ref().take(n as usize).count()),
                    ('~', None) => down = true,
                    ('S' | 'E' | 'N' | 'W', None) if self.four => {
                        arm = ARMS.iter().position(|a| *a == c.to_string());
                    }
                    (c, None) => {
                        let side = arm.unwrap_or(usize::from(c.is_ascii_lowercase()));
                        let at = stations.next().expect("a row has room");
                        pieces.insert(*at, (side, c.to_ascii_lowercase(), down));
                        down = false;
                    }
                }
            }
        }
        pieces
    }

    /// A position anybody could ask about: some of the pieces of each side anywhere the rules let
    /// them come.
    pub(crate) fn any_position(&self, random: &mut Random) -> String {
        let sides = if self.four { 4 } else { 2 };
        let begun = !self.flip || random.below(12) > 0;
        let mut pieces = Stations::new();
        let out: Vec<usize> =
            if self.four && random.below(3) == 0 { vec![random.below(4)] } else { Vec::new() };
        let full = 1 + random.below(24);
        // The flags first, as they have the fewest stations.
        for (i, letter) in "lkjabcdefghi".chars().enumerate() {
            for side in (0..sides).filter(|side| !out.contains(side)) {
                for _ in 0..COUNTS[(letter as u8 - b'a') as usize] {
                    if i > 0 && random.below(24) >= full {
                        continue;
                    }
                    let down = self.flip && (!begun || random.below(4) == 0);
                    let free: Vec<usize> = (0..self.names.len())
                        .filter(|at| !pieces.contains_key(at))
                        .filter(|at| self.can_be(side, letter, down, *at))
                        .collect();
                    if let Some(at) = random.pick(&free) {
                        pieces.insert(*at, (side, letter, down));
                    }
                }
            }
        }
        let turns: Vec<usize> = (0..sides).filter(|side| !out.contains(side)).collect();
        let turn = *random.pick(&turns).expect("some seat is in");
        let rows: Vec<String> = self.order().iter().map(|row| self.row(&pieces, row)).collect();
        let board = rows.join("/");
        let colour = ["r", "b"];
        match (self.four, self.flip) {
            (true, _) => {
                let inside: String = turns.iter().map(|side| ARMS[*side]).collect();
                format!("{board} {} 0 0 - {inside}", ARMS[turn])
            }
            (_, true) if !begun => format!("{board} - 0 0 - -"),
            (_, true) => format!("{board} {} 0 9 - {}", colour[turn], colour[random.below(2)]),
            _ => format!("{board} {} 0 0 -", colour[turn]),
        }
    }

    /// Whether a piece can have come to this station.
    fn can_be(&self, side: usize, letter: char, down: bool, at: usize) -> bool {
        if self.flip {
            // Nothing is dealt into a camp, and mines and flags never move.
            return !(down || matches!(letter, 'j' | 'l')) || !self.camps.contains(&at);
        }
        let back = match (self.four, side) {
            (true, side) => (side * 30..side * 30 + 10).contains(&at),
            (false, 0) => at < 10,
            (false, _) => at >= 50,
        };
        match letter {
            'l' => back && self.headquarters.contains(&at),
            'j' => back,
            _ => true,
        }
    }

    fn row(&self, pieces: &Stations, row: &[usize]) -> String {
        let mut text = String::new();
        let mut empty = 0;
        for at in row {
            let Some((side, letter, down)) = pieces.get(at) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push_str(if *down { "~" } else { "" });
            match (self.four, side) {
                (true, side) => text.push_str(&format!("{}{letter}", ARMS[*side])),
                (false, 0) => text.push(letter.to_ascii_uppercase()),
                (false, _) => text.push(*letter),
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    }
}

fn up(arm: &str, file: &str) -> String {
    (2..=6).map(|rank| format!("{arm}{file}{rank}")).collect::<Vec<_>>().join(" ")
}

fn down(arm: &str, file: &str) -> String {
    (2..=6).rev().map(|rank| format!("{arm}{file}{rank}")).collect::<Vec<_>>().join(" ")
}
