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
