-- How many rows at once go in: through COPY into a table of this transaction alone, and from
-- there into their own.  COPY straight into them is refused where row-level security holds.

-- name: may_stage
-- Whether the role may make temporary tables at all; some servers forbid it.
SELECT has_database_privilege(current_database(), 'TEMPORARY');

-- name: add_evidence_stage
-- Where evidence arrives; gone with the transaction.
CREATE TEMPORARY TABLE arriving_evidence (LIKE evidence) ON COMMIT DROP;

-- name: add_evidence_copy
-- Evidence, as it arrives.
COPY arriving_evidence (tenant, n, id, space, recorded, occurred_at, class, untrusted, kind, state, role, session,
                        sequence, author, replaced, speaker, source, parent, origin, salt, record, idx, text, terms)
FROM STDIN;

-- name: add_evidence_keep
-- What arrived goes where it is kept; the policies of the table hold here.
INSERT INTO evidence SELECT * FROM arriving_evidence ORDER BY n;

-- name: add_evidence_clear
-- The next rows of this transaction arrive in an empty table.
DROP TABLE arriving_evidence;

-- name: index_live_stage
-- Where entries of the live shelf arrive; gone with the transaction.
CREATE TEMPORARY TABLE arriving_live (LIKE live) ON COMMIT DROP;

-- name: index_live_copy
-- Entries of the live shelf, as they arrive.
COPY arriving_live (tenant, n, terms) FROM STDIN;

-- name: index_live_keep
-- What arrived goes on the shelf.
INSERT INTO live SELECT * FROM arriving_live ORDER BY n;

-- name: index_live_clear
-- The next rows of this transaction arrive in an empty table.
DROP TABLE arriving_live;

-- name: add_vector_stage
-- Where vectors of new rows arrive; gone with the transaction.
CREATE TEMPORARY TABLE arriving_vector (LIKE vector) ON COMMIT DROP;

-- name: add_vector_copy
-- Vectors, as they arrive.
COPY arriving_vector (tenant, space, sort, n, model, lanes) FROM STDIN;

-- name: add_vector_keep
-- What arrived goes where it is kept; a vector of another model makes room.
INSERT INTO vector SELECT * FROM arriving_vector ORDER BY space, sort, n
    ON CONFLICT (tenant, space, sort, n) DO UPDATE SET model = excluded.model, lanes = excluded.lanes;

-- name: add_vector_clear
-- The next rows of this transaction arrive in an empty table.
DROP TABLE arriving_vector;
