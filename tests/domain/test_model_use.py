"""Are the sums of a model's use whole numbers that add up, and does the row spell just those?"""

import pytest

from muniment.domain.model_use import ANSWERED, SENT, Use, use_of


def test_parts_add_up_to_one_use() -> None:
    use = SENT + Use(counted=1, tokens_in=40, tokens_out=2) + ANSWERED + SENT
    assert use == Use(calls=2, answered=1, counted=1, tokens_in=40, tokens_out=2)
    assert Use() + use == use


def test_what_is_spelled_is_read_back_and_holds_numbers_alone() -> None:
    use = Use(3, 2, 1, 40, 2)
    assert use.spelled() == '{"calls":3,"answered":2,"counted":1,"tokens_in":40,"tokens_out":2}'
    assert use_of(use.spelled()) == use
    assert all(type(count) is int for count in use.members().values())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"calls":1}',
        '{"calls":-1,"answered":0,"counted":0,"tokens_in":0,"tokens_out":0}',
        '{"calls":true,"answered":0,"counted":0,"tokens_in":0,"tokens_out":0}',
        '{"calls":1.5,"answered":0,"counted":0,"tokens_in":0,"tokens_out":0}',
        '{"calls":1,"answered":0,"counted":0,"tokens_in":0,"tokens_out":0,"asked":"x"}',
    ],
)
def test_anything_else_is_no_use(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        use_of(text)
