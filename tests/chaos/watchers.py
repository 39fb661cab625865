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

from tests.chaos.http_client import API, Caller
from tests.chaos.stream_check import AccountStreamRecord, GameState, StreamedEntry, StreamRecord
from tests.chaos.tables import Table

SSE: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"
READ_TIMEOUT: Final = 9.0  # seconds without a heartbeat, of which the server sends one in three
RECONNECT_PAUSE: Final = 0.3  # seconds until a client reconnects


class Watcher(ABC):
    """One client, in its own thread."""

    def __init__(self, caller: Caller, media_type: str, journal: Path) -> None:
        self.caller = caller
        self.media_type = media_type
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
        connection = self.caller.connection(READ_TIMEOUT)
        headers = {"Accept": self.media_type}
        if last and self.media_type == SSE:
            headers["Last-Event-ID"] = last
        elif last:
            path = f"{path}?after={last.replace('+', '%2B')}"
        try:
            connection.request("GET", f"{API}{path}", headers=self.caller.headers(**headers))
            reply = connection.getresponse()
            self.statuses[reply.status] += 1
            self.note(event="opened", path=path, last=last, status=reply.status)
            if reply.status == 200:
                yield from self._read(reply)
            elif reply.status == 204:
                yield "204", None
            elif reply.status < 500 and reply.status != 429:
                yield "refused", reply.status
        except (OSError, HTTPException, ValueError) as problem:
            self.note(event="broken", reason=f"{type(problem).__name__}: {problem}")
        finally:
            connection.close()

    def _read(self, reply: HTTPResponse) -> Iterator[tuple[str, Any]]:
        name = ""
        while not self.stopped.is_set() and (line := reply.readline()).endswith(b"\n"):
            text = line.decode().rstrip("\n")
            if self.media_type == LINES and text:
                yield "", json.loads(text)
            elif text.startswith("id: "):
                name = text.removeprefix("id: ")
            elif text.startswith("data: "):
                yield name, json.loads(text.removeprefix("data: "))


class GameWatcher(Watcher):
    """Follows the games of a table, one after another, each until it is reported to be over."""

    def __init__(self, table: Table, caller: Caller, media_type: str, journal: Path) -> None:
        super().__init__(caller, media_type, journal)
        self._table = table
        self.records: list[StreamRecord] = []

    def run(self) -> None:
        while not self.stopped.is_set():
            if len(self.records) < len(self._table.games):
                record = StreamRecord(self.thread.name, self._table.games[len(self.records)])
                self.records.append(record)
                self._follow(record)
            else:
                self.stopped.wait(RECONNECT_PAUSE)

    def _follow(self, record: StreamRecord) -> None:
        while not (record.is_ended or self.stopped.is_set()):
            for name, item in self.items(f"/games/{record.game}/stream", str(record.last or "")):
                self._record_item(record, name, item)
            self.stopped.wait(RECONNECT_PAUSE)

    def _record_item(self, record: StreamRecord, name: str, item: Any) -> None:
        if name == "204":
            record.is_ended = True
        elif name == "refused":
            record.false_answers.append(f"refused with {item} after {record.last}")
        else:
            if name and name != str(item["seq"]):
                record.false_answers.append(f"id {name} of entry {item['seq']}")
            record.entries.append(StreamedEntry(item["seq"], item["hash"]))
            self.note(event="received", game=record.game, seq=item["seq"], hash=item["hash"])


class AccountWatcher(Watcher):
    """Follows all games of a table's account."""

    def __init__(self, table: Table, media_type: str, journal: Path) -> None:
        super().__init__(table.caller, media_type, journal)
        self.account = table.account
        self.record = AccountStreamRecord(self.thread.name)
        self._last = ""

    def run(self) -> None:
        while not self.stopped.is_set():
            for name, item in self.items("/me/stream", self._last):
                if name in ("204", "refused"):
                    self.record.false_answers.append(f"{name} {item} after {self._last!r}")
                else:
                    self._last = name  # lines have no ids: they begin with all games again
                    state = GameState(item["seq"], item["phase"], item["my_turn"])
                    self.record.states_by_game.setdefault(item["game"], []).append(state)
                    self.note(event="received", **item)
            self.stopped.wait(RECONNECT_PAUSE)


def start_watchers(tables: list[Table], caller: Caller, folder: Path) -> list[Watcher]:
    """Start four streams for each table: two onlookers, the player's seat and the player's
    account."""
    watchers: list[Watcher] = []
    for table in tables:
        media_types = (SSE, LINES) if table.number % 2 else (LINES, SSE)
        prefix = f"stream-{table.number}"
        for media_type, letter in ((SSE, "a"), (LINES, "b")):
            path = folder / f"{prefix}-onlooker-{letter}.jsonl"
            watchers.append(GameWatcher(table, caller, media_type, path))
        watchers += [
            GameWatcher(table, table.caller, media_types[0], folder / f"{prefix}-seat.jsonl"),
            AccountWatcher(table, media_types[1], folder / f"{prefix}-account.jsonl"),
        ]
    for watcher in watchers:
        watcher.start()
    return watchers
