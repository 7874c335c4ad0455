//! Keys. They go in here and never come out.

use orangery_agent::WEB_SEARCH_KEY;
use orangery_domain::{KeyPlace, ModelId, SecretStatus};
use orangery_store::secret::Secret;
use orangery_store::table;

use crate::error::{Code, Result, WireError};
use crate::handlers::{model, setting};
use crate::request::{KeepSecret, KeyOwner, Nothing, OpenSecretFile, SetKey};
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

/// Keeps a key in exactly one place, the one that was asked for, or fails.
pub(crate) async fn set(rooms: &Rooms, request: SetKey) -> Result<()> {
    let place = match request.keep {
        _ if request.key.is_empty() => KeyPlace::None,
        KeepSecret::Keyring => KeyPlace::Keyring,
        KeepSecret::File => KeyPlace::File,
        KeepSecret::Run => KeyPlace::Run,
    };
    match request.of {
        KeyOwner::Model(id) => {
            let mut profile = model::stored(rooms, id).await?;
            relocate(rooms, &name(id), request.key, profile.key, place).await?;
            profile.key = place;
            table::model::update(&rooms.db, &profile).await?;
        }
        KeyOwner::WebSearch => {
            let mut settings = setting::read(&rooms.db).await?;
            let Some(search) = &mut settings.web_search else {
                return Err(WireError::new(Code::BadParameters, "keep the key: no search engine is chosen"));
            };
            relocate(rooms, WEB_SEARCH_KEY, request.key, search.key, place).await?;
            search.key = place;
            setting::store(&rooms.db, &settings).await?;
        }
    }
    Ok(())
}

/// Puts the key called `name` into `place`, out of where it was.
async fn relocate(rooms: &Rooms, name: &str, key: String, from: KeyPlace, place: KeyPlace) -> Result<()> {
    // First the new place, so that a failure leaves the key where it was.
    if place != KeyPlace::None {
        rooms.secrets.set(name, Secret::new(key), place).await?;
    }
    for old in [KeyPlace::Run, from] {
        match if old == place { Ok(()) } else { rooms.secrets.remove(name, old).await } {
            // The user wants it gone, and it is not.
            Err(error) if place == KeyPlace::None => return Err(error.into()),
            // It is where it was asked to be; an old copy in a closed file is still encrypted.
            Err(error) => tracing::warn!(%error, name, "an old copy of a key stays"),
            Ok(()) => {}
        }
    }
    Ok(())
}

/// Under which name the key of a model is kept.
pub(crate) fn name(model: ModelId) -> String {
    format!("model/{model}")
}
