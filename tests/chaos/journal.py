"""The journal of a client: its calls and their outcomes. The file is synced at each step, so it is
complete at any moment at which the client is killed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from games.services import AppendResult

INVOKE: Final = "invoke"
OK: Final = "ok"
FAIL: Final = "fail"
UNKNOWN: Final = "unknown"


@dataclass(frozen=True)
class Call:
    """An action that a client requests, with the choice that it answers."""

    game: str
    seat: int
    choice: str
    action: Any


@dataclass(frozen=True)
class Attempt:
    """A call and its outcome: ok, fail or unknown; unknown also if no outcome was recorded."""

    call: Call
    outcome: str
    answer: dict[str, Any]


class Journal:
    """The file of one client. A new process appends to the file of the process that was killed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._has_partial_line = path.exists() and not path.read_bytes().endswith(b"\n")

    def record_call(self, call: Call) -> None:
        """Record a call, before it is sent."""
        self._write({"event": INVOKE, **asdict(call)})

    def record_ok(self, result: AppendResult) -> None:
        """Record that the call was acknowledged, with a receipt."""
        answer = {"first": result.first_seq, "last": result.last_seq, "repeated": result.is_repeat}
        self._write({"event": OK, **answer, "receipt": asdict(result.receipt)})

    def record_ok_over_http(self, reply: Any, *, is_repeat: bool) -> None:
        """Record that the call was acknowledged over HTTP."""
        self._write({"event": OK, **answer_over_http(reply, is_repeat=is_repeat)})

    def record_fail(self, code: str) -> None:
        """Record that the call was refused."""
        self._write({"event": FAIL, "code": code})

    def record_unknown(self, problem: Exception) -> None:
        """Record that there was no answer; the action may be in the log."""
        self._write({"event": UNKNOWN, "reason": f"{type(problem).__name__}: {problem}"})

    def _write(self, line: dict[str, Any]) -> None:
        start = "\n" if self._has_partial_line else ""  # ends the partial line
        self._has_partial_line = False
        with self._path.open("a", encoding="utf-8") as file:
            file.write(f"{start}{json.dumps(line)}\n")
            file.flush()
            os.fsync(file.fileno())


def answer_over_http(reply: Any, *, is_repeat: bool) -> dict[str, Any]:
    """The answer of an acknowledged call, from the reply over HTTP."""
    numbers = {"first": reply["entries"][0]["seq"], "last": reply["seq"], "repeated": is_repeat}
    return {**numbers, "receipt": reply["receipt"]}


def attempts(path: Path) -> list[Attempt]:
    """All attempts, in order; none of a client whose games were over before it began."""
    all_attempts: list[Attempt] = []
    if not path.exists():
        return all_attempts
    for line in _lines(path):
        event = line.pop("event")
        if event == INVOKE:
            all_attempts.append(Attempt(Call(**line), UNKNOWN, {}))
        else:
            all_attempts[-1] = Attempt(all_attempts[-1].call, event, line)
    return all_attempts


def unresolved_call(path: Path) -> Call | None:
    """The call whose outcome the client does not know."""
    all_attempts = attempts(path)
    is_unresolved = bool(all_attempts) and all_attempts[-1].outcome == UNKNOWN
    return all_attempts[-1].call if is_unresolved else None


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of the file, without the partial ones that a kill left."""
    for line in path.read_text(encoding="utf-8").splitlines():
        with suppress(ValueError):
            yield json.loads(line)
