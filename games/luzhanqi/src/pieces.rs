//! The twelve ranks and what happens when two meet.

use crate::Options;

/// A piece's rank, the strongest first, in the order of the letters `a` to `l`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// 司令
    Marshal,
    /// 军长
    General,
    /// 师长
    MajorGeneral,
    /// 旅长
    Brigadier,
    /// 团长
    Colonel,
    /// 营长
    Major,
    /// 连长
    Captain,
    /// 排长
    Lieutenant,
    /// 工兵
    Engineer,
    /// 地雷
    Mine,
    /// 炸弹
    Bomb,
    /// 军旗
    Flag,
    /// A rank the viewer does not know.
    Unknown,
}

impl Rank {
    /// Every rank there is.
    pub const ALL: [Rank; 12] = [
        Rank::Marshal,
        Rank::General,
        Rank::MajorGeneral,
        Rank::Brigadier,
        Rank::Colonel,
        Rank::Major,
        Rank::Captain,
        Rank::Lieutenant,
        Rank::Engineer,
        Rank::Mine,
        Rank::Bomb,
        Rank::Flag,
    ];

    /// Its letter, `a` to `l`; `x` for an unknown one.
    pub fn letter(self) -> char {
        if self == Rank::Unknown { 'x' } else { char::from(b'a' + self as u8) }
    }

    /// The rank of a lower-case letter `a` to `l` or `x`.
    pub fn from_letter(letter: char) -> Option<Rank> {
        match letter {
            'a'..='l' => Some(Rank::ALL[usize::from(letter as u8 - b'a')]),
            'x' => Some(Rank::Unknown),
            _ => None,
        }
    }

    /// How many of it a side has.
    pub fn count(self) -> usize {
        match self {
            Rank::Marshal | Rank::General | Rank::Flag => 1,
            Rank::Captain | Rank::Lieutenant | Rank::Engineer | Rank::Mine => 3,
            Rank::Unknown => 0,
            _ => 2,
        }
    }

    /// Its two characters.
    pub fn characters(self) -> &'static str {
        const NAMES: [&str; 12] = [
            "司令", "军长", "师长", "旅长", "团长", "营长", "连长", "排长", "工兵", "地雷", "炸弹",
            "军旗",
        ];
        NAMES.get(self as usize).copied().unwrap_or("")
    }

    /// Whether it stays where it was laid all its life.
    pub fn is_fixed(self) -> bool {
        matches!(self, Rank::Mine | Rank::Flag)
    }
}

/// How a contact came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Contact {
    /// The attacker stays, the other goes.
    Won,
    /// The attacker goes, the other stays.
    Lost,
    /// Both go.
    Both,
}

/// What happens when `attacker` meets `defender`; both ranks are known.
pub fn contact(attacker: Rank, defender: Rank, options: Options) -> Contact {
    use Rank::{Bomb, Engineer, Flag, Mine};
    match (attacker, defender) {
        (Bomb, _) | (_, Bomb) => Contact::Both,
        (_, Flag) | (Engineer, Mine) => Contact::Won,
        (_, Mine) if options.mine_stays => Contact::Lost,
        (_, Mine) => Contact::Both,
        // The stronger rank comes first in the order.
        _ => match attacker.cmp(&defender) {
            std::cmp::Ordering::Less => Contact::Won,
            std::cmp::Ordering::Equal => Contact::Both,
            std::cmp::Ordering::Greater => Contact::Lost,
        },
    }
}
