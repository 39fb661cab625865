"""The stream clients of a fault storm: each follows a stream, reconnects when it breaks, and
records each item."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

from tests.chaos.http_client import API, HttpClient
from tests.chaos.stream_check import AccountStreamRecord, GameState, StreamedEntry, StreamRecord
from tests.chaos.tables import Table

SSE: Final = "text/event-stream"
NDJSON: Final = "application/x-ndjson"
ENDED, REFUSED = "ended", "refused"  # in the place of an id, which is a number or a time
READ_TIMEOUT: Final = 9.0  # seconds without a heartbeat, of which the server sends one in three
RECONNECT_PAUSE: Final = 0.3  # seconds until a client reconnects


class Watcher(ABC):
    """A client that follows streams, in its own thread."""

    def __init__(self, client: HttpClient, media_type: str, journal: Path) -> None:
        self.client = client
        self.media_type = media_type
        self.stop_event = Event()
        self.statuses: Counter[int] = Counter()  # of the replies
        self._journal = journal.open("a", encoding="utf-8")
        self.thread = Thread(target=self.run, daemon=True, name=journal.stem)

    @abstractmethod
    def run(self) -> None:
        """Follow the stream until `stop_event` is set."""

    def start(self) -> None:
        """Start the thread."""
        self.thread.start()

    def stop(self) -> None:
        """Stop; the next heartbeat or the timeout ends the last connection."""
        self.stop_event.set()

    def close(self) -> None:
        """Close the journal, after the end of the thread."""
        self._journal.close()

    def write_event(self, **line: Any) -> None:
        """Write an event to the journal."""
        self._journal.write(f"{json.dumps(line)}\n")
        self._journal.flush()

    def items(self, path: str, last_id: str) -> Iterator[tuple[str, Any]]:
        """The complete items of one connection, with their ids. A reply 204 is (ENDED, None), and a
        refusal is (REFUSED, its status)."""
        connection = self.client.connection(READ_TIMEOUT)
        headers = {"Accept": self.media_type}
        if last_id and self.media_type == SSE:
            headers["Last-Event-ID"] = last_id
        elif last_id:
            path = f"{path}?after={last_id.replace('+', '%2B')}"
        try:
            connection.request("GET", f"{API}{path}", headers=self.client.headers(**headers))
            reply = connection.getresponse()
            self.statuses[reply.status] += 1
            self.write_event(event="opened", path=path, last=last_id, status=reply.status)
            if reply.status == 200:
                yield from self._read(reply)
            elif reply.status == 204:
                yield ENDED, None
            elif reply.status < 500 and reply.status != 429:
                yield REFUSED, reply.status
        except (OSError, HTTPException, ValueError) as problem:
            self.write_event(event="broken", reason=f"{type(problem).__name__}: {problem}")
        finally:
            connection.close()

    def _read(self, reply: HTTPResponse) -> Iterator[tuple[str, Any]]:
        item_id = ""
        while not self.stop_event.is_set() and (line := reply.readline()).endswith(b"\n"):
            text = line.decode().rstrip("\n")
            if self.media_type == NDJSON and text:
                yield "", json.loads(text)
            elif text.startswith("id: "):
                item_id = text.removeprefix("id: ")
            elif text.startswith("data: "):
                yield item_id, json.loads(text.removeprefix("data: "))


class GameWatcher(Watcher):
    """Follows the games of a table, one after another, each until the stream reports its end."""

    def __init__(self, table: Table, client: HttpClient, media_type: str, journal: Path) -> None:
        super().__init__(client, media_type, journal)
        self._table = table
        self.records: list[StreamRecord] = []

    def run(self) -> None:
        while not self.stop_event.is_set():
            if len(self.records) < len(self._table.games):
                record = StreamRecord(self.thread.name, self._table.games[len(self.records)])
                self.records.append(record)
                self._follow(record)
            else:
                self.stop_event.wait(RECONNECT_PAUSE)

    def _follow(self, record: StreamRecord) -> None:
        while not (record.is_ended or self.stop_event.is_set()):
            path, last_id = f"/games/{record.game}/stream", str(record.last_seq or "")
            for item_id, item in self.items(path, last_id):
                self._record_item(record, item_id, item)
            self.stop_event.wait(RECONNECT_PAUSE)

    def _record_item(self, record: StreamRecord, item_id: str, item: Any) -> None:
        if item_id == ENDED:
            record.is_ended = True
        elif item_id == REFUSED:
            record.wrong_answers.append(f"refused with {item} after {record.last_seq}")
        else:
            if item_id and item_id != str(item["seq"]):
                record.wrong_answers.append(f"id {item_id} of entry {item['seq']}")
            record.entries.append(StreamedEntry(item["seq"], item["hash"]))
            self.write_event(event="received", game=record.game, seq=item["seq"], hash=item["hash"])


class AccountWatcher(Watcher):
    """Follows all games of a table's account."""

    def __init__(self, table: Table, media_type: str, journal: Path) -> None:
        super().__init__(table.client, media_type, journal)
        self.account = table.account
        self.record = AccountStreamRecord(self.thread.name)
        self._last_id = ""

    def run(self) -> None:
        while not self.stop_event.is_set():
            for item_id, item in self.items("/me/stream", self._last_id):
                if item_id in (ENDED, REFUSED):
                    self.record.wrong_answers.append(f"{item_id} {item} after {self._last_id!r}")
                else:
                    # without an id, as in NDJSON, the next connection begins with all games
                    self._last_id = item_id
                    state = GameState(item["seq"], item["phase"], item["my_turn"])
                    self.record.states_by_game.setdefault(item["game"], []).append(state)
                    self.write_event(event="received", **item)
            self.stop_event.wait(RECONNECT_PAUSE)


def start_watchers(tables: list[Table], client: HttpClient, folder: Path) -> list[Watcher]:
    """Start four watchers for each table: two onlookers, one as its player, and one of the
    player's account."""
    watchers: list[Watcher] = []
    for table in tables:
        media_types = (SSE, NDJSON) if table.number % 2 else (NDJSON, SSE)
        prefix = f"stream-{table.number}"
        for media_type, letter in ((SSE, "a"), (NDJSON, "b")):
            path = folder / f"{prefix}-onlooker-{letter}.jsonl"
            watchers.append(GameWatcher(table, client, media_type, path))
        watchers += [
            GameWatcher(table, table.client, media_types[0], folder / f"{prefix}-seat.jsonl"),
            AccountWatcher(table, media_types[1], folder / f"{prefix}-account.jsonl"),
        ]
    for watcher in watchers:
        watcher.start()
    return watchers
