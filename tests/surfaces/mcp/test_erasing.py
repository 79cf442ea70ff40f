"""Can an agent ask for an erasure, and only ask?"""

from pathlib import Path

import anyio
import pytest
from mcp import Client, types

from muniment.service.vault import Vault
from muniment.surfaces.mcp import core, erasing
from muniment.surfaces.mcp.server import server_of
from muniment.surfaces.shapes import schema_of
from tests.builders import FakeClock, reference_vault, stored
from tests.surfaces.mcp.clients import data_of, text_of
from tests.surfaces.mcp.test_schemas import faults

CODE = "QZ7-HERON-4417"


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return reference_vault(tmp_path, clock=FakeClock())


def asked(vault: Vault, **arguments: object) -> types.CallToolResult:
    async def connected() -> types.CallToolResult:
        named = types.Implementation(name="coder", version="1")
        async with Client(server_of(vault, tools=("core", "erasing")), client_info=named) as held:
            return await held.call_tool("erase", arguments)

    return anyio.run(connected)


def test_a_request_waits_and_nothing_goes(vault: Vault) -> None:
    id = stored(vault.remember(f"The code is {CODE}")).id
    result = asked(vault, by="text", what=CODE)
    found = data_of(result)
    (waiting,) = vault.erasure_requests()
    assert not result.is_error and found["verdict"] == "staged"
    assert found["request"] == waiting.id and waiting.asker == "coder"
    assert waiting.id in text_of(result) and "nothing has gone" in text_of(result)
    assert CODE not in text_of(result) and vault.read(id).text.endswith(CODE)


def test_what_is_not_there_is_an_error_with_an_example(vault: Vault) -> None:
    result = asked(vault, by="id", what="m_0123456789abcdefghijklmno0")
    assert result.is_error and data_of(result)["example"] == dict(erasing.ERASE.example)
    assert vault.erasure_requests() == ()
    assert asked(vault, by="everything", what="*").is_error


def test_the_tool_is_not_in_the_default_set_and_its_schema_is_plain() -> None:
    assert "erase" not in core.TOOLS and list(erasing.TOOLS) == ["erase"]
    assert not list(faults(schema_of(erasing.ERASE)))
