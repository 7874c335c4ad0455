-- The last step on a whole file or folder that was begun, from 0: where a file is does not tell by itself
-- whether it has been moved already or is still on its way.
alter table journal add column progress integer;
