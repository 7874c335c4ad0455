create table knowledge_base (
    knowledge_base_id integer primary key autoincrement,
    name text not null,
    -- absolute, as the platform writes it
    root text not null unique,
    sort_order integer not null default 0,
    created_at integer not null,
    -- end of the last whole scan
    scanned_at integer
) strict;
