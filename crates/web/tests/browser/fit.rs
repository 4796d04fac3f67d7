//! Nothing lies over anything, nothing is cut off or wider than its window: every page of a game at
//! the sizes of desktops, tablets and phones, upright and on their side.

use super::driver::Page;
use super::{in_browser, moves_shown, ready, start, view};
use serde_json::{Value, json};

const SIZES: [(u32, u32); 13] = [
    (1920, 1080),
    (1366, 768),
    (1280, 800),
    (1200, 850),
    (1024, 768),
    (1024, 600),
    (1024, 576),
    (820, 1180),
    (390, 844),
    (360, 740),
    (800, 390),
    (667, 375),
    (640, 400),
];

/// Lists what is wrong with the page as it stands.
const FAULTS: &str = r"
const box = (node) => {
  const { left, right, top, bottom, width, height } = node.getBoundingClientRect();
  return { left, right, top, bottom, seen: width > 0 && height > 0 && node.checkVisibility() };
};
const parts = '#board .bar .name .tray .clock .below #panel #arrange #eyes #record #actions .game_.tools #move-form\
  .analysis_.side_>_.head #engine #values #verdict #tried #comment #review .texts #task #puzzles';
const fixed = (node) => getComputedStyle(node).position === 'fixed' && node.id !== 'board';
const shown = parts.split(/\s+/).flatMap((what) =>
  [...document.querySelectorAll(what.replaceAll('_', ' '))])
  .filter((node) => !fixed(node)).map((node) => ({ node, name: node.id || node.className, ...box(node) }))
  .filter((part) => part.seen);
const faults = [];
shown.forEach((a, i) => shown.slice(i + 1).forEach((b) => {
  if (a.node.contains(b.node) || b.node.contains(a.node)) return;
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  if (across > 1 && down > 1) faults.push(`${a.name} lies over ${b.name}`);
}));
const root = document.documentElement;
if (root.scrollWidth > root.clientWidth) faults.push('the page is too wide');
for (const node of document.querySelectorAll('main button, main .button, header a, .who, .time')) {
  const { left, right, seen } = box(node);
  if (seen && (left < -1 || right > innerWidth + 1)) faults.push(`${node.textContent} is cut off`);
}
const board = box(document.querySelector('#board'));
if (board.bottom > innerHeight + 1) faults.push('the foot of the board is out of sight');
// What asks something may push the bars down, and a phone's page scrolls.
if (innerWidth > innerHeight && innerHeight > 500 && document.querySelector('#panel')?.hidden) {
  for (const bar of document.querySelectorAll('.game .bar')) {
    const { bottom, seen } = box(bar);
    if (seen && bottom > innerHeight + 1) faults.push(`${bar.id || 'a bar'} is out of sight`);
  }
}
const moves = document.querySelector('#moves');
if (moves && box(moves).seen && moves.clientHeight < 60) faults.push('no room for the moves');
return faults";

/// The faults of a page at every size, each with its size.
fn faults(page: &Page<'_>, what: &str) -> Vec<String> {
    let mut all = Vec::new();
    for (width, height) in SIZES {
        page.resize(width, height);
        page.run("scrollTo(0, 0); return new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
        let found = page.run(FAULTS);
        let found = found.as_array().expect("a list").iter();
        all.extend(found.map(|fault| format!("{what} at {width} x {height}: {fault}")));
    }
    page.resize(1280, 800);
    all
}

/// Makes moves, captures where there are any; the page must hold both seats.
fn play(page: &Page<'_>, plies: usize) {
    let script = format!(
        "const id = location.pathname.split('/')[2];\
         const get = () => fetch(`/api/games/${{id}}`).then((a) => a.json());\
         return (async () => {{ let view = await get();\
         for (let i = 0; i < {plies} && view.choices.length > 0; i += 1) {{\
           const held = new Set(view.scene.pieces.filter((p) => p.seat !== view.to_move)\
             .map((p) => p.at));\
           const takes = view.choices.find((c) => held.has(c.taps[1]));\
           const choice = takes ?? view.choices[(i * 7 + 3) % view.choices.length];\
           const body = JSON.stringify({{ id: `move-${{i}}`, seat: view.to_move, ply: view.ply,\
             move: choice.text }});\
           const headers = {{ 'Content-Type': 'application/json' }};\
           await fetch(`/api/games/${{id}}/entries`, {{ method: 'POST', headers, body }});\
           view = await get() }}\
         return view.seen.length }})()"
    );
    let made = page.run(&script).as_u64().expect("a number");
    moves_shown(page, usize::try_from(made).expect("a small number"));
}

/// A game as it is played, with a question open, over, and analysed.
fn stations(page: &Page<'_>, what: &str) -> Vec<String> {
    let mut all = faults(page, what);
    if view(page)["stage"] != "over" {
        page.click("[data-act=resign]");
        page.until("document.querySelector('#panel .danger')");
        all.extend(faults(page, &format!("{what}, asked")));
        page.click("#panel .danger");
    }
    page.until("document.querySelector('#status.end')");
    all.extend(faults(page, &format!("{what}, over")));
    page.click("#panel a.button");
    page.until("location.pathname.startsWith('/analysis/')");
    ready(page);
    page.click("#think");
    page.until("document.querySelector('#review .told')?.textContent !== ''");
    all.extend(faults(page, &format!("{what}, analysed")));
    all
}

#[test]
fn no_bar_lies_over_the_moves_and_nothing_is_cut_off_at_any_size() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        let mut all = Vec::new();
        for spec in kiban_games::GAMES {
            let open = spec.variants.iter().find(|variant| !variant.hidden && variant.seats == 2);
            let Some(variant) = open else { continue };
            let query = format!("{}?opponent=screen&clock=byoyomi&variant={}", spec.id, variant.id);
            start(&page, base, &query);
            if !spec.layouts.is_empty() {
                all.extend(faults(&page, &format!("{query}, layout")));
                for seat in 1..=2 {
                    page.until("document.querySelector('#lay:not(:disabled)')");
                    page.click("#lay");
                    page.until(&format!(
                        "document.querySelectorAll('.hit.open').length > 0 || {seat} < 2"
                    ));
                }
            }
            play(&page, 40);
            all.extend(stations(&page, spec.id));
        }
        assert_eq!(all, Vec::<String>::new());
        page.is_calm();
    });
}

#[test]
fn a_table_of_four_and_the_pages_around_games_fit_every_window() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        let mut all = Vec::new();
        start(&page, base, "luzhanqi?variant=four-dark&level=1&place=first&clock=byoyomi");
        page.until("document.querySelector('#lay:not(:disabled)')");
        all.extend(faults(&page, "a layout of four"));
        page.click("#lay");
        page.until("document.querySelector('.hit.open')");
        all.extend(faults(&page, "a table of four"));
        start(&page, base, "luzhanqi?level=1&clock=byoyomi");
        page.click("#lay:not(:disabled)");
        page.until("document.querySelector('#arrange').hidden");
        page.click("[data-act=resign]");
        page.click("#panel .danger");
        page.click(".promises summary");
        all.extend(faults(&page, "all that the end of a hidden game tells"));
        for path in ["shogi", "shogi3", "luzhanqi", "shogi3/puzzles", "analysis/shogi3?exact"] {
            page.open(&format!("{base}/{path}"));
            ready(&page);
            all.extend(faults(&page, path));
        }
        assert_eq!(all, Vec::<String>::new());
        page.is_calm();
    });
}

#[test]
fn a_game_is_played_on_a_phone_on_its_side() {
    in_browser(|driver, base| {
        let page = driver.page(800, 390);
        start(&page, base, "shogi?opponent=screen");
        let height = page.run("return document.querySelector('#board').clientHeight");
        assert!(height.as_u64().is_some_and(|height| height >= 370), "{height}");
        page.tap("7g");
        page.tap("7f");
        moves_shown(&page, 1);
        page.drag("3c", "3d");
        moves_shown(&page, 2);
        assert_eq!(page.run("return scrollY"), json!(0));
        // What lies below the window is reached, and the board stays.
        page.run("scrollTo(0, 9999)");
        let top = page.run("return document.querySelector('#board').getBoundingClientRect().top");
        assert!(top.as_f64().is_some_and(|top| top >= 0.0), "{top}");
        assert_ne!(
            page.run("return document.querySelector('#move-form').hidden"),
            Value::Bool(true)
        );
        page.is_calm();
    });
}
