//! Wrong usage, in one sentence.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use kiban_core::ReadError;

/// What clap found wrong, as one sentence that says how to mend it.
pub(crate) fn error(error: &clap::Error, command: Option<&str>) -> ReadError {
    let help = command.map_or("kiban --help".to_string(), |c| format!("kiban {c} --help"));
    let argument = text(error, ContextKind::InvalidArg).unwrap_or_default();
    let value = text(error, ContextKind::InvalidValue).unwrap_or_default();
    let (code, said) = match error.kind() {
        ErrorKind::UnknownArgument => {
            ("unknown-argument", format!("\"{argument}\" is not an argument of this command"))
        }
        ErrorKind::InvalidSubcommand => {
            let name = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            ("unknown-command", format!("There is no command \"{name}\""))
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            ("missing-command", "Say what to do, for example \"kiban games\"".to_string())
        }
        ErrorKind::MissingRequiredArgument => {
            let missing: Vec<_> = argument.split(", ").map(named).collect();
            let verb = if missing.len() > 1 { "are" } else { "is" };
            ("missing-argument", format!("{} {verb} missing", missing.join(" and ")))
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            ("missing-value", format!("{argument} needs a value"))
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let why = reason(error).map_or(String::new(), |why| format!(": {why}"));
            ("bad-value", format!("\"{value}\" is not a value of {argument}{why}"))
        }
        ErrorKind::ArgumentConflict => {
            let other = text(error, ContextKind::PriorArg).unwrap_or_default();
            if other == argument {
                ("given-twice", format!("{argument} is given twice"))
            } else {
                ("conflict", format!("{argument} and {other} cannot be given together"))
            }
        }
        ErrorKind::InvalidUtf8 => {
            let said = "An argument is not UTF-8 text; only names of files may be other bytes";
            ("bad-value", said.to_string())
        }
        _ => ("bad-usage", first_line(error)),
    };
    let hint = suggestion(error).map_or(String::new(), |s| format!("; did you mean {s}?"));
    let stop = if hint.is_empty() { "." } else { "" };
    ReadError::new(code, format!("{said}{hint}{stop} See \"{help}\"."))
}

/// A missing argument's name; a group's is its members in angle brackets.
fn named(argument: &str) -> String {
    let group = argument.strip_prefix('<').and_then(|group| group.strip_suffix('>'));
    match group.filter(|group| group.contains('|')) {
        Some(group) => format!("One of {}", group.replace('|', ", ")),
        None => argument.to_string(),
    }
}

fn text(error: &clap::Error, kind: ContextKind) -> Option<String> {
    match error.get(kind)? {
        ContextValue::String(s) => Some(s.clone()),
        ContextValue::Strings(list) => Some(list.join(", ")),
        ContextValue::StyledStr(s) => Some(s.to_string()),
        _ => None,
    }
}

fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    kinds.into_iter().find_map(|kind| text(error, kind)).filter(|s| !s.is_empty())
}

/// The values there are, or what the value's reader said.
fn reason(error: &clap::Error) -> Option<String> {
    let valid = text(error, ContextKind::ValidValue).filter(|v| !v.is_empty());
    valid.map(|v| format!("choose one of {v}")).or_else(|| {
        let said = std::error::Error::source(error)?.to_string();
        Some(of_number(&said).unwrap_or_else(|| said.trim_end_matches('.').to_string()))
    })
}

/// What is wrong with a number, for the standard library's and clap's words are not a user's.
fn of_number(said: &str) -> Option<String> {
    if let Some((_, range)) = said.split_once(" is not in ") {
        let (least, most) = range.split_once("..")?;
        let most = most.trim_start_matches('=');
        // The largest number of its type is no limit anybody set.
        let open = most.is_empty() || most == u64::MAX.to_string();
        return Some(if open {
            format!("give {least} or more")
        } else {
            format!("give a whole number from {least} to {most}")
        });
    }
    let words = [
        ("number too large", "give a smaller whole number"),
        ("number too small", "give a larger whole number"),
        ("invalid digit", "give a whole number"),
        ("cannot parse integer", "give a whole number"),
    ];
    let about = words.iter().find(|(start, _)| said.starts_with(start));
    about.map(|(_, advice)| advice.to_string())
}

fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches("error: ").trim_end_matches('.').to_string()
}
