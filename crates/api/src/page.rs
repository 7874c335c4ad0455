//! The one page of the interface, as every host serves it.

/// `html` with what the interface reads from its own head: the nonce that its style elements carry, and
/// the name of the data directory ([`Config::data_name`](crate::app::Config::data_name)), under which it
/// remembers tabs and drafts. Both are letters and digits.
pub fn with_head(html: &str, nonce: &str, data: &str) -> String {
    let head = format!(
        "<head><meta property=\"csp-nonce\" nonce=\"{nonce}\"><meta name=\"data\" content=\"{data}\">"
    );
    html.replacen("<head>", &head, 1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_page_is_told_its_nonce_and_its_data_first() {
        let html = super::with_head("<html><head><script></script></head></html>", "n1", "d2");
        let told = "<meta property=\"csp-nonce\" nonce=\"n1\"><meta name=\"data\" content=\"d2\">";
        assert_eq!(html, format!("<html><head>{told}<script></script></head></html>"));
    }
}
