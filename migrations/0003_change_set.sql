-- A content, stored once however often it is referred to.
create table blob (
    -- BLAKE3 of the content
    hash blob primary key not null,
    -- bytes of the content
    size integer not null,
    -- 1 when content is a zstd frame
    compressed integer not null,
    content blob not null
) strict;

create table change_set (
    change_set_id integer primary key autoincrement,
    -- JSON; session and turn are repeated to be found
    provenance text not null,
    session_id text,
    turn_id integer,
    state text not null,
    created_at integer not null,
    applied_at integer,
    undone_by integer references change_set on delete set null
) strict;
create index change_set_session on change_set (session_id) where session_id is not null;
create index change_set_undone_by on change_set (undone_by) where undone_by is not null;

create table operation (
    operation_id integer primary key autoincrement,
    change_set_id integer not null references change_set on delete cascade,
    kind text not null,
    knowledge_base_id integer not null references knowledge_base on delete cascade,
    path text not null,
    path_key text not null,
    file_id integer references file on delete set null,
    state text not null,
    -- what it was proposed on; null where nothing was there
    base_hash blob references blob (hash),
    -- how base was decoded; null for folders and for what is no text
    encoding text,
    -- JSON edits of the decoded base
    edits_hash blob references blob (hash),
    -- one letter per edit: u, a or r
    decisions text not null,
    -- the bytes that it makes when taken whole, where they are known to the last
    exact_hash blob references blob (hash),
    -- the pending operation on the same file whose result is its base
    built_on integer references operation on delete set null,
    -- set when applied: what the file was and what it became; null where nothing was or is there
    before_hash blob references blob (hash),
    after_hash blob references blob (hash),
    applied_at integer,
    -- JSON array
    warnings text not null default '[]',
    note text
) strict;
create index operation_change_set on operation (change_set_id);
create index operation_place on operation (knowledge_base_id, path_key);
create index operation_file on operation (file_id) where file_id is not null;
create index operation_built_on on operation (built_on) where built_on is not null;
create index operation_base on operation (base_hash);
create index operation_edits on operation (edits_hash);
create index operation_exact on operation (exact_hash);
create index operation_before on operation (before_hash);
create index operation_after on operation (after_hash);

-- The content of a file as it was before one recorded change; provenance is that change's.
create table version (
    version_id integer primary key autoincrement,
    knowledge_base_id integer not null references knowledge_base on delete cascade,
    path text not null,
    path_key text not null,
    file_id integer references file on delete set null,
    hash blob not null references blob (hash),
    created_at integer not null,
    provenance text not null,
    change_set_id integer references change_set on delete set null
) strict;
create index version_place on version (knowledge_base_id, path_key);
create index version_file on version (file_id) where file_id is not null;
create index version_change_set on version (change_set_id) where change_set_id is not null;
create index version_hash on version (hash);

-- What is being written to files right now. Empty at rest.
create table journal (
    journal_id integer primary key autoincrement,
    change_set_id integer references change_set on delete cascade,
    provenance text not null,
    started_at integer not null
) strict;

create table journal_step (
    journal_id integer not null references journal on delete cascade,
    ordinal integer not null,
    knowledge_base_id integer not null references knowledge_base on delete cascade,
    path text not null,
    folder integer not null,
    -- null: nothing there before, nothing there after
    old_hash blob references blob (hash),
    new_hash blob references blob (hash),
    -- 1 when the old content becomes a version
    keep_version integer not null,
    -- JSON array of the operations that this step applies
    operations text not null,
    primary key (journal_id, ordinal)
) strict, without rowid;
create index journal_step_old on journal_step (old_hash);
create index journal_step_new on journal_step (new_hash);
