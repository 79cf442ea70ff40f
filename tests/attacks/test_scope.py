"""Can a caller reach another space: by name, by id, by a link, by evidence, by omission?"""

import pytest

from muniment.domain.evidence import Role
from muniment.errors import BadInput, MunimentError, NotFound, Refusal
from muniment.service.vault import Vault
from tests.builders import FakeClock, stored, texts

SECRET = "The vault of acme opens with osprey-4417"
ASK = "how does the vault of acme open"


@pytest.fixture
def acme(vault: Vault) -> Vault:
    return vault.acting_as(actor="ann", space="acme")


@pytest.fixture
def corp(vault: Vault) -> Vault:
    return vault.acting_as(actor="cory", space="acme-corp")


@pytest.fixture
def secret(acme: Vault) -> str:
    return stored(acme.remember(SECRET)).id


WIDER = [
    "acme",
    "*",
    "acme*",
    "?",
    "acme/*",
    "%",
    "acme%",
    "/",
    "..",
    "acme-corp/../acme",
    "ACME",
    "acm",
    " ",
]


@pytest.mark.parametrize("space", WIDER)
def test_naming_another_space_never_widens_a_question(
    acme: Vault, corp: Vault, secret: str, space: str
) -> None:
    try:
        answer = corp.recall(ASK, space=space)
    except MunimentError:
        answer = None
    assert answer is None or SECRET not in [hit.text for hit in answer.hits]
    assert answer is None or SECRET not in answer.render()
    assert texts(acme, ASK) == [SECRET]
    stored(corp.remember("Cory likes tea"))
    assert texts(corp, "what does Cory like") == ["Cory likes tea"]


@pytest.mark.parametrize("fields", [{}, {"space": ""}, {"space": None}])
def test_a_space_that_is_left_out_is_the_callers_own(
    acme: Vault, corp: Vault, secret: str, fields: dict[str, str]
) -> None:
    assert texts(corp, ASK, **fields) == []
    assert texts(acme, ASK, **fields) == [SECRET]
    landed = stored(corp.remember("Cory likes tea", **fields))
    assert corp.read(landed.id).space == "acme-corp"


def test_the_best_possible_match_of_another_space_never_appears(
    vault: Vault, acme: Vault, corp: Vault, secret: str
) -> None:
    for number in range(3):
        stored(corp.remember(f"something quite different, number {number}"))
    answer = corp.recall(SECRET, k=200)
    assert SECRET not in [hit.text for hit in answer.hits]
    assert dict(answer.withheld) == {}
    assert texts(acme, SECRET) == [SECRET]
    assert SECRET in texts(vault, SECRET)


@pytest.mark.parametrize("space", ["acme", "acme/eng", "acme-corp/eng", "home"])
def test_a_write_to_another_space_is_refused_on_record(
    vault: Vault, corp: Vault, secret: str, space: str
) -> None:
    receipt = corp.remember("Cory was here", space=space)
    assert (receipt.verdict, receipt.reason, receipt.record >= 0) == ("refused", "not-granted", True)
    assert texts(vault, "Cory was here") == []
    with pytest.raises(Refusal):
        corp.ingest("Cory was here too", source="note", space=space)
    with pytest.raises(MunimentError):
        corp.session("s-1", space=space)
    assert stored(corp.remember("Cory was here")).verdict == "stored"


def test_an_id_of_another_space_is_as_good_as_none(acme: Vault, corp: Vault, secret: str) -> None:
    own = stored(corp.remember("Cory likes tea")).id
    for look in (corp.read, corp.history, corp.why):
        with pytest.raises(NotFound) as there:
            look(secret)
        with pytest.raises(NotFound) as nowhere:
            look("m_" + "0" * 26)
        assert str(there.value) == str(nowhere.value)
    for change in (
        lambda: corp.revise(secret, "It opens with a smile"),
        lambda: corp.succeed(secret, "It opens with a smile"),
        lambda: corp.retract(secret),
        lambda: corp.judge(secret, "dispute"),
        lambda: corp.link(own, secret, type="refers_to"),
        lambda: corp.link(secret, own, type="refers_to"),
        lambda: corp.remember("It rests on that", evidence=[secret]),
        lambda: corp.revise(own, "Cory loves tea", evidence=[secret]),
    ):
        receipt = change()
        assert (receipt.verdict, receipt.reason) == ("refused", "no-match")
        assert SECRET not in f"{receipt}"
    assert acme.read(secret).text == SECRET
    assert stored(corp.revise(own, "Cory loves tea"))


def test_evidence_of_another_space_is_neither_read_nor_rested_on(acme: Vault, corp: Vault) -> None:
    heard = acme.session("s-1").append(Role.USER.value, SECRET)
    (item,) = heard.evidence
    with pytest.raises(NotFound):
        corp.read(item)
    with pytest.raises(NotFound):
        corp.why(item)
    assert corp.remember("I heard of it", evidence=[item]).reason == "no-match"
    mine = corp.session("s-1")
    assert mine.turns() == ()
    assert texts(corp, ASK) == []
    assert stored(acme.remember("I heard of it", evidence=[item]))
    assert texts(acme, ASK)[0] == SECRET


def test_a_chain_of_evidence_stops_at_the_border(vault: Vault, acme: Vault, secret: str) -> None:
    """Who reads only the shared space sees no source that the owner rested its memory on."""
    shared = stored(vault.remember("Acme has a vault", space="shared", evidence=[secret])).id
    reader = vault.acting_as(actor="rob", space="shared")
    assert [step.id for step in reader.why(shared)] == [shared]
    assert [step.id for step in vault.why(shared)] == [shared, secret]
    hit = reader.recall("who has a vault").hits[0]
    with pytest.raises(NotFound):
        reader.read(hit.evidence[0])


def test_a_chain_of_evidence_leaves_out_what_was_rejected(vault: Vault) -> None:
    base = stored(vault.remember("The lamp is blue")).id
    built = stored(vault.remember("The room has a coloured lamp", evidence=[base])).id
    assert [step.id for step in vault.why(built)] == [built, base]
    stored(vault.reject(base))
    assert [step.id for step in vault.why(built)] == [built]


def test_a_lineage_shows_no_version_of_another_space(
    vault: Vault, acme: Vault, secret: str, clock: FakeClock
) -> None:
    clock.advance(days=1)
    stored(acme.succeed(secret, "The vault of acme opens with heron-9"))
    reader = vault.acting_as(actor="rob", space="shared")
    with pytest.raises(NotFound):
        reader.history(secret)
    assert len(acme.history(secret)) == 3


def test_segments_with_separators_in_them_stay_distinct(vault: Vault) -> None:
    stored(vault.remember("this room has a colon", space="a/b:c"))
    stored(vault.remember("this room has segments", space="a/b/c"))
    assert texts(vault, "this room", space="a/b:c") == ["this room has a colon"]
    assert texts(vault, "this room", space="a/b/c") == ["this room has segments"]
    assert texts(vault.acting_as(actor="x", space="a/b:c"), "this room") == ["this room has a colon"]


def test_an_ancestor_is_read_but_not_written(vault: Vault, acme: Vault, secret: str) -> None:
    child = vault.acting_as(actor="eve", space="acme/eng")
    assert texts(child, ASK) == [SECRET]
    assert child.revise(secret, "It opens with a smile").reason == "not-granted"
    assert child.retract(secret).reason == "not-granted"
    assert child.remember("from below", space="acme").reason == "not-granted"
    assert texts(acme, ASK) == [SECRET]
    assert stored(child.remember("of my own")).verdict == "stored"


def test_a_granted_subtree_is_exactly_that_subtree(vault: Vault) -> None:
    for space in ("acme/eng", "acme/eng/web", "acme/eng-secret", "acme"):
        stored(vault.remember(f"written in the room {space.replace('/', ' slash ')}", space=space))
    reader = vault.acting_as(actor="rob", space="lobby", reads=["acme/eng"])
    found = {hit.space for hit in reader.recall("written in the room", k=50).hits}
    assert found == {"acme/eng", "acme/eng/web"}
    assert {row.path for row in reader.spaces()} >= {"acme/eng", "acme/eng/web"}
    assert not {row.path for row in reader.spaces()} & {"acme", "acme/eng-secret"}
    assert reader.remember("mine", space="acme/eng").reason == "not-granted"


def test_listings_show_only_the_callers_spaces(acme: Vault, corp: Vault, secret: str) -> None:
    acme.session("the talk").append("user", SECRET)
    stored(corp.remember("Cory likes tea"))
    assert [row.text for row in corp.memories()] == ["Cory likes tea"]
    assert corp.memories(space="acme") == ()
    assert corp.sessions() == ()
    assert [row.name for row in acme.sessions()] == ["the talk"]


def test_equal_texts_in_two_spaces_are_two_memories(acme: Vault, corp: Vault) -> None:
    first, second = stored(acme.remember("I am Bot")), stored(corp.remember("I am Bot"))
    assert (second.verdict, first.id != second.id) == ("stored", True)
    stored(acme.retract(first.id))
    assert texts(acme, "who am I, Bot?") == []
    assert texts(corp, "who am I, Bot?") == ["I am Bot"]


@pytest.mark.parametrize(
    "path", ["", "a//b", "a/*", "..", "a/./b", "a\u200bb", "x" * 201, "/".join("a" * 13)]
)
def test_a_malformed_space_is_named_as_such(vault: Vault, path: str) -> None:
    with pytest.raises(BadInput):
        vault.acting_as(actor="x", space=path)
    if path:
        with pytest.raises(BadInput):
            vault.remember("x", space=path)


def test_a_secret_is_withheld_from_who_may_read_only_private(vault: Vault) -> None:
    stored(vault.remember("The safe code is 1123", data_class="secret"))
    stored(vault.remember("The safe stands in the cellar", data_class="private"))
    answer = vault.recall("what about the safe")
    assert len(answer.hits) == 2
    assert answer.label.data_class.name == "SECRET"
