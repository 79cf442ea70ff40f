"""Does a table come row by row, with its columns understood and its bad rows set aside?"""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment import limits
from muniment.adapters.importers import arrivals, csv_table, detected, table_rows
from muniment.domain.evidence import BadLine
from muniment.domain.label import DataClass
from muniment.domain.memory import Claim, Kind
from muniment.domain.offer import Notice, Offer
from muniment.errors import BadInput, Unreadable


def written(path: Path, *lines: str, end: str = "\n", encoding: str = "utf-8") -> Path:
    path.write_bytes("".join(line + end for line in lines).encode(encoding))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.csv"


def offers(path: Path) -> list[Offer]:
    """Return what the rows state, having made sure that none was set aside."""
    assert bad(path) == []
    return [item for item in csv_table.read(path) if isinstance(item, Offer)]


def bad(path: Path) -> list[tuple[int, str]]:
    return [(item.line, item.why) for item in csv_table.read(path) if isinstance(item, BadLine)]


def notices(path: Path) -> list[str]:
    return [item.text for item in csv_table.read(path) if isinstance(item, Notice)]


def said(path: Path) -> list[str]:
    return [item.claim.text for item in csv_table.read(path) if isinstance(item, Offer)]


@pytest.mark.parametrize("column", ["text", "content", "memory", "observation", " Text ", "MEMORY"])
def test_the_text_is_found_under_each_of_its_names(path: Path, column: str) -> None:
    assert said(written(path, f"id,{column}", "1,Herons nest in spring")) == ["Herons nest in spring"]


@pytest.mark.parametrize("about", ["about", "entity", "subject"])
@pytest.mark.parametrize("attribute", ["attribute", "key"])
def test_about_and_attribute_name_a_slot(path: Path, about: str, attribute: str) -> None:
    (offer,) = offers(written(path, f"text,{about},{attribute},value", "Ada sits at A3,Ada,desk,A3"))
    assert offer.claim == Claim("Ada sits at A3", "Ada", "desk", "A3")


def test_a_slot_and_its_value_are_a_statement_without_a_text(path: Path) -> None:
    (offer,) = offers(written(path, "about,attribute,value", "Ada,desk,A3"))
    assert offer.claim == Claim("Ada: desk A3", "Ada", "desk", "A3")


def test_half_a_slot_stands_below_the_text(path: Path) -> None:
    path = written(path, "text,Subject,value", "Sits at A3,Ada,A3", "Sings,,")
    assert [offer.claim for offer in offers(path)] == [
        Claim("Sits at A3\nSubject: Ada\nvalue: A3"),
        Claim("Sings"),
    ]


def test_unknown_columns_stand_below_the_text_by_name_and_empty_ones_do_not(path: Path) -> None:
    path = written(path, "text,Source,score", "Herons nest,field book: p. 3,0.9", "Owls hoot,,")
    assert said(path) == ["Herons nest\nSource: field book: p. 3\nscore: 0.9", "Owls hoot"]


def test_a_second_column_for_the_same_part_loses_nothing(path: Path) -> None:
    path = written(path, "memory,text,text", "long form,short form,third")
    assert said(path) == ["short form\nmemory: long form\ntext: third"]


def test_kind_tags_and_times_are_taken(path: Path) -> None:
    path = written(
        path,
        "text,kind,tags,at,created_at,valid_from,valid_until",
        'We chose oak,Decision,"wood; plan,wood",2026-03-01,2026-03-02T09:00:00Z,'
        "2026-03-03,2026-04-01T00:00:00+02:00",
    )
    (offer,) = offers(path)
    assert (offer.kind, offer.tags) == (Kind.DECISION, ("wood", "plan", "wood"))
    times = offer.times
    assert (times.occurred_at, times.asserted_at) == (
        datetime(2026, 3, 1, tzinfo=UTC),
        datetime(2026, 3, 2, 9, tzinfo=UTC),
    )
    assert (times.valid_from, times.valid_until) == (
        datetime(2026, 3, 3, tzinfo=UTC),
        datetime(2026, 3, 31, 22, tzinfo=UTC),
    )


@pytest.mark.parametrize("column", ["at", "date", "occurred_at"])
def test_when_it_happened_has_three_names(path: Path, column: str) -> None:
    (offer,) = offers(written(path, f"text,{column}", "Rain,2026-03-01"))
    assert offer.times.occurred_at == datetime(2026, 3, 1, tzinfo=UTC)


def test_what_is_left_empty_is_not_given(path: Path) -> None:
    (offer,) = offers(written(path, "text,kind,tags,at,id,class,untrusted", "Rain,,,,,,"))
    assert offer == Offer(2, Claim("Rain"))


@pytest.mark.parametrize(
    ("given", "tags"),
    [
        ("a", ("a",)),
        ('"a, b;c"', ("a", "b", "c")),
        ('"[""a,b"", ""c""]"', ("a,b", "c")),
        ("[1]", ("[1]",)),
        ("[broken", ("[broken",)),
    ],
)
def test_tags_come_as_a_list_in_either_form(path: Path, given: str, tags: tuple[str, ...]) -> None:
    (offer,) = offers(written(path, "text,tags", f"Rain,{given}"))
    assert offer.tags == tags


def test_a_row_can_tighten_its_label_and_not_loosen_it(path: Path) -> None:
    path = written(path, "text,class,untrusted", "a,secret,no", "b,public,false", "c,,TRUE")
    labels = [(offer.label.data_class, offer.label.untrusted) for offer in offers(path)]
    assert labels == [(DataClass.SECRET, False), (DataClass.PRIVATE, False), (DataClass.PRIVATE, True)]


def test_a_space_is_ignored_and_the_notice_says_so(path: Path) -> None:
    path = written(path, "text,space", "Rain,acme/secret")
    assert said(path) == ["Rain"]
    assert notices(path) == ["The column `space` was ignored: the credential says where memories go."]
    assert notices(written(path, "text,place", "Rain,here")) == []


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("one", "the row has 1 fields, the header 7"),
        ("a,b,c,d,e,f,g,h", "the row has 8 fields, the header 7"),
        ("a,,yesterday,,,,", "date is not an RFC 3339 time with a zone, nor a date"),
        ("a,,2026-03-01 10:00:00,,,,", "date is not an RFC 3339 time with a zone, nor a date"),
        ("a,,,2026-13-01,,,", "created_at is not an RFC 3339 time with a zone, nor a date"),
        ("a,guess,,,,,", "kind is not one of ours"),
        ("a,,,,open,,", "class is not one of public, private and secret"),
        ("a,,,,,perhaps,", "untrusted is neither true nor false"),
        (",fact,,,,,", "the row has no text, nor a slot and its value"),
        (",,,,,,9", "the row has no text, nor a slot and its value"),
        ('"a"b,,,,,,', "a quotation mark is open or stands in the wrong place"),
    ],
)
def test_a_bad_row_is_set_aside_by_its_line_and_the_rest_goes_on(path: Path, row: str, why: str) -> None:
    header = "text,kind,date,created_at,class,untrusted,id"
    path = written(path, header, "first,,,,,,", row, "last,,,,,,")
    assert bad(path) == [(3, why)]
    assert said(path) == ["first", "last"]


def test_one_id_for_two_rows_is_a_bad_line_and_the_same_row_again_is_not(path: Path) -> None:
    path = written(path, "id,text", "1,Rain", "1,Rain", "1,Snow", "2,Snow")
    assert bad(path) == [(4, "another row has the same id and says something else")]
    assert said(path) == ["Rain", "Rain", "Snow"]


def test_an_open_quotation_mark_costs_its_line_and_not_those_after_it(path: Path) -> None:
    path = written(path, "text,note", "a,1", '"never closed,2', "b,3", "c,4")
    assert bad(path) == [(3, "a quotation mark is open or stands in the wrong place")]
    assert said(path) == ["a\nnote: 1", "b\nnote: 3", "c\nnote: 4"]


def test_an_open_quotation_mark_in_a_long_file_costs_one_line(path: Path) -> None:
    rows = [f"row {number},x" for number in range(20_000)]
    path = written(path, "text,note", '"open,2', *rows)
    ((line, why),) = bad(path)
    assert line == 2
    assert "a quotation mark is open" in why
    assert len(said(path)) == 20_000


def test_a_field_over_the_readers_bound_is_set_aside(path: Path) -> None:
    path = written(path, "text,note", "x" * 131_072 + ",fits", "x" * 131_073 + ",over", "after,y")
    assert [line for line, _ in bad(path)] == [3]
    assert [len(text) for text in said(path)] == [131_072 + len("\nnote: fits"), len("after\nnote: y")]


def test_a_line_over_its_bound_is_one_bad_row(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "line_bytes_max", 40)
    path = written(path, "text,note", "y," * 20 + "end, of it", "after,x")
    assert [line for line, _ in bad(path)] == [2]
    assert said(path) == ["after\nnote: x"]


def test_a_file_of_too_many_lines_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(path, "text,note", "a,1", "b,2")
    monkeypatch.setattr(table_rows, "LINES_MAX", 3)
    assert len(said(path)) == 2
    monkeypatch.setattr(table_rows, "LINES_MAX", 2)
    with pytest.raises(BadInput, match="more than 2 lines"):
        said(path)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_each_way_of_ending_a_line_is_read(path: Path, end: str) -> None:
    path = written(path, "text,note", "a,1", "", "b,2", end=end)
    assert [(offer.line, offer.claim.text) for offer in offers(path)] == [
        (2, "a\nnote: 1"),
        (4, "b\nnote: 2"),
    ]


def test_quoted_line_breaks_marks_and_delimiters_belong_to_the_text(path: Path) -> None:
    path = written(path, "text,note", '"two\nlines, ""quoted""\n# and: more",x', "after,y")
    assert said(path) == ['two\nlines, "quoted"\n# and: more\nnote: x', "after\nnote: y"]
    assert [offer.line for offer in offers(path)] == [2, 5]


def test_a_mark_inside_an_unquoted_field_is_only_a_mark(path: Path) -> None:
    assert said(written(path, "text,id", '5" pipe,1', "b,2")) == ['5" pipe', "b"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_the_one_that_makes_the_header_one(path: Path, delimiter: str) -> None:
    path = written(path, delimiter.join(("id", "text")), delimiter.join(("1", "Rain")))
    assert said(path) == ["Rain"]
    assert detected(path) == "csv"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_unicode_is_read_with_or_without_its_mark(path: Path, encoding: str) -> None:
    path = written(path, "text,id", "Zoë mag Übergrößen,1", encoding=encoding)
    assert said(path) == ["Zoë mag Übergrößen"]
    assert notices(path) == []


def test_windows_1252_is_read_and_the_notice_says_so(path: Path) -> None:
    path = written(path, "text,id", "Zoë zahlt 5 €,1", encoding="cp1252")
    assert said(path) == ["Zoë zahlt 5 €"]
    assert notices(path) == ["The file is not UTF-8; it was read as Windows-1252."]


def test_one_byte_near_the_end_decides_the_encoding(path: Path) -> None:
    path.write_bytes(b"text,id\n" + b"rain,1\n" * 30_000 + b"Zo\xeb,2\n")
    assert table_rows.encoding(path) == table_rows.WINDOWS
    path.write_bytes(b"text,id\n" + b"rain,1\n" * 30_000 + "Zoë,2\n".encode())
    assert table_rows.encoding(path) == table_rows.UTF_8


def test_a_character_cut_off_at_the_end_is_not_utf_8(path: Path) -> None:
    path.write_bytes(b"text,id\nZo\xc3")
    assert table_rows.encoding(path) == table_rows.WINDOWS


def test_a_header_that_names_no_text_is_the_callers_mistake(path: Path) -> None:
    with pytest.raises(BadInput, match="no column `text`"):
        list(csv_table.read(written(path, "name,age", "Ada,36")))
    with pytest.raises(BadInput, match="no column `text`"):
        list(csv_table.read(written(path)))


def test_a_header_alone_states_nothing(path: Path) -> None:
    assert offers(written(path, "id,text")) == []


def test_a_table_is_told_by_its_header_and_one_column_only_by_its_name(tmp_path: Path) -> None:
    assert detected(written(tmp_path / "a.bin", "id,text", "1,Rain")) == "csv"
    assert detected(written(tmp_path / "a.csv", "text", "Rain")) == "csv"
    with pytest.raises(BadInput, match="csv"):
        detected(written(tmp_path / "a.txt", "text", "Rain"))
    with pytest.raises(BadInput, match="csv"):
        detected(written(tmp_path / "b.csv", "name,age", "Ada,36"))


def test_the_named_format_takes_one_column(tmp_path: Path) -> None:
    path = written(tmp_path / "a.txt", "text", "Rain")
    assert [item.claim.text for item in arrivals(path, format="csv") if isinstance(item, Offer)] == ["Rain"]


def test_a_path_that_is_not_there_is_unreadable(tmp_path: Path) -> None:
    with pytest.raises(Unreadable):
        list(csv_table.read(tmp_path / "absent.csv"))
