//! The board of any size, its rules, and its text. The 8x8 hot paths are in `bitboard`.

use crate::Move;
use crate::bitboard::{Board8, Portable};
use kiban_core::{ReadError, Seat};

/// What the variant's options say.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Fewer discs win (anti-reversi).
    pub fewest: bool,
    /// The four centre squares start empty (1890s Reversi).
    pub free_centre: bool,
    /// 4, 6, 8 or 10.
    pub size: u8,
    /// 0 to 4 discs of the first player on corners; White moves first then.
    pub handicap: u8,
}

/// Discs and the side to move. Bit `rank * size + file` is a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    discs: [u128; 2],
    to_move: Seat,
    size: u8,
    free_centre: bool,
}

/// A step of a whole set in one direction: shifted left, then right, and cut at the edges.
#[derive(Clone, Copy)]
struct Step {
    left: u32,
    right: u32,
    mask: u128,
}

impl Step {
    #[inline]
    fn of(self, set: u128) -> u128 {
        (set << self.left >> self.right) & self.mask
    }
}

/// The eight directions of a board of this size.
const fn steps(size: u32) -> [Step; 8] {
    let all = all_squares(size);
    let (mut first_file, mut rank) = (0, 0);
    while rank < size {
        first_file |= 1u128 << (rank * size);
        rank += 1;
    }
    // No step to the right ends on the first file, none to the left on the last.
    let (rightward, leftward) = (all & !first_file, all & !(first_file << (size - 1)));
    [
        Step { left: 1, right: 0, mask: rightward },
        Step { left: 0, right: 1, mask: leftward },
        Step { left: size, right: 0, mask: all },
        Step { left: 0, right: size, mask: all },
        Step { left: size + 1, right: 0, mask: rightward },
        Step { left: 0, right: size + 1, mask: leftward },
        Step { left: size - 1, right: 0, mask: leftward },
        Step { left: 0, right: size - 1, mask: rightward },
    ]
}

const fn all_squares(size: u32) -> u128 {
    (1 << (size * size)) - 1
}

/// By half the size less one.
static STEPS: [[Step; 8]; 5] = [steps(2), steps(4), steps(6), steps(8), steps(10)];

impl Position {
    /// The start position of these options.
    pub fn start(options: Options) -> Position {
        let size = options.size;
        let mut p = Position {
            discs: [0, 0],
            to_move: if options.handicap > 0 { Seat::SECOND } else { Seat::FIRST },
            size,
            free_centre: options.free_centre,
        };
        if !options.free_centre {
            let (low, high) = (size / 2 - 1, size / 2);
            p.discs[0] = p.bit(high, low) | p.bit(low, high);
            p.discs[1] = p.bit(low, low) | p.bit(high, high);
        }
        let last = size - 1;
        let corners = [(0, 0), (last, last), (last, 0), (0, last)];
        for (file, rank) in corners.into_iter().take(usize::from(options.handicap)) {
            p.discs[0] |= p.bit(file, rank);
        }
        p
    }

    /// Squares a side.
    pub fn size(&self) -> u8 {
        self.size
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// The discs of a side; bit `rank * size + file`.
    pub fn discs(&self, seat: Seat) -> u128 {
        self.discs[seat.index()]
    }

    /// How many discs a side has.
    pub fn count(&self, seat: Seat) -> u32 {
        self.discs(seat).count_ones()
    }

    /// Empty squares.
    pub fn empties(&self) -> u128 {
        all_squares(u32::from(self.size)) & !(self.discs[0] | self.discs[1])
    }

    /// Who has a disc on a square.
    pub fn at(&self, file: u8, rank: u8) -> Option<Seat> {
        let bit = self.bit(file, rank);
        [Seat::FIRST, Seat::SECOND].into_iter().find(|s| self.discs(*s) & bit != 0)
    }

    /// The bit of a square.
    pub fn bit(&self, file: u8, rank: u8) -> u128 {
        1 << (rank * self.size + file)
    }

    /// The move onto the square of a bit's index.
    pub fn move_to(&self, index: u32) -> Move {
        let index = index as u8;
        Move::place(index % self.size, index / self.size)
    }

    fn steps(&self) -> &'static [Step; 8] {
        &STEPS[usize::from(self.size / 2 - 1)]
    }

    /// The squares beside these, in all eight directions.
    pub fn neighbours(&self, set: u128) -> u128 {
        self.steps().iter().fold(0, |beside, step| beside | step.of(set))
    }

    /// Whether discs are still placed freely in the centre; read from the board.
    pub fn placing_freely(&self) -> bool {
        self.free_centre && self.centre() & self.empties() != 0
    }

    fn centre(&self) -> u128 {
        let (low, high) = (self.size / 2 - 1, self.size / 2);
        self.bit(low, low) | self.bit(high, low) | self.bit(low, high) | self.bit(high, high)
    }

    /// The discs a side would turn by placing one on this file and rank.
    pub fn flips(&self, seat: Seat, file: u8, rank: u8) -> u128 {
        if self.size == 8 {
            let square = u32::from(rank) * 8 + u32::from(file);
            return u128::from(self.board8(seat).flips(Portable, square));
        }
        let (own, enemy) = (self.discs(seat), self.discs(seat.other()));
        let at = self.bit(file, rank);
        let mut turned = 0;
        for step in self.steps() {
            let (mut run, mut next) = (0, step.of(at));
            while next & enemy != 0 {
                run |= next;
                next = step.of(next);
            }
            if next & own != 0 {
                turned |= run;
            }
        }
        turned
    }

    /// The discs a legal move of the side to move turns.
    pub fn turned(&self, m: Move) -> u128 {
        match m.square() {
            Some((file, rank)) if !self.placing_freely() => self.flips(self.to_move, file, rank),
            _ => 0,
        }
    }

    /// Squares a side could place a disc on, were it its turn.
    pub fn placements(&self, seat: Seat) -> u128 {
        if self.placing_freely() {
            return self.centre() & self.empties();
        }
        if self.size == 8 {
            return u128::from(self.board8(seat).moves(Portable));
        }
        self.placements_by_steps(seat)
    }

    /// The usual size in 64 bits, where archives are judged several times faster.
    fn board8(&self, seat: Seat) -> Board8 {
        Board8 { own: self.discs(seat) as u64, enemy: self.discs(seat.other()) as u64 }
    }

    fn placements_by_steps(&self, seat: Seat) -> u128 {
        let (own, enemy) = (self.discs(seat), self.discs(seat.other()));
        let empties = self.empties();
        let mut squares = 0;
        for step in self.steps() {
            let mut run = step.of(own) & enemy;
            loop {
                let next = step.of(run);
                squares |= next & empties;
                run = next & enemy;
                if run == 0 {
                    break;
                }
            }
        }
        squares
    }

    /// Whether the side to move can only pass.
    pub fn must_pass(&self) -> bool {
        self.placements(self.to_move) == 0 && self.placements(self.to_move.other()) != 0
    }

    /// Whether neither side can place a disc.
    pub fn over(&self) -> bool {
        self.placements(self.to_move) == 0 && self.placements(self.to_move.other()) == 0
    }

    /// The legal moves: squares from a1 on, or the pass alone, or none when the game is over.
    pub fn moves(&self) -> Vec<Move> {
        let mut squares = self.placements(self.to_move);
        if squares == 0 {
            let other = self.placements(self.to_move.other());
            return if other == 0 { Vec::new() } else { vec![Move::PASS] };
        }
        let mut moves = Vec::with_capacity(squares.count_ones() as usize);
        while squares != 0 {
            moves.push(self.move_to(squares.trailing_zeros()));
            squares &= squares - 1;
        }
        moves
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        if let Some((file, rank)) = m.square() {
            let turned = self.turned(m);
            let (own, enemy) = (self.to_move.index(), self.to_move.other().index());
            self.discs[own] |= self.bit(file, rank) | turned;
            self.discs[enemy] &= !turned;
        }
        self.to_move = self.to_move.other();
    }

    /// Reads a position: `size * size` characters from a1 along the ranks (`X` or `*` black, `O`
    /// white, `-` or `.` empty, either case), the side to move with or without a space before it,
    /// an optional `;` at the end.
    ///
    /// # Errors
    /// Says which field and which character.
    pub fn read(text: &str, options: Options) -> Result<Position, ReadError> {
        let size = options.size;
        let squares = usize::from(size) * usize::from(size);
        let mut p = Position {
            discs: [0, 0],
            to_move: Seat::FIRST,
            size,
            free_centre: options.free_centre,
        };
        let text = text.trim().trim_end_matches(';').trim_end();
        let mut chars = text.chars().enumerate();
        for index in 0..squares {
            let Some((at, c)) = chars.next() else {
                let message = format!(
                    "The board has {index} squares instead of {squares}; write one character a square."
                );
                return Err(bad("board", index + 1, message));
            };
            match c {
                'X' | 'x' | '*' => p.discs[0] |= 1 << index,
                'O' | 'o' => p.discs[1] |= 1 << index,
                '-' | '.' => {}
                _ => {
                    let message = format!(
                        "\"{c}\" is not a square; write X for black, O for white, - for empty."
                    );
                    return Err(bad("board", at + 1, message).found(c, "X, O or -"));
                }
            }
        }
        let side: String = chars.map(|(_, c)| c).collect();
        p.to_move = read_side(&side, squares)?;
        Ok(p)
    }

    /// The position's text, as [`Position::read`] reads it.
    pub fn write(&self) -> String {
        let squares = u32::from(self.size) * u32::from(self.size);
        let square = |i: u32| match (self.discs[0] >> i & 1, self.discs[1] >> i & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '-',
        };
        let mut text: String = (0..squares).map(square).collect();
        text.push_str(if self.to_move == Seat::FIRST { " X" } else { " O" });
        text
    }
}

fn read_side(text: &str, squares: usize) -> Result<Seat, ReadError> {
    let blanks = text.chars().take_while(|c| c.is_whitespace()).count();
    match text.trim() {
        "X" | "x" | "*" => Ok(Seat::FIRST),
        "O" | "o" => Ok(Seat::SECOND),
        "" => {
            let message = "The side to move is missing; add X for black or O for white.";
            Err(bad("side", squares + 1, message))
        }
        other => {
            let found: String = other.chars().take(20).collect();
            let message =
                format!("\"{found}\" is not a side to move; write X for black or O for white.");
            Err(bad("side", squares + blanks + 1, message).found(found, "X or O"))
        }
    }
}

fn bad(field: &str, column: usize, message: impl Into<String>) -> ReadError {
    ReadError::new("bad-position", message).field(field).column(column)
}
