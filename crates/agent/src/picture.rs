//! Pictures on their way to a model: what a call shows, what a conversation keeps, what a request carries.

use std::sync::Arc;

use orangery_domain::ContentHash;
use orangery_library::Seen;
use orangery_model::{ChatMessage, Picture};
use orangery_store::blob::Packed;
use orangery_store::{Db, table};

/// Pictures that one request carries, and their bytes together: what every provider takes. The newest go
/// first; of older ones only what they are of is said.
const MOST: usize = 16;
const BYTES: usize = 20 << 20;

/// Whether whoever made a call can see pictures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Vision {
    Sees,
    /// No model makes the call.
    NoModel,
    /// The model of this name is not known to see.
    Blind(String),
}

impl Vision {
    /// Why not, for the model; `None` when it sees.
    pub fn missing(&self) -> Option<String> {
        match self {
            Self::Sees => None,
            Self::NoModel => Some("no model makes this call, so nobody can look at pictures".into()),
            Self::Blind(name) => Some(format!(
                "{name} is not set up to see pictures; the user can change that in Settings, Models"
            )),
        }
    }
}

/// A picture that a call shows.
#[derive(Debug, Clone)]
pub struct Shown {
    /// What it is of, in the words of the call's result.
    pub label: String,
    pub seen: Seen,
}

/// The message that carries what a result cannot, and the contents that it speaks of. Blocks for as long as packing
/// takes.
pub(crate) fn message(call_id: &str, shown: Vec<Shown>) -> (ChatMessage, Vec<Packed>) {
    let kept: Vec<Packed> = shown.iter().map(|shown| Packed::new(&shown.seen.bytes)).collect();
    let pictures = shown.into_iter().zip(&kept).map(|(shown, kept)| Picture {
        label: shown.label,
        media_type: shown.seen.media_type,
        key: kept.hash().to_hex(),
        bytes: Arc::new(shown.seen.bytes),
    });
    (ChatMessage::Pictures { call_id: call_id.to_owned(), pictures: pictures.collect() }, kept)
}

/// Gives the newest pictures of a conversation their bytes, as far as a request carries them, and takes
/// them from all others.
pub(crate) async fn load(db: &Db, said: &mut [ChatMessage]) {
    let (mut count, mut bytes, mut full) = (0, 0, false);
    let pictures = said.iter_mut().rev().filter_map(|message| match message {
        ChatMessage::Pictures { pictures, .. } => Some(pictures),
        _ => None,
    });
    for picture in pictures.flat_map(|pictures| pictures.iter_mut().rev()) {
        if !full && picture.bytes.is_empty() {
            picture.bytes = Arc::new(stored(db, &picture.key).await);
        }
        // What comes before the first that does not fit is not read, round after round.
        full |= count == MOST || bytes + picture.bytes.len() > BYTES;
        if full {
            picture.bytes = Arc::default();
            continue;
        }
        count += usize::from(!picture.bytes.is_empty());
        bytes += picture.bytes.len();
    }
}

/// Empty where it cannot be had: the conversation goes on without it.
async fn stored(db: &Db, key: &str) -> Vec<u8> {
    let Some(hash) = ContentHash::from_hex(key) else { return Vec::new() };
    match table::blob::get(db.reader(), hash).await {
        Ok(bytes) => bytes,
        Err(error) => {
            tracing::warn!(%error, key, "a picture that a model was shown is gone");
            Vec::new()
        }
    }
}
