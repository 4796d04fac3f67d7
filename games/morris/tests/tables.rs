//! Tables of the moving phase: the counts of the rules page, files, and probes from them.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

mod common;

use common::men;
use kiban_core::{
    BuildLimits, Limits, OpenError, Opening, ProbeError, Probed, Seat, Stop, Tables, Value,
};
use kiban_morris::GAME;
use kiban_solve::{Header, TableFile};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const TABLES: Tables = match GAME.tables {
    Some(tables) => tables,
    None => panic!("the game has tables"),
};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Builds all sectors of a size that are not there.
fn build(variant: &str, size: u8, folder: &Path) -> Vec<Header> {
    let variant = GAME.variant(variant).unwrap();
    let limits = BuildLimits { bytes: 1 << 30, stop: Stop::default() };
    let sectors = (TABLES.sectors)(&variant, size);
    let built = sectors.iter().map(|sector| {
        let path = folder.join(&sector.file);
        if !path.exists() {
            (TABLES.build)(&variant, &sector.name, folder, &limits, &mut |_| {}).unwrap();
        }
        TableFile::open(&path).unwrap().unwrap().header().clone()
    });
    built.collect()
}

fn check(variant: &str, sector: &str, folder: &Path, sample: u32) -> u64 {
    (TABLES.check)(&GAME.variant(variant).unwrap(), sector, folder, sample).unwrap()
}

/// Wins, losses and draws of a sector's parts.
fn counts(headers: &[Header], sector: &str) -> [(u64, u64, u64); 2] {
    let header = headers.iter().find(|h| h.sector == sector).unwrap();
    header.tallies.map(|t| (t.wins, t.losses, t.draws))
}

fn probe(variant: &str, text: &str, tables: Option<&Path>) -> Result<Probed, ProbeError> {
    let opening = Opening::new(GAME.variant(variant).unwrap(), Some(text.to_string()));
    let tables = tables.map(Path::to_path_buf);
    GAME.probe.unwrap()(&opening, &Limits { tables, ..Limits::default() })
}

/// "Moving phase, positions up to the 16 symmetries: win / loss / draw", as the rules page counts.
#[test]
fn sectors_of_up_to_four_men_agree_with_the_rules_page() {
    let folder = folder("morris-four");
    let headers = build("", 4, &folder);
    assert_eq!(
        headers.iter().map(|h| h.sector.as_str()).collect::<Vec<_>>(),
        ["3-3", "3-4", "4-4"]
    );
    let none = (0, 0, 0);
    assert_eq!(counts(&headers, "3-3"), [(140_621, 28_736, 269), none]);
    assert_eq!(counts(&headers, "3-4"), [(102_281, 0, 658_117), (75_397, 3_095, 681_906)]);
    assert_eq!(counts(&headers, "4-4"), [(159, 29, 3_225_409), none]);
    for sector in ["3-3", "3-4", "4-4"] {
        assert!(check("", sector, &folder, 20_000) > 12_000, "{sector}");
    }
    probes_come_from_the_tables(&folder);
}

fn probes_come_from_the_tables(folder: &Path) {
    let text = men("a1 d1 g4 b2", "a7 d7 f6").text("nine", Seat::FIRST);
    let table = probe("", &text, Some(folder)).unwrap();
    assert_eq!((table.value, table.distance, table.source), (Value::Win, Some(1), "table"));
    assert!(table.moves[0].text.starts_with("g4-g1x"), "{:?}", table.moves[0]);
    let solved = probe("lasker", &text, None).unwrap();
    assert_eq!(solved.source, "solver");
    assert_eq!(solved.moves, table.moves, "Lasker's game is the same once all men are placed");
    // A table that is damaged is named, not believed.
    let path = folder.join("morris/nine/3-4.table");
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&path, bytes).unwrap();
    let refused = probe("", &text, Some(folder)).unwrap_err().to_string();
    assert!(refused.contains("3-4.table is damaged"), "{refused}");
}

/// Every rule that values hang on: one ply ahead each value follows from those of the moves.
#[test]
fn values_follow_from_their_moves_under_every_rule() {
    for variant in [
        "nine,flying=never",
        "nine,flying=at-four,double-mill=two",
        "nine,remove-from-mills=never,blocked=passes",
        "nine,remove-from-mills=always,blocked=draws",
        "twelve,double-mill=two",
        "six",
        "six,blocked=passes",
    ] {
        let folder = folder(&format!("morris-{variant}"));
        let size = if variant.starts_with("six") { 4 } else { 3 };
        for header in build(variant, size, &folder) {
            let looked = check(variant, &header.sector, &folder, 30_000);
            assert!(looked > 5_000, "{variant} {}: {looked}", header.sector);
        }
    }
}

#[test]
fn what_no_table_holds_is_said_with_what_would() {
    let refused = |variant: &str, text: &str| probe(variant, text, None).unwrap_err().to_string();
    let many = men("a1 d1 g4 b2 e3", "a7 d7 f6 b4 c5 c4").text("nine", Seat::FIRST);
    assert!(
        refused("", &many).contains("\"kiban solve morris --men 6\""),
        "{}",
        refused("", &many)
    );
    let flying = refused("nine,flying=never", &many);
    assert!(flying.contains("--men 6 --variant nine,flying=never\""), "{flying}");
    let placing = refused("", "********/********/******** w p 0 9 0 9 0 1");
    assert!(placing.contains("still in hand"), "{placing}");
}

#[test]
fn more_men_than_there_are_have_no_value() {
    let refused = probe("", "OOOOOOOO/OOOOO***/@@@***** w m 13 0 3 0 0 20", None).unwrap_err();
    assert!(matches!(refused, ProbeError::Open(OpenError::Faults(_))), "{refused}");
}

/// The tables of these rules take many seconds.
#[test]
fn a_probe_ends_with_its_time() {
    let variant = GAME.variant("nine,flying=at-four").unwrap();
    let text = "O*O*O*O*/@*@*@*@*/******** w m 4 0 4 0 0 1".to_string();
    let limits = Limits { time: Some(Duration::from_millis(300)), ..Limits::default() };
    let began = Instant::now();
    let found = GAME.probe.unwrap()(&Opening::new(variant, Some(text)), &limits);
    assert_eq!(found, Err(ProbeError::Stopped));
    assert!(began.elapsed() < Duration::from_millis(1_300), "{:?}", began.elapsed());
}
