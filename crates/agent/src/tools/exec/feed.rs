//! Output on its way to whoever watches: in pieces of a bearable size, however fast a command writes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use orangery_domain::{OutputPiece, OutputSource};
use orangery_process::Source;
use tokio::sync::Notify;

/// Between two sendings.
const PAUSE: Duration = Duration::from_millis(120);
/// Bytes of one sending. What comes faster is skipped: nobody reads it as it flies by, and the result has
/// its beginning and end.
const MOST: usize = 8 * 1024;

/// What is sent at once.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Pieces {
    pub pieces: Vec<OutputPiece>,
    /// Bytes before them that are not sent.
    pub skipped: u64,
}

#[derive(Default)]
struct Shared {
    buffer: Mutex<Buffer>,
    more: Notify,
}

#[derive(Default)]
struct Buffer {
    waiting: Pieces,
    bytes: usize,
    closed: bool,
}

/// The end that a command writes to. Dropping it ends the feed.
pub(super) struct Writer(Arc<Shared>);

/// The end that is watched.
pub(super) struct Feed(Arc<Shared>);

pub(super) fn feed() -> (Writer, Feed) {
    let shared = Arc::<Shared>::default();
    (Writer(Arc::clone(&shared)), Feed(shared))
}

impl Shared {
    fn buffer(&self) -> MutexGuard<'_, Buffer> {
        self.buffer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writer {
    pub fn push(&self, source: Source, text: &str) {
        let source = match source {
            Source::Stdout => OutputSource::Stdout,
            Source::Stderr => OutputSource::Stderr,
        };
        self.0.buffer().push(source, text);
        self.0.more.notify_one();
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.0.buffer().closed = true;
        self.0.more.notify_one();
    }
}

impl Buffer {
    fn push(&mut self, source: OutputSource, text: &str) {
        let start = text.ceil_char_boundary(text.len().saturating_sub(MOST));
        self.waiting.skipped += start as u64;
        let text = &text[start..];
        self.bytes += text.len();
        match self.waiting.pieces.last_mut() {
            Some(last) if last.source == source => last.text.push_str(text),
            _ => self.waiting.pieces.push(OutputPiece { source, text: text.to_owned() }),
        }
        while self.bytes > MOST {
            self.drop_some();
        }
    }

    /// Drops what is too much from the oldest piece.
    fn drop_some(&mut self) {
        let Some(first) = self.waiting.pieces.first_mut() else { return self.bytes = 0 };
        let over = (self.bytes - MOST).min(first.text.len());
        let cut = first.text.ceil_char_boundary(over);
        first.text.drain(..cut);
        self.bytes -= cut;
        self.waiting.skipped += cut as u64;
        if first.text.is_empty() {
            self.waiting.pieces.remove(0);
        }
    }

    fn take(&mut self) -> Pieces {
        self.bytes = 0;
        std::mem::take(&mut self.waiting)
    }
}

impl Feed {
    /// Sends what there is. Whether there was anything.
    pub fn flush(&self, send: &impl Fn(Pieces)) -> bool {
        let pieces = self.0.buffer().take();
        let any = !pieces.pieces.is_empty();
        if any {
            send(pieces);
        }
        any
    }

    /// Sends until the writer is gone.
    pub async fn pump(&self, send: &impl Fn(Pieces)) {
        loop {
            if self.flush(send) {
                tokio::time::sleep(PAUSE).await;
            } else if self.0.buffer().closed {
                return;
            } else {
                self.0.more.notified().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(source: OutputSource, text: &str) -> OutputPiece {
        OutputPiece { source, text: text.into() }
    }

    #[tokio::test]
    async fn pieces_arrive_in_order_and_the_feed_ends_with_its_writer() {
        let (writer, feed) = feed();
        writer.push(Source::Stdout, "one ");
        writer.push(Source::Stdout, "two");
        writer.push(Source::Stderr, "oops");
        drop(writer);
        let sent = Mutex::new(Vec::new());
        feed.pump(&|pieces| sent.lock().unwrap().push(pieces)).await;
        let pieces = vec![piece(OutputSource::Stdout, "one two"), piece(OutputSource::Stderr, "oops")];
        assert_eq!(*sent.lock().unwrap(), [Pieces { pieces, skipped: 0 }]);
    }

    #[test]
    fn what_comes_too_fast_is_skipped_and_counted() {
        let (writer, feed) = feed();
        for _ in 0..100 {
            writer.push(Source::Stdout, &"字".repeat(MOST));
            writer.push(Source::Stderr, "x");
        }
        writer.push(Source::Stdout, "the end");
        let sent = Mutex::new(Pieces::default());
        assert!(feed.flush(&|pieces| *sent.lock().unwrap() = pieces));
        let Pieces { pieces, skipped } = sent.into_inner().unwrap();
        let bytes: usize = pieces.iter().map(|piece| piece.text.len()).sum();
        assert!(bytes <= MOST && bytes > MOST - 8, "{bytes}");
        assert_eq!(skipped + bytes as u64, 100 * (3 * MOST as u64 + 1) + 7);
        assert!(pieces.last().unwrap().text.ends_with("the end"));
        assert!(!feed.flush(&|_| panic!("nothing is left")));
    }
}
