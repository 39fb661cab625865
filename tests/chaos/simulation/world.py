"""A world: a game, its people, bots, webhook, ratings and streams, in a service whose processes
fail; and everything that is wrong with it in the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import orjson
import pytest

from ai import bot_registry
from ai.bot_dispatch import THINK_TASK_NAME
from ai.bot_kinds import RandomBot
from api.models import Delivery, Webhook, webhook_id
from api.webhooks import delivery_attempts, signatures
from api.webhooks.http_client import PostResult
from games import selectors
from games.models import Account, Game, Rating
from jobs.management.commands import sweep
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tests.chaos import log_check, stream_check
from tests.chaos.simulation.faults import Plan
from tests.chaos.simulation.people import AccountWatcher, GameWatcher, Person, Reply, Request
from tests.chaos.simulation.processes import SWEEPER, WEB, WORKER, Died, Message, Processes
from tests.chaos.stream_check import GameState, StreamedEntry
from tests.games.sitting import NOON

MOST_STEPS: Final = 1_000  # after which a world counts as stuck
PATIENCE: Final = 60  # steps, after which everybody wants to resign
QUIET_ROUNDS: Final = 12  # of the sweeper, after the last fault
LOSS: Final = 12  # one message in so many is lost, and one comes twice
STEP_SECONDS: Final = 0.05
IDLE_SECONDS: Final = 6.0  # between two rounds of the sweeper
RETRY_SECONDS: Final = 7_300.0  # the same, once the game is over
A_DAY: Final = 86_400_000  # milliseconds
KINDS: Final = "game.entry game.over"
BOTS: Final = ("random", "greedy", "level_2", "level_3")  # all of them play at random here
URL: Final = "https://client.example/hook"


class World:
    """Ada creates a game, Bob or a bot joins, and more bots; until one of them resigns."""

    def __init__(self, plan: Plan, chance: FastRng) -> None:
        self.chance = chance
        self.processes = Processes(plan)
        self.events: list[str] = []
        self.received: Counter[str] = Counter()  # by the webhook: deliveries
        self.notices: dict[str, Any] = {}
        self.game = ""
        self._is_finishing = False

    @contextmanager
    def begun(self) -> Iterator[None]:
        """Its accounts, with nothing failing yet."""
        with self.processes.running(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(delivery_attempts, "post", self._receive)
            patch.setattr(bot_registry, "create_bot", lambda *_: RandomBot())
            self.ada = self._person("Ada", 0)
            self.people = [self.ada]
            self._subscribe(self.ada.account)
            self._plan_game()
            yield

    def _person(self, name: str, seat: int) -> Person:
        return Person(
            Account.objects.create(name=name), seat, 1 + self._below(4), FastRng(self._below(2**31))
        )

    def _below(self, limit: int) -> int:
        return int(self.chance.below(limit))

    @staticmethod
    def _subscribe(account: Account) -> None:
        hook = Webhook(id=webhook_id(), account=account, since=NOON, url=URL, kinds=KINDS)
        signatures.renew_secret(hook, NOON)
        hook.save()

    def _plan_game(self) -> None:
        """Let Ada request a game, and Bob a seat if there is one for him."""
        engine = list(ENGINES.values())[self._below(len(ENGINES))]
        seats = engine.about.seats[0]
        is_rated = self._below(2) == 0
        has_bob = is_rated or self._below(2) == 0
        kinds: list[dict[str, Any]] = [{"kind": "me"}]
        kinds += [{"kind": "bot", "bot": name} for name in BOTS[: seats - 1]]
        body: dict[str, Any] = {"rules": engine.about.slug, "seats": kinds}
        if has_bob:
            kinds[1] = {"kind": "open"}
            self.people.append(self._person("Bob", 1))
            body["clock"] = {"action_ms": A_DAY, "then": "resign"}
        if is_rated:
            body["rated"] = True
            if seats == 2 and engine.about.slug == "law_of_the_dice":
                body["options"] = {"legs": 2}
        self.ada.pending = Request("/games", body, self.ada.new_key())
        self.is_rated = is_rated

    # -- steps ------------------------------------------------------------------------------------

    def play(self) -> None:
        """Take steps until the game is over, then until nothing is left to do."""
        self.watchers: list[GameWatcher | AccountWatcher] = []
        steps = 0
        while self._phase() != "over":
            steps += 1
            assert steps < MOST_STEPS, "the game does not end"
            if steps >= PATIENCE and self._tire():
                break
            self._step()
        self.processes.faults.plan = Plan()
        self._finish()

    def _tire(self) -> bool:
        """Let everybody resign; where a bot would play on for them, let the game rest."""
        if self.game and selectors.game_projection(self.game).creation.seats > 2:
            return True
        for person in self.people:
            person.actions_left = 0
        return False

    def _phase(self) -> str:
        return selectors.game_projection(self.game).phase if self.game else "none"

    def _step(self) -> None:
        """Let one of those who have something to do act; if there is none, time passes."""
        self.processes.seconds += STEP_SECONDS
        people = [person for person in self.people if self._wants(person)]
        moves: list[Callable[[], None]] = [partial(self._request, person) for person in people]
        moves += [self._publish] * (2 * self._has_unsent())
        moves += [self._work] * (2 * bool(self.processes.queue))
        if not moves or self._below(40) == 0:
            self.processes.seconds += IDLE_SECONDS
            moves = [self._sweep]
        elif self.watchers and self._below(4) == 0:
            moves = [self._watch]
        moves[self._below(len(moves))]()

    def _wants(self, person: Person) -> bool:
        if not self.game:
            return person is self.ada
        return person.decide(self.game)

    def _has_unsent(self) -> bool:
        return any(self.processes.unsent.values())

    def _note(self, process: str, what: str) -> None:
        faults = self.processes.faults.made
        self.events.append(f"{process}: {what}" + "".join(f", {fault}" for fault in faults))
        faults.clear()

    def _request(self, person: Person) -> None:
        process = WEB[self._below(len(WEB))]
        request = person.pending
        assert request is not None
        outcome = self.processes.act(process, person.send)
        reply = None if isinstance(outcome, Died) else outcome
        self._note(process, f"{request.path} {reply.status if reply else 'died'}")
        person.receive(reply)
        if reply is not None and person.pending is None and reply.status in (200, 201):
            self._go_on(person, request, reply)

    def _go_on(self, person: Person, request: Request, reply: Reply) -> None:
        """The game that was created, for which Bob asks for a seat."""
        if request.path != "/games":
            return
        self.game = reply.body["id"]
        for other in self.people[1:]:
            other.pending = Request(f"/games/{self.game}/join", {"seat": 1}, other.new_key())
        account_watcher = AccountWatcher(person.account.pk)
        account_watcher.read()  # a stream that begins later has nothing about a game that is over
        self.watchers = [
            GameWatcher(self.game, None, None),
            GameWatcher(self.game, person.account.pk, person.seat),
            account_watcher,
        ]

    def _publish(self) -> None:
        process = next(name for name, unsent in self.processes.unsent.items() if unsent)
        self.processes.act(process, lambda: self.processes.publish(process))
        self._note(process, "publishes")

    def _work(self) -> None:
        """Deliver one of the oldest messages: it may be lost, come twice, or kill its worker."""
        queue = self.processes.queue
        message = queue.pop(self._below(min(len(queue), 3)))
        if self._below(LOSS) == 0:
            return
        if self._below(LOSS) == 0:
            queue.append(message)
        self._deliver(message)

    def _deliver(self, message: Message) -> None:
        outcome = self.processes.act(WORKER, lambda: self.processes.work(message))
        if isinstance(outcome, Died):  # it was not acknowledged
            again = message._replace(headers=message.headers | {"again": True})
            self.processes.queue.append(again)
        self._note(WORKER, f"{message.task} {message.arguments}")

    def _sweep(self, number: int = 1) -> None:
        self.processes.act(SWEEPER, lambda: sweep._run_round(number))
        self._note(SWEEPER, "sweeps")

    def _watch(self) -> None:
        watcher = self.watchers[self._below(len(self.watchers))]
        if isinstance(self.processes.act(WEB[self._below(len(WEB))], watcher.read), Died):
            watcher.reconnect()
        self._note("watcher", "reads")

    def _receive(self, url: str, body: bytes, headers: dict[str, str]) -> PostResult:
        """Receive a delivery, or not; or let the reply be lost."""
        outcome = 0 if self._is_finishing else self._below(6)
        if outcome == 1:
            return PostResult(1, error="refused")
        self.received[headers["webhook-id"]] += 1
        self.notices[headers["webhook-id"]] = orjson.loads(body)
        return PostResult(1, error="cut off") if outcome == 2 else PostResult(1, 204)

    # -- the end ----------------------------------------------------------------------------------

    def _finish(self) -> None:
        """Without faults: do all that is left."""
        self._is_finishing = True
        for person in self.people:
            while person.pending is not None:
                self._request(person)
        for number in range(QUIET_ROUNDS):
            self._sweep(number)
            self._deliver_everything()
            if number and not Delivery.objects.filter(state="waiting").exists():
                break
            self.processes.seconds += RETRY_SECONDS
        for watcher in self.watchers:
            watcher.read()
            watcher.read()  # the page after the first 50 entries

    def _deliver_everything(self) -> None:
        """Deliver all messages, but those that would play on in a game that rests."""
        while self._has_unsent() or self.processes.queue:
            if self._has_unsent():
                self._publish()
                continue
            message = self.processes.queue.pop(0)
            if self._phase() == "over" or message.task != THINK_TASK_NAME:
                self._deliver(message)

    def faults(self) -> list[str]:
        """Everything that is wrong, in words."""
        logs, wrong = log_check.readable_logs()
        attempts = [attempt for person in self.people for attempt in person.attempts]
        seats = {(self.game, person.seat) for person in self.people}
        wrong += log_check.faults(logs, attempts, seats, must_be_over=False)
        wrong += self.processes.mishaps
        wrong += [problem for person in self.people for problem in person.problems]
        if list(logs) != [self.game]:
            wrong.append(f"there are {len(logs)} games for one request")
        return [
            *wrong,
            *self._stream_faults(logs[self.game]),
            *self._webhook_faults(),
            *self._rating_faults(),
        ]

    def _stream_faults(self, log: log_check.Log) -> Iterator[str]:
        entries = [StreamedEntry(entry.seq, entry.hash) for entry in log.entries]
        table = selectors.game_projection(self.game)
        state = {self.game: GameState(log.seq, log.phase, table.is_awaited(self.ada.seat))}
        for watcher in self.watchers:
            if isinstance(watcher, GameWatcher):
                yield from stream_check.faults(watcher.record, entries, is_over=log.phase == "over")
            else:
                yield from stream_check.account_faults(watcher.record, state)

    def _webhook_faults(self) -> Iterator[str]:
        """Each entry is announced in exactly one notice, which comes at least once."""
        stored = {delivery.pk: delivery for delivery in Delivery.objects.all()}
        for name, delivery in stored.items():
            if delivery.state != "delivered" or not self.received[name]:
                yield f"the notice {delivery.text} is {delivery.state}"
        facts = [
            notice["data"] for notice in self.notices.values() if notice["type"] == "game.entry"
        ]
        seqs = sorted(seq for each in facts for seq in range(each["after"] + 1, each["seq"] + 1))
        last = Game.objects.get(pk=self.game).seq
        if seqs != list(range(1, last + 1)):
            yield f"the webhook was notified of {seqs}, and the log ends with {last}"
        ends = [notice for notice in self.notices.values() if notice["type"] == "game.over"]
        if len(ends) != (self._phase() == "over"):
            yield f"the webhook was notified of {len(ends)} ends"

    def _rating_faults(self) -> Iterator[str]:
        """A rated game counts once for each player."""
        counts = sorted(Rating.objects.values_list("player", "games"))
        is_counted = self.is_rated and self._phase() == "over"
        players = {person.account.pk for person in self.people} if is_counted else set()
        if any(games != 1 for _, games in counts) or not players <= {name for name, _ in counts}:
            yield f"the ratings are {counts}"
