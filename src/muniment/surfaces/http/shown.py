"""How does an error look in an answer?  As on the command line with `--json` (I13)."""

import json

from muniment.surfaces.problems import problem_of


def document(value: object) -> bytes:
    """Return a value in JSON and in ASCII, so that no text of a memory can be one that cannot be sent."""
    return json.dumps(value, ensure_ascii=True).encode("ascii")


def problem(error: Exception) -> tuple[int, bytes]:
    """Return the status and the document of an error."""
    found = problem_of(error)
    fields = {"code": found.code, "sentence": found.sentence, "advice": found.advice}
    return found.http_status, document({"error": {**fields, "exit_code": found.exit_code}})
