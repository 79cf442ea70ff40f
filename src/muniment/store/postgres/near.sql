-- How the nearest rows of a large space are proposed: an index of neighbours is walked, nearest
-- first, until enough of what it comes to is eligible.  Each predicate stands beside the walk, so
-- nothing is cut off before it was asked (I7); how near a row is, is computed from what is stored.
-- Each of the first three names is that of the exact statement in queries.sql.

-- name: nearest_memories
-- Newest live versions near to a vector, by the index of neighbours.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session,
       1.0 - coalesce(nullif(x.lanes <=> CAST(:vector AS halfvec), 'NaN'), 1.0)
  FROM vector AS x CROSS JOIN version AS v
 WHERE x.tenant = :tenant AND x.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND x.sort = 'm'
   AND x.model = :model AND vector_dims(x.lanes) = 256
   AND v.tenant = x.tenant AND v.n = x.n AND v.space = x.space
   AND v.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND v.class <= :class_max AND v.recorded <= :known_at
   AND (:trust_mask >> v.trust) & 1 = 1
   AND (:any_interval <> 0 OR (v.valid_from <= :as_of AND (v.valid_until IS NULL OR :as_of < v.valid_until)))
   AND (:show_expired <> 0 OR v.expires_at IS NULL OR :as_of < v.expires_at)
   AND (:kind_mask >> v.kind) & 1 = 1
   AND (:tags = '[]' OR CAST(v.tags AS jsonb) ?| ARRAY(SELECT * FROM texts(:tags)))
 ORDER BY CAST(x.lanes AS halfvec(256)) <=> CAST(:vector AS halfvec(256)) LIMIT :rows_max;

-- name: nearest_memories_then
-- Live versions that were the newest at :known_at, near to a vector, by the index of neighbours.
SELECT v.n, v.space, v.terms, v.recorded, v.valid_from, v.rank, v.trust, v.untrusted, '', '', v.session,
       1.0 - coalesce(nullif(x.lanes <=> CAST(:vector AS halfvec), 'NaN'), 1.0)
  FROM vector AS x CROSS JOIN version AS v
 WHERE x.tenant = :tenant AND x.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND x.sort = 'm'
   AND x.model = :model AND vector_dims(x.lanes) = 256
   AND v.tenant = x.tenant AND v.n = x.n AND v.space = x.space
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
 ORDER BY CAST(x.lanes AS halfvec(256)) <=> CAST(:vector AS halfvec(256)) LIMIT :rows_max;

-- name: nearest_evidence
-- Evidence near to a vector, by the index of neighbours.
SELECT e.n, e.space, e.terms, e.recorded, coalesce(e.occurred_at, e.recorded), 0, NULL, e.untrusted, e.role, e.speaker, e.session,
       1.0 - coalesce(nullif(x.lanes <=> CAST(:vector AS halfvec), 'NaN'), 1.0)
  FROM vector AS x CROSS JOIN evidence AS e
 WHERE x.tenant = :tenant AND x.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND x.sort = 'e'
   AND x.model = :model AND vector_dims(x.lanes) = 256
   AND e.tenant = x.tenant AND e.n = x.n AND e.space = x.space
   AND e.space = ANY (ARRAY(SELECT * FROM numbers(:spaces))) AND e.class <= :class_max AND e.recorded <= :known_at
   AND e.state < 2 AND length(e.terms) > 0
   AND (:evidence_after <> 0 OR coalesce(e.occurred_at, e.recorded) <= :as_of)
   AND (:evidence_kind_mask >> e.kind) & 1 = 1
   AND :tags = '[]'
 ORDER BY CAST(x.lanes AS halfvec(256)) <=> CAST(:vector AS halfvec(256)) LIMIT :rows_max;

-- name: walking
-- The walk goes on until the limit is met or so many entries were looked at; nothing is sorted instead.
SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.ef_search', :breadth, true),
       set_config('hnsw.max_scan_tuples', :entries_max, true),
       set_config('enable_sort', 'off', true);

-- name: walked
-- Other statements of the transaction are planned as always.
SELECT set_config('enable_sort', 'on', true);

-- name: is_built
-- Whether the index of neighbours is there and whole.
SELECT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass('muniment.vector_near') AND indisvalid);

-- name: most_rows
-- How many rows the largest tenant has of one sort: a question may be asked in all of its spaces.
SELECT CAST(coalesce(max(items), 0) AS bigint)
  FROM (SELECT sum(items) AS items FROM muniment.statistic GROUP BY tenant, sort) AS counted;

-- name: drop_broken
-- A build that was interrupted leaves an index that takes writes and answers nothing.
DROP INDEX CONCURRENTLY IF EXISTS muniment.vector_near;

-- name: build
-- The index of neighbours, made while others read and write.
CREATE INDEX CONCURRENTLY vector_near ON muniment.vector
 USING hnsw ((CAST(lanes AS halfvec(256))) halfvec_cosine_ops) WITH (m = 16, ef_construction = 128)
 WHERE vector_dims(lanes) = 256;
