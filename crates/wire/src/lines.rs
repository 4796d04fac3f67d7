//! Reading lines of any origin without ever holding too much.

use std::io::{BufRead, BufReader, Read};

/// The longest line that is taken, in bytes: a game of 5,000 plies fits many times.
pub const LONGEST_LINE: usize = 1024 * 1024;

/// Calls `take` with every line, without its end and as UTF-8 (what is none is replaced). A longer
/// line than [`LONGEST_LINE`] is left out whole. Ends with the input or when `take` says false.
pub(crate) fn each(input: impl Read, mut take: impl FnMut(String) -> bool) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        let most = LONGEST_LINE as u64 + 2;
        match input.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        while line.last().is_some_and(|b| matches!(b, b'\n' | b'\r')) {
            line.pop();
        }
        if line.len() > LONGEST_LINE {
            if !skip_line(&mut input) {
                return;
            }
        } else if !take(String::from_utf8_lossy(&line).into_owned()) {
            return;
        }
    }
}

/// Reads on to the end of the line; false at the end of the input.
fn skip_line(input: &mut impl BufRead) -> bool {
    loop {
        let Ok(chunk) = input.fill_buf() else { return false };
        if chunk.is_empty() {
            return false;
        }
        let end = chunk.iter().position(|b| *b == b'\n');
        let used = end.map_or(chunk.len(), |at| at + 1);
        input.consume(used);
        if end.is_some() {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        each(bytes, |line| {
            lines.push(line);
            true
        });
        lines
    }

    #[test]
    fn every_kind_of_line_end_is_taken_off() {
        assert_eq!(lines(b"a\nb\r\n\nc"), ["a", "b", "", "c"]);
        assert_eq!(lines(b"\xff\xfe\n"), ["\u{fffd}\u{fffd}"]);
    }

    #[test]
    fn a_line_too_long_is_left_out_and_the_next_is_read() {
        let mut bytes = vec![b'x'; 3 * LONGEST_LINE];
        bytes.extend(b"\nnext\n");
        assert_eq!(lines(&bytes), ["next"]);
        bytes.truncate(3 * LONGEST_LINE);
        assert!(lines(&bytes).is_empty());
        let longest = vec![b'x'; LONGEST_LINE];
        assert_eq!(lines(&longest)[0].len(), LONGEST_LINE);
    }
}
