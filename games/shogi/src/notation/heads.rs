//! Where records begin in a file of several that nothing separates, told by the sorts of its lines.
//!
//! Behind moves, what stands in heads alone begins a further record; of a header that says nothing
//! of sides or start, what follows tells whether it does. A record may have no moves:
//! then it ends where something stands again that a head has once. What stands again need not be
//! the first line of the further head, so the lines of a head are taken in blocks: one begins
//! behind a blank or a comment, and where a line stands out of the order of heads. The record ends
//! before the last block, if what stands again is not of it twice. A header that some programs
//! write twice ends nothing; a block that begins with one is the further head's if there is one.

/// The sort of a line.
#[derive(Clone, Copy)]
pub(super) enum Sort {
    /// A blank or a comment.
    Beside,
    /// A comment that may belong to the head below it.
    Note,
    /// A line that decides nothing: of a diagram, or unknown.
    Within,
    /// Names the format, before all else of a record.
    First,
    /// Of a head.
    Head(Part),
    /// A move.
    Moves,
    /// A move that is the first of a game if a header is before it.
    MayOpen,
    /// The first move of a game, whatever stands before it.
    Opening,
    /// What only moves have before it, such as a branch or the ending.
    Behind,
    /// A record of another format.
    Foreign,
}

/// A line of a head.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// What it is: one bit, or [`QUIET`], or none for a line that says nothing known.
    pub(super) is: u32,
    /// Whether it begins no record behind moves.
    pub(super) inner: bool,
    /// Whether behind moves it begins one only if more of a head or moves follow.
    pub(super) waits: bool,
    /// Whether heads have it only once.
    pub(super) once: bool,
    /// Whether it tells where the game starts.
    pub(super) start: bool,
    /// The lines of a head that it stands before: behind one of them it may be of another head.
    pub(super) before: u32,
    /// Those behind which it surely is.
    pub(super) opens: u32,
    /// Whether the head ends with it.
    pub(super) ends: bool,
}

/// The bit of a known line that heads may have anywhere and often.
pub(super) const QUIET: u32 = 1 << 31;
/// The bits of lines without which there is no head, if headers are all that was seen.
pub(super) const SUBSTANCE: u32 = 0xffff;

impl Part {
    /// A line that says nothing known.
    pub(super) const UNKNOWN: Part = Part {
        is: 0,
        inner: false,
        waits: false,
        once: false,
        start: false,
        before: 0,
        opens: 0,
        ends: false,
    };

    /// A line that heads have once.
    pub(super) const fn once(is: u32) -> Part {
        Part { is, once: true, ..Part::UNKNOWN }
    }

    /// A line that is known.
    pub(super) const fn known(is: u32) -> Part {
        Part { is, ..Part::UNKNOWN }
    }
}

/// Lines of a head without a break.
#[derive(Clone, Copy, Default)]
struct Block {
    bits: u32,
    /// How many lines before the current one it began.
    lines: usize,
    /// Whether a blank or a comment is before it.
    apart: bool,
    /// Whether it repeats what some programs write twice: if another head begins, then here.
    suspect: bool,
    /// Whether it tells where the game starts.
    started: bool,
    /// Whether only moves right behind it make it the head of a further record.
    stale: bool,
}

/// What has been seen of a record.
#[derive(Default)]
pub(super) struct Heads {
    /// Of its head, without the block.
    seen: u32,
    /// Whether that tells where the game starts.
    started: bool,
    block: Option<Block>,
    /// Whether a blank or a comment is before the line.
    apart: bool,
    /// Whether the head has ended.
    ended: bool,
    moves: bool,
}

impl Heads {
    /// Whether anything known was seen.
    pub(super) fn any(&self) -> bool {
        self.ended || self.bits() != 0
    }

    fn bits(&self) -> u32 {
        self.seen | self.block.map_or(0, |block| block.bits)
    }

    /// Takes the next line, of these sorts. Where it shows that another record has begun, how many
    /// lines before this one that was.
    pub(super) fn begun(&mut self, sorts: impl IntoIterator<Item = Sort>) -> Option<usize> {
        if let Some(block) = &mut self.block {
            block.lines += 1;
        }
        sorts.into_iter().fold(None, |begun, sort| begun.or(self.take(sort)))
    }

    fn take(&mut self, sort: Sort) -> Option<usize> {
        match sort {
            Sort::Within => None,
            Sort::Beside => {
                self.apart = true;
                if self.ended {
                    // What stands directly behind moves is of their record, if it names no side and
                    // more of a head follows.
                    if let Some(block) = &mut self.block {
                        let waits =
                            block.bits & SUBSTANCE != 0 || block.apart && block.bits & !QUIET != 0;
                        block.stale |= !waits;
                    }
                }
                None
            }
            Sort::Note if self.ended => {
                let apart = std::mem::take(&mut self.apart);
                self.block.get_or_insert(Block { apart, ..Block::default() });
                None
            }
            Sort::Note => {
                self.apart = true;
                None
            }
            Sort::First => {
                let begun = self.ended || self.bits() & SUBSTANCE != 0;
                begun.then(|| self.restart(0, 0))
            }
            Sort::Foreign => {
                let begun = self.any().then(|| self.restart(0, 0));
                self.end();
                begun
            }
            Sort::Moves | Sort::MayOpen | Sort::Opening | Sort::Behind => {
                let headed = self.block.filter(|block| self.ended && block.bits & !QUIET != 0);
                let begun = match (sort, headed) {
                    (Sort::MayOpen | Sort::Opening, Some(block)) => {
                        Some(self.restart(block.bits, block.lines))
                    }
                    (Sort::Opening, None) => self.moves.then(|| self.restart(0, 0)),
                    _ => None,
                };
                self.end();
                (self.moves, self.apart) = (true, false);
                begun
            }
            Sort::Head(part) => {
                let begun = if self.ended { self.behind(part) } else { self.inside(part) };
                if part.ends {
                    self.end();
                }
                begun
            }
        }
    }

    /// Begins a record of which these bits have been seen.
    fn restart(&mut self, seen: u32, back: usize) -> usize {
        *self = Heads { seen, ..Heads::default() };
        back
    }

    /// The head ends.
    fn end(&mut self) {
        (self.seen, self.block, self.ended) = (self.bits(), None, true);
    }

    /// A line behind the end of a head.
    fn behind(&mut self, part: Part) -> Option<usize> {
        let is = part.is & !QUIET;
        if part.inner && (self.moves || self.seen & is == 0) {
            self.seen |= part.is;
            return None;
        }
        let apart = std::mem::take(&mut self.apart);
        self.block = self.block.filter(|block| !block.stale);
        let block = self.block.get_or_insert(Block { apart, ..Block::default() });
        block.bits |= part.is;
        let Block { bits, lines, .. } = *block;
        (is & SUBSTANCE != 0 && !part.waits).then(|| self.restart(bits, lines))
    }

    /// A line of a head.
    fn inside(&mut self, part: Part) -> Option<usize> {
        let now = self.block.map_or(self.seen, |block| block.bits);
        let apart = std::mem::take(&mut self.apart) && self.bits() != 0;
        let suspect = self.block.is_some_and(|block| block.suspect);
        if !suspect && (apart || now & part.before != 0) {
            self.seen = self.bits();
            self.started |= self.block.is_some_and(|block| block.started);
            self.block = Some(Block { apart, ..Block::default() });
        }
        let is = part.is & !QUIET;
        let Some(block) = &mut self.block else {
            if part.once && self.seen & is != 0 {
                return Some(self.restart(part.is, 0));
            }
            self.seen |= part.is;
            self.started |= part.start;
            return None;
        };
        let (before, twice) = (self.seen & is != 0, block.bits & is != 0);
        block.bits |= part.is;
        block.suspect |= before && !twice && block.apart && self.seen & SUBSTANCE != 0;
        let Block { bits, lines, started, .. } = *block;
        // A head is not torn from its start, which may stand in its last block.
        if part.once && (twice || before && started && !self.started) {
            return Some(self.restart(part.is, 0));
        }
        block.started |= part.start;
        let torn = part.once && before || self.seen & part.opens != 0;
        torn.then(|| self.restart(bits, lines))
    }
}
