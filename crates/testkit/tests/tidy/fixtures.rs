//! Each check fails on a small workspace that breaks its rule, and passes on one that does not.

use crate::{File, manifests, sources, text};

fn file(path: &str, text: &str) -> File {
    File { path: path.to_string(), text: text.to_string() }
}

fn manifest(path: &str, rest: &str) -> File {
    file(path, &format!("[package]\nname = \"x\"\n{rest}\n"))
}

/// Exactly one fault, with these words.
fn one(faults: Vec<String>, words: &str) {
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains(words), "{faults:?}");
}

fn fine(faults: Vec<String>) {
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn the_dependency_table_can_be_broken() {
    let check = |path: &str, rest: &str| manifests::dependencies(&[manifest(path, rest)]);
    fine(check("crates/search/Cargo.toml", "[dependencies]\nkiban-core.workspace = true"));
    fine(check("crates/kiban/Cargo.toml", "[dependencies]\nkiban-web.workspace = true"));
    fine(check("crates/core/Cargo.toml", "[dev-dependencies]\nkiban-testkit.workspace = true"));
    fine(check("games/shogi3/Cargo.toml", "[dependencies]\nkiban-shogi.workspace = true"));
    let core = check("crates/core/Cargo.toml", "[dependencies]\nkiban-search = { path = \"x\" }");
    one(core, "crates/core may not depend on kiban-search");
    let table = check("crates/core/Cargo.toml", "[dependencies.kiban-search]\nworkspace = true");
    one(table, "kiban-search");
    let renamed = "[dependencies]\nhidden = { package = \"kiban-web\", path = \"x\" }";
    one(check("crates/play/Cargo.toml", renamed), "kiban-web");
    let target = "[target.'cfg(unix)'.dependencies]\nkiban-store.workspace = true";
    one(check("games/a/Cargo.toml", target), "kiban-store");
    one(check("games/a/Cargo.toml", "[dependencies]\nkiban-b.workspace = true"), "kiban-b");
    one(check("crates/kiban/Cargo.toml", "[dependencies]\nkiban-testkit = \"1\""), "testkit");
    one(check("games/a/Cargo.toml", "[dependencies]\ntokio = \"1\""), "uses tokio");
    let four = "[dependencies]\nserde = \"1\"\na = \"1\"\nb = \"1\"\nc = \"1\"\nd = \"1\"";
    one(check("games/a/Cargo.toml", four), "more than 3 dependencies");
}

#[test]
fn a_game_can_be_missing_from_the_registry() {
    let game = || manifest("games/abc/Cargo.toml", "");
    let depends =
        || manifest("crates/games/Cargo.toml", "[dependencies]\nkiban-abc.workspace = true\n");
    let source = || file("crates/games/src/lib.rs", "static GAMES: &[&G] = &[&kiban_abc::GAME];");
    let comment = || file("crates/games/src/lib.rs", "// kiban_abc::GAME\n");
    fine(manifests::registered(&[game(), depends(), source()]));
    one(manifests::registered(&[game(), source()]), "does not depend");
    one(manifests::registered(&[game(), depends(), comment()]), "does not list");
}

#[test]
fn the_lock_file_can_be_too_long() {
    let lock = |n: usize| manifests::lock(&[file("Cargo.lock", &"[[package]]\n".repeat(n))]);
    fine(lock(420));
    one(lock(421), "421 packages");
    one(manifests::lock(&[]), "no Cargo.lock");
}

#[test]
fn a_game_can_be_named_where_it_must_not() {
    let check = |path: &str, text: &str| {
        sources::game_ids(&[manifest("games/abc/Cargo.toml", ""), file(path, text)])
    };
    one(check("crates/web/src/a.rs", "let x = \"abc\";"), "crates/web/src/a.rs:1 names");
    one(check("crates/web/src/a.rs", "\n\nuse kiban_abc::X;"), "a.rs:3");
    one(check("crates/web/static/a.js", "if (game === 'abc') {}"), "abc");
    one(check("crates/web/static/a.css", ".board-abc {}"), "abc");
    one(check("crates/words/messages/en.ftl", "title = abc"), "abc");
    fine(check("crates/web/src/a.rs", "// as in abc\n/* abc */ let abcd = \"xabc abc3\";"));
    fine(check("crates/web/src/a.rs", "#[cfg(test)]\nmod tests { fn f() { g(\"abc\") } }"));
    one(check("crates/web/src/a.rs", "#[cfg(test)]\nmod tests {}\nconst A: &str = \"abc\";"), ":3");
    fine(check("crates/web/static/a.js", "/* abc\n abc */ x(); // abc"));
    fine(check("crates/words/messages/en.ftl", "# abc"));
    fine(check("crates/web/src/tests/a.rs", "let x = \"abc\";"));
    fine(check("crates/games/src/lib.rs", "kiban_abc::GAME"));
}

#[test]
fn a_function_or_a_file_can_be_too_long() {
    let check = |text: &str| sources::lengths(&[file("crates/a/src/lib.rs", text)]);
    let function = |lines: usize| format!("fn long() {{\n{}}}\n", "    f();\n".repeat(lines - 2));
    fine(check(&function(60)));
    one(check(&function(61)), "lib.rs:1 long has 61 lines");
    // Braces in strings, characters and comments close nothing.
    let tricky = "fn long<'a>() -> A<{ N }> {\n let _ = (\"}\", '}', r#\"\"}\"#); // }\n /* } */\n";
    one(check(&format!("{tricky}{}}}\n", "f();\n".repeat(60))), "long has 64 lines");
    // A type and a declaration have no body; what follows is not theirs.
    let short = "type F = fn(u8) -> u8;\ntrait T { fn f(&self, a: [u8; 3]); }\n";
    fine(check(&format!("{short}mod m {{\n{}}}\n", "const A: u8 = 1;\n".repeat(100))));
    fine(check(&"\n".repeat(800)));
    one(check(&"\n".repeat(801)), "has 801 lines");
    one(sources::lengths(&[file("crates/a/static/a.css", &"\n".repeat(801))]), "801");
}

#[test]
fn something_can_be_left_undone() {
    let check = |path: &str, text: &str| sources::left_undone(&[file(path, text)]);
    for bad in ["todo!()", "unimplemented!()", "dbg!(1)", "#[ignore]", "#[ignore = \"slow\"]"] {
        one(check("crates/a/tests/a.rs", bad), "a.rs:1");
        fine(check("crates/a/tests/a.rs", &format!("// {bad}\nlet s = r\"{bad}\";")));
    }
    one(check("crates/a/src/a.rs", "fn f() {\n g().unwrap();\n}"), "a.rs:2 has .unwrap()");
    fine(check("crates/a/tests/a.rs", "g().unwrap()"));
    fine(check("crates/a/src/a.rs", "#[cfg(test)]\nmod tests { fn f() { g().unwrap() } }"));
    fine(check("crates/a/src/a.rs", "g().unwrap_or(1); // .unwrap()"));
}

#[test]
fn unsafe_code_can_stand_where_it_must_not() {
    let check = |text: &str| sources::unsafe_code(&[file("crates/a/src/a.rs", text)]);
    one(check("fn f() { unsafe { g() } }"), "a.rs:1 is unsafe");
    one(check("#![allow(unsafe_code)]"), "a.rs:1");
    one(check("#![expect(unsafe_code, reason = \"speed\")]"), "a.rs:1");
    fine(check("fn unsafe_like() {} // unsafe\nlet s = \"unsafe\"; #![forbid(unsafe_code)]"));
    let listed = file("games/othello/src/bitboard/avx2.rs", "fn f() {}");
    one(sources::unsafe_code(&[listed]), "is listed and not unsafe");
}

#[test]
fn a_machine_path_can_be_written_down() {
    let check = |text: &str| sources::machine_paths(&[file("docs/a.md", text)]);
    let home = ["/ho", "me/"].concat();
    one(check(&format!("see\n`{home}ann/x`")), "docs/a.md:2");
    one(check(&format!("{home}ann")), "docs/a.md:1");
    fine(check(&format!("https://example.org{home}ann and $ROOT{home}x and ~/.local")));
}

#[test]
fn the_lexer_tells_code_from_text() {
    let code =
        text::rust_code("a(\"\\\"b\") /* c /* d */ e */ r##\"f\"# g\"## 'h' '\\'' &'i j // k");
    let words: Vec<&str> = code.split_whitespace().collect();
    assert_eq!(words, ["a(", ")", "&'i", "j"]);
    let functions = text::functions("const fn a() {\n}\nimpl fn_like for X { fn b(f: fn(u8)) {} }");
    assert_eq!(functions, [("a".to_string(), 1, 2), ("b".to_string(), 3, 1)]);
}
