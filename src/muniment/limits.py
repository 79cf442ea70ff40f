"""How large may anything be?  Every bound of the product, by name (I12).

Names end in the unit and the bound.  A house test shows that each is read by the code.
"""

from typing import Final

memory_text_characters_max: Final = 100_000
"""Longest text of one memory, in code points; longer material is evidence."""

evidence_text_characters_max: Final = 20_000_000
"""Longest text of one evidence item, in code points; documents are cut into chunks."""

name_characters_max: Final = 200
"""Longest name, `about`, `attribute`, `value`, tag, actor, space path or source."""

reason_characters_max: Final = 2_000
"""Longest reason given with an act, in code points."""

tags_max: Final = 32
"""Most tags on one memory."""

evidence_references_max: Final = 100
"""Most evidence items one memory is derived from."""

space_segments_max: Final = 12
"""Deepest space path."""

spaces_in_a_question_max: Final = 256
"""Most spaces one question is asked in; an answer that leaves some out says so."""

query_characters_max: Final = 2_000
"""Longest question, in code points; what is longer is cut and said to be."""

question_terms_max: Final = 64
"""Most distinct terms looked up for one question; the rarest are kept."""

hits_max: Final = 200
"""Largest k of a recall."""

erasure_rows_max: Final = 20_000
"""Most rows that one erasure takes away."""

erasure_requests_max: Final = 100
"""Most erasures that wait for a person; another one is refused until some are decided."""

erasure_wait_ms_max: Final = 5_000
"""Longest wait for readers of older states before the bytes are left to a job, in milliseconds."""

erasure_scan_bytes_max: Final = 4_096
"""How much of an erased text is looked for in the files, byte by byte."""

certificate_characters_max: Final = 1_000_000
"""Longest certificate that is read."""

candidates_per_lane_max: Final = 32
"""Most candidates that one lane hands to the scorer."""

candidates_max: Final = 128
"""Most candidates scored for one question."""

exact_vector_rows_max: Final = 50_000
"""Most rows of the asked spaces whose vectors a server compares one by one; beyond, where that takes
some 50 ms and grows with them, an index of neighbours proposes."""

neighbour_rows_looked_at_max: Final = 20_000
"""Most entries that one walk through the index of neighbours looks at before all rows are compared."""

batch_items_max: Final = 1_000
"""Most items that one intake transaction appends."""

page_rows_max: Final = 1_000
"""Largest page of a listing."""

line_bytes_max: Final = 8 * 1024 * 1024
"""Longest line of a source; a longer one is quarantined."""

busy_wait_ms_max: Final = 30_000
"""Longest wait for another writer, in milliseconds."""

records_between_folds_max: Final = 64
"""How many records the head gathers counts for before they are folded into the statistics."""

wal_checkpoint_bytes: Final = 4 * 1024 * 1024
"""How much the write-ahead log gathers before it is moved into the file."""

wal_bytes_max: Final = 16 * 1024 * 1024
"""Length from which the write-ahead log is cut short; only a reader of an old state keeps it longer."""

checkpoint_wait_ms_max: Final = 100
"""Longest wait for readers when the write-ahead log is cut short, in milliseconds."""

reserve_bytes: Final = 1_048_576
"""Size of the reserve file, which is given up on a full disk."""

check_seconds_max: Final = 20.0
"""Longest time that `doctor` reads through the file for damage; it says when it did not finish."""

database_connect_seconds_max: Final = 10
"""Longest wait for a connection to a database server, in seconds."""

database_statement_ms_max: Final = 60_000
"""Longest run of one statement on a database server, in milliseconds."""

database_idle_ms_max: Final = 60_000
"""Longest pause within a transaction before a database server ends it, in milliseconds."""

database_answer_seconds_max: Final = 20.0
"""Longest search for what became of a commit whose answer was lost."""

writers_of_process_max: Final = 8
"""Most connections of one process that write to a database server beside each other."""

readers_max: Final = 4
"""Most idle reading connections kept open by one process."""

context_least_characters: Final = 20_000
"""How many characters of a project's files a prompt takes for a model with a small or unknown window."""

context_characters_max: Final = 500_000
"""How many characters of a project's files a prompt takes at most."""

context_file_bytes_max: Final = 4_000_000
"""Longest file of a project that is read."""

hint_characters_max: Final = 8_000
"""How many characters of one directory's own file stand behind a tool's result."""

turns_found_max: Final = 256
"""Most turns that one look-up of a search in conversations returns; further ones follow it."""

search_sessions_max: Final = 10
"""Most lines of sessions that one search shows."""

search_query_characters_max: Final = 500
"""Longest query of a search in conversations, in code points."""

search_window_turns_max: Final = 20
"""Most turns that a search shows on either side of a turn."""

turn_shown_characters_max: Final = 600
"""How much of a turn a search shows where it shows several sessions; what is cut is said."""

phrase_turns_max: Final = 2_048
"""Most turns whose texts one search compares with a phrase."""

recall_log_delay_seconds_max: Final = 0.5
"""Longest time that a plain recall waits before its log row is durable."""

recall_log_batch_max: Final = 256
"""Most recall log rows of one batch."""

checkpoint_records_max: Final = 256
"""Most ledger records between two witnesses."""

checkpoint_seconds_max: Final = 60.0
"""Longest time between two witnesses while records are made."""

contradiction_candidates_max: Final = 16
"""Most neighbours by words, and as many by meaning, that a free statement is compared with."""

contradiction_batch_max: Final = 200
"""Most statements that one job compares; the rest is the next job's."""

model_seconds_max: Final = 6
"""Longest wait for one answer of a language model, in seconds."""

model_answer_bytes_max: Final = 65_536
"""Longest answer of a language model that is read."""

model_key_bytes_max: Final = 4_096
"""Longest file of a language model's key."""

model_text_characters_max: Final = 4_000
"""Longest statement that a language model is asked about."""

model_neighbours_max: Final = 8
"""Most neighbours of a free statement that a language model is asked about."""

model_tokens_max: Final = 10_000_000
"""Most tokens of one call that are believed of a model's server; more count as not told."""

derived_items_max: Final = 200
"""Most derived memories that one act on their source doubts."""

job_attempts_max: Final = 5
"""How often a failing job is tried before it is given up and shown by `doctor`."""

job_lease_seconds: Final = 60
"""How long a worker holds a job before another may take it."""

jobs_per_run_max: Final = 1_000
"""Most jobs that one call of `run_jobs` works through."""

vocabulary_cache_words_max: Final = 50_000
"""Most words whose terms or numbers a process keeps at hand."""

held_sessions_max: Final = 10_000
"""Most sessions of which a process keeps at hand that their label was worked out again."""

unindexed_rows_max: Final = 2_000
"""Most rows of one sort that a recall looks through, the newest first, while the text index is damaged."""

index_probe_rows_max: Final = 50
"""Most rows of one sort, the newest first, whose words the text index has to know when it is doubted."""

index_older_rows_max: Final = 16
"""Most older rows of one sort, spread over all that was taken in, whose words it has to know then."""

tombstone_marks_rows_max: Final = 200_000
"""Most marks of tombstones, of one kind, that a process keeps at hand; more are looked up each time."""

stored_terms_plain_bytes_max: Final = 400
"""Longest term list that is kept as it is; longer ones are compressed."""

walk_rows_max: Final = 500
"""Most rows that `verify` and `export` read at once."""

live_keys_max: Final = 2
"""Most keys that one actor, role and home hold at once: the old and the new of a rotation."""

findings_max: Final = 1_000
"""Most findings that one `verify` lists; the rest are counted."""

rights_records_max: Final = 10_000
"""Most of the newest records in which the digest of the daemon's rights is looked for."""

update_rows_max: Final = 200
"""Most items that one look for updated sessions takes in."""

update_wait_seconds_max: Final = 30
"""Longest time that one look for updated sessions waits for one, in seconds."""

request_head_bytes_max: Final = 65_536
"""Longest head of a request to the daemon: its line and its headers."""

request_bytes_max: Final = 8 * 1024 * 1024
"""Longest body of a request to the daemon."""

request_seconds_max: Final = 30.0
"""Longest time in which a request to the daemon has to come whole, head and body each."""

requests_at_once_max: Final = 8
"""Most requests of one socket of the daemon that are worked on at once; others wait."""

connections_max: Final = 64
"""Most connections of one socket of the daemon; a further one is cut off."""

sessions_held_max: Final = 256
"""Most sessions that the daemon keeps at hand; what a session holds is in the vault."""

drain_seconds_max: Final = 20
"""Longest wait for open requests when the daemon is stopped, in seconds."""

chores_seconds_max: Final = 30.0
"""Longest time after which a daemon that is told nothing looks for background work."""

answer_characters_max: Final = 14_000
"""Longest answer of an MCP tool, about 4,000 tokens; what was cut is said."""

awake_items_max: Final = 8
"""Most items of one section of `awake`."""

soul_block_characters_max: Final = 4_000
"""Longest joined text of the block `soul`, in code points."""

memory_block_characters_max: Final = 2_200
"""Longest joined text of the block `memory`, in code points."""

user_block_characters_max: Final = 1_375
"""Longest joined text of the block `user`, in code points."""

note_characters_max: Final = 1_000
"""Longest note that is written by hand, in code points; what leaves a block is kept whole."""

entry_preview_characters_max: Final = 80
"""How much of an entry is shown where several match."""

block_operations_max: Final = 100
"""Most operations of one batch, or entries of one consolidation."""

block_failures_max: Final = 3
"""How many edits of one turn may fail before the answer says to stop."""

block_file_bytes_max: Final = 1_000_000
"""Longest file of a block that is read; what is longer is left alone, and said to be unreadable."""

block_copies_max: Final = 100
"""Most copies of block files that are kept; another one is made once some are removed."""

directory_items_max: Final = 10_000
"""Most names beside a vault among which block files are looked for that it left under another name."""

stray_items_max: Final = 4
"""Most directories of block files without a vault that are looked into."""
