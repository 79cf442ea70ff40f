-- What a writer beside others sends in one go: the rows of one new memory, before and after the
-- log's end is held.  The same rows as the statements of queries.sql make one by one.

-- name: lay_memory
-- The sealed head of a new memory, its place on the live shelf, and then, when all of this is
-- stored, the log's end: the join is lateral because it must not be held before.
WITH headed AS (
    INSERT INTO memory (tenant, memory, n, number, trust, space, value_digest, slot_digest, mac)
    VALUES (:tenant, :memory, :n, :number, :trust, :space, :value_digest, :slot_digest, :mac) RETURNING n),
    laid AS (
    INSERT INTO live (tenant, n, terms) SELECT :tenant, headed.n, CAST(:words AS bigint[]) FROM headed RETURNING n)
SELECT head.vault, head.size, head.frontier, head.recorded, head.next_n, head.generation, head.epoch,
       head.analyser, head.mac
  FROM laid CROSS JOIN LATERAL last_head(:tenant, CAST(:door AS bigint) + 0 * laid.n) AS head;

-- name: seal_memory
-- Its first version, the counts of its space, the record, and the tenant's head.
WITH kept AS (
    INSERT INTO version (tenant, n, memory, number, space, valid_from, valid_until, recorded, trust, before, rank,
                         class, untrusted, kind, expires_at, tags, author, actor, act, session, occurred_at,
                         asserted_at, value_digest, slot_digest, about, attribute, value, many, reason,
                         salt, record, idx, text, terms)
    VALUES (:tenant, :n, :memory, :number, :space, :valid_from, :valid_until, :recorded, :trust, :before, :rank,
            :class, :untrusted, :kind, :expires_at, :tags, :author, :actor, :act, :session, :occurred_at,
            :asserted_at, :value_digest, :slot_digest, :about, :attribute, :value, :many, :reason,
            :salt, :record, :idx, :text, :terms)),
    counted AS (
    INSERT INTO statistic (tenant, space, sort, items, words) VALUES (:tenant, :space, 'm', 1, :length)
        ON CONFLICT (tenant, space, sort) DO UPDATE
        SET items = statistic.items + 1, words = statistic.words + excluded.words),
    recorded AS (
    INSERT INTO record (tenant, position, recorded, head, entries)
    VALUES (:tenant, :record, :recorded, :fields, :entries))
UPDATE tenant_head
   SET vault = :vault, size = :size, frontier = :frontier, recorded = :recorded, next_n = :next_n,
       generation = :generation, epoch = :epoch, analyser = :analyser, mac = :mac
 WHERE tenant = :tenant;
