//! A server in a process of its own, and a client with a socket.
//!
//! The process is this test program once more, told by a variable to serve.

use super::GAMES;
use crate::{Line, ServeOptions, serve};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

const CHILD: &str = "KIBAN_WEB_TEST_CHILD";

/// Serves until it is killed. Does nothing when run as a test of its own.
#[test]
fn child() {
    if std::env::var(CHILD).is_err() {
        return;
    }
    let options = ServeOptions {
        games: GAMES,
        listen: "127.0.0.1:0".parse().unwrap(),
        database: None,
        hosts: vec![],
        engines: Vec::new(),
        tables: None,
        threads: Some(1),
    };
    let say = |line: Line<'_>| {
        let (Line::Ready(text) | Line::Warning(text)) = line;
        println!("{}: {text}", if matches!(line, Line::Ready(_)) { "ready" } else { "warning" });
        std::io::stdout().flush().unwrap();
    };
    serve(options, say).unwrap();
}

/// A server that keeps its games in this folder.
pub(super) struct Process {
    pub(super) child: Child,
    pub(super) output: BufReader<std::process::ChildStdout>,
    /// The line it greets with.
    pub(super) ready: String,
    pub(super) address: String,
}

impl Process {
    pub(super) fn start(folder: &Path) -> Process {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "tests::wire::child", "--nocapture"])
            .env(CHILD, "1")
            .env("KIBAN_DATA", folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let ready = loop {
            let mut line = String::new();
            assert_ne!(output.read_line(&mut line).unwrap(), 0, "the server says that it is ready");
            if let Some((_, ready)) = line.split_once("ready: ") {
                break ready.trim_end().to_string();
            }
        };
        let address = ready.split("http://").nth(1).unwrap().split(' ').next().unwrap();
        Process { address: address.to_string(), child, output, ready }
    }

    /// As `kill -9`.
    pub(super) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that keeps its connection.
pub(super) struct Client {
    address: String,
    pub(super) cookie: Option<String>,
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(super) fn new(address: &str, cookie: Option<String>) -> Option<Client> {
        let stream = BufReader::new(TcpStream::connect(address).ok()?);
        Some(Client { address: address.to_string(), cookie, stream })
    }

    pub(super) fn send(&mut self, method: &str, path: &str, body: &str) -> Option<()> {
        let (address, length) = (&self.address, body.len());
        let cookie = self.cookie.as_ref().map(|c| format!("cookie: kiban={c}\r\n"));
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n{}\
             content-length: {length}\r\n\r\n{body}",
            cookie.unwrap_or_default()
        );
        self.stream.get_mut().write_all(request.as_bytes()).ok()
    }

    pub(super) fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).ok()?;
        (read > 0).then(|| line.trim_end().to_string())
    }

    /// The status and the body; `None` once the server is gone.
    pub(super) fn ask(&mut self, method: &str, path: &str, body: &str) -> Option<(u16, String)> {
        self.send(method, path, body)?;
        let status = self.line()?.split(' ').nth(1)?.parse().ok()?;
        let mut length = 0;
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else { break };
            match name {
                "content-length" => length = value.parse().ok()?,
                "set-cookie" => {
                    let value = value.strip_prefix("kiban=")?;
                    self.cookie = Some(value.split(';').next()?.to_string());
                }
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).ok()?;
        Some((status, String::from_utf8(body).ok()?))
    }

    /// The same with a JSON answer.
    pub(super) fn json(&mut self, method: &str, path: &str, body: &Value) -> Option<(u16, Value)> {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let (status, text) = self.ask(method, path, &body)?;
        Some((status, serde_json::from_str(&text).ok()?))
    }
}
