"""How does a row come back without what was erased from it?  A new row of the same id, sealed anew."""

import json
from dataclasses import replace

from muniment.domain.block_journal import without as without_entries
from muniment.domain.changes import IndexEntry, NewTombstone, NewVersion, Sealed
from muniment.domain.erasure import Going
from muniment.domain.evidence import MARK, Evidence, EvidenceKind, TurnState
from muniment.domain.ids import packed
from muniment.domain.ledger import RowCode
from muniment.domain.link import Link
from muniment.domain.matter import Matter
from muniment.domain.members import texts
from muniment.domain.memory import Version
from muniment.domain.mention import without
from muniment.domain.rows import (
    PATHS_OF_RIGHTS,
    ActorRow,
    CredentialRow,
    SpaceRow,
    actor_bytes,
    rights_of,
    space_bytes,
    tombstone_bytes,
    version_bytes,
)
from muniment.domain.session import Conversation
from muniment.domain.space import HOME
from muniment.domain.tombstone import Tombstone
from muniment.errors import Tampered
from muniment.service.conversations import CHUNK_FROM_CHARACTERS, UNINDEXED_ROLES
from muniment.service.draft import Draft, numbered_id
from muniment.service.erase_terms import Holds
from muniment.service.erased_names import erased_name
from muniment.service.ground import memory_mac
from muniment.service.prepare import index_entry
from muniment.service.writing import reindexed


class Returning:
    """Put rows back within the transaction of one erasure.

    `holding` knows what was erased; a field beside the text that holds it is marked whole.
    """

    def __init__(self, draft: Draft, holding: Holds) -> None:
        self._draft, self._holding = draft, holding

    def put(self, going: Going) -> None:
        """Append the row again, without what goes."""
        row = going.sealed.row
        match row:
            case Evidence():
                self._evidence(row, going)
            case Link():
                self._draft.add_link(replace(row, span=going.spans[0]))
            case Version():
                self._version(row)
            case Conversation() | ActorRow() | SpaceRow() | CredentialRow():
                self._names(row)
            case Tombstone():
                self._tombstone(row)
            case Matter():
                kept = without_entries(row, self._holding.holds)
                self._draft.add_matter(replace(kept, reason=self._clean(row.reason)))
            case _:
                raise ValueError(f"a {going.code.name} never comes back")

    def _names(self, row: Conversation | ActorRow | SpaceRow | CredentialRow) -> None:
        match row:
            case Conversation():
                self._session(row)
            case ActorRow():
                self._actor(row)
            case SpaceRow():
                cleaned = replace(row, path=self._path(row.path))
                seal = self._draft.seal(RowCode.SPACE, numbered_id(row.n), space_bytes(cleaned))
                self._draft.spaces.append(Sealed(cleaned, seal))
            case CredentialRow():
                self._credential(row)

    def _clean(self, text: str) -> str:
        return MARK if text and self._holding.holds(text) else text

    def _evidence(self, row: Evidence, going: Going) -> None:
        item = replace(
            row,
            n=self._draft.number(),
            text=without(row.text, going.spans, mark=MARK),
            speaker=self._clean(row.speaker),
            source=self._clean(row.source),
            parent=self._clean(row.parent),
        )
        entry, failed = IndexEntry(), False
        if _is_found(item):
            entry, failed = index_entry(self._draft.ground, item.text, item.text)
        self._draft.add_evidence(item, entry)
        if failed:
            self._draft.want_vector(item.n)

    def _version(self, row: Version) -> None:
        """Put a state back under its own number; the newest one takes its memory's head again."""
        draft = self._draft
        tags = tuple(tag for tag in row.tags if not self._holding.holds(tag))
        version = replace(row, n=draft.number(), reason=self._clean(row.reason), tags=tags)
        entry, failed = reindexed(draft.ground, version)
        newest = draft.transaction.currents((row.memory,))[0].version
        seal = draft.seal(RowCode.VERSION, packed(version.memory)[1:], version_bytes(version))
        mac = memory_mac(draft.ground.vault_key, version)
        past = newest.number != row.number
        draft.versions.append(NewVersion(version, seal, mac, entry, None, past))
        if failed and not past:
            draft.want_vector(version.n)

    def _session(self, row: Conversation) -> None:
        is_erased = self._clean(row.name) == MARK
        name = erased_name(self._draft.ground, row.name) if is_erased else row.name
        fields = (self._clean(row.title), self._clean(row.source), self._clean(row.agent))
        title, source, agent = fields
        self._draft.add_session(replace(row, name=name, title=title, source=source, agent=agent))

    def _tombstone(self, row: Tombstone) -> None:
        """The digests by which it is found stay where they are."""
        cleaned = replace(row, reason=self._clean(row.reason))
        seal = self._draft.seal(RowCode.TOMBSTONE, packed(row.id)[1:], tombstone_bytes(cleaned))
        self._draft.tombstones.append(NewTombstone(cleaned, seal, ()))

    def _actor(self, row: ActorRow) -> None:
        cleaned = replace(row, name=self._name(row.name, of_row=True))
        seal = self._draft.seal(RowCode.ACTOR, numbered_id(row.n), actor_bytes(cleaned))
        self._draft.actors.append(Sealed(cleaned, seal))

    def _name(self, name: str, *, of_row: bool = False) -> str:
        """Return a name, or what stands for it when it goes; `of_row`: its row goes for no other reason."""
        return erased_name(self._draft.ground, name) if of_row or self._holding.holds_name(name) else name

    def _path(self, path: str) -> str:
        """Return a path without the segments that go, and whole when it goes only as a whole.

        The same segment has the same name afterwards, so that what lies below a space still does,
        and a right is one to the same spaces as before.
        """
        if path == HOME:
            return path
        left = "/".join(self._name(segment) for segment in path.split("/"))
        return self._name(path) if left == path else left

    def _credential(self, row: CredentialRow) -> None:
        try:
            fields = dict(rights_of(row))
        except ValueError as error:
            raise Tampered("The rights of a key cannot be read.") from error
        for name in PATHS_OF_RIGHTS:
            fields[name] = [self._path(path) for path in texts(fields, name)]
        rights = json.dumps(fields, sort_keys=True, separators=(",", ":"))
        actor, home = self._name(row.actor), self._path(row.home)
        self._draft.add_credential(replace(row, actor=actor, home=home, rights=rights))


def _is_found(item: Evidence) -> bool:
    if item.state is TurnState.REWOUND or item.role in UNINDEXED_ROLES:
        return False
    return item.kind is not EvidenceKind.DOCUMENT or len(item.text) <= CHUNK_FROM_CHARACTERS
