//! Headers of records, their canonical keys, and the names of handicaps.

use super::text::{Cursor, is_blank, wrong};
use crate::sfen::{START_SFEN, Setup};
use crate::spec::GAME;
use kiban_core::{ReadError, Record};

/// A record with more headers is not read.
const MOST_HEADERS: usize = 1000;

/// A canonical key, its names in KIF (the writer uses the first), its keyword in CSA.
const KEYS: &[(&str, &[&str], &str)] = &[
    ("first", &["先手", "下手"], "N+"),
    ("second", &["後手", "上手"], "N-"),
    ("event", &["棋戦"], "EVENT"),
    ("place", &["場所"], "SITE"),
    ("date", &["開始日時"], "START_TIME"),
    ("ended", &["終了日時"], "END_TIME"),
    ("time", &["持ち時間"], "TIME_LIMIT"),
    ("opening", &["戦型"], "OPENING"),
    ("title", &["表題", "作品名"], "TITLE"),
    ("author", &["作者"], "AUTHOR"),
    ("note", &["備考"], "NOTE"),
];

/// Handicaps by their Japanese names and their ids.
const HANDICAPS: &[(&str, &str)] = &[
    ("香落ち", "lance"),
    ("左香落ち", "lance"),
    ("右香落ち", "right-lance"),
    ("角落ち", "bishop"),
    ("飛車落ち", "rook"),
    ("飛落ち", "rook"),
    ("飛香落ち", "rook-lance"),
    ("二枚落ち", "two"),
    ("三枚落ち", "three"),
    ("四枚落ち", "four"),
    ("五枚落ち", "five"),
    ("左五枚落ち", "left-five"),
    ("六枚落ち", "six"),
    ("左七枚落ち", "left-seven"),
    ("右七枚落ち", "right-seven"),
    ("八枚落ち", "eight"),
    ("十枚落ち", "ten"),
    ("歩三兵", "three-pawns"),
    ("裸玉", "naked-king"),
];

/// Names that the format's author does not list; a record says その他 and shows the position.
const UNOFFICIAL: &[&str] = &["歩三兵", "裸玉", "トンボ"];

/// Official names that not every program knows: tsshogi takes them for an even game, python-shogi
/// and cshogi refuse those of seven pieces.
const SELDOM: &[&str] = &["三枚落ち", "五枚落ち", "左五枚落ち", "左七枚落ち", "右七枚落ち"];

/// Names of handicaps that have no id of their own.
const OTHERS: &[(&str, &str)] =
    &[("トンボ", "4k4/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")];

/// What an error says of handicaps.
pub(super) const A_HANDICAP: &str =
    "平手, a handicap such as 香落ち or 二枚落ち, or その他 with a diagram";

/// The start position of a handicap's Japanese name.
pub(super) fn handicap(name: &str) -> Option<Setup> {
    let sfen = if name == "平手" {
        START_SFEN
    } else {
        let id = HANDICAPS.iter().find(|(n, _)| *n == name).map(|(_, id)| *id);
        let position = id.and_then(|id| GAME.setup_position(id));
        position.or_else(|| OTHERS.iter().find(|(n, _)| *n == name).map(|(_, sfen)| *sfen))?
    };
    Some(Setup::from_sfen(sfen).expect("named positions are well-formed"))
}

/// Whether a handicap's name is one of the format's own.
pub(super) fn is_official(name: &str) -> bool {
    !UNOFFICIAL.contains(&name)
}

/// Whether every program knows a handicap's name.
pub(super) fn is_everywhere(name: &str) -> bool {
    is_official(name) && !SELDOM.contains(&name)
}

/// The Japanese name of a start position, if it is an even game or a handicap.
pub(super) fn handicap_name(setup: &Setup) -> Option<&'static str> {
    let names = HANDICAPS.iter().chain(OTHERS).map(|(name, _)| *name);
    std::iter::once("平手").chain(names).find(|name| handicap(name).as_ref() == Some(setup))
}

/// Splits `key：value`; blanks around both go.
pub(super) fn split(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(['：', ':'])?;
    let key = key.trim_matches(is_blank);
    (!key.is_empty()).then(|| (key, value.trim_matches(is_blank)))
}

/// The place where the value of `key：value` begins.
pub(super) fn value_at(number: usize, line: &str) -> Cursor<'_> {
    let mut cursor = Cursor::new(number, line);
    cursor.take_while(|c| c != '：' && c != ':');
    cursor.next();
    cursor.skip_blanks();
    cursor
}

/// Whether this key of a KIF header is one that has a meaning here.
pub(super) fn is_known_kif(key: &str) -> bool {
    key == "手合割" || index_of_kif(key).is_some()
}

/// Which of the known headers a key of KIF is; 手合割 is none of them.
pub(super) fn index_of_kif(key: &str) -> Option<usize> {
    KEYS.iter().position(|(_, names, _)| names.contains(&key))
}

/// Whether a key is a canonical one that other programs have no word for: lower-case ASCII.
fn is_canonical(key: &str) -> bool {
    key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c))
}

/// Where a canonical key stands: the players before all others, as CSA has them.
fn rank(key: &str) -> u8 {
    match key {
        "first" => 0,
        "second" => 1,
        _ => 2,
    }
}

/// Adds a header by the key a format gives it, in the place of its rank; an empty value says
/// nothing.
///
/// # Errors
/// If there are too many.
pub(super) fn add(
    record: &mut Record,
    canonical: Option<&str>,
    (key, value): (&str, &str),
    place: (usize, usize),
) -> Result<(), ReadError> {
    if value.is_empty() {
        return Ok(());
    }
    if record.tags.len() + record.unknown.len() >= MOST_HEADERS {
        return Err(wrong(place, key, "at most a thousand headers"));
    }
    let canonical = canonical.or_else(|| is_canonical(key).then_some(key));
    match canonical.filter(|c| record.tag(c).is_none()) {
        Some(canonical) => {
            let at = record.tags.partition_point(|(key, _)| rank(key) <= rank(canonical));
            record.tags.insert(at, (canonical.to_string(), value.to_string()));
        }
        None => record.unknown.push((key.to_string(), value.to_string())),
    }
    Ok(())
}

/// The canonical key of a KIF header.
pub(super) fn of_kif(key: &str) -> Option<&'static str> {
    index_of_kif(key).map(|at| KEYS[at].0)
}

/// The canonical key of a CSA keyword.
pub(super) fn of_csa(key: &str) -> Option<&'static str> {
    KEYS.iter().find(|(.., csa)| *csa == key).map(|(canonical, ..)| *canonical)
}

/// The KIF name of a canonical key; sides are named otherwise in handicap games.
pub(super) fn kif_key(canonical: &str, handicap: bool) -> &str {
    match KEYS.iter().find(|(c, ..)| *c == canonical) {
        Some((_, names, _)) if canonical == "first" || canonical == "second" => {
            names[usize::from(handicap)]
        }
        Some((_, names, _)) => names[0],
        None => canonical,
    }
}

/// The CSA keyword of a canonical key.
pub(super) fn csa_key(canonical: &str) -> &str {
    KEYS.iter().find(|(c, ..)| *c == canonical).map_or(canonical, |(.., csa)| csa)
}

/// The first header that two records do not share; blanks around values aside.
pub(super) fn difference(written: &Record, read: &Record) -> Option<String> {
    let kept = |headers: &[(String, String)]| -> Vec<(String, String)> {
        let trimmed = |(key, value): &(String, String)| {
            (key.clone(), value.trim_matches(is_blank).to_string())
        };
        let mut kept: Vec<_> =
            headers.iter().map(trimmed).filter(|(_, value)| !value.is_empty()).collect();
        kept.sort_by_key(|(key, _)| rank(key));
        kept
    };
    let pairs = [(&written.tags, &read.tags), (&written.unknown, &read.unknown)];
    for (want, have) in pairs.map(|(a, b)| (kept(a), kept(b))) {
        let mut want = want.iter();
        let mut have = have.iter();
        loop {
            match (want.next(), have.next()) {
                (None, None) => break,
                (a, b) if a == b => {}
                (a, b) => {
                    let (key, value) = a.or(b).expect("one of them is there");
                    return Some(format!("the header \"{key}\" with the value \"{value}\""));
                }
            }
        }
    }
    None
}
