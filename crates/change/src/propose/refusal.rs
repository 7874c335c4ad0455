//! Why a proposal is refused, in sentences that let its author make it right at once.

use std::fmt;

use orangery_domain::{ContentHash, ErrorKind, KbPath, TurnId, VersionId};

use super::guard::{LONGEST, Unfit};
use crate::{
    Error,
    anchor::{Miss, around},
};

/// Nothing was proposed.
#[derive(Debug)]
pub enum Refusal {
    /// The session has not read the file.
    NotRead {
        path: KbPath,
    },
    /// The file changed since the session read it; `around` is its text there now.
    Changed {
        path: KbPath,
        around: String,
    },
    /// An anchor is not usable; `of` is how many edits the call has.
    Anchor {
        path: KbPath,
        of: usize,
        miss: Miss,
        around: String,
        now: Box<Now>,
    },
    Unfit {
        path: KbPath,
        unfit: Unfit,
    },
    /// The file would hold nothing.
    WouldEmpty {
        path: KbPath,
    },
    /// The text would be as it is.
    NoChange {
        path: KbPath,
    },
    /// What is to be moved is there already, under that name.
    SameName {
        path: KbPath,
    },
    NoVersion {
        id: VersionId,
    },
    /// The file's encoding cannot hold a character.
    Unencodable {
        path: KbPath,
        character: char,
        encoding: &'static str,
    },
    NotThere {
        path: KbPath,
    },
    NotAFile {
        path: KbPath,
    },
    Exists {
        path: KbPath,
    },
    /// The session proposed the same file before.
    ProposedAlready {
        path: KbPath,
    },
    /// A file is where a folder is needed.
    InTheWay {
        path: KbPath,
        parent: KbPath,
    },
    BlankPath,
    Extension {
        path: KbPath,
    },
    /// The root of a knowledge base.
    Root,
    /// It is only proposed itself.
    NotYet {
        path: KbPath,
    },
    /// It, or the folder `with`, is to be deleted.
    Going {
        path: KbPath,
        with: KbPath,
    },
    /// It is to be deleted and is there until then.
    StillThere {
        path: KbPath,
    },
    /// The folder above is to be moved.
    MovedAway {
        path: KbPath,
        parent: KbPath,
        to: KbPath,
    },
    IntoItself {
        path: KbPath,
        to: KbPath,
    },
    /// A link, or nothing that a user calls a file.
    NotMovable {
        path: KbPath,
    },
    /// Another name differs from the wanted one in nothing but case.
    Alike {
        path: KbPath,
        other: String,
    },
    OtherVolume {
        path: KbPath,
        to: KbPath,
    },
    /// What is to be deleted, or something in it, lies on another volume than the folder that holds it.
    VolumeWithin {
        path: KbPath,
        at: KbPath,
    },
    /// Nothing that could be taken back.
    NothingDone {
        turn: TurnId,
        within: Option<KbPath>,
    },
    /// Anything that is not the caller's mistake.
    Failed(Error),
}

/// The text that an anchor was looked for in, so that its author knows whether reading again would help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Now {
    pub content: ContentHash,
    /// It is what the session's pending operations make of the file.
    pub pending: bool,
}

impl fmt::Display for Now {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hash = self.content.to_hex();
        let short = hash.get(..12).unwrap_or(&hash);
        if self.pending {
            write!(f, "Looked for in content {short}: the file as the pending change set leaves it.")
        } else {
            write!(f, "Looked for in content {short}: the file has not changed since you read it.")
        }
    }
}

impl Refusal {
    /// For callers that branch.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NotRead { .. }
            | Self::Changed { .. }
            | Self::Exists { .. }
            | Self::ProposedAlready { .. }
            | Self::NotYet { .. }
            | Self::Going { .. }
            | Self::StillThere { .. }
            | Self::MovedAway { .. }
            | Self::Alike { .. } => ErrorKind::Conflict,
            Self::Root => ErrorKind::Denied,
            Self::NotThere { .. } | Self::NoVersion { .. } => ErrorKind::NotFound,
            Self::Failed(error) => error.kind(),
            _ => ErrorKind::Invalid,
        }
    }
}

impl std::error::Error for Refusal {}

impl<E: Into<Error>> From<E> for Refusal {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRead { path } => {
                write!(f, "{path} was not read in this session. Read it first, then edit what you saw.")
            }
            Self::Changed { path, around } => {
                write!(f, "{path} has changed since you read it. Nothing was proposed.")?;
                if around.is_empty() {
                    f.write_str(" Read it again.")
                } else {
                    write!(f, " The text there now:\n{around}")
                }
            }
            Self::Anchor { path, of, miss, around, now } => {
                let mut told = String::new();
                anchor(&mut told, path, *of, miss, around)?;
                write!(f, "{}\n{now}", told.trim_end())
            }
            Self::Unfit { path, unfit: Unfit::Truncated } => write!(
                f,
                "The text for {path} holds the mark of a cut-off tool result. Read the rest and send the whole text."
            ),
            Self::Unfit { path, unfit: Unfit::Redacted } => write!(
                f,
                "The text for {path} holds a mask that stands for a secret. Writing it would destroy the secret; \
                 leave that part out of the edit."
            ),
            Self::Unfit { path, unfit: Unfit::TooLong } => write!(
                f,
                "The new text for {path} is longer than {} MiB, with every place counted that gets it. Split it into \
                 several calls.",
                LONGEST >> 20
            ),
            Self::WouldEmpty { path } => {
                write!(f, "The edit would leave {path} empty. Nothing was proposed; delete removes a file.")
            }
            Self::NoChange { path } => {
                write!(f, "The edit changes nothing in {path}: the text is so already.")
            }
            Self::SameName { path } => {
                write!(f, "{path} is where it is and called so already. Nothing was proposed.")
            }
            Self::NoVersion { id } => {
                write!(f, "There is no version {id}. read with `history` shows which there are.")
            }
            Self::Unencodable { path, character, encoding } => write!(
                f,
                "{path} is encoded as {encoding}, which cannot hold {character:?} (U+{:04X}). Use another \
                 character; converting the file is for the user to decide.",
                u32::from(*character)
            ),
            Self::NotThere { path } => {
                write!(f, "There is no file {path}. List the folder to see what is there.")
            }
            Self::NotAFile { path } => {
                write!(f, "{path} is a folder; only the text of a file can be edited.")
            }
            Self::Exists { path } => {
                write!(f, "{path} exists already and is never overwritten. Edit it, or choose another name.")
            }
            Self::ProposedAlready { path } => {
                write!(
                    f,
                    "{path} is in the pending change set already. Edit it there, or choose another name."
                )
            }
            Self::InTheWay { path, parent } => {
                write!(f, "{path} cannot be made: {parent} is a file, not a folder.")
            }
            Self::BlankPath => f.write_str("A path is needed, with the name of the new file or folder."),
            Self::Extension { path } => {
                write!(f, "{path} is not the name of a note: it has to end in .md or .txt.")
            }
            Self::Root => f.write_str("The root of a knowledge base can be neither moved nor deleted."),
            Self::NotYet { path } => write!(
                f,
                "{path} is not on disk yet: it is part of the pending change set. Propose it again under the name \
                 you want, or wait until the user has applied it."
            ),
            Self::Going { path, with } if path == with => {
                write!(f, "{path} is to be deleted in the pending change set. Nothing was proposed.")
            }
            Self::Going { path, with } => write!(
                f,
                "{path} lies in {with}, which is to be deleted in the pending change set. Nothing was proposed."
            ),
            Self::StillThere { path } => write!(
                f,
                "{path} is to be deleted, and is there until the user has applied that. Choose another name, or wait."
            ),
            Self::MovedAway { path, parent, to } => write!(
                f,
                "{path} would lie in {parent}, which is to be moved to {to} in the pending change set. Put it below \
                 {to}."
            ),
            Self::IntoItself { path, to } => {
                write!(f, "{path} cannot be moved to {to}: that lies within itself.")
            }
            Self::NotMovable { path } => write!(
                f,
                "{path} is a link or a special file. Links are not moved or deleted here, because their targets would \
                 seem to be; name what the link leads to."
            ),
            Self::Alike { path, other } => write!(
                f,
                "{path} cannot be made: {other} is there, whose name differs in nothing but case, and many systems \
                 take the two for one. Choose another name."
            ),
            Self::OtherVolume { path, to } => write!(
                f,
                "{path} cannot be moved to {to}: that is on another volume. Moves stay on one volume; nothing was \
                 proposed."
            ),
            Self::VolumeWithin { path, at } => write!(
                f,
                "{path} cannot be deleted: {at} lies on another volume, and the trash takes nothing across volumes. \
                 Delete what lies beside it instead; nothing was proposed."
            ),
            Self::NothingDone { turn, within } => {
                write!(f, "Turn {turn} changed nothing")?;
                if let Some(within) = within {
                    write!(f, " at or below {within}")?;
                }
                f.write_str(" that could be taken back. read with `history` shows what was changed.")
            }
            Self::Failed(error) => error.fmt(f),
        }
    }
}

fn anchor(f: &mut impl fmt::Write, path: &KbPath, of: usize, miss: &Miss, around: &str) -> fmt::Result {
    let edit = match miss {
        Miss::Empty { edit }
        | Miss::Missing { edit, .. }
        | Miss::Ambiguous { edit, .. }
        | Miss::Occurrence { edit, .. }
        | Miss::Overlap { edit, .. }
        | Miss::InsideEarlier { edit, .. } => *edit,
    };
    if of > 1 {
        write!(f, "Edit {} of {of} in {path}: ", edit + 1)?;
    } else {
        write!(f, "{path}: ")?;
    }
    match miss {
        Miss::Empty { .. } => f.write_str("`original` is empty. Use append or rewrite for new text.")?,
        Miss::Missing { nearest, .. } => {
            f.write_str("the original text was not found.")?;
            match nearest.as_slice() {
                [] => f.write_str(" Nothing in the file is like it; read the file again.")?,
                nearest => {
                    for near in nearest {
                        write!(
                            f,
                            "\nNearest at line {}: line {} differs in {}.\n  yours: {}\n  file:  {}",
                            near.line, near.differs_at, near.why, near.wanted, near.found
                        )?;
                    }
                    write!(f, "\nThe text there now:\n{around}")?;
                }
            }
        }
        Miss::Ambiguous { lines, .. } => {
            write!(
                f,
                "the original text was found {} times, at lines {}. Quote more of the text around it, or give \
                 `occurrence`.",
                lines.len(),
                Lines(lines)
            )?;
            if !around.is_empty() {
                write!(f, "\nThe text there now:\n{around}")?;
            }
        }
        Miss::Occurrence { asked, lines, .. } => write!(
            f,
            "occurrence {asked} was asked for, but the original text is there {} times, at lines {}.",
            lines.len(),
            Lines(lines)
        )?,
        Miss::Overlap { other, lines, .. } => write!(
            f,
            "it changes text that edit {} changes too (lines {} and {}). Join them into one edit.",
            other + 1,
            lines.0,
            lines.1
        )?,
        Miss::InsideEarlier { earlier, .. } => write!(
            f,
            "its original text is part of what edit {} puts in. All edits are located in the file as it is; \
             join them into one.",
            earlier + 1
        )?,
    }
    if of > 1 { f.write_str("\nNone of the edits was proposed.") } else { Ok(()) }
}

/// Line numbers in a sentence.
struct Lines<'a>(&'a [u32]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 50;
        for (at, line) in self.0.iter().take(MOST).enumerate() {
            write!(f, "{}{line}", if at > 0 { ", " } else { "" })?;
        }
        if self.0.len() > MOST { f.write_str(", …") } else { Ok(()) }
    }
}

/// Of an anchor that fits several places, this many are shown.
pub const SHOWN_PLACES: usize = 3;

/// The text around the place that a miss is about.
pub fn context(text: &str, miss: &Miss) -> String {
    match miss {
        Miss::Missing { nearest, .. } => {
            nearest.first().map_or_else(String::new, |near| around(text, near.differs_at, 3))
        }
        // Enough to tell the first few apart.
        Miss::Ambiguous { lines, .. } | Miss::Occurrence { lines, .. } => {
            let shown: Vec<String> =
                lines.iter().take(SHOWN_PLACES).map(|line| around(text, *line, 1)).collect();
            shown.join("...\n")
        }
        _ => String::new(),
    }
}
