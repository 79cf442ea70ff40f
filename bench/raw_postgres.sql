-- The fixed reference on PostgreSQL: what a competent person would write by hand to keep and find
-- texts, with nothing of what Muniment is for.  Changing a statement changes every published ratio.
-- Terms come glued to their space (`7~deploi`), as in the product, so that both sides index the
-- same number of terms.

-- name: make_item
-- One row a text, with its hash, its terms with their places, and its vector.
CREATE TABLE item (n BIGINT PRIMARY KEY, space BIGINT NOT NULL, text TEXT NOT NULL, hash BYTEA NOT NULL);

-- name: make_words
-- The terms of each text, with their places.
CREATE TABLE words (n BIGINT PRIMARY KEY, terms TSVECTOR NOT NULL);

-- name: index_words
-- The full-text index.
CREATE INDEX words_terms ON words USING gin (terms);

-- name: make_vector
-- Vectors, those of a space side by side in the key.
CREATE TABLE meaning (space BIGINT NOT NULL, n BIGINT NOT NULL, lanes HALFVEC(256) NOT NULL, PRIMARY KEY (space, n));

-- name: settle
-- Let the planner know how many rows there are.
ANALYZE;

-- name: copy_items
-- Keep texts.
COPY item (n, space, text, hash) FROM STDIN;

-- name: copy_words
-- Make them findable by their words.
COPY words (n, terms) FROM STDIN;

-- name: copy_vectors
-- Make them findable by their meaning.
COPY meaning (space, n, lanes) FROM STDIN;

-- name: by_words
-- The best texts of one space that hold any asked term.
SELECT n FROM words WHERE terms @@ CAST(:match AS tsquery) ORDER BY ts_rank(terms, CAST(:match AS tsquery)) DESC LIMIT 100;

-- name: by_meaning
-- The nearest texts of one space, all of its vectors compared.
SELECT n FROM meaning WHERE space = :space ORDER BY lanes <=> CAST(:vector AS halfvec(256)) LIMIT 100;

-- name: items
-- Some texts.
SELECT n, text, hash FROM item WHERE n = ANY(:ns);

-- name: out_evidence
-- The product's own rows of evidence after a number, as they are to be copied again.
COPY (SELECT * FROM muniment.evidence WHERE n > %(after)s) TO STDOUT (FORMAT BINARY);

-- name: out_live
-- The product's own entries in the index of terms after a number.
COPY (SELECT * FROM muniment.live WHERE n > %(after)s) TO STDOUT (FORMAT BINARY);

-- name: out_vector
-- The product's own vectors after a number.
COPY (SELECT * FROM muniment.vector WHERE n > %(after)s) TO STDOUT (FORMAT BINARY);

-- name: in_evidence
-- The same rows into a table with the same indexes.
COPY muniment.evidence FROM STDIN (FORMAT BINARY);

-- name: in_live
-- The same entries into an index of the same kind.
COPY muniment.live FROM STDIN (FORMAT BINARY);

-- name: in_vector
-- The same vectors into a table with the same key.
COPY muniment.vector FROM STDIN (FORMAT BINARY);
