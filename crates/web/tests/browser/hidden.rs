//! Layouts, notes, the curtain and the board for four.

use super::{in_browser, moves_shown, ready, start, view};
use crate::driver::Page;
use serde_json::Value;

/// Waits for the editor and lays down what it shows.
fn lay(page: &Page<'_>) {
    page.until("document.querySelector('#lay:not(:disabled)')");
    page.click("#lay");
}

/// Waits until it is this page's turn.
fn on_turn(page: &Page<'_>) -> Value {
    page.until("document.querySelector('.hit.open')");
    view(page)
}

/// The taps of the first choice that this is true of, from and to.
fn choice(view: &Value, fits: impl Fn(&str, &str) -> bool) -> (String, String) {
    let choices = view["choices"].as_array().expect("a list");
    let taps = |c: &Value| Some((c["taps"][0].as_str()?.into(), c["taps"][1].as_str()?.into()));
    let mut taps = choices.iter().filter_map(taps);
    taps.find(|(from, to): &(String, String)| fits(from, to)).expect("there is such a move")
}

fn stands(view: &Value, at: &str) -> bool {
    view["scene"]["pieces"].as_array().expect("a list").iter().any(|piece| piece["at"] == at)
}

#[test]
fn an_editor_of_a_layout_that_ends_while_it_is_fetched_is_not_built() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        start(&page, base, "luzhanqi?opponent=computer&level=1");
        page.until("document.querySelector('#lay:not(:disabled)')");
        let left = page.run(
            "const src = document.querySelector('script[type=module]').src;\
             return (async () => {\
               const { Arranger } = await import(new URL('./arrange.js', src).href);\
               const view = await fetch(`/api/games/${location.pathname.split('/')[2]}`)\
                 .then((answer) => answer.json());\
               const host = document.createElement('div');\
               const hooks = { changed() {}, lay() {}, told() {} };\
               const one = new Arranger(host, hooks);\
               const all = [];\
               for (const end of [() => one.end(), () => one.leave(), () => {}]) {\
                 const begun = one.set(view);\
                 end();\
                 await begun;\
                 all.push(one.active && host.children.length > 0);\
               }\
               one.end();\
               return all })()",
        );
        assert_eq!(left, serde_json::json!([false, false, true]));
    });
}

#[test]
fn layouts_are_laid_down_contacts_are_told_and_notes_follow_their_piece() {
    in_browser(|driver, base| {
        let (host, guest) = (driver.page(1280, 900), driver.page(390, 844));
        start(&host, base, "luzhanqi?opponent=online");
        host.until("document.querySelector('.copy input')");
        let link = host.run("return document.querySelector('#panel .copy input').value");
        guest.open(link.as_str().expect("a link"));
        guest.click("form button[type=submit]");
        ready(&guest);
        host.until("document.querySelector('#lay:not(:disabled)')");
        let text = "document.querySelector('#layout-text').value";
        let before = host.run(&format!("return {text}"));
        // The flag belongs in a headquarters; two others change places.
        host.tap("b1");
        host.tap("a6");
        host.until("document.querySelector('#status').textContent.includes('headquarters')");
        host.tap("a6");
        host.tap("a1");
        host.until(&format!("{text} !== {before}"));
        lay(&host);
        host.until("document.querySelector('#status').textContent.includes('Waiting for Black')");
        lay(&guest);
        let now = on_turn(&host);
        let (from, to) = choice(&now, |_, to| to.ends_with('7'));
        host.tap(&from);
        host.tap(&to);
        for page in [&host, &guest] {
            page.until("document.querySelector('#told').textContent.includes('Red attacks')");
        }
        let now = on_turn(&guest);
        let (from, to) = choice(&now, |_, to| !stands(&now, to));
        host.run(&format!("document.querySelector('[data-id={from}]').focus()"));
        host.keys(&['m']);
        host.click(".ask [data-sign=least]");
        host.click(".ask [data-letter=c]");
        host.until(&format!("document.querySelector('[data-note={from}]')"));
        guest.tap(&from);
        guest.tap(&to);
        host.until(&format!("document.querySelector('[data-note={to}]')"));
        host.run("location.reload()");
        host.until(&format!("document.querySelector('[data-note={to}]')"));
        assert_eq!(guest.run("return document.querySelectorAll('.note').length"), 0);
        host.is_calm();
        guest.is_calm();
    });
}

/// How far down a place of the board is.
fn depth(page: &Page<'_>, place: &str) -> Option<f64> {
    let spot = format!("document.querySelector('[data-id={place}]').getBoundingClientRect()");
    page.run(&format!("return {spot}.y")).as_f64()
}

/// How much of the board the page holds.
fn shown(page: &Page<'_>) -> Value {
    page.run("return document.querySelectorAll('.board-svg, .piece, .icon-piece').length")
}

#[test]
fn behind_the_curtain_nothing_of_the_board_is_on_the_page() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 900);
        page.open(&format!("{base}/luzhanqi?opponent=screen"));
        page.click("#start button[type=submit]");
        for seat in ["first", "second"] {
            page.until("document.querySelector('.curtain [data-show]')");
            assert_eq!(shown(&page), 0);
            page.click(&format!("[data-show={seat}]"));
            lay(&page);
        }
        page.until("document.querySelector('.curtain [data-show=first]')");
        assert_eq!(shown(&page), 0);
        page.click("[data-show=first]");
        page.until("document.querySelector('.hit.open')");
        assert!(depth(&page, "a1") > depth(&page, "a12"), "Red sits at the bottom");
        let own = "return fetch('/api/games/' + location.pathname.split('/')[2] + '?as=first')\
                   .then((a) => a.json())";
        let (from, to) = choice(&page.run(own), |_, to| to.ends_with('7'));
        // Escape hides the board, and its button shows it again.
        page.keys(&['\u{e00c}']);
        page.until("document.querySelector('.curtain')");
        page.click("[data-show=first]");
        page.until("document.querySelector('.hit.open')");
        page.tap(&from);
        page.tap(&to);
        page.until("document.querySelector('.curtain .told')?.textContent.includes('Red attacks')");
        assert_eq!(shown(&page), 0);
        moves_shown(&page, 1);
        page.is_calm();
    });
}

#[test]
fn a_board_for_four_is_turned_to_its_player() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 900);
        start(&page, base, "luzhanqi?variant=four-dark&level=1&place=second");
        lay(&page);
        page.until("document.querySelector('[data-id=Sa1]')");
        let [own, left, right] = ["Ec1", "Sc1", "Nc1"].map(|place| depth(&page, place));
        assert!(own > left && own > right, "East sits at the bottom");
        assert_eq!(page.run("return document.querySelector('#bar-own .seat').textContent"), "East");
        page.until("document.querySelector('#bar-right .seat').textContent === 'North'");
        page.is_calm();
    });
}

#[test]
fn replies_of_several_computers_are_shown_one_after_another_and_from_near() {
    in_browser(|driver, base| {
        let page = driver.page(390, 844);
        start(&page, base, "luzhanqi?variant=four-dark&level=1&place=first");
        lay(&page);
        let now = on_turn(&page);
        page.click("[data-act=near]");
        page.until("document.querySelector('#board').scrollWidth > 600");
        page.click("[data-act=near]");
        page.until("document.querySelector('#board').scrollWidth < 400");
        let (from, to) = choice(&now, |_, to| !stands(&now, to));
        page.tap(&from);
        page.tap(&to);
        moves_shown(&page, 2);
        let shown = page.run("return document.querySelectorAll('#moves li button').length");
        assert_eq!(shown, 2, "the others wait until this one has been seen");
        moves_shown(&page, 3);
        moves_shown(&page, 4);
        page.until("document.querySelector('.hit.open')");
        page.is_calm();
    });
}

#[test]
fn the_end_of_a_hidden_game_tells_what_the_referee_had_promised() {
    in_browser(|driver, base| {
        let page = driver.page(390, 844);
        start(&page, base, "luzhanqi?level=1");
        lay(&page);
        on_turn(&page);
        // The line below the board is not behind the bar of actions.
        page.until(
            "document.querySelector('#facts').getBoundingClientRect().bottom <\
             document.querySelector('#actions').getBoundingClientRect().top",
        );
        page.click("[data-act=resign]");
        page.click("#panel .danger");
        page.click(".promises summary");
        page.until("document.querySelectorAll('.promises code').length === 2");
        page.is_calm();
    });
}
