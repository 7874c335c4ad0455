//! When to ask again, and after how long.

use std::time::{Duration, SystemTime};

use orangery_net::Response;
use serde_json::Value;

use crate::Error;

/// Requests in all.
pub(crate) const TRIES: u32 = 3;
/// The longest wait; a server that asks for more is taken at its word and not asked again.
const LONGEST: Duration = Duration::from_secs(60);

/// Whether asking again may help, after as long as the server asked for. A used-up quota does not come
/// back by waiting, unless the server says when.
pub(crate) fn may_help(error: &Error, asked: Option<Duration>) -> bool {
    match error {
        Error::RateLimited(message) => asked.is_some() || !message.contains("quota"),
        Error::Overloaded { .. } | Error::BrokenOff => true,
        Error::Network(error) => {
            matches!(error, orangery_net::Error::Unreachable { .. } | orangery_net::Error::Broken { .. })
        }
        _ => false,
    }
}

/// How long to wait after try `attempt` (from 1) failed; nothing if there is to be no other.
pub(crate) fn wait(attempt: u32, asked: Option<Duration>) -> Option<Duration> {
    if attempt >= TRIES {
        return None;
    }
    let wait = asked.unwrap_or(Duration::from_secs(1) * 2_u32.pow(attempt - 1));
    (wait <= LONGEST).then_some(wait)
}

/// What the server asks for, in milliseconds, seconds or as a date.
pub(crate) fn asked(response: &Response) -> Option<Duration> {
    let milliseconds = response.header("retry-after-ms").and_then(|text| text.trim().parse().ok());
    milliseconds
        .map(Duration::from_millis)
        .or_else(|| parse_wait(response.header("retry-after")?, SystemTime::now()))
}

/// What the server asks for in the body of its refusal: `retryDelay` of `google.rpc.RetryInfo`.
pub(crate) fn asked_within(body: &[u8]) -> Option<Duration> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let details = value.get(0).unwrap_or(&value)["error"]["details"].as_array()?;
    let delay = details.iter().find_map(|detail| detail["retryDelay"].as_str())?;
    Duration::try_from_secs_f64(delay.strip_suffix('s')?.parse().ok()?).ok()
}

fn parse_wait(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_the_server_is_obeyed() {
        let seconds = Duration::from_secs;
        assert_eq!(wait(1, None), Some(seconds(1)));
        assert_eq!(wait(2, None), Some(seconds(2)));
        assert_eq!(wait(3, None), None);
        assert_eq!(wait(1, Some(seconds(20))), Some(seconds(20)));
        assert_eq!(wait(1, Some(seconds(61))), None);
    }

    #[test]
    fn retry_after_is_read_in_both_forms() {
        let now = httpdate::parse_http_date("Mon, 30 Nov 2026 10:00:00 GMT").unwrap();
        let check = |text, expected| assert_eq!(parse_wait(text, now), expected, "{text}");
        check("7", Some(Duration::from_secs(7)));
        check(" 0.5 ", Some(Duration::from_millis(500)));
        check("Mon, 30 Nov 2026 10:00:09 GMT", Some(Duration::from_secs(9)));
        check("Mon, 30 Nov 2026 09:00:00 GMT", Some(Duration::ZERO));
        check("-1", None);
        check("soon", None);
    }

    #[test]
    fn only_passing_trouble_is_tried_again() {
        assert!(may_help(&Error::RateLimited("slow down".into()), None));
        assert!(!may_help(&Error::RateLimited("insufficient_quota: pay".into()), None));
        assert!(may_help(&Error::Overloaded { status: 529, message: String::new() }, None));
        assert!(!may_help(&Error::Unauthorised(String::new()), None));
        assert!(!may_help(&Error::Malformed(String::new()), None));
    }
}
