-- what the last request and its answer took of the model's context, in tokens
alter table session add column context_tokens integer not null default 0;
-- 1 where the provider counted it; else it is estimated
alter table session add column context_counted integer not null default 0;
-- what the provider of this model counted for 1000 estimated tokens of this session
alter table session add column token_ratio integer;
alter table session add column token_ratio_model integer;
