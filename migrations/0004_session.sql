create table session (
    session_id text primary key not null,
    title text not null,
    -- 1 once the user named it; until then the first question does
    named integer not null default 0,
    level text not null,
    plan integer not null default 0,
    -- no foreign key: a removed model leaves its sessions, and answering with another is the user's choice
    model_id integer,
    created_at integer not null,
    updated_at integer not null,
    input_tokens integer not null default 0,
    output_tokens integer not null default 0
) strict;

create table session_knowledge_base (
    session_id text not null references session (session_id) on delete cascade,
    knowledge_base_id integer not null references knowledge_base (knowledge_base_id) on delete cascade,
    -- the first one is what relative paths resolve against
    sort_order integer not null,
    primary key (session_id, knowledge_base_id)
) strict;

create table turn (
    turn_id integer primary key autoincrement,
    session_id text not null references session (session_id) on delete cascade,
    -- what the user asked for
    goal text not null,
    started_at integer not null,
    -- null while it runs, or when the process died under it
    ended_at integer
) strict;

create index turn_by_session on turn (session_id);

create table message (
    message_id integer primary key autoincrement,
    session_id text not null references session (session_id) on delete cascade,
    turn_id integer not null references turn (turn_id) on delete cascade,
    created_at integer not null,
    -- JSON of what people see
    content text not null,
    -- JSON of what the model said or read; null for what it never sees
    chat text,
    -- JSON of the passages that this step numbered for citing
    passages text
) strict;

create index message_by_session on message (session_id, message_id);
create index message_by_turn on message (turn_id);

create table approval (
    approval_id integer primary key autoincrement,
    session_id text not null references session (session_id) on delete cascade,
    turn_id integer not null references turn (turn_id) on delete cascade,
    call_id text not null,
    -- JSON
    card text not null,
    state text not null,
    asked_at integer not null,
    answered_at integer
) strict;

create index approval_by_session on approval (session_id);
create index approval_by_turn on approval (turn_id);

-- what a session last saw of a file: the basis of freshness
create table session_read (
    session_id text not null references session (session_id) on delete cascade,
    knowledge_base_id integer not null references knowledge_base (knowledge_base_id) on delete cascade,
    -- NFC
    path_key text not null,
    hash text not null,
    read_at integer not null,
    primary key (session_id, knowledge_base_id, path_key)
) strict;
