//! `edit` of whole files and folders: rename, move, delete, restore.

use orangery_domain::{FilePlace, Relinked, TurnId, VersionId};
use serde_json::json;

use super::{EditInput, EditOperation, TurnName, TurnWord};
use crate::Error;
use crate::gate::{Action, Permit, Target};
use crate::tool::{Call, Output, Proposal, ToolError};
use crate::tools::place::{self, Named};
use crate::tools::write::{proposed, refused};

pub(super) async fn resolve(input: &EditInput, call: &Call) -> Result<Action, ToolError> {
    let targets = match input.operation {
        EditOperation::Restore => restored(input, call).await?,
        EditOperation::Rename | EditOperation::Move => {
            let source = place::entry(call, input.named()).await?;
            let destination = destination(input, call, &source).await?;
            with_delicate(call, vec![source, destination]).await?
        }
        _ => with_delicate(call, vec![place::entry(call, input.named()).await?]).await?,
    };
    Ok(Action::Edit(targets))
}

/// The targets, and what lies in the first of them and needs a say of its own.
async fn with_delicate(call: &Call, mut targets: Vec<Target>) -> Result<Vec<Target>, ToolError> {
    if let Some(place) = targets.first().and_then(Target::place).cloned() {
        targets.extend(place::delicate_within(call, &place).await?);
    }
    Ok(targets)
}

async fn destination(input: &EditInput, call: &Call, source: &Target) -> Result<Target, ToolError> {
    let given = input.destination.as_deref().unwrap_or_default();
    let Some(place) = source.place() else {
        return Err(ToolError::wrong("path: names no file of a knowledge base"));
    };
    let path = if input.operation == EditOperation::Rename {
        let parent = place.path.parent().map(|parent| parent.to_string()).unwrap_or_default();
        if parent.is_empty() { given.to_owned() } else { format!("{parent}/{given}") }
    } else {
        if place::is_absolute(given) {
            return Err(ToolError::wrong("destination: is absolute; give it relative to the knowledge base"));
        }
        if given.ends_with('/') {
            return Err(ToolError::wrong(
                "destination: is a folder; give the whole target path, name included",
            ));
        }
        given.to_owned()
    };
    let kb = input.destination_knowledge_base_id.unwrap_or(place.kb_id.0);
    let named = Named { path: Some(&path), knowledge_base_id: Some(kb), file_id: None };
    place::target(call, named)
        .await
        .map_err(|error| error.reworded(|message| message.replacen("path:", "destination:", 1)))
}

async fn restored(input: &EditInput, call: &Call) -> Result<Vec<Target>, ToolError> {
    let narrowed = input.path.is_some() || input.file_id.is_some();
    if let Some(version) = input.version {
        let place = call.house.proposals.place_of_version(VersionId(version)).await.map_err(refused)?;
        let target = inside(call, &place).await?;
        if narrowed && place::target(call, input.named()).await?.place() != target.place() {
            return Err(ToolError::tell(format!(
                "version: {version} is one of {}, not of the file that path names",
                place.path
            )));
        }
        return Ok(vec![target]);
    }
    let within = if narrowed { Some(place::target(call, input.named()).await?) } else { None };
    let within = within.as_ref().and_then(Target::place);
    let touched = call
        .house
        .proposals
        .places_of_turn(&call.session_id, turn(input, call), within)
        .await
        .map_err(refused)?;
    let mut targets = Vec::with_capacity(touched.len());
    for place in touched {
        targets.push(inside(call, &place).await?);
    }
    Ok(targets)
}

async fn inside(call: &Call, place: &FilePlace) -> Result<Target, ToolError> {
    let named =
        Named { path: Some(place.path.as_str()), knowledge_base_id: Some(place.kb_id.0), file_id: None };
    place::target(call, named).await
}

fn turn(input: &EditInput, call: &Call) -> TurnId {
    match input.turn {
        Some(TurnName::Number(number)) => TurnId(number),
        Some(TurnName::Word(TurnWord::Current)) | None => call.turn_id,
    }
}

pub(super) async fn run(permit: &Permit, input: &EditInput, call: &Call) -> Result<Output, ToolError> {
    let place_at = |at: usize| {
        let target = permit.targets().get(at).and_then(Target::place).cloned();
        target.ok_or_else(|| ToolError::wrong("path: names no file of a knowledge base"))
    };
    let proposals = &call.house.proposals;
    match input.operation {
        EditOperation::Rename | EditOperation::Move => {
            let from = place_at(0)?;
            // As it was asked for: a name that differs in case only is a new name.
            let asked = place_at(1)?;
            let name =
                input.destination.as_deref().unwrap_or_default().rsplit('/').next().unwrap_or_default();
            let path = asked.path.parent().and_then(|parent| parent.join(name).ok());
            let to = FilePlace { kb_id: asked.kb_id, path: path.unwrap_or(asked.path) };
            relocate(call, &from, &to).await
        }
        EditOperation::Delete => {
            let place = place_at(0)?;
            let deleted = proposals.delete(&call.provenance(), &place).await.map_err(refused)?;
            Ok(proposed(vec![Proposal { proposed: deleted, place }]))
        }
        _ => match input.version {
            Some(version) => {
                let made = proposals.restore_version(&call.provenance(), VersionId(version)).await;
                let (place, made) = made.map_err(refused)?;
                Ok(proposed(vec![Proposal { proposed: made, place }]))
            }
            None => {
                let within = if input.path.is_some() || input.file_id.is_some() {
                    place::target(call, input.named()).await?.place().cloned()
                } else {
                    None
                };
                let turn = turn(input, call);
                let made = proposals
                    .restore_turn(&call.provenance(), &call.session_id, turn, within.as_ref())
                    .await
                    .map_err(refused)?;
                let made = made.into_iter().map(|(place, proposed)| Proposal { proposed, place });
                Ok(proposed(made.collect()))
            }
        },
    }
}

/// The move, and the links that follow it.
async fn relocate(call: &Call, from: &FilePlace, to: &FilePlace) -> Result<Output, ToolError> {
    let (proposals, provenance) = (&call.house.proposals, call.provenance());
    let moved = proposals.relocate(&provenance, from, to).await.map_err(refused)?;
    // What the session moved before is not so on disk: its links go from where they lead to where they will.
    let moves = proposals.moves_until(&call.session_id, moved.operation_id).await.map_err(Error::from)?;
    let relinked = match moves.split_last() {
        Some(((from, to), earlier)) => call.house.library.relink_after(earlier, from, to).await,
        None => Ok(Relinked::default()),
    };
    let relinked = relinked.map_err(Error::from)?;
    let followed = proposals.follow(&provenance, moved.operation_id, &relinked).await.map_err(refused)?;
    let mut json = json!({
        "changeSetId": moved.change_set_id,
        "operationId": moved.operation_id,
        "summary": moved.summary,
        "addedCharacters": 0,
        "removedCharacters": 0,
    });
    if !followed.updates.is_empty() {
        json["linkUpdates"] = followed.updates.len().into();
    }
    if !followed.left.is_empty() {
        const MOST: usize = 8;
        let named: Vec<&str> = followed.left.iter().take(MOST).map(|place| place.path.as_str()).collect();
        json["linksNotUpdated"] = format!(
            "links in {} notes will not lead any more where they lead, as nothing can be written for them or \
             their note changes elsewhere: {}{}",
            followed.left.len(),
            named.join(", "),
            if followed.left.len() > MOST { ", …" } else { "" }
        )
        .into();
    }
    let mut output =
        Output { json, proposed: vec![Proposal { proposed: moved, place: to.clone() }], ..Output::default() };
    output
        .proposed
        .extend(followed.updates.into_iter().map(|(place, proposed)| Proposal { proposed, place }));
    Ok(output)
}
