//! A lexer just good enough to tell code from strings, comments and tests, and a reader of the
//! dependency tables of `Cargo.toml`.

/// Rust with comments and the insides of strings and characters blanked; lines stay.
pub(crate) fn rust_code(text: &str) -> String {
    blank(text, true)
}

/// Rust with only the comments blanked.
pub(crate) fn rust_without_comments(text: &str) -> String {
    blank(text, false)
}

fn blank(text: &str, strings: bool) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = chars.clone();
    let mut at = 0;
    while at < chars.len() {
        let (end, hide) = token(&chars, at, strings);
        if hide {
            out[at..end].iter_mut().filter(|c| **c != '\n').for_each(|c| *c = ' ');
        }
        at = end;
    }
    out.into_iter().collect()
}

/// The end of the token that begins here, and whether it is hidden.
fn token(chars: &[char], at: usize, strings: bool) -> (usize, bool) {
    let next = chars.get(at + 1).copied();
    let word = |c: char| c.is_alphanumeric() || c == '_';
    match chars[at] {
        '/' if next == Some('/') => {
            let end = chars[at..].iter().position(|c| *c == '\n');
            (end.map_or(chars.len(), |n| at + n), true)
        }
        '/' if next == Some('*') => (block_comment(chars, at), true),
        '"' => (string(chars, at), strings),
        '\'' => match character(chars, at) {
            Some(end) => (end, strings),
            None => (at + 1, false),
        },
        c if word(c) => {
            let length = chars[at..].iter().position(|c| !word(*c));
            let end = length.map_or(chars.len(), |n| at + n);
            let prefix: String = chars[at..end].iter().collect();
            match prefix.as_str() {
                "r" | "br" | "cr" => raw_string(chars, end).map_or((end, false), |e| (e, strings)),
                _ => (end, false),
            }
        }
        _ => (at + 1, false),
    }
}

fn block_comment(chars: &[char], at: usize) -> usize {
    let (mut depth, mut i) = (0, at);
    while i + 1 < chars.len() {
        match (chars[i], chars[i + 1]) {
            ('/', '*') => (depth, i) = (depth + 1, i + 2),
            ('*', '/') if depth == 1 => return i + 2,
            ('*', '/') => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
    }
    chars.len()
}

fn string(chars: &[char], at: usize) -> usize {
    let mut i = at + 1;
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

/// A raw string whose hashes or quote begin here.
fn raw_string(chars: &[char], at: usize) -> Option<usize> {
    let hashes = chars[at..].iter().take_while(|c| **c == '#').count();
    if chars.get(at + hashes) != Some(&'"') {
        return None;
    }
    let ends = |i: &usize| {
        chars[*i] == '"' && chars[i + 1..].iter().take_while(|c| **c == '#').count() >= hashes
    };
    let end = (at + hashes + 1..chars.len()).find(ends);
    Some(end.map_or(chars.len(), |i| i + 1 + hashes))
}

/// The end of a character literal; `None` for a lifetime.
fn character(chars: &[char], at: usize) -> Option<usize> {
    if chars.get(at + 1) == Some(&'\\') {
        let close = chars.get(at + 3..)?.iter().position(|c| *c == '\'')?;
        return Some(at + 3 + close + 1);
    }
    (chars.get(at + 2) == Some(&'\'')).then_some(at + 3)
}

/// Code, already without strings and comments, without what is compiled for tests only. The
/// same bytes are blanked in `also`, which must have the same length in characters.
pub(crate) fn without_tests(code: &str, also: &str) -> String {
    const MARK: &str = "#[cfg(test)]";
    let code: Vec<char> = code.chars().collect();
    let mut out: Vec<char> = also.chars().collect();
    let mark: Vec<char> = MARK.chars().collect();
    let mut at = 0;
    while at + mark.len() <= code.len() {
        if code[at..at + mark.len()] != mark[..] {
            at += 1;
            continue;
        }
        let end = item_end(&code, at + mark.len());
        out[at..end].iter_mut().filter(|c| **c != '\n').for_each(|c| *c = ' ');
        at = end;
    }
    out.into_iter().collect()
}

/// The end of the item after an attribute: its `;` or its closing brace.
fn item_end(code: &[char], from: usize) -> usize {
    let mut nested = 0;
    for (i, c) in code.iter().enumerate().skip(from) {
        match c {
            '(' | '[' => nested += 1,
            ')' | ']' => nested -= 1,
            ';' if nested == 0 => return i + 1,
            '{' if nested == 0 => return closing(code, i) + 1,
            _ => {}
        }
    }
    code.len()
}

/// Where the brace that opens here closes.
fn closing(code: &[char], open: usize) -> usize {
    let mut depth = 0;
    for (i, c) in code.iter().enumerate().skip(open) {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return i,
            '}' => depth -= 1,
            _ => {}
        }
    }
    code.len() - 1
}

/// The functions with a body: name, first line from 1, number of lines with signature and brace.
pub(crate) fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let chars: Vec<char> = code.chars().collect();
    let word = |c: &char| c.is_alphanumeric() || *c == '_';
    let mut found = Vec::new();
    for at in 0..chars.len().saturating_sub(3) {
        let alone = at == 0 || !word(&chars[at - 1]);
        if !alone || chars[at..at + 2] != ['f', 'n'] || !chars[at + 2].is_whitespace() {
            continue;
        }
        let name: String = chars[at + 3..].iter().take_while(|c| word(c)).collect();
        if name.is_empty() {
            continue;
        }
        if let Some(open) = body(&chars, at) {
            let line = |to: usize| chars[..to].iter().filter(|c| **c == '\n').count() + 1;
            let (first, last) = (line(at), line(closing(&chars, open)));
            found.push((name, first, last + 1 - first));
        }
    }
    found
}

/// Where the body of a function opens; `None` if it has none.
fn body(code: &[char], from: usize) -> Option<usize> {
    let (mut nested, mut at) = (0, from);
    while at < code.len() {
        match code[at] {
            '(' | '[' => nested += 1,
            ')' | ']' => nested -= 1,
            ';' if nested == 0 => return None,
            '{' => {
                // `Name<{ CONST }>`: an argument, not the body.
                let before = code[..at].iter().rev().find(|c| !c.is_whitespace());
                if nested == 0 && !matches!(before, Some('<' | ',')) {
                    return Some(at);
                }
                at = closing(code, at);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Whether a word stands in a text, with anything but letters and digits around it; where: the
/// lines, from 1.
pub(crate) fn lines_with(text: &str, word: &str) -> Vec<usize> {
    let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let has = |line: &str| {
        line.match_indices(word).any(|(i, _)| {
            edge(line[..i].chars().next_back()) && edge(line[i + word.len()..].chars().next())
        })
    };
    text.lines().enumerate().filter(|(_, line)| has(line)).map(|(i, _)| i + 1).collect()
}

/// A browser or message file without its comments, which stand on lines of their own or after a
/// blank.
pub(crate) fn without_other_comments(text: &str, extension: &str) -> String {
    let mut inside = false;
    let line = |line: &str| {
        if extension == "ftl" {
            return if line.starts_with('#') { String::new() } else { line.to_string() };
        }
        let mut kept = String::new();
        let mut rest = line;
        loop {
            if inside {
                let Some((_, after)) = rest.split_once("*/") else { return kept };
                (inside, rest) = (false, after);
            }
            let Some((before, after)) = rest.split_once("/*") else { break };
            kept.push_str(before);
            (inside, rest) = (true, after);
        }
        let slashes = rest.match_indices("//").find(|(i, _)| {
            extension == "js" && rest[..*i].chars().next_back().is_none_or(char::is_whitespace)
        });
        kept.push_str(slashes.map_or(rest, |(i, _)| &rest[..i]));
        kept
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The dependencies of a manifest: section without its target (`dependencies`,
/// `build-dependencies`, `dev-dependencies`) and package name.
pub(crate) fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut section = String::new();
    for line in manifest.lines().map(str::trim) {
        let renamed = line.split_once("package = \"").and_then(|(_, rest)| rest.split('"').next());
        if let Some(header) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            let parts: Vec<&str> = header.split('.').collect();
            let at = parts.iter().position(|p| p.ends_with("dependencies"));
            section = at.map_or_else(String::new, |i| parts[i].to_string());
            if let Some(name) = at.and_then(|i| parts.get(i + 1)) {
                found.push((std::mem::take(&mut section), (*name).to_string()));
            }
        } else if !section.is_empty() && line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let own = line.split(['.', '=', ' ']).next().unwrap_or(line);
            found.push((section.clone(), renamed.unwrap_or(own).to_string()));
        }
    }
    found
}
