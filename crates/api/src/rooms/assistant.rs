//! What the assistant needs from the rooms around it: models with their keys, and somebody who applies.

use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use orangery_agent::{AtOnce, Models, NO_TRANSCRIBER};
use orangery_change::Changes;
use orangery_domain::{
    ChangeSetId, Decision, HunkDecision, KeyPlace, ModelId, ModelProfile, OperationId, Warning,
};
use orangery_model::{Endpoint, Key};
use orangery_store::secret::Secrets;
use orangery_store::{Db, table};

use crate::error::WireError;
use crate::handlers::{secret, setting};

/// Configured models with the keys that the secrets keep for them.
pub(crate) struct KeyedModels {
    pub(crate) db: Db,
    pub(crate) secrets: Arc<Secrets>,
}

impl Models for KeyedModels {
    fn endpoint(&self, id: ModelId) -> BoxFuture<'_, Result<(Endpoint, String), Warning>> {
        async move {
            let failed = |error: orangery_store::Error| Warning::new("modelUnknown", error.code());
            let profile = table::model::by_id(self.db.reader(), id).await.map_err(failed)?;
            let profile = profile.ok_or_else(|| Warning::new("modelRemoved", id.to_string()))?;
            let endpoint = endpoint(&self.secrets, &profile).await?;
            Ok((endpoint, profile.name))
        }
        .boxed()
    }

    fn transcriber(&self) -> BoxFuture<'_, Result<(Endpoint, String), Warning>> {
        async move {
            let settings = setting::read(&self.db).await;
            let settings = settings.map_err(|error| Warning::new("modelUnknown", error.code.name()))?;
            match settings.transcription_model {
                Some(id) => self.endpoint(id).await,
                None => Err(Warning::new(NO_TRANSCRIBER, "")),
            }
        }
        .boxed()
    }
}

/// Where a model answers, with its key; the warning says why the key cannot be had.
pub(crate) async fn endpoint(secrets: &Secrets, profile: &ModelProfile) -> Result<Endpoint, Warning> {
    let kept = secrets
        .get(&secret::name(profile.id), profile.key)
        .await
        .map_err(|error| Warning::new("keyUnavailable", WireError::from(error).code.name()))?;
    if kept.is_none() && profile.key != KeyPlace::None {
        return Err(Warning::new("keyMissing", &profile.name));
    }
    Ok(Endpoint {
        protocol: profile.protocol,
        base_url: profile.base_url.clone(),
        model: profile.model.clone(),
        key: kept.map(|secret| Key::new(secret.expose())),
        context_tokens: profile.context_tokens,
        tools: profile.tools,
        vision: profile.vision,
    })
}

/// Stands in for the user at the level that wants no review: accepts, then applies, through the same
/// door as the user.
pub(crate) struct Applier {
    pub(crate) changes: Changes,
}

impl AtOnce for Applier {
    fn apply(&self, change_set: ChangeSetId, operation: OperationId) -> BoxFuture<'_, Result<(), String>> {
        async move {
            let accept = Decision { operation_id: operation, hunk: None, decision: HunkDecision::Accepted };
            self.changes.review(change_set, &[accept]).await.map_err(|error| error.to_string())?;
            let applied = self
                .changes
                .apply(change_set, &[operation], false)
                .await
                .map_err(|error| error.to_string())?;
            if applied.applied.contains(&operation) {
                return Ok(());
            }
            let set = self.changes.get(change_set).await.map_err(|error| error.to_string())?;
            let note = set.operations.into_iter().find(|it| it.id == operation).and_then(|it| it.note);
            Err(note.map_or_else(
                || "the file changed meanwhile; nothing was written".into(),
                |note| format!("nothing was written ({}). {}", note.code, note.detail),
            ))
        }
        .boxed()
    }
}
