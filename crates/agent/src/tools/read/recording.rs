//! Recordings, read as what is said in them.

use orangery_domain::{ContentHash, FileKind};
use orangery_model::RECORDING_LIMIT;
use orangery_store::root::Roots;

use super::Source;
use crate::Error;
use crate::gate::{Reach, Target};
use crate::tool::{Call, ToolError};
use crate::tools::place::{self, blocking, open_outside};

/// The transcript of a permitted target, made once for each content and model.
pub(super) async fn transcript(call: &Call, target: &Target) -> Result<Source, ToolError> {
    let shown = target.named().to_owned();
    let (checked, name, place) = match &target.reach {
        Reach::Selected(place) | Reach::Unselected(place) => {
            let root = Roots::root(&call.house.library, place.kb_id).map_err(Error::from)?;
            let path = place.path.clone();
            let checked = blocking(move || Ok(root.resolve(&path)?)).await?;
            place::unchanged(&checked, &place.path)?;
            (checked, place.path.name().to_owned(), Some(place.clone()))
        }
        Reach::Outside(path) => {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            (open_outside(path).await?, name.unwrap_or_default(), None)
        }
    };
    let (hash, bytes) = blocking(move || {
        let size = checked.metadata()?.size;
        if size > RECORDING_LIMIT {
            let (path, limit) = (shown, RECORDING_LIMIT);
            return Err(orangery_store::Error::TooLarge { path, size, limit }.into());
        }
        let bytes = checked.read()?;
        Ok((ContentHash::of(&bytes), bytes))
    })
    .await?;
    let house = &call.house;
    let (endpoint, by) = house.models.transcriber().await.map_err(|warning| match warning.code.as_str() {
        NO_TRANSCRIBER => ToolError::tell(format!(
            "{} is a recording, and no model is chosen that writes down what is said; the user can choose one in \
             Settings, Models",
            target.named()
        )),
        _ => ToolError::tell(format!("{} cannot be transcribed: {} {}", target.named(), warning.code, warning.detail)),
    })?;
    let model = ContentHash::of(endpoint.model.as_bytes()).to_hex();
    let key = format!("{}-{}", hash.to_hex(), &model[..16]);
    let (cached, known) = (house.clone(), key.clone());
    let kept = blocking(move || Ok(cached.transcripts.get(&known))).await?;
    let text = match kept.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => text,
        None => {
            let text = orangery_model::transcribe(&house.client, &endpoint, &name, &bytes).await;
            let text = text.map_err(|error| ToolError::tell(format!("{name} by {by}: {error}")))?;
            let (cached, copy) = (house.clone(), text.clone());
            blocking(move || {
                if let Err(error) = cached.transcripts.put(&key, copy.as_bytes()) {
                    tracing::warn!(%error, "a transcript is not kept");
                }
                Ok(())
            })
            .await?;
            text
        }
    };
    Ok(Source {
        text,
        hash: Some(hash),
        file: place.as_ref().and_then(|place| house.library.file(place)),
        place,
        kind: FileKind::Other,
        pending: false,
        document: None,
        transcribed_by: Some(by),
    })
}

/// The code of the warning that no model is chosen for it.
pub const NO_TRANSCRIBER: &str = "noTranscriber";
