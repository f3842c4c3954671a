//! Durations in words.

use std::time::Duration;

/// `4 s` or `12 min`, rounded up.
pub(crate) fn in_words(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1_000);
    match seconds {
        0..120 => format!("{seconds} s"),
        _ => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_given_below_two_minutes() {
        let words = |seconds| in_words(Duration::from_secs_f64(seconds));
        assert_eq!([0.0, 0.2, 4.0, 119.0].map(words), ["0 s", "1 s", "4 s", "119 s"]);
        assert_eq!([119.5, 121.0, 720.0].map(words), ["2 min", "3 min", "12 min"]);
    }
}
