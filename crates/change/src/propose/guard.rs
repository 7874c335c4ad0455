//! Text that must not reach a file: cut-off results, masks, and what is too long.

use crate::anchor::line_feeds;

/// Ends a tool result that was cut. A text that holds it was pasted back from a result.
pub const TRUNCATION_MARK: &str = "[… truncated by Orangery";
/// Stands where a secret was taken out of a tool result. It must never take the secret's place.
pub const REDACTION_MARK: &str = "[redacted by Orangery]";
/// Longest text of one call, in bytes.
pub const LONGEST: usize = 1 << 20;

/// Why a text is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    Truncated,
    Redacted,
    TooLong,
}

/// Looks at text that would be written; `base` is the text of the file, which may hold a cut-off mark
/// of its own.
pub fn check(text: &str, base: &str) -> Result<(), Unfit> {
    fits(text.len())?;
    if text.contains(REDACTION_MARK) {
        return Err(Unfit::Redacted);
    }
    if text.contains(TRUNCATION_MARK) && !base.contains(TRUNCATION_MARK) {
        return Err(Unfit::Truncated);
    }
    if holds_gap_of_numbered_read(text) && !base.contains(text) {
        return Err(Unfit::Truncated);
    }
    Ok(())
}

/// Looks at how much one call would write.
pub fn fits(bytes: usize) -> Result<(), Unfit> {
    if bytes > LONGEST { Err(Unfit::TooLong) } else { Ok(()) }
}

/// Whether `text` is rows of a numbered read with the `...` that stands for rows left out.
fn holds_gap_of_numbered_read(text: &str) -> bool {
    let text = line_feeds(text);
    let (mut rows, mut gaps) = (0, 0);
    for line in text.split('\n') {
        let digits = line.trim_start().bytes().take_while(u8::is_ascii_digit).count();
        let rest = line.trim_start().get(digits..).unwrap_or_default();
        if line.trim() == "..." {
            gaps += 1;
        } else if digits > 0 && rest.starts_with(['\t', '⇥', '→']) {
            rows += 1;
        } else if !line.is_empty() {
            return false;
        }
    }
    rows > 0 && gaps > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_off_and_masked_text_is_not_taken() {
        assert_eq!(check("fine ... text", ""), Ok(()));
        assert_eq!(check("a\n[… truncated by Orangery: 200 of 900]", ""), Err(Unfit::Truncated));
        assert_eq!(check("10\ta\n...\n20\tb", ""), Err(Unfit::Truncated));
        assert_eq!(check("10\ta\n...\n20\tb", "10\ta\n...\n20\tb\nmore"), Ok(()));
        // FAULTS F3: even where the file talks about the mask.
        assert_eq!(check("key: [redacted by Orangery]", "[redacted by Orangery]"), Err(Unfit::Redacted));
        assert_eq!(check(&"x".repeat(LONGEST + 1), ""), Err(Unfit::TooLong));
    }
}
