-- The present schema of a SQLite vault.  Equal to the migrations, by test.
-- `tenant` begins every table and leads every key.  Times are microseconds since 1970
-- in UTC; enumerations are small numbers whose meaning store/codec.py lists.
-- What grows with every write lies in the order of its row number, which begins with the
-- tenant's: there an append fills page after page, where a key of several columns would
-- rewrite three of them each time one is full.

-- `counts` holds what the last writes added to the statistics, until it is folded into
-- them: the head's page is rewritten with every record, and theirs would be one more.
CREATE TABLE tenant_head (
    tenant     INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    vault      TEXT    NOT NULL,
    size       INTEGER NOT NULL,
    frontier   BLOB    NOT NULL,
    recorded   INTEGER NOT NULL,
    next_n     INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    epoch      INTEGER NOT NULL,
    analyser   TEXT    NOT NULL,
    mac        BLOB    NOT NULL,
    counts     TEXT    NOT NULL,
    PRIMARY KEY (tenant)
);

CREATE TABLE space (
    tenant    INTEGER NOT NULL,
    n         INTEGER NOT NULL,
    path      TEXT    NOT NULL,
    dial      TEXT    NOT NULL,
    class_max INTEGER NOT NULL,
    made      INTEGER NOT NULL,
    salt      BLOB    NOT NULL,
    record    INTEGER NOT NULL,
    idx       INTEGER NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX space_path ON space (tenant, path);

CREATE TABLE actor (
    tenant INTEGER NOT NULL,
    n      INTEGER NOT NULL,
    name   TEXT    NOT NULL,
    role   TEXT    NOT NULL,
    made   INTEGER NOT NULL,
    salt   BLOB    NOT NULL,
    record INTEGER NOT NULL,
    idx    INTEGER NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX actor_name ON actor (tenant, name, role);

CREATE TABLE credential (
    tenant    INTEGER NOT NULL,
    n         INTEGER NOT NULL,
    public_id TEXT    NOT NULL,
    digest    BLOB    NOT NULL,
    actor     TEXT    NOT NULL,
    role      TEXT    NOT NULL,
    home      TEXT    NOT NULL,
    rights    TEXT    NOT NULL,
    made      INTEGER NOT NULL,
    revoked   INTEGER NOT NULL,
    salt      BLOB    NOT NULL,
    record    INTEGER NOT NULL,
    idx       INTEGER NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX credential_public ON credential (tenant, public_id, n);

CREATE TABLE matter (
    tenant      INTEGER NOT NULL,
    n           INTEGER NOT NULL,
    id          BLOB    NOT NULL,
    kind        TEXT    NOT NULL,
    space       INTEGER NOT NULL,
    state       TEXT    NOT NULL,
    why         TEXT    NOT NULL,
    class       INTEGER NOT NULL,
    untrusted   INTEGER NOT NULL,
    actor       INTEGER NOT NULL,
    recorded    INTEGER NOT NULL,
    new_side    BLOB    NOT NULL,
    new_version INTEGER NOT NULL,
    old_side    BLOB    NOT NULL,
    old_version INTEGER NOT NULL,
    decision    TEXT    NOT NULL,
    body        TEXT    NOT NULL,
    digest      BLOB    NOT NULL,
    reason      TEXT    NOT NULL,
    salt        BLOB    NOT NULL,
    record      INTEGER NOT NULL,
    idx         INTEGER NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX matter_id ON matter (tenant, id, n);
CREATE INDEX matter_state ON matter (tenant, kind, state, space, n);
CREATE INDEX matter_new ON matter (tenant, new_side) WHERE new_side <> x'';
CREATE INDEX matter_old ON matter (tenant, old_side) WHERE old_side <> x'';

CREATE TABLE session (
    tenant    INTEGER NOT NULL,
    n         INTEGER NOT NULL,
    id        BLOB    NOT NULL,
    name      TEXT    NOT NULL,
    space     INTEGER NOT NULL,
    agent     TEXT    NOT NULL,
    started   INTEGER NOT NULL,
    title     TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    class     INTEGER NOT NULL,
    untrusted INTEGER NOT NULL,
    turns     INTEGER NOT NULL,
    salt      BLOB    NOT NULL,
    record    INTEGER NOT NULL,
    idx       INTEGER NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX session_name ON session (tenant, space, name);

CREATE TABLE version (
    tenant       INTEGER NOT NULL,
    n            INTEGER PRIMARY KEY,
    memory       BLOB    NOT NULL,
    number       INTEGER NOT NULL,
    space        INTEGER NOT NULL,
    valid_from   INTEGER NOT NULL,
    valid_until  INTEGER,
    recorded     INTEGER NOT NULL,
    trust        INTEGER NOT NULL,
    before       INTEGER NOT NULL,
    rank         INTEGER NOT NULL,
    class        INTEGER NOT NULL,
    untrusted    INTEGER NOT NULL,
    kind         INTEGER NOT NULL,
    expires_at   INTEGER,
    tags         TEXT,
    author       INTEGER NOT NULL,
    actor        INTEGER NOT NULL,
    act          TEXT    NOT NULL,
    session      INTEGER NOT NULL,
    occurred_at  INTEGER,
    asserted_at  INTEGER,
    value_digest BLOB    NOT NULL,
    slot_digest  BLOB,
    about        TEXT,
    attribute    TEXT,
    value        TEXT,
    many         INTEGER NOT NULL,
    reason       TEXT,
    salt         BLOB    NOT NULL,
    record       INTEGER NOT NULL,
    idx          INTEGER NOT NULL,
    text         TEXT    NOT NULL,
    terms        BLOB    NOT NULL
);
-- Most memories have one version, which their head names: only later ones need a place here.
CREATE UNIQUE INDEX version_of ON version (tenant, memory, number) WHERE number > 1;

CREATE TABLE memory (
    tenant       INTEGER NOT NULL,
    memory       BLOB    NOT NULL,
    n            INTEGER NOT NULL,
    number       INTEGER NOT NULL,
    trust        INTEGER NOT NULL,
    space        INTEGER NOT NULL,
    value_digest BLOB    NOT NULL,
    slot_digest  BLOB,
    mac          BLOB    NOT NULL,
    first        INTEGER NOT NULL,
    PRIMARY KEY (tenant, memory)
) WITHOUT ROWID;
CREATE INDEX memory_value ON memory (tenant, space, value_digest);
CREATE INDEX memory_slot ON memory (tenant, space, slot_digest) WHERE slot_digest IS NOT NULL;
CREATE INDEX memory_withheld ON memory (tenant, space, trust) WHERE trust > 1;

CREATE TABLE evidence (
    tenant      INTEGER NOT NULL,
    n           INTEGER PRIMARY KEY,
    id          BLOB    NOT NULL,
    space       INTEGER NOT NULL,
    recorded    INTEGER NOT NULL,
    occurred_at INTEGER,
    class       INTEGER NOT NULL,
    untrusted   INTEGER NOT NULL,
    kind        INTEGER NOT NULL,
    state       INTEGER NOT NULL,
    role        INTEGER NOT NULL,
    session     INTEGER NOT NULL,
    sequence    INTEGER NOT NULL,
    author      INTEGER NOT NULL,
    replaced    INTEGER NOT NULL,
    speaker     TEXT    NOT NULL,
    source      TEXT    NOT NULL,
    parent      TEXT    NOT NULL,
    origin      BLOB,
    salt        BLOB    NOT NULL,
    record      INTEGER NOT NULL,
    idx         INTEGER NOT NULL,
    text        TEXT    NOT NULL,
    terms       BLOB    NOT NULL
);
CREATE UNIQUE INDEX evidence_id ON evidence (tenant, id);
CREATE UNIQUE INDEX evidence_origin ON evidence (tenant, origin) WHERE origin IS NOT NULL;
CREATE INDEX evidence_session ON evidence (tenant, session, sequence) WHERE session > 0;

CREATE TABLE link (
    tenant     INTEGER NOT NULL,
    id         BLOB    NOT NULL,
    source     BLOB    NOT NULL,
    target     BLOB    NOT NULL,
    type       TEXT    NOT NULL,
    weight     REAL    NOT NULL,
    recorded   INTEGER NOT NULL,
    space      INTEGER NOT NULL,
    actor      INTEGER NOT NULL,
    span_start INTEGER,
    span_end   INTEGER,
    salt       BLOB    NOT NULL,
    record     INTEGER NOT NULL,
    idx        INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX link_source ON link (tenant, source);
CREATE INDEX link_target ON link (tenant, target);

CREATE TABLE tombstone (
    tenant     INTEGER NOT NULL,
    id         BLOB    NOT NULL,
    memory     BLOB    NOT NULL,
    space      INTEGER NOT NULL,
    kind       TEXT    NOT NULL,
    plain      BLOB    NOT NULL,
    folded     BLOB    NOT NULL,
    skeleton   BLOB    NOT NULL,
    slot       BLOB    NOT NULL,
    key_id     INTEGER NOT NULL,
    normaliser TEXT    NOT NULL,
    generation INTEGER NOT NULL,
    actor      INTEGER NOT NULL,
    recorded   INTEGER NOT NULL,
    reason     TEXT    NOT NULL,
    lifted     INTEGER NOT NULL,
    lifts      BLOB    NOT NULL,
    found_by   BLOB    NOT NULL,
    salt       BLOB    NOT NULL,
    record     INTEGER NOT NULL,
    idx        INTEGER NOT NULL,
    PRIMARY KEY (tenant, id)
);
CREATE INDEX tombstone_memory ON tombstone (tenant, memory);
CREATE INDEX tombstone_lifts ON tombstone (tenant, lifts) WHERE lifts <> x'';

CREATE TABLE tombstone_digest (
    tenant    INTEGER NOT NULL,
    space     INTEGER NOT NULL,
    digest    BLOB    NOT NULL,
    tombstone BLOB    NOT NULL,
    PRIMARY KEY (tenant, space, digest, tombstone)
) WITHOUT ROWID;

CREATE TABLE tombstone_anchor (
    tenant    INTEGER NOT NULL,
    space     INTEGER NOT NULL,
    pair      INTEGER NOT NULL,
    anchor    BLOB    NOT NULL,
    tombstone BLOB    NOT NULL,
    PRIMARY KEY (tenant, space, pair, anchor, tombstone)
) WITHOUT ROWID;

CREATE TABLE recall_log (
    tenant    INTEGER NOT NULL,
    n         INTEGER NOT NULL,
    asked     INTEGER NOT NULL,
    session   INTEGER NOT NULL,
    actor     INTEGER NOT NULL,
    query     TEXT    NOT NULL,
    outcome   TEXT    NOT NULL,
    class     INTEGER NOT NULL,
    untrusted INTEGER NOT NULL,
    hits      TEXT    NOT NULL,
    salt      BLOB    NOT NULL,
    record    INTEGER NOT NULL,
    idx       INTEGER NOT NULL,
    PRIMARY KEY (tenant, n)
) WITHOUT ROWID;

CREATE TABLE stub (
    tenant   INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    code     INTEGER NOT NULL,
    id       BLOB    NOT NULL,
    made_by  INTEGER NOT NULL,
    place    INTEGER NOT NULL,
    erasure  BLOB    NOT NULL,
    space    INTEGER NOT NULL,
    origin   BLOB,
    salt     BLOB    NOT NULL,
    record   INTEGER NOT NULL,
    idx      INTEGER NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX stub_origin ON stub (tenant, origin) WHERE origin IS NOT NULL;

CREATE TABLE certificate (
    tenant   INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    erasure  BLOB    NOT NULL,
    status   TEXT    NOT NULL,
    made     INTEGER NOT NULL,
    note     TEXT    NOT NULL,
    salt     BLOB    NOT NULL,
    record   INTEGER NOT NULL,
    idx      INTEGER NOT NULL,
    PRIMARY KEY (tenant, n)
);

CREATE TABLE record (
    tenant   INTEGER NOT NULL,
    place    INTEGER PRIMARY KEY,
    position INTEGER NOT NULL GENERATED ALWAYS AS (place & 0xffffffffff) VIRTUAL,
    recorded INTEGER NOT NULL,
    head     BLOB    NOT NULL,
    entries  BLOB    NOT NULL
);

CREATE TABLE model (
    tenant INTEGER NOT NULL,
    n      INTEGER NOT NULL,
    name   TEXT    NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE UNIQUE INDEX model_name ON model (tenant, name);

CREATE TABLE vector (
    tenant INTEGER NOT NULL,
    space  INTEGER NOT NULL,
    sort   TEXT    NOT NULL,
    n      INTEGER NOT NULL,
    model  INTEGER NOT NULL,
    lanes  BLOB    NOT NULL,
    PRIMARY KEY (tenant, space, sort, n)
) WITHOUT ROWID;

CREATE TABLE statistic (
    tenant INTEGER NOT NULL,
    space  INTEGER NOT NULL,
    sort   TEXT    NOT NULL,
    items  INTEGER NOT NULL,
    words  INTEGER NOT NULL,
    PRIMARY KEY (tenant, space, sort)
) WITHOUT ROWID;

CREATE TABLE job (
    tenant   INTEGER NOT NULL,
    n        INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    target   INTEGER NOT NULL,
    due      INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    lease    INTEGER NOT NULL,
    leased   INTEGER NOT NULL,
    error    TEXT    NOT NULL,
    PRIMARY KEY (tenant, n)
);
CREATE INDEX job_due ON job (tenant, due, n);
-- What waits for a look in one space shares one job until somebody takes it.
CREATE UNIQUE INDEX job_shared ON job (tenant, kind, target) WHERE kind = 'contradict' AND lease = 0;

-- Terms of the newest live versions and of evidence; the space and the sort are glued in
-- front of each term, so that every space has statistics of its own.  The lengths of rows
-- are not kept: the engine only proposes candidates, and the scorer counts stored terms.
CREATE VIRTUAL TABLE live USING fts5 (
    terms, content = '', columnsize = 0, tokenize = 'ascii tokenchars ''~.-/:@#+&%$_'''
);
CREATE VIRTUAL TABLE past USING fts5 (
    terms, content = '', columnsize = 0, tokenize = 'ascii tokenchars ''~.-/:@#+&%$_'''
);
INSERT INTO live (live, rank) VALUES ('secure-delete', 1);
INSERT INTO past (past, rank) VALUES ('secure-delete', 1);
-- Several pieces of an index share a page of the file, so that a write touches fewer of them.
INSERT INTO live (live, rank) VALUES ('pgsz', 1000);
INSERT INTO past (past, rank) VALUES ('pgsz', 1000);
CREATE VIRTUAL TABLE live_term USING fts5vocab (live, 'row');
