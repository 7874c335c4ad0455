-- A scanned file. Content columns say what was last extracted.
create table file (
    file_id integer primary key autoincrement,
    knowledge_base_id integer not null references knowledge_base on delete cascade,
    -- relative, spelled as on disk
    path text not null,
    -- NFC of path: equal keys are one path to a user
    path_key text not null,
    kind text not null,
    size integer not null,
    modified_ns integer not null,
    inode integer,
    -- BLAKE3 of the bytes; null while they could not be read
    hash blob,
    encoding text,
    -- 1 when the user chose the encoding
    encoding_chosen integer not null default 0,
    title text not null,
    -- JSON array
    tags text not null default '[]',
    trouble_code text,
    trouble_detail text,
    -- raised whenever chunks, title, tags or path change; the index follows
    generation integer not null default 1,
    indexed_generation integer not null default 0,
    unique (knowledge_base_id, path)
) strict;
create index file_path_key on file (knowledge_base_id, path_key);
create index file_modified on file (modified_ns);
create index file_behind on file (file_id) where generation <> indexed_generation;

-- What is indexed and cited. The ranges of a file's chunks tile its decoded text.
create table chunk (
    file_id integer not null references file on delete cascade,
    ordinal integer not null,
    -- JSON array, outermost first
    heading_path text not null,
    range_start integer not null,
    range_end integer not null,
    line_start integer not null,
    line_end integer not null,
    -- readable text
    text text not null,
    -- JSON array of [byte in text, line], ascending: where the lines of the source begin in text
    line_map text not null,
    primary key (file_id, ordinal)
) strict, without rowid;

create table link (
    file_id integer not null references file on delete cascade,
    ordinal integer not null,
    kind text not null,
    target text not null,
    -- the target's last component: NFC, lower case, without the extension of a note; empty for links
    -- within the note
    target_key text not null,
    fragment text,
    line integer not null,
    -- the text of the line
    context text not null,
    primary key (file_id, ordinal)
) strict, without rowid;
create index link_target on link (target_key);
