create table knowledge_base (
    knowledge_base_id integer primary key autoincrement,
    name text not null,
    root text not null unique,
    sort_order integer not null default 0,
    created_at integer not null,
    scanned_at integer
) strict;
