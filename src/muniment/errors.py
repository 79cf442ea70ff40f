"""What can go wrong, each named once: a code, one plain sentence and what to do.

Three families: `CallersMistake` (the call is wrong), `Refusal` (the gate said no and
the caller asked for exceptions) and `BrokenData` (what is stored cannot be trusted or
opened).  `Unavailable` is for what may work on another try.  Surfaces translate them
through one table (`surfaces/problems.py`); every code has a runbook entry (I13).
"""


class MunimentError(Exception):
    """Say what went wrong and what to do about it.

    `code` names the error on every surface; `advice` is the next step in one sentence.
    """

    code = "error"
    advice = "Run `muniment doctor` and read the runbook entry of the code."

    def __init__(self, sentence: str, *, advice: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        if advice:
            self.advice = advice


class CallersMistake(MunimentError):
    """Say that the call itself is wrong; nothing was read or changed."""

    code = "bad-call"
    advice = "Correct the call; the sentence names the part that is wrong."


class BadInput(CallersMistake):
    """Say that a value has the wrong type, shape or size."""

    code = "bad-input"
    advice = "Correct the named value and call again; nothing was stored."


class BadTime(CallersMistake):
    """Say that a moment could not be understood or has no time zone."""

    code = "bad-time"
    advice = "Give RFC 3339 such as 2026-03-01T09:30:00Z, a date, or an age such as 3d."


class NotFound(CallersMistake):
    """Say that an id names nothing that the caller may see (I7: ids obey scope)."""

    code = "not-found"
    advice = "Look the id up with `recall` or `history`; ids of other spaces are never shown."


class StalePlan(CallersMistake):
    """Say that what a plan of an erasure names is no longer what would go."""

    code = "stale-plan"
    advice = "Plan again, look at it, and erase by the new plan; nothing was erased."


class ForbiddenMove(CallersMistake):
    """Say that the trust table has no such move, or not for this actor (I3)."""

    code = "forbidden-move"
    advice = "Look up who may do this in the guide's table of trust."


class BadCredential(CallersMistake):
    """Say that a key is unknown, revoked or malformed."""

    code = "bad-key"
    advice = "Make a new key with `muniment keys create` and pass it whole."


class Unreadable(CallersMistake):
    """Say that a path given by the caller cannot be read or written."""

    code = "unreadable-path"
    advice = "Check the path and its permissions, then call again."


class BadStore(CallersMistake):
    """Say that the given store address is not one that can be opened."""

    code = "bad-store"
    advice = "Give a path to a vault file, or install the extra that its scheme needs."


class OtherSocket(CallersMistake):
    """Say that this socket of the daemon has no right to the call; another one has."""

    code = "other-socket"
    advice = "Call `about` to see what this socket may do; rights belong to the socket, never to a request."


class NoSuchCall(CallersMistake):
    """Say that the daemon knows no call of this name, or not by this method."""

    code = "no-such-call"
    advice = "Call `about` to see what this socket may do; the guide's page on the daemon lists every call."


class TooLarge(CallersMistake):
    """Say that a request is longer than one may be; nothing of it was read on."""

    code = "request-too-large"
    advice = "Send less at once; a long document is taken in with `muniment import`."


class TooSlow(CallersMistake):
    """Say that a request did not come whole in time."""

    code = "request-too-slow"
    advice = "Send the whole request at once; nothing was stored."


class Refusal(MunimentError):
    """Say that the gate refused, for callers that asked for exceptions (`strict=True`)."""

    code = "refused"
    advice = "Read the reason; the verdict says what to do next."


class BrokenData(MunimentError):
    """Say that what is stored is damaged, altered or from another release."""

    code = "broken-data"
    advice = "Run `muniment verify`; restore from an export if rows are lost."


class DamagedFile(BrokenData):
    """Say that pages of the vault's file, or of its write-ahead log, are damaged."""

    code = "damaged-file"
    advice = "Keep the file as it is; `muniment salvage COPY` copies what can be read, or restore an export."


class DamagedIndex(BrokenData):
    """Say that the text index is damaged; every row is still there."""

    code = "damaged-index"
    advice = "Run `muniment reindex`: the index is made anew from the rows, which are not affected."


class Tampered(BrokenData):
    """Say that a row, head or log does not match its commitment (I6)."""

    code = "tampered"
    advice = "Run `muniment verify` to see which rows; restore them from an export."


class RolledBack(BrokenData):
    """Say that the store is older than the newest outside witness (I6)."""

    code = "rolled-back"
    advice = "Put the newer file back, or start a new epoch with `muniment checkpoint --new-epoch`."


class NewerSchema(BrokenData):
    """Say that a newer release wrote this file; it was not touched."""

    code = "newer-schema"
    advice = "Install the release that wrote the file, or a later one."


class NotAVault(BrokenData):
    """Say that the file is not a vault, or is damaged beyond opening."""

    code = "not-a-vault"
    advice = "Check the path; restore the vault from an export if it was one."


class OtherAnalyser(BrokenData):
    """Say that the index was built by another analyser and must be rebuilt before writing."""

    code = "other-analyser"
    advice = "Run `muniment reindex` with this release; reading goes on meanwhile."


class MissingKey(BrokenData):
    """Say that a key that the vault's log needs is not there; the vault is read-only."""

    code = "missing-key"
    advice = "Put the key directory back beside the vault; keys are never minted silently."


class LooseKeys(BrokenData):
    """Say that the key directory or a key file is open to others."""

    code = "loose-keys"
    advice = "Set the directory to mode 0700 and the files to 0600, owned by you."


class UnusableBlock(BrokenData):
    """Say that a block cannot stand in a new session's prompt: too long, unreadable or altered."""

    code = "unusable-block"
    advice = "Running sessions keep their prompt; mend the block as the runbook says, then open the session."


class UnfitSocket(BrokenData):
    """Say that a socket or its directory is a link, another user's, or open to others."""

    code = "unfit-socket"
    advice = (
        "Make the directory yours alone (mode 0700) and take away what is no socket; nothing was touched."
    )


class Unavailable(MunimentError):
    """Say that something may work later."""

    code = "unavailable"
    advice = "Try again; run `muniment doctor` if it lasts."


class Busy(Unavailable):
    """Say that another writer held the store for longer than the bounded wait."""

    code = "busy"
    advice = "Try again; nothing was stored."


class DaemonRunning(Unavailable):
    """Say that another daemon serves in the same directory."""

    code = "daemon-running"
    advice = "Use the daemon that runs, stop it first, or name another directory with `--sockets`."


class ReadOnly(Unavailable):
    """Say that the store accepts no writes now; nothing was stored."""

    code = "read-only"
    advice = "Make the file and its directory writable, or put the missing key back."


class FullDisk(Unavailable):
    """Say that the disk is full; nothing was stored."""

    code = "full-disk"
    advice = "Free some space; reading, retiring and rejecting work meanwhile, if need be at the second try."


class ModelAway(Unavailable):
    """Say that a language model gave no answer that could be used."""

    code = "model-away"
    advice = "Look at the model's server and at MUNIMENT_MODEL_URL; the rules judge meanwhile."


class Disconnected(Unavailable):
    """Say that the database server cannot be reached, or ended the connection."""

    code = "server-lost"
    advice = (
        "Check that the server runs and takes the role, then call again; what was being written is undone."
    )


class Unconfirmed(Disconnected):
    """Say that the server was lost while it committed, and that nobody could ask it what became of that."""

    code = "unconfirmed"
    advice = (
        "Look whether it is there, or say it again: a statement, a document or an import is not kept twice, "
        "and a change with `expected_version` is refused; only a turn would be."
    )
