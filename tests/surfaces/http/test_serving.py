"""Does the command line serve, or print the unit, and is what is missing said in one sentence?"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from muniment import limits
from muniment.surfaces.http.unit import SECONDS_TO_STOP, unit_of
from tests.surfaces.http.served import PYTHONPATH, environment, process, ran

WRITES = (Path("/srv/vault"), Path("/srv/vault"), Path("/srv/run"))


def lines(unit: str) -> dict[str, str]:
    """Return a unit's settings by name; one that stands twice would be lost, so none may."""
    pairs = [line.split("=", 1) for line in unit.splitlines() if "=" in line]
    assert len({name for name, _ in pairs}) == len(pairs)
    return {name: value for name, value in pairs}


def test_a_unit_is_closed_to_all_but_its_own_directories() -> None:
    found = lines(unit_of(["/usr/bin/python3", "-m", "muniment"], writes=WRITES))
    assert found["ExecStart"] == '"/usr/bin/python3" "-m" "muniment"'
    assert found["ReadWritePaths"] == '"-/srv/vault" "-/srv/run"'
    assert found["RestrictAddressFamilies"] == "AF_UNIX"
    assert found["ProtectSystem"] == "strict"
    assert (found["Type"], found["UMask"], found["NoNewPrivileges"]) == ("notify", "0077", "yes")
    assert found["TimeoutStopSec"] == str(SECONDS_TO_STOP)
    assert "EnvironmentFile" not in found


def test_a_unit_for_a_server_has_the_network_and_its_address_in_a_file() -> None:
    found = lines(unit_of(["muniment"], writes=WRITES, environment=Path("/srv/h/daemon.env")))
    assert found["EnvironmentFile"] == "/srv/h/daemon.env"
    assert found["RestrictAddressFamilies"] == "AF_UNIX AF_INET AF_INET6"


@pytest.mark.parametrize(
    ("part", "written"),
    [
        ("a b", '"a b"'),
        ('a"b', '"a\\"b"'),
        ("a\\b", '"a\\\\b"'),
        ("100%h", '"100%%h"'),
        ("$HOME", '"$$HOME"'),
    ],
)
def test_nothing_in_a_command_stands_for_something_else(part: str, written: str) -> None:
    assert lines(unit_of([part], writes=WRITES))["ExecStart"] == written


def test_the_manager_waits_longer_than_the_daemon_drains() -> None:
    assert limits.drain_seconds_max < SECONDS_TO_STOP


def test_the_unit_of_a_vault_names_whole_paths_and_no_key(place: Path) -> None:
    done = ran(place, "--vault", str(place / "v.db"), "--key", f"@{place}/k", "serve", "--local", "--unit")
    assert done.returncode == 0, done.stderr
    found = lines(done.stdout)
    assert found["ExecStart"].startswith(f'"{sys.executable}" "-m" "muniment" "serve" "--local"')
    assert f'"--vault" "{place}/v.db"' in found["ExecStart"]
    assert f'"--key" "@{place}/k"' in found["ExecStart"]
    assert f'"--sockets" "{place}/h/run"' in found["ExecStart"]
    assert found["ReadWritePaths"] == f'"-{place}" "-{place}/h"'
    assert not (place / "v.db").exists(), "printing a unit makes nothing"


def test_the_unit_stands_the_look_of_the_service_manager_where_there_is_one(place: Path) -> None:
    done = ran(place, "serve", "--local", "--unit")
    path = place / "muniment.service"
    path.write_text(done.stdout)
    tool = shutil.which("systemd-analyze")
    if tool is None:
        assert lines(done.stdout)["Type"] == "notify"
        return
    looked = subprocess.run([tool, "verify", str(path)], capture_output=True, text=True, check=False)
    named = [line for line in looked.stderr.splitlines() if "muniment.service" in line]
    assert not named, named


def test_the_unit_of_a_server_holds_no_password(place: Path) -> None:
    address = "postgresql://coder:secret@db.example/acme"
    done = ran(place, "--vault", address, "serve", "--local", "--unit")
    assert done.returncode == 0, done.stderr
    assert "secret" not in done.stdout + done.stderr
    assert lines(done.stdout)["EnvironmentFile"] == str(place / "h" / "daemon.env")
    assert "MUNIMENT_VAULT=<address>" in done.stderr


def test_a_key_in_clear_is_not_written_into_a_unit(place: Path) -> None:
    done = ran(place, "--key", "mun_live_x", "serve", "--local", "--unit")
    assert done.returncode == 2
    assert done.stderr.startswith("bad-input: A unit holds no key.")
    assert "mun_live_x" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    "options", [["--unit"], ["--sockets", "x"], ["--mcp", "--local"], ["--mcp", "--local", "--unit"]]
)
def test_options_that_do_not_go_together_are_named(place: Path, options: list[str]) -> None:
    done = ran(place, "serve", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bad-input: `--")


def test_without_the_extra_one_sentence_names_it(place: Path) -> None:
    """The server's packages are looked for only when they are needed."""
    (place / "hidden").mkdir()
    (place / "hidden" / "fastapi.py").write_text(
        "raise ModuleNotFoundError(\"No module named 'fastapi'\", name='fastapi')"
    )
    path = f"{place / 'hidden'}:{PYTHONPATH}"
    done = ran(place, "serve", "--local", PYTHONPATH=path)
    assert done.returncode == 6
    assert done.stderr.splitlines()[0] == "unavailable: The package that serves HTTP is not installed."
    assert "Install `muniment[server]`." in done.stderr
    assert not (place / "h" / "run").exists()
    assert ran(place, "status", PYTHONPATH=path).stderr.startswith("unreadable-path:")


def test_no_other_command_loads_the_server(place: Path) -> None:
    program = (
        "import sys; from muniment.surfaces.cli.main import main\n"
        "try: main(['serve', '--help'])\nexcept SystemExit: pass\n"
        "print(sorted({'fastapi', 'uvicorn', 'starlette', 'pydantic'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(place), capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
    assert "--local" in done.stdout


def test_another_directory_is_named_by_an_option_or_a_variable(place: Path) -> None:
    assert ran(place, "--json", "init").returncode == 0
    with process(place, MUNIMENT_SOCKETS=str(place / "elsewhere")) as found:
        assert found.announced["loop"] == str(place / "elsewhere" / "loop" / "muniment.sock")
    done = ran(place, "serve", "--local", "--sockets", str(place / ("x" * 120)))
    assert done.returncode == 5
    assert done.stderr.startswith("unfit-socket: The socket cannot be made")


def test_an_agent_of_the_daemon_is_called_and_housed_as_the_settings_say(place: Path) -> None:
    made = json.loads(ran(place, "--json", "init").stdout)
    key = f"@{made['key_file']}"
    with process(place, "--key", key, MUNIMENT_ACTOR="scout", MUNIMENT_SPACE="acme/eng") as found:
        said = found.at.loop("about")["acting_as"]
        assert said == {"actor": "scout", "role": "agent", "space": "acme/eng"}
        assert found.at.owner("about")["acting_as"]["role"] == "owner"
