-- What a person said about a line of a proposal.
create table comment (
    comment_id integer primary key autoincrement,
    operation_id integer not null references operation on delete cascade,
    -- old, new, or operation for the whole
    side text not null,
    -- from 1; 0 for the whole
    line integer not null,
    -- the line as it was when the comment was made
    quote text not null,
    text text not null,
    created_at integer not null,
    -- null until it went to the assistant
    sent_at integer
) strict;
create index comment_operation on comment (operation_id);

-- How an operation's edits group into hunks, and what each adds and removes, so that a set of a thousand
-- operations is listed without comparing a thousand texts. Holds for the base and edits that it names;
-- an operation that reads on from another text has to be looked at again.
create table operation_shape (
    operation_id integer primary key references operation on delete cascade,
    base_hash blob,
    edits_hash blob,
    -- JSON array of [first edit, edit after the last, lines added, lines removed]
    hunks text not null
) strict;

-- 1 when the user asked for a version of what was saved, or left the note: the next save keeps one
-- however soon it comes.
alter table version add column closed integer not null default 0;

-- What was kept of a file before the scan knew it, or before it was gone for a while, follows it from
-- now on.
create trigger version_of_new_file after insert on file begin
    update version set file_id = new.file_id
    where file_id is null and knowledge_base_id = new.knowledge_base_id and path_key = new.path_key;
end;
