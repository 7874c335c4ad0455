//! Keys of models. They go in here and never come out.

use orangery_domain::{KeyPlace, ModelId, SecretStatus};
use orangery_store::secret::Secret;
use orangery_store::table;

use crate::error::Result;
use crate::handlers::model;
use crate::request::{KeepSecret, Nothing, OpenSecretFile, SetKey};
use crate::rooms::Rooms;

/// What can keep a key here and now.
pub(crate) async fn status(rooms: &Rooms, _: Nothing) -> Result<SecretStatus> {
    Ok(rooms.secrets.status().await)
}

/// Opens the passphrase file for this run, or makes it.
pub(crate) async fn open(rooms: &Rooms, request: OpenSecretFile) -> Result<SecretStatus> {
    rooms.secrets.open_file(Secret::new(request.passphrase)).await?;
    Ok(rooms.secrets.status().await)
}

/// Keeps a model's key in exactly one place, the one that was asked for, or fails.
pub(crate) async fn set(rooms: &Rooms, request: SetKey) -> Result<()> {
    let mut profile = model::stored(rooms, request.model_id).await?;
    let name = name(request.model_id);
    let place = match request.keep {
        _ if request.key.is_empty() => KeyPlace::None,
        KeepSecret::Keyring => KeyPlace::Keyring,
        KeepSecret::File => KeyPlace::File,
        KeepSecret::Run => KeyPlace::Run,
    };
    // First the new place, so that a failure leaves the key where it was.
    if place != KeyPlace::None {
        rooms.secrets.set(&name, Secret::new(request.key), place).await?;
    }
    for old in [KeyPlace::Run, profile.key] {
        match if old == place { Ok(()) } else { rooms.secrets.remove(&name, old).await } {
            // The user wants it gone, and it is not.
            Err(error) if place == KeyPlace::None => return Err(error.into()),
            // It is where it was asked to be; an old copy in a closed file is still encrypted.
            Err(error) => tracing::warn!(%error, model = %request.model_id, "an old copy of a key stays"),
            Ok(()) => {}
        }
    }
    profile.key = place;
    table::model::update(&rooms.db, &profile).await?;
    Ok(())
}

/// Under which name the key of a model is kept.
pub(crate) fn name(model: ModelId) -> String {
    format!("model/{model}")
}
