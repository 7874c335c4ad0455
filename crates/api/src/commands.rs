//! The command list. All else about commands (dispatch, TypeScript, stale tags) is derived from it.

use std::sync::Arc;

use orangery_domain::*;
use serde_json::Value;

use crate::error::{Code, Result};
use crate::handlers;
use crate::request::*;
use crate::rooms::Rooms;

/// Turns the list into what hosts and the UI need. A row reads: noun and verb, which name the handler
/// and the method (`as` where the method is spelt otherwise), request, reply, mode, tags.
macro_rules! commands {
    ($( $(#[$doc:meta])* $noun:ident . $verb:ident $(as $wire:ident)? ( $request:ty ) -> $reply:ty => $mode:ident [ $($tag:ident),* ], )*) => {
        /// Name, request, reply, and the tags that a call reads or makes stale.
        pub const COMMANDS: &[Command] = &[$(Command {
            method: commands!(@method $noun $verb $($wire)?),
            writes: commands!(@writes $mode),
            tags: &[$(Tag::$tag),*],
        }),*];

        /// Runs one call. A successful call that writes makes its tags stale.
        async fn run(rooms: &Rooms, method: &str, params: Value) -> Result<Value> {
            match method {
                $(commands!(@method $noun $verb $($wire)?) => {
                    let request: $request = parse(method, params)?;
                    // Boxed: the future of this match would else be as big as its biggest handler's.
                    let reply: $reply = Box::pin(handlers::$noun::$verb(rooms, request)).await?;
                    if commands!(@writes $mode) {
                        rooms.events.stale(&[$(Tag::$tag),*]);
                    }
                    serde_json::to_value(reply).map_err(WireError::internal)
                })*
                _ => Err(WireError::new(Code::UnknownMethod, format!("no method {method}")).with("method", method)),
            }
        }

        /// The TypeScript map of methods to request and reply, and every type it needs.
        pub fn visit_types(cfg: &ts_rs::Config, mut each: impl FnMut(&'static str, String, String)) -> Result<(), ts_rs::ExportError> {
            use ts_rs::TS;
            $(
                export::<$request>(cfg)?;
                export::<$reply>(cfg)?;
                each(commands!(@method $noun $verb $($wire)?), <$request>::name(cfg), <$reply>::name(cfg));
            )*
            Ok(())
        }
    };
    (@method $noun:ident $verb:ident) => { concat!(stringify!($noun), ".", stringify!($verb)) };
    (@method $noun:ident $verb:ident $wire:ident) => { concat!(stringify!($noun), ".", stringify!($wire)) };
    (@writes reads) => { false };
    (@writes stales) => { true };
}

/// Runs one call. A host may drop what comes of it at any moment (its client went away), and half of a
/// call that writes would be worse than none or all: such a call runs by itself, and is waited for when
/// the rooms close.
pub(crate) async fn dispatch(rooms: &Arc<Rooms>, method: &str, params: Value) -> Result<Value> {
    let Some(command) = find(method).filter(|command| command.writes) else {
        return run(rooms, method, params).await;
    };
    let (of, method) = (Arc::clone(rooms), command.method);
    let call = rooms.calls.spawn(async move { run(&of, method, params).await });
    call.await.map_err(|error| WireError::internal(format!("{method}: {error}")))?
}

/// The command called `method`.
pub fn find(method: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.method == method)
}

fn parse<T: serde::de::DeserializeOwned>(method: &str, params: Value) -> Result<T> {
    // No parameters may be said by none at all.
    let params = match params {
        Value::Null => Value::Object(Default::default()),
        params => params,
    };
    serde_json::from_value(params).map_err(|error| {
        WireError::new(Code::BadParameters, format!("{method}: {error}"))
            .with("method", method)
            .with("reason", error)
    })
}

/// One row of the list.
#[derive(Debug, Clone, Copy)]
pub struct Command {
    pub method: &'static str,
    /// Whether a successful call makes `tags` stale; else its answer goes stale with them.
    pub writes: bool,
    pub tags: &'static [Tag],
}

fn export<T: ts_rs::TS + 'static>(cfg: &ts_rs::Config) -> Result<(), ts_rs::ExportError> {
    match T::export_all(cfg) {
        Err(ts_rs::ExportError::CannotBeExported(_)) => {
            // `()` and lists have no file of their own, but what a list holds may be named nowhere else.
            let mut inner = Inner { cfg, result: Ok(()) };
            T::visit_generics(&mut inner);
            inner.result
        }
        other => other,
    }
}

/// Exports the types a list is made of.
struct Inner<'a> {
    cfg: &'a ts_rs::Config,
    result: Result<(), ts_rs::ExportError>,
}

impl ts_rs::TypeVisitor for Inner<'_> {
    fn visit<T: ts_rs::TS + 'static + ?Sized>(&mut self) {
        if self.result.is_ok() {
            // What TypeScript has itself, as a string, has no file either.
            self.result = match T::export_all(self.cfg) {
                Err(ts_rs::ExportError::CannotBeExported(_)) => Ok(()),
                other => other,
            };
        }
    }
}

commands! {
    host.capabilities(Nothing) -> Capabilities => reads [],

    /// With how many files each has.
    kb.list(Nothing) -> Vec<KnowledgeBase> => reads [KnowledgeBases, Files],
    kb.add(AddKnowledgeBase) -> KnowledgeBase => stales [KnowledgeBases, Files],
    /// Writes the user guide as a folder of notes into the documents folder and registers it.
    kb.add_sample as addSample(Nothing) -> SampleAdded => stales [KnowledgeBases, Files],
    kb.rename(RenameKnowledgeBase) -> () => stales [KnowledgeBases],
    kb.reorder(ReorderKnowledgeBases) -> () => stales [KnowledgeBases],
    /// Files are never touched.
    kb.forget(KbRef) -> () => stales [KnowledgeBases, Files, Search],
    kb.rescan(KbRef) -> () => stales [KnowledgeBases],
    kb.pause(KbRef) -> () => stales [KnowledgeBases],
    /// Gives up the scan and the reading that are at work; `kb.rescan` goes on.
    kb.cancel(KbRef) -> () => stales [KnowledgeBases],

    folder.browse(BrowseFolder) -> FolderListing => reads [],
    /// Folders first, then files, by natural order.
    file.list(ListFiles) -> Vec<TreeEntry> => reads [Files],
    /// Fuzzy over names and paths; an empty text gives the most recently changed.
    file.find(FindNames) -> Vec<NameHit> => reads [Files],

    /// Files that could not be read, or only in part, with why.
    file.troubled(Nothing) -> Vec<FileInfo> => reads [Files],
    /// Those of most files first.
    tag.list(Nothing) -> Vec<TagCount> => reads [Files],
    /// Where a file is by now; nothing where it is gone.
    file.whereabouts(FileRef) -> Option<FilePlace> => reads [Files],
    file.weigh(WeighFiles) -> FilesWeighed => reads [Files, Links],
    /// Moves or renames a file or folder, as an applied change set that can be undone.
    file.relocate as move(MoveFile) -> Applied => stales [Changes, History, Files, Links],
    /// To the system's trash; fails rather than delete for good.
    file.trash(TrashFiles) -> Applied => stales [Changes, History, Files, Links],

    note.open(OpenNoteAt) -> OpenNote => reads [],
    note.save(SaveNote) -> SavedNote => stales [History],
    note.create(CreateNote) -> OpenNote => stales [Files],
    note.create_folder as createFolder(CreateFolder) -> () => stales [Files],
    note.choose_encoding as chooseEncoding(ChooseEncoding) -> OpenNote => stales [Files, Search],
    /// All of a document but its text, read now if it was not read before. What is wrong with it is in it.
    document.open(DocumentAt) -> DocumentView => reads [Files],
    document.choose_encoding as chooseEncoding(ChooseEncoding) -> DocumentView => stales [Files, Search],
    document.blocks(ListBlocks) -> BlockPage => reads [Files],
    /// Cell by cell, where blocks have only the text of a row.
    document.rows(ListRows) -> RowPage => reads [Files],
    /// The words of a page of a PDF with their boxes, in reading order.
    document.words(ListWords) -> Vec<PageWord> => reads [Files],
    /// Reads a locked document with its password.
    document.unlock(UnlockDocument) -> DocumentView => stales [Files, Search],
    /// Reads a document again, whatever came of it before.
    document.retry(DocumentAt) -> DocumentView => stales [Files, Search],
    link.resolve(ResolveLinks) -> Vec<ResolvedLink> => reads [Files],
    link.list(OpenNoteAt) -> NoteLinks => reads [Links],

    search.run(SearchQuery) -> SearchPage => reads [Search],
    /// Lines of files on disk that fit a pattern, whatever the index knows of them.
    search.text(TextQuery) -> TextPage => reads [Search],

    session.list(Nothing) -> Vec<Session> => reads [Sessions],
    session.create(CreateSession) -> Session => stales [Sessions],
    session.get(SessionRef) -> Transcript => reads [Transcript],
    session.rename(RenameSession) -> () => stales [Sessions, Transcript],
    session.configure(ConfigureSession) -> Session => stales [Sessions, Transcript],
    /// Puts a checkpoint in place of all turns but the last one.
    session.compact(SessionRef) -> Started => stales [Sessions],
    /// The user's own words for what the model reads in place of older turns.
    session.edit_checkpoint as editCheckpoint(EditCheckpoint) -> () => stales [Transcript],
    /// What its model was sent, the newest requests first.
    session.sent(SessionRef) -> Vec<SentRequest> => reads [Transcript, Sessions],
    session.sent_parts as sentParts(SentRef) -> Vec<SentPart> => reads [],
    /// Drops a question and all that came after it; what that proposed and still waits is withdrawn.
    session.rewind(QuestionRef) -> () => stales [Sessions, Transcript, Changes],
    /// A copy that goes on by itself.
    session.fork(ForkSession) -> Session => stales [Sessions],
    session.arrange(ArrangeSession) -> () => stales [Sessions],
    session.search(SearchSessions) -> Vec<SessionHit> => reads [Sessions],
    session.remove(SessionRef) -> () => stales [Sessions],
    agent.prompt(Prompt) -> Started => stales [Sessions],
    agent.stop(SessionRef) -> () => stales [],
    agent.answer(Answer) -> () => stales [],
    /// Rules that cannot be understood. Every turn reads the files anew, and so does every turn's end.
    agent.broken_rules as brokenRules(ListRules) -> Vec<Warning> => reads [Sessions, KnowledgeBases],
    tool.call(CallTool) -> ToolCalled => stales [Changes],

    /// Commands in the background, oldest first.
    job.list(ListJobs) -> Vec<Job> => reads [Jobs],
    job.output(JobRef) -> JobOutput => reads [],
    /// Ends a command and everything that it started.
    job.stop(JobRef) -> () => stales [Jobs],

    change.list(ListChanges) -> Vec<ChangeSetSummary> => reads [Changes],
    change.get(ChangeSetRef) -> ChangeSet => reads [Changes],
    change.diff(OperationRef) -> OperationDiff => reads [Changes],
    change.unchanged(UnchangedLines) -> Vec<String> => reads [],
    change.review(ReviewChanges) -> ChangeSet => stales [Changes],
    change.apply(ApplyChanges) -> Applied => stales [Changes, History, Files],
    change.reject(ChangeSetRef) -> () => stales [Changes],
    /// Takes back what was applied, as a new change set through the same door.
    change.undo(ChangeSetRef) -> Applied => stales [Changes, History, Files],
    /// The user's own words for a hunk.
    change.edit_proposal as editProposal(EditProposal) -> OperationDiff => stales [Changes],
    change.comment(AddComment) -> Comment => stales [Changes],
    change.remove_comment as removeComment(CommentRef) -> () => stales [Changes],
    /// Unsent comments go back to the session of the set as one prompt that quotes the lines.
    change.send_comments as sendComments(ChangeSetRef) -> Started => stales [Changes, Sessions],
    change.propose_again as proposeAgain(ProposeAgain) -> ChangeSet => stales [Changes],
    /// Proposes the merged text in place of an operation in conflict; nothing is written.
    change.resolve(ResolveConflict) -> ChangeSet => stales [Changes],
    history.list(ListHistory) -> Vec<Version> => reads [History],
    history.read(ReadVersion) -> VersionText => reads [],
    history.compare(CompareVersions) -> VersionDiff => reads [History],
    history.restore(RestoreVersion) -> Applied => stales [Changes, History, Files],
    history.restore_turn as restoreTurn(RestoreTurn) -> Applied => stales [Changes, History, Files],
    history.usage(Nothing) -> HistoryUsage => reads [History],
    /// Drops versions beyond what is kept and gives the space back.
    history.vacuum(Nothing) -> HistoryUsage => stales [History],

    setting.get(Nothing) -> Settings => reads [Settings],
    setting.set(ChangeSettings) -> Settings => stales [Settings],
    model.list(Nothing) -> Vec<ModelProfile> => reads [Models],
    model.save(SaveModel) -> ModelProfile => stales [Models],
    model.remove(ModelRef) -> () => stales [Models],
    /// Asks the endpoint of a configured model which models it has.
    model.check(ModelRef) -> ModelCheck => reads [],
    /// Asks an endpoint which models it has.
    model.offers(ListOffers) -> ModelCheck => reads [],
    secret.status(Nothing) -> SecretStatus => reads [Models],
    secret.set(SetKey) -> () => stales [Models, Settings],
    secret.open(OpenSecretFile) -> SecretStatus => stales [Models],

    host.doctor(Nothing) -> DoctorReport => reads [],
    /// Whether index, database and disk say the same, looked at byte for byte and word for word: one line,
    /// or one for each file where they do not.
    host.verify(Nothing) -> DoctorReport => reads [],
}
