//! One file per noun of the command list, one function per verb.

pub(crate) mod folder;
pub(crate) mod host;
pub(crate) mod model;
pub(crate) mod secret;
pub(crate) mod setting;

/// Rooms that are not built yet.
macro_rules! absent {
    ($($noun:ident: $($verb:ident($request:ty) -> $reply:ty),*;)*) => {$(
        pub(crate) mod $noun {
            #[allow(unused_imports, reason = "goes with the last of these")]
            use {crate::{error::*, request::*, rooms::Rooms}, orangery_domain::*};
            $(pub(crate) async fn $verb(_: &Rooms, _: $request) -> Result<$reply> {
                Err(WireError::new(Code::Unavailable, "not yet"))
            })*
        }
    )*};
}
absent! {
    kb: list(Nothing) -> Vec<KnowledgeBase>, add(AddKnowledgeBase) -> KnowledgeBase, add_sample(Nothing) -> SampleAdded, rename(RenameKnowledgeBase) -> (), reorder(ReorderKnowledgeBases) -> (), forget(KbRef) -> (), rescan(KbRef) -> (), pause(KbRef) -> ();
    file: list(ListFiles) -> Vec<TreeEntry>, find(FindNames) -> Vec<NameHit>;
    note: open(OpenNoteAt) -> OpenNote, save(SaveNote) -> SavedNote, create(CreateNote) -> OpenNote, create_folder(CreateFolder) -> (), choose_encoding(ChooseEncoding) -> OpenNote;
    link: resolve(ResolveLink) -> ResolvedLink, list(OpenNoteAt) -> NoteLinks;
    search: run(SearchQuery) -> SearchPage;
    session: list(Nothing) -> Vec<Session>, create(CreateSession) -> Session, get(SessionRef) -> Transcript, rename(RenameSession) -> (), configure(ConfigureSession) -> Session, remove(SessionRef) -> ();
    agent: prompt(Prompt) -> Started, stop(SessionRef) -> (), answer(Answer) -> ();
    tool: call(CallTool) -> ToolCalled;
    change: list(ListChanges) -> Vec<ChangeSetSummary>, get(ChangeSetRef) -> ChangeSet, diff(OperationRef) -> OperationDiff, review(ReviewChanges) -> ChangeSet, apply(ApplyChanges) -> Applied, reject(ChangeSetRef) -> (), undo(ChangeSetRef) -> Applied;
    history: list(ListHistory) -> Vec<Version>, read(ReadVersion) -> VersionText, restore(RestoreVersion) -> Applied;
}
