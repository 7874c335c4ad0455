//! Pictures of a conversation, made ready for any protocol.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use crate::Picture;

/// What is sent for the pictures of one message.
pub(crate) enum Shown<'a> {
    /// None can be sent; this is said instead.
    Words(String),
    Parts(Vec<Part<'a>>),
}

/// One part of a message, in order.
pub(crate) enum Part<'a> {
    /// What the picture behind it is of.
    Label(String),
    Pixels {
        media_type: &'a str,
        base64: String,
    },
}

/// Every picture behind what it is of; words alone where there is no picture to send. `sees` says
/// whether the model can see.
pub(crate) fn parts(pictures: &[Picture], sees: bool) -> Shown<'_> {
    let is_sent = |picture: &Picture| sees && !picture.bytes.is_empty();
    if !pictures.iter().any(is_sent) {
        // Too much for this request, or not for this model.
        let why = if sees { "not shown any more" } else { "cannot be shown to this model" };
        let labels = pictures.iter().map(|picture| format!("[{}: {why}]", picture.label));
        return Shown::Words(labels.collect::<Vec<_>>().join("\n"));
    }
    let parts = pictures.iter().flat_map(|picture| {
        let gone = if is_sent(picture) { "" } else { ": not shown any more" };
        let pixels = is_sent(picture).then(|| Part::Pixels {
            media_type: &picture.media_type,
            base64: BASE64.encode(&*picture.bytes),
        });
        std::iter::once(Part::Label(format!("[{}{gone}]", picture.label))).chain(pixels)
    });
    Shown::Parts(parts.collect())
}
