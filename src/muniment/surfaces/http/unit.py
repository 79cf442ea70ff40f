"""How does a service manager keep the daemon running?  A unit for systemd, closed as far as it can be.

It is made here for one vault, so that every path in it is whole; nothing in it is a secret.
"""

from collections.abc import Sequence
from pathlib import Path

SECONDS_TO_STOP = 60
"""How long the service manager waits for open requests and the end of the work at hand."""

_UNIT = """\
[Unit]
Description=Muniment, memory for AI agents

[Service]
Type=notify
ExecStart={command}
{more}Restart=on-failure
TimeoutStopSec={seconds}
UMask=0077
NoNewPrivileges=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectSystem=strict
ProtectKernelTunables=yes
ProtectControlGroups=yes
ReadWritePaths={writes}
RestrictAddressFamilies={families}
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service

[Install]
WantedBy=default.target
"""


def unit_of(command: Sequence[str], *, writes: Sequence[Path], environment: Path | None = None) -> str:
    """Return a unit that runs `command` and may write below `writes` alone.

    `environment` is a file of variables, for a vault on a server: then the network is left open,
    which is else closed.
    """
    families = "AF_UNIX" if environment is None else "AF_UNIX AF_INET AF_INET6"
    more = "" if environment is None else f"EnvironmentFile={_specified(str(environment))}\n"
    return _UNIT.format(
        command=" ".join(_quoted(_specified(part).replace("$", "$$")) for part in command),
        more=more,
        seconds=SECONDS_TO_STOP,
        writes=" ".join(_quoted(_specified(f"-{path}")) for path in dict.fromkeys(writes)),
        families=families,
    )


def _specified(text: str) -> str:
    """Return a text in which no sign of percent stands for something else."""
    return text.replace("%", "%%")


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
