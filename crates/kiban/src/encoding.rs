//! Texts in other encodings than UTF-8, for programs that expect one.

use encoding_rs::{EUC_JP, EncoderResult, Encoding, SHIFT_JIS, UTF_8};
use kiban_core::ReadError;

/// The encodings by name: whether a byte order mark stands first.
const ENCODINGS: &[(&str, &Encoding, bool)] = &[
    ("utf-8", UTF_8, false),
    ("utf-8-bom", UTF_8, true),
    ("shift_jis", SHIFT_JIS, false),
    ("euc-jp", EUC_JP, false),
];

/// What a first line says of the encoding it is in.
const SAID: &str = "encoding=UTF-8";

/// The names there are.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    ENCODINGS.iter().map(|(name, ..)| *name)
}

/// A text in the encoding of this name. A first line that tells the encoding tells the new one.
///
/// # Errors
/// If what was written is no text, or has a character that the encoding has not.
pub(crate) fn encode(written: Vec<u8>, name: &str) -> Result<Vec<u8>, ReadError> {
    let found = ENCODINGS.iter().find(|(known, ..)| *known == name);
    let (_, encoding, marked) = *found.expect("the command line takes no other name");
    if encoding == UTF_8 && !marked {
        return Ok(written);
    }
    let text = std::str::from_utf8(&written).map_err(|_| {
        let message = "This format is no text and has no encoding; leave out --encoding.";
        ReadError::new("no-text", message)
    })?;
    let mut out = if marked { "\u{feff}".as_bytes().to_vec() } else { Vec::new() };
    if encoding == UTF_8 {
        out.extend_from_slice(&written);
        return Ok(out);
    }
    let end = text.find('\n').unwrap_or(text.len());
    let first = text[..end].replace(SAID, &format!("encoding={}", encoding.name()));
    for (number, line) in
        std::iter::once(&*first).chain(text[end..].split('\n').skip(1)).enumerate()
    {
        if number > 0 {
            out.push(b'\n');
        }
        put(&mut out, encoding, line).map_err(|column| {
            let found = line.chars().nth(column - 1).map_or(String::new(), String::from);
            let message = format!("{} has no character \"{found}\".", encoding.name());
            let error = ReadError::new("no-such-character", message);
            error.line(number + 1).column(column).found(found, "another character, or UTF-8")
        })?;
    }
    Ok(out)
}

/// Adds a line; the error is the column of the first character that does not come back the same.
fn put(out: &mut Vec<u8>, encoding: &'static Encoding, line: &str) -> Result<(), usize> {
    let begin = out.len();
    // Two bytes hold any character of these encodings, three those of EUC-JP.
    let mut bytes = vec![0; line.len() * 3 + 8];
    let mut encoder = encoding.new_encoder();
    let (result, read, filled) =
        encoder.encode_from_utf8_without_replacement(line, &mut bytes, true);
    if let EncoderResult::Unmappable(c) = result {
        return Err(line[..read - c.len_utf8()].chars().count() + 1);
    }
    out.extend_from_slice(&bytes[..filled]);
    let back = encoding.decode_without_bom_handling(&out[begin..]).0;
    match back.chars().zip(line.chars()).position(|(a, b)| a != b) {
        Some(at) => Err(at + 1),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_in_every_encoding() {
        let text = "#KIF version=2.0 encoding=UTF-8\n先手：甲\n\n";
        for (name, encoding, said) in
            [("shift_jis", SHIFT_JIS, "Shift_JIS"), ("euc-jp", EUC_JP, "EUC-JP")]
        {
            let bytes = encode(text.as_bytes().to_vec(), name).expect("it has all characters");
            let back = encoding.decode_without_bom_handling(&bytes).0;
            assert_eq!(back, text.replace("UTF-8", said));
        }
        assert_eq!(encode(text.as_bytes().to_vec(), "utf-8").expect("the same"), text.as_bytes());
        let marked = encode(text.as_bytes().to_vec(), "utf-8-bom").expect("the same");
        assert_eq!(marked, format!("\u{feff}{text}").as_bytes());
    }

    #[test]
    fn characters_an_encoding_has_not() {
        for (line, found, column) in [("ab☗c", "☗", 3), ("波\u{2212}", "\u{2212}", 2)] {
            let text = format!("一行\n{line}\n");
            let error = encode(text.as_bytes().to_vec(), "shift_jis").expect_err(line);
            let place = (error.at.line, error.at.column, error.found.as_deref());
            assert_eq!(place, (Some(2), Some(column), Some(found)));
        }
        assert_eq!(encode(vec![0xff, 0], "euc-jp").expect_err("no text").code, "no-text");
    }
}
