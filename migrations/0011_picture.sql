-- pictures that a model was shown, kept as long as the message that showed them
create table message_picture (
    message_id integer not null references message (message_id) on delete cascade,
    -- of the bytes, in blob
    hash blob not null,
    primary key (message_id, hash)
) strict;

create index message_picture_by_hash on message_picture (hash);

-- 1 once the user says that the model sees pictures
alter table model add column vision integer not null default 0;
