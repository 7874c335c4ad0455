//! Everything that this crate has to say about a value that is there: one list, which a test compares with
//! the sentences of the UI.

use orangery_domain::Warning;

/// Soft trouble, by the code that names its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trouble(&'static str);

macro_rules! troubles {
    ($($(#[$note:meta])* $name:ident $code:literal),* $(,)?) => {
        $($(#[$note])* pub const $name: Trouble = Trouble($code);)*

        /// The codes of all warnings that the library gives.
        pub const CODES: &[&str] = &[$($code),*];
    };
}

troubles! {
    // Of knowledge bases.
    /// A folder gave no answer; what is known of it stays.
    NO_ANSWER "noAnswer",
    /// A folder that may not be looked into; what is known of it stays.
    NO_PERMISSION "noPermission",
    /// What changed in the one of this name could not be stored, so that it is not found.
    CHANGES_LOST "changesLost",

    // Of files.
    /// With the code of the error.
    UNREADABLE "unreadable",
    /// With the limit in megabytes.
    TOO_LARGE "tooLarge",
    SENSITIVE "sensitive",
    NAME_NOT_UNICODE "nameNotUnicode",
    /// With the code of the error.
    LINK "link",
    SPECIAL_FILE "specialFile",
    /// Its reader ended with it.
    CRASHED "crashed",
    TOO_SLOW "tooSlow",
    /// It has no picture of this name.
    NO_PICTURE "noPicture",

    // Of queries.
    DANGLING_OR "danglingOr",
    UNCLOSED_QUOTE "unclosedQuote",
    EMPTY_OPERATOR "emptyOperator",
    /// With the operator as it is written: `has:`.
    UNKNOWN_OPERATOR "unknownOperator",
    UNREADABLE_DATE "unreadableDate",
    UNREADABLE_PATTERN "unreadablePattern",
    UNKNOWN_TYPE "unknownType",
    UNKNOWN_KNOWLEDGE_BASE "unknownKnowledgeBase",
}

impl Trouble {
    /// The warning about `detail`: the file, number or word concerned.
    pub fn of(self, detail: impl Into<String>) -> Warning {
        Warning::new(self.0, detail)
    }

    pub const fn code(self) -> &'static str {
        self.0
    }

    pub fn is(self, warning: &Warning) -> bool {
        warning.code == self.0
    }
}
