-- Who may read, write and run a file, on systems that say it in bits: what it gets when it is made again.
alter table version add column mode integer;
alter table journal_step add column mode integer;
