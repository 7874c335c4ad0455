//! Server-sent events (WHATWG HTML, "Server-sent events"): bytes in, the data of each event out.
//!
//! Lines end at LF, CRLF or CR and nowhere else; U+2028 and U+0085 are ordinary characters of the
//! data. Lines are put together before they are decoded, so a character may come in pieces. Event
//! names, ids and reconnection times mean nothing to the callers and are dropped.

#[derive(Debug, Default)]
pub(crate) struct Events {
    line: Vec<u8>,
    data: Option<String>,
    /// The last byte was a CR: a LF that follows belongs to it.
    after_cr: bool,
    /// Some line has ended: a byte order mark can no longer come.
    begun: bool,
}

impl Events {
    /// Takes the next bytes and yields the events that they complete.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for &byte in bytes {
            let after_cr = std::mem::replace(&mut self.after_cr, byte == b'\r');
            match byte {
                b'\n' if after_cr => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                byte => self.line.push(byte),
            }
        }
        events
    }

    /// The event that the end of the stream cut short. The standard drops it; servers that forget the
    /// last blank line mean it.
    pub(crate) fn finish(&mut self) -> Option<String> {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.data.take()
    }

    /// Reads a whole line; a blank one ends an event.
    fn end_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            return self.data.take();
        }
        let value = match line.strip_prefix(b"data") {
            Some(b"") => b"",
            Some([b':', value @ ..]) => value.strip_prefix(b" ").unwrap_or(value),
            // A comment, which keeps the connection alive, or another field.
            _ => return None,
        };
        let value = String::from_utf8_lossy(value);
        match &mut self.data {
            Some(data) => {
                data.push('\n');
                data.push_str(&value);
            }
            None => self.data = Some(value.into_owned()),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        // However the bytes are cut, the events are the same.
        for size in [1, 2, 3, 7, text.len().max(1)] {
            let mut events = Events::default();
            let mut got: Vec<_> = text.as_bytes().chunks(size).flat_map(|piece| events.feed(piece)).collect();
            got.extend(events.finish());
            assert_eq!(got, expected, "{text:?} by {size}");
        }
    }

    #[test]
    fn events_end_at_blank_lines_of_every_ending() {
        check("data: a\n\ndata:b\r\n\r\ndata:  c\r\rdata: d", &["a", "b", " c", "d"]);
        check("data: one\ndata: two\ndata\n\n", &["one\ntwo\n"]);
        check("\n\n\ndata: x\n\n\n\n", &["x"]);
    }

    #[test]
    fn comments_and_other_fields_are_dropped() {
        check(": keep-alive\n\nevent: message\nid: 1\nretry: 5\ndata: a\n\n: ping\ndatum: no\n", &["a"]);
    }

    #[test]
    fn only_lf_crlf_and_cr_end_a_line() {
        check("data: 中\u{2028}文\u{85}\u{B}🍊\n\n", &["中\u{2028}文\u{85}\u{B}🍊"]);
    }

    #[test]
    fn a_byte_order_mark_is_skipped_once() {
        check("\u{FEFF}data: a\n\n\u{FEFF}data: b\n\n", &["a"]);
    }
}
