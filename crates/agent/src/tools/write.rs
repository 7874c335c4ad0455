//! `write`: proposes a new file or folder.

use orangery_change::Refusal;
use orangery_domain::{ErrorKind, FileKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::gate::{Action, Permit};
use crate::tool::{Call, Output, Proposal, Tool, ToolError};
use crate::tools::place::{self, Named};

/// Proposes a new Markdown or plain text file, or a new folder. It never overwrites: change what exists
/// with edit. Folders on the way that are missing are proposed too. The user reviews the change; you
/// get back only its ids and size.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WriteInput {
    kind: WriteKind,
    /// Path relative to the first knowledge base, or to that of `knowledgeBaseId`. A file ends in .md
    /// or .txt.
    target_path: String,
    knowledge_base_id: Option<i64>,
    /// For a file: its whole text.
    content: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum WriteKind {
    File,
    Folder,
}

pub(crate) struct Write;

impl Tool for Write {
    type Input = WriteInput;
    const NAME: &'static str = "write";

    fn least(&self) -> Action {
        Action::Write(vec![])
    }

    fn subject(&self, input: &WriteInput) -> String {
        input.target_path.clone()
    }

    async fn resolve(&self, input: &WriteInput, call: &Call) -> Result<Action, ToolError> {
        if input.target_path.trim().is_empty() {
            return Err(ToolError::wrong("targetPath: is blank"));
        }
        match (input.kind, &input.content) {
            (WriteKind::File, None) => {
                return Err(ToolError::wrong("content: is missing; a file needs its whole text"));
            }
            (WriteKind::Folder, Some(_)) => {
                return Err(ToolError::wrong("content: does not belong to a folder"));
            }
            (WriteKind::File, Some(_)) if !FileKind::of_name(&input.target_path).is_note() => {
                return Err(ToolError::wrong(
                    "targetPath: a new file is Markdown or plain text; end it in .md or .txt",
                ));
            }
            _ => {}
        }
        let named = Named {
            path: Some(&input.target_path),
            knowledge_base_id: input.knowledge_base_id,
            file_id: None,
        };
        let target = place::target(call, named)
            .await
            .map_err(|error| error.reworded(|message| message.replacen("path:", "targetPath:", 1)))?;
        Ok(Action::Write(vec![target]))
    }

    async fn run(&self, permit: Permit, input: WriteInput, call: &Call) -> Result<Output, ToolError> {
        let Some(place) = permit.targets().first().and_then(|target| target.place()).cloned() else {
            return Err(ToolError::wrong("targetPath: is outside all knowledge bases"));
        };
        place::still_there(call, &place).await?;
        let proposals = &call.house.proposals;
        let provenance = call.provenance();
        let made = match input.kind {
            WriteKind::File => {
                proposals.create_file(&provenance, &place, &input.content.unwrap_or_default()).await
            }
            WriteKind::Folder => proposals.create_folder(&provenance, &place).await,
        };
        let proposal = made.map_err(refused)?;
        Ok(proposed(vec![Proposal { proposed: proposal, place }]))
    }
}

/// What the model learns of a proposal: never the text again.
pub(super) fn proposed(proposals: Vec<Proposal>) -> Output {
    let one = |proposal: &Proposal| {
        let proposed = &proposal.proposed;
        json!({
            "changeSetId": proposed.change_set_id,
            "operationId": proposed.operation_id,
            "summary": proposed.summary,
            "addedCharacters": proposed.added_chars,
            "removedCharacters": proposed.removed_chars,
        })
    };
    let json = match proposals.as_slice() {
        [only] => one(only),
        several => json!({ "operations": several.iter().map(one).collect::<Vec<_>>() }),
    };
    Output { json, proposed: proposals, ..Output::default() }
}

/// A refusal is for the model to read; what broke in the house is not.
pub(super) fn refused(refusal: Refusal) -> ToolError {
    match refusal {
        Refusal::Failed(error) if matches!(error.kind(), ErrorKind::Internal | ErrorKind::Corrupt) => {
            ToolError::Stop(error.into())
        }
        refusal => ToolError::Tell(refusal.to_string()),
    }
}
