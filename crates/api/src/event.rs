//! The stream of events: numbered, kept in a ring, replayed to whoever was away.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use futures::Stream;
use orangery_domain::{Event, Numbered, Tag};
use tokio::sync::watch;

/// Events that a late client can still get one by one.
const KEPT: usize = 4096;

/// All events of one run.
#[derive(Debug)]
pub struct Events {
    ring: Mutex<Ring>,
    /// The number of the newest event; closed with the log, which ends every stream.
    latest: watch::Sender<u64>,
}

#[derive(Debug)]
struct Ring {
    kept: VecDeque<Numbered>,
    next: u64,
}

impl Events {
    /// A log whose first event is `first`. A run numbers higher than every run before it, so that a
    /// client of an earlier one never takes a new event for one that it knows.
    pub fn starting_at(first: u64) -> Self {
        Self {
            ring: Mutex::new(Ring { kept: VecDeque::new(), next: first }),
            latest: watch::Sender::new(first.saturating_sub(1)),
        }
    }

    pub fn emit(&self, event: Event) {
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let seq = ring.next;
        ring.next += 1;
        if ring.kept.len() == KEPT {
            ring.kept.pop_front();
        }
        ring.kept.push_back(Numbered { seq, event });
        // Still under the lock: numbers are announced in order.
        self.latest.send_replace(seq);
    }

    pub fn stale(&self, tags: &[Tag]) {
        if !tags.is_empty() {
            self.emit(Event::Stale { tags: tags.to_vec() });
        }
    }

    /// Every event after `since`, or after now. Where some are gone, or `since` is of another run, a
    /// resync comes first. Ends with the log.
    pub fn since(self: &Arc<Self>, since: Option<u64>) -> impl Stream<Item = Numbered> + Send + 'static {
        let changes = self.latest.subscribe();
        let cursor = match since {
            Some(seq) => seq.saturating_add(1),
            None => self.next(),
        };
        let reader = Reader {
            // A stream must not keep the log alive, for it would wait for ever.
            log: Arc::downgrade(self),
            changes,
            cursor,
            ready: VecDeque::new(),
        };
        futures::stream::unfold(reader, Reader::step)
    }

    fn next(&self) -> u64 {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner).next
    }

    /// What is there from number `cursor` on; first a resync when that is not all.
    fn read(&self, cursor: u64) -> VecDeque<Numbered> {
        let ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        let first = ring.kept.front().map_or(ring.next, |event| event.seq);
        if cursor < first || cursor > ring.next {
            let seq = ring.next.saturating_sub(1);
            let event = Event::Resync;
            return VecDeque::from([Numbered { seq, event }]);
        }
        let skip = usize::try_from(cursor - first).unwrap_or(usize::MAX);
        ring.kept.iter().skip(skip).cloned().collect()
    }
}

struct Reader {
    log: std::sync::Weak<Events>,
    changes: watch::Receiver<u64>,
    cursor: u64,
    ready: VecDeque<Numbered>,
}

impl Reader {
    async fn step(mut self) -> Option<(Numbered, Self)> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                self.cursor = event.seq + 1;
                return Some((event, self));
            }
            self.changes.borrow_and_update();
            self.ready = self.log.upgrade()?.read(self.cursor);
            if self.ready.is_empty() && self.changes.changed().await.is_err() {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures::StreamExt;

    use super::*;

    async fn take(log: &Arc<Events>, since: Option<u64>, count: usize) -> Vec<(u64, bool)> {
        log.since(since).take(count).map(|event| (event.seq, event.event == Event::Resync)).collect().await
    }

    #[tokio::test]
    async fn what_was_missed_is_replayed() {
        let log = Arc::new(Events::starting_at(100));
        for _ in 0..5 {
            log.stale(&[Tag::Files]);
        }
        assert_eq!(take(&log, Some(102), 2).await, [(103, false), (104, false)]);
        assert_eq!(take(&log, Some(99), 1).await, [(100, false)]);
        let mut live = Box::pin(log.since(None));
        log.stale(&[Tag::Links]);
        assert_eq!(live.next().await.unwrap().seq, 105);
        drop(log);
        assert_eq!(live.next().await, None);
    }

    #[tokio::test]
    async fn a_gap_is_a_resync_and_the_stream_goes_on() {
        let log = Arc::new(Events::starting_at(1));
        for _ in 0..KEPT + 10 {
            log.stale(&[Tag::Files]);
        }
        let newest = (KEPT + 10) as u64;
        let mut late = Box::pin(log.since(Some(3)));
        let first = late.next().await.unwrap();
        assert_eq!((first.seq, first.event), (newest, Event::Resync));
        log.stale(&[Tag::Files]);
        assert_eq!(late.next().await.unwrap().seq, newest + 1);
        // A number that this run has not reached is of another one.
        assert_eq!(take(&log, Some(1 << 40), 1).await, [(newest + 1, true)]);
    }
}
