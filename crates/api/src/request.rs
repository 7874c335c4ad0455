//! Requests and replies that exist only at the API.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::error::Code;

use orangery_domain::{
    ApprovalId, ChangeSetId, CommentId, CommentLine, ContentHash, Decision, ErrorKind, FileId, FilePlace,
    FolderContents, KbId, KbPath, KnowledgeBase, Level, LineEnding, LineRange, MergeChoice, MessageId,
    ModelId, ModelOffer, Moment, OperationId, PositionEdit, Protocol, RuleReach, SentId, SessionId, Settings,
    TurnId, VersionId, Warning, WrittenLink,
};

macro_rules! wire {
    ($($(#[$meta:meta])* pub struct $name:ident { $($(#[$field_meta:meta])* pub $field:ident: $type:ty),* $(,)? })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
        #[serde(rename_all = "camelCase")]
        pub struct $name { $($(#[$field_meta])* pub $field: $type),* }
    )*};
}

wire! {
    /// No parameters.
    pub struct Nothing {}

    /// What the host at hand can do; the UI hides the rest.
    pub struct Capabilities {
        /// `desktop` or `web`.
        pub host: String,
        pub version: String,
        /// `linux`, `macos` or `windows`.
        pub platform: String,
        /// The host shows its own folder chooser; else the UI walks folders with `folder.browse`.
        pub native_dialogs: bool,
        /// The host draws no title bar: the UI's heads are the drag region.
        pub frameless: bool,
        /// Another process has the data directory and does not answer: nothing can be changed from here.
        pub read_only: bool,
        /// The first note of the user guide, where this run brought it in.
        pub sample: Option<FilePlace>,
        /// Why commands cannot be confined here: `linux`, `landlock` or `callFilter`. Absent: they can.
        pub unconfined: Option<String>,
    }

    pub struct AddKnowledgeBase {
        /// Absolute path of a folder.
        pub root: String,
        /// Default: the folder's name.
        #[serde(default)]
        pub name: Option<String>,
    }
    pub struct KbRef { pub kb_id: KbId }
    pub struct RenameKnowledgeBase { pub kb_id: KbId, pub name: String }
    pub struct ReorderKnowledgeBases { pub kb_ids: Vec<KbId> }

    /// Folders of the machine, for choosing one where the host has no dialog. Absent path: home.
    pub struct BrowseFolder { #[serde(default)] pub path: Option<String> }
    pub struct FolderListing {
        pub path: String,
        pub parent: Option<String>,
        pub folders: Vec<FolderEntry>,
    }
    pub struct FolderEntry { pub name: String, pub path: String }

    pub struct ListFiles { pub kb_id: KbId, pub path: KbPath }
    pub struct FindNames { pub text: String, #[serde(default)] pub limit: u32 }

    pub struct OpenNoteAt { pub place: FilePlace }
    pub struct SaveNote {
        pub place: FilePlace,
        /// What the editor loaded or last saved.
        pub base: ContentHash,
        pub edits: Vec<PositionEdit>,
        /// What is saved now is worth a version: the user asked for one, or leaves the note.
        #[serde(default)] pub keep: bool,
    }
    pub struct SavedNote {
        /// The base of the next save.
        pub base: ContentHash,
        pub line_ending: LineEnding,
    }
    pub struct CreateNote {
        pub kb_id: KbId,
        /// With its extension, `.md` or `.txt`.
        pub path: KbPath,
        #[serde(default)]
        pub text: String,
    }
    pub struct CreateFolder { pub kb_id: KbId, pub path: KbPath }
    /// The user's choice of encoding for a file that could not be decoded, by its label (`GB18030`).
    pub struct ChooseEncoding { pub place: FilePlace, pub encoding: String }

    pub struct TagCount {
        /// Without its sign.
        pub tag: String,
        pub files: u32,
    }

    pub struct FileRef { pub file_id: FileId }
    pub struct DocumentAt { pub place: FilePlace }
    /// Numbers count from 1; of blocks and rows at most 2,000 come at once.
    pub struct ListBlocks { pub place: FilePlace, pub from: u32, pub limit: u32 }
    pub struct ListRows { pub place: FilePlace, pub sheet: u32, pub from: u32, pub limit: u32 }
    pub struct ListWords { pub place: FilePlace, pub page: u32 }
    pub struct UnlockDocument {
        pub place: FilePlace,
        /// Never returned by any call.
        pub password: String,
        pub keep: KeepSecret,
    }

    /// Where the links written in a note lead, answered in their order.
    pub struct ResolveLinks { pub from: FilePlace, pub links: Vec<WrittenLink> }
    pub struct ResolvedLink {
        /// Absent: nothing is there.
        pub place: Option<FilePlace>,
        /// Line of the heading or block, from 1.
        pub line: Option<u32>,
        /// Where a new note would go if the user wants one.
        pub would_be: Option<FilePlace>,
    }

    pub struct CreateSession { #[serde(default)] pub kb_ids: Vec<KbId> }
    pub struct SessionRef { pub session_id: SessionId }
    pub struct RenameSession { pub session_id: SessionId, pub title: String }
    /// Absent fields stay.
    pub struct ConfigureSession {
        pub session_id: SessionId,
        #[serde(default)] pub kb_ids: Option<Vec<KbId>>,
        #[serde(default)] pub level: Option<Level>,
        #[serde(default)] pub plan: Option<bool>,
        #[serde(default)] pub model: Option<ModelChoice>,
    }
    /// Absent id: the offline assistant.
    pub struct ModelChoice { pub model_id: Option<ModelId> }
    pub struct EditCheckpoint { pub session_id: SessionId, pub message_id: MessageId, pub text: String }
    pub struct SentRef { pub id: SentId }
    pub struct QuestionRef { pub session_id: SessionId, pub message_id: MessageId }
    pub struct ForkSession {
        pub session_id: SessionId,
        /// With the turn of this message as the last one; absent: whole.
        #[serde(default)] pub until: Option<MessageId>,
    }
    /// Absent fields stay.
    pub struct ArrangeSession {
        pub session_id: SessionId,
        #[serde(default)] pub pinned: Option<bool>,
        #[serde(default)] pub archived: Option<bool>,
    }
    pub struct SearchSessions { pub text: String }
    pub struct Prompt {
        pub session_id: SessionId,
        pub text: String,
        /// Files the user pointed at.
        #[serde(default)] pub mentions: Vec<FilePlace>,
    }
    pub struct Started { pub turn_id: TurnId }
    pub struct Answer {
        pub approval_id: ApprovalId,
        pub allow: bool,
        /// With a yes: write this rule that the card offers, so that the same is not asked again.
        #[serde(default)] pub rule: Option<RuleReach>,
    }
    /// Of the user's own rules and those of these knowledge bases; empty: of all.
    pub struct ListRules { #[serde(default)] pub kb_ids: Vec<KbId> }

    /// Of one session; absent: of all.
    pub struct ListJobs { #[serde(default)] pub session_id: Option<SessionId> }
    pub struct JobRef { pub job: u64 }

    pub struct ListChanges {
        /// Only what waits for a decision or for being applied.
        #[serde(default)] pub pending: bool,
        #[serde(default)] pub session_id: Option<SessionId>,
        /// 0 means 100.
        #[serde(default)] pub limit: u32,
    }
    pub struct ChangeSetRef { pub change_set_id: ChangeSetId }
    pub struct OperationRef { pub operation_id: OperationId }
    pub struct ReviewChanges { pub change_set_id: ChangeSetId, pub decisions: Vec<Decision> }
    pub struct ApplyChanges {
        pub change_set_id: ChangeSetId,
        /// Empty: everything that is accepted; with `all`, everything that is not rejected.
        #[serde(default)] pub operations: Vec<OperationId>,
        #[serde(default)] pub all: bool,
    }

    /// One hunk's new lines, written by hand.
    pub struct EditProposal {
        pub operation_id: OperationId,
        pub hunk: u32,
        /// In place of the rows from the first changed one to the last, context before and after excluded,
        /// context between them included. Empty takes the lines out; the lines as they are in the file
        /// reject the hunk. Line breaks are `\n` and become the file's.
        pub text: String,
    }
    /// Lines of what was there before, which no hunk shows.
    pub struct UnchangedLines { pub operation_id: OperationId, pub lines: LineRange }
    pub struct AddComment {
        pub operation_id: OperationId,
        pub line: CommentLine,
        pub text: String,
    }
    pub struct CommentRef { pub comment_id: CommentId }
    /// One choice for each region where both sides meet, in order; none where nothing meets.
    pub struct ResolveConflict {
        pub operation_id: OperationId,
        pub choices: Vec<MergeChoice>,
        /// `diskHash` of the conflict as it was shown; refused when the file is another by now.
        #[serde(default)] pub disk: Option<ContentHash>,
    }
    /// Rejected hunks are proposed again; absent: all of them. The reply is the set where they wait now,
    /// which is another one when their own is finished.
    pub struct ProposeAgain {
        pub operation_id: OperationId,
        #[serde(default)] pub hunk: Option<u32>,
    }

    /// What moving or deleting these files and folders would touch.
    pub struct WeighFiles { pub places: Vec<FilePlace> }
    pub struct FilesWeighed {
        pub contents: FolderContents,
        /// Notes elsewhere that link to them.
        pub linking_notes: u32,
        /// Whether a copy is kept in history when they are deleted; beyond 64 MiB only the trash has one.
        pub kept: bool,
        /// What history cannot keep, however small it is: only the trash will have it.
        pub unkept: Vec<String>,
    }
    pub struct MoveFile {
        pub from: FilePlace,
        /// The whole target, name included.
        pub to: FilePlace,
        /// Also updates the links in other notes.
        pub links: bool,
    }
    pub struct TrashFiles { pub places: Vec<FilePlace> }

    pub struct CompareVersions { pub place: FilePlace, pub old: Moment, pub new: Moment }
    /// Takes back everything that a turn changed, or what it changed at or below `path`.
    pub struct RestoreTurn {
        pub session_id: SessionId,
        pub turn_id: TurnId,
        #[serde(default)] pub within: Option<FilePlace>,
    }
    pub struct ListHistory { pub place: FilePlace }
    pub struct RestoreVersion { pub version_id: VersionId }
    pub struct ReadVersion { pub version_id: VersionId }
    pub struct VersionText {
        /// Decoded, or absent when it cannot be.
        pub text: Option<String>,
        pub size: u64,
    }

    pub struct SaveModel {
        /// Absent: a new one.
        #[serde(default)] pub id: Option<ModelId>,
        pub name: String,
        #[serde(default)] pub protocol: Protocol,
        pub base_url: String,
        pub model: String,
        pub context_tokens: u32,
        pub tools: bool,
        #[serde(default)] pub vision: bool,
    }
    pub struct ModelRef { pub model_id: ModelId }
    /// An endpoint that may not be configured yet.
    pub struct ListOffers {
        pub protocol: Protocol,
        pub base_url: String,
        /// The key that is being typed; never stored by this call.
        #[serde(default)] pub key: Option<String>,
        /// A configured model whose key is used where none is typed.
        #[serde(default)] pub model_id: Option<ModelId>,
    }
    /// What a try of an endpoint gave.
    pub struct ModelCheck {
        /// Models that it lists.
        pub offers: Vec<ModelOffer>,
        /// Why it lists none.
        pub trouble: Option<Warning>,
    }
    pub struct SetKey {
        pub of: KeyOwner,
        /// Never returned by any call. Empty removes it.
        pub key: String,
        pub keep: KeepSecret,
    }
    /// Opens or makes the passphrase file for this run.
    pub struct OpenSecretFile { pub passphrase: String }

    pub struct ChangeSettings { pub settings: Settings }

    /// One line of `doctor`.
    pub struct Finding {
        pub name: String,
        pub ok: bool,
        pub detail: String,
        /// How to get it, when it is missing.
        pub remedy: Option<String>,
    }
    pub struct DoctorReport { pub findings: Vec<Finding> }

    pub struct SampleAdded { pub kb: KnowledgeBase, pub first: FilePlace }

    /// One call of one of the eight tools through the gate, as the assistant would make it.
    pub struct CallTool {
        pub tool: String,
        #[ts(type = "unknown")]
        pub input: serde_json::Value,
        pub kb_ids: Vec<KbId>,
        pub level: Level,
        pub plan: bool,
        /// Answers whatever would be asked with yes.
        pub approve: bool,
        #[serde(default)] pub session_id: Option<SessionId>,
        /// A session that is made for this call goes again with it, unless a change or a job hangs on it.
        #[serde(default)] pub passing: bool,
    }
    pub struct ToolCalled {
        /// What the model would read.
        #[ts(type = "unknown")]
        pub output: serde_json::Value,
        pub session_id: SessionId,
        /// The card, when the call had to be asked and was not approved.
        pub asked: Option<orangery_domain::ApprovalCard>,
        /// Set when the gate denied it, or the tool refused.
        pub denied: Option<String>,
        pub refused: Option<String>,
        /// Set when there is no such tool, or its parameters make no sense.
        pub misused: Option<String>,
    }

    /// An error as it travels.
    pub struct WireError {
        pub kind: ErrorKind,
        /// Stable, with a sentence in every language of the UI.
        pub code: Code,
        /// For people and logs, in English: what was attempted, with the path.
        pub message: String,
        /// Values for the sentence of `code`.
        #[ts(type = "Record<string, string>")]
        pub detail: std::collections::BTreeMap<String, String>,
    }
}

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum KeyOwner {
    Model(ModelId),
    /// The search engine of the web.
    WebSearch,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum KeepSecret {
    Keyring,
    File,
    Run,
}
