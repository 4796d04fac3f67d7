use super::*;
use crate::pages::texts::keys;

const OURS: &str = include_str!("../../messages/en.ftl");

/// The sources of the pages, to see which texts they ask for.
const SOURCES: [&str; 9] = [
    include_str!("about.rs"),
    include_str!("analysis.rs"),
    include_str!("error.rs"),
    include_str!("game.rs"),
    include_str!("home.rs"),
    include_str!("join.rs"),
    include_str!("layout.rs"),
    include_str!("rules.rs"),
    include_str!("start.rs"),
];

fn site(words: &Words) -> Site<'_> {
    Site { words, games: &[], engines: &[] }
}

#[test]
fn every_text_a_page_asks_for_is_in_the_file() {
    let words = Words::english(&[], &[OURS]);
    for source in SOURCES {
        for call in ["say(\"", "text(\""] {
            for said in source.split(call).skip(1) {
                let key = said.split('"').next().unwrap();
                assert!(words.has(key), "no text for {key}");
            }
        }
    }
}

#[test]
fn no_text_shouts_or_is_empty() {
    let words = Words::english(&[], &[OURS]);
    for key in keys(OURS) {
        let text = words.get(key);
        assert!(!text.trim().is_empty(), "{key} is empty");
        assert!(!text.contains('!'), "{key} has an exclamation mark");
    }
}

#[test]
fn pages_have_one_heading_and_no_inline_script_or_style() {
    let words = Words::english(&[], &[OURS]);
    let site = site(&words);
    let pages = [home::page(&site), about::page(&site), error::page(&site, 404, "Not here.")];
    for page in pages {
        let page = page.into_string();
        assert_eq!(page.matches("<h1").count(), 1, "{page}");
        assert!(!page.contains(" style="), "{page}");
        assert!(!page.contains(" onclick="), "{page}");
        assert!(!page.contains("<script>"), "{page}");
    }
}

#[test]
fn the_about_page_shows_the_licence_of_the_face() {
    let words = Words::english(&[], &[OURS]);
    let page = about::page(&site(&words)).into_string();
    assert!(page.contains("SIL OPEN FONT LICENSE"));
}

#[test]
fn what_a_visitor_wrote_is_escaped() {
    let words = Words::english(&[], &[OURS]);
    let page = error::page(&site(&words), 404, "<script>x</script>").into_string();
    assert!(page.contains("&lt;script&gt;x"));
}

#[test]
fn a_variant_is_told_by_its_name_and_its_options_in_words() {
    let spec = kiban_games::GAMES.iter().find(|spec| spec.id == "jungle").unwrap();
    let words = Words::english(&[spec], &[OURS]);
    let told = |text| join::variant(&site(&words), spec, text);
    assert_eq!(told("online"), "As played online");
    let other = told("online,enter-water=no");
    assert!(other.starts_with("As played online, ") && !other.contains("enter-water"), "{other}");
}
