"""Is every format of a secret met by a key of its shape, and behind a sign of its own?"""

import random
import re

import pytest

from muniment.domain.credential import minted
from muniment.gate.secret_formats import FORMATS, NAME_SIGNS, NAMES, PLACEHOLDERS
from muniment.gate.secrets import secrets_in

LETTERS = "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789"
HEX = "0123456789abcdef"


def made(prefix: str, count: int, letters: str = LETTERS) -> str:
    """Return a made-up key, put together here so that no scanner takes this file for a leak."""
    return prefix + "".join(random.Random(11).choices(letters, k=count))


SHAPES = (
    ("private key", "-----BEGIN RSA " + "PRIVATE KEY-----"),
    ("private key", "PuTTY-User-" + "Key-File-3"),
    ("private key", made("AGE-SECRET-" + "KEY-1", 58, "ABCDEFGHJKLMNPQRSTUVWXYZ")),
    ("AWS access key", made("AS" + "IA", 16, "ABCDEFGHIJKLMNOP234567")),
    ("GitHub token", made("gh" + "o_", 36)),
    ("GitHub token", made("github_" + "pat_", 82)),
    ("GitLab token", made("glp" + "at-", 20)),
    ("Slack token", made("xox" + "p-1-", 30)),
    ("Slack token", "hooks.slack.com/" + made("services/T0A0A0A0/B0A0A0A0/", 24)),
    ("Stripe key", made("rk_" + "test_", 24)),
    ("Stripe key", made("wh" + "sec_", 32)),
    ("AI provider key", made("sk-" + "ant-", 40)),
    ("AI provider key", made("gs" + "k_", 52)),
    ("AI provider key", made("h" + "f_", 34)),
    ("AI provider key", made("xa" + "i-", 60)),
    ("Google key", made("ya" + "29.", 60)),
    ("Google key", made("GOC" + "SPX-", 28)),
    ("package registry token", made("py" + "pi-AgE", 80)),
    ("package registry token", made("dckr_" + "pat_", 27)),
    ("package registry token", made("ruby" + "gems_", 48, HEX)),
    ("service token", made("S" + "G.", 22) + "." + made("", 43)),
    ("service token", made("dop_" + "v1_", 64, HEX)),
    ("service token", made("shp" + "at_", 32, HEX)),
    ("service token", made("nt" + "n_", 44)),
    ("service token", made("hv" + "s.", 30)),
    ("service token", made("da" + "pi", 32, HEX)),
    ("service token", made("NR" + "AK-", 27, "ABCDEFGHJK23456789")),
    ("service token", made("sb" + "p_", 40, HEX)),
    ("key of Muniment", minted(b"p" * 9, bytes(range(32)), "live")),
    ("authorization header", made("Authori" + "zation: Bearer ", 40)),
    ("authorization header", made("authori" + "zation: basic ", 24)),
    ("authorization header", made('"AUTHORI' + 'ZATION": "Token ', 40)),
    ("Discord webhook", "discord.com/api/" + made("webhooks/123456789012345678/", 68)),
    ("Telegram bot token", "1234567890:" + made("AA", 33)),
    ("cloud storage key", made("Account" + "Key=", 64)),
)


@pytest.mark.parametrize(("kind", "key"), SHAPES)
def test_a_key_of_each_shape_is_met_by_its_kind(kind: str, key: str) -> None:
    assert [one.kind for one in secrets_in(f"it is {key} there")] == [kind]


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.kind)
def test_every_format_has_a_shape_here_and_signs_that_its_pattern_needs(one: object) -> None:
    keys = [key for kind, key in SHAPES if kind == one.kind]
    assert keys
    for key in keys:
        assert re.search(one.pattern, key)
        assert any(sign in key for sign in one.signs)


@pytest.mark.parametrize("key", [key for _, key in SHAPES])
def test_a_key_that_is_cut_short_is_no_key(key: str) -> None:
    if "PRIVATE" in key or "PuTTY" in key:
        return
    assert [one for one in secrets_in(f"it is {key[:9]} there") if one.kind != "password"] == []


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        ("DB_PASSWORD", True),
        ("clientSecret", True),
        ("github.token", True),
        ("api key", True),
        ("STRIPE-SECRET-KEY", True),
        ("credentials", True),
        ("token_budget", False),
        ("password_hash", False),
        ("secretary", False),
        ("monkey", False),
        ("keyboard", False),
        ("primary_key", False),
    ],
)
def test_the_last_word_of_a_name_says_whether_it_is_a_secrets(name: str, is_secret: bool) -> None:
    assert bool(re.fullmatch(NAMES, name)) is is_secret
    assert bool(secrets_in(f"{name} = x8Kd92jf0aKe")) is is_secret


@pytest.mark.parametrize("placeholder", PLACEHOLDERS)
def test_what_stands_where_a_secret_would_is_none(placeholder: str) -> None:
    assert secrets_in(f"password = a1{placeholder}9z") == ()


def test_every_name_holds_a_sign() -> None:
    words = (
        "secret",
        "password",
        "passwd",
        "passphrase",
        "pwd",
        "passcode",
        "token",
        "api_key",
        "credential",
    )
    for word in words:
        assert any(sign in word for sign in NAME_SIGNS)


@pytest.mark.parametrize("name", ["aws_secret_access_key", "DB_PASSWORD", "client_secret"])
@pytest.mark.parametrize("before", ["secret: ", "the api key:", "token => ", "password="])
def test_fault_a_secret_whose_name_is_given_to_another_name_passes(name: str, before: str) -> None:
    value = made("", 40)
    (found,) = secrets_in(f"{before}{name} = {value} and more")
    assert (found.start, found.end) == (len(f"{before}{name} = "), len(f"{before}{name} = {value}"))
    assert secrets_in(f"{before}{name} = <value>") == ()


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer <token>",
        "Authorization: Bearer YOUR_TOKEN_GOES_HERE",
        "Authorization: Bearer $TOKEN_OF_2026",
        "The authorization of the bearer 2026-03-01T10:00:00Z came",
        "mun_live_and_let_live",
        "discord.com/api/webhooks/123456789012345678/",
    ],
)
def test_what_only_names_a_header_or_a_key_is_none(text: str) -> None:
    assert secrets_in(text) == ()
