"""Is every setting read from one table, checked, and never shown when it is a key?"""

from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from muniment.domain.credential import minted
from muniment.errors import BadInput
from muniment.settings import SETTINGS, Settings, is_in_words, platform_home, settings_from

KEY = minted(b"public id", b"s" * 32, "live")
HOME = {"MUNIMENT_HOME": "/srv/muniment"}


def test_without_a_setting_everything_has_its_default() -> None:
    found = settings_from({"XDG_DATA_HOME": "/data"}, platform="linux")
    assert found == Settings(Path("/data/muniment"), str(Path("/data/muniment/vault.db")))
    assert (found.key, found.space, found.actor, found.embedder) == ("", "home", "", "static")
    assert found.timezone is UTC


def test_every_setting_of_the_table_is_read() -> None:
    given = {
        "MUNIMENT_HOME": "/srv/h",
        "MUNIMENT_VAULT": "/srv/v.db",
        "MUNIMENT_KEY": KEY,
        "MUNIMENT_SPACE": " acme / eng ",
        "MUNIMENT_ACTOR": "coder",
        "MUNIMENT_EMBEDDER": "off",
        "MUNIMENT_TIMEZONE": "Europe/Zurich",
        "MUNIMENT_KEYS": "/srv/keys",
        "MUNIMENT_SOCKETS": "/srv/run",
        "MUNIMENT_DATABASE_ROLE": "any",
        "MUNIMENT_MODEL_URL": "https://models.example/v1",
        "MUNIMENT_MODEL": "small",
        "MUNIMENT_MODEL_KEY": "k-1",
    }
    assert set(given) == {setting.name for setting in SETTINGS}
    assert settings_from(given) == Settings(
        home=Path("/srv/h"),
        vault="/srv/v.db",
        key=KEY,
        space="acme/eng",
        actor="coder",
        embedder="off",
        timezone=ZoneInfo("Europe/Zurich"),
        keys=Path("/srv/keys"),
        sockets=Path("/srv/run"),
        database_role="any",
        model_url="https://models.example/v1",
        model="small",
        model_key="k-1",
    )


def test_every_setting_has_a_meaning_and_a_name_of_its_own() -> None:
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)
    for setting in SETTINGS:
        assert setting.name.startswith("MUNIMENT_")
        assert setting.meaning.endswith(".")


@pytest.mark.parametrize("name", [setting.name for setting in SETTINGS])
def test_a_blank_variable_counts_as_not_set(name: str) -> None:
    assert settings_from({**HOME, name: "  "}) == settings_from(HOME if name != "MUNIMENT_HOME" else {})


@pytest.mark.parametrize(
    ("environ", "platform", "place"),
    [
        ({}, "linux", "~/.local/share/muniment"),
        ({"XDG_DATA_HOME": "/data"}, "linux", "/data/muniment"),
        ({"XDG_DATA_HOME": "relative"}, "linux", "~/.local/share/muniment"),
        ({"XDG_DATA_HOME": "/data"}, "darwin", "~/Library/Application Support/muniment"),
        ({"LOCALAPPDATA": "/apps"}, "win32", "/apps/muniment"),
        ({}, "win32", "~/AppData/Local/muniment"),
    ],
)
def test_each_platform_has_its_data_directory(environ: dict[str, str], platform: str, place: str) -> None:
    assert Path(platform_home(environ, platform)) == Path(place)


def test_a_tilde_stands_for_the_persons_home() -> None:
    found = settings_from({"MUNIMENT_HOME": "~/m", "MUNIMENT_VAULT": "~/v.db"})
    assert found.home == Path.home() / "m"
    assert found.vault == str(Path.home() / "v.db")


def test_the_address_of_a_database_is_left_as_it_is() -> None:
    address = "postgresql://host/name?options=~"
    assert settings_from({**HOME, "MUNIMENT_VAULT": address}).vault == address


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MUNIMENT_KEY", KEY[:-1]),
        ("MUNIMENT_KEY", KEY[:-1] + "~"),
        ("MUNIMENT_SPACE", "acme/../other"),
        ("MUNIMENT_SPACE", "acme/*"),
        ("MUNIMENT_ACTOR", "x" * 201),
        ("MUNIMENT_ACTOR", "a\u202eb"),
        ("MUNIMENT_EMBEDDER", "large"),
        ("MUNIMENT_TIMEZONE", "Mars/Olympus"),
        ("MUNIMENT_TIMEZONE", "../../etc/passwd"),
        ("MUNIMENT_TIMEZONE", "Europe"),
        ("MUNIMENT_TIMEZONE", "+02:00"),
    ],
)
def test_a_bad_value_is_refused_by_the_name_of_its_variable(name: str, value: str) -> None:
    with pytest.raises(BadInput) as caught:
        settings_from({**HOME, name: value})
    assert caught.value.sentence.startswith(f"{name}: ")
    assert KEY[12:40] not in caught.value.sentence


def test_the_settings_do_not_print_the_key() -> None:
    found = settings_from({**HOME, "MUNIMENT_KEY": KEY})
    assert found.key == KEY
    assert KEY not in repr(found)
    assert KEY.split("_")[3] not in repr(found)


def test_a_variable_of_another_program_is_not_read() -> None:
    assert settings_from({**HOME, "MUNIMENT_SPACES": "acme", "SPACE": "acme"}) == settings_from(HOME)


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("host=h dbname=d password=p", True),
        (" password = p dbname=d", True),
        ("service=team", True),
        ("notes/host=h.db", False),
        ("postgresql://h/d", False),
        ("vault.db", False),
    ],
)
def test_a_servers_address_in_words_is_known_from_a_path(address: str, is_one: bool) -> None:
    assert is_in_words(address) == is_one
