//! The analysis page: best moves, arrows, the course of a game.

use super::driver::{Driver, Page};
use super::{in_browser, moves_shown, ready, start, tap_path, view};
use serde_json::Value;

const LEFT: char = '\u{e012}';

#[test]
fn the_computer_names_its_best_moves_in_analysis_and_a_drop_can_be_tried() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        let position = "4k4/9/4P4/9/9/9/9/9/4K4%20b%20G%201";
        page.open(&format!("{base}/analysis/shogi?position={position}"));
        ready(&page);
        page.click("#think");
        page.until("document.querySelector('#engine .proofs')?.textContent.includes('mates in 1')");
        // The gold comes from the hand.
        page.until("document.querySelector('.arrow.rank-1 .line.head')");
        page.click("#engine-arrows");
        page.until("document.querySelectorAll('.arrow').length === 0");
        page.click("#engine-arrows");
        page.until("document.querySelector('#engine li b')?.textContent.includes('wins')");
        page.click("#engine li button");
        moves_shown(&page, 1);
        page.until("document.querySelector('#verdict').textContent.includes('checkmate')");
        page.click("[data-step=back]");
        page.until("document.querySelector('#engine li b')?.textContent.includes('wins')");
        page.is_calm();
    });
}

#[test]
fn the_last_move_of_a_mate_is_told_as_the_end() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        let position = "4k4/9/4P4/9/9/9/9/9/4K4%20b%20G%201";
        page.open(&format!("{base}/analysis/shogi?position={position}&moves=G*5b&ply=1"));
        moves_shown(&page, 1);
        page.click("#judge");
        let told = "document.querySelector('#review .told')?.textContent";
        page.until(&format!("{told} === '1. G*5b: Sente has won'"));
        page.click("[data-step=back]");
        page.until(&format!("{told} === 'Start: Sente wins by move 1'"));
        page.is_calm();
    });
}

#[test]
fn the_first_arrow_is_of_the_line_that_is_told_first() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi"));
        ready(&page);
        let led = |score: &str| {
            page.run(&format!(
                "return import('/static/lines.js').then(({{ together }}) => {{\
                 const line = (move, score) => ({{ rank: 1, score, moves: [move], names: [],\
                   taps: [move], path: [] }});\
                 const proof = {{ text: '', seat: 'first', plies: 3, moves: ['a'], names: [],\
                   taps: ['a'] }};\
                 const estimate = {{ kind: 'estimate', points: 90 }};\
                 const told = together([line('b', {score}), line('a', estimate)], [proof], 'first');\
                 return told.lines.map((l) => l.rank + l.taps[0]).join() + told.proofs.length }})"
            ))
        };
        assert_eq!(led("estimate"), "1a,2b1");
        assert_eq!(led("{ kind: 'exact', value: 'win', distance: 3 }"), "1a,2b1");
        // What wins sooner is told alone.
        assert_eq!(led("{ kind: 'exact', value: 'win', distance: 1 }"), "1b,1a0");
    });
}

#[test]
fn twelve_pawns_in_hand_bear_one_number() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        page.open(&format!("{base}/analysis/shogi?position=4k4/9/9/9/9/9/9/9/4K4%20b%2012P%201"));
        page.until("document.querySelectorAll('.piece use[href=\"#f-12\"]').length === 1");
        assert_eq!(page.run("return document.querySelectorAll('[href=\"#f-1\"]').length"), 0);
        page.is_calm();
    });
}

/// Makes a move by its first two taps; of several the last one.
fn play(page: &Page<'_>, taps: [&str; 2], ply: usize) {
    page.until("document.querySelector('.board.live')");
    let now = view(page);
    let choices = now["choices"].as_array().expect("a list");
    let fits = |c: &&Value| c["taps"][0] == taps[0] && c["taps"][1] == taps[1];
    let choice = choices.iter().rfind(fits).expect("a legal move");
    let seat = now["to_move"].as_str().expect("a seat");
    tap_path(page, seat, choice["taps"].as_array().expect("a path"));
    moves_shown(page, ply);
}

/// Ends a game by giving it up, and follows the link to its analysis.
fn analyse(page: &Page<'_>) {
    page.click("[data-act=resign]");
    page.click("#panel .danger");
    page.until("document.querySelector('#status.end')");
    page.click("#panel a.button");
    page.until("location.pathname.startsWith('/analysis/')");
    page.until("document.querySelector('#review .note')?.textContent.includes('may be wrong')");
}

#[test]
fn a_finished_game_is_judged_and_its_graph_walked_along() {
    in_browser(|driver, base| {
        for (width, height) in [(1280, 800), (390, 844)] {
            let page = driver.page(width, height);
            start(&page, base, "shogi?opponent=screen");
            // A bishop is given away for a pawn.
            let moves = [["7g", "7f"], ["3c", "3d"], ["8h", "3c"], ["2b", "3c"]];
            for (i, taps) in moves.into_iter().enumerate() {
                play(&page, taps, i + 1);
            }
            analyse(&page);
            moves_shown(&page, 4);
            let marked = "document.querySelector('#moves li:nth-child(3) .remark.blunder')";
            page.until(marked);
            let text = page.run(&format!("return {marked}.textContent"));
            let text = text.as_str().expect("a text");
            assert!(text.starts_with("Blunder. Better: "), "{text}");
            // The blunder's place in the graph, and back by a key.
            page.run(
                "const graph = document.querySelector('#review .graph');\
                 const box = graph.getBoundingClientRect();\
                 graph.setPointerCapture = () => undefined;\
                 const clientX = box.x + box.width * 0.75;\
                 graph.dispatchEvent(new PointerEvent('pointerdown', { clientX }));\
                 graph.focus()",
            );
            page.until("document.querySelector('#review .graph').ariaValueNow === '3'");
            page.keys(&[LEFT]);
            page.until("document.querySelector('#review .graph').ariaValueNow === '2'");
            page.until("document.querySelector('#review .told').textContent.includes('%')");
            page.run("document.querySelector('#review details').open = true");
            page.until("document.querySelectorAll('#review tbody tr').length === 5");
            super::fits(&page);
            page.is_calm();
        }
    });
}

#[test]
fn while_people_play_the_computer_is_silent() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        start(&page, base, "othello?opponent=online");
        page.until("document.querySelector('.copy input')");
        let id = page.run("return location.pathname.split('/')[2]");
        let id = id.as_str().expect("an id");
        assert_eq!(page.run("return document.querySelectorAll('#think, #review').length"), 0);
        page.open(&format!("{base}/analysis/othello?from={id}"));
        page.until("document.querySelector('#status').textContent.includes('says nothing')");
        page.until("document.querySelector('#think').disabled");
        page.until("document.querySelector('#judge').disabled");
        assert_eq!(page.run("return document.querySelectorAll('.arrow').length"), 0);
    });
}

#[cfg(unix)]
fn engine(name: &str, command: String) -> kiban_web::EngineOption {
    kiban_web::EngineOption::read(&format!("{name}=usi:{command}"), kiban_games::GAMES)
        .expect("an engine")
}

#[cfg(unix)]
#[test]
fn another_program_is_chosen_by_name_and_what_becomes_of_it_is_told() {
    let Some(driver) = Driver::start() else { return };
    let script = tempfile::tempdir().expect("a folder").keep().join("engine.sh");
    let text = "while read l; do case \"$l\" in usi) echo usiok;; isready) echo readyok;;\n\
                go*) echo info depth 1 score cp 50 nodes 9 pv 3c3d; echo bestmove 3c3d;;\n\
                quit) exit;; esac; done\n";
    std::fs::write(&script, text).expect("a script");
    let good = engine("Good", format!("sh '{}'", script.display()));
    let base = super::server_with(vec![good, engine("Bad", "sh -c 'exit 1'".to_string())]);
    let page = driver.page(1280, 800);
    start(&page, &base, "shogi?opponent=computer&side=first&engine=Good");
    page.until("document.querySelector('#bar-rival .who').textContent.includes('Good')");
    page.drag("7g", "7f");
    moves_shown(&page, 2);
    start(&page, &base, "shogi?opponent=computer&side=first&engine=Bad");
    page.drag("7g", "7f");
    page.until(
        "document.querySelector('#status.end')?.textContent.includes('Bad ended by itself')",
    );
    page.open(&format!("{base}/analysis/shogi"));
    ready(&page);
    page.click("#think");
    page.run(
        "const which = document.querySelector('#engine-name'); which.value = 'Bad';\
         which.dispatchEvent(new Event('change'))",
    );
    page.until("document.querySelector('#engine .note').textContent.includes('Bad ended')");
    page.is_calm();
}

/// A game of one move by 山田はなこ, as old files hold it.
const FILES: [(&str, &str); 7] = [
    (
        "utf-8",
        "e58588e6898befbc9ae5b1b1e794b0e381afe381aae381930a3120efbc97e585ade6ad\
         a9283737290a",
    ),
    (
        "utf-8 with its mark",
        "efbbbfe58588e6898befbc9ae5b1b1e794b0e381afe381aae381930a3120efbc97e585\
         ade6ada9283737290a",
    ),
    (
        "utf-16le",
        "fffe48514b621aff715c30756f306a3053300a003100200017ff6d51696b2800370037\
         0029000a00",
    ),
    (
        "utf-16be",
        "feff5148624bff1a5c717530306f306a3053000a00310020ff17516d6b690028003700\
         370029000a",
    ),
    (
        "shift_jis",
        "90e68ee881468e52936382cd82c882b10a31208256985a95e0283737290a\
         ",
    ),
    (
        "euc-jp",
        "c0e8bceaa1a7bbb3c5c4a4cfa4caa4b30a3120a3b7cfbbcae2283737290a\
         ",
    ),
    (
        "iso-2022-jp",
        "1b244240683c6a21273b334544244f244a24331b28420a31201b244223374f3b4a621b\
         2842283737290a",
    ),
];

#[test]
fn a_file_is_opened_in_whichever_encoding_it_is() {
    in_browser(|driver, base| {
        let page = driver.page(1280, 800);
        for (name, bytes) in FILES {
            page.open(&format!("{base}/analysis/shogi"));
            ready(&page);
            page.run(&format!(
                "const bytes = '{bytes}'.match(/../g).map((two) => parseInt(two, 16));\
                 const files = new DataTransfer();\
                 files.items.add(new File([new Uint8Array(bytes)], 'game.kif'));\
                 const input = document.querySelector('#file'); input.files = files.files;\
                 input.dispatchEvent(new Event('change'))"
            ));
            moves_shown(&page, 1);
            let text = page.run("return document.querySelector('#text').value");
            assert_eq!(text, "先手：山田はなこ\n1 ７六歩(77)\n", "{name}");
        }
        page.is_calm();
    });
}
