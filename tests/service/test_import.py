"""Does another vault's memory join this one through the gate, once, and as imported?"""

from pathlib import Path

import pytest

from muniment.domain.changes import Page
from muniment.domain.memory import Version
from muniment.domain.principal import ActorRole, Principal
from muniment.domain.timeline import to_micros
from muniment.domain.trust import Rank, Trust
from muniment.errors import BadInput, Unreadable
from muniment.service.import_vault import ImportReport, import_
from muniment.service.vault import Vault
from tests.builders import stored, texts
from tests.carrying import Places, edited, exported, home, ids, lines, places

__all__ = ["exported", "home", "ids", "places"]


@pytest.fixture
def joined(exported: Path, places: Places) -> tuple[Vault, ImportReport]:
    """Return a vault that the export joined, and the report."""
    other = places.vault("other")
    places.clock.advance(days=30)
    return other, other.import_(exported)


def _nothing_new(report: ImportReport) -> bool:
    added = (report.stored, report.disputed, report.evidence_added, report.links)
    return added == (0, 0, 0, 0) and report.refused == ()


def test_everything_live_comes_and_the_report_counts_it(joined: tuple[Vault, ImportReport]) -> None:
    other, report = joined
    assert (report.merged, report.disputed, report.refused, report.bad_lines) == (0, 0, (), 0)
    assert report.stored == other.status().counts["memory"] == 5
    assert report.evidence_added == other.status().counts["evidence"]
    assert report.left_out == 2
    assert texts(other, "tea served") == ["Tea is served at five"]
    assert other.verify().ok


def test_what_comes_has_rank_import_and_says_when_it_was_asserted(
    joined: tuple[Vault, ImportReport], home: Vault, ids: dict[str, str]
) -> None:
    other, _ = joined
    (hit,) = other.recall("tea served").hits
    there, here = home.read(ids["tea"]), other.read(hit.id)
    assert hit.rank is Rank.IMPORT
    assert here.asserted_at == there.recorded < here.recorded
    assert (here.text, here.kind, here.tags, here.valid) == (there.text, there.kind, there.tags, there.valid)
    assert here.id != there.id


def test_a_closed_interval_stays_closed(
    joined: tuple[Vault, ImportReport], home: Vault, ids: dict[str, str]
) -> None:
    other, _ = joined
    present = other.recall("key rotates").hits
    assert [hit.text for hit in present if hit.kind == "fact"] == ["The key rotates on Fridays"]
    there = home.read(ids["monday"])
    assert there.valid is not None and there.valid.end is not None
    past = other.recall("key rotates", as_of=there.valid.start).hits
    assert [hit.text for hit in past] == ["The key rotates on Mondays"]
    assert past[0].valid == there.valid


def test_evidence_comes_verbatim_with_its_label(joined: tuple[Vault, ImportReport]) -> None:
    other, _ = joined
    (turn,) = [hit for hit in other.recall("harbour dawn").hits if hit.source == "turn"]
    assert turn.text == "I heard that the harbour opens at dawn"
    assert turn.session.endswith("/s-1")
    (claim,) = [hit for hit in other.recall("harbour early").hits if hit.source == "memory"]
    assert [step.text for step in other.why(claim.id)][1:] == [turn.text]


def test_a_document_is_cut_once(joined: tuple[Vault, ImportReport], home: Vault) -> None:
    other, _ = joined
    assert other.status().counts["evidence"] == home.status().counts["evidence"]
    assert texts(other, "pump hall hums", k=3) == texts(home, "pump hall hums", k=3) != []


def test_links_join_what_came(joined: tuple[Vault, ImportReport], home: Vault) -> None:
    other, _ = joined
    with other.ground.store.snapshot() as snapshot:
        memories = [version.memory for version in _memories(other)]
        found = {(one.row.id, one.row.type.value, one.row.weight) for one in snapshot.links_of(memories)}
    assert sorted((type, weight) for _, type, weight in found) == [
        ("contradicts", 1.0),
        ("derived_from", 1.0),
        ("derived_from", 1.0),
        ("refers_to", 0.25),
    ]


def _memories(vault: Vault) -> list[Version]:
    with vault.ground.store.snapshot() as snapshot:
        spaces = [space.n for space in snapshot.spaces()]
        return snapshot.memories(spaces, [trust.value for trust in Trust], Page())


def test_importing_twice_adds_nothing(joined: tuple[Vault, ImportReport], exported: Path) -> None:
    other, first = joined
    before = other.status().counts
    again = other.import_(exported)
    assert _nothing_new(again)
    assert (again.merged, again.evidence_skipped) == (first.stored, first.evidence_added)
    assert other.status().counts == before


def test_what_was_retired_here_stays_retired_when_it_comes_again(
    joined: tuple[Vault, ImportReport], exported: Path
) -> None:
    other, _ = joined
    (hit,) = other.recall("tea served").hits
    stored(other.retire(hit.id))
    assert _nothing_new(other.import_(exported))
    assert texts(other, "tea served") == []


def test_what_the_home_vault_added_comes_with_the_next_import(
    joined: tuple[Vault, ImportReport], home: Vault, places: Places
) -> None:
    other, _ = joined
    stored(home.remember("The cellar floods in spring"))
    home.export(places.path("later"))
    report = other.import_(places.path("later"))
    assert (report.stored, report.evidence_added) == (1, 0)
    assert texts(other, "cellar") == ["The cellar floods in spring"]


def test_a_value_rejected_here_stays_out(exported: Path, places: Places) -> None:
    other = places.vault("other")
    stored(other.reject(stored(other.remember("Tea is served at five")).id))
    report = other.import_(exported)
    assert report.refused == (("rejected-value", 1),)
    assert texts(other, "tea served") == []
    assert report.stored == 4


def test_a_value_rejected_there_neither_comes_nor_stays_out_here(
    joined: tuple[Vault, ImportReport],
) -> None:
    other, _ = joined
    assert texts(other, "door code") == []
    assert other.status().counts["tombstone"] == 0
    stored(other.remember("The door code is 4711"))


def test_what_contradicts_a_higher_rank_lands_as_disputed(exported: Path, places: Places) -> None:
    other = places.vault("other")
    stored(other.remember("The key rotates daily", about="key", attribute="rotation", value="daily",
                          valid_from="2020-01-01"))  # fmt: skip
    report = other.import_(exported)
    assert report.disputed >= 1
    assert [hit.text for hit in other.recall("key rotates").hits if hit.kind == "fact"] == [
        "The key rotates daily"
    ]
    assert _nothing_new(other.import_(exported))


def test_what_is_known_here_is_merged(exported: Path, places: Places) -> None:
    other = places.vault("other")
    known = stored(other.remember("Tea is served at five")).id
    report = other.import_(exported)
    assert (report.stored, report.merged) == (4, 1)
    (hit,) = other.recall("tea served").hits
    assert (hit.id, hit.rank) == (known, Rank.MANUAL)


def test_an_agent_imports_into_its_own_space_only(exported: Path, places: Places) -> None:
    other = places.vault("other")
    stranger = Principal(other.principal.tenant, "coder", ActorRole.AGENT, home="acme")
    report = import_(other.ground, stranger, exported)
    assert (report.stored, report.evidence_added) == (0, 0)
    assert dict(report.refused)["not-granted"] > 4
    at_home = Principal(other.principal.tenant, "coder", ActorRole.AGENT)
    assert import_(other.ground, at_home, exported).stored == 5


def test_untrusted_stays_untrusted_and_a_candidate(home: Vault, places: Places) -> None:
    session = home.session("s-9", agent="coder")
    session.append(role="tool_result", text="The page says that the mill burned down")
    stored(session.remember("The mill burned down"))
    home.export(places.path("a"))
    other = places.vault("other")
    other.import_(places.path("a"))
    (hit,) = [one for one in other.recall("mill burned").hits if one.source == "memory"]
    assert (hit.label.untrusted, hit.trust, hit.rank) == (True, Trust.CANDIDATE, Rank.UNTRUSTED)


def test_a_payload_raises_neither_rank_nor_trust(exported: Path, places: Places) -> None:
    """The file may be anyone's: what it says of rank, trust and authors is not believed (I3)."""

    def raised(found: list[dict[str, object]]) -> None:
        for one in found:
            if one.get("row") == "version" and one["text"] == "Tea is served at five":
                one |= {"rank": "manual", "trust": "believed", "act": "judge"}

    edited(exported, raised)
    other = places.vault("other")
    other.import_(exported)
    (hit,) = other.recall("tea served").hits
    assert hit.rank is Rank.IMPORT


@pytest.mark.parametrize(
    "line", [b"no json\n", b"[]\n", b"{}\n", b'{"row":"version"}\n', b"\xff\xfe\n", b"\n"]
)
def test_a_line_that_cannot_be_read_is_counted_and_passed_over(
    exported: Path, places: Places, line: bytes
) -> None:
    content = exported.read_bytes().splitlines(keepends=True)
    exported.write_bytes(b"".join([*content[:5], line, *content[5:], line]))
    report = places.vault("other").import_(exported)
    assert (report.bad_lines, report.stored) == (2, 5)


@pytest.mark.parametrize("path", ["", "acme//eng", "../up", "a*"])
def test_a_space_that_is_no_path_takes_nothing(exported: Path, places: Places, path: str) -> None:
    def renamed(found: list[dict[str, object]]) -> None:
        next(one for one in found if one.get("row") == "space")["path"] = path

    edited(exported, renamed)
    other = places.vault("other")
    report = other.import_(exported)
    assert dict(report.refused)["no-such-space"] > 4
    assert (report.stored, other.status().counts["space"]) == (0, 0)


@pytest.mark.parametrize("content", [b"", b"hello\n", b'{"muniment":"keys","version":1}\n', b'{"a":1}\n'])
def test_another_file_is_refused_by_name(places: Places, content: bytes) -> None:
    path = places.path("stranger")
    path.write_bytes(content)
    with pytest.raises(BadInput):
        places.vault("other").import_(path)


def test_a_file_that_is_not_there_is_said(places: Places) -> None:
    with pytest.raises(Unreadable):
        places.vault("other").import_(places.path("nowhere"))


def test_a_first_line_of_a_later_form_is_refused(exported: Path, places: Places) -> None:
    edited(exported, lambda found: found[0].update(version=2))
    with pytest.raises(BadInput):
        places.vault("other").import_(exported)


def test_times_come_to_the_microsecond(joined: tuple[Vault, ImportReport], exported: Path) -> None:
    other, _ = joined
    (hit,) = other.recall("tea served").hits
    there = [one for one in lines(exported) if one.get("text") == "Tea is served at five"][-1]
    asserted = other.read(hit.id).asserted_at
    assert asserted is not None and to_micros(asserted) == there["recorded"]
