"""Does a value come back when its letters are spelled by escapes, as pages, addresses and programs do?"""

import json

import pytest

from muniment.domain.evidence import MARK
from muniment.service.vault import Vault
from tests.builders import stored

VALUE = "The gate code is maple leaf"
CODE = "QZ7-HERON-4417"

SPELLED = {
    "page": "The g&#97;te code is m&#x61;ple leaf",
    "page twice": "The g&amp;#97;te code is maple leaf",
    "spaces of a page": "The&nbsp;gate&nbsp;code&nbsp;is&nbsp;maple&nbsp;leaf",
    "address": "The%20gate%20code%20is%20%6Daple%20leaf",
    "program": r"The g\u0061te code is m\x61ple leaf",
    "page five times": "The g&amp;amp;amp;amp;#97;te code is maple leaf",
    "tags of a page": "The <b>gate</b> co<i>de</i> is <a href='x'>map</a>le<br>leaf",
    "style sheet": r"The g\61te code is m\000061 ple leaf",
    "octal program": r"The g\141te code is m\141ple leaf",
    "address of a browser": "The%20gate%20code%20is%20m%u0061ple%20leaf",
    "look-alike in a page": "The g&#1072;te code is maple leaf",
    "within": "They say: The g&#97;te code is m&#x61;ple leaf, ok",
}
CODES = ("QZ7&#45;HERON-4417", "%51Z7-HERON-4417", r"QZ7-\u0048ERON-4417", "QZ7&dash;HERON&hyphen;&#52;417")


@pytest.mark.parametrize("where", ["text", "tag", "another slot's value"])
@pytest.mark.parametrize("spelled", sorted(SPELLED))
def test_a_rejected_text_spelled_by_escapes_is_refused(vault: Vault, spelled: str, where: str) -> None:
    stored(vault.reject(stored(vault.remember(VALUE)).id))
    said = SPELLED[spelled]
    fields = {
        "text": {"text": said},
        "tag": {"text": "An ordinary line", "tags": [said]},
        "another slot's value": {"text": "A line", "about": "gate", "attribute": "note", "value": said},
    }[where]
    for hand in (vault, vault.acting_as(actor="coder")):
        assert hand.remember(**fields).reason == "rejected-value"
    assert (
        stored(vault.remember("The g&#97;te is painted green &amp; white, 50%25 of it")).verdict == "stored"
    )


@pytest.mark.parametrize("said", ["Salt &amp; pepper go on the fish", "Salt %26 pepper go on the fish"])
def test_what_was_rejected_with_escapes_is_refused_without_them(vault: Vault, said: str) -> None:
    stored(vault.reject(stored(vault.remember(said)).id))
    assert vault.remember(said).reason == "rejected-value"
    assert vault.remember("Salt & pepper go on the fish").reason == "rejected-value"
    assert vault.remember("They say salt & pepper go on the fish").reason == "rejected-value"
    assert stored(vault.remember("Salt and vinegar go on the fish")).verdict == "stored"


@pytest.mark.parametrize(
    "about", ["the API", "an api", "The the api", "&#97;pi", "the%20api", "THE \u0430pi"]
)
def test_an_article_or_an_escape_makes_no_other_slot_of_a_rejected_one(vault: Vault, about: str) -> None:
    first = vault.remember("The port is 8090", about="api", attribute="port", value="8090")
    stored(vault.reject(stored(first).id))
    agent = vault.acting_as(actor="coder")
    assert (
        agent.remember("It listens", about=about, attribute="port", value="8090").reason == "rejected-value"
    )
    assert stored(
        agent.remember("It hums", about=about.replace("\u0430", "a"), attribute="tone", value="8090")
    )
    assert stored(agent.remember("It purrs", about="theapi proxy", attribute="port", value="8090"))


def test_the_slot_that_was_rejected_with_an_article_is_the_one_without(vault: Vault) -> None:
    first = vault.remember("The port is 8090", about="the api", attribute="port", value="8090")
    stored(vault.reject(stored(first).id))
    assert vault.remember("It listens", about="api", attribute="port", value="8090").refused
    assert stored(vault.remember("It listens", about="the", attribute="port", value="8090"))


@pytest.mark.parametrize("spelled", CODES)
def test_a_turn_that_spells_an_erased_value_by_escapes_arrives_without_it(vault: Vault, spelled: str) -> None:
    vault.erase(vault.plan_erasure(id=stored(vault.remember(f"Her locker code is {CODE}")).id))
    session = vault.session("talk", agent="coder")
    told = session.append("user", f"&laquo;{spelled}&raquo; it is, 50%25 sure. I live in Graz.").evidence[0]
    assert vault.read(told).text == f"&laquo;{MARK}&raquo; it is, 50%25 sure. I live in Graz."
    assert vault.remember(f"It is {spelled} still").reason == "rejected-value"
    answer = json.dumps({"said": f"Zo\u00eb has {CODE}"})
    assert vault.read(session.append("tool_result", answer).evidence[0]).text == answer.replace(CODE, MARK)
    document = vault.ingest(f"A page says {spelled} there.", source="page").evidence[0]
    assert vault.read(document).text == f"A page says {MARK} there."
    assert vault.verify().ok


@pytest.mark.parametrize("spelled", CODES)
def test_an_erasure_reaches_what_escapes_of_any_kind_spell(vault: Vault, spelled: str) -> None:
    turn = vault.session("talk", agent="coder").append("tool_result", f"code={spelled} tea=green").evidence[0]
    noted = stored(vault.remember(f"A code for her: {spelled}")).id
    other = stored(vault.remember("Tea &amp; cake at 50%25 off")).id
    vault.erase(vault.plan_erasure(text=CODE))
    assert vault.read(turn).text == f"code={MARK} tea=green"
    assert [hit.id for hit in vault.recall("code for her", k=9).hits if hit.id == noted] == []
    assert vault.read(other).text == "Tea &amp; cake at 50%25 off"


PARTED = {
    "column": "|{}|kept by Ria|",
    "columns": "Seen: | The gate | code is maple | leaf tonight |",
    "soft break": "They say the gate code is ma=\nple leaf tonight",
    "hyphen": "They say the gate code is ma-\nple leaf to-\n   night",
    "emphasis": "They say the g**ate** co*de* is ma`p`le leaf to~~night~~",
    "Markdown": r"They say the gate code is maple\_leaf tonight, \*so\*",
}
PARTED_VALUE = "The gate code is maple leaf tonight"


@pytest.mark.parametrize("how", sorted(PARTED))
def test_fault_columns_and_breaks_within_words_carry_a_text_back(vault: Vault, how: str) -> None:
    """A stroke was taken for a letter, so that a table without spaces held no word of a value."""
    written, session = PARTED[how].format(PARTED_VALUE), vault.session("talk", agent="coder")
    before = session.append("user", written).evidence[0]
    stored(vault.remember("|The gate code|is oak leaf|tonight|"))
    stored(vault.reject(stored(vault.remember(PARTED_VALUE)).id))
    assert vault.remember(written).reason == "rejected-value"
    vault.erase(vault.plan_erasure(text=PARTED_VALUE))
    assert "[erased]" in vault.read(before).text and "code" not in vault.read(before).text
    after = session.append("user", f"Again: {written}").evidence[0]
    assert "[erased]" in vault.read(after).text and "code" not in vault.read(after).text
    assert vault.remember("|The gate code|is oak leaf|").verdict in ("stored", "merged")
    assert vault.verify().ok


@pytest.mark.parametrize("text", [r"alice\_brown@acme.io", "|alice_brown@acme.io|", "alice_br-\nown@acme.io"])
def test_fault_an_address_comes_back_as_markdown_spells_it(vault: Vault, text: str) -> None:
    stored(vault.remember("Write to alice_brown@acme.io"))
    vault.erase(vault.plan_erasure(text="alice_brown@acme.io"))
    assert vault.remember(f"Her address: {text}").reason == "rejected-value"
    turn = vault.session("talk", agent="coder").append("user", f"It is {text}.").evidence[0]
    assert "own@acme" not in vault.read(turn).text
    assert stored(vault.remember(f"Her address: {text.replace('alice', 'malice')}"))
