//! Plays lines at a conversation, as its user would: for tests.

use crate::serve;
use kiban_core::Conversation;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long an expected line may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A conversation that runs as it would behind a pipe.
pub struct Transcript {
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<String>,
    served: Option<JoinHandle<()>>,
}

impl Transcript {
    /// Begins to serve.
    pub fn open(mut conversation: Box<dyn Conversation>) -> Transcript {
        let (input, bytes) = channel();
        let (lines, output) = channel();
        let served = std::thread::spawn(move || {
            let input = Pipe { bytes, rest: Vec::new() };
            serve(conversation.as_mut(), input, Sink { lines, rest: Vec::new() });
        });
        Transcript { input: Some(input), output, served: Some(served) }
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_ref().expect("lines are sent before the close");
        // A conversation that has ended reads nothing more; what it said tells.
        let _ = input.send(bytes.to_vec());
    }

    /// Everything said until a line that begins with this, which is the last.
    ///
    /// # Errors
    /// What was said instead, if the line does not come.
    pub fn expect(&mut self, start: &str) -> Result<Vec<String>, String> {
        let mut said = Vec::new();
        let until = Instant::now() + PATIENCE;
        loop {
            let wait = until.saturating_duration_since(Instant::now());
            let Ok(line) = self.output.recv_timeout(wait) else {
                return Err(format!("\"{start}\" did not come, but {said:?}"));
            };
            let found = line.starts_with(start);
            said.push(line);
            if found {
                return Ok(said);
            }
        }
    }

    /// Ends the input; gives what is still said.
    ///
    /// # Panics
    /// If the conversation does not end, or has fallen over.
    pub fn close(mut self) -> Vec<String> {
        self.input = None;
        let mut said = Vec::new();
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(line) => said.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("the conversation does not end"),
            }
        }
        let served = self.served.take().expect("closed once");
        assert!(served.join().is_ok(), "the conversation has fallen over");
        said
    }

    /// Plays a script: `> LINE` is sent; `< START` is the start of the very next line said;
    /// `... START` lets lines pass until one starts so; `.` ends the input, after which nothing
    /// may be said. Empty lines and lines from `#` on are comments.
    ///
    /// # Errors
    /// Says at which line of the script something else came.
    pub fn play(conversation: Box<dyn Conversation>, script: &str) -> Result<(), String> {
        let mut talk = Transcript::open(conversation);
        for (i, line) in script.lines().enumerate() {
            let at = |fault: String| format!("line {}: {fault}", i + 1);
            if let Some(sent) = line.strip_prefix("> ") {
                talk.send(sent);
            } else if let Some(start) = line.strip_prefix("< ") {
                let said = talk.expect("").map_err(at)?;
                if !said[0].starts_with(start) {
                    return Err(at(format!("\"{start}\" was expected, not {said:?}")));
                }
            } else if let Some(start) = line.strip_prefix("... ") {
                talk.expect(start).map_err(at)?;
            } else if line == "." {
                let rest = talk.close();
                return if rest.is_empty() { Ok(()) } else { Err(at(format!("said {rest:?}"))) };
            } else if !line.is_empty() && !line.starts_with('#') {
                return Err(at("no such line in a script".to_string()));
            }
        }
        Err("the script does not end with \".\"".to_string())
    }
}

/// Bytes from a channel.
struct Pipe {
    bytes: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.rest.is_empty() {
            match self.bytes.recv() {
                Ok(bytes) => self.rest = bytes,
                Err(_) => return Ok(0),
            }
        }
        let n = buffer.len().min(self.rest.len());
        buffer[..n].copy_from_slice(&self.rest[..n]);
        self.rest.drain(..n);
        Ok(n)
    }
}

/// Lines into a channel.
struct Sink {
    lines: Sender<String>,
    rest: Vec<u8>,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for byte in bytes {
            if *byte == b'\n' {
                let line = String::from_utf8_lossy(&self.rest).into_owned();
                self.rest.clear();
                self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.rest.push(*byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
