-- The lines of what stands in tables, code and callouts were not kept. Without its hash a note is read anew,
-- and a time that is a nanosecond off lets the next scan look at it.
update file set hash = null, modified_ns = modified_ns - 1 where kind = 'markdown' and hash is not null;
