"""What can a person set from outside?  Every variable stands in one table, with its default."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from muniment import limits
from muniment.domain.space import checked_path
from muniment.errors import BadCredential, BadInput
from muniment.later import Later

if TYPE_CHECKING:
    import zoneinfo
    from urllib import parse

    from muniment.domain import credential
else:
    parse = Later("urllib.parse")
    zoneinfo = Later("zoneinfo")
    credential = Later("muniment.domain.credential")

EMBEDDERS = ("static", "off")
"""What `MUNIMENT_EMBEDDER` may be."""

DATABASE_ROLES = ("checked", "any")
"""What `MUNIMENT_DATABASE_ROLE` may be."""

_WORDS = frozenset({"host", "hostaddr", "port", "dbname", "user", "password", "service"})
"""Names with which a server's address in words begins."""

VAULT_FILE = "vault.db"
"""Name of the vault in the home directory."""

SOCKETS = "run"
"""Name of the directory of the daemon's sockets in the home directory."""


class Setting(NamedTuple):
    """Describe one variable for the guide and for `doctor`; an empty default is none."""

    name: str
    default: str
    meaning: str


SETTINGS = (
    Setting("MUNIMENT_HOME", "the platform's data directory", "Directory of the vault and its files."),
    Setting("MUNIMENT_VAULT", f"{VAULT_FILE} in the home", "Path of the vault, or address of its database."),
    Setting("MUNIMENT_SOCKETS", "run in the home", "Directory of the local daemon's sockets."),
    Setting("MUNIMENT_KEYS", "<database>.keys in the home", "Directory of the keys of a vault on a server."),
    Setting(
        "MUNIMENT_DATABASE_ROLE", "checked", "`any` takes a role that owns or migrates; development only."
    ),
    Setting(
        "MUNIMENT_KEY",
        "",
        "Key to act with, or `@` and a file's path; without one an agent acts as an agent.",
    ),
    Setting("MUNIMENT_SPACE", "home", "Space that writes go to when none is named."),
    Setting("MUNIMENT_ACTOR", "", "Name of the actor when no key says it."),
    Setting("MUNIMENT_EMBEDDER", "static", "`static` for the embedder in the package, `off` for none."),
    Setting(
        "MUNIMENT_MODEL_URL", "", "Server of a language model that judges free statements beside the rules."
    ),
    Setting("MUNIMENT_MODEL", "", "Name of the model on that server."),
    Setting("MUNIMENT_MODEL_KEY", "", "Key for that server, or `@` and a file's path."),
    Setting("MUNIMENT_TIMEZONE", "UTC", "Zone in which a date without a time begins."),
)
"""Every variable that is read, in the order of the guide."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Hold what is set; `vault` is a path or an address, empty texts are not set.

    An address may hold a password, so neither it nor the key is ever shown.
    """

    home: Path
    vault: str = field(repr=False)
    key: str = field(default="", repr=False)
    space: str = "home"
    actor: str = ""
    embedder: str = "static"
    timezone: tzinfo = UTC
    keys: Path | None = None
    sockets: Path | None = None
    database_role: str = "checked"
    model_url: str = ""
    model: str = ""
    model_key: str = field(default="", repr=False)


def settings_from(environ: Mapping[str, str], *, platform: str = sys.platform) -> Settings:
    """Return the settings of an environment; a blank variable counts as not set.

    Raises BadInput, which names the variable and never repeats a key.
    """
    given = {setting.name: environ.get(setting.name, "").strip() for setting in SETTINGS}
    home = Path(given["MUNIMENT_HOME"] or platform_home(environ, platform)).expanduser()
    vault = given["MUNIMENT_VAULT"] or str(home / VAULT_FILE)
    return Settings(
        home=home,
        vault=vault if "://" in vault else str(Path(vault).expanduser()),
        key=_checked(given, "MUNIMENT_KEY"),
        space=_checked(given, "MUNIMENT_SPACE") or "home",
        actor=_checked(given, "MUNIMENT_ACTOR"),
        embedder=_checked(given, "MUNIMENT_EMBEDDER") or "static",
        timezone=_zone(given["MUNIMENT_TIMEZONE"]),
        sockets=Path(given["MUNIMENT_SOCKETS"]).expanduser() if given["MUNIMENT_SOCKETS"] else None,
        keys=Path(given["MUNIMENT_KEYS"]).expanduser() if given["MUNIMENT_KEYS"] else None,
        database_role=_checked(given, "MUNIMENT_DATABASE_ROLE") or "checked",
        model_url=given["MUNIMENT_MODEL_URL"],
        model=given["MUNIMENT_MODEL"],
        model_key=given["MUNIMENT_MODEL_KEY"],
    )


def shown_address(address: str) -> str:
    """Return a path or address as it may be shown; before an `@` or after a `?` may stand a secret."""
    scheme, separator, rest = address.partition("://")
    if not separator:
        return address
    return f"{scheme}://{rest.partition('?')[0].rpartition('@')[2]}"


def is_in_words(address: str) -> bool:
    """Return whether this is a server's address in words; as a path it would name a file by a password."""
    return address.partition("=")[0].strip() in _WORDS


def database_name(address: str) -> str:
    """Return the name of the database in an address, as far as a file may be called so; else `vault`."""
    try:
        path = parse.urlsplit(address).path
    except ValueError:
        # Brackets without an end, say; whoever connects to it says so.
        path = ""
    kept = (sign if sign.isascii() and (sign.isalnum() or sign in "_.-") else "_" for sign in path.strip("/"))
    return "".join(kept) or "vault"


def platform_home(environ: Mapping[str, str], platform: str) -> str:
    """Return where a program of this platform keeps its data; `~` stands for the person's home."""
    if platform == "darwin":
        return "~/Library/Application Support/muniment"
    if platform == "win32":
        return str(Path(environ.get("LOCALAPPDATA") or "~/AppData/Local") / "muniment")
    # A relative XDG path is to be ignored, says its specification.
    shared = environ.get("XDG_DATA_HOME", "")
    return str(Path(shared if Path(shared).is_absolute() else "~/.local/share") / "muniment")


def _checked(given: Mapping[str, str], name: str) -> str:
    """Return the one form of a value, or an empty text when it is not set."""
    value = given[name]
    if not value:
        return ""
    try:
        return _CHECKS[name](value)
    except (BadInput, BadCredential) as error:
        raise BadInput(f"{name}: {error.sentence}") from error


def _key(value: str) -> str:
    if not value.startswith("@"):
        credential.parsed(value)
    return value


def _actor(value: str) -> str:
    if len(value) > limits.name_characters_max or not value.isprintable():
        raise BadInput("The actor's name is too long or has a character that cannot be seen.")
    return value


def _embedder(value: str) -> str:
    if value not in EMBEDDERS:
        raise BadInput("The embedder is one of: " + ", ".join(EMBEDDERS) + ".")
    return value


def _database_role(value: str) -> str:
    if value not in DATABASE_ROLES:
        raise BadInput("The database role is one of: " + ", ".join(DATABASE_ROLES) + ".")
    return value


def _zone(value: str) -> tzinfo:
    if not value or value == "UTC":
        return UTC
    try:
        return zoneinfo.ZoneInfo(value)
    # A name with a path in it is a ValueError, a directory of zones an OSError.
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput("MUNIMENT_TIMEZONE: There is no such zone; give one such as Europe/Zurich.") from error


_CHECKS: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {
        "MUNIMENT_KEY": _key,
        "MUNIMENT_SPACE": checked_path,
        "MUNIMENT_ACTOR": _actor,
        "MUNIMENT_EMBEDDER": _embedder,
        "MUNIMENT_DATABASE_ROLE": _database_role,
    }
)
