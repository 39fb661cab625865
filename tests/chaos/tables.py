"""The tables of a storm with watchers, and the clients that play at them over HTTP."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic
from typing import Any, Final

from tests.chaos.http_client import Caller, FalseAnswer, Unanswered
from tests.chaos.journal import Call, Journal

RULES: Final = "law_of_the_dice"
PACE: Final = (0.2, 0.6)  # seconds between two actions of a player
RETRY_PAUSE: Final = 0.5  # seconds until an unanswered request is repeated
CLOCK: Final = {"action_ms": 1000, "then": "random"}  # of a seat whose player never acts
STALE: Final = "stale-choice"
# the bots next to the client's seat; at an "absent" table the client never acts, and a clock does
BOTS: Final = (
    ("greedy",),
    ("mcts",),
    ("random", "greedy"),
    ("absent", "greedy"),
    ("greedy", "mcts"),
    ("random",),
    ("absent", "mcts"),
    ("greedy", "greedy", "random"),
)


@dataclass
class Table:
    """One game after another, created by the same player."""

    number: int
    account: str
    caller: Caller
    journal: Path
    rng: Random
    games: list[str] = field(default_factory=list)
    waits: list[tuple[float, float | None]] = field(
        default_factory=list
    )  # requested at, acknowledged at
    false_answers: list[str] = field(default_factory=list)
    unanswered: Counter[str] = field(default_factory=Counter)  # and why

    def __post_init__(self) -> None:
        self._bots = BOTS[self.number % len(BOTS)]
        self.is_absent = "absent" in self._bots
        self._pending: Call | None = None
        self._key = ""  # of the request for the next game
        self._journal_writer = Journal(self.journal)

    @property
    def acknowledged_count(self) -> int:
        """The number of its player's acknowledged actions."""
        return sum(acknowledged_at is not None for _, acknowledged_at in self.waits)

    @property
    def game_request(self) -> dict[str, Any]:
        """The body of the request for a game."""
        bots = [{"kind": "bot", "bot": bot} for bot in self._bots if bot != "absent"]
        clock = {"clock": CLOCK} if self.is_absent else {}
        return {"rules": RULES, "seats": [{"kind": "me"}, *bots], **clock}

    def play(self, stopped: Event) -> None:
        """Play until stopped; a request without an answer is repeated unchanged."""
        while not stopped.is_set():
            try:
                self._step()
                stopped.wait(self.rng.uniform(*PACE))
            except Unanswered as problem:
                self.unanswered[str(problem)] += 1
                stopped.wait(RETRY_PAUSE)
            except FalseAnswer as refusal:
                self.false_answers.append(f"table {self.number}: {refusal}")
                stopped.wait(RETRY_PAUSE)

    def settle(self) -> bool:
        """Finish: repeat the request whose outcome is unknown, and resign where a clock would play
        on. Whether that is done."""
        try:
            if self._pending:
                self._act(self._pending)
            if self.is_absent and self.games:
                self._resign(self.games[-1])
        except (Unanswered, FalseAnswer):
            return False
        return True

    def _resign(self, game: str) -> None:
        if self.caller.demand("GET", f"/games/{game}")["phase"] != "over":
            self.caller.demand("POST", f"/games/{game}/resign", {"seat": 0})

    def _step(self) -> None:
        if self._pending:
            self._act(self._pending)
            return
        if not self.games:
            self._create_game()
            return
        game = self.caller.demand("GET", f"/games/{self.games[-1]}")
        if game["phase"] == "over":
            self._create_game()
        elif not self.is_absent and (choice := game["choice"]) and choice["is_awaited"]:
            action = self.rng.choice(choice["offers"])["action"]
            self._act(Call(game["id"], choice["seat"], choice["token"], action))

    def _create_game(self) -> None:
        self._key = self._key or f"{self.number}-{len(self.games)}-{self.rng.getrandbits(64):x}"
        game = self.caller.demand(
            "POST", "/games", self.game_request, Idempotency_Key=f'"{self._key}"'
        )
        self._key = ""
        self.games.append(game["id"])

    def _act(self, call: Call) -> None:
        """Send the call once; Unanswered if its outcome is not known."""
        if self._pending is None:
            self.waits.append((monotonic(), None))
        self._pending = call
        self._journal_writer.invoke(call)
        body = {"seat": call.seat, "choice": call.choice, "action": call.action}
        try:
            reply = self.caller.ask("POST", f"/games/{call.game}/actions", body)
        except Unanswered as problem:
            self._journal_writer.unknown(problem)
            raise
        if reply.status == 429 or reply.status >= 500:
            unknown = Unanswered(f"{reply.status} {reply.code}")
            self._journal_writer.unknown(unknown)
            raise unknown
        if reply.status in (200, 201):
            self._journal_writer.ok_over_http(reply.document, repeated=reply.status == 200)
        else:
            self._journal_writer.fail(reply.code)
            if reply.code != STALE:
                raise FalseAnswer(f"action: {reply.status} {reply.code}")
        self._pending = None
        self.waits[-1] = (self.waits[-1][0], monotonic())


def start_players(tables: list[Table], stopped: Event) -> list[Thread]:
    """Start a thread for each player."""
    threads = [Thread(target=table.play, args=(stopped,), daemon=True) for table in tables]
    for thread in threads:
        thread.start()
    return threads
