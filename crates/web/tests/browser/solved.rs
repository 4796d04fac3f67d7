//! Exact values on the board, set-ups by grade, puzzles.

use super::{ENTER, in_browser, moves_shown, ready, start, tap_path, view};
use serde_json::Value;

#[test]
fn exact_values_are_told_and_drawn_where_a_move_would_end() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi3?position=glk/3/KLG%20b%20-%201"));
        ready(&page);
        page.click("#exact");
        page.until("document.querySelector('#values .head').textContent.includes('wins in 9')");
        page.until("document.querySelectorAll('#values ol li').length === 4");
        page.tap("2c");
        page.until("document.querySelectorAll('.exact.win').length === 1");
        page.until("document.querySelector('.exact.win text').textContent === '+9'");
        page.click("#values ol li button");
        moves_shown(&page, 1);
        page.until("document.querySelector('#values .head').textContent.includes('loses in 8')");
        page.is_calm();
        // Too large a position is told in a sentence, and the board stays usable.
        page.open(&format!("{base}/analysis/shogi3?position=gsk/3/KSG%20b%20Pp%201&exact"));
        page.until("document.querySelector('#values .head').textContent.includes('MiB')");
        ready(&page);
    });
}

#[test]
fn a_finished_game_leads_to_its_exact_values() {
    in_browser(|driver, base| {
        let page = driver.page(390, 844);
        start(&page, base, "shogi3?opponent=screen&setup=lance-gold");
        page.click("[data-act=resign]");
        page.click("#panel .danger");
        page.click("#panel a[href*=exact]");
        page.until("document.querySelector('#values .head')?.textContent.includes('wins in 9')");
        super::fits(&page);
        page.is_calm();
    });
}

#[test]
fn a_set_up_is_chosen_by_grade_with_its_diagram() {
    in_browser(|driver, base| {
        let page = driver.page(390, 844);
        page.open(&format!("{base}/shogi3"));
        page.until("document.querySelectorAll('.cards').length === 4");
        let seen = "[...document.querySelectorAll('.cards')].filter((c) => c.offsetHeight > 0)";
        page.until(&format!("{seen}.length === 1"));
        // Nobody taps what lies below the button at the foot.
        page.run("document.querySelector('[value=hard]').scrollIntoView({ block: 'center' })");
        page.click("[name=grade][value=hard]");
        page.until(&format!("{seen}[0].dataset.grade === 'hard'"));
        page.click("[name=setup][value=hand-silver-pawn]");
        page.until("document.querySelector('.board [data-id=\"first/hand:S\"]')");
        super::fits(&page);
        page.click("#start button[type=submit]");
        ready(&page);
        assert_eq!(view(&page)["start"], "2k/3/K2 b SPsp 1");
        page.is_calm();
    });
}

#[test]
fn a_puzzle_answers_a_wrong_and_a_right_try() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/shogi3/puzzles"));
        page.click("#puzzles a[href='#10']");
        page.until("document.querySelector('#number').textContent.endsWith('10')");
        page.until("document.querySelector('.hit.open')");
        let asked = "const url = '/api/puzzles/shogi3/10'; const json = (a) => a.json();\
            const show = (moves) => fetch(url, { method: 'POST', body: JSON.stringify({ moves,\
            show: moves.length === 0 }), headers: { 'Content-Type': 'application/json' } })\
            .then(json); return Promise.all([show([]), fetch(url).then(json)]).then(\
            ([answer, puzzle]) => { const right = answer.plies[0].text; return {\
            right: puzzle.choices.find((c) => c.text === right).taps,\
            wrong: puzzle.choices.find((c) => c.text !== right).taps } })";
        let found = page.run(asked);
        let taps = |kind: &str| found[kind].as_array().cloned().expect("a path");
        tap_path(&page, "first", &taps("wrong"));
        page.until("document.querySelector('#answer.bad')");
        page.until("document.activeElement.id === 'again'");
        page.keys(&[ENTER]);
        page.until("document.querySelector('.hit.open')");
        tap_path(&page, "first", &taps("right"));
        page.until("document.querySelector('#answer.good')");
        page.until("document.querySelector('#puzzles a[href=\"#10\"].done')");
        page.keys(&[ENTER]);
        page.until("document.querySelector('#number').textContent.endsWith('11')");
        assert_eq!(page.run("return location.hash"), Value::from("#11"));
        page.is_calm();
    });
}
