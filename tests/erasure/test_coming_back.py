"""Does what was erased stay out, by whatever way it is said again?"""

from pathlib import Path

import pytest

import muniment
from muniment.domain.evidence import MARK
from tests.builders import World, stored
from tests.erasure.planting import CODE, TWIN

MAIL = "alice@acme.io"


def erased(world: World) -> None:
    """Erase a fact that holds an address and a code."""
    id = stored(world.vault.remember(f"Alice of {MAIL} has the code {CODE}")).id
    world.vault.erase(world.vault.plan_erasure(id=id))


@pytest.mark.parametrize(
    "text",
    [
        f"Alice of {MAIL} has the code {CODE}",
        f"ALICE of {MAIL.upper()} has  the code {CODE.lower()}",
        f"By the way, {CODE} is hers",
        f"write to {MAIL} today",
        "write to alice (at) acme dot io today",
        f"the code: {CODE.replace('-', '')}",
    ],
)
def test_a_statement_of_it_is_refused_in_any_spelling_and_space(world: World, text: str) -> None:
    erased(world)
    for space in (None, "acme/team"):
        assert world.vault.remember(text, space=space).refused
    assert not world.vault.remember(f"the spare code is {TWIN}").refused
    assert not world.vault.remember("write to alice.smith@acme.io").refused


def test_a_turn_arrives_without_the_part_and_nothing_else_is_lost(world: World) -> None:
    erased(world)
    session = world.vault.session("talk", agent="coder")
    report = session.append("user", f"Her code is {CODE}, mail {MAIL}. The spare is {TWIN}. I live in Graz.")
    text = world.vault.read(report.evidence[0]).text
    assert text == f"Her code is {MARK}, mail {MARK}. The spare is {TWIN}. I live in Graz."
    assert world.vault.recall(f"who has {TWIN}").hits
    assert world.vault.verify().ok


@pytest.mark.parametrize("number", [MAIL, "13800138001", CODE])
def test_an_identifier_glued_to_chinese_goes_and_stays_out(world: World, number: str) -> None:
    """No edge of a word stands between a letter of Chinese and one of an address."""
    vault, said = world.vault, f"我的号码是{number}的，茶在四点"
    turn = vault.session("talk", agent="coder").append("user", said).evidence[0]
    other = stored(vault.remember("我的号码是13911139112的")).id
    vault.erase(vault.plan_erasure(text=number))
    assert vault.read(turn).text == f"我的号码是{MARK}的，茶在四点"
    assert vault.remember(said).reason == "rejected-value"
    again = vault.session("talk", agent="coder").append("user", f"打给{number}吧").evidence[0]
    assert vault.read(again).text == f"打给{MARK}吧"
    assert vault.read(other).text == "我的号码是13911139112的"


@pytest.mark.parametrize(
    ("before", "behind"), [("«", "»"), ("“", "”"), ("'", "'"), ("—", "—"), ("_", "_"), ("•", "…")]
)
def test_fault_an_address_in_quotes_or_between_dashes_comes_back(
    world: World, before: str, behind: str
) -> None:
    """An address in quotes was taken for another address, and so was spared and let in again."""
    vault, said = world.vault, f"Write to {before}{MAIL}{behind} today"
    held = stored(vault.remember(said)).id
    other = stored(vault.remember(f"Write to {before}alice.smith@acme.io{behind} today")).id
    vault.erase(vault.plan_erasure(text=MAIL))
    assert vault.memories() and held not in [row.memory for row in vault.memories()]
    assert vault.remember(said).reason == "rejected-value"
    turn = vault.session("talk", agent="coder").append("user", said).evidence[0]
    assert vault.read(turn).text == f"Write to {before}{MARK}{behind} today"
    assert vault.read(other).text.endswith("today")


def test_a_document_of_another_source_arrives_without_it(world: World) -> None:
    erased(world)
    filler = "Plain words follow here. " * 120
    report = world.vault.ingest(f"{filler}Her code is {CODE}. {filler}", source="another")
    texts = [world.vault.read(id).text for id in report.evidence]
    assert len(texts) > 2 and all("HERON" not in text for text in texts)
    assert MARK in texts[0] and sum(MARK in text for text in texts) >= 2


def test_a_file_arrives_without_it(world: World, tmp_path: Path) -> None:
    erased(world)
    file = tmp_path / "talk.jsonl"
    file.write_text(
        "".join(
            f'{{"session": "s", "role": "user", "text": "{text}"}}\n'
            for text in (f"It is {CODE}", f"It is {TWIN}")
        ),
        "utf-8",
    )
    report = world.vault.take_file(file)
    assert report.added == 2
    said = [hit.text for hit in world.vault.recall("it is", k=10).hits]
    assert f"It is {TWIN}" in said and all("HERON" not in text for text in said)


def test_a_question_about_it_is_kept_without_it(world: World) -> None:
    erased(world)
    world.vault.recall(f"who has {CODE}?")
    world.vault.recall(f"who has {TWIN}?")
    questions = [row.query for row in world.vault.recalls()]
    assert questions == [f"who has {TWIN}?", f"who has {MARK}?"]


def test_a_rejected_value_is_left_in_evidence(world: World) -> None:
    """The twin: only what was erased is taken out of what arrives."""
    id = stored(world.vault.remember(f"The code is {CODE}")).id
    stored(world.vault.reject(id))
    session = world.vault.session("talk", agent="coder")
    report = session.append("user", f"Her code is {CODE}.")
    assert world.vault.read(report.evidence[0]).text == f"Her code is {CODE}."


def test_an_extracted_claim_does_not_come_from_what_was_erased(world: World) -> None:
    vault = world.vault
    first = vault.session("one", agent="coder").append("user", f"My locker code is {CODE}.", speaker="Ria")
    vault.settle()
    vault.erase(vault.plan_erasure(text=CODE))
    second = vault.session("two", agent="coder").append("user", f"My locker code is {CODE}.", speaker="Ria")
    vault.settle()
    assert first.extracted == second.extracted or second.extracted == 0
    assert not any("HERON" in row.text or "HERON" in row.claim.value for row in vault.memories())


def test_an_import_of_another_vault_brings_it_not_back(tmp_path: Path) -> None:
    with muniment.open(tmp_path / "other.db") as other:
        session = other.session("talk", agent="coder")
        turn = session.append("user", f"Her code is {CODE}. The spare is {TWIN}.").evidence[0]
        stored(other.remember(f"The code is {CODE}", evidence=[turn]))
        stored(other.remember(f"The spare is {TWIN}", evidence=[turn]))
        other.export(tmp_path / "other.jsonl")
    with muniment.open(tmp_path / "vault.db") as vault:
        id = stored(vault.remember(f"A note of {CODE}")).id
        vault.erase(vault.plan_erasure(id=id))
        report = vault.import_(tmp_path / "other.jsonl")
        assert (report.stored, report.evidence_added) == (1, 1)
        texts = [hit.text for hit in vault.recall("code spare", k=20).hits]
        assert any(TWIN in text for text in texts) and all("HERON" not in text for text in texts)
        assert vault.verify().ok


def test_a_speaker_and_a_source_arrive_without_it(world: World) -> None:
    erased(world)
    session = world.vault.session("s-1", agent="coder")
    session.append("user", "The ferry was late", speaker=f"the one with {CODE}")
    session.append("user", "The ferry was early", speaker=f"the one with {TWIN}")
    assert [turn.speaker for turn in session.turns()] == [MARK, f"the one with {TWIN}"]
    (red,) = world.vault.ingest("The mill is red.", source=f"mail of {MAIL}").evidence
    (tall,) = world.vault.ingest("The mill is tall.", source="mail of alice.smith@acme.io").evidence
    assert (world.vault.read(red).text, world.vault.read(red).session) == ("The mill is red.", MARK)
    assert world.vault.read(tall).session == "mail of alice.smith@acme.io"


@pytest.mark.parametrize(
    "text", ["na\u00efve Zo\u00eb hides the caf\u00e9 ledger", 'She said "yes"\nand left the mill at nine']
)
def test_a_proposal_goes_whose_text_is_spelled_another_way_in_its_bytes(world: World, text: str) -> None:
    vault = world.vault
    vault.set_dial("review", "agent")
    agent = vault.acting_as(actor="coder")
    assert agent.remember(text).verdict == "staged"
    other = agent.remember("The heron nests by the weir").proposal
    harmless = agent.remember("An otter sleeps").proposal
    edited = vault.approve(harmless, digest=vault.proposal(harmless).digest, text=f"They say: {text}!")
    assert edited.landed
    vault.erase(vault.plan_erasure(text=text))
    assert [one.id for one in vault.pending(state="all")] == [other]
    assert vault.verify().ok


def test_no_reason_of_a_review_holds_what_was_erased(world: World) -> None:
    erased(world)
    vault = world.vault
    vault.set_dial("review", "agent")
    waiting = vault.acting_as(actor="coder").remember("An otter sleeps").proposal
    digest = vault.proposal(waiting).digest
    assert vault.decline(waiting, reason=f"it is about {CODE}").reason == "rejected-value"
    assert vault.approve(waiting, digest=digest, reason=f"as {MAIL} said").reason == "rejected-value"
    assert vault.approve(waiting, digest=digest, reason="the key is AKIAIOSFODNN7EXAMPLE").reason == "secret"
    assert stored(vault.approve(waiting, digest=digest, reason=f"it is about {TWIN}"))
