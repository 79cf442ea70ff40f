"""Does an erased value come back inside a longer text, and does its neighbour stay welcome?"""

from pathlib import Path

import pytest

import muniment
from muniment.domain.memory import Claim
from muniment.domain.tombstone import sum_of
from muniment.service.burying import Term
from muniment.service.vault import Vault
from muniment.service.watch import met, parts_of
from tests.builders import FakeClock, clocked_vault, file_vault, stored
from tests.service.burials import buried, spans_in

SENTENCE = "Caroline keeps her savings in Lisbon"


def refused(vault: Vault, text: str, **fields: object) -> bool:
    return vault.acting_as(actor="coder").remember(text, **fields).refused


@pytest.mark.parametrize(
    "text",
    [
        SENTENCE,
        f"As she said: {SENTENCE}, since May.",
        "caroline KEEPS her\nsavings, in lisbon; and more",
        "I heard Caroline k\u0435eps her savings in Lisb\u043en today",
        "I heard C\u0430roline keeps her ｓａｖｉｎｇｓ in 𝗟𝗶𝘀𝗯𝗼𝗻.",
    ],
)
def test_an_erased_sentence_is_refused_inside_a_longer_text(vault: Vault, text: str) -> None:
    assert not refused(vault, "Caroline keeps her savings at home")
    buried(vault, SENTENCE)
    assert refused(vault, text)
    assert refused(vault, text, space="home")
    assert not refused(vault, "Caroline keeps her cat in Lisbon")


@pytest.mark.parametrize("space", ["home", "acme/eng"])
def test_an_erased_value_is_refused_in_every_space_and_part(vault: Vault, space: str) -> None:
    buried(vault, SENTENCE, "tulip9")
    for fields in (
        {"tags": [SENTENCE]},
        {"tags": ["tulip9"]},
        {"about": "tulip9", "attribute": "colour", "value": "red"},
        {"about": "she", "attribute": SENTENCE, "value": "red"},
        {"about": "she", "attribute": "word", "value": "Tulip9"},
    ):
        receipt = vault.remember("It is an ordinary line", space=space, **fields)
        assert receipt.reason == "rejected-value", fields
    fields = {"about": "she", "attribute": "word", "value": "tulip8", "tags": ["tulips"]}
    assert stored(vault.remember("It is an ordinary line", space=space, **fields))


def test_an_erased_value_does_not_come_in_as_a_reason(vault: Vault) -> None:
    id = stored(vault.remember("She lives in Porto")).id
    buried(vault, SENTENCE)
    assert vault.retract(id, reason=f"wrong: {SENTENCE}").reason == "rejected-value"
    assert vault.revise(id, "She lives in Faro", reason=SENTENCE).refused
    assert vault.reject(id, reason=SENTENCE).refused
    assert stored(vault.retract(id, reason="wrong"))


def test_a_short_value_matches_whole_only(vault: Vault) -> None:
    buried(vault, "Lisbon")
    assert refused(vault, "lisbon")
    assert refused(vault, "L\u0456sbon")
    assert not refused(vault, "Lisbon is a town in Portugal")
    assert spans_in(vault, "Lisbon") == ["Lisbon"]
    assert spans_in(vault, "Lisbon is a town") == []


@pytest.mark.parametrize(
    ("term", "caught", "spared"),
    [
        ("alice@acme.io", "Write to Alice (at) ACME dot io today", "Write to alice.smith@acme.io today"),
        ("alice@acme.io", "mail: alice@acme.io.", "mail: alice@acme.io.example"),
        ("alice@acme.io", "аlice@acme.io", "malice@acme.io"),
        ("+49 170 1234567", "Call 0049 170/12 34 567", "Call +49 170 12345678"),
        ("555-0100", "at 555/0100 or so", "at 555-01001 or so"),
        ("555-0100", "at 555 0100 8 times", "at 2-555-0100 or so"),
        ("INV-2024-001", "see inv_2024_001", "see INV-2024-0012"),
        ("INV-2024-001", "see #INV-2024-001", "see INV-2024-001-B7"),
        ("INV-2024-001", "see INV 2024 001 again", "see INV 2024 0012"),
        ("INV-2024-001", "see inv/2024/001", "see INV-2024-001_B7"),
        ("QZ7-HERON-4417", "the code: QZ7 . heron . 4417", "QZ7 HERON 4418"),
        ("QZ7-HERON-4417", "QZ7:HERON:4417", "QZ7 or HERON or 4417"),
        ("ALPHA-123456-BRAVO-7890", "ALPHA 123456 BRAVO 7890", "ALPHA-123456-BRAVO-7890-X"),
        (
            "consuelo.martin.perez@example-shop.org",
            "to Consuelo.Martin.Perez (at) example-shop dot org",
            "to dr.consuelo.martin.perez@example-shop.org",
        ),
        ("ana.bell.ruiz@mail.acme.io", "«ana.bell.ruiz@mail.acme.io»", "ana.bell.ruiz@mail.acme.io.uk"),
        ("48213", "badge ４８２１３ it was", "badge 482130 it was"),
        ("DE89 3704 0044 0532 0130 00", "to DE89370400440532013000", "to DE89370400440532013001"),
    ],
)
def test_an_erased_identifier_spares_its_longer_neighbour(
    vault: Vault, term: str, caught: str, spared: str
) -> None:
    buried(vault, term)
    assert refused(vault, caught)
    assert spans_in(vault, f"He said {caught}") != []
    assert not refused(vault, spared)
    assert spans_in(vault, f"He said {spared}") == []


def test_a_value_of_a_slot_is_blocked_in_that_slot_of_every_space(vault: Vault) -> None:
    buried(vault, Term("8090", "api", "port"))
    for space in ("home", "acme"):
        assert vault.remember("A port", about="API", attribute="port", value="8090", space=space).refused
        assert stored(vault.remember("A port", about="web", attribute="port", value="8090", space=space))


def test_characters_of_a_script_without_spaces_are_tokens(vault: Vault) -> None:
    buried(vault, "设备清单在机房")
    assert refused(vault, "我们知道设备清单在机房里")
    assert not refused(vault, "我们知道设备在机房里")
    assert spans_in(vault, "我们知道设备清单在机房里。") == ["设备清单在机房"]


def test_spans_are_those_of_the_text_as_it_was_given(vault: Vault) -> None:
    buried(vault, SENTENCE, "alice@acme.io", "Anticonstitutionnellement")
    text = (
        "🙂 Well, C\u0430ro\u200bline keeps her\tsavings in LISBON! Write alice(at)acme.io,\n"
        "or say anticonstitutionnellement — and Caroline keeps her savings elsewhere."
    )
    assert spans_in(vault, text) == [
        "C\u0430ro\u200bline keeps her\tsavings in LISBON",
        "alice(at)acme.io",
        "anticonstitutionnellement",
    ]
    assert spans_in(vault, "Nothing of it is here.") == []


def test_overlapping_terms_are_one_span(vault: Vault) -> None:
    buried(vault, "keeps her savings in Lisbon", "Caroline keeps her savings")
    assert spans_in(vault, f"So {SENTENCE} now") == [SENTENCE]


def test_a_number_decides_between_the_value_and_its_neighbour(vault: Vault) -> None:
    buried(vault, "the dose is 1.5 grams a day")
    assert refused(vault, "They say the dose is 1.5 grams a day")
    waiting = vault.acting_as(actor="coder").remember("They say the dose is 1 5 grams a day")
    assert waiting.verdict == "staged"
    assert not refused(vault, "They say the dose is 15 grams a day")


def test_what_is_erased_stays_out_after_rotation_and_restart(tmp_path: Path) -> None:
    vault = clocked_vault(tmp_path / "vault.db", FakeClock())
    buried(vault, SENTENCE, "alice@acme.io")
    vault.rotate_keys()
    buried(vault, "and this was buried under the new key")
    vault.close()
    with muniment.open(tmp_path / "vault.db") as again:
        for line in (f"Yes, {SENTENCE}", "it is alice@acme.io", "so and this was buried under the new key"):
            assert refused(again, line)
            assert spans_in(again, line) != []
        assert not refused(again, "An ordinary line")
        assert again.verify().ok


def test_a_tombstone_commits_to_its_digests_and_anchors(vault: Vault) -> None:
    ids = buried(vault, SENTENCE)
    assert vault.verify().ok
    with vault.ground.store.snapshot() as snapshot:
        kept = snapshot.tombstone_digests(ids)[ids[0]]
        standing = snapshot.tombstone(ids[0])
    assert {len(one) for one in kept} == {12, 36}
    assert standing is not None and standing.found_by == sum_of(kept) != sum_of(kept[:-1])


@pytest.mark.parametrize("text", ["", " ", "\u200b", "🙂", "...", "@", "at", "1", "a@b", "I"])
def test_no_text_is_too_odd_to_be_looked_up(vault: Vault, text: str) -> None:
    buried(vault, SENTENCE, text)
    assert spans_in(vault, f"{text}{text}") == []
    assert not refused(vault, "An ordinary line")


def test_a_text_of_repeats_costs_no_more_than_its_length(vault: Vault) -> None:
    buried(vault, " ".join(["a b"] * 400))
    text = " ".join(["a b"] * 20_000)
    assert spans_in(vault, text)


def test_a_restored_vault_refuses_what_was_buried_inside_longer_texts(tmp_path: Path) -> None:
    with file_vault(tmp_path / "vault.db") as vault:
        buried(vault, SENTENCE, "alice@acme.io")
        stored(vault.reject(stored(vault.remember("The gate code is maple leaf")).id))
        vault.export(tmp_path / "out.jsonl")
    with file_vault(tmp_path / "again.db") as again:
        again.restore(tmp_path / "out.jsonl")
        for line in (f"Yes, {SENTENCE}", "write to alice@acme.io", "They say the gate code is maple leaf"):
            assert refused(again, line), line
        assert not refused(again, "An ordinary line")
        assert again.verify().ok


def test_a_lifted_rejection_no_longer_stops_a_longer_text(vault: Vault) -> None:
    id = stored(vault.remember("The gate code is maple leaf")).id
    stored(vault.reject(id))
    longer = "They say the gate code is maple leaf"
    assert refused(vault, longer)
    stored(vault.lift(id))
    assert not refused(vault, longer)


def test_the_parts_of_a_claim_are_all_its_texts_and_an_acts_reason(vault: Vault) -> None:
    keyed = Claim("The port is 8090", "api", "port", "8090")
    parts = {part.name: part for part in parts_of(keyed, ("net",), reason="seen")}
    assert list(parts) == ["text", "value", "about", "attribute", "tag", "reason"]
    assert [part.name for part in parts.values() if part.erased_only] == ["reason"]
    free = {part.name: part for part in parts_of(Claim("The port is 8090"))}
    assert list(free) == ["text"]
    # The text of a rejected keyed claim counts as a free statement, and in no other slot.
    assert {use.purpose for use in free["text"].whole} > {use.purpose for use in parts["about"].whole}
    assert all(use.slot or use.purpose == b"free" for use in parts["text"].whole)


def test_nothing_is_looked_up_while_nothing_is_buried(vault: Vault) -> None:
    stored(vault.remember("An ordinary line"))
    with vault.ground.store.snapshot() as snapshot:
        assert snapshot.head().generation == 0
        assert not snapshot.erased_anywhere()
        assert met(vault.ground, snapshot, parts_of(Claim(SENTENCE)), space=1) == ()
    assert spans_in(vault, SENTENCE) == []


def test_a_term_given_twice_is_buried_once_and_an_empty_one_not_at_all(vault: Vault) -> None:
    assert len(buried(vault, SENTENCE, SENTENCE, "", " \u200b ")) == 1
    assert len(buried(vault, Term("8090", "api", "port"), Term("8090"))) == 2


def test_a_hit_names_tombstone_part_and_whether_it_is_the_value_itself(vault: Vault) -> None:
    (id,) = buried(vault, SENTENCE)
    cases = (
        (Claim(SENTENCE), "text", False, False),
        (Claim(f"Yes, {SENTENCE}!"), "text", True, False),
        (Claim("x", "a", "b", SENTENCE.upper()), "value", False, False),
        (Claim(SENTENCE.replace("l", "1")), "text", False, True),
    )
    with vault.ground.store.snapshot() as snapshot:
        for claim, part, within, only in cases:
            hit = met(vault.ground, snapshot, parts_of(claim), space=1)[0]
            assert (hit.tombstone, hit.part, hit.within, hit.look_alike_only) == (id, part, within, only)
