-- How a model is spoken to; until now all spoke chat completions.
alter table model add column protocol text not null default 'openAi';
