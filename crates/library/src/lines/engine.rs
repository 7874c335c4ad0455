//! The engine that runs over lines, set up.

use std::io;

use grep_matcher::LineTerminator;
use grep_searcher::{BinaryDetection, Encoding, Searcher, SearcherBuilder, Sink};

use super::pattern::Pattern;
use super::source::Source;

/// The engine, once for each way to end a line.
pub struct Searchers {
    multiline: bool,
    context: usize,
    lf: Searcher,
    crlf: Searcher,
}

/// More than this of one line, or of a file that is searched as a whole, is not held in memory.
const HEAP_LIMIT: usize = 128 << 20;

impl Searchers {
    pub fn counting(multiline: bool) -> Self {
        Self::new(multiline, 0)
    }

    pub fn new(multiline: bool, context: usize) -> Self {
        let made = |crlf| builder(multiline, context, crlf).build();
        Self { multiline, context, lf: made(false), crlf: made(true) }
    }

    pub fn search<S>(&mut self, source: Source<'_>, pattern: &Pattern, sink: &mut S) -> io::Result<()>
    where
        S: Sink<Error = io::Error>,
    {
        match source {
            Source::Binary => Ok(()),
            Source::Text { bytes, crlf } => {
                let lines = pattern.lines(crlf);
                if self.multiline && !lines.may_fit(bytes) {
                    return Ok(());
                }
                let searcher = if crlf { &mut self.crlf } else { &mut self.lf };
                searcher.search_slice(lines, bytes, sink)
            }
            Source::Stream { file, encoding, crlf } => {
                let transcoding = encoding.and_then(|label| Encoding::new(label).ok());
                let mut searcher = builder(self.multiline, self.context, crlf)
                    .bom_sniffing(true)
                    .encoding(transcoding)
                    .build();
                searcher.search_reader(pattern.lines(crlf), file, sink)
            }
        }
    }
}

fn builder(multiline: bool, context: usize, crlf: bool) -> SearcherBuilder {
    let mut builder = SearcherBuilder::new();
    builder
        .line_terminator(if crlf { LineTerminator::crlf() } else { LineTerminator::byte(b'\n') })
        .multi_line(multiline)
        .line_number(true)
        .before_context(context)
        .after_context(context)
        .binary_detection(BinaryDetection::none())
        .heap_limit(Some(HEAP_LIMIT))
        .bom_sniffing(false);
    builder
}
