//! A child process that speaks in lines. It never outlives its owner and never makes it wait.

use crate::lines;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::{Duration, Instant};

/// Lines of the child that wait to be read at most; a child that talks more is held up.
pub(crate) const WAITING_LINES: usize = 4096;
/// How long a child may take to go after its input has ended.
const GRACE: Duration = Duration::from_millis(500);
/// How often is looked whether it has gone.
const LOOK: Duration = Duration::from_millis(5);
/// How often what it started is looked for.
#[cfg(target_os = "linux")]
const ROUNDS: usize = 5;

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NoLine {
    /// None came in time.
    Late,
    /// There will be no more: the child has closed its output or has ended.
    Ended,
}

/// The variable that says which child a process belongs to, by the marks of all it descends from.
const MARK: &str = "KIBAN_ENGINE";
/// Children started so far.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// A running child.
pub(crate) struct Process {
    child: Child,
    /// What its descendants have in their environment, wherever they went.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux tells it"))]
    mark: String,
    /// Lines to say; taken away when it is to end.
    input: Option<Sender<String>>,
    output: Receiver<String>,
}

impl Process {
    /// Starts a command line, split into words as [`split_command`] does; no shell is asked.
    pub(crate) fn start(command: &str) -> io::Result<Process> {
        let words = split_command(command);
        let Some((program, arguments)) = words.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A group of its own: what it starts itself can be ended with it, and a Ctrl-C at the
        // terminal is for us, who end it in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let outer = std::env::var(MARK).unwrap_or_default();
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{outer}/{}-{number}", std::process::id());
        command.env(MARK, &mark);
        let mut child = command.spawn()?;
        let stdin = child.stdin.take().expect("it was piped");
        let stdout = child.stdout.take().expect("it was piped");
        let (input, lines_in) = channel();
        let (said, output) = sync_channel(WAITING_LINES);
        // A child that does not read must not hold us up, so another thread writes.
        std::thread::spawn(move || write(stdin, &lines_in));
        std::thread::spawn(move || lines::each(stdout, |line| said.send(line).is_ok()));
        Ok(Process { child, mark, input: Some(input), output })
    }

    /// Says a line. A child that has gone hears nothing; that its output has ended tells it.
    pub(crate) fn send(&self, line: String) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    /// The next line, if one comes in time.
    pub(crate) fn line(&mut self, wait: Duration) -> Result<String, NoLine> {
        let line = self.output.recv_timeout(wait);
        let ended = line == Err(RecvTimeoutError::Timeout)
            && !wait.is_zero()
            && matches!(self.child.try_wait(), Ok(Some(_)));
        // What it has started may hold its output open; what it said itself comes soon.
        let line = if ended { self.output.recv_timeout(GRACE) } else { line };
        line.map_err(|e| match e {
            RecvTimeoutError::Timeout if !ended => NoLine::Late,
            RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected => NoLine::Ended,
        })
    }

    /// How it ended, if it has within this time.
    pub(crate) fn ended(&mut self, wait: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + wait;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => std::thread::sleep(LOOK),
                Ok(status) => return status,
                Err(_) => return None,
            }
        }
    }

    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(id) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            // The group may be empty already.
            let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
        }
        #[cfg(target_os = "linux")]
        kill_marked(&self.mark);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends what has left the group of a child, by a session of its own or a parent that has gone.
#[cfg(target_os = "linux")]
fn kill_marked(mark: &str) {
    use nix::sys::signal::{Signal, kill};
    // What is killed may have started more just before.
    for _ in 0..ROUNDS {
        let found = marked(mark);
        if found.is_empty() {
            return;
        }
        for pid in found {
            let _ = kill(nix::unistd::Pid::from_raw(pid), Signal::SIGKILL);
        }
    }
}

/// The processes that carry a mark or one below it. Those of other users cannot be looked at.
#[cfg(target_os = "linux")]
fn marked(mark: &str) -> Vec<i32> {
    let carries = |pid: &i32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|b| *b == 0).any(|variable| {
            let value = variable.strip_prefix(MARK.as_bytes()).and_then(|v| v.strip_prefix(b"="));
            let below = value.and_then(|value| value.strip_prefix(mark.as_bytes()));
            below.is_some_and(|below| below.is_empty() || below.starts_with(b"/"))
        })
    };
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    all.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(carries).collect()
}

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.ended(GRACE);
        // Also where it has ended by itself: what it started goes with it.
        self.kill();
    }
}

fn write(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        let written = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
        if written.is_err() {
            return;
        }
    }
}

/// Splits a command line into words. Words are parted by white space; `"` and `'` hold together
/// what stands between them.
pub fn split_command(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut word, mut quote) = (None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Whether the program of a command line is there to be run.
pub fn is_program(command: &str) -> bool {
    let words = split_command(command);
    let Some(program) = words.first().filter(|word| !word.is_empty()).map(Path::new) else {
        return false;
    };
    if program.components().count() > 1 {
        return is_executable(program);
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| is_executable(&folder.join(program)))
}

fn is_executable(path: &Path) -> bool {
    let Ok(facts) = path.metadata() else { return false };
    #[cfg(unix)]
    let allowed = std::os::unix::fs::PermissionsExt::mode(&facts.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let allowed = true;
    facts.is_file() && allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_and_quotes_hold_together() {
        assert_eq!(split_command("  a b\tc "), ["a", "b", "c"]);
        assert_eq!(split_command("'a b' \"c 'd'\" e\"f g\"h ''"), ["a b", "c 'd'", "ef gh", ""]);
        assert_eq!(split_command("sh -c 'exit 3"), ["sh", "-c", "exit 3"]);
        assert!(split_command(" ").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn programs_are_found_before_they_are_run() {
        assert!(is_program("sh -c 'exit 1'") && is_program("/bin/sh"));
        assert!(
            !is_program("/nowhere/engine") && !is_program("no-such-program") && !is_program("")
        );
        assert!(!is_program("/etc/passwd"), "no program");
    }

    #[cfg(unix)]
    fn running(pid: i32) -> bool {
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), None).is_ok()
    }

    #[cfg(unix)]
    #[test]
    fn lines_go_both_ways_and_the_end_is_seen() {
        let mut process = Process::start("sh -c 'read x; echo got $x; exit 3'").expect("sh");
        process.send("hello".to_string());
        assert_eq!(process.line(Duration::from_secs(10)), Ok("got hello".to_string()));
        assert_eq!(process.line(Duration::from_secs(10)), Err(NoLine::Ended));
        assert_eq!(process.ended(Duration::from_secs(10)).and_then(|s| s.code()), Some(3));
        assert!(Process::start("/nowhere/engine").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_child_that_ignores_everything_is_ended_with_its_own_children() {
        let script = "trap \"\" TERM INT HUP; sleep 600 & echo $$ $!; wait; sleep 600";
        let mut process = Process::start(&format!("sh -c '{script}'")).expect("sh");
        let line = process.line(Duration::from_secs(10)).expect("it tells its numbers");
        let pids: Vec<i32> = line.split(' ').map(|n| n.parse().expect("a number")).collect();
        // It reads nothing; sending must not hold us up.
        for _ in 0..100 {
            process.send("x".repeat(10_000));
        }
        assert_eq!(process.line(Duration::from_millis(20)), Err(NoLine::Late));
        let begun = Instant::now();
        drop(process);
        assert!(begun.elapsed() < Duration::from_secs(10));
        assert!(!running(pids[0]), "the child is reaped");
        // Its orphan is reaped by somebody else, soon.
        let until = Instant::now() + Duration::from_secs(10);
        while running(pids[1]) && !is_zombie(pids[1]) && Instant::now() < until {
            std::thread::sleep(LOOK);
        }
        assert!(!running(pids[1]) || is_zombie(pids[1]), "what the child started has ended");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_left_the_group_of_a_child_is_ended_with_it() {
        let script =
            "setsid sleep 600 & echo $!; setsid sh -c \"(sleep 600; :) & echo \\$!\"; read x";
        let mut process = Process::start(&format!("sh -c '{script}'")).expect("sh");
        let mut pid = || {
            let line = process.line(Duration::from_secs(10)).expect("it tells a number");
            line.parse::<i32>().expect("a number")
        };
        let pids = [pid(), pid()];
        let other = Process::start("sleep 600").expect("sleep");
        assert!(pids.iter().all(|pid| running(*pid)));
        drop(process);
        let until = Instant::now() + Duration::from_secs(10);
        let gone = |pid: &i32| !running(*pid) || is_zombie(*pid);
        while !pids.iter().all(gone) && Instant::now() < until {
            std::thread::sleep(LOOK);
        }
        assert!(pids.iter().all(gone), "{pids:?}");
        assert_eq!(marked(&other.mark).len(), 1, "another child is left alone");
    }

    #[cfg(unix)]
    fn is_zombie(pid: i32) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
        stat.is_ok_and(|stat| stat.contains(") Z "))
    }

    #[cfg(unix)]
    #[test]
    fn a_child_that_never_stops_talking_is_held_up_and_ended() {
        let mut process = Process::start("yes").expect("yes");
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(process.line(Duration::from_secs(1)), Ok("y".to_string()));
    }
}
