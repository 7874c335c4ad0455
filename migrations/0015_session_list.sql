-- first in the list of sessions
alter table session add column pinned integer not null default 0;
-- out of the list unless asked for
alter table session add column archived integer not null default 0;
