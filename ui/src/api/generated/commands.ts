// Generated from the command list in crates/api. Do not edit.

import type { AddComment } from "./AddComment";
import type { AddKnowledgeBase } from "./AddKnowledgeBase";
import type { Answer } from "./Answer";
import type { Applied } from "./Applied";
import type { ApplyChanges } from "./ApplyChanges";
import type { Approval } from "./Approval";
import type { ApprovalCard } from "./ApprovalCard";
import type { ApprovalId } from "./ApprovalId";
import type { ApprovalState } from "./ApprovalState";
import type { Area } from "./Area";
import type { ArrangeSession } from "./ArrangeSession";
import type { BlockKind } from "./BlockKind";
import type { BlockLink } from "./BlockLink";
import type { BlockPage } from "./BlockPage";
import type { BrowseFolder } from "./BrowseFolder";
import type { CallTool } from "./CallTool";
import type { Capabilities } from "./Capabilities";
import type { CardFact } from "./CardFact";
import type { ChangeSet } from "./ChangeSet";
import type { ChangeSetId } from "./ChangeSetId";
import type { ChangeSetRef } from "./ChangeSetRef";
import type { ChangeSetState } from "./ChangeSetState";
import type { ChangeSetSummary } from "./ChangeSetSummary";
import type { ChangeSettings } from "./ChangeSettings";
import type { ChooseEncoding } from "./ChooseEncoding";
import type { Citation } from "./Citation";
import type { Code } from "./Code";
import type { CommandEnd } from "./CommandEnd";
import type { Comment } from "./Comment";
import type { CommentId } from "./CommentId";
import type { CommentLine } from "./CommentLine";
import type { CommentRef } from "./CommentRef";
import type { CompareVersions } from "./CompareVersions";
import type { ConfigureSession } from "./ConfigureSession";
import type { ConflictView } from "./ConflictView";
import type { ContextUse } from "./ContextUse";
import type { CreateFolder } from "./CreateFolder";
import type { CreateNote } from "./CreateNote";
import type { CreateSession } from "./CreateSession";
import type { Decision } from "./Decision";
import type { Density } from "./Density";
import type { DiffRow } from "./DiffRow";
import type { DiffSign } from "./DiffSign";
import type { DoctorReport } from "./DoctorReport";
import type { DocumentAt } from "./DocumentAt";
import type { DocumentBlock } from "./DocumentBlock";
import type { DocumentPage } from "./DocumentPage";
import type { DocumentPicture } from "./DocumentPicture";
import type { DocumentView } from "./DocumentView";
import type { EditCheckpoint } from "./EditCheckpoint";
import type { EditProposal } from "./EditProposal";
import type { EncodingChange } from "./EncodingChange";
import type { ErrorKind } from "./ErrorKind";
import type { Event } from "./Event";
import type { FileId } from "./FileId";
import type { FileInfo } from "./FileInfo";
import type { FileKind } from "./FileKind";
import type { FilePlace } from "./FilePlace";
import type { FileRef } from "./FileRef";
import type { FilesWeighed } from "./FilesWeighed";
import type { FindNames } from "./FindNames";
import type { Finding } from "./Finding";
import type { FolderContents } from "./FolderContents";
import type { FolderEntry } from "./FolderEntry";
import type { FolderListing } from "./FolderListing";
import type { ForkSession } from "./ForkSession";
import type { HistoryUsage } from "./HistoryUsage";
import type { Hunk } from "./Hunk";
import type { HunkDecision } from "./HunkDecision";
import type { Incomplete } from "./Incomplete";
import type { Job } from "./Job";
import type { JobOutput } from "./JobOutput";
import type { JobRef } from "./JobRef";
import type { KbId } from "./KbId";
import type { KbPath } from "./KbPath";
import type { KbRef } from "./KbRef";
import type { KeepSecret } from "./KeepSecret";
import type { KeyOwner } from "./KeyOwner";
import type { KeyPlace } from "./KeyPlace";
import type { KnowledgeBase } from "./KnowledgeBase";
import type { Language } from "./Language";
import type { Level } from "./Level";
import type { LineEnding } from "./LineEnding";
import type { LineRange } from "./LineRange";
import type { LinkKind } from "./LinkKind";
import type { ListBlocks } from "./ListBlocks";
import type { ListChanges } from "./ListChanges";
import type { ListFiles } from "./ListFiles";
import type { ListHistory } from "./ListHistory";
import type { ListJobs } from "./ListJobs";
import type { ListOffers } from "./ListOffers";
import type { ListRows } from "./ListRows";
import type { ListRules } from "./ListRules";
import type { ListWords } from "./ListWords";
import type { MergeChoice } from "./MergeChoice";
import type { MergeKind } from "./MergeKind";
import type { MergeRegion } from "./MergeRegion";
import type { Message } from "./Message";
import type { MessageContent } from "./MessageContent";
import type { MessageId } from "./MessageId";
import type { ModelCheck } from "./ModelCheck";
import type { ModelChoice } from "./ModelChoice";
import type { ModelId } from "./ModelId";
import type { ModelOffer } from "./ModelOffer";
import type { ModelProfile } from "./ModelProfile";
import type { ModelRef } from "./ModelRef";
import type { Moment } from "./Moment";
import type { MoveFile } from "./MoveFile";
import type { NameHit } from "./NameHit";
import type { NoteLink } from "./NoteLink";
import type { NoteLinks } from "./NoteLinks";
import type { Nothing } from "./Nothing";
import type { Numbered } from "./Numbered";
import type { OpenNote } from "./OpenNote";
import type { OpenNoteAt } from "./OpenNoteAt";
import type { OpenSecretFile } from "./OpenSecretFile";
import type { Operation } from "./Operation";
import type { OperationDiff } from "./OperationDiff";
import type { OperationId } from "./OperationId";
import type { OperationKind } from "./OperationKind";
import type { OperationRef } from "./OperationRef";
import type { OperationState } from "./OperationState";
import type { OutlineEntry } from "./OutlineEntry";
import type { OutputPiece } from "./OutputPiece";
import type { OutputSource } from "./OutputSource";
import type { PageWord } from "./PageWord";
import type { Position } from "./Position";
import type { PositionEdit } from "./PositionEdit";
import type { Prompt } from "./Prompt";
import type { ProposeAgain } from "./ProposeAgain";
import type { Protocol } from "./Protocol";
import type { Provenance } from "./Provenance";
import type { QuestionRef } from "./QuestionRef";
import type { ReadVersion } from "./ReadVersion";
import type { RenameKnowledgeBase } from "./RenameKnowledgeBase";
import type { RenameSession } from "./RenameSession";
import type { ReorderKnowledgeBases } from "./ReorderKnowledgeBases";
import type { ResolveConflict } from "./ResolveConflict";
import type { ResolveLinks } from "./ResolveLinks";
import type { ResolvedLink } from "./ResolvedLink";
import type { RestoreTurn } from "./RestoreTurn";
import type { RestoreVersion } from "./RestoreVersion";
import type { ReviewChanges } from "./ReviewChanges";
import type { RowPage } from "./RowPage";
import type { RuleOffer } from "./RuleOffer";
import type { RuleReach } from "./RuleReach";
import type { SampleAdded } from "./SampleAdded";
import type { SaveModel } from "./SaveModel";
import type { SaveNote } from "./SaveNote";
import type { SavedNote } from "./SavedNote";
import type { ScanHold } from "./ScanHold";
import type { ScanPhase } from "./ScanPhase";
import type { ScanState } from "./ScanState";
import type { SearchGroup } from "./SearchGroup";
import type { SearchPage } from "./SearchPage";
import type { SearchQuery } from "./SearchQuery";
import type { SearchSessions } from "./SearchSessions";
import type { SecretStatus } from "./SecretStatus";
import type { SentId } from "./SentId";
import type { SentPart } from "./SentPart";
import type { SentRef } from "./SentRef";
import type { SentRequest } from "./SentRequest";
import type { SentRole } from "./SentRole";
import type { Session } from "./Session";
import type { SessionHit } from "./SessionHit";
import type { SessionId } from "./SessionId";
import type { SessionRef } from "./SessionRef";
import type { SetKey } from "./SetKey";
import type { Settings } from "./Settings";
import type { SheetView } from "./SheetView";
import type { Sizes } from "./Sizes";
import type { Spot } from "./Spot";
import type { Started } from "./Started";
import type { Tag } from "./Tag";
import type { TagCount } from "./TagCount";
import type { TextFile } from "./TextFile";
import type { TextLayer } from "./TextLayer";
import type { TextPage } from "./TextPage";
import type { TextQuery } from "./TextQuery";
import type { TextRow } from "./TextRow";
import type { Theme } from "./Theme";
import type { ToolCalled } from "./ToolCalled";
import type { ToolState } from "./ToolState";
import type { ToolStep } from "./ToolStep";
import type { Transcript } from "./Transcript";
import type { TrashFiles } from "./TrashFiles";
import type { TreeEntry } from "./TreeEntry";
import type { TurnId } from "./TurnId";
import type { UnchangedLines } from "./UnchangedLines";
import type { UnlockDocument } from "./UnlockDocument";
import type { Version } from "./Version";
import type { VersionDiff } from "./VersionDiff";
import type { VersionId } from "./VersionId";
import type { VersionText } from "./VersionText";
import type { Warning } from "./Warning";
import type { WebEngine } from "./WebEngine";
import type { WebSearch } from "./WebSearch";
import type { WeighFiles } from "./WeighFiles";
import type { WireError } from "./WireError";
import type { WrittenLink } from "./WrittenLink";

export type { AddComment, AddKnowledgeBase, Answer, Applied, ApplyChanges, Approval, ApprovalCard, ApprovalId, ApprovalState, Area, ArrangeSession, BlockKind, BlockLink, BlockPage, BrowseFolder, CallTool, Capabilities, CardFact, ChangeSet, ChangeSetId, ChangeSetRef, ChangeSetState, ChangeSetSummary, ChangeSettings, ChooseEncoding, Citation, Code, CommandEnd, Comment, CommentId, CommentLine, CommentRef, CompareVersions, ConfigureSession, ConflictView, ContextUse, CreateFolder, CreateNote, CreateSession, Decision, Density, DiffRow, DiffSign, DoctorReport, DocumentAt, DocumentBlock, DocumentPage, DocumentPicture, DocumentView, EditCheckpoint, EditProposal, EncodingChange, ErrorKind, Event, FileId, FileInfo, FileKind, FilePlace, FileRef, FilesWeighed, FindNames, Finding, FolderContents, FolderEntry, FolderListing, ForkSession, HistoryUsage, Hunk, HunkDecision, Incomplete, Job, JobOutput, JobRef, KbId, KbPath, KbRef, KeepSecret, KeyOwner, KeyPlace, KnowledgeBase, Language, Level, LineEnding, LineRange, LinkKind, ListBlocks, ListChanges, ListFiles, ListHistory, ListJobs, ListOffers, ListRows, ListRules, ListWords, MergeChoice, MergeKind, MergeRegion, Message, MessageContent, MessageId, ModelCheck, ModelChoice, ModelId, ModelOffer, ModelProfile, ModelRef, Moment, MoveFile, NameHit, NoteLink, NoteLinks, Nothing, Numbered, OpenNote, OpenNoteAt, OpenSecretFile, Operation, OperationDiff, OperationId, OperationKind, OperationRef, OperationState, OutlineEntry, OutputPiece, OutputSource, PageWord, Position, PositionEdit, Prompt, ProposeAgain, Protocol, Provenance, QuestionRef, ReadVersion, RenameKnowledgeBase, RenameSession, ReorderKnowledgeBases, ResolveConflict, ResolveLinks, ResolvedLink, RestoreTurn, RestoreVersion, ReviewChanges, RowPage, RuleOffer, RuleReach, SampleAdded, SaveModel, SaveNote, SavedNote, ScanHold, ScanPhase, ScanState, SearchGroup, SearchPage, SearchQuery, SearchSessions, SecretStatus, SentId, SentPart, SentRef, SentRequest, SentRole, Session, SessionHit, SessionId, SessionRef, SetKey, Settings, SheetView, Sizes, Spot, Started, Tag, TagCount, TextFile, TextLayer, TextPage, TextQuery, TextRow, Theme, ToolCalled, ToolState, ToolStep, Transcript, TrashFiles, TreeEntry, TurnId, UnchangedLines, UnlockDocument, Version, VersionDiff, VersionId, VersionText, Warning, WebEngine, WebSearch, WeighFiles, WireError, WrittenLink };

/** Every method with its request and its reply. */
export interface Commands {
  "host.capabilities": { request: Nothing; reply: Capabilities };
  "kb.list": { request: Nothing; reply: Array<KnowledgeBase> };
  "kb.add": { request: AddKnowledgeBase; reply: KnowledgeBase };
  "kb.addSample": { request: Nothing; reply: SampleAdded };
  "kb.rename": { request: RenameKnowledgeBase; reply: null };
  "kb.reorder": { request: ReorderKnowledgeBases; reply: null };
  "kb.forget": { request: KbRef; reply: null };
  "kb.rescan": { request: KbRef; reply: null };
  "kb.pause": { request: KbRef; reply: null };
  "kb.cancel": { request: KbRef; reply: null };
  "folder.browse": { request: BrowseFolder; reply: FolderListing };
  "file.list": { request: ListFiles; reply: Array<TreeEntry> };
  "file.find": { request: FindNames; reply: Array<NameHit> };
  "file.troubled": { request: Nothing; reply: Array<FileInfo> };
  "tag.list": { request: Nothing; reply: Array<TagCount> };
  "file.whereabouts": { request: FileRef; reply: FilePlace | null };
  "file.weigh": { request: WeighFiles; reply: FilesWeighed };
  "file.move": { request: MoveFile; reply: Applied };
  "file.trash": { request: TrashFiles; reply: Applied };
  "note.open": { request: OpenNoteAt; reply: OpenNote };
  "note.save": { request: SaveNote; reply: SavedNote };
  "note.create": { request: CreateNote; reply: OpenNote };
  "note.createFolder": { request: CreateFolder; reply: null };
  "note.chooseEncoding": { request: ChooseEncoding; reply: OpenNote };
  "document.open": { request: DocumentAt; reply: DocumentView };
  "document.chooseEncoding": { request: ChooseEncoding; reply: DocumentView };
  "document.blocks": { request: ListBlocks; reply: BlockPage };
  "document.rows": { request: ListRows; reply: RowPage };
  "document.words": { request: ListWords; reply: Array<PageWord> };
  "document.unlock": { request: UnlockDocument; reply: DocumentView };
  "document.retry": { request: DocumentAt; reply: DocumentView };
  "link.resolve": { request: ResolveLinks; reply: Array<ResolvedLink> };
  "link.list": { request: OpenNoteAt; reply: NoteLinks };
  "search.run": { request: SearchQuery; reply: SearchPage };
  "search.text": { request: TextQuery; reply: TextPage };
  "session.list": { request: Nothing; reply: Array<Session> };
  "session.create": { request: CreateSession; reply: Session };
  "session.get": { request: SessionRef; reply: Transcript };
  "session.rename": { request: RenameSession; reply: null };
  "session.configure": { request: ConfigureSession; reply: Session };
  "session.compact": { request: SessionRef; reply: Started };
  "session.editCheckpoint": { request: EditCheckpoint; reply: null };
  "session.sent": { request: SessionRef; reply: Array<SentRequest> };
  "session.sentParts": { request: SentRef; reply: Array<SentPart> };
  "session.rewind": { request: QuestionRef; reply: null };
  "session.fork": { request: ForkSession; reply: Session };
  "session.arrange": { request: ArrangeSession; reply: null };
  "session.search": { request: SearchSessions; reply: Array<SessionHit> };
  "session.remove": { request: SessionRef; reply: null };
  "agent.prompt": { request: Prompt; reply: Started };
  "agent.stop": { request: SessionRef; reply: null };
  "agent.answer": { request: Answer; reply: null };
  "agent.brokenRules": { request: ListRules; reply: Array<Warning> };
  "tool.call": { request: CallTool; reply: ToolCalled };
  "job.list": { request: ListJobs; reply: Array<Job> };
  "job.output": { request: JobRef; reply: JobOutput };
  "job.stop": { request: JobRef; reply: null };
  "change.list": { request: ListChanges; reply: Array<ChangeSetSummary> };
  "change.get": { request: ChangeSetRef; reply: ChangeSet };
  "change.diff": { request: OperationRef; reply: OperationDiff };
  "change.unchanged": { request: UnchangedLines; reply: Array<string> };
  "change.review": { request: ReviewChanges; reply: ChangeSet };
  "change.apply": { request: ApplyChanges; reply: Applied };
  "change.reject": { request: ChangeSetRef; reply: null };
  "change.undo": { request: ChangeSetRef; reply: Applied };
  "change.editProposal": { request: EditProposal; reply: OperationDiff };
  "change.comment": { request: AddComment; reply: Comment };
  "change.removeComment": { request: CommentRef; reply: null };
  "change.sendComments": { request: ChangeSetRef; reply: Started };
  "change.proposeAgain": { request: ProposeAgain; reply: ChangeSet };
  "change.resolve": { request: ResolveConflict; reply: ChangeSet };
  "history.list": { request: ListHistory; reply: Array<Version> };
  "history.read": { request: ReadVersion; reply: VersionText };
  "history.compare": { request: CompareVersions; reply: VersionDiff };
  "history.restore": { request: RestoreVersion; reply: Applied };
  "history.restoreTurn": { request: RestoreTurn; reply: Applied };
  "history.usage": { request: Nothing; reply: HistoryUsage };
  "history.vacuum": { request: Nothing; reply: HistoryUsage };
  "setting.get": { request: Nothing; reply: Settings };
  "setting.set": { request: ChangeSettings; reply: Settings };
  "model.list": { request: Nothing; reply: Array<ModelProfile> };
  "model.save": { request: SaveModel; reply: ModelProfile };
  "model.remove": { request: ModelRef; reply: null };
  "model.check": { request: ModelRef; reply: ModelCheck };
  "model.offers": { request: ListOffers; reply: ModelCheck };
  "secret.status": { request: Nothing; reply: SecretStatus };
  "secret.set": { request: SetKey; reply: null };
  "secret.open": { request: OpenSecretFile; reply: SecretStatus };
  "host.doctor": { request: Nothing; reply: DoctorReport };
  "host.verify": { request: Nothing; reply: DoctorReport };
}

/** Answers that go stale with these tags. */
export const READS: Partial<Record<keyof Commands, Tag[]>> = {
  "kb.list": ["knowledgeBases", "files"],
  "file.list": ["files"],
  "file.find": ["files"],
  "file.troubled": ["files"],
  "tag.list": ["files"],
  "file.whereabouts": ["files"],
  "file.weigh": ["files", "links"],
  "document.open": ["files"],
  "document.blocks": ["files"],
  "document.rows": ["files"],
  "document.words": ["files"],
  "link.resolve": ["files"],
  "link.list": ["links"],
  "search.run": ["search"],
  "search.text": ["search"],
  "session.list": ["sessions"],
  "session.get": ["transcript"],
  "session.sent": ["transcript", "sessions"],
  "session.search": ["sessions"],
  "agent.brokenRules": ["sessions", "knowledgeBases"],
  "job.list": ["jobs"],
  "change.list": ["changes"],
  "change.get": ["changes"],
  "change.diff": ["changes"],
  "history.list": ["history"],
  "history.compare": ["history"],
  "history.usage": ["history"],
  "setting.get": ["settings"],
  "model.list": ["models"],
  "secret.status": ["models"],
};
