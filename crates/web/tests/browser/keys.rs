//! Everything by the keyboard alone, and told to those who do not see it.

use super::driver::Page;
use super::{ENTER, ESCAPE, in_browser, moves_shown, ready, start, view};
use serde_json::{Value, json};

const TAB: char = '\u{e004}';

/// Goes by arrow keys from the place in focus to another; says whether there is a way.
const WALK: &str = r"
const [goal] = arguments;
const ways = ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft'];
const here = () => document.activeElement.dataset.id;
const press = (key) => document.activeElement.dispatchEvent(
  new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
const go = (id) => document.querySelector(`.board [data-id='${CSS.escape(id)}']`).focus();
const from = new Map([[here(), null]]);
for (const id of from.keys()) {
  for (const way of ways) {
    go(id);
    press(way);
    if (!from.has(here())) from.set(here(), id);
  }
}
if (goal === null) {
  const lost = [...document.querySelectorAll('.board .hit')].filter((hit) => !from.has(hit.dataset.id));
  return lost.map((hit) => hit.dataset.id);
}
go(goal);
return from.has(goal) ? [] : [goal]";

fn walk(page: &Page<'_>, goal: Option<&str>) -> Value {
    page.run(&format!("return (function () {{ {WALK} }})({})", json!(goal)))
}

#[test]
fn every_board_is_played_by_the_keyboard_alone() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        for spec in kiban_games::GAMES {
            let open = spec.variants.iter().find(|variant| !variant.hidden && variant.seats == 2);
            let Some(variant) = open else { continue };
            start(&page, base, &format!("{}?opponent=screen&variant={}", spec.id, variant.id));
            for _ in 0..if spec.layouts.is_empty() { 0 } else { 2 } {
                page.until("document.querySelector('#lay:not(:disabled)')");
                page.run("document.querySelector('#lay').focus()");
                page.keys(&[ENTER]);
                page.run("return new Promise((done) => setTimeout(done, 300))");
            }
            page.until("document.querySelector('.hit.open')");
            page.run("document.querySelector('.hit[tabindex=\"0\"]').focus()");
            assert_eq!(walk(&page, None), json!([]), "{}: no key leads there", spec.id);
            let now = view(&page);
            let taps = now["choices"][0]["taps"].as_array().expect("a path").clone();
            for tap in taps.iter().filter_map(Value::as_str) {
                assert_eq!(walk(&page, Some(tap)), json!([]), "{}", spec.id);
                page.keys(&[ENTER]);
            }
            moves_shown(&page, 1);
            page.is_calm();
        }
    });
}

#[test]
fn escape_in_the_menu_of_a_promotion_gives_the_focus_back_to_the_board() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        start(&page, base, "shogi?opponent=screen");
        for (n, [from, to]) in [["7g", "7f"], ["3c", "3d"]].into_iter().enumerate() {
            page.tap(from);
            page.tap(to);
            moves_shown(&page, n + 1);
        }
        page.run("document.querySelector('.hit[tabindex=\"0\"]').focus()");
        for tap in ["8h", "2b"] {
            assert_eq!(walk(&page, Some(tap)), json!([]));
            page.keys(&[ENTER]);
        }
        page.until("document.querySelector('.ask button') === document.activeElement");
        page.keys(&[ESCAPE]);
        assert_eq!(page.run("return document.querySelector('.ask')"), Value::Null);
        assert_eq!(page.run("return document.activeElement.dataset.id"), json!("2b"));
        moves_shown(&page, 2);
        page.is_calm();
    });
}

/// What has the focus, and whether that is seen.
const FOCUS: &str = r"
const now = document.activeElement;
const shows = (node) => {
  const style = node && getComputedStyle(node);
  return Boolean(style) && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0)
    || (node.matches('.hit') && style.stroke !== 'none'));
};
const stands = (node) => { const { width, height } = node.getBoundingClientRect(); return width > 0 && height > 0 };
const seen = shows(now) || shows(now.nextElementSibling) || shows(now.closest('label, .setup'))
  || shows(document.querySelector(`label[for='${now.id}']`));
return [now === document.body ? '' : `${now.tagName} ${now.id || now.className.baseVal || now.className || now.textContent}`,
  seen && stands(now)]";

#[test]
fn whatever_has_the_focus_shows_it() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        let mut unseen = Vec::new();
        let mut all = 0;
        for path in ["", "shogi", "shogi3", "luzhanqi", "analysis/shogi3?exact", "shogi3/puzzles"] {
            page.open(&format!("{base}/{path}"));
            page.run("return new Promise((done) => setTimeout(done, 400))");
            for _ in 0..150 {
                page.keys(&[TAB]);
                let focus = page.run(FOCUS);
                if focus[0] == "" {
                    break;
                }
                all += 1;
                if focus[1] != true {
                    unseen.push(format!("/{path}: {}", focus[0]));
                }
            }
        }
        assert!(all > 100, "the Tab key went through the pages: {all}");
        assert_eq!(unseen, Vec::<String>::new());
    });
}

/// The controls of the page that have no name, and the names of the places of the board.
fn nameless(page: &Page<'_>) -> (Vec<String>, Vec<String>) {
    let tree = page.cdp("Accessibility.getFullAXTree", &json!({}));
    let nodes = tree["nodes"].as_array().expect("a tree").iter().filter(|n| n["ignored"] != true);
    let told = |node: &Value| {
        let text = |key: &str| node[key]["value"].as_str().unwrap_or("").to_string();
        (text("role"), text("name"))
    };
    let told: Vec<(String, String)> = nodes.map(told).collect();
    let roles = [
        "button",
        "link",
        "textbox",
        "combobox",
        "slider",
        "checkbox",
        "radio",
        "application",
        "region",
        "navigation",
        "list",
    ];
    let without = |(role, name): &&(String, String)| {
        roles.contains(&role.as_str()) && name.is_empty() && role != "list"
    };
    let nameless = told.iter().filter(without).map(|(role, _)| role.clone()).collect();
    (nameless, told.into_iter().map(|(_, name)| name).collect())
}

#[test]
fn every_control_and_every_place_has_a_name_for_a_screen_reader() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        for (query, place) in [
            ("shogi?opponent=screen", "7g, Sente pawn, can go to 7f"),
            ("luzhanqi?opponent=computer&level=1", "a12, Black unknown piece"),
        ] {
            start(&page, base, query);
            if query.starts_with("luzhanqi") {
                page.until("document.querySelector('#lay:not(:disabled)')");
                assert_eq!(nameless(&page).0, Vec::<String>::new(), "the layout's");
                page.click("#lay");
                page.until("document.querySelector('#arrange').hidden");
            }
            page.until("document.querySelector('.hit.open')");
            let (nameless, names) = nameless(&page);
            assert_eq!(nameless, Vec::<String>::new());
            assert!(names.iter().any(|name| name == place), "{place} is not among {names:?}");
        }
        ready(&page);
    });
}
