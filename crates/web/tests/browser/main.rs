//! Games played in a real browser against a real server. Skipped where there is no chromium.

mod analysis;
mod driver;
mod fit;
mod hidden;
mod keys;
mod solved;
mod study;

use driver::{Driver, Page};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::mpsc;

const ENTER: char = '\u{e007}';
const ESCAPE: char = '\u{e00c}';
const UP: char = '\u{e013}';
const DOWN: char = '\u{e015}';

/// A server on a free port with a database of its own; it lives as long as the test program.
fn server() -> String {
    server_with(Vec::new())
}

/// The same with other programs that play and analyse.
fn server_with(engines: Vec<kiban_web::EngineOption>) -> String {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let options = kiban_web::ServeOptions {
            games: kiban_games::GAMES,
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            database: Some(format!("sqlite:{}", folder.join("games.sqlite").display())),
            hosts: Vec::new(),
            engines,
            tables: None,
            threads: Some(1),
        };
        let say = move |line: kiban_web::Line<'_>| {
            if let kiban_web::Line::Ready(text) = line {
                let _ = tell.send(text.to_string());
            }
        };
        kiban_web::serve(options, say).expect("the server runs");
    });
    let ready = told.recv().expect("the server says where it is");
    ready.split_whitespace().find(|w| w.starts_with("http")).expect("an address").to_string()
}

/// Runs a test in a browser, if there is one.
fn in_browser(test: impl FnOnce(&Driver, &str)) {
    match Driver::start() {
        Some(driver) => test(&driver, &server()),
        #[expect(clippy::print_stdout, reason = "a skipped test must say so")]
        None => {
            // CI installs a browser first and sets this, so that nothing is skipped there.
            let required = std::env::var_os("KIBAN_BROWSER").is_some();
            assert!(!required, "no chromium or chromedriver, and KIBAN_BROWSER asks for one");
            println!("skipped: no chromium");
        }
    }
}

/// Fills in the start form by its address and starts the game.
fn start(page: &Page<'_>, base: &str, query: &str) {
    page.open(&format!("{base}/{query}"));
    page.click("#start button[type=submit]");
    page.until("location.pathname.startsWith('/g/')");
    ready(page);
}

/// Waits until the board stands.
fn ready(page: &Page<'_>) {
    page.until("document.querySelector('.board .hit')");
}

fn view(page: &Page<'_>) -> Value {
    page.run("return fetch('/api/games/' + location.pathname.split('/')[2]).then((a) => a.json())")
}

/// Waits until the page's own list shows this many moves.
fn moves_shown(page: &Page<'_>, count: usize) {
    page.until(&format!("document.querySelectorAll('#moves li button').length === {count}"));
}

/// Makes a move by tapping its path.
fn tap_path(page: &Page<'_>, seat: &str, taps: &[Value]) {
    for tap in taps {
        let tap = tap.as_str().expect("a tap is a text");
        if tap.starts_with("hand:") {
            page.tap(&format!("{seat}/{tap}"));
        } else if page.run(&format!("return !document.querySelector('[data-id=\"{tap}\"]')"))
            == Value::Bool(true)
        {
            page.click(&format!(".ask [data-tap={tap}]"));
        } else {
            page.tap(tap);
        }
    }
}

#[test]
fn whole_games_by_taps_the_moves_taken_from_the_server() {
    in_browser(|driver, base| {
        for (query, plies) in
            [("othello?variant=othello,size=4&opponent=screen", 60), ("shogi?opponent=screen", 14)]
        {
            let page = driver.page(1280, 800);
            start(&page, base, query);
            for turn in 0..plies {
                let now = view(&page);
                if now["stage"] == "over" {
                    break;
                }
                let choices = now["choices"].as_array().expect("a list");
                let choice = &choices[(turn * 7 + 3) % choices.len()];
                let seat = now["to_move"].as_str().expect("a seat");
                tap_path(&page, seat, choice["taps"].as_array().expect("a path"));
                let before = now["seen"].as_array().expect("a list").len();
                page.until(&format!(
                    "document.querySelectorAll('#moves li button').length > {before}"
                ));
            }
            let end = view(&page);
            let small = query.starts_with("othello");
            assert_eq!(end["stage"] == "over", small, "{end}");
            if small {
                page.until("document.querySelector('#status.end')");
            }
            page.is_calm();
        }
    });
}

#[test]
fn moves_by_drag_by_keys_and_in_writing() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        start(&page, base, "shogi?opponent=screen");
        page.drag("7g", "7f");
        moves_shown(&page, 1);
        page.run("document.querySelector('[data-id=\"3c\"]').focus()");
        page.keys(&[ENTER, ESCAPE, ENTER, DOWN, ENTER]);
        moves_shown(&page, 2);
        page.until("document.querySelector('#live').textContent.includes('P-3d')");
        page.run("document.querySelector('#move-text').focus()");
        page.keys(&['2', 'g', '2', 'f', ENTER]);
        moves_shown(&page, 3);
        assert_eq!(view(&page)["seen"][2]["text"], "2g2f");
        // A drag to nowhere changes nothing.
        page.drag("8c", "5e");
        page.run("document.querySelector('[data-id=\"8d\"]').focus()");
        page.keys(&[UP, ENTER, DOWN, ENTER]);
        moves_shown(&page, 4);
        assert_eq!(view(&page)["seen"][3]["text"], "8c8d");
        page.is_calm();
    });
}

#[test]
fn promotion_is_asked_and_answered() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        start(&page, base, "shogi?opponent=screen");
        for (from, to) in [("7g", "7f"), ("3c", "3d"), ("8h", "2b")] {
            page.tap(from);
            page.tap(to);
            page.run("return new Promise((done) => setTimeout(done, 150))");
        }
        page.until("document.querySelectorAll('.ask button svg').length === 2");
        page.keys(&[ESCAPE]);
        page.until("!document.querySelector('.ask')");
        moves_shown(&page, 2);
        page.drag("8h", "2b");
        page.click(".ask [data-tap=promote]");
        moves_shown(&page, 3);
        assert_eq!(view(&page)["seen"][2]["text"], "8h2b+");
        page.is_calm();
    });
}

#[test]
fn two_browsers_meet_by_a_secret_link_and_a_reload_keeps_the_game() {
    in_browser(|driver, base| {
        let (host, guest) = (driver.page(1280, 800), driver.page(390, 844));
        start(&host, base, "othello?opponent=online");
        host.until("document.querySelector('.copy input')");
        let link = host.run("return document.querySelector('.copy input').value");
        guest.open(link.as_str().expect("a link"));
        guest.click("form button[type=submit]");
        ready(&guest);
        host.until("!document.querySelector('.copy')");
        host.tap("f5");
        moves_shown(&guest, 1);
        guest.tap("d6");
        moves_shown(&host, 2);
        guest.run("location.reload()");
        ready(&guest);
        moves_shown(&guest, 2);
        assert_eq!(view(&guest)["viewer"], "second");
        // A stranger with the address alone is no player.
        let stranger = driver.page(800, 600);
        let here = host.run("return location.href");
        stranger.open(here.as_str().expect("an address"));
        stranger.until("!document.querySelector('#board')");
        host.click("[data-act=draw]");
        guest.click("#panel .primary");
        host.until("document.querySelector('#status.end')");
        host.is_calm();
        guest.is_calm();
    });
}

#[test]
fn a_move_planned_ahead_is_made_when_its_turn_comes() {
    in_browser(|driver, base| {
        let (host, guest) = (driver.page(1280, 800), driver.page(1280, 800));
        start(&host, base, "shogi?opponent=online");
        host.until("document.querySelector('.copy input')");
        let link = host.run("return document.querySelector('.copy input').value");
        guest.open(link.as_str().expect("a link"));
        guest.click("form button[type=submit]");
        ready(&guest);
        guest.until("document.querySelector('.board.live')");
        guest.tap("3c");
        guest.tap("3d");
        guest.until("document.querySelectorAll('.mark-plan').length === 2");
        host.until("!document.querySelector('.copy')");
        host.drag("7g", "7f");
        moves_shown(&host, 2);
        assert_eq!(view(&host)["seen"][1]["text"], "3c3d");
        // Another plan, taken back.
        guest.tap("8c");
        guest.tap("8d");
        guest.until("document.querySelectorAll('.mark-plan').length === 2");
        guest.keys(&[ESCAPE]);
        guest.until("document.querySelectorAll('.mark-plan').length === 0");
        host.is_calm();
        guest.is_calm();
    });
}

#[test]
fn a_move_made_while_the_line_is_cut_arrives_once_it_is_mended() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        start(&page, base, "shogi?opponent=screen");
        page.until("document.querySelector('.board.live')");
        page.offline(true);
        page.drag("7g", "7f");
        page.until("document.querySelector('#status.warn')");
        page.offline(false);
        moves_shown(&page, 1);
        page.until("!document.querySelector('#status.warn')");
        page.drag("3c", "3d");
        moves_shown(&page, 2);
    });
}

#[test]
fn an_official_foul_is_told_with_its_rule() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        start(&page, base, "shogi?opponent=screen&conduct=official");
        page.tap("7g");
        assert_eq!(page.run("return document.querySelectorAll('.mark-dot').length"), 0);
        page.tap("7e");
        page.until("document.querySelector('#status.end')");
        let told = page.run("return document.querySelector('#status').textContent");
        assert!(told.as_str().is_some_and(|t| t.contains("does not move like that")), "{told}");
        assert_eq!(view(&page)["foul"]["reason"], "illegal-piece-move");
        page.is_calm();
    });
}

#[test]
fn the_computer_answers() {
    in_browser(|driver, base| {
        for (query, taps) in [("othello?level=1", &["f5"][..]), ("shogi?level=1", &["7g", "7f"])] {
            let page = driver.page(1280, 800);
            start(&page, base, query);
            taps.iter().for_each(|tap| page.tap(tap));
            moves_shown(&page, 2);
            page.click("[data-act=resign]");
            page.click("#panel .danger");
            page.until("document.querySelector('#status.end')");
            page.click("#panel a.button");
            page.until("location.pathname.startsWith('/analysis/')");
            moves_shown(&page, 2);
            page.is_calm();
        }
    });
}

#[test]
fn no_page_is_wider_than_a_phone() {
    in_browser(|driver, base| {
        let page = driver.page(360, 740);
        let pages =
            ["", "about", "shogi", "othello", "shogi/rules", "othello/rules", "analysis/shogi"];
        for path in pages {
            page.open(&format!("{base}/{path}"));
            fits(&page);
        }
        for game in ["shogi", "othello"] {
            start(&page, base, &format!("{game}?opponent=screen&clock=byoyomi"));
            fits(&page);
        }
        page.is_calm();
    });
}

fn fits(page: &Page<'_>) {
    let over = page
        .run("const root = document.documentElement; return root.scrollWidth - root.clientWidth");
    assert_eq!(over, 0, "{} is too wide", page.run("return location.pathname"));
}

#[test]
fn a_fallen_flag_stands_at_nothing() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/shogi?opponent=screen"));
        page.run(
            "document.querySelector('#clock').value = 'own';\
             for (const [name, value] of [['main', 0], ['byoyomi', 1], ['periods', 1]])\
             document.querySelector(`[name=${name}]`).value = value",
        );
        page.click("#start button[type=submit]");
        page.until("document.querySelector('#status.end')");
        page.until("document.querySelector('#bar-own .time').textContent === '0:00.0'");
        page.is_calm();
    });
}

#[test]
fn an_offer_that_is_declined_is_told_to_who_made_it() {
    in_browser(|driver, base| {
        let (host, guest) = (driver.page(1280, 800), driver.page(390, 844));
        start(&host, base, "othello?opponent=online");
        host.until("document.querySelector('.copy input')");
        let link = host.run("return document.querySelector('.copy input').value");
        guest.open(link.as_str().expect("a link"));
        guest.click("form button[type=submit]");
        ready(&guest);
        host.until("!document.querySelector('.copy')");
        host.click("[data-act=draw]");
        guest.until("document.querySelectorAll('#panel button').length === 2");
        guest.click("#panel button:not(.primary)");
        host.until("document.querySelector('#status').textContent.includes('declined')");
        host.is_calm();
        guest.is_calm();
    });
}

#[test]
fn a_question_on_a_phone_is_not_covered_by_the_bar_of_actions() {
    in_browser(|driver, base| {
        let page = driver.page(390, 844);
        start(&page, base, "shogi?opponent=screen&clock=byoyomi");
        page.click("[data-act=resign]");
        page.until(
            "(() => { const b = document.querySelector('#panel .danger').getBoundingClientRect();\
             return document.elementFromPoint(b.x + b.width / 2, b.bottom - 2)\
             ?.closest('#panel') })()",
        );
        page.is_calm();
    });
}

#[test]
fn the_board_of_a_desktop_at_200_percent_and_of_a_tablet_is_large() {
    in_browser(|driver, base| {
        for (width, height, least) in [(640, 400, 280), (820, 1180, 600)] {
            let page = driver.page(width, height);
            start(&page, base, "shogi?opponent=screen");
            page.until(&format!("document.querySelector('#board').clientWidth >= {least}"));
            fits(&page);
        }
    });
}

#[test]
fn the_tab_key_stops_once_at_the_board() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        start(&page, base, "othello?opponent=screen");
        page.run("document.querySelector('#theme').focus()");
        page.keys(&['\u{e004}']);
        page.until("document.activeElement.matches('.hit')");
        page.keys(&['\u{e004}']);
        page.until("!document.activeElement.closest('#board')");
    });
}

#[test]
fn an_illegal_try_in_a_guided_game_is_told_why() {
    in_browser(|driver, base| {
        for (query, taps, why) in [
            ("shogi?opponent=screen", &["7i", "7a"][..], "does not move like that"),
            ("othello?opponent=screen", &["a1"][..], "turn no other"),
        ] {
            let page = driver.page(1280, 800);
            start(&page, base, query);
            taps.iter().for_each(|tap| page.tap(tap));
            page.until(&format!("document.querySelector('#status').textContent.includes('{why}')"));
            moves_shown(&page, 0);
            page.is_calm();
        }
    });
}
