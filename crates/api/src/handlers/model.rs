//! Configured models.

use orangery_domain::{KeyPlace, ModelId, ModelProfile, Warning};
use orangery_model::{Endpoint, Key};
use orangery_store::{now_ms, table};
use url::Url;

use crate::error::{Code, Result, WireError};
use crate::handlers::secret;
use crate::request::{ListOffers, ModelCheck, ModelRef, Nothing, SaveModel};
use crate::rooms::{Rooms, endpoint};

/// All models, each with where its key is kept now.
pub(crate) async fn list(rooms: &Rooms, _: Nothing) -> Result<Vec<ModelProfile>> {
    let models = table::model::list(rooms.db.reader()).await?;
    Ok(models.into_iter().map(|model| with_place(rooms, model)).collect())
}

pub(crate) async fn save(rooms: &Rooms, request: SaveModel) -> Result<ModelProfile> {
    let key = match request.id {
        Some(id) => stored(rooms, id).await?.key,
        None => KeyPlace::None,
    };
    let mut model = ModelProfile {
        id: request.id.unwrap_or(ModelId(0)),
        name: request.name.trim().to_owned(),
        protocol: request.protocol,
        base_url: request.base_url.trim().trim_end_matches('/').to_owned(),
        model: request.model.trim().to_owned(),
        context_tokens: request.context_tokens,
        tools: request.tools,
        vision: request.vision,
        key,
    };
    check_address(&model.base_url)?;
    if model.model.is_empty() {
        return Err(WireError::new(Code::BadParameters, "save the model: its name at the provider is empty")
            .with("reason", "model"));
    }
    if model.name.is_empty() {
        model.name.clone_from(&model.model);
    }
    match request.id {
        Some(id) if !table::model::update(&rooms.db, &model).await? => return Err(not_found(id)),
        Some(_) => {}
        None => model.id = table::model::add(&rooms.db, &model, now_ms()).await?,
    }
    Ok(with_place(rooms, model))
}

/// Forgets a model and its key.
pub(crate) async fn remove(rooms: &Rooms, request: ModelRef) -> Result<()> {
    let model = stored(rooms, request.model_id).await?;
    let name = secret::name(model.id);
    for place in [KeyPlace::Run, model.key] {
        // A closed file or a silent keyring must not keep the model; its id is never used again.
        if let Err(error) = rooms.secrets.remove(&name, place).await {
            tracing::warn!(%error, model = %model.id, "the key of a removed model stays behind");
        }
    }
    table::model::remove(&rooms.db, model.id).await?;
    Ok(())
}

/// The model as the database has it.
pub(crate) async fn stored(rooms: &Rooms, id: ModelId) -> Result<ModelProfile> {
    table::model::by_id(rooms.db.reader(), id).await?.ok_or_else(|| not_found(id))
}

fn with_place(rooms: &Rooms, mut model: ModelProfile) -> ModelProfile {
    if rooms.secrets.kept_for_run(&secret::name(model.id)) {
        model.key = KeyPlace::Run;
    }
    model
}

fn not_found(id: ModelId) -> WireError {
    WireError::new(Code::ModelNotFound, format!("no model {id}")).with("modelId", id)
}

/// Asks the endpoint which models it has: the address, the key and the way there are tried at once.
pub(crate) async fn check(rooms: &Rooms, request: ModelRef) -> Result<ModelCheck> {
    let profile = stored(rooms, request.model_id).await?;
    Ok(match endpoint(&rooms.secrets, &profile).await {
        Ok(endpoint) => asked(rooms, &endpoint).await,
        Err(trouble) => ModelCheck { offers: Vec::new(), trouble: Some(trouble) },
    })
}

/// As [`check`], for what is being typed.
pub(crate) async fn offers(rooms: &Rooms, request: ListOffers) -> Result<ModelCheck> {
    check_address(request.base_url.trim())?;
    let typed = request.key.map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
    let key = match (typed, request.model_id) {
        (Some(key), _) => Some(Key::new(key)),
        (None, Some(id)) => {
            let profile = stored(rooms, id).await?;
            match endpoint(&rooms.secrets, &profile).await {
                Ok(endpoint) if same_origin(&endpoint.base_url, &request.base_url) => endpoint.key,
                // A key goes where the user sent it and nowhere else.
                Ok(_) => None,
                Err(trouble) => return Ok(ModelCheck { offers: Vec::new(), trouble: Some(trouble) }),
            }
        }
        (None, None) => None,
    };
    let endpoint = Endpoint {
        protocol: request.protocol,
        base_url: request.base_url.trim().to_owned(),
        model: String::new(),
        key,
        context_tokens: 0,
        tools: false,
        vision: false,
    };
    Ok(asked(rooms, &endpoint).await)
}

async fn asked(rooms: &Rooms, endpoint: &Endpoint) -> ModelCheck {
    match orangery_model::list_models(&rooms.client, endpoint).await {
        Ok(offers) => ModelCheck { offers, trouble: None },
        Err(error) => {
            let trouble = Warning::new(error.code(), error.detail());
            ModelCheck { offers: Vec::new(), trouble: Some(trouble) }
        }
    }
}

fn same_origin(one: &str, other: &str) -> bool {
    let origin = |text: &str| Url::parse(text.trim()).map(|url| url.origin()).ok();
    origin(one).is_some_and(|one| origin(other) == Some(one))
}

/// `https` anywhere, `http` only to this machine.
pub(crate) fn check_address(text: &str) -> Result<()> {
    match orangery_net::Origin::parse(text) {
        Ok(_) => Ok(()),
        Err(error) => {
            let message = format!("save the address: {error}");
            Err(WireError::new(Code::BadAddress, message).with("url", text))
        }
    }
}
