//! Tables of exact values: built, broken off, completed, looked at, asked.

mod common;

use common::{Ran, program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A data folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn kiban(data: &Path, arguments: &[&str]) -> Ran {
    let ran = program().args(arguments).env("KIBAN_DATA", data).output().expect("it runs");
    Ran {
        status: ran.status.code().expect("it was not killed"),
        out: String::from_utf8(ran.stdout).expect("text"),
        err: String::from_utf8(ran.stderr).expect("text"),
    }
}

/// The tables below a folder with their bytes.
fn files(data: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| (path.clone(), fs::read(&path).expect("readable"));
    let list = kiban_solve::list(&data.join("tables")).into_iter().map(read);
    list.map(|(path, bytes)| (path.strip_prefix(data).expect("below").to_path_buf(), bytes))
        .collect()
}

#[test]
fn a_build_killed_again_and_again_ends_with_the_same_tables() {
    let (whole, killed) = (folder("tables-whole"), folder("tables-killed"));
    let build = ["solve", "jungle", "--animals", "3"];
    let ran = kiban(&whole, &build);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.starts_with("52 tables of Dou Shou Qi are in "), "{}", ran.out);
    let mut there = Vec::new();
    for round in 1..=5 {
        let mut child = program()
            .args(build)
            .env("KIBAN_DATA", &killed)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        // Each round gets some tables further than the last.
        let ended = loop {
            if let Some(status) = child.try_wait().expect("it can be asked") {
                break Some(status);
            }
            if kiban_solve::list(&killed.join("tables")).len() >= 9 * round {
                child.kill().expect("it can be killed");
                child.wait().expect("it ends");
                break None;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        };
        assert!(ended.is_none_or(|status| status.success()));
        there.push(files(&killed).len());
    }
    assert!(there.is_sorted() && there[0] < 52, "{there:?}");
    let ran = kiban(&killed, &build);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.out.contains("52 tables"), "{}", ran.out);
    assert_eq!(files(&killed), files(&whole));
    let again = kiban(&killed, &build);
    assert!(again.out.contains(" 0 of them built now"), "{}", again.out);
}

#[test]
fn tables_are_checked_listed_and_asked() {
    let data = folder("tables-small");
    let ran = kiban(&data, &["solve", "morris", "--men", "3"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(
        ran.err.contains("3-3: side to move: 140,621 won, 28,736 lost, 269 drawn"),
        "{}",
        ran.err
    );
    let check = ["solve", "morris", "--check"];
    assert!(kiban(&data, &check).out.contains("1 table of Nine Men's Morris is sound"));
    let doctor = || kiban(&data, &["doctor", "--json"]).json();
    assert_eq!(doctor()["tables"][0], "morris/nine/3-3.table");
    assert_eq!(doctor()["table_files"][0]["sound"], true);
    assert_eq!(doctor()["table_files"][0]["positions"], 169_626);
    let position = "O**O*O**/**@*****/@****@** w m 3 0 3 0 9 41";
    let probe = ["probe", "morris", "--position", position, "--json"];
    assert_eq!(kiban(&data, &probe).json()["source"], "table");
    assert_eq!(kiban(&folder("tables-none"), &probe).json()["source"], "solver");
    // A table under the name of another is noticed.
    let never = ["solve", "morris", "--men", "3", "--variant", "nine,flying=never"];
    assert_eq!(kiban(&data, &never).status, 0);
    let own = data.join("tables/morris/nine/3-3.table");
    let (kept, other) = (data.join("kept"), data.join("tables/morris/nine,flying=never/3-3.table"));
    fs::rename(&own, &kept).expect("ours");
    fs::rename(&other, &own).expect("ours");
    assert_eq!(doctor()["table_files"][0]["sound"], false);
    assert!(kiban(&data, &probe).err.contains("it holds another sector"));
    fs::rename(&kept, &own).expect("ours");
    // One bit wrong is noticed everywhere.
    let path = data.join("tables/morris/nine/3-3.table");
    let mut bytes = fs::read(&path).expect("readable");
    *bytes.last_mut().expect("not empty") ^= 1;
    fs::write(&path, bytes).expect("writable");
    assert_eq!(doctor()["table_files"][0]["sound"], false);
    for arguments in [&check[..], &probe] {
        let ran = kiban(&data, arguments);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""));
        assert!(ran.err.contains("3-3.table is damaged"), "{}", ran.err);
    }
}

#[test]
fn what_cannot_be_built_is_said() {
    let data = folder("tables-refused");
    let said =
        |arguments: &[&str], status: i32| kiban(&data, arguments).sentence(status).to_string();
    let large = said(&["solve", "morris", "--men", "6", "--memory", "100"], 1);
    assert!(
        large.starts_with("Sector 4-5 has ") && large.contains("100 MiB are allowed"),
        "{large}"
    );
    let unit = said(&["solve", "jungle", "--men", "4"], 1);
    assert_eq!(unit, "Tables of Dou Shou Qi are built by --animals 2 to 5, not by --men 4.");
    let none = said(&["solve", "othello", "--men", "4"], 1);
    assert!(none.contains("has no tables; games that have some: "), "{none}");
    let unbuilt = said(&["solve", "morris", "--check"], 1);
    assert!(unbuilt.contains("build them with \"kiban solve morris --men N\""), "{unbuilt}");
    said(&["solve", "morris"], 2);
}

#[test]
fn tables_are_told_by_the_name_of_their_variant() {
    let data = folder("tables-named");
    let build = |variant: &str| {
        let ran = kiban(&data, &["solve", "jungle", "--animals", "2", "--variant", variant]);
        assert_eq!(ran.status, 0, "{}", ran.err);
        ran.out.rsplit("They serve the rules ").next().expect("a text").trim_end().to_string()
    };
    assert_eq!(build("online"), "online.");
    // Values do not hang on when a game is drawn.
    assert_eq!(build("online,no-capture=50"), "online.");
    assert_eq!(build("classic"), "classic.");
    assert_eq!(build("classic,enter-water=yes"), "classic,enter-water=yes.");
    let told = kiban(&data, &["doctor"]).out;
    let told: Vec<&str> = told.lines().filter(|line| line.contains("for the rules")).collect();
    assert_eq!(
        told,
        [
            "  tables of jungle for the rules classic:",
            "  tables of jungle for the rules classic,enter-water=yes:",
            "  tables of jungle for the rules online:",
        ]
    );
}
