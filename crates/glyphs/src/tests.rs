use std::collections::HashSet;

use super::*;

/// The commands of a path with their numbers; panics on anything else.
fn parse(path: &str) -> Vec<(char, Vec<i32>)> {
    let mut steps: Vec<(char, Vec<i32>)> = Vec::new();
    for (i, _) in path.match_indices(|c: char| c.is_ascii_alphabetic()) {
        let command = path[i..].chars().next().expect("a command at its index");
        let rest = &path[i + 1..];
        let end = rest.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let numbers = rest[..end].split(' ').filter(|n| !n.is_empty());
        steps.push((command, numbers.map(|n| n.parse().expect("an integer")).collect()));
    }
    assert!(path.starts_with('M') && path.ends_with('Z'), "{path}");
    for (command, numbers) in &steps {
        let count = match command {
            'M' | 'L' => 2,
            'Q' => 4,
            'C' => 6,
            'Z' => 0,
            _ => panic!("unknown command {command}"),
        };
        assert_eq!(numbers.len(), count, "{command} {numbers:?}");
    }
    steps
}

/// The ends of all steps: they lie on the outline, unlike the bends of curves.
fn ends(path: &str) -> Vec<(i32, i32)> {
    let steps = parse(path);
    steps.iter().filter_map(|(_, n)| n.last_chunk::<2>()).map(|&[x, y]| (x, y)).collect()
}

#[test]
fn every_listed_character_has_a_glyph() {
    let listed: HashSet<char> = CHARACTERS.iter().flat_map(|line| line.chars()).collect();
    for &ch in &listed {
        assert_eq!(glyph(ch).map(|glyph| glyph.ch), Some(ch));
    }
    assert_eq!(listed.len(), all().len());
    assert_eq!(glyph('A'), None);
}

#[test]
fn ink_lies_inside_the_box_and_in_its_middle() {
    for glyph in all() {
        let Bounds { x0, y0, x1, y1 } = glyph.bounds;
        assert!(0 < x0 && x0 < x1 && x1 < BOX, "{} {:?}", glyph.ch, glyph.bounds);
        assert!(0 < y0 && y0 < y1 && y1 < BOX, "{} {:?}", glyph.ch, glyph.bounds);
        let (right, down) = ((x0 + x1 - BOX) / 2, (y0 + y1 - BOX) / 2);
        // Small letters stand on a line together, so those with a stem are not centred each.
        let low = if glyph.ch.is_ascii_lowercase() { 120 } else { 30 };
        assert!(right.abs() <= 60 && down.abs() <= low, "{} {right} {down}", glyph.ch);
        for (x, y) in ends(glyph.path) {
            assert!((x0..=x1).contains(&x) && (y0..=y1).contains(&y), "{} {x} {y}", glyph.ch);
        }
    }
}

#[test]
fn no_glyph_is_the_missing_one_and_all_differ() {
    let mut seen = HashSet::from([NOTDEF]);
    for glyph in all() {
        assert!(seen.insert(glyph.path), "{} looks like another", glyph.ch);
    }
}

#[test]
fn ideographs_are_of_one_size_and_figures_of_one_height() {
    for ch in "王玉飛角金銀桂香歩龍馬全圭杏竜成將象虎軍團彈旗".chars() {
        let bounds = glyph(ch).expect("listed").bounds;
        assert!(bounds.width().max(bounds.height()) > 800, "{ch} {bounds:?}");
    }
    let heights: Vec<i32> =
        ('0'..='9').map(|ch| glyph(ch).expect("listed").bounds.height()).collect();
    let (low, high) = (heights.iter().min(), heights.iter().max());
    assert!(high.zip(low).is_some_and(|(high, low)| high - low < 60), "{heights:?}");
}

#[test]
fn the_upright_of_kaku_ends_at_the_lowest_crossbar() {
    // The foot on the left and the hook on the right go lower; nothing between them does.
    let path = glyph('角').expect("listed").path;
    let feet: Vec<_> = ends(path).into_iter().filter(|&(_, y)| y > 720).collect();
    assert!(feet.iter().all(|&(x, _)| !(420..540).contains(&x)), "{feet:?}");
}

#[test]
fn words_fill_their_box() {
    for (word, direction, width, height) in [
        ("飛車", Direction::Vertical, 700, 1400),
        ("工兵", Direction::Horizontal, 1600, 800),
        ("大本营", Direction::Vertical, 300, 900),
        ("10", Direction::Horizontal, 1000, 1000),
        ("玉", Direction::Vertical, 500, 500),
    ] {
        let path = text_path(word, direction, width, height).expect("listed characters");
        let points = ends(&path);
        let inside = points.iter().all(|&(x, y)| {
            (0..=width).contains(&x.cast_unsigned()) && (0..=height).contains(&y.cast_unsigned())
        });
        assert!(inside, "{word}");
        let middle = |values: Vec<i32>| {
            (values.iter().min().expect("points") + values.iter().max().expect("points")) / 2
        };
        let (x, y) = (
            middle(points.iter().map(|p| p.0).collect()),
            middle(points.iter().map(|p| p.1).collect()),
        );
        assert!((x - width.cast_signed() / 2).abs() < 60, "{word} {x}");
        assert!((y - height.cast_signed() / 2).abs() < 60, "{word} {y}");
    }
}

#[test]
fn a_word_of_one_in_the_glyph_box_is_the_glyph() {
    let glyph = glyph('龍').expect("listed");
    assert_eq!(text_path("龍", Direction::Vertical, 1000, 1000).as_deref(), Some(glyph.path));
}

#[test]
fn a_word_with_an_unknown_character_has_no_path() {
    assert_eq!(text_path("王A", Direction::Vertical, 1000, 1000), None);
    assert_eq!(text_path("", Direction::Vertical, 1000, 1000), None);
}

#[test]
fn the_licence_names_the_face_and_carries_its_text() {
    for part in ["LXGW WenKai", "Klee Project Authors", "SIL OPEN FONT LICENSE Version 1.1"] {
        assert!(LICENCE.contains(part), "{part}");
    }
}
