//! The variants and their rule options.

use kiban_core::{OptionSpec, ReadError, Variant, VariantSpec};

/// The variants, the default first.
pub(crate) const VARIANTS: &[VariantSpec] = &[
    VariantSpec { id: "dark", seats: 2, hidden: true, start: None },
    VariantSpec { id: "open", seats: 2, hidden: false, start: None },
    VariantSpec { id: "contest", seats: 2, hidden: true, start: None },
    VariantSpec { id: "flip", seats: 2, hidden: true, start: None },
    VariantSpec { id: "four-dark", seats: 4, hidden: true, start: None },
    VariantSpec { id: "four-pair", seats: 4, hidden: true, start: None },
    VariantSpec { id: "four-open", seats: 4, hidden: false, start: None },
];

/// The options.
pub(crate) const OPTIONS: &[OptionSpec] = &[
    OptionSpec { key: "mine", values: &["stays", "both-go"], default: "stays", default_for: None },
    OptionSpec {
        key: "flag-taker",
        values: &["anyone", "not-marshal", "engineer-after-mines"],
        default: "anyone",
        default_for: Some(
            |variant, _| {
                if variant == "flip" { "engineer-after-mines" } else { "anyone" }
            },
        ),
    },
    OptionSpec {
        key: "bomb-flag",
        values: &["allowed", "forbidden"],
        default: "allowed",
        default_for: Some(|variant, _| if variant == "flip" { "forbidden" } else { "allowed" }),
    },
    OptionSpec {
        key: "quiet",
        values: &["draw-70", "loses-31", "draw-60", "draw-40", "off"],
        default: "draw-70",
        default_for: Some(|variant, _| if variant == "contest" { "loses-31" } else { "draw-70" }),
    },
    OptionSpec {
        key: "marshal-reveals-flag",
        values: &["yes", "no"],
        default: "yes",
        default_for: Some(|variant, _| if variant == "flip" { "no" } else { "yes" }),
    },
    OptionSpec {
        key: "hq",
        values: &["holds", "free"],
        default: "holds",
        default_for: Some(|variant, _| if variant == "flip" { "free" } else { "holds" }),
    },
    OptionSpec {
        key: "announce",
        values: &["result", "ranks"],
        default: "result",
        default_for: None,
    },
    OptionSpec { key: "clock", values: &["game", "move"], default: "game", default_for: None },
];

/// What flip fixes: the options that cannot be said otherwise there.
const FIXED_IN_FLIP: [&str; 4] = ["hq", "marshal-reveals-flag", "flag-taker", "bomb-flag"];

/// Who sees what.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// Each seat its own ranks.
    Own,
    /// Allies see each other's ranks.
    Pair,
    /// Everybody sees every rank.
    All,
    /// Everybody sees what has been turned up, nobody what has not.
    Flipped,
}

/// Who may take a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FlagTaker {
    /// Whatever moves.
    Anyone,
    /// Whatever moves except the marshal.
    NotMarshal,
    /// An engineer, once the owner's mines are gone.
    EngineerAfterMines,
}

/// What quiet plies in a row (plies without contact) lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiet {
    /// A draw when one more than so many are made.
    Draws(u16),
    /// Whoever makes the one of this number loses.
    Loses(u16),
    /// Nothing.
    Off,
}

/// The options of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Four seats on the large board.
    pub four: bool,
    /// Who sees what.
    pub sight: Sight,
    /// Whether a mine outlives those it removes.
    pub mine_stays: bool,
    /// Who may take a flag.
    pub flag_taker: FlagTaker,
    /// Whether a bomb may go for a flag.
    pub bomb_flag: bool,
    /// What quiet play leads to.
    pub quiet: Quiet,
    /// Whether a marshal's end shows where its flag is.
    pub marshal_reveals: bool,
    /// Whether what stands in a headquarters may move.
    pub hq_free: bool,
    /// Whether both ranks of a contact are told.
    pub announce_ranks: bool,
    /// Whether running out of time skips a turn instead of losing.
    pub skips: bool,
}

impl Options {
    /// Those of a variant.
    pub fn of(variant: &Variant) -> Options {
        let option = |key| variant.option(key, OPTIONS, None);
        Options {
            four: variant.id().starts_with("four"),
            sight: match variant.id() {
                "open" | "four-open" => Sight::All,
                "four-pair" => Sight::Pair,
                "flip" => Sight::Flipped,
                _ => Sight::Own,
            },
            mine_stays: option("mine") == "stays",
            flag_taker: match option("flag-taker") {
                "not-marshal" => FlagTaker::NotMarshal,
                "engineer-after-mines" => FlagTaker::EngineerAfterMines,
                _ => FlagTaker::Anyone,
            },
            bomb_flag: option("bomb-flag") == "allowed",
            quiet: match option("quiet") {
                "draw-70" => Quiet::Draws(70),
                "draw-60" => Quiet::Draws(60),
                "draw-40" => Quiet::Draws(40),
                "loses-31" => Quiet::Loses(31),
                _ => Quiet::Off,
            },
            marshal_reveals: option("marshal-reveals-flag") == "yes",
            hq_free: option("hq") == "free",
            announce_ranks: option("announce") == "ranks",
            skips: option("clock") == "move",
        }
    }

    /// Whether the pieces are dealt face down.
    pub fn flips(self) -> bool {
        self.sight == Sight::Flipped
    }

    /// Whether everybody knows the ranks of all that can be met.
    pub fn ranks_are_public(self) -> bool {
        matches!(self.sight, Sight::All | Sight::Flipped)
    }

    /// Whether two sides play for one team; a side plays for its own.
    pub fn allied(self, a: u8, b: u8) -> bool {
        if self.four { a % 2 == b % 2 } else { a == b }
    }
}

/// Why the options of a variant cannot stand together.
pub(crate) fn conflict(variant: &Variant) -> Option<ReadError> {
    let option = |key| variant.option(key, OPTIONS, None);
    let id = variant.id();
    let refused = |key: &'static str, message: String| {
        let found = format!("{key}={}", option(key));
        Some(ReadError::new("bad-variant", message).field("variant").found(found, "another value"))
    };
    let options = Options::of(variant);
    if options.flips() {
        let usual = id_only(id);
        let key =
            FIXED_IN_FLIP.into_iter().find(|k| option(k) != usual.option(k, OPTIONS, None))?;
        let value = usual.option(key, OPTIONS, None);
        return refused(key, format!("In {id} {key} is always {value}; leave the option out."));
    }
    if options.ranks_are_public() {
        return None;
    }
    let key = if options.flag_taker != FlagTaker::Anyone {
        "flag-taker"
    } else if !options.bomb_flag {
        "bomb-flag"
    } else {
        return None;
    };
    let message = format!(
        "In {id} a refused move would tell where the flag is, so {key}={} is not possible; \
         leave it out, or choose open, flip or four-open.",
        option(key)
    );
    refused(key, message)
}

fn id_only(id: &str) -> Variant {
    Variant::read(id, VARIANTS, OPTIONS).expect("a listed variant is readable")
}
