//! Names that come from outside: of engines, and those that people give.

/// The most characters of a name that are kept.
const LONGEST: usize = 80;

/// A name without what is not seen or would change how other text is shown: control characters,
/// marks that turn the direction of writing, and characters of no width. It is on one line, and cut
/// short where it is too long. May be empty.
pub fn plain_name(text: &str) -> String {
    let mut plain = String::new();
    // Nothing behind what could still be kept is looked at: the text may be of any length.
    for c in text.chars().take(16 * LONGEST) {
        match c {
            c if c.is_whitespace() && (plain.is_empty() || plain.ends_with(' ')) => {}
            c if c.is_whitespace() => plain.push(' '),
            c if is_unseen(c) => {}
            c => plain.push(c),
        }
    }
    let plain = plain.trim_end();
    match plain.char_indices().nth(LONGEST) {
        None => plain.to_string(),
        Some(_) => plain.chars().take(LONGEST - 1).chain(['\u{2026}']).collect(),
    }
}

/// Controls (Cc), the format characters (Cf) of Unicode 16 and what else is shown as nothing
/// (`Default_Ignorable_Code_Point`): UAX #44, UAX #9.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_no_part_of_a_name() {
        let same = ["Kiban 0.1", "Émile", "技巧2", "A.B-C (64)", "まいにち将棋", "🦊"];
        for name in same {
            assert_eq!(plain_name(name), name);
        }
        let unseen = [
            ("Strong\u{202e}gnorts\u{202c}", "Stronggnorts"),
            ("\u{200b}Zero\u{200d}\u{feff}width\u{2060}", "Zerowidth"),
            ("\u{1b}[31mRed\u{1b}[0m\u{7}", "[31mRed[0m"),
            ("two\r\nlines\tand \u{2028} more", "two lines and more"),
            (" \u{3000} \u{a0}", ""),
            ("\u{e0041}\u{3164}\u{ad}\u{115f}", ""),
            ("a \u{200b} b", "a b"),
        ];
        for (name, plain) in unseen {
            assert_eq!(plain_name(name), plain, "{name:?}");
        }
    }

    #[test]
    fn a_name_of_any_length_is_cut_short() {
        assert_eq!(plain_name(&"x".repeat(LONGEST)).chars().count(), LONGEST);
        let long = plain_name(&"棋".repeat(1_000_000));
        assert_eq!(long.chars().count(), LONGEST);
        assert!(long.ends_with("棋\u{2026}"));
        assert_eq!(plain_name(&"\u{200b}".repeat(1_000_000)), "");
    }
}
