//! An engine's options, in the six kinds of UCI and USI.

use crate::names::plain_name;

/// What an option may be set to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Check(bool),
    /// A whole number: default, least, most.
    Spin(i64, i64, i64),
    /// The default, and all there are.
    Combo(&'static str, &'static [&'static str]),
    /// Something to be done at once.
    Button,
    /// Any text.
    Text(&'static str),
    /// A file's name.
    File(&'static str),
}

/// What came of setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Set {
    /// It has a new value.
    Changed(&'static str),
    /// A button was pressed.
    Pressed(&'static str),
}

/// The options of a conversation, with their values.
#[derive(Clone, Debug)]
pub struct Options(Vec<(&'static str, Kind, String)>);

/// How an empty text is written.
const EMPTY: &str = "<empty>";

impl Options {
    /// These options with their defaults.
    pub fn new(list: Vec<(&'static str, Kind)>) -> Options {
        let value = |kind: &Kind| match kind {
            Kind::Check(value) => value.to_string(),
            Kind::Spin(value, ..) => value.to_string(),
            Kind::Button => String::new(),
            Kind::Combo(value, _) | Kind::Text(value) | Kind::File(value) => (*value).to_string(),
        };
        Options(list.into_iter().map(|(name, kind)| (name, kind.clone(), value(&kind))).collect())
    }

    /// The lines that tell them: `option name X type spin default 1 min 1 max 9`.
    pub fn declared(&self) -> Vec<String> {
        let told = |text: &str| if text.is_empty() { EMPTY } else { text }.to_string();
        let line = |(name, kind, _): &(&str, Kind, String)| {
            let rest = match kind {
                Kind::Check(value) => format!("check default {value}"),
                Kind::Spin(value, least, most) => {
                    format!("spin default {value} min {least} max {most}")
                }
                Kind::Combo(value, values) => {
                    let vars: String = values.iter().map(|v| format!(" var {v}")).collect();
                    format!("combo default {value}{vars}")
                }
                Kind::Button => "button".to_string(),
                Kind::Text(value) => format!("string default {}", told(value)),
                Kind::File(value) => format!("filename default {}", told(value)),
            };
            format!("option name {name} type {rest}")
        };
        self.0.iter().map(line).collect()
    }

    /// Sets an option from what follows `setoption`: `name X value Y`. Names are read without
    /// regard to case.
    ///
    /// # Errors
    /// One sentence: which option or value there is not.
    pub fn set(&mut self, text: &str) -> Result<Set, String> {
        let text = text.trim();
        let text = text.strip_prefix("name ").ok_or("Write: setoption name NAME value VALUE.")?;
        let (name, value) = match text.split_once(" value") {
            Some((name, value)) => (name.trim(), value.trim()),
            None => (text.trim(), ""),
        };
        let slot = self.0.iter_mut().find(|(known, ..)| known.eq_ignore_ascii_case(name));
        let Some((name, kind, slot)) = slot else {
            return Err(format!("There is no option \"{}\".", shortened(name)));
        };
        let name: &'static str = name;
        *slot = read(kind, value).map_err(|wanted| {
            format!("\"{}\" is no value of {name}; {wanted}.", shortened(value))
        })?;
        Ok(if *kind == Kind::Button { Set::Pressed(name) } else { Set::Changed(name) })
    }

    /// An option's value as text.
    ///
    /// # Panics
    /// If there is no such option.
    pub fn text(&self, name: &str) -> &str {
        let slot = self.0.iter().find(|(known, ..)| *known == name);
        &slot.expect("options are asked for by names they were declared with").2
    }

    /// A number.
    pub fn spin(&self, name: &str) -> i64 {
        self.text(name).parse().expect("a spin holds a number")
    }

    /// True or false.
    pub fn check(&self, name: &str) -> bool {
        self.text(name) == "true"
    }
}

/// Says that an engine has no option of this name, with those it has that are most like it.
pub fn unknown_option(name: &str, known: &[String]) -> String {
    let wanted = name.to_lowercase();
    let mut near: Vec<(usize, &String)> =
        known.iter().map(|own| (unlike(&wanted, &own.to_lowercase()), own)).collect();
    near.sort();
    let near: Vec<String> = near.iter().take(NEAR).map(|(_, own)| plain_name(own)).collect();
    let near = match near.as_slice() {
        [] => "it has none".to_string(),
        [only] => format!("nearest to it is {only}"),
        [first @ .., last] => format!("nearest to it are {} and {last}", first.join(", ")),
    };
    format!("The engine has no option \"{}\"; {near}.", shortened(name))
}

/// How many options are told that are like an unknown one.
const NEAR: usize = 3;
/// As much of an option's name is compared.
const COMPARED: usize = 60;

/// How unlike two texts are: the letters to be put in, left out or changed (the distance of
/// Levenshtein); where one is a part of the other, no letter counts.
fn unlike(a: &str, b: &str) -> usize {
    if a.contains(b) || b.contains(a) {
        return 0;
    }
    let (a, b) = (a.chars().take(COMPARED), b.chars().take(COMPARED).collect::<Vec<_>>());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = changed.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// A quoted value is cut short.
fn shortened(text: &str) -> String {
    text.chars().take(COMPARED).collect()
}

/// The value as it is kept, or what would be one.
fn read(kind: &Kind, value: &str) -> Result<String, String> {
    match kind {
        Kind::Check(_) => {
            let value = value.to_ascii_lowercase();
            let known = value == "true" || value == "false";
            if known { Ok(value) } else { Err("give true or false".to_string()) }
        }
        Kind::Spin(_, least, most) => match value.parse::<i64>() {
            Ok(n) if (*least..=*most).contains(&n) => Ok(n.to_string()),
            _ => Err(format!("give a number from {least} to {most}")),
        },
        Kind::Combo(_, values) => {
            let known = values.iter().find(|v| v.eq_ignore_ascii_case(value));
            known
                .map(|v| (*v).to_string())
                .ok_or_else(|| format!("choose one of {}", values.join(", ")))
        }
        Kind::Button => Ok(String::new()),
        Kind::Text(_) | Kind::File(_) => {
            Ok(if value == EMPTY { String::new() } else { value.to_string() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options::new(vec![
            ("Ponder", Kind::Check(false)),
            ("Threads", Kind::Spin(1, 1, 64)),
            ("Rule", Kind::Combo("One", &["One", "Two"])),
            ("Clear", Kind::Button),
            ("Variant", Kind::Text("")),
            ("Book", Kind::File("book.db")),
        ])
    }

    #[test]
    fn all_kinds_are_declared() {
        let lines = [
            "option name Ponder type check default false",
            "option name Threads type spin default 1 min 1 max 64",
            "option name Rule type combo default One var One var Two",
            "option name Clear type button",
            "option name Variant type string default <empty>",
            "option name Book type filename default book.db",
        ];
        assert_eq!(options().declared(), lines);
    }

    #[test]
    fn all_kinds_are_set() {
        let mut o = options();
        assert_eq!(o.set("name Ponder value true"), Ok(Set::Changed("Ponder")));
        assert!(o.check("Ponder"));
        assert_eq!(o.set(" name threads value 8"), Ok(Set::Changed("Threads")));
        assert_eq!(o.spin("Threads"), 8);
        assert_eq!(o.set("name Rule value two"), Ok(Set::Changed("Rule")));
        assert_eq!(o.text("Rule"), "Two");
        assert_eq!(o.set("name Clear"), Ok(Set::Pressed("Clear")));
        assert_eq!(o.set("name Variant value a b  c"), Ok(Set::Changed("Variant")));
        assert_eq!(o.text("Variant"), "a b  c");
        assert_eq!(o.set("name Book value <empty>"), Ok(Set::Changed("Book")));
        assert_eq!(o.text("Book"), "");
    }

    #[test]
    fn an_unknown_option_is_told_with_those_most_like_it() {
        let known = ["USI_Hash", "Threads", "MultiPV", "NetworkDelay", "BookFile"];
        let known = known.map(str::to_string);
        let said = unknown_option("Hash", &known);
        assert!(
            said.starts_with("The engine has no option \"Hash\"; nearest to it are USI_Hash, ")
        );
        let said = unknown_option("thraeds", &known);
        assert!(said.contains("nearest to it are Threads, "), "{said}");
        let said = unknown_option("Foo", &[]);
        assert_eq!(said, "The engine has no option \"Foo\"; it has none.");
        assert_eq!(unlike("kitten", "sitting"), 3);
        assert_eq!(unlike("", "abc"), 0);
        assert_eq!(unlike("abc", "xyz"), 3);
        assert!(unknown_option(&"x".repeat(100_000), &known).len() < 200);
    }

    #[test]
    fn what_cannot_be_set_leaves_all_as_it_was() {
        let mut o = options();
        let wrong = [
            "",
            "name",
            "Threads value 3",
            "name Nothing value 3",
            "name Threads value 65",
            "name Threads value many",
            "name Threads",
            "name Ponder value maybe",
            "name Rule value Three",
        ];
        for text in wrong {
            assert!(o.set(text).is_err(), "{text}");
        }
        assert_eq!((o.spin("Threads"), o.check("Ponder"), o.text("Rule")), (1, false, "One"));
        let error = o.set(&format!("name {} value 1", "x".repeat(100_000))).expect_err("none");
        assert!(error.len() < 200);
    }
}
