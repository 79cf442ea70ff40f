-- The first schema: every table, key, index, wall and right of a PostgreSQL vault.
CREATE SCHEMA muniment;

-- Whoever runs the application is a member of this role, and of no role that owns a table.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'muniment_application') THEN
        CREATE ROLE muniment_application NOLOGIN;
    END IF;
END
$$;

-- Which migrations have run; its one row belongs to no tenant.
CREATE TABLE schema_version (
    tenant BIGINT NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (tenant)
);

CREATE TABLE tenant_head (
    tenant     BIGINT   NOT NULL,
    name       TEXT     NOT NULL,
    vault      TEXT     NOT NULL,
    size       BIGINT   NOT NULL,
    frontier   BYTEA    NOT NULL,
    recorded   BIGINT   NOT NULL,
    next_n     BIGINT   NOT NULL,
    generation BIGINT   NOT NULL,
    epoch      BIGINT   NOT NULL,
    analyser   TEXT     NOT NULL,
    mac        BYTEA    NOT NULL,
    PRIMARY KEY (tenant)
) WITH (fillfactor = 50);

CREATE TABLE space (
    tenant    BIGINT   NOT NULL,
    n         BIGINT   NOT NULL,
    path      TEXT     NOT NULL,
    dial      TEXT     NOT NULL,
    class_max SMALLINT NOT NULL,
    made      BIGINT   NOT NULL,
    salt      BYTEA    NOT NULL,
    record    BIGINT   NOT NULL,
    idx       BIGINT   NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX space_path ON space (tenant, path);

CREATE TABLE actor (
    tenant BIGINT   NOT NULL,
    n      BIGINT   NOT NULL,
    name   TEXT     NOT NULL,
    role   TEXT     NOT NULL,
    made   BIGINT   NOT NULL,
    salt   BYTEA    NOT NULL,
    record BIGINT   NOT NULL,
    idx    BIGINT   NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX actor_name ON actor (tenant, name, role);

CREATE TABLE credential (
    tenant    BIGINT   NOT NULL,
    n         BIGINT   NOT NULL,
    public_id TEXT     NOT NULL,
    digest    BYTEA    NOT NULL,
    actor     TEXT     NOT NULL,
    role      TEXT     NOT NULL,
    home      TEXT     NOT NULL,
    rights    TEXT     NOT NULL,
    made      BIGINT   NOT NULL,
    revoked   SMALLINT NOT NULL,
    salt      BYTEA    NOT NULL,
    record    BIGINT   NOT NULL,
    idx       BIGINT   NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX credential_public ON credential (tenant, public_id, n);

CREATE TABLE matter (
    tenant      BIGINT   NOT NULL,
    n           BIGINT   NOT NULL,
    id          BYTEA    NOT NULL,
    kind        TEXT     NOT NULL,
    space       BIGINT   NOT NULL,
    state       TEXT     NOT NULL,
    why         TEXT     NOT NULL,
    class       SMALLINT NOT NULL,
    untrusted   SMALLINT NOT NULL,
    actor       BIGINT   NOT NULL,
    recorded    BIGINT   NOT NULL,
    new_side    BYTEA    NOT NULL,
    new_version BIGINT   NOT NULL,
    old_side    BYTEA    NOT NULL,
    old_version BIGINT   NOT NULL,
    decision    TEXT     NOT NULL,
    body        TEXT     NOT NULL,
    digest      BYTEA    NOT NULL,
    reason      TEXT     NOT NULL,
    salt        BYTEA    NOT NULL,
    record      BIGINT   NOT NULL,
    idx         BIGINT   NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX matter_id ON matter (tenant, id, n);
CREATE INDEX matter_state ON matter (tenant, kind, state, space, n);
CREATE INDEX matter_new ON matter (tenant, new_side) WHERE new_side <> '';
CREATE INDEX matter_old ON matter (tenant, old_side) WHERE old_side <> '';

CREATE TABLE session (
    tenant    BIGINT   NOT NULL,
    n         BIGINT   NOT NULL,
    id        BYTEA    NOT NULL,
    name      TEXT     NOT NULL,
    space     BIGINT   NOT NULL,
    agent     TEXT     NOT NULL,
    started   BIGINT   NOT NULL,
    title     TEXT     NOT NULL,
    source    TEXT     NOT NULL,
    class     SMALLINT NOT NULL,
    untrusted SMALLINT NOT NULL,
    turns     BIGINT   NOT NULL,
    salt      BYTEA    NOT NULL,
    record    BIGINT   NOT NULL,
    idx       BIGINT   NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX session_name ON session (tenant, space, name);

CREATE TABLE version (
    tenant       BIGINT   NOT NULL,
    n            BIGINT   NOT NULL,
    memory       BYTEA    NOT NULL,
    number       BIGINT   NOT NULL,
    space        BIGINT   NOT NULL,
    valid_from   BIGINT   NOT NULL,
    valid_until  BIGINT,
    recorded     BIGINT   NOT NULL,
    trust        SMALLINT NOT NULL,
    before       SMALLINT NOT NULL,
    rank         SMALLINT NOT NULL,
    class        SMALLINT NOT NULL,
    untrusted    SMALLINT NOT NULL,
    kind         SMALLINT NOT NULL,
    expires_at   BIGINT,
    tags         TEXT,
    author       BIGINT   NOT NULL,
    actor        BIGINT   NOT NULL,
    act          TEXT     NOT NULL,
    session      BIGINT   NOT NULL,
    occurred_at  BIGINT,
    asserted_at  BIGINT,
    value_digest BYTEA    NOT NULL,
    slot_digest  BYTEA,
    about        TEXT,
    attribute    TEXT,
    value        TEXT,
    many         SMALLINT NOT NULL,
    reason       TEXT,
    salt         BYTEA    NOT NULL,
    record       BIGINT   NOT NULL,
    idx          BIGINT   NOT NULL,
    text         TEXT     NOT NULL,
    terms        BYTEA    NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX version_of ON version (tenant, memory, number);

CREATE TABLE memory (
    tenant       BIGINT   NOT NULL,
    memory       BYTEA    NOT NULL,
    n            BIGINT   NOT NULL,
    number       BIGINT   NOT NULL,
    trust        SMALLINT NOT NULL,
    space        BIGINT   NOT NULL,
    value_digest BYTEA    NOT NULL,
    slot_digest  BYTEA,
    mac          BYTEA    NOT NULL,
    PRIMARY KEY (tenant, memory)
);
CREATE INDEX memory_value ON memory (tenant, space, value_digest);
CREATE INDEX memory_slot ON memory (tenant, space, slot_digest) WHERE slot_digest IS NOT NULL;
CREATE INDEX memory_withheld ON memory (tenant, space, trust) WHERE trust > 1;

CREATE TABLE evidence (
    tenant      BIGINT   NOT NULL,
    n           BIGINT   NOT NULL,
    id          BYTEA    NOT NULL,
    space       BIGINT   NOT NULL,
    recorded    BIGINT   NOT NULL,
    occurred_at BIGINT,
    class       SMALLINT NOT NULL,
    untrusted   SMALLINT NOT NULL,
    kind        SMALLINT NOT NULL,
    state       SMALLINT NOT NULL,
    role        SMALLINT NOT NULL,
    session     BIGINT   NOT NULL,
    sequence    BIGINT   NOT NULL,
    author      BIGINT   NOT NULL,
    replaced    BIGINT   NOT NULL,
    speaker     TEXT     NOT NULL,
    source      TEXT     NOT NULL,
    parent      TEXT     NOT NULL,
    origin      BYTEA,
    salt        BYTEA    NOT NULL,
    record      BIGINT   NOT NULL,
    idx         BIGINT   NOT NULL,
    text        TEXT     NOT NULL,
    terms       BYTEA    NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX evidence_id ON evidence (tenant, id);
CREATE UNIQUE INDEX evidence_origin ON evidence (tenant, origin) WHERE origin IS NOT NULL;
CREATE INDEX evidence_session ON evidence (tenant, session, sequence) WHERE session > 0;

CREATE TABLE link (
    tenant     BIGINT   NOT NULL,
    id         BYTEA    NOT NULL,
    source     BYTEA    NOT NULL,
    target     BYTEA    NOT NULL,
    type       TEXT     NOT NULL,
    weight     DOUBLE PRECISION NOT NULL,
    recorded   BIGINT   NOT NULL,
    space      BIGINT   NOT NULL,
    actor      BIGINT   NOT NULL,
    span_start BIGINT,
    span_end   BIGINT,
    salt       BYTEA    NOT NULL,
    record     BIGINT   NOT NULL,
    idx        BIGINT   NOT NULL,
    stored     BIGINT   GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX link_stored ON link (tenant, stored);
CREATE INDEX link_source ON link (tenant, source);
CREATE INDEX link_target ON link (tenant, target);

CREATE TABLE tombstone (
    tenant     BIGINT   NOT NULL,
    id         BYTEA    NOT NULL,
    memory     BYTEA    NOT NULL,
    space      BIGINT   NOT NULL,
    kind       TEXT     NOT NULL,
    plain      BYTEA    NOT NULL,
    folded     BYTEA    NOT NULL,
    skeleton   BYTEA    NOT NULL,
    slot       BYTEA    NOT NULL,
    key_id     BIGINT   NOT NULL,
    normaliser TEXT     NOT NULL,
    generation BIGINT   NOT NULL,
    actor      BIGINT   NOT NULL,
    recorded   BIGINT   NOT NULL,
    reason     TEXT     NOT NULL,
    lifted     SMALLINT NOT NULL,
    lifts      BYTEA    NOT NULL,
    found_by   BYTEA    NOT NULL,
    salt       BYTEA    NOT NULL,
    record     BIGINT   NOT NULL,
    idx        BIGINT   NOT NULL,
    stored     BIGINT   GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX tombstone_stored ON tombstone (tenant, stored);
CREATE INDEX tombstone_memory ON tombstone (tenant, memory);
CREATE INDEX tombstone_lifts ON tombstone (tenant, lifts) WHERE lifts <> '';

CREATE TABLE tombstone_digest (
    tenant    BIGINT   NOT NULL,
    space     BIGINT   NOT NULL,
    digest    BYTEA    NOT NULL,
    tombstone BYTEA    NOT NULL,
    PRIMARY KEY (tenant, space, digest, tombstone)
);

CREATE TABLE tombstone_anchor (
    tenant    BIGINT NOT NULL,
    space     BIGINT NOT NULL,
    pair      BIGINT NOT NULL,
    anchor    BYTEA  NOT NULL,
    tombstone BYTEA  NOT NULL,
    PRIMARY KEY (tenant, space, pair, anchor, tombstone)
);

CREATE TABLE recall_log (
    tenant    BIGINT   NOT NULL,
    n         BIGINT   NOT NULL,
    asked     BIGINT   NOT NULL,
    session   BIGINT   NOT NULL,
    actor     BIGINT   NOT NULL,
    query     TEXT     NOT NULL,
    outcome   TEXT     NOT NULL,
    class     SMALLINT NOT NULL,
    untrusted SMALLINT NOT NULL,
    hits      TEXT     NOT NULL,
    salt      BYTEA    NOT NULL,
    record    BIGINT   NOT NULL,
    idx       BIGINT   NOT NULL,
    PRIMARY KEY (tenant, n)
);

CREATE TABLE stub (
    tenant   BIGINT  NOT NULL,
    n        BIGINT  NOT NULL,
    code     BIGINT  NOT NULL,
    id       BYTEA   NOT NULL,
    made_by  BIGINT  NOT NULL,
    place    BIGINT  NOT NULL,
    erasure  BYTEA   NOT NULL,
    space    BIGINT  NOT NULL,
    origin   BYTEA,
    salt     BYTEA   NOT NULL,
    record   BIGINT  NOT NULL,
    idx      BIGINT  NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX stub_origin ON stub (tenant, origin) WHERE origin IS NOT NULL;

CREATE TABLE certificate (
    tenant   BIGINT  NOT NULL,
    n        BIGINT  NOT NULL,
    erasure  BYTEA   NOT NULL,
    status   TEXT    NOT NULL,
    made     BIGINT  NOT NULL,
    note     TEXT    NOT NULL,
    salt     BYTEA   NOT NULL,
    record   BIGINT  NOT NULL,
    idx      BIGINT  NOT NULL,
    PRIMARY KEY (tenant, n)
);

CREATE TABLE record (
    tenant   BIGINT   NOT NULL,
    position BIGINT   NOT NULL,
    recorded BIGINT   NOT NULL,
    head     BYTEA    NOT NULL,
    entries  BYTEA    NOT NULL,
    PRIMARY KEY (tenant, position)
);

CREATE TABLE model (
    tenant BIGINT   NOT NULL,
    n      BIGINT   NOT NULL,
    name   TEXT     NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX model_name ON model (tenant, name);

CREATE TABLE vector (
    tenant BIGINT   NOT NULL,
    space  BIGINT   NOT NULL,
    sort   TEXT     NOT NULL,
    n      BIGINT   NOT NULL,
    model  BIGINT   NOT NULL,
    lanes  HALFVEC  NOT NULL,
    PRIMARY KEY (tenant, space, sort, n)
);

CREATE TABLE statistic (
    tenant BIGINT   NOT NULL,
    space  BIGINT   NOT NULL,
    sort   TEXT     NOT NULL,
    items  BIGINT   NOT NULL,
    words  BIGINT   NOT NULL,
    PRIMARY KEY (tenant, space, sort)
) WITH (fillfactor = 50);

CREATE TABLE job (
    tenant   BIGINT   NOT NULL,
    n        BIGINT   NOT NULL,
    kind     TEXT     NOT NULL,
    target   BIGINT   NOT NULL,
    due      BIGINT   NOT NULL,
    attempts BIGINT   NOT NULL,
    lease    BIGINT   NOT NULL,
    leased   BIGINT   NOT NULL,
    error    TEXT     NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX job_due ON job (tenant, due, n);
-- What waits for a look in one space shares one job until somebody takes it.
CREATE UNIQUE INDEX job_shared ON job (tenant, kind, target) WHERE kind = 'contradict' AND lease = 0;

-- Hashes of the glued terms of the newest live versions and of evidence, with repeats: the
-- tenant, the space and the sort are glued in front of each term, so that every space has
-- statistics of its own.  Arrays take a text of any length, which a tsvector does not.
CREATE TABLE live (
    tenant BIGINT   NOT NULL,
    n      BIGINT   NOT NULL,
    terms  BIGINT[] NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX live_terms ON live USING gin (terms) WITH (fastupdate = off);

CREATE TABLE past (
    tenant BIGINT   NOT NULL,
    n      BIGINT   NOT NULL,
    terms  BIGINT[] NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX past_terms ON past USING gin (terms) WITH (fastupdate = off);

-- Compressed or random already, and read in slices.
ALTER TABLE version ALTER COLUMN terms SET STORAGE EXTERNAL;
ALTER TABLE evidence ALTER COLUMN terms SET STORAGE EXTERNAL;
ALTER TABLE record ALTER COLUMN entries SET STORAGE EXTERNAL;

-- Lists arrive as JSON arrays.
CREATE FUNCTION numbers(list TEXT) RETURNS SETOF BIGINT LANGUAGE sql IMMUTABLE
    AS $$ SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(CAST(list AS JSONB)) AS value $$;
CREATE FUNCTION texts(list TEXT) RETURNS SETOF TEXT LANGUAGE sql IMMUTABLE
    AS $$ SELECT value FROM jsonb_array_elements_text(CAST(list AS JSONB)) AS value $$;
CREATE FUNCTION bytes_of(list TEXT) RETURNS SETOF BYTEA LANGUAGE sql IMMUTABLE
    AS $$ SELECT decode(value, 'hex') FROM jsonb_array_elements_text(CAST(list AS JSONB)) AS value $$;

-- The tenant that the session bound itself to; 0 sees the heads alone, -1 (unbound) nothing.
CREATE FUNCTION bound_tenant() RETURNS BIGINT LANGUAGE sql STABLE
    AS $$ SELECT CAST(coalesce(nullif(current_setting('muniment.tenant', true), ''), '-1') AS BIGINT) $$;

-- Rows of a shelf that hold asked terms, ranked by BM25 with the weights of recall/ranking.py.
-- Row-level security would keep the index from being used, since its operators may leak; so
-- these functions read the shelves for the application, and the wall stands inside them.
-- A hash is the tenant's own already, so only the index of terms is to be taken: `+ 0` keeps the
-- planner from the key, and the index takes no writes in bulk, which every term would pay for.
CREATE FUNCTION found_on_live(asked BIGINT[]) RETURNS TABLE (n BIGINT, rank DOUBLE PRECISION)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp SET enable_seqscan = off
    AS $$
        WITH term AS MATERIALIZED (SELECT DISTINCT hash FROM unnest(asked) AS one (hash)),
             held AS MATERIALIZED (
                 SELECT shelf.n, term.hash, CAST(cardinality(shelf.terms) AS DOUBLE PRECISION) AS words,
                        CAST(cardinality(array_positions(shelf.terms, term.hash)) AS DOUBLE PRECISION) AS hits
                   FROM term JOIN live AS shelf ON shelf.terms @> ARRAY[term.hash]
                  WHERE shelf.tenant + 0 = (SELECT bound_tenant())),
             whole AS (
                 SELECT CAST(coalesce(sum(items), 0) AS DOUBLE PRECISION) AS items,
                        CAST(greatest(1.0, sum(words) / greatest(1.0, sum(items))) AS DOUBLE PRECISION) AS mean
                   FROM statistic WHERE tenant = (SELECT bound_tenant())),
             weight AS (
                 SELECT hash, ln(1.0 + (greatest(items, rows) - rows + 0.5) / (rows + 0.5)) AS idf, mean
                   FROM (SELECT hash, count(*) AS rows FROM held GROUP BY hash) AS counted CROSS JOIN whole)
        SELECT held.n, sum(idf * hits * 2.2 / (hits + 1.2 * (0.25 + 0.75 * (words / mean))))
          FROM held JOIN weight ON weight.hash = held.hash
         GROUP BY held.n
    $$;
CREATE FUNCTION found_on_past(asked BIGINT[]) RETURNS TABLE (n BIGINT, rank DOUBLE PRECISION)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp SET enable_seqscan = off
    AS $$
        WITH term AS MATERIALIZED (SELECT DISTINCT hash FROM unnest(asked) AS one (hash)),
             held AS MATERIALIZED (
                 SELECT shelf.n, term.hash, CAST(cardinality(shelf.terms) AS DOUBLE PRECISION) AS words,
                        CAST(cardinality(array_positions(shelf.terms, term.hash)) AS DOUBLE PRECISION) AS hits
                   FROM term JOIN past AS shelf ON shelf.terms @> ARRAY[term.hash]
                  WHERE shelf.tenant + 0 = (SELECT bound_tenant())),
             whole AS (
                 SELECT CAST(coalesce(sum(items), 0) AS DOUBLE PRECISION) AS items,
                        CAST(greatest(1.0, sum(words) / greatest(1.0, sum(items))) AS DOUBLE PRECISION) AS mean
                   FROM statistic WHERE tenant = (SELECT bound_tenant())),
             weight AS (
                 SELECT hash, ln(1.0 + (greatest(items, rows) - rows + 0.5) / (rows + 0.5)) AS idf, mean
                   FROM (SELECT hash, count(*) AS rows FROM held GROUP BY hash) AS counted CROSS JOIN whole)
        SELECT held.n, sum(idf * hits * 2.2 / (hits + 1.2 * (0.25 + 0.75 * (words / mean))))
          FROM held JOIN weight ON weight.hash = held.hash
         GROUP BY held.n
    $$;
CREATE FUNCTION rows_on_live(asked BIGINT[]) RETURNS TABLE (hash BIGINT, found BIGINT)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp SET enable_seqscan = off
    AS $$
        SELECT term.hash, (SELECT count(*) FROM live AS shelf
                            WHERE shelf.terms @> ARRAY[term.hash] AND shelf.tenant + 0 = (SELECT bound_tenant()))
          FROM unnest(asked) AS term (hash)
    $$;
CREATE FUNCTION all_on_live(asked TEXT[]) RETURNS TABLE (n BIGINT)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = muniment, pg_temp SET enable_seqscan = off
    AS $$
        SELECT DISTINCT shelf.n
          FROM unnest(asked) AS one (terms) JOIN live AS shelf ON shelf.terms @> CAST(one.terms AS BIGINT[])
         WHERE shelf.tenant + 0 = (SELECT bound_tenant())
    $$;
REVOKE ALL ON FUNCTION found_on_live, found_on_past, rows_on_live, all_on_live FROM PUBLIC;

-- The first row number from `wanted` on that no writer beside this one takes.  A number is taken by
-- its lock, and given back with it: whoever gets the lock next looks whether it was used, since then
-- the head counts it.
CREATE FUNCTION free_number(own BIGINT, wanted BIGINT, numbers BIGINT) RETURNS BIGINT
    LANGUAGE plpgsql VOLATILE
    AS $$
DECLARE
    number BIGINT := wanted;
    unused BIGINT;
BEGIN
    LOOP
        WHILE NOT pg_try_advisory_xact_lock(numbers # number) LOOP
            number := number + 1;
        END LOOP;
        SELECT one.next_n INTO unused FROM muniment.tenant_head AS one WHERE one.tenant = own;
        EXIT WHEN unused <= number;
        number := unused;
    END LOOP;
    RETURN number;
END
$$;

-- A writer beside others of its tenant: binds the transaction, shares the tenant with the others
-- (who comes alone waits for all of them), and takes the locks of what it claims, in their order.
-- Only then it reads, and each statement of such a function sees all that was committed before it:
-- the head, and who states the value or fills the slot.
CREATE FUNCTION enter(
    bounds TEXT[], own BIGINT, door INTEGER, numbers BIGINT, claims BIGINT[],
    home BIGINT, said BYTEA, keyed BYTEA, rows_max BIGINT
) RETURNS TABLE (number BIGINT, same BIGINT[], slotted BIGINT[], head muniment.tenant_head)
    LANGUAGE plpgsql VOLATILE
    AS $$
#variable_conflict use_column
BEGIN
    PERFORM set_config('muniment.tenant', CAST(own AS TEXT), true),
            set_config('search_path', 'muniment, public', true), set_config('lock_timeout', bounds[1], true),
            set_config('statement_timeout', bounds[2], true),
            set_config('idle_in_transaction_session_timeout', bounds[3], true),
            set_config('synchronous_commit', 'off', true), set_config('jit', 'off', true),
            set_config('plan_cache_mode', 'force_generic_plan', true);
    PERFORM pg_advisory_xact_lock_shared(door, CAST(own AS INTEGER));
    FOR place IN 1 .. cardinality(claims) LOOP
        PERFORM pg_advisory_xact_lock(claims[place]);
    END LOOP;
    SELECT * INTO head FROM muniment.tenant_head AS one WHERE one.tenant = own;
    number := muniment.free_number(own, head.next_n, numbers);
    same := ARRAY(SELECT m.n FROM muniment.memory AS m
                   WHERE m.tenant = own AND m.space = home AND m.value_digest = said LIMIT rows_max);
    IF keyed IS NOT NULL THEN
        slotted := ARRAY(SELECT m.n FROM muniment.memory AS m
                          WHERE m.tenant = own AND m.space = home AND m.slot_digest = keyed LIMIT rows_max);
    END IF;
    RETURN NEXT;
END
$$;

-- The head that others left, held until the transaction ends: whoever comes next waits here.
CREATE FUNCTION last_head(own BIGINT, door BIGINT) RETURNS SETOF muniment.tenant_head
    LANGUAGE plpgsql VOLATILE
    AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(door);
    RETURN QUERY SELECT * FROM muniment.tenant_head AS one WHERE one.tenant = own;
END
$$;

-- The second wall: a session sees the rows of the tenant it is bound to, whatever it asks for.
-- The owner is kept out too, except from the shelves, which the functions above read as owner.
DO $$
DECLARE
    walled TEXT;
BEGIN
    FOR walled IN SELECT tablename FROM pg_tables WHERE schemaname = 'muniment' LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', walled);
        CONTINUE WHEN walled = 'schema_version';
        EXECUTE format('CREATE POLICY own_tenant ON %I USING (tenant = (SELECT bound_tenant()))', walled);
        CONTINUE WHEN walled IN ('live', 'past', 'statistic');
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', walled);
    END LOOP;
END
$$;
CREATE POLICY anyone ON schema_version FOR SELECT USING (true);
CREATE POLICY finding_a_tenant ON tenant_head USING ((SELECT bound_tenant()) = 0);

-- The application appends; it changes heads, counts, caches and jobs, and no row that is sealed.
GRANT USAGE ON SCHEMA muniment TO muniment_application;
GRANT SELECT ON ALL TABLES IN SCHEMA muniment TO muniment_application;
GRANT INSERT ON tenant_head, space, actor, credential, session, version, memory, evidence, link, tombstone,
    tombstone_digest, tombstone_anchor, recall_log, matter, stub, certificate, record, model, vector, statistic, job,
    live, past TO muniment_application;
GRANT UPDATE ON tenant_head, memory, vector, statistic, job TO muniment_application;
GRANT UPDATE (class, untrusted, turns) ON session TO muniment_application;
GRANT UPDATE (terms) ON version TO muniment_application;
GRANT UPDATE (terms, state) ON evidence TO muniment_application;
GRANT DELETE ON vector, statistic, job, live, past TO muniment_application;
-- What an erasure takes away; each row leaves a stub, so `verify` finds one that went without.
GRANT DELETE ON version, memory, evidence, link, tombstone, session, actor, space, credential, recall_log, matter
    TO muniment_application;
-- Bytes go when tables are vacuumed and indexes made anew, which is more than deleting.
DO $$
BEGIN
    IF current_setting('server_version_num')::integer >= 170000 THEN
        EXECUTE 'GRANT MAINTAIN ON ALL TABLES IN SCHEMA muniment TO muniment_application';
    END IF;
END
$$;
GRANT EXECUTE ON FUNCTION found_on_live, found_on_past, rows_on_live, all_on_live TO muniment_application;
