-- What the readers of documents gave, by the bytes that they read and what they took them for: the same
-- bytes are not read twice, wherever they lie.
create table extraction (
    -- BLAKE3 of the bytes
    hash blob not null,
    kind text not null,
    -- encoding that the user chose, else empty
    encoding text not null default '',
    -- of the readers
    version integer not null,
    -- bytes of content when unpacked
    size integer not null,
    -- zstd frame of JSON
    content blob not null,
    primary key (hash, kind, encoding)
) strict;

-- Where the password of a locked document is kept; never the password.
create table document_password (
    hash blob primary key not null,
    key_place text not null
) strict;

-- Version of the readers that a document's text comes from; 0 before it was read.
alter table file add column read_version integer not null default 0;
-- 1 when a document may have changed since it was read.
alter table file add column waits integer not null default 0;
-- JSON array: what is odd about what was read
alter table file add column warnings text not null default '[]';

-- First block, from 1; null in notes.
alter table chunk add column block_start integer;
-- JSON array of [byte in text, spot], ascending, one for each block; null in notes.
alter table chunk add column spots text;
