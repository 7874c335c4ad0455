//! `edit`: proposes a change of an existing text, or of where a file or folder is.

mod tree;

use orangery_change::{EditRequest, ReplaceEdit};
use orangery_store::table;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::gate::{Action, Permit};
use crate::tool::{Call, Output, Proposal, Tool, ToolError};
use crate::tools::place::{self, Named};
use crate::tools::write::proposed;

/// Proposes a change of a Markdown or plain text file (replace, append, multi_replace, rewrite), or of any file or
/// folder as a whole (rename, move, delete, restore). The user reviews the change; you get back only its ids and
/// size. When the whole call is refused, nothing is proposed.
///
/// To change a text, the file must have been read in this session and be unchanged since. Quote `original` exactly,
/// with as much around it as makes it occur once, or say which `occurrence` is meant.
///
/// rename and move update the links in other notes as further operations of the same change set. delete puts into the
/// system's trash. restore gives a file an earlier `version`, or takes back all that a `turn` did.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditInput {
    /// Path relative to the first knowledge base, or to that of `knowledgeBaseId`.
    path: Option<String>,
    /// Instead of `path`: the id that search and list give.
    file_id: Option<i64>,
    knowledge_base_id: Option<i64>,
    operation: EditOperation,
    /// For replace: the text to be replaced, as it stands in the file.
    original: Option<String>,
    /// For replace: what comes in its place; may be empty.
    next: Option<String>,
    /// For replace: which of several places, from 1.
    occurrence: Option<u32>,
    /// For append: the text to add at the end. For rewrite: the whole new text.
    content: Option<String>,
    /// For multi_replace: the replacements, all located on the text as it is now.
    edits: Option<Vec<EditPart>>,
    /// For rename: the new name, in the same folder. For move: the whole target path, name included, relative to the
    /// knowledge base.
    destination: Option<String>,
    /// For move: the knowledge base to move to, when it is another one.
    destination_knowledge_base_id: Option<i64>,
    /// For restore: the id of an earlier version, as the history of the file gives it.
    version: Option<i64>,
    /// For restore: the number of a turn of this session, or "current" for this one. `path` narrows it.
    turn: Option<TurnName>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum TurnName {
    Number(i64),
    Word(TurnWord),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TurnWord {
    Current,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EditOperation {
    Replace,
    Append,
    MultiReplace,
    Rewrite,
    Rename,
    Move,
    Delete,
    Restore,
}

/// One of several replacements.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EditPart {
    /// The text to be replaced, as it stands in the file.
    original: String,
    /// What comes in its place; may be empty.
    next: String,
    /// Which of several places, from 1.
    occurrence: Option<u32>,
    /// Every place instead of one. All that a call puts in is 1 MiB at most.
    #[serde(default)]
    replace_all: bool,
}

pub(crate) struct Edit;

impl Tool for Edit {
    type Input = EditInput;
    const NAME: &'static str = "edit";

    fn least(&self) -> Action {
        Action::Edit(vec![])
    }

    fn subject(&self, input: &EditInput) -> String {
        let named = input.path.clone().or_else(|| input.file_id.map(|id| format!("#{id}")));
        match (named, &input.destination) {
            (Some(named), Some(destination)) => format!("{named} → {destination}"),
            (named, _) => named.unwrap_or_default(),
        }
    }

    async fn resolve(&self, input: &EditInput, call: &Call) -> Result<Action, ToolError> {
        input.check()?;
        if input.operation.is_whole() {
            return tree::resolve(input, call).await;
        }
        Ok(Action::Edit(vec![place::target(call, input.named()).await?]))
    }

    async fn run(&self, permit: Permit, input: EditInput, call: &Call) -> Result<Output, ToolError> {
        if input.operation.is_whole() {
            return tree::run(&permit, &input, call).await;
        }
        let Some(place) = permit.targets().first().and_then(|target| target.place()).cloned() else {
            return Err(ToolError::wrong("path: names no file of a knowledge base"));
        };
        place::still_there(call, &place).await?;
        let request = input.into_request()?;
        let read = table::read::hash(&call.house.db, &call.session_id, &place).await?;
        let proposal = call
            .house
            .proposals
            .edit(&call.provenance(), &place, read, request)
            .await
            .map_err(crate::tools::write::refused)?;
        Ok(proposed(vec![Proposal { proposed: proposal, place }]))
    }
}

impl EditOperation {
    /// Whether it is about a file or folder as a whole.
    fn is_whole(self) -> bool {
        match self {
            Self::Rename | Self::Move | Self::Delete | Self::Restore => true,
            Self::Replace | Self::Append | Self::MultiReplace | Self::Rewrite => false,
        }
    }
}

impl EditInput {
    fn named(&self) -> Named<'_> {
        Named { path: self.path.as_deref(), file_id: self.file_id, knowledge_base_id: self.knowledge_base_id }
    }

    /// Every operation has its own parameters; another one's is a misunderstanding to be named.
    fn check(&self) -> Result<(), ToolError> {
        use EditOperation::{Append, Delete, Move, MultiReplace, Rename, Replace, Restore, Rewrite};
        let given = [
            ("original", self.original.is_some(), &[Replace][..]),
            ("next", self.next.is_some(), &[Replace]),
            ("occurrence", self.occurrence.is_some(), &[Replace]),
            ("content", self.content.is_some(), &[Append, Rewrite]),
            ("edits", self.edits.is_some(), &[MultiReplace]),
            ("destination", self.destination.is_some(), &[Rename, Move]),
            ("destinationKnowledgeBaseId", self.destination_knowledge_base_id.is_some(), &[Move]),
            ("version", self.version.is_some(), &[Restore]),
            ("turn", self.turn.is_some(), &[Restore]),
        ];
        // What may be left out.
        let optional = ["occurrence", "destinationKnowledgeBaseId", "version", "turn"];
        let name = match self.operation {
            Replace => "replace",
            Append => "append",
            MultiReplace => "multi_replace",
            Rewrite => "rewrite",
            Rename => "rename",
            Move => "move",
            Delete => "delete",
            Restore => "restore",
        };
        for (field, present, operations) in given {
            let belongs = operations.contains(&self.operation);
            if present && !belongs {
                return Err(ToolError::wrong(format!("{field}: does not belong to {name}")));
            }
            if !present && belongs && !optional.contains(&field) {
                return Err(ToolError::wrong(format!("{field}: is missing; {name} needs it")));
            }
        }
        if self.edits.as_ref().is_some_and(Vec::is_empty) {
            return Err(ToolError::tell("edits: is empty; give at least one replacement"));
        }
        let parts = self.edits.iter().flatten().enumerate();
        for (index, part) in parts {
            if part.replace_all && part.occurrence.is_some() {
                return Err(ToolError::wrong(format!(
                    "edits[{index}].occurrence: cannot go with replaceAll"
                )));
            }
            if part.occurrence == Some(0) {
                return Err(ToolError::wrong(format!("edits[{index}].occurrence: counts from 1")));
            }
        }
        if self.occurrence == Some(0) {
            return Err(ToolError::wrong("occurrence: counts from 1"));
        }
        match (self.operation, self.version, self.turn) {
            (Restore, None, None) => {
                return Err(ToolError::wrong("version: is missing; restore needs version or turn"));
            }
            (Restore, Some(_), Some(_)) => {
                return Err(ToolError::wrong("turn: cannot go with version; give one of them"));
            }
            _ => {}
        }
        if self.operation == Rename
            && let Some(name) = &self.destination
            && (name.trim().is_empty() || name.contains(['/', '\\']) || name == "." || name == "..")
        {
            return Err(ToolError::wrong(
                "destination: rename takes a new name without a folder; use move for another folder",
            ));
        }
        Ok(())
    }

    fn into_request(self) -> Result<EditRequest, ToolError> {
        self.check()?;
        let content = self.content.unwrap_or_default();
        Ok(match self.operation {
            EditOperation::Replace => EditRequest::Replace {
                original: self.original.unwrap_or_default(),
                next: self.next.unwrap_or_default(),
                occurrence: self.occurrence,
            },
            EditOperation::Append => EditRequest::Append { content },
            EditOperation::Rewrite => EditRequest::Rewrite { content },
            EditOperation::Rename | EditOperation::Move | EditOperation::Delete | EditOperation::Restore => {
                return Err(ToolError::wrong("operation: changes no text"));
            }
            EditOperation::MultiReplace => EditRequest::MultiReplace {
                edits: self
                    .edits
                    .unwrap_or_default()
                    .into_iter()
                    .map(|part| ReplaceEdit {
                        original: part.original,
                        next: part.next,
                        occurrence: part.occurrence,
                        replace_all: part.replace_all,
                    })
                    .collect(),
            },
        })
    }
}
