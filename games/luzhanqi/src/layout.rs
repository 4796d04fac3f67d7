//! Secret layouts of 25 pieces, and the deal of all 50 in flip.

mod defaults;
pub(crate) mod mix;

use crate::Rank;
use crate::board::{self, ARM, FILES, Kind, RANKS, Station};
use crate::position::Piece;
use kiban_core::{ArrangedKind, Arrangement, Dice, ReadError, Secret};

pub(crate) use defaults::LAYOUTS;

/// Pieces of a side.
pub const PIECES: usize = 25;

/// A side's pieces, front rank first, left to right as its owner sees them, camps skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout(pub(crate) [Rank; PIECES]);

/// A fault of a layout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayoutFault {
    /// It has another number of letters than 25.
    Length(usize),
    /// A letter that names no piece, with its column from 1.
    Letter(char, usize),
    /// Letters in the other order in use, the flag `a` and the marshal `l`.
    Reversed,
    /// More or fewer pieces of a rank than a side has.
    Count(Rank, usize),
    /// The flag outside the headquarters, with its column.
    Flag(usize),
    /// A mine outside the two back ranks, with its column.
    Mine(usize),
    /// A bomb in the front rank, with its column.
    Bomb(usize),
}

impl std::fmt::Display for LayoutFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LayoutFault::Length(n) => {
                write!(f, "A layout has 25 letters, this one {n}; write all pieces, front first.")
            }
            LayoutFault::Letter(c, _) => {
                write!(f, "\"{}\" names no piece; write letters a to l.", c.escape_debug())
            }
            LayoutFault::Reversed => f.write_str(
                "These letters are in the order from a, the flag, to l, the marshal; \
                 write a for the marshal and so on to l for the flag.",
            ),
            LayoutFault::Count(rank, n) => {
                let (letter, count) = (rank.letter(), rank.count());
                write!(f, "The letter {letter} stands {n} times; write it {count} times.")
            }
            LayoutFault::Flag(_) => f.write_str("The flag (l) belongs in a headquarters."),
            LayoutFault::Mine(_) => f.write_str("Mines (j) belong in the two back ranks."),
            LayoutFault::Bomb(_) => f.write_str("Bombs (k) do not belong in the front rank."),
        }
    }
}

impl LayoutFault {
    /// The same in the words of every game.
    pub fn read_error(self) -> ReadError {
        let error = ReadError::new("bad-layout", self.to_string());
        match self {
            LayoutFault::Length(_) | LayoutFault::Reversed | LayoutFault::Count(..) => error,
            LayoutFault::Letter(_, column)
            | LayoutFault::Flag(column)
            | LayoutFault::Mine(column)
            | LayoutFault::Bomb(column) => error.column(column),
        }
    }
}

/// The stations of one's own half in a layout's order: file and rank, counted from 0.
pub(crate) fn stations() -> impl Iterator<Item = (u8, u8)> {
    let all = (0..RANKS).rev().flat_map(|rank| (0..FILES).map(move |file| (file, rank)));
    all.filter(|(file, rank)| board::kind(*file, *rank) != Kind::Camp)
}

/// Whether a piece may be laid on this station of its own half.
pub fn may_stand(rank: Rank, (file, row): (u8, u8)) -> bool {
    match rank {
        Rank::Flag => board::kind(file, row) == Kind::Headquarters,
        Rank::Mine => row < 2,
        Rank::Bomb => row + 1 < RANKS,
        _ => true,
    }
}

impl Layout {
    /// Reads 25 letters `a` to `l`.
    ///
    /// # Errors
    /// Every fault there is.
    pub fn read(text: &str) -> Result<Layout, Vec<LayoutFault>> {
        let letters: Vec<char> = text.chars().collect();
        if letters.len() != PIECES {
            return Err(vec![LayoutFault::Length(letters.len())]);
        }
        let known = |c: char| Rank::from_letter(c).filter(|r| *r != Rank::Unknown);
        let bad =
            |(i, c): (usize, &char)| known(*c).is_none().then_some(LayoutFault::Letter(*c, i + 1));
        let mut faults: Vec<LayoutFault> = letters.iter().enumerate().filter_map(bad).collect();
        if !faults.is_empty() {
            return Err(faults);
        }
        let ranks: Vec<Rank> = letters.iter().filter_map(|c| known(*c)).collect();
        let of = |rank: Rank| ranks.iter().filter(|r| **r == rank).count();
        let mut twins = Rank::ALL.into_iter().zip(Rank::ALL.into_iter().rev());
        if twins.all(|(rank, twin)| of(rank) == twin.count()) {
            return Err(vec![LayoutFault::Reversed]);
        }
        for rank in Rank::ALL {
            let n = of(rank);
            if n != rank.count() {
                faults.push(LayoutFault::Count(rank, n));
            }
        }
        for (i, (rank, station)) in ranks.iter().zip(stations()).enumerate() {
            if !may_stand(*rank, station) {
                faults.push(match rank {
                    Rank::Flag => LayoutFault::Flag(i + 1),
                    Rank::Mine => LayoutFault::Mine(i + 1),
                    _ => LayoutFault::Bomb(i + 1),
                });
            }
        }
        match (<[Rank; PIECES]>::try_from(ranks), faults.is_empty()) {
            (Ok(ranks), true) => Ok(Layout(ranks)),
            _ => Err(faults),
        }
    }

    /// Its 25 letters.
    pub fn letters(self) -> String {
        self.0.map(Rank::letter).iter().collect()
    }

    /// A layout by chance, every legal one as likely as any other.
    pub fn random(dice: Dice<'_>) -> Layout {
        let stations: Vec<(u8, u8)> = stations().collect();
        let mut ranks = [None; PIECES];
        // The fewer stations a rank may have, the earlier it is placed: then every layout is as
        // likely, as what is left for the next rank does not hang on where these went.
        for rank in [Rank::Flag, Rank::Mine, Rank::Bomb] {
            for _ in 0..rank.count() {
                let free = |i: &usize| ranks[*i].is_none() && may_stand(rank, stations[*i]);
                let free: Vec<usize> = (0..PIECES).filter(free).collect();
                ranks[free[below(dice, free.len())]] = Some(rank);
            }
        }
        let free_ranks = Rank::ALL.into_iter().filter(|r| *r < Rank::Mine);
        let mut rest: Vec<Rank> =
            free_ranks.flat_map(|rank| std::iter::repeat_n(rank, rank.count())).collect();
        shuffle(dice, &mut rest);
        Layout(ranks.map(|r| r.unwrap_or_else(|| rest.pop().expect("as many as stations"))))
    }

    /// The same seen in a mirror.
    pub fn mirrored(self) -> Layout {
        let stations: Vec<(u8, u8)> = stations().collect();
        let at = |(file, rank)| {
            let twin = (FILES - 1 - file, rank);
            let i = stations.iter().position(|s| *s == twin).expect("a half is symmetric");
            self.0[i]
        };
        Layout(std::array::from_fn(|i| at(stations[i])))
    }
}

impl Secret for Layout {
    fn read(text: &str) -> Result<Layout, ReadError> {
        Layout::read(text).map_err(|faults| faults[0].read_error())
    }

    fn write(&self) -> String {
        self.letters()
    }

    fn draw(dice: Dice<'_>) -> Layout {
        mix::draw(dice)
    }
}

/// Layouts to begin with: an id and the layout.
pub fn defaults() -> impl Iterator<Item = (&'static str, Layout)> {
    let read = |text| Layout::read(text).expect("the listed layouts are legal");
    LAYOUTS.iter().map(move |spec| (spec.id, read(spec.text)))
}

/// A number below `n`, which must not be 0, by chance.
pub(crate) fn below(dice: Dice<'_>, n: usize) -> usize {
    (dice() % n as u64) as usize
}

fn shuffle<T>(dice: Dice<'_>, list: &mut [T]) {
    for last in (1..list.len()).rev() {
        list.swap(last, below(dice, last + 1));
    }
}

/// What an editor needs to know to lay out a side's half.
pub(crate) fn arrangement(four: bool, side: u8) -> Arrangement {
    let stations: Vec<(u8, u8)> = stations().collect();
    let names = &board::Board::of(four).names;
    let place = |station: &(u8, u8)| names[usize::from(on_board(four, side, *station))].clone();
    let twin = |(file, rank): &(u8, u8)| {
        let twin = (FILES - 1 - file, *rank);
        stations.iter().position(|s| *s == twin).expect("a half is symmetric")
    };
    let may = |rank| {
        let stands = |i: &usize| may_stand(rank, stations[*i]);
        (0..PIECES).filter(stands).collect::<Vec<usize>>()
    };
    let kind = |rank: Rank| ArrangedKind {
        letter: rank.letter(),
        face: crate::ui::face(four, Piece { side, rank, down: false, told: false }),
        name: format!("luzhanqi-piece-{}", rank.letter()),
        count: rank.count(),
        places: may(rank),
        why: match rank {
            Rank::Flag => Some("luzhanqi-layout-why-flag"),
            Rank::Mine => Some("luzhanqi-layout-why-mine"),
            Rank::Bomb => Some("luzhanqi-layout-why-bomb"),
            _ => None,
        },
    };
    let mut kinds: Vec<ArrangedKind> = Rank::ALL.into_iter().map(kind).collect();
    kinds.sort_by_key(|kind| kind.places.len());
    Arrangement {
        places: stations.iter().map(place).collect(),
        mirror: stations.iter().map(twin).collect(),
        kinds,
    }
}

/// All 50 pieces face down on the stations that are no camps: ranks 12 to 1, files a to e, the
/// letters of Red's pieces upper case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deal(pub(crate) Vec<(u8, Rank)>);

/// The stations of a deal in its order.
pub(crate) fn deal_stations() -> impl Iterator<Item = Station> {
    let two = board::Board::of(false);
    let all = (0..2 * RANKS).rev().flat_map(|rank| (0..FILES).map(move |f| rank * FILES + f));
    all.filter(|at| two.kind(*at) != Kind::Camp)
}

impl Deal {
    /// Reads 50 letters.
    ///
    /// # Errors
    /// Says which letter is wrong, or which rank stands too often or too seldom.
    pub fn read(text: &str) -> Result<Deal, ReadError> {
        let mut pieces = Vec::with_capacity(2 * PIECES);
        for (i, c) in text.chars().enumerate() {
            let rank = Rank::from_letter(c.to_ascii_lowercase()).filter(|r| *r != Rank::Unknown);
            let rank = rank.ok_or_else(|| {
                let found = c.escape_debug();
                let message =
                    format!("\"{found}\" names no piece; write letters a to l or A to L.");
                ReadError::new("bad-deal", message).column(i + 1)
            })?;
            pieces.push((u8::from(c.is_ascii_lowercase()), rank));
        }
        if pieces.len() != 2 * PIECES {
            let message = format!("A deal has 50 letters, this one {}.", pieces.len());
            return Err(ReadError::new("bad-deal", message));
        }
        for side in 0..2 {
            for rank in Rank::ALL {
                let n = pieces.iter().filter(|p| **p == (side, rank)).count();
                if n != rank.count() {
                    let letter = piece_letter(side, rank);
                    let message = format!(
                        "The letter {letter} stands {n} times; write it {} times.",
                        rank.count()
                    );
                    return Err(ReadError::new("bad-deal", message));
                }
            }
        }
        Ok(Deal(pieces))
    }

    /// Its 50 letters.
    pub fn letters(&self) -> String {
        self.0.iter().map(|(side, rank)| piece_letter(*side, *rank)).collect()
    }

    /// A deal by chance.
    pub fn random(dice: Dice<'_>) -> Deal {
        let of = |side| {
            let all = Rank::ALL.into_iter();
            all.flat_map(move |rank| std::iter::repeat_n((side, rank), rank.count()))
        };
        let mut pieces: Vec<(u8, Rank)> = of(0).chain(of(1)).collect();
        shuffle(dice, &mut pieces);
        Deal(pieces)
    }
}

impl Secret for Deal {
    fn read(text: &str) -> Result<Deal, ReadError> {
        Deal::read(text)
    }

    fn write(&self) -> String {
        self.letters()
    }

    fn draw(dice: Dice<'_>) -> Deal {
        Deal::random(dice)
    }
}

/// A two-player piece's letter: Red's upper case.
pub(crate) fn piece_letter(side: u8, rank: Rank) -> char {
    if side == 0 { rank.letter().to_ascii_uppercase() } else { rank.letter() }
}

/// The station of a layout's place (file and rank of the own half) on the whole board.
pub(crate) fn on_board(four: bool, side: u8, (file, rank): (u8, u8)) -> Station {
    let own = rank * FILES + file;
    match (four, side) {
        (true, _) => side * ARM + own,
        (false, 0) => own,
        (false, _) => 2 * ARM - 1 - own,
    }
}
