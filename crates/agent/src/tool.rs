//! What a tool is: typed input, facts for the gate, and work that needs a permit.
//!
//! A tool resolves its input into an [`Action`] and learns nothing about levels. The gate turns the
//! action into a [`Permit`], and only with one does the tool run.

mod absent;
mod schema;

pub(crate) use absent::absent;

use std::sync::{Arc, Mutex};

use futures::future::{BoxFuture, FutureExt};
use orangery_change::Proposed;
use orangery_domain::{ErrorKind, FileId, FilePlace, KbId, KnowledgeBase, Level, SessionId, TurnId};
use orangery_model::ToolSpec;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::Error;
use crate::assistant::AssistantConfig;
use crate::cite::Passages;
use crate::gate::{self, Action, Decision, Permit, Reason};
use crate::picture::{Shown, Vision};
use crate::rules::Rules;
use crate::tools::{edit, exec, list, read, search, write};

/// One tool. The doc comment of `Input` and of its fields is what the model reads.
pub trait Tool: Send + Sync + 'static {
    type Input: DeserializeOwned + JsonSchema + Send + Sync + 'static;
    const NAME: &'static str;

    /// The least that any call of this tool does: where even that is denied, the tool is not offered.
    fn least(&self) -> Action;

    /// Parameters that are for something else than the least, which may be denied where that is not.
    fn parts(&self) -> Vec<Part> {
        vec![]
    }

    /// What the call is about, in one line for people.
    fn subject(&self, input: &Self::Input) -> String;

    /// Finds out what the call would touch. Facts, not verdicts; nothing is read that the gate has not
    /// allowed.
    fn resolve(
        &self,
        input: &Self::Input,
        call: &Call,
    ) -> impl Future<Output = Result<Action, ToolError>> + Send;

    /// Does it.
    fn run(
        &self,
        permit: Permit,
        input: Self::Input,
        call: &Call,
    ) -> impl Future<Output = Result<Output, ToolError>> + Send;
}

/// Parameters that some level or rule withholds.
pub struct Part {
    /// The least that a call with them does.
    pub needs: Action,
    pub fields: &'static [&'static str],
    /// Values of a field that lists them: field and value.
    pub values: &'static [(&'static str, &'static str)],
}

/// The surroundings of one call.
pub struct Call {
    pub house: Arc<AssistantConfig>,
    pub session_id: SessionId,
    pub turn_id: TurnId,
    /// What the user asked for, which a change set tells as its reason.
    pub goal: String,
    /// In the session's order: relative paths belong to the first.
    pub selected: Vec<KnowledgeBase>,
    pub registered: Vec<KnowledgeBase>,
    pub level: Level,
    pub plan: bool,
    pub rules: Rules,
    pub passages: Arc<Mutex<Passages>>,
    pub vision: Vision,
    /// As the model named it, or made by us.
    pub call_id: String,
    /// Ends what runs for it.
    pub cancel: CancellationToken,
}

/// What a call gave.
#[derive(Debug, Default)]
pub struct Output {
    /// What the model reads.
    pub json: Value,
    /// How many things came back.
    pub count: Option<u32>,
    pub proposed: Vec<Proposal>,
    /// What the model sees with the result.
    pub pictures: Vec<Shown>,
    pub ended: Ended,
}

/// How what a call did came to its end.
#[derive(Debug, Default, PartialEq, Eq)]
pub enum Ended {
    #[default]
    Well,
    /// There is a result, and it is none of success; why, in a sentence.
    Badly(String),
    /// The turn was stopped; the result is what there was until then.
    Stopped,
}

/// A proposed change and the file it is about.
#[derive(Debug)]
pub struct Proposal {
    pub proposed: Proposed,
    pub place: FilePlace,
}

/// Why a call gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The model reads it and may try otherwise.
    #[error("{0}")]
    Tell(String),
    /// The parameters make no sense, whatever the state of the files; it begins with the field's name.
    #[error("{0}")]
    Wrong(String),
    /// It leads where nothing may go, or may not be touched: as final as a denial of the gate.
    #[error("{message}")]
    Barred { code: &'static str, message: String },
    /// The turn cannot go on.
    #[error(transparent)]
    Stop(Error),
}

impl ToolError {
    pub(crate) fn tell(message: impl Into<String>) -> Self {
        Self::Tell(message.into())
    }

    pub(crate) fn wrong(message: impl Into<String>) -> Self {
        Self::Wrong(message.into())
    }

    /// Refuses the first of `fields` that is given, which `why` is said of.
    pub(crate) fn unless_absent(fields: &[(&str, bool)], why: &str) -> Result<(), Self> {
        match fields.iter().find(|(_, given)| *given) {
            Some((field, _)) => Err(Self::wrong(format!("{field}: {why}"))),
            None => Ok(()),
        }
    }

    /// The same about something else: sentences begin with the field that they are about.
    pub(crate) fn reworded(self, reword: impl FnOnce(String) -> String) -> Self {
        match self {
            Self::Tell(message) => Self::Tell(reword(message)),
            Self::Wrong(message) => Self::Wrong(reword(message)),
            Self::Barred { code, message } => Self::Barred { code, message: reword(message) },
            Self::Stop(error) => Self::Stop(error),
        }
    }
}

impl From<Error> for ToolError {
    /// What is wrong with a path, a file or a parameter is the model's to know.
    fn from(error: Error) -> Self {
        match error.kind() {
            ErrorKind::Denied => Self::Barred { code: error.code(), message: error.to_string() },
            ErrorKind::NotFound | ErrorKind::Invalid | ErrorKind::Conflict | ErrorKind::Unavailable => {
                Self::Tell(error.to_string())
            }
            ErrorKind::Cancelled | ErrorKind::Corrupt | ErrorKind::Internal => Self::Stop(error),
        }
    }
}

impl From<orangery_store::Error> for ToolError {
    /// Trouble with a path is the model's to know; trouble with the database is ours.
    fn from(error: orangery_store::Error) -> Self {
        match error.code() {
            "database" => Self::Stop(error.into()),
            code if error.kind() == ErrorKind::Denied => Self::Barred { code, message: error.to_string() },
            _ => Self::Tell(error.to_string()),
        }
    }
}

/// A call whose input is understood and whose action waits for the gate.
pub(crate) struct Resolved<'a> {
    pub action: Action,
    pub run: Box<dyn FnOnce(Permit) -> BoxFuture<'a, Result<Output, ToolError>> + Send + 'a>,
}

/// A tool without its input type.
pub(crate) trait AnyTool: Send + Sync {
    fn name(&self) -> &'static str;
    fn spec(&self) -> ToolSpec;
    fn least(&self) -> Action;
    fn parts(&self) -> Vec<Part>;
    /// Falls back to nothing when the input makes no sense: `resolve` says why.
    fn subject(&self, arguments: &str) -> String;
    fn resolve<'a>(
        &'a self,
        arguments: &str,
        call: &'a Call,
    ) -> BoxFuture<'a, Result<Resolved<'a>, ToolError>>;
}

impl<T: Tool> AnyTool for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn spec(&self) -> ToolSpec {
        schema::spec::<T::Input>(T::NAME)
    }

    fn least(&self) -> Action {
        Tool::least(self)
    }

    fn parts(&self) -> Vec<Part> {
        Tool::parts(self)
    }

    fn subject(&self, arguments: &str) -> String {
        schema::parse::<T::Input>(arguments).map(|input| Tool::subject(self, &input)).unwrap_or_default()
    }

    fn resolve<'a>(
        &'a self,
        arguments: &str,
        call: &'a Call,
    ) -> BoxFuture<'a, Result<Resolved<'a>, ToolError>> {
        let input = schema::parse::<T::Input>(arguments);
        async move {
            let input = input.map_err(ToolError::Wrong)?;
            let action = Tool::resolve(self, &input, call).await?;
            Ok(Resolved { action, run: Box::new(move |permit| Tool::run(self, permit, input, call).boxed()) })
        }
        .boxed()
    }
}

macro_rules! tools {
    ($($tool:expr),* $(,)?) => {
        /// Every tool there is.
        pub(crate) static TOOLS: &[&dyn AnyTool] = &[$(&$tool),*];
    };
}

tools![search::Search, read::Read, list::List, edit::Edit, write::Write, exec::Exec];

/// The tool called `name`.
pub(crate) fn find(name: &str) -> Option<&'static dyn AnyTool> {
    TOOLS.iter().copied().find(|tool| tool.name() == name)
}

/// Why no call of `tool` can succeed now.
pub(crate) fn forbidden(tool: &dyn AnyTool, level: Level, plan: bool, rules: &Rules) -> Option<Reason> {
    match gate::decide(level, plan, &tool.least(), rules) {
        Decision::Deny(reason) => Some(reason),
        Decision::Allow | Decision::Ask(_) => None,
    }
}

/// What a model is offered: every tool and parameter but those that level, Plan or rules forbid, or that
/// `lacks` says are not there.
pub fn specs(level: Level, plan: bool, rules: &Rules, lacks: impl Fn(&Action) -> bool) -> Vec<ToolSpec> {
    let withheld = |part: &Part| {
        lacks(&part.needs) || matches!(gate::decide(level, plan, &part.needs, rules), Decision::Deny(_))
    };
    TOOLS
        .iter()
        .filter(|tool| !lacks(&tool.least()) && forbidden(**tool, level, plan, rules).is_none())
        .map(|tool| {
            let mut spec = tool.spec();
            tool.parts()
                .iter()
                .filter(|part| withheld(part))
                .for_each(|part| schema::without(&mut spec, part));
            spec
        })
        .collect()
}

/// The answer where `action` cannot be done now, which `message` explains: what the level denies is denied
/// for that reason, also where it is not there.
pub(crate) fn unavailable(call: &Call, action: Action, message: &str) -> Result<Action, ToolError> {
    match gate::decide(call.level, call.plan, &action, &call.rules) {
        Decision::Deny(_) => Ok(action),
        Decision::Allow | Decision::Ask(_) => Err(ToolError::tell(message)),
    }
}

impl Call {
    /// The knowledge base that relative paths belong to.
    pub(crate) fn first(&self) -> Result<&KnowledgeBase, ToolError> {
        self.selected.first().ok_or_else(|| {
            ToolError::tell("no knowledge base is selected in this session; ask the user to select one")
        })
    }

    pub(crate) fn is_selected(&self, id: KbId) -> bool {
        self.selected.iter().any(|kb| kb.id == id)
    }

    /// The knowledge base called `id`, selected or not.
    pub(crate) fn knowledge_base(&self, id: KbId) -> Result<&KnowledgeBase, ToolError> {
        self.registered.iter().find(|kb| kb.id == id).ok_or_else(|| {
            let known: Vec<_> = self.selected.iter().map(|kb| format!("{} ({})", kb.id, kb.name)).collect();
            ToolError::tell(format!(
                "knowledgeBaseId: there is no knowledge base {id}; selected are {}",
                known.join(", ")
            ))
        })
    }

    /// Whether a rule keeps a file out of what `tool` finds.
    pub(crate) fn hides(&self, tool: &str, place: &FilePlace) -> bool {
        let relative = place.path.key();
        let absolute =
            self.knowledge_base(place.kb_id).map(|kb| format!("{}/{relative}", kb.root)).unwrap_or_default();
        self.rules.hides(tool, &[&relative, &absolute])
    }

    /// The number under which a passage can be cited.
    pub(crate) fn cite(&self, citation: orangery_domain::Citation) -> u32 {
        let mut passages = self.passages.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        passages.number(citation)
    }

    /// The place behind a file id.
    pub(crate) fn place_of(&self, id: FileId) -> Result<FilePlace, ToolError> {
        match self.house.library.file_by_id(id) {
            Some(file) => Ok(FilePlace { kb_id: file.kb_id, path: file.path }),
            None => {
                Err(ToolError::tell(format!("fileId: there is no file {id}; list shows the ids that exist")))
            }
        }
    }
}

#[cfg(test)]
mod tests;
