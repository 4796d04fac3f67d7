//! The two boards as graphs: stations, roads, railways and the straight lines along them.

use std::sync::LazyLock;

/// A station's index. Two players: `(rank - 1) * 5 + file`. Four: thirty an arm, counted as its
/// owner sees it, then the centre, far row first as South sees it.
pub type Station = u8;

/// The stations of the larger board: room for a position of either.
pub const MOST: usize = 129;
/// Files of an arm.
pub(crate) const FILES: u8 = 5;
/// Ranks of an arm.
pub(crate) const RANKS: u8 = 6;
/// Stations of an arm.
pub(crate) const ARM: u8 = FILES * RANKS;
/// The four arms in the order of their turns.
pub(crate) const ARM_LETTERS: [char; 4] = ['S', 'E', 'N', 'W'];

/// What stands at a station.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A post: 兵站.
    Post,
    /// A camp: 行营. Whoever stands in it is safe.
    Camp,
    /// A headquarters: 大本营.
    Headquarters,
}

/// A board.
#[derive(Debug)]
pub struct Board {
    /// What each station is.
    pub kinds: Vec<Kind>,
    /// Neighbours by road.
    pub roads: Vec<Vec<Station>>,
    /// Neighbours by rail.
    pub rails: Vec<Vec<Station>>,
    /// For each station, the stretches of straight railway that begin there.
    pub rays: Vec<Vec<Vec<Station>>>,
    /// Each station's name.
    pub names: Vec<String>,
}

/// The board of two players.
pub static TWO: LazyLock<Board> = LazyLock::new(two);
/// The board of four players.
pub static FOUR: LazyLock<Board> = LazyLock::new(four);

impl Board {
    /// The board for so many seats.
    pub fn of(four: bool) -> &'static Board {
        if four { &FOUR } else { &TWO }
    }

    /// How many stations.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether it has no station; never.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// What a station is.
    pub fn kind(&self, at: Station) -> Kind {
        self.kinds[usize::from(at)]
    }

    /// Whether a stretch of straight railway runs through a curve, from an arm into the next.
    pub(crate) fn is_curved(&self, stretch: &[Station]) -> bool {
        let arm = |at: Station| at / ARM;
        let four = self.len() == MOST;
        four && stretch.windows(2).any(|two| {
            arm(two[0]) != arm(two[1]) && arm(two[0]).max(arm(two[1])) < ARM_LETTERS.len() as u8
        })
    }

    /// The station of this name.
    pub fn station(&self, name: &str) -> Option<Station> {
        self.names.iter().position(|n| n == name).map(|i| i as Station)
    }

    /// The rail and road edges, each once.
    pub fn edges(&self) -> (usize, usize) {
        let count = |of: &[Vec<Station>]| of.iter().map(Vec::len).sum::<usize>() / 2;
        (count(&self.rails), count(&self.roads))
    }

    fn with(names: Vec<String>, kinds: Vec<Kind>, lines: &[Vec<Station>]) -> Board {
        let n = names.len();
        let mut board = Board {
            kinds,
            roads: vec![Vec::new(); n],
            rails: vec![Vec::new(); n],
            rays: vec![Vec::new(); n],
            names,
        };
        for line in lines {
            for (i, at) in line.iter().enumerate() {
                let ahead = line[i + 1..].to_vec();
                let back = line[..i].iter().rev().copied().collect::<Vec<_>>();
                for ray in [ahead, back].into_iter().filter(|ray| !ray.is_empty()) {
                    join(&mut board.rails, *at, ray[0]);
                    board.rays[usize::from(*at)].push(ray);
                }
            }
        }
        board
    }

    /// A road, unless the two are joined by rail.
    fn road(&mut self, a: Station, b: Station) {
        if !self.rails[usize::from(a)].contains(&b) {
            join(&mut self.roads, a, b);
        }
    }

    /// The roads of one half: every orthogonal pair without rail, and the camps' diagonals. `at`
    /// gives the station of a file and rank, counted from 0.
    fn half_roads(&mut self, at: impl Fn(u8, u8) -> Station) {
        for rank in 0..RANKS {
            for file in 0..FILES {
                if file + 1 < FILES {
                    self.road(at(file, rank), at(file + 1, rank));
                }
                if rank + 1 < RANKS {
                    self.road(at(file, rank), at(file, rank + 1));
                }
                if kind(file, rank) == Kind::Camp {
                    for (f, r) in [
                        (file - 1, rank - 1),
                        (file + 1, rank - 1),
                        (file - 1, rank + 1),
                        (file + 1, rank + 1),
                    ] {
                        self.road(at(file, rank), at(f, r));
                    }
                }
            }
        }
    }
}

fn join(neighbours: &mut [Vec<Station>], a: Station, b: Station) {
    for (from, to) in [(a, b), (b, a)] {
        if !neighbours[usize::from(from)].contains(&to) {
            neighbours[usize::from(from)].push(to);
        }
    }
}

/// What stands on a file and rank of one's own half, counted from 0.
pub(crate) fn kind(file: u8, rank: u8) -> Kind {
    match (file, rank) {
        (1 | 3, 0) => Kind::Headquarters,
        (1 | 3, 2 | 4) | (2, 3) => Kind::Camp,
        _ => Kind::Post,
    }
}

/// A file's letter.
pub(crate) fn file_letter(file: u8) -> char {
    char::from(b'a' + file)
}

fn two() -> Board {
    let at = |file: u8, rank: u8| rank * FILES + file;
    let stations = || (0..2 * RANKS).flat_map(|rank| (0..FILES).map(move |file| (file, rank)));
    let names = stations().map(|(file, rank)| format!("{}{}", file_letter(file), rank + 1));
    let kinds = stations().map(|(file, rank)| kind(file, rank.min(2 * RANKS - 1 - rank)));
    let mut lines: Vec<Vec<Station>> =
        [1, 5, 6, 10].map(|rank| (0..FILES).map(|file| at(file, rank)).collect()).to_vec();
    lines.extend([0, 4].map(|file| (1..=10).map(|rank| at(file, rank)).collect::<Vec<_>>()));
    // A line of its own: what slides along rank 6 cannot turn onto c7.
    lines.push(vec![at(2, 5), at(2, 6)]);
    let mut board = Board::with(names.collect(), kinds.collect(), &lines);
    board.half_roads(at);
    board.half_roads(|file, rank| at(file, 2 * RANKS - 1 - rank));
    board
}

/// The centre's stations beside a6, c6 and e6 of each arm.
const GATES: [[u8; 3]; 4] = [[7, 8, 9], [9, 6, 3], [3, 2, 1], [1, 4, 7]];

/// The station of a number of the centre, from 1.
pub(crate) fn centre(number: u8) -> Station {
    4 * ARM + number - 1
}

fn four() -> Board {
    let at = |arm: u8, file: u8, rank: u8| arm * ARM + rank * FILES + file;
    let (mut names, mut kinds) = (Vec::new(), Vec::new());
    for letter in ARM_LETTERS {
        for (rank, file) in (0..RANKS).flat_map(|rank| (0..FILES).map(move |file| (rank, file))) {
            names.push(format!("{letter}{}{}", file_letter(file), rank + 1));
            kinds.push(kind(file, rank));
        }
    }
    names.extend((1..=9).map(|number| format!("m{number}")));
    kinds.extend([Kind::Post; 9]);
    let up = |arm: u8, file: u8| (1..RANKS).map(move |rank| at(arm, file, rank));
    let mut lines: Vec<Vec<Station>> = Vec::new();
    for arm in 0..4 {
        lines.extend(
            [1, 5].map(|rank| (0..FILES).map(|file| at(arm, file, rank)).collect::<Vec<_>>()),
        );
        // The curve: file a, then file e of the left neighbour.
        lines.push(up(arm, 0).chain(up((arm + 3) % 4, 4).rev()).collect());
    }
    for arm in 0..2 {
        let [gates, far] = [GATES[usize::from(arm)], GATES[usize::from(arm) + 2]];
        for (i, file) in [0, 2, 4].into_iter().enumerate() {
            // Opposite arms face each other: one's file a runs into the other's file e.
            let (near, other) = (gates[i], far[2 - i]);
            let through = [near, (near + other) / 2, other].map(centre);
            let own = up(arm, file).skip(if file == 2 { 4 } else { 0 });
            let opposite = up(arm + 2, 4 - file).rev().take(if file == 2 { 1 } else { 5 });
            lines.push(own.chain(through).chain(opposite).collect());
        }
    }
    let mut board = Board::with(names, kinds, &lines);
    for arm in 0..4 {
        board.half_roads(|file, rank| at(arm, file, rank));
    }
    board
}
