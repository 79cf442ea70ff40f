"""Does every verb take the same options, answer in the same shapes, and say one thing for each fault?"""

import inspect
import io
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import click
import pytest

from muniment import errors
from muniment.errors import BadInput, BadTime, MunimentError, TooLarge, Unreadable
from muniment.surfaces.cli import call as calls
from muniment.surfaces.cli.call import Call, Verb
from muniment.surfaces.cli.main import COMMANDS, INTERRUPTED, READER_GONE, answered, main
from muniment.surfaces.problems import EXIT_CODES, TABLE
from tests.surfaces.cli.conftest import Home, Run

AT = datetime(2026, 3, 1, 9, 30, 15, 250_000, tzinfo=UTC)
SHARED = {"vault", "key", "space", "actor", "json"}
ID = "m_" + "0" * 26

# Every verb that can be called on a new vault, with what it needs and its exit code there.
CALLS = {
    "status": ([], 0),
    "doctor": ([], 0),
    "verify": ([], 0),
    "checkpoint": ([], 0),
    "reindex": ([], 0),
    "migrate": ([], 0),
    "spaces": ([], 0),
    "sessions": ([], 0),
    "search": ([], 0),
    "log": ([], 0),
    "pending": ([], 0),
    "approve": (["p_" + "0" * 26, "--digest", "00" * 32], 1),
    "decline": (["p_" + "0" * 26, "--reason", "no"], 1),
    "cases": ([], 0),
    "undo": (["2026-01-05-0001"], 1),
    "recall": (["anything"], 0),
    "remember": (["The quay is dry"], 0),
    "read": ([ID], 3),
    "history": ([ID], 3),
    "why": ([ID], 3),
    "revise": ([ID, "x"], 1),
    "succeed": ([ID, "x"], 1),
    "retract": ([ID], 1),
    "reject": ([ID, "--yes"], 1),
    "lift": ([ID], 1),
    "retire": ([ID], 1),
    "revive": ([ID], 1),
    "erase": (["--id", ID, "--yes"], 3),
    "link": ([ID, ID[:-1] + "4", "--type", "causes"], 1),
}
ELSEWHERE = {
    "init", "demo", "serve", "keys", "certificates", "import", "export", "restore", "salvage", "bench",
    "memory", "prompt",
}  # fmt: skip


def verbs() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(main)
    for name in COMMANDS:
        found = main.get_command(context, name)
        assert found is not None
        yield name, found


def test_the_table_below_has_every_verb() -> None:
    assert set(CALLS) | ELSEWHERE == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_verb_is_called_what_the_table_calls_it_and_says_what_it_does(name: str) -> None:
    found = dict(verbs())[name]
    assert found.name == name
    assert isinstance(found, Verb | click.Group)
    assert inspect.cleandoc(found.help or "").split("\n")[0].endswith((".", ".;"))
    assert COMMANDS[name].says.endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_verb_takes_the_shared_options_after_its_name_too(name: str) -> None:
    options = {one.name for one in dict(verbs())[name].params if isinstance(one, click.Option)}
    assert options >= SHARED


def test_an_unknown_verb_is_none() -> None:
    assert main.get_command(click.Context(main), "forget") is None
    assert main.get_command(click.Context(main), "") is None


@pytest.mark.parametrize("name", CALLS)
def test_a_verb_answers_a_script_with_one_document(quick: Run, place: Home, name: str) -> None:
    arguments, code = CALLS[name]
    before = quick("--json", *place.owner, name, *arguments)
    after = quick(name, *arguments, "--json", *place.owner)
    for done in (before, after):
        assert done.code == code, done.errors
        assert done.raw.isascii()
        assert done.errors == ""
        json.loads(done.raw)


@pytest.mark.parametrize("name", CALLS)
def test_a_verb_answers_a_person_on_the_one_stream_or_the_other(quick: Run, place: Home, name: str) -> None:
    arguments, code = CALLS[name]
    done = quick(*place.owner, name, *arguments)
    assert done.code == code
    assert bool(done.out) is (code == 0)
    assert bool(done.errors) is (code != 0)


@pytest.mark.parametrize("name", sorted(set(CALLS) - {"migrate"}))
def test_a_verb_makes_no_vault_by_the_way(quick: Run, tmp_path: Path, name: str) -> None:
    done = quick("--vault", str(tmp_path / "absent.db"), name, *CALLS[name][0])
    assert (done.code, done.code_shown) == (2, "unreadable-path")
    assert list(tmp_path.glob("absent*")) == []


ERRORS = [
    found for found in vars(errors).values() if isinstance(found, type) and issubclass(found, MunimentError)
]


def outcome(deed: Callable[[], object], *, as_json: bool = False) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = answered(deed, as_json=as_json)
    return code, out.getvalue(), err.getvalue()


def raising(error: BaseException) -> Callable[[], object]:
    def deed() -> object:
        raise error

    return deed


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_has_an_exit_code_a_sentence_and_an_advice(kind: type[MunimentError]) -> None:
    code, out, err = outcome(raising(kind("It went wrong\x1b.")))
    assert code in EXIT_CODES and code != 0
    assert code == next(TABLE[family] for family in kind.__mro__ if family in TABLE).exit_code
    assert out == ""
    first, second = err.splitlines()
    assert first == f"{kind.code}: It went wrong\\x1b."
    assert second.removeprefix("-> ").removeprefix("\u2192 ") == kind.advice


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_is_one_document_for_a_script(kind: type[MunimentError]) -> None:
    code, out, err = outcome(raising(kind("It went wrong.", advice="Do this.")), as_json=True)
    assert err == ""
    assert json.loads(out) == {
        "error": {"code": kind.code, "sentence": "It went wrong.", "advice": "Do this.", "exit_code": code}
    }


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), INTERRUPTED),
        (click.Abort(), INTERRUPTED),
        (EOFError(), INTERRUPTED),
        (click.exceptions.Exit(9), 9),
        (click.UsageError("No such option"), 2),
        (click.BadParameter("not a number"), 2),
        (ZeroDivisionError("4711"), 70),
        (MemoryError(), 70),
    ],
)
def test_whatever_ends_a_deed_has_one_code(error: BaseException, code: int) -> None:
    found, out, err = outcome(raising(error))
    assert found == code
    assert "Traceback" not in out + err
    assert "4711" not in out + err


@pytest.mark.parametrize(("value", "code"), [(None, 0), (0, 0), (1, 1), ("done", 0), (5, 5)])
def test_a_deed_that_ends_well_gives_its_own_code(value: object, code: int) -> None:
    assert outcome(lambda: value) == (code, "", "")


def test_the_codes_of_a_stopped_command_are_no_codes_of_an_error() -> None:
    assert not {INTERRUPTED, READER_GONE} & set(EXIT_CODES)


@pytest.mark.parametrize("address", ["postgresql://host/db", "a\0b", "", "  "])
def test_what_is_no_path_is_left_to_whoever_opens_it(address: str) -> None:
    assert calls.refuse_absent(address) is None


@pytest.mark.parametrize(
    ("name", "content", "is_there"), [("v.db", b"x", True), ("v.db", b"", False), ("other", b"x", False)]
)
def test_a_vault_is_there_when_its_file_holds_something(
    tmp_path: Path, name: str, content: bytes, is_there: bool
) -> None:
    (tmp_path / name).write_bytes(content)
    if is_there:
        calls.refuse_absent(str(tmp_path / "v.db"))
        return
    with pytest.raises(Unreadable, match="no vault"):
        calls.refuse_absent(str(tmp_path / "v.db"))


@pytest.mark.parametrize("path", ["file/v.db", "absent/v.db", "x" * 300])
def test_a_path_that_leads_nowhere_is_named_and_no_traceback(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with pytest.raises(Unreadable):
        calls.refuse_absent(str(tmp_path / path))


def given(content: bytes, text: str = "-", *, most: int = 10) -> str:
    before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(content))
    try:
        return calls.text_given(text, bytes_max=most)
    finally:
        sys.stdin = before


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"\n", ""),
        (b"a\n", "a"),
        (b"a\n\n", "a\n"),
        (b"a\r\n", "a\r"),
        ("é東".encode(), "é東"),
        (b"x" * 10, "x" * 10),
        (b"x" * 10 + b"\n", "x" * 10),
        (b"x" * 8 + "é".encode() + b"\n", "x" * 8 + "é"),
    ],
)
def test_a_dash_reads_standard_input_to_its_bound(content: bytes, text: str) -> None:
    assert given(content) == text


@pytest.mark.parametrize("content", [b"x" * 11, b"x" * 5000, b"x" * 10 + b"\n\n", b"x" * 9 + "東京".encode()])
def test_fault_of_what_was_cut_off_one_byte_too_many_is_counted(content: bytes) -> None:
    with pytest.raises(TooLarge, match=r"more than the 10 bytes"):
        given(content)


@pytest.mark.parametrize("content", [b"\xff", b"\xed\xa0\x80", b"ab\xc3"])
def test_input_that_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(BadInput, match="UTF-8"):
        given(content)


@pytest.mark.parametrize("text", ["", "--", "- ", "x", "é"])
def test_any_other_text_is_itself_and_nothing_is_read(text: str) -> None:
    assert given(b"unread", text) == text


@pytest.mark.parametrize("value", ["\udcff", "a\ud800", ("x", "\udfff"), (("\udc80",),)])
def test_bytes_that_are_no_text_are_refused_by_the_name_of_the_option(value: object) -> None:
    with pytest.raises(BadInput, match="`reason`"):
        assert calls.refuse_undecodable("reason", value) is None


@pytest.mark.parametrize("value", ["é東🍵", ("a", "b"), None, 5, Path("\udcff"), True])
def test_what_is_text_or_no_text_at_all_passes(value: object) -> None:
    calls.refuse_undecodable("reason", value)


def when(text: object, *, zone: str = "UTC") -> datetime:
    call = Call()
    call.__dict__["settings"] = replace(call.settings, timezone=timezone(timedelta(hours=9)) if zone else UTC)
    with click.Context(click.Command("x"), obj=call) as context:
        return calls.WHEN.convert(text, None, context)


def test_a_moment_is_taken_in_the_persons_zone_and_aware() -> None:
    assert when("2026-03-01") == datetime(2026, 2, 28, 15, tzinfo=UTC)
    assert when("2026-03-01T00:00:00Z") == datetime(2026, 3, 1, tzinfo=UTC)
    assert when(AT) is AT
    assert abs(when("now") - datetime.now(UTC)) < timedelta(minutes=1)
    assert when("1d") < when("now")


@pytest.mark.parametrize("text", ["", "  ", "soon", "2026-02-30", "09:30"])
def test_what_is_no_moment_is_a_bad_time(text: str) -> None:
    with pytest.raises(BadTime):
        when(text)


def test_a_path_has_its_home_filled_in_and_is_otherwise_as_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/ada")
    assert calls.PLACE.convert("~/v.db", None, None) == Path("/ada/v.db")
    assert calls.PLACE.convert(" a b ", None, None) == Path(" a b ")
    assert calls.PLACE.convert(Path("x"), None, None) == Path("x")
    for bad in ("", " ", "a\0b"):
        with pytest.raises(BadInput, match="path"):
            calls.PLACE.convert(bad, None, None)


def test_without_a_terminal_nothing_is_confirmed_but_by_a_yes(capsys: pytest.CaptureFixture[str]) -> None:
    assert calls.confirmed(["1 thing goes"], question="Go on?", yes=True)
    with pytest.raises(BadInput, match="nobody is there"):
        calls.confirmed(["1 thing goes"], question="Go on?", yes=False)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("kind", ["fact", "task", "policy", "board"])
def test_a_kind_of_memory_is_remembered_as_that_kind(quick: Run, place: Home, kind: str) -> None:
    done = quick(*place.owner, "--json", "remember", f"It is a {kind}", "--kind", kind)
    assert done.document["verdict"] == "stored"
    assert quick(*place.owner, "--json", "read", str(done.document["id"])).document["kind"] == kind


@pytest.mark.parametrize("kind", ["Fact", "facts", "song", " "])
def test_a_kind_that_there_is_none_of_is_refused(quick: Run, place: Home, kind: str) -> None:
    done = quick(*place.owner, "remember", "It is nothing", "--kind", kind)
    assert (done.code, done.code_shown) == (2, "bad-input")
