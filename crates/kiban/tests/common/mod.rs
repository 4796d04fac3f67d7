//! Running the real program.
#![allow(dead_code, reason = "each test file uses a part of it")]

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    /// The one document on standard output.
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.out.lines().count(), 1, "one document: {}{}", self.out, self.err);
        serde_json::from_str(&self.out).expect("a document")
    }

    /// The error that `--json` puts on standard error below the sentence, of a run without an
    /// answer.
    pub(crate) fn error(&self) -> Value {
        assert_eq!(self.out, "", "standard output is empty");
        assert_eq!(self.err.lines().count(), 2, "a sentence and a line: {}", self.err);
        let line = self.err.lines().last().expect("two lines");
        let line: Value = serde_json::from_str(line).expect("a line of JSON");
        line["error"].clone()
    }

    /// The one sentence on standard error, of a run that ended with this status.
    pub(crate) fn sentence(&self, status: i32) -> &str {
        assert_eq!(self.status, status, "{}{}", self.out, self.err);
        assert_eq!(self.out, "", "standard output is empty");
        assert_eq!(self.err.lines().count(), 1, "one sentence: {}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self.err.trim_end()
    }
}

/// The program, with nothing of the tester's own settings.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kiban"));
    command.env_remove("KIBAN_DATA").env("NO_COLOR", "1");
    command
}

/// Runs with these arguments and nothing to read.
pub(crate) fn kiban(arguments: &[&str]) -> Ran {
    fed(arguments, b"")
}

/// The program with these arguments, all its streams piped.
pub(crate) fn started(arguments: &[&str]) -> Child {
    let mut command = program();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Runs with these arguments and this on standard input.
pub(crate) fn fed(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child = started(arguments);
    let mut stdin = child.stdin.take().expect("it was piped");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that ends early closes its input; that is no fault of the test.
        let _ = stdin.write_all(&input);
    });
    let done = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends");
    Ran {
        status: done.status.code().expect("it was not killed"),
        out: String::from_utf8(done.stdout).expect("text"),
        err: String::from_utf8(done.stderr).expect("text"),
    }
}

/// A file of this content in the build's folder for tests; names must differ between tests.
pub(crate) fn file(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).expect("the folder is writable");
    path.display().to_string()
}

/// A program that speaks just enough of USI and answers `go` with this shell command.
#[cfg(unix)]
pub(crate) fn usi(name: &str, answer: &str) -> String {
    let script = format!(
        "while read line; do case \"$line\" in\n\
         usi) echo id name Fake {name}; echo usiok;;\n\
         isready) echo readyok;;\n\
         go*) {answer};;\n\
         quit) exit 0;;\n\
         esac; done\n"
    );
    format!("usi:sh {}", file(&format!("engine-{name}.sh"), script.as_bytes()))
}

/// What a match gave that ended without a word on standard error.
pub(crate) fn matched(arguments: &[&str]) -> Value {
    let ran = kiban(&[&["match"], arguments, &["--json"]].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.json()
}
