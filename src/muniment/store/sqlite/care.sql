-- What examining and salvaging a file ask, beside the store's own statements; no other
-- dialect has its like.

-- name: sampled_versions
-- The newest of the live memories: number, space, stored terms.
SELECT v.n, v.space, v.terms
  FROM memory AS m JOIN version AS v ON v.tenant = m.tenant AND v.n = m.n
 WHERE m.tenant = :tenant AND m.trust < 2 ORDER BY m.memory DESC LIMIT :rows_max;

-- name: sampled_evidence
-- The newest evidence that is to be found: number, space, stored terms.
SELECT n, space, terms FROM evidence
 WHERE tenant = :tenant AND state < 2 AND length(terms) > 0 ORDER BY n DESC LIMIT :rows_max;

-- name: found_at
-- Whether the index of what is live finds one row by a question.
SELECT rowid FROM live WHERE live MATCH :question AND rowid = :n;

-- name: tables
-- The tables of a file: name, sort, and whether its rows lie in the order of their key.
SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main';

-- name: columns
-- The stored columns of a table, and the place of each in its key.
SELECT name, pk FROM pragma_table_info(:table);

-- name: rows_up
-- Rows of a table from a row number on, in order, each after its number.
SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid >= :low AND rowid < :high ORDER BY rowid;

-- name: rows_down
-- Rows of a table below a row number, backwards, each after its number.
SELECT rowid, {columns} FROM {table} NOT INDEXED WHERE rowid >= :low AND rowid < :high ORDER BY rowid DESC;

-- name: keyed_up
-- Rows of a table that lies in the order of its key.
SELECT 0, {columns} FROM {table} NOT INDEXED ORDER BY {up};

-- name: keyed_down
-- The same rows, backwards.
SELECT 0, {columns} FROM {table} NOT INDEXED ORDER BY {down};

-- name: put
-- One row of any table; one that is there, or does not fit, is left out.
INSERT OR IGNORE INTO {table} ({columns}) VALUES ({places});

-- name: count
-- How many rows a table has.
SELECT count(*) FROM {table};

-- name: committed
-- What every record says it made.
SELECT entries FROM record;

-- name: sizes
-- Every tenant of a file, and how many records its head counts.
SELECT tenant, size FROM tenant_head;

-- name: headless
-- Memories whose head is missing: tenant, memory, newest number of a version, count of versions, its row.
SELECT v.tenant, v.memory, max(v.number), count(*), v.n
  FROM version AS v
 WHERE NOT EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory)
 GROUP BY v.tenant, v.memory;

-- name: put_head
-- The head of a memory, made from its newest version.
INSERT INTO memory (tenant, memory, n, number, trust, space, value_digest, slot_digest, mac, first)
SELECT v.tenant, v.memory, v.n, v.number, v.trust, v.space, v.value_digest, v.slot_digest, :mac,
       coalesce((SELECT o.n FROM version AS o
                  WHERE o.tenant = v.tenant AND o.memory = v.memory AND o.number = 1 LIMIT 1), 0)
  FROM version AS v WHERE v.n = :n;

-- name: make_probe
-- A full-text table of the kind that the shelves are.
CREATE VIRTUAL TABLE probe USING fts5 (terms, content = '', columnsize = 0, tokenize = 'ascii');

-- name: fill_probe
-- One row to be found.
INSERT INTO probe (rowid, terms) VALUES (1, 'tea four');

-- name: ask_probe
-- The row by one of its words.
SELECT rowid FROM probe WHERE probe MATCH '"four"';

-- name: drop_probe
-- The table again.
DROP TABLE probe;

-- name: merge_live
-- Merge the parts of the live shelf into one, which keeps no term of a row that left it.
INSERT INTO live (live) VALUES ('optimize');

-- name: merge_past
-- Merge the parts of the past shelf into one.
INSERT INTO past (past) VALUES ('optimize');

-- name: schema_text
-- What the file says of its own tables.
SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL;

-- name: newest
-- The newest rows of a table that numbers its rows; some rows of one that does not.
SELECT {columns} FROM {table} ORDER BY {order} DESC LIMIT 2000;

-- name: every_row
-- Every row of any table.
SELECT {columns} FROM {table} NOT INDEXED;

-- name: erased
-- How many rows of each kind an erasure took, by their stubs.
SELECT code, count(*) FROM stub GROUP BY code;
