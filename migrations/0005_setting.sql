-- One row per field of the settings that the user changed; the rest is at its default.
create table setting (
    name text primary key,
    value text not null
) strict, without rowid;

-- Keys are never here: key_place says where one is kept.
create table model (
    model_id integer primary key autoincrement,
    name text not null,
    base_url text not null,
    model text not null,
    context_tokens integer not null,
    tools integer not null,
    key_place text not null default 'none',
    created_at integer not null
) strict;
