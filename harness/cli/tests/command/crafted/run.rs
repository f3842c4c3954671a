//! Runs cases on all cores and checks the rules that hold for each.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::case::{Case, Expected};

/// How long a case may take. The slowest takes some seconds on a busy machine.
pub(crate) const LONGEST: Duration = Duration::from_secs(20);
/// Upper bound on the characters of a message.
pub(crate) const MOST: usize = 1_500;

/// Variables that change what the program prints or where it looks. A case has none of them unless it
/// sets it.
const REMOVED: [&str; 12] = [
    "RAYWALK_CACHE",
    "RAYWALK_DESIGN",
    "CARGO_TARGET_DIR",
    "COLUMNS",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "TERM",
    "LANG",
    "LC_ALL",
];

/// Signs of a type of Rust in a message. Names of designs end with types as well, after a slash.
const TYPES: [&str; 9] =
    ["struct ", "enum ", "::", " u8", " u16", " u32", " u64", " usize", " f64"];

/// What the program answered.
struct Answer {
    /// `None` if a signal ended it.
    code: Option<i32>,
    signal: Option<i32>,
    late: bool,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// Runs all cases and returns one text for each that fails, in the order of the cases.
pub(crate) fn all(cases: &[(&str, &Case)]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    let work = || {
        while let Some((kind, case)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begun = Instant::now();
            let faults = match answer(case) {
                Ok(answer) => faults(case, &answer),
                Err(error) => vec![format!("the case cannot be run: {error}")],
            };
            if std::env::var_os("CRAFTED_TIMES").is_some() {
                println!("{:6.3} s  {kind}: {}", begun.elapsed().as_secs_f64(), case.name);
            }
            if !faults.is_empty() {
                let words: Vec<_> =
                    case.words.iter().map(|word| shown(&word.to_string_lossy())).collect();
                let text =
                    format!("{kind}: {}\n  {}\n{}", case.name, words.join(" "), faults.join("\n"));
                failures.lock().expect("no other thread panicked").push((*kind, &case.name, text));
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut failures = failures.into_inner().expect("no thread panicked");
    failures.sort();
    failures.into_iter().map(|(_, _, text)| text).collect()
}

/// Fails if two cases have one name or one input.
pub(crate) fn assert_different(kind: &str, cases: &[Case]) {
    let (mut names, mut inputs) = (HashSet::new(), HashSet::new());
    for case in cases {
        assert!(names.insert(&case.name), "{kind}: two cases are called `{}`", case.name);
        let Case { words, stdin, files, variables, bare, prepare, .. } = case;
        let prepare = prepare.map(|prepare| prepare as usize);
        let input = (words, stdin, files, variables, bare, prepare);
        assert!(inputs.insert(input), "{kind}: `{}` is another case again", case.name);
        assert!(!case.part.is_empty() || case.expected == Expected::Done, "{kind}: {}", case.name);
    }
}

/// Runs a case in a folder of its own. Its streams are files, so that nothing blocks on a full pipe.
fn answer(case: &Case) -> io::Result<Answer> {
    let folder = tempfile::tempdir()?;
    for (name, bytes) in &case.files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder.path()))?;
        fs::write(path, bytes)?;
    }
    if let Some(prepare) = case.prepare {
        prepare(folder.path());
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_raywalk"));
    command.args(&case.words).current_dir(folder.path()).process_group(0);
    if case.bare {
        command.env_clear();
    }
    REMOVED.iter().for_each(|variable| {
        command.env_remove(variable);
    });
    for (variable, value) in &case.variables {
        match value {
            Some(value) => command.env(variable, value),
            None => command.env_remove(variable),
        };
    }
    let [mut stdin, mut stdout, mut stderr] =
        [tempfile::tempfile()?, tempfile::tempfile()?, tempfile::tempfile()?];
    stdin.write_all(case.stdin.as_deref().unwrap_or_default())?;
    stdin.seek(SeekFrom::Start(0))?;
    command.stdin(stdin).stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let mut child = command.spawn()?;
    let late = !ends_in_time(&mut child)?;
    if late {
        kill(&child);
    }
    let status = child.wait()?;
    Ok(Answer {
        code: status.code(),
        signal: status.signal(),
        late,
        stdout: contents(&mut stdout)?,
        stderr: contents(&mut stderr)?,
    })
}

fn ends_in_time(child: &mut Child) -> io::Result<bool> {
    let deadline = Instant::now() + LONGEST;
    while child.try_wait()?.is_none() {
        if Instant::now() > deadline {
            return Ok(false);
        }
        thread::sleep(Duration::from_millis(2));
    }
    Ok(true)
}

/// Kills a process and those that it started, which are in its group.
fn kill(child: &Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
}

fn contents(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Every rule that an answer breaks, one text each.
fn faults(case: &Case, answer: &Answer) -> Vec<String> {
    let stdout = String::from_utf8_lossy(&answer.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&answer.stderr).into_owned();
    let mut faults = Vec::new();
    let mut rule = |holds: bool, fault: &str| {
        if !holds {
            faults.push(format!("  {fault}"));
        }
    };
    rule(!answer.late, "it was killed, because it did not end in time");
    let code = case.expected.code();
    let found = answer.code.map_or(format!("signal {:?}", answer.signal), |code| code.to_string());
    rule(answer.code == Some(code), &format!("exit code {found} instead of {code}"));
    rule(!stderr.contains("panicked"), "it panicked");
    let part = match case.expected {
        Expected::Refused | Expected::Usage => stderr.contains(&case.part),
        _ => stdout.contains(&case.part) || stderr.contains(&case.part),
    };
    rule(part, &format!("no `{}`", shown(&case.part)));
    match case.expected {
        Expected::Refused => {
            rule(stdout.is_empty(), "a refusal with an answer on stdout");
            let is_line = stderr.ends_with('\n') && stderr.lines().count() == 1;
            rule(
                is_line && stderr.starts_with("raywalk: "),
                "not one line that begins with `raywalk: `",
            );
        }
        Expected::Usage => {
            rule(stdout.is_empty(), "a refusal with an answer on stdout");
            rule(stderr.starts_with("error: "), "the usage does not begin with `error: `");
            rule(stderr.contains("try '--help'"), "the usage does not name --help");
        }
        Expected::External => {
            let last = stderr.lines().last().unwrap_or_default();
            rule(last.starts_with("raywalk: "), "the last line does not begin with `raywalk: `");
        }
        Expected::Done | Expected::Failed => {}
    }
    let colour = |c: char| case.colours && c == '\u{1b}';
    let raw = |text: &str| text.chars().any(|c| controls(c) && c != '\n' && !colour(c));
    rule(!raw(&stdout) && !raw(&stderr), "a control character");
    rule(stderr.chars().count() < MOST, "a long message");
    rule(!TYPES.iter().any(|type_name| stderr.contains(type_name)), "a type of Rust");
    if !faults.is_empty() {
        faults.push(format!("  stdout: {}\n  stderr: {}", shown(&stdout), shown(&stderr)));
    }
    faults
}

/// Whether a character controls a terminal or reorders its text.
fn controls(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The beginning of a text, on one line.
fn shown(text: &str) -> String {
    text.chars().take(400).flat_map(char::escape_debug).collect()
}
