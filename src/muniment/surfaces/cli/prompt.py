"""Which commands show a prompt?  What a session would get, or has, and where each part came from."""

from pathlib import Path
from typing import Any

import click

from muniment import wiring
from muniment.adapters.project import read_project
from muniment.errors import NotFound, Unreadable
from muniment.prompt.parts import rough_tokens
from muniment.service.baselines import Baseline
from muniment.service.hand_sitting import OpenFields
from muniment.surfaces.cli.call import PLACE, Call, Verb, shared_options
from muniment.surfaces.cli.screen import aside, document, say, table, tell
from muniment.surfaces.plain import plain

SYSTEM_BYTES_MAX = 2_000_000
"""Longest file of a host's own text that is read."""


@click.group("prompt", params=shared_options())
def prompt() -> None:
    """Show the prompt that a session gets."""


@prompt.command("show", cls=Verb)
@click.option("--session", help="Show the frozen prompt of this session; without it, a new session's.")
@click.option("--platform", default="", help="Where the model is read: cli, chat, voice, mail or web.")
@click.option("--system", type=PLACE, help="A file with the host's own text.")
@click.option("--project", type=PLACE, help="The directory that the agent works in; its files are read.")
@click.option("--text", "text_only", is_flag=True, help="Print the prompt alone, as a model is given it.")
@click.pass_obj
def show(call: Call, /, session: str | None, **given: Any) -> None:
    """Show what a session would get: part by part, then whole.

    Each part stands with its source and its size.
    Tokens are counted twice: with the vocabulary of the embedder, and as characters divided by
    four.  Other models count differently, other scripts much so.
    """
    fields = OpenFields(platform=given["platform"])
    if given["system"] is not None:
        fields["system"] = _read(given["system"])
    if given["project"] is not None:
        fields["project"] = read_project(given["project"])
    made = _made(call, session, fields)
    if call.json:
        document({**_fields(made), "tokens": _tokens(made.text)})
        return
    if given["text_only"]:
        say(made.text)
        return
    _shown(made)


def _made(call: Call, session: str | None, given: OpenFields) -> Baseline:
    vault = call.hand()
    space = call.space or ""
    if session is None:
        return vault.session("-", space=space).preview(**given)
    found = vault.session(session, space=space).frozen()
    if found is None:
        raise NotFound(
            "This session has no frozen prompt.", advice="Leave `--session` out to see a new one's."
        )
    return found


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(SYSTEM_BYTES_MAX + 1)
        if len(content) > SYSTEM_BYTES_MAX:
            raise Unreadable(f"The file has more than {SYSTEM_BYTES_MAX:,} bytes.")
        return content.decode("utf-8")
    except OSError as error:
        raise Unreadable(f"The file cannot be read: {error.strerror or 'no access'}.") from error
    except UnicodeDecodeError as error:
        raise Unreadable(
            "The file is no text in UTF-8.", advice="Save it as UTF-8 and call again."
        ) from error


def _fields(made: Baseline) -> dict[str, object]:
    found = plain(made)
    assert isinstance(found, dict)
    return found


def _tokens(text: str) -> dict[str, int]:
    return {"pieces": wiring.word_pieces(text), "quarters": rough_tokens(text), "characters": len(text)}


def _shown(made: Baseline) -> None:
    named = [(part.tier.value, part.name, part.source, part.text) for part in made.parts]
    named.append(("", "all", f"sha256 {made.digest[:12]}", made.text))
    rows = [(*names, *map(str, _tokens(text).values())) for *names, text in named]
    table(("tier", "part", "from", "tokens", "chars / 4", "chars"), rows)
    if made.epoch:
        tell(f"epoch {made.epoch}, {made.began}; frozen until it ends")
    for notice in made.notices:
        aside(notice)
    say("")
    for line in made.text.split("\n"):
        tell(line) if line else say("")
