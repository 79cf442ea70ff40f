"""Who calls, on which vault, and in which form do they want the answer?

Who acts follows one rule (I15): with a key, its holder; else at a terminal, the owner;
else an agent.  No other option can make a person out of an agent.
"""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from muniment.errors import BadCredential, BadInput, TooLarge, Unreadable
from muniment.surfaces.cli.screen import person_is_here

if TYPE_CHECKING:
    from muniment.looking import Looked
    from muniment.service.vault import Vault
    from muniment.settings import Settings

KEY_FILE_BYTES_MAX = 4096
"""Longest file that `--key @file` reads."""

AGENT = "cli"
"""Name of an agent that does not say its own."""


@dataclass
class Call:
    """Hold the options that every command takes; None is not given."""

    vault: str | None = None
    key: str | None = None
    space: str | None = None
    actor: str | None = None
    json: bool = False

    @cached_property
    def settings(self) -> "Settings":
        """Return what the environment sets."""
        from muniment.settings import settings_from

        return settings_from(os.environ)

    @property
    def address(self) -> str:
        """Return the path or address of the vault."""
        return self.settings.vault if self.vault is None else self.vault

    def key_directory(self) -> Path:
        """Return the directory of the vault's keys."""
        from muniment.wiring import keys_at

        return keys_at(self.address, self.settings)

    def hand(self, *, make: bool = False, driven: bool = False) -> "Vault":
        """Return the vault in the hands of whoever calls; it is closed when the command ends.

        Only with `make` is a vault made where there is none.  `driven` says that a model is at
        the other end: then the surface that serves it takes the vault on `as_agent`, which
        names the client, and a named actor or space is settled here.
        """
        key = self._key()
        return self._held(self.opened(key, make=make), key, driven=driven)

    def look(self) -> "Vault | Looked":
        """Return what answers `verify` and `doctor`: the vault, or one that is only looked over.

        Whoever edited the file must not keep its owner from being told what was edited.
        """
        from muniment.errors import RolledBack, Tampered

        try:
            return self.hand()
        except (Tampered, RolledBack) as error:
            from muniment.looking import look_over

            looked = look_over(self.address, self.settings, why=error)
            click.get_current_context().call_on_close(looked.close)
            return looked

    def hand_or_birth(self) -> "Vault":
        """Return the vault as `hand` does, or as its owner while it holds no record.

        A vault without a record has no key that could be given and nothing to protect:
        whoever makes its files is its owner, as with `init`.
        """
        key = self._key()
        vault = self.opened("", make=True)
        if vault.status().records == 0:
            return vault
        return self._held(self.opened(key) if key else vault, key)

    def _held(self, vault: "Vault", key: str, *, driven: bool = False) -> "Vault":
        if key:
            if self.actor is not None:
                raise BadInput("A key says who acts; `--actor` does not go with it.")
            return vault
        if driven and self.actor is None and self.space is None:
            return vault
        if self.actor is None and not driven and person_is_here():
            return vault
        name = self.settings.actor or AGENT if self.actor is None else self.actor
        home = self.space if driven and self.space is not None else self.settings.space
        return vault.acting_as(actor=name, role="agent", space=home)

    def opened(self, key: str = "", *, make: bool = False) -> "Vault":
        """Return the vault as the holder of `key`, or of the file; closed when the command ends."""
        from muniment.wiring import open_vault

        if not make:
            refuse_absent(self.address)
        try:
            vault = open_vault(self.address, key or None, settings=self.settings)
        except OSError as error:
            raise Unreadable(f"The vault cannot be opened: {error.strerror or 'no access'}.") from error
        click.get_current_context().call_on_close(vault.close)
        return vault

    def destination(self, vault: "Vault") -> str | None:
        """Return the space that a write names; without one it goes to the caller's own."""
        if self.space is not None:
            return self.space
        principal = vault.principal
        return self.settings.space if principal.is_person and not principal.credential else None

    def _key(self) -> str:
        given = self.settings.key if self.key is None else self.key.strip()
        if not given and self.key is not None:
            raise BadCredential("The key is empty.")
        return _key_in(given[1:]) if given.startswith("@") else given


def refuse_absent(address: str) -> None:
    """Raise Unreadable when no vault lies at a path: reading never makes one."""
    if "://" in address or "\0" in address or not address.strip():
        return
    try:
        there = os.stat(Path(address).expanduser()).st_size > 0
    except (FileNotFoundError, NotADirectoryError):
        there = False
    except (OSError, RuntimeError) as error:
        raise Unreadable("The vault's path cannot be looked at.") from error
    if not there:
        raise Unreadable("There is no vault at this path.", advice="Make one with `muniment init`.")


def _key_in(name: str) -> str:
    try:
        with open(Path(name).expanduser(), "rb") as file:
            content = file.read(KEY_FILE_BYTES_MAX).decode("ascii").strip()
    except (OSError, ValueError, RuntimeError) as error:
        raise Unreadable("The key file cannot be read.", advice="Give `--key @<path of a file>`.") from error
    if not content:
        raise BadCredential("The key file is empty.")
    return content


def _noted(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    """Keep a shared option; the one nearest to the command wins."""
    if value is None or value is False or context.resilient_parsing:
        return
    refuse_undecodable(str(parameter.name), value)
    setattr(context.ensure_object(Call), str(parameter.name), value)


def shared_options() -> list[click.Parameter]:
    """Return the options that stand before or after the command."""
    texts = (
        ("vault", "PATH", "The vault's file; else MUNIMENT_VAULT, else the one in the home directory."),
        ("key", "KEY", "Act as the holder of a key; `@file` reads it from a file."),
        ("space", "SPACE", "Write to, or ask only, this space."),
        ("actor", "NAME", "Act as an agent of this name."),
    )
    options: list[click.Parameter] = [
        click.Option([f"--{name}"], metavar=shape, help=text, callback=_noted, expose_value=False)
        for name, shape, text in texts
    ]
    json = click.Option(
        ["--json"], is_flag=True, help="Answer with one JSON document.", callback=_noted, expose_value=False
    )
    return [*options, json]


def refuse_undecodable(name: str, value: object) -> None:
    """Raise BadInput for text that is not valid in the encoding of the terminal."""
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        raise BadInput(f"`{name}` holds bytes that are no text.", advice="Give it as valid UTF-8.")
    if isinstance(value, tuple):
        for one in value:
            refuse_undecodable(name, one)


class Verb(click.Command):
    """A command that takes the shared options after its own name too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += shared_options()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command once its texts are known to be texts."""
        ctx.ensure_object(Call)
        for name, value in ctx.params.items():
            refuse_undecodable(name, value)
        return super().invoke(ctx)


def verb(name: str) -> Callable[[Callable[..., Any]], Verb]:
    """Declare a command."""
    return click.command(name, cls=Verb)


class Place(click.ParamType[Path]):
    """A path; it may name a file whose name is no text."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path, the home directory's `~` filled in."""
        if isinstance(value, Path):
            return value
        if not value.strip() or "\0" in value:
            raise BadInput("The path is empty or no path.")
        try:
            return Path(value).expanduser()
        except RuntimeError as error:
            raise BadInput("The path's home directory is not known.") from error


class When(click.ParamType[datetime]):
    """A moment: RFC 3339, a date in the person's zone, `now`, or an age such as 3d."""

    name = "when"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return an aware moment."""
        from muniment.domain.timeline import parsed
        from muniment.errors import BadTime

        if isinstance(value, datetime):
            return value
        if not value.strip():
            raise BadTime("The moment is empty.")
        context = ctx or click.get_current_context()
        zone = context.ensure_object(Call).settings.timezone
        return parsed(value, now=datetime.now(UTC), zone=zone)


PLACE, WHEN = Place(), When()


def text_given(text: str, *, bytes_max: int) -> str:
    """Return an argument's text; `-` reads it from standard input, without its last newline.

    Raises TooLarge for more than `bytes_max` bytes: of what was not read nobody could say how long it is.
    """
    if text != "-":
        return text
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise BadInput("Standard input is closed.")
    # Two bytes further: the last newline, and one that is too many.
    content = stream.read(bytes_max + 2).removesuffix(b"\n")
    if len(content) > bytes_max:
        raise TooLarge(f"Standard input holds more than the {bytes_max:,} bytes that are taken from it.")
    try:
        return str(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadInput("Standard input is no text in UTF-8.", advice="Give it as valid UTF-8.") from error


def confirmed(preview: Sequence[str], *, question: str, yes: bool) -> bool:
    """Show what is about to happen and ask; without a terminal only `--yes` answers."""
    from muniment.surfaces.cli.screen import aside

    if yes:
        return True
    if not person_is_here():
        raise BadInput(
            "This cannot be undone by itself, and nobody is there to ask.",
            advice="Look at it first, then call again with `--yes`; nothing was changed.",
        )
    for line in preview:
        aside(line)
    if click.confirm(question, err=True):
        return True
    aside("Nothing was changed.")
    return False
