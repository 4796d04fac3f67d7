//! What a first reader of the study pages missed: addresses, notations, faces, writing, a way to
//! everything on a phone.

use super::driver::Page;
use super::{ENTER, fits, in_browser, moves_shown, ready, start, tap_path};
use serde_json::Value;

/// Puts what the page copies where a test can read it.
const CATCH: &str = "Object.defineProperty(navigator, 'clipboard', { value: {\
    writeText: (text) => { window.copied = text; return Promise.resolve() } } })";

fn paste(page: &Page<'_>, text: &str) {
    page.run(&format!("document.querySelector('#text').value = {text:?}"));
    page.click("#load button[type=submit]");
}

fn write(page: &Page<'_>, text: &str) {
    page.run("document.querySelector('#move-text').focus()");
    let keys: Vec<char> = text.chars().chain([ENTER]).collect();
    page.keys(&keys);
}

/// Waits until the list shows this ply as the one looked at.
fn at_ply(page: &Page<'_>, ply: usize) {
    page.until(&format!(
        "[...document.querySelectorAll('#moves button')].findIndex((b) => b.ariaCurrent) === {}",
        ply as i64 - 1
    ));
}

fn text_of(page: &Page<'_>, script: &str) -> String {
    page.run(script).as_str().expect("a text").to_string()
}

#[test]
fn a_line_of_ones_own_stands_in_the_address_and_its_link_leads_there() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi"));
        ready(&page);
        page.until("document.querySelector('.hit.open')");
        page.drag("7g", "7f");
        moves_shown(&page, 1);
        write(&page, "3c3d");
        moves_shown(&page, 2);
        write(&page, "8h2b+");
        moves_shown(&page, 3);
        // A line left in the middle is kept beside the other.
        page.click("[data-step=back]");
        at_ply(&page, 2);
        write(&page, "P-2f");
        page.until("!document.querySelector('#tried').hidden");
        page.until("location.search.includes('tried=')");
        page.run("location.reload()");
        page.until("!document.querySelector('#tried')?.hidden");
        moves_shown(&page, 3);
        at_ply(&page, 3);
        page.click("#restore");
        page.until("document.querySelector('#moves').textContent.includes('Bx2b+')");
        page.click("[data-step=first]");
        page.click("[data-step=on]");
        page.run(CATCH);
        page.click("#link");
        page.until("window.copied");
        let link = text_of(&page, "return window.copied");
        let other = driver.page(390, 844);
        other.open(&link);
        moves_shown(&other, 3);
        at_ply(&other, 1);
        // What is no move there changes nothing.
        write(&page, "9i9a");
        page.until("document.querySelector('#status.bad')");
        moves_shown(&page, 3);
        page.is_calm();
        other.is_calm();
    });
}

#[test]
fn a_record_its_comments_and_its_review_outlive_a_reload_and_back_leads_to_what_was_before() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi?moves=2g2f"));
        moves_shown(&page, 1);
        let kif = "手合割：平手\n手数----指手--\n   1 ７六歩(77)\n*quiet\n   2 ３四歩(33)\n\
                   \x20  3 ３三角(88)\n   4 同　角(22)\n   5 投了\n";
        paste(&page, kif);
        moves_shown(&page, 4);
        page.click("#judge");
        page.until("document.querySelector('#review .note').textContent.includes('may be wrong')");
        let marks = "return [...document.querySelectorAll('#moves .remark')]\
            .map((mark) => mark.textContent).join('; ')";
        let before = text_of(&page, marks);
        assert!(before.contains("Blunder. Better: "), "{before}");
        page.click("#moves li:nth-child(1) button");
        page.until("location.search.includes('ply=1')");
        page.run("location.reload()");
        page.until("document.querySelector('#comment')?.textContent === 'quiet'");
        at_ply(&page, 1);
        page.until("document.querySelector('#review .note').textContent.includes('may be wrong')");
        page.until("document.querySelector('#verdict').textContent.includes('resign')");
        assert_eq!(text_of(&page, marks), before);
        page.run("history.back()");
        moves_shown(&page, 1);
        page.run("history.forward()");
        moves_shown(&page, 4);
        page.is_calm();
    });
}

#[test]
fn a_record_too_long_for_an_address_outlives_a_reload() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi"));
        ready(&page);
        paste(&page, &format!("position startpos moves {}", long_line().join(" ")));
        moves_shown(&page, 416);
        assert_eq!(page.run("return location.search.includes('moves')"), Value::Bool(false));
        page.run("location.reload()");
        moves_shown(&page, 416);
        page.run(CATCH);
        page.click("#link");
        page.until("document.querySelector('#status.warn')");
    });
}

/// Moves of shogi for 416 plies: rooks walk to and fro, and every fifteen steps both sides push
/// something, so that no position comes four times.
fn long_line() -> Vec<String> {
    let walk = |rank: char, from: i32, by: i32, i: i32| {
        let at = |i: i32| from + by * (5 - (i % 10 - 5).abs());
        format!("{}{rank}{}{rank}", at(i), at(i + 1))
    };
    let mut line = Vec::new();
    for round in 0..13 {
        let file = 1 + round % 9;
        let lances = ["9a9b", "9b9c", "1a1b", "1b1c"];
        let pushes = match round {
            0..9 => [format!("{file}g{file}f"), format!("{file}c{file}d")],
            _ => [format!("{file}f{file}e"), lances[round - 9].to_string()],
        };
        line.extend(pushes);
        let steps = (0..15).map(|i| i + 15 * round as i32);
        line.extend(steps.flat_map(|i| [walk('h', 2, 1, i), walk('b', 8, -1, i)]));
    }
    line
}

#[test]
fn a_pasted_transcript_is_asked_for_once_and_without_a_refusal() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/othello"));
        ready(&page);
        page.run(
            "window.asked = []; const real = window.fetch; window.fetch = (url, with_) => {\
             if (String(url).endsWith('/analysis/othello')) window.asked.push(with_.body);\
             return real(url, with_) }",
        );
        paste(&page, "f5d6c3");
        moves_shown(&page, 3);
        let asked = "return window.asked.filter((body) => body.includes('f5d6c3')).length";
        assert_eq!(page.run(asked), Value::from(1));
        page.is_calm();
    });
}

#[test]
fn a_threat_and_all_lines_are_told_in_the_notation_of_the_page() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi?position=4k4/9/4P4/9/9/9/9/9/4K4+w+G+1"));
        ready(&page);
        page.click("#think");
        let proof = "document.querySelector('#engine .proofs')?.textContent";
        page.until(&format!("{proof}.includes('G*5b')"));
        assert_eq!(page.run(&format!("return {proof}.includes('G*5b')")), Value::Bool(true));
        page.until("document.querySelector('#engine li span')?.textContent !== ''");
        page.click(".notation");
        page.click(".notation");
        page.until(&format!("{proof}.includes('５二金')"));
        page.until("/[一-龠]/.test(document.querySelector('#engine li span').textContent)");
        page.is_calm();
    });
}

#[test]
fn a_brinkmate_is_told() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        let start = "7nl/7k1/6p2/7Pp/9/9/9/9/9+b+GS2r2b3g3s3n3l15p+1";
        let moves = "S*2c+2b1c+2c3d%2B";
        page.open(&format!("{base}/analysis/shogi?position={start}&moves={moves}&ply=3"));
        moves_shown(&page, 3);
        page.click("#think");
        page.until("document.querySelector('#engine .proofs')?.textContent.includes('Brinkmate')");
        page.is_calm();
    });
}

#[test]
fn the_question_of_promotion_tells_what_each_answer_is_worth() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi3?position=2k/S2/K2+b+-+1&exact"));
        page.until("document.querySelectorAll('#values ol li').length > 0");
        page.until("document.querySelector('.hit.open')");
        page.tap("3b");
        page.tap("2a");
        page.until("document.querySelectorAll('.ask button b').length === 2");
        page.is_calm();
    });
}

#[test]
fn pieces_change_their_faces_where_one_studies() {
    in_browser(|driver, base| {
        let page = driver.page(390, 844);
        page.open(&format!("{base}/analysis/jungle"));
        ready(&page);
        let written = "document.querySelectorAll('.piece use[href$=-characters]').length";
        page.until(&format!("{written} === 0"));
        page.click("#faces");
        page.until(&format!("{written} === 16"));
        page.open(&format!("{base}/analysis/othello"));
        ready(&page);
        page.until("document.querySelector('#faces').hidden");
    });
}

#[test]
fn a_puzzle_is_answered_in_writing_and_offers_what_comes_next() {
    in_browser(|driver, base| {
        let page = driver.page(390, 844);
        page.open(&format!("{base}/shogi3/puzzles#10"));
        page.until("document.querySelector('.hit.open')");
        let primary = "return [...document.querySelectorAll('#actions .primary')]\
            .filter((b) => !b.hidden).map((b) => b.id).join()";
        assert_eq!(text_of(&page, primary), "");
        let asked = "return fetch('/api/puzzles/shogi3/10', { method: 'POST',\
            body: JSON.stringify({ moves: [], show: true }),\
            headers: { 'Content-Type': 'application/json' } })\
            .then((a) => a.json()).then((a) => a.plies[0].western)";
        let right = text_of(&page, asked);
        // Some other move first.
        let wrong = page.run(&format!(
            "return fetch('/api/puzzles/shogi3/10').then((a) => a.json()).then((p) =>\
             p.choices.map((c) => c.taps).filter((t) => !{right:?}.endsWith(t[t.length - 1]))[0])"
        ));
        tap_path(&page, "first", wrong.as_array().expect("a path"));
        page.until("document.querySelector('#answer.bad, #answer.warn')");
        assert_eq!(text_of(&page, primary), "again");
        page.click("#again");
        page.until("document.querySelector('.hit.open')");
        write(&page, &right);
        page.until("document.querySelector('#answer.good')");
        assert_eq!(text_of(&page, primary), "next");
        page.is_calm();
    });
}

#[test]
fn every_game_and_its_puzzles_are_in_sight_on_a_phone() {
    in_browser(|driver, base| {
        let page = driver.page(360, 740);
        page.open(base);
        page.until("document.querySelector('.card a[href=\"/shogi3/puzzles\"]')");
        page.click("#menu");
        let shown = "[...document.querySelectorAll('#nav a')].filter((a) => {\
            const box = a.getBoundingClientRect(); return box.height >= 44 && box.left >= 0\
            && box.right <= innerWidth && box.bottom <= innerHeight }).length";
        page.until(&format!("{shown} === document.querySelectorAll('#nav a').length"));
        fits(&page);
        page.click("#nav a[href='/shogi3/puzzles']");
        page.until("location.pathname === '/shogi3/puzzles'");
        page.open(&format!("{base}/shogi3"));
        page.click(".intro a[href='/shogi3/puzzles']");
        page.until("location.pathname === '/shogi3/puzzles'");
        // In a wide window all stand in one line.
        let wide = driver.page(1280, 800);
        wide.open(base);
        wide.until("document.querySelector('header.site').offsetHeight < 60");
        wide.until("document.querySelector('#nav').scrollWidth <= innerWidth");
        page.is_calm();
    });
}

#[test]
fn a_tap_says_what_a_place_is() {
    in_browser(|driver, base| {
        let page = driver.page(390, 844);
        page.open(&format!("{base}/analysis/luzhanqi?variant=four-open"));
        ready(&page);
        let camp = "[...document.querySelectorAll('.hit')].find((h) => /camp/.test(h.ariaLabel))";
        page.until(camp);
        let id = text_of(&page, &format!("return {camp}.dataset.id"));
        page.tap(&id);
        page.until(&format!(
            "document.querySelector('#place').textContent === '{id}, camp, empty'"
        ));
        start(&page, base, "shogi?opponent=screen");
        page.tap("5i");
        page.until("document.querySelector('#place').textContent === '5i, Sente king'");
        fits(&page);
    });
}

#[test]
fn the_best_lines_the_moves_and_the_graph_are_in_sight_with_the_board() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        let moves = &long_line()[..24];
        page.open(&format!("{base}/analysis/shogi?moves={}&ply=24", moves.join("+")));
        moves_shown(&page, 24);
        page.click("#think");
        page.until("document.querySelectorAll('#engine li').length === 3");
        page.click("#judge");
        page.until("document.querySelector('#review .graph svg .curve')");
        let bottom = |what: &str| {
            format!(
                "document.querySelector('{what}').getBoundingClientRect().bottom <= innerHeight"
            )
        };
        for what in ["#board", "#engine", "#moves", "#review .graph", "#move-form"] {
            page.until(&bottom(what));
        }
        // The ply looked at is within the part of the list that is shown.
        page.until(
            "(() => { const list = document.querySelector('#moves').getBoundingClientRect();\
             const now = document.querySelector('#moves [aria-current]').getBoundingClientRect();\
             return now.top >= list.top && now.bottom <= list.bottom })()",
        );
        page.is_calm();
    });
}

#[test]
fn a_pasted_record_opens_at_its_end_where_its_result_stands() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi"));
        ready(&page);
        let kif = "手合割：平手\n手数----指手--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n";
        paste(&page, kif);
        at_ply(&page, 2);
        page.until("document.querySelector('#when').textContent === 'The game has ended here'");
        page.click("[data-step=back]");
        page.until("document.querySelector('#when').textContent === 'The end, after move 2'");
        // A record without a move shows none either.
        paste(&page, "手合割：平手\n手数----指手--\n   1 投了\n");
        page.until("document.querySelector('#moves .none')");
        page.until("document.querySelector('#verdict').textContent.includes('resign')");
        page.is_calm();
    });
}
