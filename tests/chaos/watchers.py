"""The clients that watch in a storm: each follows a stream, reconnects when it breaks, and records
all that it receives."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

from tests.chaos.asking import API, Caller
from tests.chaos.tables import Table
from tests.chaos.telling import Heard, HeardOfAll, Stand, Told

SSE: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"
SILENCE: Final = 9.0  # seconds without a heartbeat, of which the server sends one in three
AGAIN: Final = 0.3  # seconds until a client reconnects


class Watcher(ABC):
    """One client, in its own thread."""

    def __init__(self, caller: Caller, form: str, journal: Path) -> None:
        self.caller = caller
        self.form = form
        self.stopped = Event()
        self.statuses: Counter[int] = Counter()  # of the replies
        self._journal = journal.open("a", encoding="utf-8")
        self.thread = Thread(target=self.run, daemon=True, name=journal.stem)

    @abstractmethod
    def run(self) -> None:
        """Follow the stream, until stopped."""

    def start(self) -> None:
        """Start watching."""
        self.thread.start()

    def stop(self) -> None:
        """Stop; the next heartbeat or the timeout ends the last connection."""
        self.stopped.set()

    def note(self, **line: Any) -> None:
        """Record an observation."""
        self._journal.write(f"{json.dumps(line)}\n")
        self._journal.flush()

    def items(self, path: str, last: str) -> Iterator[tuple[str, Any]]:
        """The items of one connection with their ids, or ("204", None); an incomplete item is left
        out. A refusal is ("refused", its status)."""
        connection = self.caller.connection(SILENCE)
        asked = {"Accept": self.form}
        if last and self.form == SSE:
            asked["Last-Event-ID"] = last
        elif last:
            path = f"{path}?after={last.replace('+', '%2B')}"
        try:
            connection.request("GET", f"{API}{path}", headers=self.caller.headers(**asked))
            reply = connection.getresponse()
            self.statuses[reply.status] += 1
            self.note(say="opened", path=path, last=last, status=reply.status)
            if reply.status == 200:
                yield from self._read(reply)
            elif reply.status == 204:
                yield "204", None
            elif reply.status < 500 and reply.status != 429:
                yield "refused", reply.status
        except (OSError, HTTPException, ValueError) as problem:
            self.note(say="broken", why=f"{type(problem).__name__}: {problem}")
        finally:
            connection.close()

    def _read(self, reply: HTTPResponse) -> Iterator[tuple[str, Any]]:
        name = ""
        while not self.stopped.is_set() and (line := reply.readline()).endswith(b"\n"):
            text = line.decode().rstrip("\n")
            if self.form == LINES and text:
                yield "", json.loads(text)
            elif text.startswith("id: "):
                name = text.removeprefix("id: ")
            elif text.startswith("data: "):
                yield name, json.loads(text.removeprefix("data: "))


class GameWatcher(Watcher):
    """Follows the games of a table, one after another, each until it is reported to be over."""

    def __init__(self, table: Table, caller: Caller, form: str, journal: Path) -> None:
        super().__init__(caller, form, journal)
        self._table = table
        self.heard: list[Heard] = []

    def run(self) -> None:
        while not self.stopped.is_set():
            if len(self.heard) < len(self._table.games):
                heard = Heard(self.thread.name, self._table.games[len(self.heard)])
                self.heard.append(heard)
                self._follow(heard)
            else:
                self.stopped.wait(AGAIN)

    def _follow(self, heard: Heard) -> None:
        while not (heard.is_ended or self.stopped.is_set()):
            for name, item in self.items(f"/games/{heard.game}/stream", str(heard.last or "")):
                self._take(heard, name, item)
            self.stopped.wait(AGAIN)

    def _take(self, heard: Heard, name: str, item: Any) -> None:
        if name == "204":
            heard.is_ended = True
        elif name == "refused":
            heard.false_answers.append(f"refused with {item} after {heard.last}")
        else:
            if name and name != str(item["seq"]):
                heard.false_answers.append(f"id {name} of entry {item['seq']}")
            heard.told.append(Told(item["seq"], item["hash"]))
            self.note(say="told", game=heard.game, seq=item["seq"], hash=item["hash"])


class AccountWatcher(Watcher):
    """Follows all games of a table's account."""

    def __init__(self, table: Table, form: str, journal: Path) -> None:
        super().__init__(table.caller, form, journal)
        self.account = table.account
        self.heard = HeardOfAll(self.thread.name)
        self._last = ""

    def run(self) -> None:
        while not self.stopped.is_set():
            for name, item in self.items("/me/stream", self._last):
                if name in ("204", "refused"):
                    self.heard.false_answers.append(f"{name} {item} after {self._last!r}")
                else:
                    self._last = name  # lines have no ids: they begin with all games again
                    stand = Stand(item["seq"], item["phase"], item["my_turn"])
                    self.heard.told.setdefault(item["game"], []).append(stand)
                    self.note(say="told", **item)
            self.stopped.wait(AGAIN)


def watching(tables: list[Table], caller: Caller, folder: Path) -> list[Watcher]:
    """Start four streams for each table: two onlookers, the player's seat and the player's
    account."""
    watchers: list[Watcher] = []
    for table in tables:
        forms = (SSE, LINES) if table.number % 2 else (LINES, SSE)
        place = f"stream-{table.number}"
        for form, who in ((SSE, "a"), (LINES, "b")):
            path = folder / f"{place}-onlooker-{who}.jsonl"
            watchers.append(GameWatcher(table, caller, form, path))
        watchers += [
            GameWatcher(table, table.caller, forms[0], folder / f"{place}-seat.jsonl"),
            AccountWatcher(table, forms[1], folder / f"{place}-account.jsonl"),
        ]
    for watcher in watchers:
        watcher.start()
    return watchers
