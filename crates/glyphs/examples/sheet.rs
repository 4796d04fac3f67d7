//! Writes a page that shows all glyphs small and large, plain and on pieces, to be looked at in a
//! browser: `cargo run -p kiban-glyphs --example sheet > sheet.html`.

#![allow(clippy::print_stdout)]

use kiban_glyphs::{CHARACTERS, Direction, glyph, text_path};

/// A shogi piece in a box of 1000 x 1086 (the cell's 35 : 38) with a path drawn in the middle of
/// its lower part.
fn piece(path: &str, (w, h): (u32, u32), size: u32, colour: &str) -> String {
    let scale = 640.0 / f64::from(w.max(h * 640 / 760));
    let x = 500.0 - f64::from(w) * scale / 2.0;
    let y = 600.0 - f64::from(h) * scale / 2.0;
    format!(
        r##"<svg width="{size}" height="{}" viewBox="0 0 1000 1086"><path fill="#e6c07b" stroke="#8a6731" stroke-width="12" d="M500 8L870 185L970 1078L30 1078L130 185Z"/><path fill="{colour}" transform="translate({x:.1} {y:.1}) scale({scale:.4})" d="{path}"/></svg>"##,
        size * 38 / 35
    )
}

fn plain(path: &str, (w, h): (u32, u32), size: u32) -> String {
    let wide = size * w / h;
    format!(r#"<svg width="{wide}" height="{size}" viewBox="0 0 {w} {h}"><path d="{path}"/></svg>"#)
}

fn main() {
    println!("<meta charset=utf-8><style>body{{margin:8px;background:#fffdf8}}svg{{margin:1px}}");
    println!("</style>");
    for size in [20, 40, 200] {
        for line in CHARACTERS {
            let paths: Vec<_> = line.chars().filter_map(glyph).map(|glyph| glyph.path).collect();
            let row: String = paths.iter().map(|path| plain(path, (1000, 1000), size)).collect();
            println!("<div>{row}</div>");
            let pieces = paths.iter().map(|path| piece(path, (1000, 1000), size, "#221d15"));
            println!("<div>{}</div>", pieces.collect::<String>());
        }
    }
    for size in [40, 200] {
        let words = ["王將", "玉將", "飛車", "角行", "金將", "銀將", "桂馬", "香車", "歩兵"];
        for word in words.iter().chain(&["龍王", "龍馬", "成銀", "成桂", "成香"]) {
            if let Some(path) = text_path(word, Direction::Vertical, 1000, 2000) {
                let colour = if word.contains(['龍', '成']) { "#b5331f" } else { "#221d15" };
                println!("{}", piece(&path, (1000, 2000), size, colour));
            }
        }
        println!("<br>");
        for word in ["司令", "军旗", "工兵", "大本营", "行营", "10", "23", "7"] {
            if let Some(path) = text_path(word, Direction::Horizontal, 2000, 1000) {
                println!("{}", plain(&path, (2000, 1000), size));
            }
        }
        println!("<br>");
    }
}
