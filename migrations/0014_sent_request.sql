-- what a model was sent, for the user to look at; only the newest of a session are kept
create table sent_request (
    sent_request_id integer primary key autoincrement,
    session_id text not null references session (session_id) on delete cascade,
    turn_id integer not null references turn (turn_id) on delete cascade,
    sent_at integer not null,
    -- the model's name at its provider
    model text not null,
    -- estimated
    tokens integer not null,
    -- JSON, packed as blobs are: bytes before, and whether it is compressed
    hash blob not null,
    size integer not null,
    compressed integer not null,
    content blob not null
) strict;

create index sent_request_by_session on sent_request (session_id, sent_request_id);
create index sent_request_by_turn on sent_request (turn_id);
