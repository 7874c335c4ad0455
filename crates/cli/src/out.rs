//! The only place that writes to the terminal.

use std::io::{self, Write};

use orangery_api::domain::ErrorKind;
use orangery_api::error::{Code, WireError};
use serde::Serialize;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    Done,
    /// Wrong usage or parameters.
    Usage,
    Denied,
    /// An approval was needed.
    Asked,
    Failed,
    Interrupted,
}

impl Exit {
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Usage => 2,
            Self::Denied => 3,
            Self::Asked => 4,
            Self::Failed => 5,
            Self::Interrupted => 130,
        }
    }

    /// What an error of the API means for the shell.
    pub fn of(error: &WireError) -> Self {
        match error.kind {
            _ if matches!(error.code, Code::BadParameters | Code::UnknownMethod | Code::BlankPrompt) => {
                Self::Usage
            }
            ErrorKind::Denied => Self::Denied,
            _ => Self::Failed,
        }
    }
}

/// Standard output, as text or as one JSON value.
#[derive(Debug, Clone, Copy)]
pub struct Out {
    pub json: bool,
}

impl Out {
    /// One line of text.
    pub fn line(self, text: impl std::fmt::Display) {
        self.put(format_args!("{text}\n"));
    }

    /// Text as it comes, at once.
    pub fn piece(self, text: impl std::fmt::Display) {
        self.put(format_args!("{text}"));
    }

    /// The value with `--json`, else what `text` writes.
    pub fn value<T: Serialize>(self, value: &T, text: impl FnOnce(Self)) {
        if self.json {
            self.json(value);
        } else {
            text(self);
        }
    }

    /// One JSON value.
    pub fn json(self, value: &impl Serialize) {
        match serde_json::to_string_pretty(value) {
            Ok(text) => self.line(text),
            Err(error) => self.note(error),
        }
    }

    /// For people who watch: standard error.
    pub fn note(self, text: impl std::fmt::Display) {
        // With nobody to read it, there is nothing to do about it.
        let _ = writeln!(io::stderr().lock(), "{text}");
    }

    /// An error, on standard error and, with `--json`, as the one value.
    pub fn error(self, error: &WireError) {
        self.note(format_args!("orangery: {error}"));
        if self.json {
            #[derive(Serialize)]
            struct Failed<'a> {
                error: &'a WireError,
            }
            self.json(&Failed { error });
        }
    }

    fn put(self, text: std::fmt::Arguments<'_>) {
        let mut out = io::stdout().lock();
        // A reader that has seen enough (`| head`) is no failure.
        let _ = out.write_fmt(text).and_then(|()| out.flush());
    }
}
