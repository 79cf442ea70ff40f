-- Every statement that the store runs on PostgreSQL: one name and one sentence each.
-- Lists arrive as JSON arrays; text from people is always a bound value.
-- The session binds :tenant to every statement.  Shelves hold hashes of glued terms (connection.py).

-- name: head
-- The tenant's sealed head.
SELECT vault, size, frontier, recorded, next_n, generation, epoch, analyser, mac
  FROM tenant_head WHERE tenant = :tenant;

-- name: add_head
-- The first head of a tenant.
INSERT INTO tenant_head (tenant, name, vault, size, frontier, recorded, next_n, generation, epoch, analyser, mac)
VALUES (:tenant, :name, :vault, :size, :frontier, :recorded, :next_n, :generation, :epoch, :analyser, :mac);

-- name: move_head
-- The head after one more record; the last statement of a transaction.
UPDATE tenant_head
   SET vault = :vault, size = :size, frontier = :frontier, recorded = :recorded, next_n = :next_n,
       generation = :generation, epoch = :epoch, analyser = :analyser, mac = :mac
 WHERE tenant = :tenant;

-- name: move_head_counting
-- The same, with the rows and terms of one space counted in or out.
WITH moved AS (
    UPDATE tenant_head
       SET vault = :vault, size = :size, frontier = :frontier, recorded = :recorded, next_n = :next_n,
           generation = :generation, epoch = :epoch, analyser = :analyser, mac = :mac
      FROM (SELECT CAST(:space AS bigint) AS space, CAST(:sort AS text) AS sort, CAST(:items AS bigint) AS items,
                   CAST(:words AS bigint) AS words) AS one
     WHERE tenant_head.tenant = :tenant RETURNING tenant_head.tenant, one.space, one.sort, one.items, one.words)
INSERT INTO statistic (tenant, space, sort, items, words)
SELECT tenant, space, sort, items, words FROM moved
    ON CONFLICT (tenant, space, sort) DO UPDATE SET items = statistic.items + excluded.items, words = statistic.words + excluded.words;

-- name: tenant_number
-- The number of a tenant by its name.
SELECT tenant FROM tenant_head WHERE name = :name;

-- name: add_record
-- One ledger record.
INSERT INTO record (tenant, position, recorded, head, entries)
VALUES (:tenant, :position, :recorded, :head, :entries);

-- name: records_after
-- Ledger records after a position, oldest first.
SELECT position, recorded, head, entries FROM record
 WHERE tenant = :tenant AND position > :after ORDER BY position LIMIT :rows_max;

-- name: records_before
-- Ledger records before a position, newest first.
SELECT position, recorded, head, entries FROM record
 WHERE tenant = :tenant AND position < :before ORDER BY position DESC LIMIT :rows_max;

-- name: entries_of
-- The row entries that seals point at, by record and index, without reading whole records.
SELECT asked.place - 1, substr(record.entries, CAST(1 + 33 * CAST(asked.value ->> 1 AS bigint) AS integer), 33)
  FROM jsonb_array_elements(CAST(:seals AS jsonb)) WITH ORDINALITY AS asked (value, place)
  JOIN record ON record.tenant = :tenant AND record.position = CAST(asked.value ->> 0 AS bigint);

-- name: spaces
-- Every space of the tenant.
SELECT n, path, dial, class_max, made FROM space WHERE tenant = :tenant ORDER BY n;

-- name: newest_space
-- The number of the newest space.
SELECT n FROM space WHERE tenant = :tenant ORDER BY n DESC LIMIT 1;

-- name: add_space
-- One space.
INSERT INTO space (tenant, n, path, dial, class_max, made, salt, record, idx)
VALUES (:tenant, :n, :path, :dial, :class_max, :made, :salt, :record, :idx);

-- name: sealed_spaces
-- Spaces with their seals, by number.
SELECT n, n, path, dial, class_max, made, salt, record, idx
  FROM space WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: actors
-- Every actor of the tenant.
SELECT n, name, role, made FROM actor WHERE tenant = :tenant ORDER BY n;

-- name: add_actor
-- One actor.
INSERT INTO actor (tenant, n, name, role, made, salt, record, idx)
VALUES (:tenant, :n, :name, :role, :made, :salt, :record, :idx);

-- name: sealed_actors
-- Actors with their seals, by number.
SELECT n, n, name, role, made, salt, record, idx
  FROM actor WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: add_credential
-- One key's public part, or its revocation.
INSERT INTO credential (tenant, n, public_id, digest, actor, role, home, rights, made, revoked, salt, record, idx)
VALUES (:tenant, :n, :public_id, :digest, :actor, :role, :home, :rights, :made, :revoked, :salt, :record, :idx);

-- name: credential_rows
-- The rows of one credential with their seals, oldest first.
SELECT n, public_id, digest, actor, role, home, rights, made, revoked, salt, record, idx
  FROM credential WHERE tenant = :tenant AND public_id = :public_id ORDER BY n;

-- name: sealed_credentials
-- Credential rows with their seals, by number.
SELECT n, n, public_id, digest, actor, role, home, rights, made, revoked, salt, record, idx
  FROM credential WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: add_matter
-- One row of a case, a proposal or a dial.
INSERT INTO matter (tenant, n, id, kind, space, state, why, class, untrusted, actor, recorded, new_side,
    new_version, old_side, old_version, decision, body, digest, reason, salt, record, idx)
VALUES (:tenant, :n, :id, :kind, :space, :state, :why, :class, :untrusted, :actor, :recorded, :new_side,
    :new_version, :old_side, :old_version, :decision, :body, :digest, :reason, :salt, :record, :idx);

-- name: matters_by_id
-- Every row of some matters, oldest first.
SELECT n, id, kind, space, state, why, class, untrusted, actor, recorded, new_side, new_version, old_side,
       old_version, decision, body, digest, reason
  FROM matter WHERE tenant = :tenant AND id = ANY (ARRAY(SELECT * FROM bytes_of(:ids))) ORDER BY n;

-- name: matters_about
-- The newest rows of open matters that have one of some things as a side.
SELECT m.n, m.id, m.kind, m.space, m.state, m.why, m.class, m.untrusted, m.actor, m.recorded, m.new_side,
       m.new_version, m.old_side, m.old_version, m.decision, m.body, m.digest, m.reason
  FROM matter AS m
 WHERE m.tenant = :tenant AND m.new_side = ANY (ARRAY(SELECT * FROM bytes_of(:ids)))
   AND m.new_side <> '' AND m.state = 'open'
   AND NOT EXISTS (SELECT 1 FROM matter AS later WHERE later.tenant = m.tenant AND later.id = m.id AND later.n > m.n)
UNION
SELECT m.n, m.id, m.kind, m.space, m.state, m.why, m.class, m.untrusted, m.actor, m.recorded, m.new_side,
       m.new_version, m.old_side, m.old_version, m.decision, m.body, m.digest, m.reason
  FROM matter AS m
 WHERE m.tenant = :tenant AND m.old_side = ANY (ARRAY(SELECT * FROM bytes_of(:ids)))
   AND m.old_side <> '' AND m.state = 'open'
   AND NOT EXISTS (SELECT 1 FROM matter AS later WHERE later.tenant = m.tenant AND later.id = m.id AND later.n > m.n)
 ORDER BY n;

-- name: matters_after
-- The newest rows of matters of some spaces, kinds and states, by row number.
SELECT m.n, m.id, m.kind, m.space, m.state, m.why, m.class, m.untrusted, m.actor, m.recorded, m.new_side,
       m.new_version, m.old_side, m.old_version, m.decision, m.body, m.digest, m.reason
  FROM matter AS m
 WHERE m.tenant = :tenant AND m.kind = ANY (ARRAY(SELECT * FROM texts(:kinds))) AND m.state = ANY (ARRAY(SELECT * FROM texts(:states)))
   AND m.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND m.n > :after
   AND NOT EXISTS (SELECT 1 FROM matter AS later WHERE later.tenant = m.tenant AND later.id = m.id AND later.n > m.n)
 ORDER BY m.n LIMIT :rows_max;

-- name: matters_before
-- The newest rows of matters of some spaces, kinds and states, the newest first.
SELECT m.n, m.id, m.kind, m.space, m.state, m.why, m.class, m.untrusted, m.actor, m.recorded, m.new_side,
       m.new_version, m.old_side, m.old_version, m.decision, m.body, m.digest, m.reason
  FROM matter AS m
 WHERE m.tenant = :tenant AND m.kind = ANY (ARRAY(SELECT * FROM texts(:kinds))) AND m.state = ANY (ARRAY(SELECT * FROM texts(:states)))
   AND m.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND m.n < :before
   AND NOT EXISTS (SELECT 1 FROM matter AS later WHERE later.tenant = m.tenant AND later.id = m.id AND later.n > m.n)
 ORDER BY m.n DESC LIMIT :rows_max;

-- name: matters_of_one_before
-- The newest rows of matters of one space, kind and state, the newest first: the index ends the walk,
-- so that the newest line of a block costs the same however long its journal is.
SELECT m.n, m.id, m.kind, m.space, m.state, m.why, m.class, m.untrusted, m.actor, m.recorded, m.new_side,
       m.new_version, m.old_side, m.old_version, m.decision, m.body, m.digest, m.reason
  FROM matter AS m
 WHERE m.tenant = :tenant AND m.kind = :kind AND m.state = :state AND m.space = :space AND m.n < :before
   AND NOT EXISTS (SELECT 1 FROM matter AS later WHERE later.tenant = m.tenant AND later.id = m.id AND later.n > m.n)
 ORDER BY m.n DESC LIMIT :rows_max;

-- name: sealed_matters
-- Rows of matters with their seals, by number.
SELECT n, n, id, kind, space, state, why, class, untrusted, actor, recorded, new_side, new_version, old_side,
       old_version, decision, body, digest, reason, salt, record, idx
  FROM matter WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: add_session
-- One session at its birth.
INSERT INTO session (tenant, n, id, name, space, agent, started, title, source, class, untrusted, turns, salt, record, idx)
VALUES (:tenant, :n, :id, :name, :space, :agent, :started, :title, :source, :class, :untrusted, :turns, :salt, :record, :idx);

-- name: move_session
-- How far a session has come; labels only get stricter.
UPDATE session SET class = greatest(class, :class), untrusted = greatest(untrusted, :untrusted), turns = greatest(turns, :turns)
 WHERE tenant = :tenant AND n = :n;

-- name: session_named
-- A session by its name within a space.
SELECT id, n, name, space, agent, started, class, untrusted, turns, title, source
  FROM session WHERE tenant = :tenant AND space = :space AND name = :name;

-- name: sessions_after
-- Sessions of some spaces by number.
SELECT id, n, name, space, agent, started, class, untrusted, turns, title, source
  FROM session
 WHERE tenant = :tenant AND n > :after AND space = ANY (ARRAY(SELECT * FROM numbers(:spaces)))
 ORDER BY n LIMIT :rows_max;

-- name: sessions_before
-- Sessions of some spaces, the newest first.
SELECT id, n, name, space, agent, started, class, untrusted, turns, title, source
  FROM session
 WHERE tenant = :tenant AND n < :before AND space = ANY (ARRAY(SELECT * FROM numbers(:spaces)))
 ORDER BY n DESC LIMIT :rows_max;

-- name: labels_read
-- Every label among what a session has read: its turns, and the answers served to it, which came after it.
SELECT e.class, e.untrusted FROM evidence AS e
 WHERE e.tenant = :tenant AND e.session = :session AND e.session > 0
 UNION
SELECT r.class, r.untrusted FROM recall_log AS r
 WHERE r.tenant = :tenant AND r.n > :session AND r.session = :session AND r.session > 0;

-- name: sessions_at
-- Sessions by their numbers.
SELECT id, n, name, space, agent, started, class, untrusted, turns, title, source
  FROM session WHERE tenant = :tenant AND n = ANY (ARRAY(SELECT * FROM numbers(:ns)));

-- name: sealed_sessions
-- Sessions with their seals, by number.
SELECT n, id, n, name, space, agent, started, class, untrusted, turns, title, source, salt, record, idx
  FROM session WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: add_version
-- One version of a memory.
INSERT INTO version (tenant, n, memory, number, space, valid_from, valid_until, recorded, trust, before, rank, class,
                     untrusted, kind, expires_at, tags, author, actor, act, session, occurred_at, asserted_at,
                     value_digest, slot_digest, about, attribute, value, many, reason, salt, record, idx, text, terms)
VALUES (:tenant, :n, :memory, :number, :space, :valid_from, :valid_until, :recorded, :trust, :before, :rank, :class,
        :untrusted, :kind, :expires_at, :tags, :author, :actor, :act, :session, :occurred_at, :asserted_at,
        :value_digest, :slot_digest, :about, :attribute, :value, :many, :reason, :salt, :record, :idx, :text, :terms);

-- name: add_memory
-- The sealed head of a new memory.
INSERT INTO memory (tenant, memory, n, number, trust, space, value_digest, slot_digest, mac)
VALUES (:tenant, :memory, :n, :number, :trust, :space, :value_digest, :slot_digest, :mac);

-- name: place_first
-- Where the first version of a memory lies is in the index here; the statement changes nothing.
UPDATE memory SET n = :n WHERE tenant = :tenant AND memory = :memory AND false;

-- name: move_memory
-- The sealed head of a memory after one more version.
UPDATE memory
   SET n = :n, number = :number, trust = :trust, space = :space, value_digest = :value_digest,
       slot_digest = :slot_digest, mac = :mac
 WHERE tenant = :tenant AND memory = :memory;

-- name: version_terms
-- The stored terms of a version, for moving it between the indexes.
SELECT terms, space FROM version WHERE tenant = :tenant AND n = :n;

-- name: currents
-- The newest version of each of some memories, with seal and head.  A head that was put
-- back names an older one, and is none.
SELECT v.memory, v.number, v.n, v.space, v.kind, v.text, v.about, v.attribute, v.value, v.many,
       v.valid_from, v.valid_until, v.recorded, v.trust, v.before, v.rank, v.class, v.untrusted,
       v.author, v.actor, v.act, v.value_digest, v.slot_digest, v.reason, v.session,
       v.occurred_at, v.asserted_at, v.expires_at, v.tags, v.salt, v.record, v.idx, m.mac
  FROM bytes_of(:memories) WITH ORDINALITY AS asked (value, place)
  JOIN memory AS m ON m.tenant = :tenant AND m.memory = asked.value
  JOIN version AS v ON v.tenant = m.tenant AND v.n = m.n
 WHERE NOT EXISTS (SELECT 1 FROM version AS later
                    WHERE later.tenant = v.tenant AND later.memory = v.memory AND later.number > v.number)
 ORDER BY asked.place;

-- name: head_seals
-- The sealed heads of some memories, without their versions.  A head that was put back
-- names an older version, and is none.
SELECT m.memory, m.number, m.n, m.trust, m.mac
  FROM bytes_of(:memories) WITH ORDINALITY AS asked (value, place)
  JOIN memory AS m ON m.tenant = :tenant AND m.memory = asked.value
 WHERE NOT EXISTS (SELECT 1 FROM version AS later
                    WHERE later.tenant = m.tenant AND later.memory = m.memory AND later.number > m.number);

-- name: withheld_in
-- Whether some spaces hold a memory that is not live: one row is enough.
SELECT 1 FROM memory AS m
 WHERE m.tenant = :tenant AND m.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND m.trust > 1 LIMIT 1;

-- name: versions_at
-- Versions by their row numbers.
SELECT v.memory, v.number, v.n, v.space, v.kind, v.text, v.about, v.attribute, v.value, v.many,
       v.valid_from, v.valid_until, v.recorded, v.trust, v.before, v.rank, v.class, v.untrusted,
       v.author, v.actor, v.act, v.value_digest, v.slot_digest, v.reason, v.session,
       v.occurred_at, v.asserted_at, v.expires_at, v.tags, v.salt, v.record, v.idx
  FROM numbers(:ns) WITH ORDINALITY AS asked (value, place)
  JOIN version AS v ON v.tenant = :tenant AND v.n = asked.value
 ORDER BY asked.place;

-- name: history
-- Every version of a memory, oldest first.
SELECT v.memory, v.number, v.n, v.space, v.kind, v.text, v.about, v.attribute, v.value, v.many,
       v.valid_from, v.valid_until, v.recorded, v.trust, v.before, v.rank, v.class, v.untrusted,
       v.author, v.actor, v.act, v.value_digest, v.slot_digest, v.reason, v.session,
       v.occurred_at, v.asserted_at, v.expires_at, v.tags, v.salt, v.record, v.idx
  FROM version AS v WHERE v.tenant = :tenant AND v.memory = :memory ORDER BY v.number;

-- name: sealed_versions
-- Versions with their seals, by row number.
SELECT v.n, v.memory, v.number, v.n, v.space, v.kind, v.text, v.about, v.attribute, v.value, v.many,
       v.valid_from, v.valid_until, v.recorded, v.trust, v.before, v.rank, v.class, v.untrusted,
       v.author, v.actor, v.act, v.value_digest, v.slot_digest, v.reason, v.session,
       v.occurred_at, v.asserted_at, v.expires_at, v.tags, v.salt, v.record, v.idx
  FROM version AS v WHERE v.tenant = :tenant AND v.n > :after ORDER BY v.n LIMIT :rows_max;

-- name: heads_after
-- Newest versions with their memories' heads, by row number, for verification.
SELECT v.n, v.memory, v.number, v.n, v.space, v.kind, v.text, v.about, v.attribute, v.value, v.many,
       v.valid_from, v.valid_until, v.recorded, v.trust, v.before, v.rank, v.class, v.untrusted,
       v.author, v.actor, v.act, v.value_digest, v.slot_digest, v.reason, v.session,
       v.occurred_at, v.asserted_at, v.expires_at, v.tags, v.salt, v.record, v.idx, m.mac
  FROM version AS v JOIN memory AS m ON m.tenant = v.tenant AND m.memory = v.memory
 WHERE v.tenant = :tenant AND v.n > :after AND m.n = v.n
 ORDER BY v.n LIMIT :rows_max;

-- name: odd_heads
-- Memories whose head names no version, not the newest, or says something else than it,
-- and memories whose versions have no head.
SELECT m.memory
  FROM memory AS m LEFT JOIN version AS v ON v.tenant = m.tenant AND v.n = m.n
 WHERE m.tenant = :tenant
   AND (v.n IS NULL OR v.memory <> m.memory OR v.number <> m.number OR v.trust <> m.trust OR v.space <> m.space
        OR v.value_digest <> m.value_digest OR v.slot_digest IS DISTINCT FROM m.slot_digest
        OR EXISTS (SELECT 1 FROM version AS later
                    WHERE later.tenant = m.tenant AND later.memory = m.memory AND later.number > m.number))
UNION
SELECT v.memory
  FROM version AS v
 WHERE v.tenant = :tenant
   AND NOT EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory)
 LIMIT :rows_max;

-- name: same_value
-- Row numbers of the newest versions in a space with a value digest; mostly there are none.
SELECT m.n FROM memory AS m
 WHERE m.tenant = :tenant AND m.space = :space AND m.value_digest = :digest LIMIT :rows_max;

-- name: same_slot
-- Row numbers of the newest versions in a space with a slot digest; mostly there are none.
SELECT m.n FROM memory AS m
 WHERE m.tenant = :tenant AND m.space = :space AND m.slot_digest = :digest LIMIT :rows_max;

-- name: memories_after
-- Newest versions of some spaces and states, by row number.
SELECT v.memory, v.number, v.n, v.space, v.kind, v.text, v.about, v.attribute, v.value, v.many,
       v.valid_from, v.valid_until, v.recorded, v.trust, v.before, v.rank, v.class, v.untrusted,
       v.author, v.actor, v.act, v.value_digest, v.slot_digest, v.reason, v.session,
       v.occurred_at, v.asserted_at, v.expires_at, v.tags
  FROM version AS v
 WHERE v.tenant = :tenant AND v.n > :after AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces)))
   AND v.trust = ANY (ARRAY(SELECT * FROM numbers(:trusts)))
   AND EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
 ORDER BY v.n LIMIT :rows_max;

-- name: carriers_after
-- Newest versions of a space and some states that may carry one of two texts, by row number.
-- Whoever rejects a text looks for all that says it: what has a character that is not plain may
-- say it in disguise, what has none has its words in whatever case.  Tags are spelled with their own letters.
SELECT v.memory, v.number, v.n, v.space, v.kind, v.text, v.about, v.attribute, v.value, v.many,
       v.valid_from, v.valid_until, v.recorded, v.trust, v.before, v.rank, v.class, v.untrusted,
       v.author, v.actor, v.act, v.value_digest, v.slot_digest, v.reason, v.session,
       v.occurred_at, v.asserted_at, v.expires_at, v.tags
  FROM version AS v
 WHERE v.tenant = :tenant AND v.n > :after AND v.space = :space
   AND v.trust = ANY (ARRAY(SELECT * FROM numbers(:trusts)))
   AND (lower(v.text COLLATE "C") LIKE :words OR lower(v.text COLLATE "C") LIKE :others
        OR (octet_length(v.text) <> length(v.text) AND v.text COLLATE "C" ~ ('[^' || :plain || ']'))
        OR (v.about IS NOT NULL
            AND (lower(v.about COLLATE "C") LIKE :words OR lower(v.about COLLATE "C") LIKE :others
                 OR (octet_length(v.about) <> length(v.about) AND v.about COLLATE "C" ~ ('[^' || :plain || ']'))))
        OR (v.attribute IS NOT NULL
            AND (lower(v.attribute COLLATE "C") LIKE :words OR lower(v.attribute COLLATE "C") LIKE :others
                 OR (octet_length(v.attribute) <> length(v.attribute) AND v.attribute COLLATE "C" ~ ('[^' || :plain || ']'))))
        OR (v.value IS NOT NULL
            AND (lower(v.value COLLATE "C") LIKE :words OR lower(v.value COLLATE "C") LIKE :others
                 OR (octet_length(v.value) <> length(v.value) AND v.value COLLATE "C" ~ ('[^' || :plain || ']'))))
        OR (v.tags IS NOT NULL
            AND (lower(v.tags COLLATE "C") LIKE :words OR lower(v.tags COLLATE "C") LIKE :others
                 OR (octet_length(v.tags) <> length(v.tags) AND v.tags COLLATE "C" ~ ('[^' || :plain || ']')))))
   AND EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
 ORDER BY v.n LIMIT :rows_max;

-- name: memories_before
-- Newest versions of some spaces and states, the newest first.
SELECT v.memory, v.number, v.n, v.space, v.kind, v.text, v.about, v.attribute, v.value, v.many,
       v.valid_from, v.valid_until, v.recorded, v.trust, v.before, v.rank, v.class, v.untrusted,
       v.author, v.actor, v.act, v.value_digest, v.slot_digest, v.reason, v.session,
       v.occurred_at, v.asserted_at, v.expires_at, v.tags
  FROM version AS v
 WHERE v.tenant = :tenant AND v.n < :before AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces)))
   AND v.trust = ANY (ARRAY(SELECT * FROM numbers(:trusts)))
   AND EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
 ORDER BY v.n DESC LIMIT :rows_max;

-- name: add_evidence
-- One evidence item.
INSERT INTO evidence (tenant, n, id, space, recorded, occurred_at, class, untrusted, kind, state, role, session,
                      sequence, author, replaced, speaker, source, parent, origin, salt, record, idx, text, terms)
VALUES (:tenant, :n, :id, :space, :recorded, :occurred_at, :class, :untrusted, :kind, :state, :role, :session,
        :sequence, :author, :replaced, :speaker, :source, :parent, :origin, :salt, :record, :idx, :text, :terms);

-- name: evidence_by_id
-- Evidence items by their ids.
SELECT e.id, e.n, e.space, e.kind, e.text, e.recorded, e.class, e.untrusted, e.author, e.session, e.sequence,
       e.role, e.speaker, e.source, e.origin, e.occurred_at, e.state, e.replaced, e.parent, e.salt, e.record, e.idx
  FROM bytes_of(:ids) WITH ORDINALITY AS asked (value, place)
  JOIN evidence AS e ON e.tenant = :tenant AND e.id = asked.value
 ORDER BY asked.place;

-- name: evidence_at
-- Evidence items by their row numbers.
SELECT e.id, e.n, e.space, e.kind, e.text, e.recorded, e.class, e.untrusted, e.author, e.session, e.sequence,
       e.role, e.speaker, e.source, e.origin, e.occurred_at, e.state, e.replaced, e.parent, e.salt, e.record, e.idx
  FROM numbers(:ns) WITH ORDINALITY AS asked (value, place)
  JOIN evidence AS e ON e.tenant = :tenant AND e.n = asked.value
 ORDER BY asked.place;

-- name: sealed_evidence
-- Evidence items with their seals, by row number.
SELECT e.n, e.id, e.n, e.space, e.kind, e.text, e.recorded, e.class, e.untrusted, e.author, e.session, e.sequence,
       e.role, e.speaker, e.source, e.origin, e.occurred_at, e.state, e.replaced, e.parent, e.salt, e.record, e.idx
  FROM evidence AS e WHERE e.tenant = :tenant AND e.n > :after ORDER BY e.n LIMIT :rows_max;

-- name: turns_after
-- A session's items in order.
SELECT e.id, e.n, e.space, e.kind, e.text, e.recorded, e.class, e.untrusted, e.author, e.session, e.sequence,
       e.role, e.speaker, e.source, e.origin, e.occurred_at, e.state, e.replaced, e.parent, e.salt, e.record, e.idx
  FROM evidence AS e
 WHERE e.tenant = :tenant AND e.session = :session AND e.session > 0 AND e.sequence > :after
 ORDER BY e.sequence, e.n LIMIT :rows_max;

-- name: turns_before
-- A session's items, the newest first.
SELECT e.id, e.n, e.space, e.kind, e.text, e.recorded, e.class, e.untrusted, e.author, e.session, e.sequence,
       e.role, e.speaker, e.source, e.origin, e.occurred_at, e.state, e.replaced, e.parent, e.salt, e.record, e.idx
  FROM evidence AS e
 WHERE e.tenant = :tenant AND e.session = :session AND e.session > 0 AND e.sequence < :before
 ORDER BY e.sequence DESC, e.n DESC LIMIT :rows_max;

-- name: going_turns
-- Turns of a session that are found now and leave the index: their place and stored terms.
SELECT e.n, e.space, e.terms FROM evidence AS e
 WHERE e.tenant = :tenant AND e.session = :session AND e.session > 0 AND e.sequence BETWEEN :first AND :last
   AND e.state < 2 AND length(e.terms) > 0;

-- name: move_turns
-- Turns of a session become archived or rewound; one that was rewound stays so.
UPDATE evidence SET state = :state
 WHERE tenant = :tenant AND session = :session AND session > 0 AND sequence BETWEEN :first AND :last
   AND state < :state;

-- name: known_origins
-- Which origins were taken before; one that was erased has no id any more.
SELECT e.origin, e.id
  FROM bytes_of(:origins) WITH ORDINALITY AS asked (value, place)
  JOIN evidence AS e ON e.tenant = :tenant AND e.origin = asked.value AND e.origin IS NOT NULL
UNION ALL
SELECT s.origin, NULL
  FROM bytes_of(:origins) WITH ORDINALITY AS asked (value, place)
  JOIN stub AS s ON s.tenant = :tenant AND s.origin = asked.value AND s.origin IS NOT NULL;

-- name: sources_of
-- What some memories are derived from.
SELECT l.source, l.target
  FROM bytes_of(:ids) WITH ORDINALITY AS asked (value, place)
 CROSS JOIN link AS l
 WHERE l.tenant = :tenant AND l.source = asked.value AND l.type = 'derived_from'
 ORDER BY l.recorded, l.id;

-- name: add_link
-- One link.
INSERT INTO link (tenant, id, source, target, type, weight, recorded, space, actor, span_start, span_end, salt, record, idx)
VALUES (:tenant, :id, :source, :target, :type, :weight, :recorded, :space, :actor, :span_start, :span_end, :salt, :record, :idx);

-- name: links_of
-- Links that begin or end at one of some things.
SELECT id, source, target, type, weight, recorded, space, actor, span_start, span_end, salt, record, idx
  FROM link WHERE tenant = :tenant AND source = ANY (ARRAY(SELECT * FROM bytes_of(:ids)))
UNION
SELECT id, source, target, type, weight, recorded, space, actor, span_start, span_end, salt, record, idx
  FROM link WHERE tenant = :tenant AND target = ANY (ARRAY(SELECT * FROM bytes_of(:ids)))
 ORDER BY recorded, id;

-- name: sealed_links
-- Links with their seals, in the order they were stored.
SELECT stored, id, source, target, type, weight, recorded, space, actor, span_start, span_end, salt, record, idx
  FROM link WHERE tenant = :tenant AND stored > :after ORDER BY stored LIMIT :rows_max;

-- name: add_tombstone
-- One tombstone, or the lifting of one.
INSERT INTO tombstone (tenant, id, memory, space, kind, plain, folded, skeleton, slot, key_id, normaliser, generation,
                       actor, recorded, reason, lifted, lifts, found_by, salt, record, idx)
VALUES (:tenant, :id, :memory, :space, :kind, :plain, :folded, :skeleton, :slot, :key_id, :normaliser, :generation,
        :actor, :recorded, :reason, :lifted, :lifts, :found_by, :salt, :record, :idx);

-- name: add_tombstone_digest
-- One digest by which a tombstone is found.
INSERT INTO tombstone_digest (tenant, space, digest, tombstone)
VALUES (:tenant, :space, :digest, :tombstone)
    ON CONFLICT DO NOTHING;

-- name: add_tombstone_anchor
-- One anchor by which a tombstone's value is found within a longer text.
INSERT INTO tombstone_anchor (tenant, space, pair, anchor, tombstone)
VALUES (:tenant, :space, :pair, :anchor, :tombstone)
    ON CONFLICT DO NOTHING;

-- name: any_buried
-- A tombstone that holds one of some digests, standing or lifted: what nearly every write asks, and finds none.
SELECT tombstone FROM tombstone_digest
 WHERE tenant = :tenant AND space IN (:space, 0) AND digest = ANY (ARRAY(SELECT * FROM bytes_of(:digests)))
 LIMIT 1;

-- name: tombstones_for
-- Standing tombstones that hold one of some digests: those of the space, and erased values of the whole tenant.
SELECT t.id, t.memory, t.space, t.kind, t.plain, t.folded, t.skeleton, t.slot, t.key_id, t.normaliser, t.generation,
       t.actor, t.recorded, t.reason, t.lifted, t.lifts, t.found_by
  FROM tombstone AS t
 WHERE t.tenant = :tenant
   AND t.id IN (SELECT d.tombstone FROM tombstone_digest AS d
                 WHERE d.tenant = :tenant AND d.space IN (:space, 0)
                   AND d.digest = ANY (ARRAY(SELECT * FROM bytes_of(:digests))))
   AND t.lifted = 0
   AND NOT EXISTS (SELECT 1 FROM tombstone AS lifting
                    WHERE lifting.tenant = t.tenant AND lifting.lifts = t.id AND lifting.lifts <> '')
 ORDER BY t.id;

-- name: tombstone_by_id
-- One standing tombstone.
SELECT t.id, t.memory, t.space, t.kind, t.plain, t.folded, t.skeleton, t.slot, t.key_id, t.normaliser, t.generation,
       t.actor, t.recorded, t.reason, t.lifted, t.lifts, t.found_by
  FROM tombstone AS t
 WHERE t.tenant = :tenant AND t.id = :id AND t.lifted = 0
   AND NOT EXISTS (SELECT 1 FROM tombstone AS lifting
                    WHERE lifting.tenant = t.tenant AND lifting.lifts = :id AND lifting.lifts <> '');

-- name: tombstones_of
-- The standing tombstones that a memory's rejection made.
SELECT t.id, t.memory, t.space, t.kind, t.plain, t.folded, t.skeleton, t.slot, t.key_id, t.normaliser, t.generation,
       t.actor, t.recorded, t.reason, t.lifted, t.lifts, t.found_by
  FROM tombstone AS t
 WHERE t.tenant = :tenant AND t.memory = :memory AND t.lifted = 0
   AND NOT EXISTS (SELECT 1 FROM tombstone AS lifting
                    WHERE lifting.tenant = t.tenant AND lifting.lifts = t.id AND lifting.lifts <> '')
 ORDER BY t.id;

-- name: anchors_for
-- Anchors of some pairs: those of the space, and of erased values of the whole tenant; lifted ones too.
SELECT tombstone, anchor FROM tombstone_anchor
 WHERE tenant = :tenant AND space IN (:space, 0) AND pair = ANY (ARRAY(SELECT * FROM numbers(:pairs)));

-- name: digest_marks
-- The first bytes of all digests that tombstones are found by.
SELECT DISTINCT substring(digest FROM 1 FOR 4) FROM tombstone_digest WHERE tenant = :tenant LIMIT :rows_max;

-- name: pair_marks
-- All pairs that tombstones are found by.
SELECT DISTINCT pair FROM tombstone_anchor WHERE tenant = :tenant LIMIT :rows_max;

-- name: erased_anywhere
-- One tombstone of an erased value, when there is one: it counts in the whole tenant.
SELECT tombstone FROM tombstone_digest WHERE tenant = :tenant AND space = 0 LIMIT 1;

-- name: newest_tombstone_key
-- The key of the newest tombstone: ids grow with time, and a lifting has the key of what it lifts.
SELECT key_id FROM tombstone WHERE tenant = :tenant AND lifted = 0 ORDER BY id DESC LIMIT 1;

-- name: tombstone_digests
-- All that some tombstones are found by, where they are looked for: what lies elsewhere refuses nothing.  One pass
-- over each table, whose key begins elsewhere.
SELECT found.tombstone, found.digest FROM tombstone_digest AS found
  JOIN tombstone AS t ON t.tenant = :tenant AND t.id = found.tombstone
 WHERE found.tenant = :tenant AND found.tombstone = ANY (ARRAY(SELECT * FROM bytes_of(:ids)))
   AND found.space = CASE t.kind WHEN 'erased' THEN 0 ELSE t.space END
UNION
SELECT found.tombstone, found.anchor FROM tombstone_anchor AS found
  JOIN tombstone AS t ON t.tenant = :tenant AND t.id = found.tombstone
 WHERE found.tenant = :tenant AND found.tombstone = ANY (ARRAY(SELECT * FROM bytes_of(:ids)))
   AND found.space = CASE t.kind WHEN 'erased' THEN 0 ELSE t.space END
   AND encode(substr(found.anchor, 1, 3), 'hex') = lpad(to_hex(found.pair & 16777215), 6, '0')
   AND (get_byte(found.anchor, 3) >= 128) = (found.pair > 16777215)
 ORDER BY 1, 2;

-- name: sealed_tombstones
-- Tombstones with their seals, in the order they were stored.
SELECT t.stored, t.id, t.memory, t.space, t.kind, t.plain, t.folded, t.skeleton, t.slot, t.key_id, t.normaliser,
       t.generation, t.actor, t.recorded, t.reason, t.lifted, t.lifts, t.found_by, t.salt, t.record, t.idx
  FROM tombstone AS t WHERE t.tenant = :tenant AND t.stored > :after ORDER BY t.stored LIMIT :rows_max;

-- name: add_recall
-- One recall log row.
INSERT INTO recall_log (tenant, n, asked, session, actor, query, outcome, class, untrusted, hits, salt, record, idx)
VALUES (:tenant, :n, :asked, :session, :actor, :query, :outcome, :class, :untrusted, :hits, :salt, :record, :idx);

-- name: recalls_after
-- Recall log rows by number.
SELECT n, asked, session, actor, query, outcome, class, untrusted, hits
  FROM recall_log WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: recalls_before
-- Recall log rows, the newest first.
SELECT n, asked, session, actor, query, outcome, class, untrusted, hits
  FROM recall_log WHERE tenant = :tenant AND n < :before ORDER BY n DESC LIMIT :rows_max;

-- name: sealed_recalls
-- Recall log rows with their seals, by number.
SELECT n, n, asked, session, actor, query, outcome, class, untrusted, hits, salt, record, idx
  FROM recall_log WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: add_stub
-- One stub of an erased row.
INSERT INTO stub (tenant, n, code, id, made_by, place, erasure, space, origin, salt, record, idx)
VALUES (:tenant, :n, :code, :id, :made_by, :place, :erasure, :space, :origin, :salt, :record, :idx);

-- name: sealed_stubs
-- Stubs with their seals, by number.
SELECT n, n, code, id, made_by, place, erasure, space, origin, salt, record, idx
  FROM stub WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: add_certificate
-- One signed note on an erasure.
INSERT INTO certificate (tenant, n, erasure, status, made, note, salt, record, idx)
VALUES (:tenant, :n, :erasure, :status, :made, :note, :salt, :record, :idx);

-- name: sealed_certificates
-- Certificates with their seals, by number.
SELECT n, n, erasure, status, made, note, salt, record, idx
  FROM certificate WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :rows_max;

-- name: going_version
-- What has to be undone before a version goes: its place, state and stored terms, and for the newest
-- one 0: the index knows where its memory's first lies.
SELECT v.memory, v.space, v.trust, v.terms,
       (SELECT 0 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
  FROM version AS v WHERE v.tenant = :tenant AND v.n = :n;

-- name: erase_version
-- Take a version away for good.
DELETE FROM version WHERE tenant = :tenant AND n = :n;

-- name: erase_head
-- Take the head of a memory away, whose newest version goes.
DELETE FROM memory WHERE tenant = :tenant AND memory = :memory;

-- name: going_evidence
-- What has to be undone before an evidence item goes: its place, state and stored terms.
SELECT e.space, e.state, e.terms FROM evidence AS e WHERE e.tenant = :tenant AND e.n = :n;

-- name: erase_evidence
-- Take an evidence item away for good.
DELETE FROM evidence WHERE tenant = :tenant AND n = :n;

-- name: erase_link
-- Take a link away for good.
DELETE FROM link WHERE tenant = :tenant AND id = :id;

-- name: erase_tombstone
-- Take a tombstone's row away, to put it back without its reason; its digests stay.
DELETE FROM tombstone WHERE tenant = :tenant AND id = :id;

-- name: erase_session
-- Take a session away for good.
DELETE FROM session WHERE tenant = :tenant AND n = :n;

-- name: erase_actor
-- Take an actor's row away, to put it back under another name.
DELETE FROM actor WHERE tenant = :tenant AND n = :n;

-- name: erase_space
-- Take a space's row away, to put it back under another path.
DELETE FROM space WHERE tenant = :tenant AND n = :n;

-- name: erase_credential
-- Take a key's row away, to put it back under other names.
DELETE FROM credential WHERE tenant = :tenant AND n = :n;

-- name: erase_matter
-- Take a row of a case, a proposal or a dial away.
DELETE FROM matter WHERE tenant = :tenant AND n = :n;

-- name: erase_recall
-- Take a row of the recall log away for good.
DELETE FROM recall_log WHERE tenant = :tenant AND n = :n;

-- name: erase_jobs_of
-- Take away the jobs of a row that goes.
DELETE FROM job WHERE tenant = :tenant AND target = :n;

-- name: index_live
-- Put a row on the live shelf.
INSERT INTO live (tenant, n, terms) VALUES (:tenant, :n, CAST(:terms AS bigint[]));

-- name: unindex_live
-- Take a row off the live shelf.
DELETE FROM live WHERE tenant = :tenant AND n = :n;

-- name: index_past
-- Put a row on the past shelf.
INSERT INTO past (tenant, n, terms) VALUES (:tenant, :n, CAST(:terms AS bigint[]));

-- name: unindex_past
-- Take a row off the past shelf.
DELETE FROM past WHERE tenant = :tenant AND n = :n;

-- name: empty_live
-- Drop every entry of the live shelf.
DELETE FROM live WHERE tenant = :tenant;

-- name: empty_past
-- Drop every entry of the past shelf.
DELETE FROM past WHERE tenant = :tenant;

-- name: add_statistic
-- Count rows and terms of a space in or out.
INSERT INTO statistic (space, sort, items, words, tenant) VALUES (:space, :sort, :items, :words, :tenant)
    ON CONFLICT (tenant, space, sort) DO UPDATE SET items = statistic.items + excluded.items, words = statistic.words + excluded.words;

-- name: fold_statistics
-- Nothing is left to move: here every write counts in the statistics themselves.
SELECT tenant FROM tenant_head WHERE false;

-- name: begin_counts
-- Nothing is counted in the head.
SELECT tenant FROM tenant_head WHERE false;

-- name: empty_statistics
-- Forget the counts, before a rebuild.
DELETE FROM statistic WHERE tenant = :tenant;

-- name: statistics
-- Rows and terms of each sort in some spaces.
SELECT sort, CAST(sum(items) AS bigint), CAST(sum(words) AS bigint) FROM statistic
 WHERE tenant = :tenant AND space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) GROUP BY sort;

-- name: rows_with
-- How many live rows hold each of some glued terms; one with a space in it is no term, and several hashes.
WITH asked AS MATERIALIZED (
    SELECT value, CAST(btrim(value, '{}') AS bigint) AS hash FROM texts(:terms) AS value WHERE value ~ '^.-?[0-9]+.$')
SELECT asked.value, counted.found
  FROM asked JOIN rows_on_live(ARRAY(SELECT hash FROM asked)) AS counted ON counted.hash = asked.hash;

-- name: models
-- Embedding models met so far.
SELECT n, name FROM model WHERE tenant = :tenant;

-- name: add_model
-- One more embedding model.
INSERT INTO model (tenant, n, name)
SELECT :tenant, 1 + coalesce(max(n), 0), :name FROM model WHERE tenant = :tenant;

-- name: add_vector
-- The vector of a live row, in place of one of another model.
INSERT INTO vector (tenant, space, sort, n, model, lanes)
VALUES (:tenant, :space, :sort, :n, :model, CAST(:lanes AS halfvec))
    ON CONFLICT (tenant, space, sort, n) DO UPDATE SET model = excluded.model, lanes = excluded.lanes;

-- name: drop_vector
-- Take away the vector of a row that left the live shelf.
DELETE FROM vector WHERE tenant = :tenant AND space = :space AND sort = :sort AND n = :n;

-- name: place_of
-- Space and sort of a live row.
SELECT space, 'm' FROM version AS v WHERE v.tenant = :tenant AND v.n = :n AND v.trust <= 1
   AND EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
UNION ALL
SELECT space, 'e' FROM evidence WHERE tenant = :tenant AND n = :n AND state < 2 AND length(terms) > 0;

-- name: unembedded
-- Live rows without a vector of a model: number and text.
SELECT v.n, v.text FROM version AS v
 WHERE v.tenant = :tenant AND v.n > :after AND v.trust <= 1
   AND EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
   AND NOT EXISTS (SELECT 1 FROM vector AS x WHERE x.tenant = v.tenant AND x.space = v.space AND x.sort = 'm'
                      AND x.n = v.n AND x.model = :model)
UNION ALL
SELECT e.n, e.text FROM evidence AS e
 WHERE e.tenant = :tenant AND e.n > :after AND e.state < 2 AND length(e.terms) > 0
   AND NOT EXISTS (SELECT 1 FROM vector AS x WHERE x.tenant = e.tenant AND x.space = e.space AND x.sort = 'e'
                      AND x.n = e.n AND x.model = :model)
 ORDER BY 1 LIMIT :rows_max;

-- name: set_version_terms
-- Other terms for a version, from another analyser.
UPDATE version SET terms = :terms WHERE tenant = :tenant AND n = :n;

-- name: set_evidence_terms
-- Other terms for an evidence item, from another analyser.
UPDATE evidence SET terms = :terms WHERE tenant = :tenant AND n = :n;

-- name: index_rows_of_versions
-- What a rebuild needs of versions: text parts, old terms, state, and whether it is the newest.
SELECT v.n, v.space, v.trust, v.text, v.about, v.attribute, v.value, v.tags, v.terms,
       EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
  FROM version AS v WHERE v.tenant = :tenant AND v.n > :after ORDER BY v.n LIMIT :rows_max;

-- name: index_rows_of_evidence
-- What a rebuild needs of evidence: text, old terms, and whether it is to be found.
SELECT e.n, e.space, e.text, e.terms, e.state < 2 AND length(e.terms) > 0
  FROM evidence AS e WHERE e.tenant = :tenant AND e.n > :after ORDER BY e.n LIMIT :rows_max;

-- name: jobs
-- All jobs that are not done, by due time.
SELECT n, kind, target, due, attempts, lease, error FROM job WHERE tenant = :tenant ORDER BY due, n;

-- name: add_job
-- One job, born in the transaction that needs it.
INSERT INTO job (tenant, n, kind, target, due, attempts, lease, leased, error)
VALUES (:tenant, :n, :kind, :target, :due, :attempts, :lease, 0, :error) ON CONFLICT DO NOTHING;

-- name: due_job
-- The job that is due first and held by nobody.
SELECT n, kind, target, due, attempts, lease, error FROM job
 WHERE tenant = :tenant AND due <= :now AND leased <= :now ORDER BY due, n LIMIT 1;

-- name: lease_job
-- Hold a job for a while under the next lease number.
UPDATE job SET lease = lease + 1, leased = :until WHERE tenant = :tenant AND n = :n;

-- name: end_job
-- A job is done, if the lease is still the worker's.
DELETE FROM job WHERE tenant = :tenant AND n = :n AND lease = :lease RETURNING n;

-- name: put_job_back
-- A job failed, if the lease is still the worker's; it waits until it is due again.
UPDATE job SET attempts = attempts + 1, due = :due, leased = 0, error = :error
 WHERE tenant = :tenant AND n = :n AND lease = :lease RETURNING n;

-- name: lexical_memories
-- Newest live versions holding any asked term, best first by the engine's rank.
-- The best :looked_at are looked at; when fewer than :rows_max of them are eligible the caller
-- asks again with all (-1), so the answer is always the best eligible rows.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session
  FROM (SELECT n, rank FROM found_on_live(CAST(:match AS bigint[])) ORDER BY rank DESC, n DESC LIMIT nullif(:looked_at, -1)) AS found
 CROSS JOIN version AS v
 WHERE v.tenant = :tenant AND v.n = found.n
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
 ORDER BY found.rank DESC, found.n DESC LIMIT :rows_max;

-- name: lexical_memories_then_live
-- Versions on the live shelf that were the newest at :known_at and hold any asked term.
-- The best :looked_at are looked at; when fewer than :rows_max of them are eligible the caller
-- asks again with all (-1), so the answer is always the best eligible rows.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session
  FROM (SELECT n, rank FROM found_on_live(CAST(:match AS bigint[])) ORDER BY rank DESC, n DESC LIMIT nullif(:looked_at, -1)) AS found
 CROSS JOIN version AS v
 WHERE v.tenant = :tenant AND v.n = found.n
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
   AND NOT EXISTS (SELECT 1 FROM version AS later
                    WHERE later.tenant = v.tenant AND later.memory = v.memory AND later.number > v.number
                      AND later.recorded <= :known_at)
   AND EXISTS (SELECT 1 FROM memory AS m JOIN version AS today ON today.tenant = m.tenant AND today.n = m.n
                WHERE m.tenant = v.tenant AND m.memory = v.memory AND (:show_rejected <> 0 OR m.trust <> 4)
                  AND today.class <= :class_max AND today.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))))
 ORDER BY found.rank DESC, found.n DESC LIMIT :rows_max;

-- name: lexical_memories_then_past
-- Versions on the past shelf that were the newest at :known_at and hold any asked term.
-- The best :looked_at are looked at; when fewer than :rows_max of them are eligible the caller
-- asks again with all (-1), so the answer is always the best eligible rows.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session
  FROM (SELECT n, rank FROM found_on_past(CAST(:match AS bigint[])) ORDER BY rank DESC, n DESC LIMIT nullif(:looked_at, -1)) AS found
 CROSS JOIN version AS v
 WHERE v.tenant = :tenant AND v.n = found.n
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
   AND NOT EXISTS (SELECT 1 FROM version AS later
                    WHERE later.tenant = v.tenant AND later.memory = v.memory AND later.number > v.number
                      AND later.recorded <= :known_at)
   AND EXISTS (SELECT 1 FROM memory AS m JOIN version AS today ON today.tenant = m.tenant AND today.n = m.n
                WHERE m.tenant = v.tenant AND m.memory = v.memory AND (:show_rejected <> 0 OR m.trust <> 4)
                  AND today.class <= :class_max AND today.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))))
 ORDER BY found.rank DESC, found.n DESC LIMIT :rows_max;

-- name: lexical_evidence
-- Evidence holding any asked term, best first by the engine's rank.
-- The best :looked_at are looked at; when fewer than :rows_max of them are eligible the caller
-- asks again with all (-1), so the answer is always the best eligible rows.
SELECT e.n, e.space, e.terms, e.recorded, coalesce(e.occurred_at, e.recorded), 0, NULL, e.untrusted, e.role, e.speaker, e.session
  FROM (SELECT n, rank FROM found_on_live(CAST(:match AS bigint[])) ORDER BY rank DESC, n DESC LIMIT nullif(:looked_at, -1)) AS found
 CROSS JOIN evidence AS e
 WHERE e.tenant = :tenant AND e.n = found.n
   AND e.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND e.class <= :class_max AND e.recorded <= :known_at
   AND e.state < 2 AND length(e.terms) > 0
   AND (:evidence_after <> 0 OR coalesce(e.occurred_at, e.recorded) <= :as_of)
   AND (:evidence_kind_mask >> e.kind) & 1 = 1
   AND :tags = '[]'
 ORDER BY found.rank DESC, found.n DESC LIMIT :rows_max;

-- name: nearest_memories
-- Newest live versions nearest to a vector, all vectors of the spaces compared.
-- The nearest :looked_at are looked at; when fewer than :rows_max of them are eligible the
-- caller asks again with all (-1), so the answer is always the nearest eligible rows.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session, 1.0 - found.far
  FROM (SELECT x.n, x.space, coalesce(nullif(x.lanes <=> CAST(:vector AS halfvec), 'NaN'), 1.0) AS far
          FROM vector AS x
         WHERE x.tenant = :tenant AND x.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND x.sort = 'm'
           AND x.model = :model
         ORDER BY far, x.n DESC LIMIT nullif(:looked_at, -1)) AS found
 CROSS JOIN version AS v
 WHERE v.tenant = :tenant AND v.n = found.n AND v.space = found.space
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
 ORDER BY found.far, found.n DESC LIMIT :rows_max;

-- name: nearest_memories_then
-- Live versions that were the newest at :known_at, nearest to a vector.
-- The nearest :looked_at are looked at; when fewer than :rows_max of them are eligible the
-- caller asks again with all (-1), so the answer is always the nearest eligible rows.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session, 1.0 - found.far
  FROM (SELECT x.n, x.space, coalesce(nullif(x.lanes <=> CAST(:vector AS halfvec), 'NaN'), 1.0) AS far
          FROM vector AS x
         WHERE x.tenant = :tenant AND x.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND x.sort = 'm'
           AND x.model = :model
         ORDER BY far, x.n DESC LIMIT nullif(:looked_at, -1)) AS found
 CROSS JOIN version AS v
 WHERE v.tenant = :tenant AND v.n = found.n AND v.space = found.space
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
   AND NOT EXISTS (SELECT 1 FROM version AS later
                    WHERE later.tenant = v.tenant AND later.memory = v.memory AND later.number > v.number
   AND later.recorded <= :known_at)
   AND EXISTS (SELECT 1 FROM memory AS m JOIN version AS today ON today.tenant = m.tenant AND today.n = m.n
                WHERE m.tenant = v.tenant AND m.memory = v.memory AND (:show_rejected <> 0 OR m.trust <> 4)
   AND today.class <= :class_max AND today.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))))
 ORDER BY found.far, found.n DESC LIMIT :rows_max;

-- name: nearest_evidence
-- Evidence nearest to a vector, all vectors of the spaces compared.
-- The nearest :looked_at are looked at; when fewer than :rows_max of them are eligible the
-- caller asks again with all (-1), so the answer is always the nearest eligible rows.
SELECT e.n, e.space, e.terms, e.recorded, coalesce(e.occurred_at, e.recorded), 0, NULL, e.untrusted, e.role, e.speaker, e.session, 1.0 - found.far
  FROM (SELECT x.n, x.space, coalesce(nullif(x.lanes <=> CAST(:vector AS halfvec), 'NaN'), 1.0) AS far
          FROM vector AS x
         WHERE x.tenant = :tenant AND x.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND x.sort = 'e'
           AND x.model = :model
         ORDER BY far, x.n DESC LIMIT nullif(:looked_at, -1)) AS found
 CROSS JOIN evidence AS e
 WHERE e.tenant = :tenant AND e.n = found.n AND e.space = found.space
   AND e.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND e.class <= :class_max AND e.recorded <= :known_at
   AND e.state < 2 AND length(e.terms) > 0
   AND (:evidence_after <> 0 OR coalesce(e.occurred_at, e.recorded) <= :as_of)
   AND (:evidence_kind_mask >> e.kind) & 1 = 1
   AND :tags = '[]'
 ORDER BY found.far, found.n DESC LIMIT :rows_max;

-- name: recent_memories
-- The newest eligible newest versions.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session
  FROM version AS v
 WHERE v.tenant = :tenant AND v.trust <= 1
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
   AND EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
 ORDER BY v.n DESC LIMIT :rows_max;

-- name: recent_memories_then
-- The newest eligible versions of those that were newest at :known_at.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session
  FROM version AS v
 WHERE v.tenant = :tenant
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
   AND NOT EXISTS (SELECT 1 FROM version AS later
                    WHERE later.tenant = v.tenant AND later.memory = v.memory AND later.number > v.number
                      AND later.recorded <= :known_at)
   AND EXISTS (SELECT 1 FROM memory AS m JOIN version AS today ON today.tenant = m.tenant AND today.n = m.n
                WHERE m.tenant = v.tenant AND m.memory = v.memory AND (:show_rejected <> 0 OR m.trust <> 4)
                  AND today.class <= :class_max AND today.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))))
 ORDER BY v.n DESC LIMIT :rows_max;

-- name: recent_evidence
-- The newest eligible evidence.
SELECT e.n, e.space, e.terms, e.recorded, coalesce(e.occurred_at, e.recorded), 0, NULL, e.untrusted, e.role, e.speaker, e.session
  FROM evidence AS e
 WHERE e.tenant = :tenant
   AND e.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND e.class <= :class_max AND e.recorded <= :known_at
   AND e.state < 2 AND length(e.terms) > 0
   AND (:evidence_after <> 0 OR coalesce(e.occurred_at, e.recorded) <= :as_of)
   AND (:evidence_kind_mask >> e.kind) & 1 = 1
   AND :tags = '[]'
 ORDER BY e.n DESC LIMIT :rows_max;

-- name: turns_best
-- Turns that hold all terms of one of some groups, best first by the engine's rank.
-- The best :looked_at are looked at, and each row says last how many there were; when fewer than
-- :rows_max of them are eligible and there may be more, the caller asks again with all (-1), so the
-- answer is always the best eligible rows.
WITH found AS MATERIALIZED (
    SELECT ranked.n, ranked.rank
      FROM found_on_live(ARRAY(SELECT unnest(CAST(one AS bigint[])) FROM texts(:groups) AS one)) AS ranked
     WHERE ranked.n IN (SELECT held.n FROM all_on_live(ARRAY(SELECT * FROM texts(:groups))) AS held)
     ORDER BY ranked.rank DESC, ranked.n DESC LIMIT nullif(:looked_at, -1)
)
SELECT e.n, e.session, e.sequence, e.role, (SELECT count(*) FROM found)
  FROM found
 CROSS JOIN evidence AS e
 WHERE e.tenant = :tenant AND e.n = found.n
   AND e.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND e.class <= :class_max AND e.recorded <= :known_at
   AND e.state < 2 AND e.session > 0 AND (:role_mask >> e.role) & 1 = 1
   AND (:sessions = '[]' OR e.session = ANY (ARRAY(SELECT * FROM numbers(:sessions))))
   AND e.session <> ALL (ARRAY(SELECT * FROM numbers(:without)))
   AND NOT (e.session = :live_of AND e.state = 0)
 ORDER BY found.rank DESC, found.n DESC LIMIT :rows_max;

-- name: turns_newest
-- Turns that hold all terms of one of some groups, the newest first.
SELECT e.n, e.session, e.sequence, e.role
  FROM all_on_live(ARRAY(SELECT * FROM texts(:groups))) AS found CROSS JOIN evidence AS e
 WHERE e.tenant = :tenant AND e.n = found.n
   AND e.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND e.class <= :class_max AND e.recorded <= :known_at
   AND e.state < 2 AND e.session > 0 AND (:role_mask >> e.role) & 1 = 1
   AND (:sessions = '[]' OR e.session = ANY (ARRAY(SELECT * FROM numbers(:sessions))))
   AND e.session <> ALL (ARRAY(SELECT * FROM numbers(:without)))
   AND NOT (e.session = :live_of AND e.state = 0)
 ORDER BY e.n DESC LIMIT :rows_max;

-- name: turns_oldest
-- Turns that hold all terms of one of some groups, the oldest first.
SELECT e.n, e.session, e.sequence, e.role
  FROM all_on_live(ARRAY(SELECT * FROM texts(:groups))) AS found CROSS JOIN evidence AS e
 WHERE e.tenant = :tenant AND e.n = found.n
   AND e.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND e.class <= :class_max AND e.recorded <= :known_at
   AND e.state < 2 AND e.session > 0 AND (:role_mask >> e.role) & 1 = 1
   AND (:sessions = '[]' OR e.session = ANY (ARRAY(SELECT * FROM numbers(:sessions))))
   AND e.session <> ALL (ARRAY(SELECT * FROM numbers(:without)))
   AND NOT (e.session = :live_of AND e.state = 0)
 ORDER BY e.n LIMIT :rows_max;

-- name: turns_recent
-- Turns of conversations, the newest first.
SELECT e.n, e.session, e.sequence, e.role
  FROM evidence AS e
 WHERE e.tenant = :tenant
   AND e.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND e.class <= :class_max AND e.recorded <= :known_at
   AND e.state < 2 AND e.session > 0 AND (:role_mask >> e.role) & 1 = 1
   AND (:sessions = '[]' OR e.session = ANY (ARRAY(SELECT * FROM numbers(:sessions))))
   AND e.session <> ALL (ARRAY(SELECT * FROM numbers(:without)))
   AND NOT (e.session = :live_of AND e.state = 0)
 ORDER BY e.n DESC LIMIT :rows_max;

-- name: linked_memories
-- Newest eligible versions one link away from some memories.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session
  FROM version AS v
 WHERE v.tenant = :tenant AND v.trust <= 1
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
   AND EXISTS (SELECT 1 FROM memory AS m WHERE m.tenant = v.tenant AND m.memory = v.memory AND m.n = v.n)
   AND v.memory IN (SELECT l.target FROM link AS l
                     WHERE l.tenant = :tenant AND l.source = ANY (ARRAY(SELECT * FROM bytes_of(:ids)))
                    UNION
                    SELECT l.source FROM link AS l
                     WHERE l.tenant = :tenant AND l.target = ANY (ARRAY(SELECT * FROM bytes_of(:ids))))
   AND v.memory <> ALL (ARRAY(SELECT * FROM bytes_of(:ids)))
 ORDER BY v.n DESC LIMIT :rows_max;

-- name: linked_memories_then
-- Versions newest at :known_at, one link away from some memories.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session
  FROM version AS v
 WHERE v.tenant = :tenant
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
   AND NOT EXISTS (SELECT 1 FROM version AS later
                    WHERE later.tenant = v.tenant AND later.memory = v.memory AND later.number > v.number
                      AND later.recorded <= :known_at)
   AND EXISTS (SELECT 1 FROM memory AS m JOIN version AS today ON today.tenant = m.tenant AND today.n = m.n
                WHERE m.tenant = v.tenant AND m.memory = v.memory AND (:show_rejected <> 0 OR m.trust <> 4)
                  AND today.class <= :class_max AND today.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))))
   AND v.memory IN (SELECT l.target FROM link AS l
                     WHERE l.tenant = :tenant AND l.source = ANY (ARRAY(SELECT * FROM bytes_of(:ids)))
                    UNION
                    SELECT l.source FROM link AS l
                     WHERE l.tenant = :tenant AND l.target = ANY (ARRAY(SELECT * FROM bytes_of(:ids))))
   AND v.memory <> ALL (ARRAY(SELECT * FROM bytes_of(:ids)))
 ORDER BY v.n DESC LIMIT :rows_max;

-- name: cosines
-- The nearness of a vector to some live rows.
SELECT x.n, coalesce(nullif(1.0 - (x.lanes <=> CAST(:vector AS halfvec)), 'NaN'), 0.0)
  FROM numbers(:ns) WITH ORDINALITY AS asked (value, place)
  JOIN version AS v ON v.tenant = :tenant AND v.n = asked.value
  JOIN vector AS x ON x.tenant = :tenant AND x.space = v.space AND x.sort = 'm' AND x.n = v.n AND x.model = :model
UNION ALL
SELECT x.n, coalesce(nullif(1.0 - (x.lanes <=> CAST(:vector AS halfvec)), 'NaN'), 0.0)
  FROM numbers(:ns) WITH ORDINALITY AS asked (value, place)
  JOIN evidence AS e ON e.tenant = :tenant AND e.n = asked.value
  JOIN vector AS x ON x.tenant = :tenant AND x.space = e.space AND x.sort = 'e' AND x.n = e.n AND x.model = :model;

-- name: counts
-- How many rows each table holds.
SELECT 'version', count(*) FROM version WHERE tenant = :tenant
UNION ALL SELECT 'memory', count(*) FROM memory WHERE tenant = :tenant
UNION ALL SELECT 'evidence', count(*) FROM evidence WHERE tenant = :tenant
UNION ALL SELECT 'link', count(*) FROM link WHERE tenant = :tenant
UNION ALL SELECT 'tombstone', count(*) FROM tombstone WHERE tenant = :tenant
UNION ALL SELECT 'session', count(*) FROM session WHERE tenant = :tenant
UNION ALL SELECT 'space', count(*) FROM space WHERE tenant = :tenant
UNION ALL SELECT 'actor', count(*) FROM actor WHERE tenant = :tenant
UNION ALL SELECT 'credential', count(*) FROM credential WHERE tenant = :tenant
UNION ALL SELECT 'matter', count(*) FROM matter WHERE tenant = :tenant
UNION ALL SELECT 'recall_log', count(*) FROM recall_log WHERE tenant = :tenant
UNION ALL SELECT 'stub', count(*) FROM stub WHERE tenant = :tenant
UNION ALL SELECT 'certificate', count(*) FROM certificate WHERE tenant = :tenant
UNION ALL SELECT 'record', count(*) FROM record WHERE tenant = :tenant
UNION ALL SELECT 'vector', count(*) FROM vector WHERE tenant = :tenant
UNION ALL SELECT 'job', count(*) FROM job WHERE tenant = :tenant;

-- name: tenants
-- The tenants that this session may see: its own, or all when it is bound to none.
SELECT tenant, name FROM tenant_head ORDER BY tenant;
