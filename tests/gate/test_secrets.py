"""Are secrets met by their shape, and hashes, identifiers and ordinary lines spared?"""

import base64
import hashlib
import json
import random
import uuid
from dataclasses import replace
from pathlib import Path

import pytest

from muniment.gate.secrets import masked, refuse_secret, secrets_in
from muniment.gate.verdict import Reason, SecretFound
from tests.gate.builders import AGENT, OWNER, act, known, lift, remember
from tests.growth import assert_linear

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared/data"
NEAR = (ROOT / "tests/data/near_misses.txt").read_text("utf-8").splitlines()


def made(prefix: str, count: int, seed: int = 3) -> str:
    """Return a made-up key: put together here, so that no scanner takes this file for a leak."""
    chance = random.Random(seed)
    return prefix + "".join(chance.choices("abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789", k=count))


def _web_token() -> str:
    parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": "1"})
    spelled = [base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts]
    return ".".join((*spelled, made("", 43)))


KEYS = {
    "AWS": made("AKIA", 0) + "Q3EGTRLPMNOVXYZ2",
    "GitHub": made("gh" + "p_", 36),
    "GitLab": made("glp" + "at-", 20),
    "Slack": made("xox" + "b-123456789012-", 24),
    "Stripe": made("sk_" + "live_", 24),
    "AI provider": made("sk" + "-proj-", 40),
    "Google": made("AI" + "za", 35),
    "registry": made("np" + "m_", 36),
    "service": made("lin_" + "api_", 40),
    "JSON Web Token": _web_token(),
    "private key": "-----BEGIN OPENSSH "
    + "PRIVATE KEY-----\nb3BlbnNzaC1r\n-----END OPENSSH "
    + "PRIVATE KEY-----",
    "address": "postgres://bob:s3cr3tpw@db.acme.io/app",
    "assignment": "DB_PASSWORD = hunter2!x",
    "camel case": "clientSecret: 'qwe123RTY456'",
    "quoted": '"api_key": "x8Kd92jf0aKe"',
    "sentence": "prod password is tulip9",
    "sentence with a place": "The password for the wiki is tulip9.",
}

INNOCENT = [
    "token_budget = 96000000",
    "No API key in the build",
    "apiKey: import.meta.env.X",
    hashlib.sha256(b"x").hexdigest(),
    f"commit {hashlib.sha1(b'x').hexdigest()}",
    f"md5 {hashlib.md5(b'x').hexdigest()}",
    str(uuid.UUID(int=7)),
    "max_tokens: 4096",
    "The deploy key rotates on Mondays",
    "password: <your password>",
    "SECRET_KEY=${SECRET_KEY}",
    "password = os.environ['X']",
    'password = request.form["password"]',
    "hash: new_user.password_hash",
    "The password is required",
    "The password is at least 8 characters",
    "The token is base64-encoded",
    "primary_key = customer_id",
    "cache key: user:42:orders",
    "task-management and risk-assessment-2024-report",
    "https://user:password@example.com/",
    "Authorization: Bearer <token>",
    "public key: ssh-ed25519",
    "monkey = banana42x",
    "reset_token_expiry = 2024-05-01T10:00:00Z",
    "tokens: 12345678",
    "The gate code is maple leaf",
]


@pytest.mark.parametrize("kind", sorted(KEYS))
def test_a_secret_is_met_wherever_it_stands(kind: str) -> None:
    text = f"A note before it.\n{KEYS[kind]}\nand a note after it."
    (found,) = secrets_in(text)
    assert text.startswith("A note before it.") and found.start >= 18
    assert found.end <= len(text) - len("\nand a note after it.") + 1
    long = "An ordinary line of notes. " * 4_000 + text
    assert len(secrets_in(long)) == 1


@pytest.mark.parametrize("beside", ["钥匙", "カギ", "열쇠", "กุญแจ"])
@pytest.mark.parametrize("kind", sorted(KEYS))
def test_a_secret_glued_to_a_script_without_spaces_is_met(kind: str, beside: str) -> None:
    alone = secrets_in(KEYS[kind])
    for glued in (f"{beside}{KEYS[kind]}", f"{beside}{KEYS[kind]} {beside}"):
        (found,) = secrets_in(glued)
        assert (found.kind, found.start) == (alone[0].kind, alone[0].start + len(beside)), glued
    (behind,) = secrets_in(f"{KEYS[kind]}{beside}")
    assert behind.kind == alone[0].kind


@pytest.mark.parametrize("text", INNOCENT)
def test_what_is_no_secret_passes(text: str) -> None:
    assert secrets_in(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Das Passwort lautet tulpe9rot",
        "Das Kennwort für den Router ist tulpe9rot",
        "Le mot de passe du serveur est tulpe9rot",
        "La contraseña del router es tulpe9rot.",
        "A senha é «tulpe9rot»",
        "Het wachtwoord voor de kluis is tulpe9rot",
        "Hasło to tulpe9rot",
        "пароль от сейфа — tulpe9rot",
        "密码：tulpe9rot",
        "パスワードはtulpe9rotです",
        "비밀번호는 tulpe9rot",
    ],
)
def test_fault_a_password_told_in_another_language_is_kept(text: str) -> None:
    (found,) = secrets_in(text)
    assert (found.kind, text[found.start : found.end].rstrip("».")) == ("password", "tulpe9rot")
    shown, count = masked(text)
    assert (count, len(shown), "tulpe9rot" in shown) == (1, len(text), False)


@pytest.mark.parametrize(
    "text",
    [
        "Das Passwort ist mindestens 12-stellig",
        "Das Passwort ist immer 12stellig",
        "Das Passwort läuft nach 90 Tagen ab",
        "Das Passwort steht auf Seite 12b45",
        "Le mot de passe est obligatoire",
        "La contraseña es la de siempre",
        "пароль меняется каждые 30 дней",
        "密码必须包含12个字符",
        "Het wachtwoord is verlopen op 2026-11-30",
    ],
)
def test_what_is_said_of_a_password_in_another_language_passes(text: str) -> None:
    assert secrets_in(text) == ()


def test_an_image_passes_even_where_its_bytes_spell_a_key() -> None:
    key = KEYS["AWS"]
    image = f"data:image/png;base64,iVBORw0KGgo/{key}/AAAA"
    assert secrets_in(image) == ()
    assert len(secrets_in(f"{image}, and {key}")) == 1


def test_near_misses_and_ordinary_turns_hold_none() -> None:
    assert [line for line in NEAR if secrets_in(line)] == []
    path = SHARED / "locomo/locomo_dev.json"
    if not path.exists():
        pytest.skip("shared data absent")
    samples = json.loads(path.read_text("utf-8"))
    parts = [part for sample in samples for part in sample["conversation"].values() if isinstance(part, list)]
    assert [turn["text"] for part in parts for turn in part if secrets_in(turn["text"])] == []


@pytest.mark.parametrize("kind", sorted(KEYS))
def test_masking_leaves_no_part_of_a_secret_and_every_offset(kind: str) -> None:
    text = f"before {KEYS[kind]} after"
    shown, count = masked(text)
    assert (len(shown), count) == (len(text), 1)
    assert shown.startswith("before ") and shown.endswith(" after")
    (found,) = secrets_in(text)
    assert set(shown[found.start : found.end]) == {"*"}
    assert secrets_in(shown) == ()


def test_a_text_without_a_secret_is_the_same_text() -> None:
    text = "We met at noon"
    assert masked(text) == (text, 0)
    assert masked(text)[0] is text


@pytest.mark.parametrize(
    "piece",
    ["password ", "a_", "password:", "secret is ", "eyJ", "http://a:", "sk-", "token=", "aKey",
     "password for a ", "passwort ", "密码是", "xoxb-", "-----BEGIN PRIVATE KEY-----", "a.b-c_key"],
)  # fmt: skip
def test_the_work_grows_with_the_length_and_no_faster(piece: str) -> None:
    assert_linear(secrets_in, piece)


def test_a_secret_is_refused_by_kind_and_place_to_everybody_without_the_right() -> None:
    at = known(secrets=(SecretFound("Stripe key", "tag", 4),))
    for principal in (OWNER, AGENT):
        for intent in (
            remember(principal=principal),
            act("retract", principal=principal),
            lift(principal=OWNER),
        ):
            verdict = refuse_secret(intent, at)
            assert verdict is not None and verdict.reason is Reason.SECRET
            assert verdict.detail == "Stripe key in the tag, at 4"
    trusted = replace(AGENT, keeps_secrets=True)
    assert refuse_secret(remember(principal=trusted), at) is None
    assert refuse_secret(remember(principal=AGENT), known()) is None
