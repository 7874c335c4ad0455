//! Percent signs in the targets of links.

use percent_encoding::percent_decode_str;

/// `my%20note.md` as it is called. A percent sign that begins no escape stays, and so does all of the text
/// when its escapes make no UTF-8: they were not meant as escapes.
pub fn decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), |decoded| decoded.into_owned())
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn only_escapes_are_decoded() {
        for (text, name) in [
            ("my%20note.md", "my note.md"),
            ("%E6%A9%99.md", "橙.md"),
            ("100%.md", "100%.md"),
            ("5%+5.md", "5%+5.md"),
            ("%橙.md", "%橙.md"),
            ("%ff.md", "%ff.md"),
            ("plain.md", "plain.md"),
        ] {
            assert_eq!(decoded(text), name, "{text}");
        }
    }
}
