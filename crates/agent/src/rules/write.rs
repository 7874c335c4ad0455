//! Adding lines to the user's own rules, with all else of the file as it was.

use std::path::Path;
use std::sync::Mutex;

use orangery_store::files;

use super::Trust;
use super::file::{Parsed, parse};
use crate::{Error, Result};

/// One writer at a time: two answers in one moment must both be there afterwards.
static WRITING: Mutex<()> = Mutex::new(());

/// Adds `lines` to the list `allow` of `file`, which is made where there is none. Blocks.
///
/// # Errors
/// `RulesNotWritten` when the file cannot be understood or written, or is written in a way in which a
/// line cannot be added without changing others.
pub(crate) fn write(file: &Path, lines: &[String]) -> Result<()> {
    let _alone = WRITING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let failed = |reason: String| Error::RulesNotWritten { file: file.display().to_string(), reason };
    // A link to where the user keeps such files stays a link.
    let file = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let bytes = files::read(&file).map_err(|error| failed(error.to_string()))?.unwrap_or_default();
    let before = String::from_utf8(bytes).map_err(|_| failed("it is not UTF-8".into()))?;
    let after = with(&before, lines).map_err(failed)?;
    if let Some(folder) = file.parent() {
        files::create_private(folder).map_err(|error| failed(error.to_string()))?;
    }
    files::write(&file, after.as_bytes()).map_err(|error| failed(error.to_string()))
}

/// The text with the lines in it. What comes out is read again, so that nothing else changes its meaning.
fn with(text: &str, lines: &[String]) -> Result<String, String> {
    let read = |text: &str| parse("", text, Trust::User).map_err(|broken| broken.problem());
    let parsed = read(text)?;
    let missing: Vec<&String> =
        lines.iter().filter(|line| !text.lines().any(|it| it.trim() == line.trim())).collect();
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut rows: Vec<&str> = text.lines().collect();
    let own: Vec<String>;
    match place(&rows, &parsed)? {
        Some((at, indent)) => {
            own = missing.iter().map(|line| format!("{indent}{}", line.trim_start())).collect();
            rows.splice(at..at, own.iter().map(String::as_str));
        }
        None => {
            rows.push("allow:");
            rows.extend(missing.iter().map(|line| line.as_str()));
        }
    }
    let after = rows.join(end) + end;
    let again = read(&after)?;
    let same = again.allow.len() == parsed.allow.len() + missing.len()
        && texts(&again.ask) == texts(&parsed.ask)
        && texts(&again.deny) == texts(&parsed.deny)
        && texts(&parsed.allow).iter().all(|rule| texts(&again.allow).contains(rule));
    if same { Ok(after) } else { Err("a line cannot be added to it without changing others".into()) }
}

fn texts(rules: &[super::Rule]) -> Vec<&str> {
    rules.iter().map(|rule| rule.text.as_str()).collect()
}

/// Behind which row the list goes on, and how its entries are indented; `None` where there is no list.
fn place<'a>(rows: &[&'a str], parsed: &Parsed) -> Result<Option<(usize, &'a str)>, String> {
    let foreign = || "its list `allow` is not written with one entry a line".to_owned();
    if let Some(last) = parsed.allow_lines.iter().max() {
        let at = usize::try_from(*last).map_err(|_| foreign())?;
        let row = at.checked_sub(1).and_then(|row| rows.get(row)).ok_or_else(foreign)?;
        let entry = row.trim_start();
        if !entry.starts_with("- ") {
            return Err(foreign());
        }
        return Ok(Some((at, &row[..row.len() - entry.len()])));
    }
    let Some(at) = rows.iter().position(|row| row.starts_with("allow:")) else { return Ok(None) };
    let rest = rows[at].trim_start_matches("allow:").trim();
    if rest.is_empty() || rest.starts_with('#') { Ok(Some((at + 1, "  "))) } else { Err(foreign()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "  - 'exec(cargo test) in \"/kb\"'";

    fn check(before: &str, after: &str) {
        assert_eq!(with(before, &[LINE.to_owned()]).as_deref(), Ok(after), "{before}");
    }

    #[test]
    fn a_line_is_added_and_all_else_stays_as_it_was() {
        check("", &format!("allow:\n{LINE}\n"));
        check("# mine\n", &format!("# mine\nallow:\n{LINE}\n"));
        check("deny:\n  - exec(rm:*)", &format!("deny:\n  - exec(rm:*)\nallow:\n{LINE}\n"));
        check(
            "# top\nallow: # these\n- exec(ls) # look\n# end\ndeny:\n- exec(rm:*)\n",
            "# top\nallow: # these\n- exec(ls) # look\n- 'exec(cargo test) in \"/kb\"'\n# end\ndeny:\n- exec(rm:*)\n",
        );
        check("allow:\r\n    - exec(ls)\r\n", &format!("allow:\r\n    - exec(ls)\r\n  {LINE}\r\n"));
        check("allow:\nask:\n  - exec(a)\n", &format!("allow:\n{LINE}\nask:\n  - exec(a)\n"));
        let there = format!("allow:\n{LINE}\n");
        check(&there, &there);
    }

    #[test]
    fn what_cannot_be_added_to_is_left_alone() {
        for text in [
            "allow: [exec(ls)]\n",
            "allow: []\n",
            "nonsense: 1\n",
            "allow:\n  - exec(ls\n",
            "allow:\n  - >\n    exec(ls)\n",
        ] {
            assert!(with(text, &[LINE.to_owned()]).is_err(), "{text}");
        }
    }
}
