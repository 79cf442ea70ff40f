-- The fixed reference: what a competent person would write by hand to keep and find texts,
-- with nothing of what Muniment is for.  Changing a statement changes every published ratio.
-- Terms come glued to their space (`7~deploi`), as in the product, so that both sides index
-- the same number of terms with the same tokenizer.

-- name: make_item
-- One row a text, with its hash.
CREATE TABLE item (n INTEGER PRIMARY KEY, space INTEGER NOT NULL, text TEXT NOT NULL, hash BLOB NOT NULL);

-- name: make_words
-- The full-text index; contentless, the smallest there is.
CREATE VIRTUAL TABLE words USING fts5 (terms, content = '', tokenize = 'ascii tokenchars ''~.-/:@#+&%$_''');

-- name: make_vector
-- Vectors of signed bytes, those of a space side by side.
CREATE TABLE vector (space INTEGER NOT NULL, n INTEGER NOT NULL, lanes BLOB NOT NULL, PRIMARY KEY (space, n))
WITHOUT ROWID;

-- name: begin
-- Take the lock at once.
BEGIN IMMEDIATE;

-- name: add_item
-- Keep a text.
INSERT INTO item (n, space, text, hash) VALUES (:n, :space, :text, :hash);

-- name: add_words
-- Make it findable by its words.
INSERT INTO words (rowid, terms) VALUES (:n, :terms);

-- name: add_vector
-- Make it findable by its meaning.
INSERT INTO vector (space, n, lanes) VALUES (:space, :n, :lanes);

-- name: commit
-- Durable when this returns (synchronous FULL).
COMMIT;

-- name: by_words
-- The best texts of one space that hold any asked term.
SELECT rowid FROM words WHERE words MATCH :match ORDER BY rank LIMIT 100;

-- name: by_meaning
-- The nearest texts of one space, all of its vectors compared.
SELECT n, vec_distance_cosine(vec_int8(lanes), vec_int8(:vector)) AS far
  FROM vector WHERE space = :space ORDER BY far LIMIT 100;

-- name: items
-- Some texts.
SELECT n, text, hash FROM item WHERE n IN (SELECT value FROM json_each(:ns));
