//! Texts of positions, moves, layouts and taps; record formats.

pub mod commitment;
mod jgs;
mod moves;
mod position;
mod record;
mod told;

use crate::board::Board;
use crate::known::{Event, Known};
use crate::position::Move;
use crate::{Luzhanqi, Setup, scene};
use kiban_core::{Arrangement, Format, Notation, ReadError, Rules, Scene, Seat, Seats, Seen, Taps};

pub(crate) use moves::event_text;
pub(crate) use position::own_half;
pub(crate) use record::judge;
pub(crate) use told::side_key;

/// The record formats.
pub(crate) const FORMATS: &[Format] = &[record::FORMAT, jgs::FORMAT];

impl Luzhanqi {
    /// The set-up text of a game that begins by layouts or a deal.
    pub(crate) fn arranged(self) -> &'static str {
        arranged_text(self.options.flips())
    }
}

/// The set-up text of a game that begins by layouts or, in flip, by a deal.
pub(crate) fn arranged_text(flips: bool) -> &'static str {
    if flips { "deal" } else { "layouts" }
}

impl Notation for Luzhanqi {
    fn read_setup(self, text: &str) -> Result<Setup, ReadError> {
        let text = text.trim();
        if text.is_empty() || text == self.arranged() {
            return Ok(Setup::Arranged);
        }
        position::read(self, text).map(|p| Setup::Placed(Box::new(p)))
    }

    fn faults(self, setup: &Setup) -> Vec<String> {
        match setup {
            Setup::Arranged => Vec::new(),
            Setup::Placed(p) => position::faults(self.options, p),
        }
    }

    fn write_setup(self, setup: &Setup) -> String {
        match setup {
            Setup::Arranged => self.arranged().to_string(),
            Setup::Placed(p) => position::write(self, p),
        }
    }

    fn write_position(self, k: &Known) -> String {
        match &k.position {
            Some(p) => position::write(self, p),
            None => self.arranged().to_string(),
        }
    }

    fn read_move(self, text: &str) -> Result<Move, ReadError> {
        moves::read(self, text)
    }

    fn write_move(self, m: Move) -> String {
        moves::write(self, m)
    }

    fn arrangement(self, seat: Seat) -> Option<Arrangement> {
        let arranges = self.arranging().has(seat);
        arranges.then(|| crate::layout::arrangement(self.options.four, seat.index() as u8))
    }

    fn taps(self, _: &Known, m: Move) -> Taps {
        moves::taps(self, m)
    }

    fn read_taps(self, _: &Known, taps: &[String]) -> Result<Move, ReadError> {
        let board = Board::of(self.options.four);
        let stations: Option<Vec<u8>> = taps.iter().map(|tap| board.station(tap)).collect();
        match stations.as_deref() {
            Some([at]) => Ok(Move::Flip(*at)),
            Some([from, to]) => Ok(Move::Step(*from, *to)),
            _ => {
                let message = "Tap a piece and then where it goes.";
                Err(ReadError::new("bad-taps", message))
            }
        }
    }

    fn seen(self, k: &Known) -> Vec<Seen> {
        let seen = |event: &Event| Seen {
            by: Seats::from(event.by),
            text: event_text(self, event),
            native: moves::native(self, event),
            western: moves::western(self, event),
            taps: moves::taps(self, event.m),
            path: event.path.iter().map(|at| moves::name(self, *at).to_string()).collect(),
            fell: moves::fell(self, event),
            told: told::told(self, k, event),
        };
        k.events.iter().map(seen).collect()
    }

    fn scene(self, k: &Known) -> Scene {
        scene::scene(self, k)
    }

    fn text(self, k: &Known) -> String {
        scene::text(self, k)
    }
}
