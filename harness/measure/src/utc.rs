//! Timestamps for journals.

use std::time::SystemTime;

/// The current time in UTC, RFC 3339, to the second: `2026-03-01T12:00:00Z`.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_timestamp_has_whole_seconds_in_utc() {
        let now = super::now();
        assert!(now.len() == 20 && now.ends_with('Z'), "{now}");
    }
}
