"""Does the harness measure what it says?  Its texts, its reference side, its scores and its tables."""

import json
import random
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from bench import conversations, growing, measure, raw, report, retrieval, texts, tombstones, writing
from muniment.adapters.analyser import Analyser
from muniment.adapters.embedders import AbsentEmbedder, StaticEmbedder
from muniment.service.conversations import take

SHARED = measure.ROOT.parent / "shared" / "data"


@pytest.fixture(scope="module")
def maker() -> raw.Maker:
    return raw.Maker(Analyser(), StaticEmbedder())


@pytest.fixture
def reference(tmp_path: Path) -> Iterator[raw.Raw]:
    held = raw.Raw(tmp_path / "raw.db")
    yield held
    held.close()


def test_the_same_seed_gives_the_same_texts_and_another_seed_others() -> None:
    assert texts.Texts(1).texts(20) == texts.Texts(1).texts(20)
    assert texts.Texts(1).texts(20) != texts.Texts(2).texts(20)


def test_texts_are_about_200_characters_long_and_all_different() -> None:
    made = texts.Texts().texts(2_000)
    assert len(set(made)) == len(made)
    assert {len(text) for text in made} <= set(range(170, texts.TEXT_CHARACTERS + 1))
    assert all(text.isascii() and text.endswith(".") for text in made)


def test_the_vocabulary_has_made_up_words_among_english_ones() -> None:
    words = texts.vocabulary(random.Random(1))
    english = set(texts.english_words())
    assert len(set(words)) == len(words) == texts.WORDS
    assert words[0] in english
    made_up = [word for word in words if word not in english]
    assert 0.15 < len(made_up) / len(words) < 0.25


def test_frequent_words_come_often_and_rare_ones_seldom() -> None:
    drawn = texts.Texts()._drawn(20_000)
    assert drawn.count("the") > 20 * max(1, drawn.count(texts.vocabulary(random.Random(texts.SEED))[-1]))


def test_a_question_has_four_to_eight_words_most_of_them_from_the_text() -> None:
    source = texts.Texts()
    for text in source.texts(200):
        asked = source.question(text).split()
        own = set(text.rstrip(".").split())
        assert 4 <= len(asked) <= 8
        assert sum(word in own for word in asked) >= 3


def test_the_reference_finds_a_text_in_its_space_and_not_in_another(
    maker: raw.Maker, reference: raw.Raw
) -> None:
    reference.write(maker.item(1, "The heron waits by the weir."))
    reference.write_batch([maker.item(2, "The heron flew away."), maker.item(2, "Nothing happened.")])
    assert reference.read(maker.question(1, "where is the heron?"), k=10) == ["The heron waits by the weir."]
    found = reference.read(maker.question(2, "where is the heron?"), k=1)
    assert found == ["The heron flew away."]
    assert reference.read(maker.question(3, "where is the heron?"), k=10) == []


def test_the_reference_is_durable_and_holds_a_hash_and_a_vector(maker: raw.Maker, reference: raw.Raw) -> None:
    reference.write(maker.item(1, "one"))
    run = reference._execute
    assert run("PRAGMA synchronous").fetchall() == [(2,)]
    assert run("PRAGMA journal_mode").fetchall() == [("wal",)]
    assert run("SELECT length(hash) FROM item").fetchall() == [(32,)]
    assert run("SELECT length(lanes) FROM vector").fetchall() == [(256,)]


def test_without_an_embedder_the_reference_keeps_no_vector(reference: raw.Raw) -> None:
    plain = raw.Maker(Analyser(), AbsentEmbedder())
    reference.write(plain.item(1, "The heron waits."))
    reference.write_batch([plain.item(1, "The heron sleeps.")])
    assert reference._execute("SELECT count(*) FROM vector").fetchall() == [(0,)]
    assert len(reference.read(plain.question(1, "heron"), k=10)) == 2


def test_both_sides_index_the_same_terms(maker: raw.Maker) -> None:
    item = maker.item(7, "Deploys to prod-eu rotate")
    assert [term.partition("~")[2] for term in item.terms.split()] == list(Analyser().terms(item.text))
    assert all(term.startswith("7~") for term in item.terms.split())


def test_a_figure_within_its_bound_is_ok_and_one_beyond_is_over() -> None:
    assert measure.Figure("a", 3.0, 3.0, "x").verdict == "ok"
    assert measure.Figure("a", 3.01, 3.0, "x").verdict == "OVER"
    assert measure.Figure("a", None, 3.0, "x").verdict == "not measured"


def _each(*seconds: float) -> list[measure.Taken]:
    return [measure.Taken(each, each / 2) for each in seconds]


def test_a_pair_is_the_ratio_of_medians_not_of_means() -> None:
    pair = measure.Pair(ours=_each(2.0, 2.0, 90.0), raw=_each(1.0, 1.0, 1.0), ratios=[2.0])
    assert pair.figure("a", 3.0).value == 2.0
    pair.round([lambda: None], [lambda: None])
    assert (len(pair.ours), len(pair.raw), len(pair.ratios)) == (4, 4, 2)


def test_two_sides_alternate_or_follow_each_other_in_blocks() -> None:
    for measured, order in ((measure.Pair.alternate, "oroR"), (measure.Pair.round, "oorR")):
        pair, said = measure.Pair(), list[str]()
        measured(
            pair,
            [partial(said.append, "o"), partial(said.append, "o")],
            [partial(said.append, "r"), partial(said.append, "R")],
        )
        assert "".join(said) == order
        assert (len(pair.ours), len(pair.raw), len(pair.ratios)) == (2, 2, 1)
    with pytest.raises(ValueError, match="shorter"):
        measure.Pair().alternate([lambda: None, lambda: None], [lambda: None])
    assert measure.in_blocks(measure.Pair(ours=_each(3.0), raw=_each(2.0))) == "in blocks 1.50"


def test_waiting_counts_by_the_clock_and_not_as_work() -> None:
    waited = measure.taken(lambda: time.sleep(0.05))
    assert waited.seconds >= 0.05 > 0.02 > waited.worked


def test_a_quantile_is_one_of_the_values() -> None:
    assert measure.quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert measure.quantile([1.0, 2.0], 1.0) == 2.0


def test_rejected_texts_stay_out_and_near_misses_are_counted(tmp_path: Path) -> None:
    vault = measure.opened(tmp_path / "held.db", embedder=False)
    assert tombstones.reject(vault, ["The gate code is maple leaf", "modern"]) == 2
    asked = ["Surely the gate code is maple leaf", "m0dern", "The gate code is mapped leaf"]
    held = tombstones.held_up(vault, asked)
    vault.close()
    assert held == tombstones.Held(3, 1, 1)
    assert [(one.value, one.verdict) for one in held.figures("x")] == [(33.33, "OVER"), (33.33, "OVER")]


def test_near_pairs_are_two_hundred_and_no_pair_is_one_text() -> None:
    pairs = tombstones.near_pairs()
    assert len(pairs) == 200
    assert all(first != other for first, other in pairs)


def test_the_known_phrases_are_measured_without_any_data(tmp_path: Path) -> None:
    (figure,) = tombstones.phrases(tmp_path)
    assert figure.verdict == "ok" and figure.parts == {"texts": 159.0}


def test_a_batch_is_taken_whole(tmp_path: Path) -> None:
    with measure.opened(tmp_path / "v.db", embedder=False) as vault:
        intent = writing.taking(vault, texts.Texts().texts(50), number=0)
        assert take(vault.ground, intent).added == 50
        assert take(vault.ground, intent).skipped == 50


def test_the_share_found_counts_gold_within_the_cutoff_only() -> None:
    gold = frozenset({"a", "b"})
    assert retrieval.share_found(["a", "x", "b"], gold, 3) == 1.0
    assert retrieval.share_found(["a", "x", "b"], gold, 2) == 0.5
    assert retrieval.share_found([], gold, 2) == 0.0


def test_the_reciprocal_rank_is_that_of_the_first_gold_turn() -> None:
    assert retrieval.reciprocal_rank(["x", "a", "b"], frozenset({"a", "b"})) == 0.5
    assert retrieval.reciprocal_rank(["x"], frozenset({"a"})) == 0.0


def _conversation(where: Path) -> conversations.Conversation:
    said = ["The heron waits by the weir.", "I painted the harbour.", "Rain again."]
    turns = [{"speaker": "Ana", "dia_id": f"D1:{at}", "text": text} for at, text in enumerate(said, 1)]
    labelled = [
        {"question": "Where is the heron?", "evidence": ["D1:1; D9:9"], "category": 4},
        {"question": "Who sang?", "evidence": ["D1:2"], "category": 5},
        {"question": "What was painted?", "evidence": [], "category": 1},
    ]
    talk = {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    sample = {"sample_id": "conv-26", "conversation": talk, "qa": labelled}
    where.mkdir()
    (where / "locomo_dev.json").write_text(json.dumps([sample]), encoding="utf-8")
    error = {"question_id": "locomo_0_qa0", "question": "Where is the heron?", "correct_evidence": ["D1:3"]}
    (where / "audit_errors.json").write_text(json.dumps([error]), encoding="utf-8")
    (found,) = conversations.locomo(where, where)
    return found


def test_only_labelled_turns_that_exist_count_as_gold(tmp_path: Path) -> None:
    found = _conversation(tmp_path / "locomo")
    assert [turn.name for turn in found.turns] == ["D1:1", "D1:2", "D1:3"]
    assert [asked.text for asked in found.questions] == ["Where is the heron?"]
    assert found.questions[0].gold == {"D1:1"}
    assert found.questions[0].audited == {"D1:3"}


@pytest.mark.parametrize("system", list(retrieval.SYSTEMS))
def test_every_system_names_the_turn_it_found(system: str, tmp_path: Path) -> None:
    conversation = _conversation(tmp_path / "locomo")
    with retrieval.SYSTEMS[system](conversation, tmp_path) as find:
        assert find("Where is the heron?")[0] == "D1:1"
        assert find("zyx") == [] or "Muniment with" in system


def test_a_directory_without_data_gives_nothing(tmp_path: Path) -> None:
    assert conversations.locomo(tmp_path, tmp_path) == []
    assert conversations.beam(tmp_path, tmp_path) == []
    assert retrieval.run(tmp_path, quick=True) == []


def test_the_real_sets_are_read_whole(tmp_path: Path) -> None:
    if not (SHARED / "locomo").is_dir() or not (SHARED / "beam").is_dir():
        pytest.skip("shared data absent: LoCoMo and BEAM")
    five = conversations.locomo(SHARED / "locomo", tmp_path)
    assert len(five) == 5
    assert sum(len(one.questions) for one in five) > 700
    ten = conversations.beam(SHARED / "beam", tmp_path)
    assert len(ten) == 10
    assert all(asked.gold for one in ten for asked in one.questions)


def test_a_table_shows_last_and_new_values_and_what_is_over(tmp_path: Path) -> None:
    figures = [measure.Figure("a", 4.0, 3.0, "x"), measure.Figure("b", None, 3.0, "x", note="no command")]
    shown = report.table(report.rows(figures, {"a": 2.5}))
    first = next(line for line in shown.splitlines() if line.startswith("a "))
    assert first.split()[:8] == ["a", "4.00", "x", "3.00", "x", "2.50", "x", "OVER"]
    assert "not measured" in shown
    assert report.earlier(tmp_path / "none.json") == {}


def test_kept_results_can_be_compared_with_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "RESULTS", tmp_path)
    report.keep([measure.Figure("a", 4.0, 3.0, "x")], {"seed": "1"}, name="limits")
    assert report.earlier(tmp_path / "limits.json") == {"a": 4.0}
    assert "| a | 4.00 x | 3.00 x | OVER |" in (tmp_path / "limits.md").read_text(encoding="utf-8")


def test_the_resident_memory_is_that_of_a_living_process() -> None:
    assert 5 < growing.resident_mb() < 10_000
