"""Is a text found by the terms of a question in its own script, and never by an operator?"""

import re
import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from muniment import limits
from muniment.adapters import analyser as module
from muniment.adapters.analyser import Analyser
from muniment.adapters.analyser_runs import TERM_CODE_POINTS_MAX, TERMS_A_TEXT_MAX

ANALYSER = Analyser()
ALLOWED_ASCII = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.-'/:@#+&%$")

ANY_TEXT = st.one_of(
    st.text(max_size=60),
    st.text("aB1_.-/:@#+&'~\"()*^,% \u2019éß設ガ서กา👍\u200d\ufe0f", max_size=40),
    st.text(st.characters(max_codepoint=127), max_size=60),
)


def terms(text: str) -> tuple[str, ...]:
    return ANALYSER.terms(text)


def question(text: str) -> tuple[str, ...]:
    return ANALYSER.question(text)


def finds_all(asked: str, text: str) -> bool:
    """Every term of the question is a term of the text."""
    wanted = question(asked)
    return bool(wanted) and set(wanted) <= set(terms(text))


def finds_some(asked: str, text: str) -> bool:
    return bool(set(question(asked)) & set(terms(text)))


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        # The cases from the field: Chinese phrases, two characters, a decomposed question.
        ("设备", "设备清单在机房"),
        ("清单", "设备清单在机房"),
        ("部署", "部署方案已定"),
        (unicodedata.normalize("NFD", "bệnh"), "bệnh"),
        # English, inflected and contracted.
        ("deployment", "We deployed it twice"),
        ("foxes", "a fox"),
        ("Ria", "Ria's home is Graz"),
        ("don't", "dont"),
        ("dont panic", "Don’t panic!"),
        ("PDF", "the PDFs are signed"),
        ("pdfs", "the PDFs are signed"),
        # Other scripts with spaces, with and without accents or points.
        ("cafe", "Café"),
        ("strasse", "STRASSE, Straße"),
        ("duong", "Đường"),
        ("Lodz", "Łódź"),
        ("οδυσσευς", "Ὀδυσσεύς"),
        ("елка", "Ёлка"),
        ("محمد", "مُحَمَّدٌ"),
        ("مدرسه", "مدرسة"),
        ("احمد", "أحمد"),
        ("کتاب", "كتاب"),
        ("שלום", "שָׁלוֹם"),
        ("हिन्दी", "मुझे हिन्दी पसंद है"),
        ("istanbul", "İSTANBUL"),
        # Japanese, Korean, Thai, Khmer, Lao, Myanmar.
        ("東京", "私は東京に住んでいます"),
        ("ガギ", "ｶﾞｷﾞ"),
        ("水", "水が好き"),
        ("서울", "서울에서 만나요"),
        ("물", "물을 마신다"),
        ("สวัสดี", "สวัสดีครับ"),
        ("ភាសា", "ភាសាខ្មែរ"),
        ("ພາສາ", "ພາສາລາວ"),
        ("မြန်မာ", "မြန်မာဘာသာ"),
        # Scripts that meet without a space.
        ("PostgreSQL", "用PostgreSQL数据库"),
        ("postgresql", "用PostgreSQL数据库"),
        ("数据库", "用PostgreSQL数据库"),
        ("ＰＹＴＨＯＮ", "python"),
        # Identifiers, whole and in parts.
        ("snake_case_name", "call snake_case_name(x)"),
        ("snake case", "call snake_case_name(x)"),
        ("camelCase", "the camelCase way"),
        ("camel", "the camelCase way"),
        ("iphone", "my iPhone"),
        ("multi agent", "a multi-agent plan"),
        ("multiagent", "a multi-agent plan"),
        ("a/b/c.py", "see a/b/c.py."),
        ("c.py", "see a/b/c.py."),
        ("CLAUDE.md", "read (CLAUDE.md)"),
        ("claude", "read (CLAUDE.md)"),
        ("__init__.py", "edit src/__init__.py"),
        ("alice@acme.io", "mail <alice@acme.io>,"),
        ("acme.io", "mail <alice@acme.io>,"),
        ("example.com", "https://example.com/a?b=c"),
        ("1.2.3", "released v1.2.3"),
        ("1.2", "released v1.2.3"),
        ("GB/s", "runs at 12 GB/s"),
        ("a:b", "key a:b"),
        ("C++", "he writes C++,"),
        ("C", "he writes C++,"),
        (".env", "keep it in .env"),
        ("R&D", "the R&D team"),
        ("sha 256", "sha256"),
        ("std::vector", "a std::vector<int>"),
        # Numbers.
        ("1234567", "it cost 1,234,567, they said"),
        ("1,234,567", "1234567"),
        ("50%", "about 50%"),
        ("2026-03-01", "on 2026-03-01"),
        ("2026", "on 2026-03-01"),
        # Symbols.
        ("✅", "✅ done"),
        ("👍", "👍🏽"),
        ("❤", "I ❤️ it"),
        ("👩", "👨‍👩‍👧"),
        ("🇩🇪", "🇫🇷🇩🇪"),
    ],
)
def test_a_text_is_found_by_what_stands_in_it(asked: str, text: str) -> None:
    assert finds_all(asked, text)


def test_a_longer_chinese_question_still_meets_the_text() -> None:
    assert finds_some("新的部署方案", "部署方案已定")
    assert not finds_some("新的部署方案", "设备清单在机房")


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ("清设", "设备清单在机房"),
        ("dog", "a cat"),
        ("C#", "he writes C++"),
        ("1.2.4", "released v1.2.3"),
        ("🇩🇪", "🇫🇷"),
        ("15", "1.5"),
        ("東京", "京東"),
        ("ครับผม", "สวัสดีค่ะ"),
    ],
)
def test_a_text_is_not_found_whole_by_what_does_not(asked: str, text: str) -> None:
    assert not finds_all(asked, text)


@pytest.mark.parametrize(
    ("asked", "bare"),
    [
        ("(x", "x"),
        ("^a b", "a b"),
        ("x, y", "x y"),
        ("NEAR(fox", "near fox"),
        ("fox*", "fox"),
        ('"fox" -jumps', "fox jumps"),
        ("fox AND jumps", "fox jumps"),
        ("fox NOT jumps", "fox jumps"),
        ("fox OR jumps", "fox jumps"),
        ("title:fox", "title:fox"),
        ("{fox} + jumps", "fox jumps"),
    ],
)
def test_an_operator_in_a_question_is_a_plain_word_or_nothing(asked: str, bare: str) -> None:
    assert question(asked) == question(bare)


@pytest.mark.parametrize(
    ("asked", "bare"), [("multi-agent", "multi agent"), ("GB/s", "gb s"), ("tier1-test", "tier 1 test")]
)
def test_a_joined_question_asks_for_its_bare_words_too(asked: str, bare: str) -> None:
    assert set(question(bare)) <= set(question(asked))


@pytest.mark.parametrize("asked", ['"', "*", "(", "", " \n", "'", "---", "_", "\u200b", "~^", "\u0301"])
def test_a_question_of_only_punctuation_asks_for_nothing(asked: str) -> None:
    assert question(asked) == terms(asked) == ANALYSER.words(asked) == ()


def test_stop_words_are_asked_for_only_when_nothing_else_remains() -> None:
    assert question("what is the fox") == ("fox",)
    assert question("AND") == ("and",)
    assert question("to be or not to be") == ("to", "be", "or", "not")
    assert "the" in terms("the fox")


def test_a_word_that_only_looks_like_a_contraction_is_asked_for() -> None:
    assert question("ill in the shed") == ("ill", "shed")
    assert question("we'll ask what I'd do about foxes") == ("ask", "fox")


def test_terms_keep_order_and_repeats_and_a_question_names_each_once() -> None:
    assert terms("fox dog fox") == ("fox", "dog", "fox")
    assert question("fox dog fox") == ("fox", "dog")


def test_words_are_whole_and_unstemmed() -> None:
    assert ANALYSER.words("Ria's foxes aren't multi-agent") == ("ria", "foxes", "arent", "multi", "agent")
    assert ANALYSER.words("用Go写") == ("用", "go", "写")


def test_a_repeated_symbol_counts_once() -> None:
    assert terms("─────┼──") == ("─", "┼", "─")


def test_a_long_token_is_cut_and_its_parts_are_kept() -> None:
    token = "x" * 100 + "/abc"
    assert terms(token)[0] == "x" * TERM_CODE_POINTS_MAX
    assert "abc" in terms(token)
    assert terms("w" * TERM_CODE_POINTS_MAX) == ("w" * TERM_CODE_POINTS_MAX,)


@given(ANY_TEXT)
def test_no_term_of_any_text_can_break_out_of_the_index(text: str) -> None:
    for term in (*terms(text), *question(text), *ANALYSER.words(text)):
        assert 0 < len(term) <= TERM_CODE_POINTS_MAX
        assert not re.search(r"\s", term)
        assert {char for char in term if char.isascii()} <= ALLOWED_ASCII
        assert term.encode("utf-8")


@given(ANY_TEXT)
def test_a_text_is_found_by_itself(text: str) -> None:
    assert set(question(text)) <= set(terms(text))


@given(ANY_TEXT)
def test_composed_and_decomposed_text_give_the_same_terms(text: str) -> None:
    assert terms(unicodedata.normalize("NFC", text)) == terms(unicodedata.normalize("NFD", text))


@given(ANY_TEXT)
def test_the_same_text_gives_the_same_terms_whatever_was_seen_before(text: str) -> None:
    assert Analyser().terms(text) == terms(text) == terms(text)


@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), max_size=40))
def test_ascii_text_gives_the_same_terms_by_either_pattern(text: str) -> None:
    # An invisible character sends the same run through the pattern for all scripts.
    assert terms(text) == terms(text + "\u2060")


def test_the_memory_of_runs_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "vocabulary_cache_words_max", 10)
    analyser = Analyser()
    for number in range(100):
        word = "run" + "abcdefghij"[number // 10] + "abcdefghij"[number % 10]
        assert analyser.terms(word)
        assert analyser.question(word) == analyser.terms(word)
        for memory in (analyser._indexed, analyser._remembered):
            assert word in memory
            assert len(memory) <= 10
    for held in ("z" * 1000, "order-4711", "run0"):
        assert analyser.terms(held)
        assert held not in analyser._remembered
        assert held not in analyser._indexed


def test_the_memory_of_runs_is_bounded_by_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "vocabulary_cache_words_max", 10)
    analyser = Analyser()
    for first in "abcdefgh":
        analyser.terms(f"{first}/one/two/three")
        assert sum(len(run.indexed) for run in analyser._remembered.values()) <= 10
        assert sum(len(held.split(" ")) for held in analyser._indexed.values()) <= 10


def test_another_spelling_of_a_word_shares_what_it_gives() -> None:
    analyser = Analyser()
    assert analyser.terms("Years, years") == ("year", "year")
    assert analyser._remembered["Years,"] is analyser._remembered["years"]


def test_a_word_that_is_its_own_stem_is_kept_once() -> None:
    analyser = Analyser()
    assert analyser.indexed("rope ropes") == "rope rope"
    ((run, held), _) = analyser._indexed.items()
    assert held is run


@pytest.mark.parametrize("text", ["", " ", "!? --", "a -- b", "设计 ok", "設 " * 12_000, "x/y/z " * 5_000])
def test_what_is_indexed_is_the_terms_with_a_space_between_them(text: str) -> None:
    assert ANALYSER.indexed(text) == " ".join(ANALYSER.terms(text))
    assert "  " not in ANALYSER.indexed(text)
    assert len(ANALYSER.terms(text)) == (len(ANALYSER.indexed(text).split(" ")) if text.strip("!?- ") else 0)


@pytest.mark.parametrize(
    "piece",
    ["a", "a.", "ab-", "aB", "a'", "#", "1,234", "设", "ก", "e\u0301", "👍", "_", "- ", "é ", "word "],
)
def test_a_text_of_megabytes_takes_bounded_time_and_gives_bounded_terms(piece: str) -> None:
    text = piece * (2_000_000 // len(piece))
    start = time.thread_time()
    found = terms(text)
    assert time.thread_time() - start < 5
    assert len(found) <= TERMS_A_TEXT_MAX


def test_a_long_text_gives_the_first_terms_and_no_more() -> None:
    text = " ".join(f"word{number}" for number in range(60_000))
    assert len(terms(text)) == TERMS_A_TEXT_MAX
    assert terms(text)[:3] == terms("word0")
    assert len(question(text)) <= TERMS_A_TEXT_MAX


def test_the_version_changes_with_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    assert re.fullmatch(r"a1:[0-9a-f]{12}", ANALYSER.version)
    assert Analyser().version == ANALYSER.version
    monkeypatch.setattr(module.tables, "STOP_WORDS", frozenset({"the"}))
    assert Analyser().version != ANALYSER.version


_PIECES = st.text(alphabet="abYZ019-.,;\u00e9", min_size=1, max_size=9)


@given(_PIECES | st.from_regex(r"[A-Z]{1,4}-[0-9]{1,4}[.,]?", fullmatch=True))
@example("kq-000123")
@example("JIRA-42.")
@example("IPs-77")
@example("running-42")
def test_what_is_indexed_of_a_run_is_what_the_whole_walk_finds(run: str) -> None:
    """Common runs take a short way; it leads to the same terms."""
    analyser = Analyser()
    assert analyser.terms(run) == tuple(
        term for part in run.split() for term in analyser._remembered[part].indexed
    )
