//! Tables of endings: the counts of the rules page, files, and probes from them.

#![allow(clippy::unwrap_used, reason = "a test says more by failing")]

use kiban_core::{BuildLimits, Limits, Opening, ProbeError, Probed, Stop, Tables, Value};
use kiban_jungle::GAME;
use kiban_solve::{Header, TableFile};
use std::path::{Path, PathBuf};
use std::time::Duration;

const TABLES: Tables = match GAME.tables {
    Some(tables) => tables,
    None => panic!("the game has tables"),
};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// Builds all sectors of a size.
fn build(variant: &str, size: u8, folder: &Path) -> Vec<Header> {
    let variant = GAME.variant(variant).unwrap();
    let limits = BuildLimits { bytes: 1 << 30, stop: Stop::default() };
    let sectors = (TABLES.sectors)(&variant, size);
    let built = sectors.iter().map(|sector| {
        (TABLES.build)(&variant, &sector.name, folder, &limits, &mut |_| {}).unwrap();
        let file = TableFile::open(&folder.join(&sector.file)).unwrap();
        file.unwrap().header().clone()
    });
    built.collect()
}

/// Looks at a sample of every table; how many positions.
fn check(variant: &str, headers: &[Header], folder: &Path, sample: u32) -> u64 {
    let variant = GAME.variant(variant).unwrap();
    let looked =
        headers.iter().map(|h| (TABLES.check)(&variant, &h.sector, folder, sample).unwrap());
    looked.sum()
}

fn probe(variant: &str, text: &str, tables: Option<&Path>) -> Result<Probed, ProbeError> {
    let opening = Opening::new(GAME.variant(variant).unwrap(), Some(text.to_string()));
    let tables = tables.map(Path::to_path_buf);
    GAME.probe.unwrap()(&opening, &Limits { tables, ..Limits::default() })
}

/// Every rule that values hang on: one ply ahead each value follows from those of the moves.
#[test]
fn values_follow_from_their_moves_under_every_rule() {
    for variant in [
        "online",
        "classic,equal=both-vanish",
        "classic,elephant-takes-rat=never,order=wolf-below-dog",
        "online,leave-water=any,elephant-takes-rat=always,equal=both-vanish",
    ] {
        let folder = folder(&format!("jungle-{variant}"));
        let headers = build(variant, 2, &folder);
        assert!(headers.len() >= 9, "{variant}: {}", headers.len());
        assert!(check(variant, &headers, &folder, u32::MAX) > 20_000, "{variant}");
    }
}

#[test]
fn probes_come_from_tables_or_a_solver() {
    let folder = folder("jungle-probe");
    build("classic", 2, &folder);
    let race = "7/7/7/3W3/7/7/7/7/l6 w";
    for (tables, source) in [(Some(&*folder), "table"), (None, "solver")] {
        let probed = probe("classic", race, tables).unwrap();
        assert_eq!((probed.value, probed.distance, probed.source), (Value::Win, Some(5), source));
        assert_eq!(probed.moves.len(), 2, "between the rivers");
    }
    // Mirrored and with the sides changed it is worth the same.
    let turned = probe("classic", "6L/7/7/7/7/3w3/7/7/7 b", None).unwrap();
    assert_eq!((turned.value, turned.distance), (Value::Win, Some(5)));
    let three = probe("online", "4e2/7/7/3l3/7/7/7/7/4W2 w", None).unwrap();
    assert_eq!((three.value, three.source), (Value::Loss, "solver"));
    let over = probe("", "3W3/7/7/7/7/7/7/7/l6 b", None).unwrap();
    assert_eq!((over.value, over.distance, over.moves.len()), (Value::Loss, Some(0), 0));
}

#[test]
fn what_no_table_holds_is_said_with_what_would() {
    let refused = |variant: &str, text: &str| probe(variant, text, None).unwrap_err().to_string();
    let four = refused("classic", "4e2/7/7/3l3/7/7/7/7/2C1W2 w");
    assert!(four.contains("\"kiban solve jungle --animals 4 --variant classic\""), "{four}");
    let start = refused("", "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L w");
    assert!(start.contains("up to 5 animals, and here are 16"), "{start}");
}

#[test]
fn a_probe_ends_with_its_time() {
    let text = "l6/7/2t4/7/7/7/7/7/6R w".to_string();
    let opening = Opening::new(GAME.variant("online").unwrap(), Some(text));
    let limits = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
    assert_eq!(GAME.probe.unwrap()(&opening, &limits), Err(ProbeError::Stopped));
}
