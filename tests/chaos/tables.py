"""The tables of a fault storm, and their players, who act over HTTP."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from time import monotonic
from typing import Any, Final

from tests.chaos.http_client import HttpClient, NoAnswer, WrongAnswer
from tests.chaos.journal import Call, Journal

RULES: Final = "law_of_the_dice"
ACTION_INTERVAL: Final = (0.6, 1.0)  # seconds between two actions of a player
RETRY_PAUSE: Final = 0.5  # seconds until a request without an answer is repeated
CLOCK: Final = {"action_ms": 1000, "then": "random"}  # of a seat whose player never acts
STALE: Final = "stale-choice"
QUICK_SEARCH: Final = "level_3"  # a search of some hundredths of a second; "mcts" takes a second
# the bots beside the player's seat; if the player is "absent", only a clock acts for the seat
BOTS: Final = (
    ("greedy",),
    (QUICK_SEARCH,),
    ("random", "greedy"),
    ("absent", "greedy"),
    ("greedy", "mcts"),
    ("random",),
    ("absent", QUICK_SEARCH),
    ("greedy", "greedy", "random"),
)
Wait = tuple[float, float | None]  # requested at, acknowledged at


@dataclass
class Table:
    """The games of one player, one after another."""

    number: int
    account: str
    client: HttpClient
    journal: Path
    rng: Random
    games: list[str] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    wrong_answers: list[str] = field(default_factory=list)
    failure_reasons: Counter[str] = field(default_factory=Counter)  # of requests without an answer

    def __post_init__(self) -> None:
        self._bots = BOTS[self.number % len(BOTS)]
        self.is_absent = "absent" in self._bots
        self._unresolved_call: Call | None = None
        self._idempotency_key = ""  # of the next game
        self._journal_writer = Journal(self.journal)

    @property
    def acknowledged_count(self) -> int:
        """The number of acknowledged actions of the player."""
        return sum(acknowledged_at is not None for _, acknowledged_at in self.waits)

    @property
    def game_request(self) -> dict[str, Any]:
        """The body of the request for a game."""
        bots = [{"kind": "bot", "bot": bot} for bot in self._bots if bot != "absent"]
        clock = {"clock": CLOCK} if self.is_absent else {}
        return {"rules": RULES, "seats": [{"kind": "me"}, *bots], **clock}

    def play(self, stop_event: Event) -> None:
        """Play until `stop_event` is set; a request without an answer is repeated unchanged."""
        while not stop_event.is_set():
            try:
                self._step()
                stop_event.wait(self.rng.uniform(*ACTION_INTERVAL))
            except NoAnswer as problem:
                self.failure_reasons[str(problem)] += 1
                stop_event.wait(RETRY_PAUSE)
            except WrongAnswer as refusal:
                self.wrong_answers.append(f"table {self.number}: {refusal}")
                stop_event.wait(RETRY_PAUSE)

    def finish(self) -> bool:
        """Repeat the call whose outcome is unknown, and resign if a clock acts for the player;
        False if that must be repeated."""
        try:
            if self._unresolved_call:
                self._send_call(self._unresolved_call)
            if self.is_absent and self.games:
                self._resign(self.games[-1])
        except (NoAnswer, WrongAnswer):
            return False
        return True

    def _resign(self, game: str) -> None:
        if self.client.request_document("GET", f"/games/{game}")["phase"] != "over":
            self.client.request_document("POST", f"/games/{game}/resign", {"seat": 0})

    def _step(self) -> None:
        if self._unresolved_call:
            self._send_call(self._unresolved_call)
            return
        if not self.games:
            self._create_game()
            return
        game = self.client.request_document("GET", f"/games/{self.games[-1]}")
        if game["phase"] == "over":
            self._create_game()
        elif not self.is_absent and (choice := game["choice"]) and choice["is_awaited"]:
            action = self.rng.choice(choice["offers"])["action"]
            self._send_call(Call(game["id"], choice["seat"], choice["token"], action))

    def _create_game(self) -> None:
        if not self._idempotency_key:
            random_part = f"{self.rng.getrandbits(64):x}"
            self._idempotency_key = f"{self.number}-{len(self.games)}-{random_part}"
        game = self.client.request_document(
            "POST", "/games", self.game_request, Idempotency_Key=f'"{self._idempotency_key}"'
        )
        self._idempotency_key = ""
        self.games.append(game["id"])

    def _send_call(self, call: Call) -> None:
        """Send the call once; NoAnswer if its outcome is not known."""
        if self._unresolved_call is None:
            self.waits.append((monotonic(), None))
        self._unresolved_call = call
        self._journal_writer.record_call(call)
        body = {"seat": call.seat, "choice": call.choice, "action": call.action}
        try:
            reply = self.client.request("POST", f"/games/{call.game}/actions", body)
        except NoAnswer as problem:
            self._journal_writer.record_unknown(problem)
            raise
        if reply.status == 429 or reply.status >= 500:
            refusal = NoAnswer(f"{reply.status} {reply.code}")
            self._journal_writer.record_unknown(refusal)
            raise refusal
        if reply.status in (200, 201):
            self._journal_writer.record_ok_over_http(reply.document, is_repeat=reply.status == 200)
        else:
            self._journal_writer.record_fail(reply.code)
            if reply.code != STALE:
                raise WrongAnswer(f"action: {reply.status} {reply.code}")
        self._unresolved_call = None
        self.waits[-1] = (self.waits[-1][0], monotonic())


def start_players(tables: list[Table], stop_event: Event) -> list[Thread]:
    """Start a thread for each player."""
    threads = [Thread(target=table.play, args=(stop_event,), daemon=True) for table in tables]
    for thread in threads:
        thread.start()
    return threads
