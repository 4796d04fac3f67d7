//! What the crates depend on.

use crate::{File, text};

/// Packages in `Cargo.lock` at most.
const PACKAGES: usize = 420;
/// External dependencies of a game beside the ones every crate may use.
const EXTERNAL: usize = 3;
/// What every crate may use.
const COMMON: [&str; 3] = ["serde", "serde_json", "thiserror"];
/// What no game may use: it knows no network and no database.
const NOT_IN_GAMES: [&str; 6] = ["tokio", "axum", "rusqlite", "sqlx", "postgres", "hyper"];

/// Crates of the workspace that a folder may depend on; `None`: all.
fn allowed(folder: &str, games: &[String]) -> Option<Vec<String>> {
    let own = |names: &[&str]| Some(names.iter().map(|n| format!("kiban-{n}")).collect());
    match folder {
        "crates/kiban" => None,
        "crates/core" | "crates/glyphs" => own(&[]),
        "crates/web" => own(&["core", "play", "store", "games", "words", "glyphs", "wire"]),
        "crates/games" => {
            let ids: Vec<&str> = games.iter().map(String::as_str).chain(["core"]).collect();
            own(&ids)
        }
        "games/shogi3" => own(&["core", "search", "solve", "wire", "glyphs", "pgn", "shogi"]),
        game if game.starts_with("games/") => {
            own(&["core", "search", "solve", "wire", "glyphs", "pgn"])
        }
        _ => own(&["core"]),
    }
}

/// The ids of the games: the folders under `games/`.
pub(crate) fn game_ids(files: &[File]) -> Vec<String> {
    let id = |f: &File| {
        let id = f.path.strip_prefix("games/")?.strip_suffix("/Cargo.toml")?;
        (!id.contains('/')).then(|| id.to_string())
    };
    files.iter().filter_map(id).collect()
}

/// The dependency table.
pub(crate) fn dependencies(files: &[File]) -> Vec<String> {
    let games = game_ids(files);
    let mut faults = Vec::new();
    for file in files {
        let Some(folder) = file.path.strip_suffix("/Cargo.toml") else { continue };
        if folder.split('/').count() != 2 || !file.text.contains("[package]") {
            continue;
        }
        let allowed = allowed(folder, &games);
        let mut external = Vec::new();
        for (section, name) in text::dependencies(&file.text) {
            if section == "dev-dependencies" {
                continue;
            }
            let own = name == "kiban" || name.starts_with("kiban-");
            let refused = allowed.as_ref().is_some_and(|list| !list.contains(&name));
            if name == "kiban-testkit" || (own && refused) {
                faults.push(format!("{folder} may not depend on {name} in [{section}]"));
            }
            if !own && !COMMON.contains(&name.as_str()) {
                external.push(name);
            }
        }
        if folder.starts_with("games/") {
            let heavy = external.iter().filter(|name| NOT_IN_GAMES.contains(&name.as_str()));
            faults.extend(heavy.map(|name| format!("{folder} is a game and uses {name}")));
            if external.len() > EXTERNAL {
                let names = external.join(", ");
                faults.push(format!("{folder} has more than {EXTERNAL} dependencies: {names}"));
            }
        }
    }
    faults
}

/// Every game is a dependency of the registry and named in its source.
pub(crate) fn registered(files: &[File]) -> Vec<String> {
    let manifest = files.iter().find(|f| f.path == "crates/games/Cargo.toml");
    let depends = manifest.map_or_else(Vec::new, |f| text::dependencies(&f.text));
    let source = files.iter().filter(|f| f.path.starts_with("crates/games/src/"));
    let code: String = source.map(|f| text::rust_code(&f.text)).collect();
    let mut faults = Vec::new();
    for id in game_ids(files) {
        if !depends.contains(&("dependencies".to_string(), format!("kiban-{id}"))) {
            faults.push(format!("crates/games does not depend on kiban-{id}"));
        }
        if !code.contains(&format!("kiban_{id}::GAME")) {
            faults.push(format!("crates/games does not list kiban_{id}::GAME"));
        }
    }
    faults
}

/// The number of packages in `Cargo.lock`.
pub(crate) fn lock(files: &[File]) -> Vec<String> {
    let Some(lock) = files.iter().find(|f| f.path == "Cargo.lock") else {
        return vec!["there is no Cargo.lock".to_string()];
    };
    let packages = lock.text.lines().filter(|line| *line == "[[package]]").count();
    if packages <= PACKAGES {
        return Vec::new();
    }
    vec![format!("Cargo.lock has {packages} packages; {PACKAGES} is the most")]
}
