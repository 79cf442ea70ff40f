"""Does a vault come back as it was, or not at all?"""

import base64
import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import muniment
from muniment.adapters.keys import keys_beside as key_directory
from muniment.adapters.signing import public_key_of, signature
from muniment.domain import checkpoint
from muniment.domain.checkpoint import Checkpoint, parsed
from muniment.domain.ledger import grown, leaf_hash, root_of
from muniment.domain.principal import ActorRole, Principal
from muniment.errors import BadCredential, BadInput, MunimentError, Refusal, Tampered, Unreadable
from muniment.service import share
from muniment.service.credentials import principal_of
from muniment.service.restore import restore
from muniment.service.vault import Vault
from tests.builders import FlakyEmbedder, stored, texts
from tests.carrying import Places, edited, exported, home, ids, lines, places

__all__ = ["exported", "home", "ids", "places"]


def test_a_restored_vault_exports_the_same_bytes(exported: Path, places: Places) -> None:
    back = places.vault("back")
    report = back.restore(exported)
    assert back.verify().ok
    back.export(places.path("again"))
    assert places.path("again").read_bytes() == exported.read_bytes()
    assert report.records + report.rows + 1 == len(lines(exported))


def test_a_restored_vault_answers_as_the_first_did(
    home: Vault, exported: Path, places: Places, ids: dict[str, str]
) -> None:
    back = places.vault("back")
    back.restore(exported)
    for id in (ids["friday"], ids["tea"], ids["harbour"], ids["turn"]):
        assert back.read(id) == home.read(id)
        if id.startswith("m_"):
            assert back.history(id) == home.history(id)
            assert back.why(id) == home.why(id)
    for question in ("key rotates", "tea served", "harbour opens", "pump hall hums", "attic"):
        assert back.recall(question).hits == home.recall(question).hits
    assert texts(back, "tea served") == ["Tea is served at five"]


def test_a_rejection_outlives_a_restore(exported: Path, places: Places, ids: dict[str, str]) -> None:
    back = places.vault("back")
    stored(places.vault("fresh").remember("The door code is 4711"))
    back.restore(exported)
    assert back.remember("The door code is 4711").reason == "rejected-value"
    assert back.remember("the DOOR code is 4711").refused
    stored(back.lift(ids["code"]))
    assert back.verify().ok


def test_a_key_of_the_first_opens_the_restored_one(
    exported: Path, places: Places, ids: dict[str, str]
) -> None:
    back = places.vault("back")
    back.restore(exported)
    assert principal_of(back.ground, ids["key"]).actor == "robot"
    back.revoke_key(ids["public"])
    with pytest.raises(BadCredential):
        principal_of(back.ground, ids["key"])


def test_a_restored_log_goes_on_in_a_new_epoch_that_cites_the_old(exported: Path, places: Places) -> None:
    back = places.vault("back")
    assert back.restore(exported).epoch == 2
    (note,) = back.ground.outside.witness.notes()
    first = parsed(note)
    old = parsed(share.checkpoint_beside(exported).read_text(encoding="utf-8"))
    assert (first.epoch, first.why) == (2, "restored")
    assert first.follows is not None
    assert (first.follows.origin, first.follows.size, first.follows.root) == (old.origin, old.size, old.root)
    stored(back.remember("The lamp is blue"))
    assert parsed(back.checkpoint()).epoch == 2
    assert back.verify().ok


def test_a_restored_vault_opens_again_by_its_path(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "first.db") as first:
        stored(first.remember("The lamp is blue"))
        first.export(tmp_path / "a.jsonl")
    with muniment.open(tmp_path / "back.db") as back:
        back.restore(tmp_path / "a.jsonl")
    with muniment.open(tmp_path / "back.db") as back:
        assert texts(back, "lamp") == ["The lamp is blue"]
        assert back.verify().ok
        stored(back.remember("The lamp is green now"))
    own = key_directory(tmp_path / "back.db")
    assert (own / "vault.key").read_bytes() == (
        key_directory(tmp_path / "first.db") / "vault.key"
    ).read_bytes()
    assert (own / "signing.key").read_bytes() != (
        key_directory(tmp_path / "first.db") / "signing.key"
    ).read_bytes()
    assert not [path for path in tmp_path.iterdir() if path.suffix in (".part", ".old")]


def test_an_empty_vault_comes_back_empty(places: Places) -> None:
    places.vault("first").export(places.path("a"))
    back = places.vault("back")
    assert (back.restore(places.path("a")).records, back.verify().ok) == (0, True)
    stored(back.remember("The lamp is blue"))
    assert back.verify().ok


def test_a_vault_with_anything_in_it_is_not_restored_into(exported: Path, places: Places) -> None:
    other = places.vault("other")
    stored(other.remember("The lamp is blue"))
    with pytest.raises(BadInput):
        other.restore(exported)
    assert texts(other, "lamp") == ["The lamp is blue"]
    assert other.verify().ok
    places.vault("empty").restore(exported)


@pytest.mark.parametrize("role", [role for role in ActorRole if role is not ActorRole.OWNER])
def test_only_the_owner_restores(exported: Path, places: Places, role: ActorRole) -> None:
    other = places.vault("other")
    with pytest.raises(Refusal):
        restore(other.ground, Principal(other.principal.tenant, "stranger", role), exported)
    assert other.log(limit=1)[0].fields["outcome"] == "refused"
    restored = places.vault("restored")
    assert restore(restored.ground, restored.principal, exported).records > 0


def test_without_its_keys_an_export_is_not_restored(exported: Path, places: Places) -> None:
    keys = share.keys_beside(exported)
    aside = keys.rename(keys.with_suffix(".aside"))
    other = places.vault("other")
    with pytest.raises(Unreadable):
        other.restore(exported)
    aside.rename(keys)
    other.restore(exported)


def _resigned(path: Path) -> None:
    """Sign an altered export with a key of one's own, root and digest worked out anew."""
    frontier, size = b"", 0
    for one in lines(path)[1:]:
        if one["row"] == "record":
            leaf = leaf_hash(str(one["head"]).encode("latin-1"), bytes.fromhex(str(one["entries"])))
            frontier, size = grown(frontier, size, leaf), size + 1

    def renamed(found: list[dict[str, object]]) -> None:
        found[0] |= {"size": size, "root": root_of(frontier).hex()}

    edited(path, renamed)
    seed = bytes(range(32))
    old = parsed(share.checkpoint_beside(path).read_text(encoding="utf-8"))
    body = checkpoint.body(Checkpoint(old.origin, size, root_of(frontier), old.at))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    body += f"export sha256:{digest}\nkey {base64.b64encode(public_key_of(seed)).decode()}\n"
    line = checkpoint.signature_line(old.origin, public_key_of(seed), signature(seed, body.encode()))
    share.checkpoint_beside(path).write_text(checkpoint.note(body, (line,)), encoding="utf-8")


def _index(found: list[dict[str, object]], row: str) -> int:
    return next(at for at, one in enumerate(found) if one.get("row") == row)


def _text(found: list[dict[str, object]]) -> None:
    found[_index(found, "version")]["text"] = "The key rotates never"


def _label(found: list[dict[str, object]]) -> None:
    found[_index(found, "evidence")]["class"] = "public"


def _row_gone(found: list[dict[str, object]]) -> None:
    del found[_index(found, "tombstone")]


def _row_twice(found: list[dict[str, object]]) -> None:
    at = _index(found, "link")
    found.insert(at, found[at])


def _record_gone(found: list[dict[str, object]]) -> None:
    at = next(at for at, one in enumerate(found) if one.get("position") == 1)
    end = next(at for at, one in enumerate(found) if one.get("position") == 2)
    del found[at:end]


def _row_without_record(found: list[dict[str, object]]) -> None:
    found.insert(1, found[_index(found, "space")])


def _half_a_row(found: list[dict[str, object]]) -> None:
    del found[_index(found, "version")]["trust"]


def _unknown_row(found: list[dict[str, object]]) -> None:
    found.append({"row": "spell"})


def _later_form(found: list[dict[str, object]]) -> None:
    found[0]["version"] = 2


FORGERIES = (
    _text, _label, _row_gone, _row_twice, _record_gone, _row_without_record, _half_a_row,
    _unknown_row, _later_form,
)  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_an_export_altered_and_signed_anew_is_refused_whole(
    exported: Path, places: Places, forge: Callable[[list[dict[str, object]]], None]
) -> None:
    edited(exported, forge)
    _resigned(exported)
    other = places.vault("other")
    with pytest.raises((Tampered, BadInput)):
        other.restore(exported)
    assert other.status().records == 0
    stored(other.remember("The lamp is blue"))
    assert other.verify().ok


def test_an_export_signed_anew_and_not_altered_is_taken(exported: Path, places: Places) -> None:
    """The forgeries above are refused for what was altered, and not for the new signature."""
    before = exported.read_bytes()
    _resigned(exported)
    assert exported.read_bytes() == before
    places.vault("other").restore(exported)


def test_one_changed_byte_is_refused(exported: Path, places: Places) -> None:
    exported.write_bytes(exported.read_bytes().replace(b"five", b"nine", 1))
    with pytest.raises(Tampered):
        places.vault("other").restore(exported)


@pytest.mark.parametrize("line", [1, 2, 3, 4, 5])
def test_a_checkpoint_with_a_changed_line_is_refused(exported: Path, places: Places, line: int) -> None:
    path = share.checkpoint_beside(exported)
    note = path.read_text(encoding="utf-8").split("\n")
    note[line] = note[line][:-2] + ("AA" if not note[line].endswith("AA") else "BB")
    path.write_text("\n".join(note), encoding="utf-8")
    with pytest.raises(MunimentError):
        places.vault("other").restore(exported)


def test_keys_of_another_vault_are_refused(exported: Path, places: Places) -> None:
    stranger = places.vault("stranger")
    stranger.export(places.path("stranger"))
    shutil.copyfile(share.keys_beside(places.path("stranger")), share.keys_beside(exported))
    with pytest.raises(BadInput):
        places.vault("other").restore(exported)


@pytest.mark.parametrize("content", [b"", b"{}\n", b"[]", b"no json", b'{"muniment":"keys","version":1}\n'])
def test_a_key_file_that_is_none_is_refused(exported: Path, places: Places, content: bytes) -> None:
    share.keys_beside(exported).write_bytes(content)
    with pytest.raises(BadInput):
        places.vault("other").restore(exported)


def test_a_restored_vault_can_be_carried_on(exported: Path, places: Places) -> None:
    second = places.vault("second")
    second.restore(exported)
    stored(second.remember("The lamp is blue"))
    second.export(places.path("second"))
    third = places.vault("third")
    assert third.restore(places.path("second")).epoch == 3
    assert texts(third, "lamp") == ["The lamp is blue"]
    assert third.verify().ok


def test_rows_of_another_place_in_a_shared_file_are_refused(exported: Path, places: Places) -> None:
    edited(exported, lambda found: found[0].update(next_n=(7 << 40) + 5))
    _resigned(exported)
    with pytest.raises(BadInput):
        places.vault("other").restore(exported)


def test_restoring_tells_how_far_it_is(
    exported: Path, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("muniment.service.restore.PROGRESS_EVERY", 3)
    seen: list[int] = []
    report = places.vault("other").restore(exported, progress=seen.append)
    assert seen == sorted(seen) and 0 < seen[-1] <= report.rows


def test_a_vector_is_made_anew(places: Places) -> None:
    """Vectors are no part of an export; what was found by meaning is found again."""
    first = places.vault("first", embedder=FlakyEmbedder())
    stored(first.remember("zebra"))
    first.export(places.path("a"))
    back = places.vault("back", embedder=FlakyEmbedder())
    back.restore(places.path("a"))
    assert back.status().counts["vector"] == first.status().counts["vector"] == 1
