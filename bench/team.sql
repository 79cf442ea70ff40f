-- What stands in the place of two statements of a write (store/postgres/beside.sql) where there is no
-- ledger: the same rows of the memory, nothing held, no record, and no head.

-- name: lay_memory
-- The sealed head of a new memory, and its place on the live shelf.
WITH headed AS (
    INSERT INTO memory (tenant, memory, n, number, trust, space, value_digest, slot_digest, mac)
    VALUES (:tenant, :memory, :n, :number, :trust, :space, :value_digest, :slot_digest, :mac) RETURNING n),
    laid AS (
    INSERT INTO live (tenant, n, terms) SELECT :tenant, headed.n, CAST(:words AS bigint[]) FROM headed RETURNING n)
SELECT laid.n FROM laid;

-- name: seal_memory
-- A new memory's first version and the counts of its space.
WITH kept AS (
    INSERT INTO version (tenant, n, memory, number, space, valid_from, valid_until, recorded, trust, before, rank,
                         class, untrusted, kind, expires_at, tags, author, actor, act, session, occurred_at,
                         asserted_at, value_digest, slot_digest, about, attribute, value, many, reason,
                         salt, record, idx, text, terms)
    VALUES (:tenant, :n, :memory, :number, :space, :valid_from, :valid_until, :recorded, :trust, :before, :rank,
            :class, :untrusted, :kind, :expires_at, :tags, :author, :actor, :act, :session, :occurred_at,
            :asserted_at, :value_digest, :slot_digest, :about, :attribute, :value, :many, :reason,
            :salt, :record, :idx, :text, :terms))
INSERT INTO statistic (tenant, space, sort, items, words) VALUES (:tenant, :space, 'm', 1, :length)
    ON CONFLICT (tenant, space, sort) DO UPDATE
    SET items = statistic.items + 1, words = statistic.words + excluded.words;
