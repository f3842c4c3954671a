//! The exit of a process whose standard output has ended.
//!
//! The output also ends if the process closes or redirects it and keeps running, so waiting for its exit has a limit.

use std::process::ExitStatus;
use std::time::Duration;

use raywalk_measure::machine::program::Running;

/// How long a process that closed its output may take to exit.
pub(crate) const TO_EXIT: Duration = Duration::from_secs(1);

/// The exit status of a process whose output has ended. `None` if it only closed its output; it is killed when it is
/// dropped.
pub(crate) fn status(process: &mut Running) -> Option<ExitStatus> {
    process.status_within(TO_EXIT)
}

/// What a plug-in did to the process that has this [`status`], as words after its name.
pub(crate) fn of_plugin(status: Option<ExitStatus>) -> String {
    match status {
        Some(status) if !status.success() => format!("crashed ({status})"),
        // The program itself succeeds without an answer only if nobody could receive one.
        Some(_) => "ended its process or closed its standard output".to_owned(),
        None => "closed its standard output".to_owned(),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn a_plugin_that_closes_its_output_has_not_crashed() {
        for (script, words) in [
            ("exit 7", "crashed (exit status: 7)"),
            ("exit 0", "ended its process or closed its standard output"),
            ("exec >&-; exec sleep 600", "closed its standard output"),
            ("exec >/dev/null; exec sleep 600", "closed its standard output"),
        ] {
            let mut shell = Command::new("sh");
            shell.args(["-c", script]).stdout(Stdio::piped());
            let mut process = Running::start(&mut shell).expect("a shell");
            let mut output = process.stdout.take().expect("a pipe");
            output.read_to_string(&mut String::new()).expect("its end");
            assert_eq!(of_plugin(status(&mut process)), words, "{script}");
        }
    }
}
