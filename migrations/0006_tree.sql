-- Where a move leads.
alter table operation add column target_knowledge_base_id integer references knowledge_base on delete cascade;
alter table operation add column target_path text;
-- The move whose links this operation updates.
alter table operation add column follows integer references operation on delete set null;
-- JSON of what a move, a delete or a coming back is about: folder or file, how it looked when it was
-- proposed, what it holds, the item in the system's trash.
alter table operation add column tree text;
-- The turn that proposed it: a change set may outlast the turn that opened it.
alter table operation add column turn_id integer;
create index operation_follows on operation (follows) where follows is not null;
create index operation_turn on operation (turn_id) where turn_id is not null;
create index operation_target on operation (target_knowledge_base_id) where target_knowledge_base_id is not null;

-- JSON of what is done to the place other than giving it a new content.
alter table journal_step add column act text;

-- Contents that must stay until an entry is settled, beside those that its steps name.
create table journal_content (
    journal_id integer not null references journal on delete cascade,
    hash blob not null references blob (hash),
    primary key (journal_id, hash)
) strict, without rowid;
create index journal_content_hash on journal_content (hash);
