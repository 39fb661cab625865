"""Two hundred tables among people over HTTP, by all rules: they play in threads, lose connections
before a reply and repeat the request, stop at random moments, resign, propose and accept too late.

Their logs, streams, lists and endings agree at the end, and each acknowledged action is in its log
once. Endings that take days are those of tests/games/services/test_two_hundred_tables.py."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import pytest
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from games import selectors
from tabularium_engines.common.json_codec import Json
from tabularium_engines.installed.registry import ENGINES
from tests.chaos import log_check, stream_check
from tests.chaos.fault_storm_report import final_states
from tests.chaos.http_client import API, HttpClient, WrongAnswer
from tests.chaos.journal import OK, Attempt, Call, answer_over_http
from tests.chaos.proxy import Proxy
from tests.chaos.stream_check import StreamedEntry
from tests.chaos.watchers import NDJSON, SSE, AccountWatcher, GameWatcher, Watcher
from tests.clients.short_tables import SHORT_TABLES
from tests.config.processes import PATIENCE, soon
from tests.games.services.test_two_hundred_tables import causes_of
from tests.support.databases import Kept
from tests.support.served import Mortal, serving

pytestmark = [
    pytest.mark.lane("storms"),
    pytest.mark.stores,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are read from /proc"),
]
TABLES: Final = 200
THREADS: Final = 8
LOST: Final = 0.15  # of all requests: the connection, before the reply is read
LAST: Final = 0.7  # of the actions: the last offer, with which games are short
LONGEST: Final = 600  # actions
DAY: Final = {"action_ms": 24 * 3600 * 1000, "then": "resign"}
GAME_OVER: Final = "game-over"
CUT_INTERVAL: Final = 1.0  # seconds
SHORT: Final = 1000  # milliseconds of a clock that runs out


class GameEnded(Exception):
    """The end of a game by its rules, before the end of the script."""


class Person(NamedTuple):
    """A guest, and its client."""

    account: str
    client: HttpClient


class Sitting:
    """A table, the people by seat, and the actions that the service has acknowledged."""

    def __init__(self, number: int, people: Sequence[Person]) -> None:
        self.number = number
        self.slug = list(ENGINES)[number % len(ENGINES)]
        self.script = SCRIPTS[number // len(ENGINES) % len(SCRIPTS)]
        self.mood = Random(number)
        self.seats = range(ENGINES[self.slug].about.seats[0])
        self.people = people[: len(self.seats)]
        self.played = {*self.seats}  # by people, without those that have resigned
        self.attempts: list[Attempt] = []
        self.games: list[str] = []  # the game, and its rematch

    @property
    def game(self) -> str:
        """The address of the latest game."""
        return f"/games/{self.games[-1]}"

    # -- requests ---------------------------------------------------------------------------------

    def post(self, seat: int, path: str, body: Any = None, *refusals: str) -> Any:
        """The document of a reply, perhaps to a repetition, or the code of an expected refusal."""
        client, key = self.people[seat].client, f'"{self.mood.getrandbits(128):032x}"'
        if self.mood.random() < LOST:
            lose_reply(client, path, body, key, is_done=self.mood.random() < 0.5)
        reply = client.request("POST", path, body, PATIENCE, Idempotency_Key=key)
        if reply.status < 400:
            return reply.document
        if reply.code == GAME_OVER:
            raise GameEnded
        if reply.code not in refusals:
            raise WrongAnswer(f"table {self.number}, {path}: {reply.status} {reply.document}")
        return reply.code

    def look(self, seat: int = 0) -> Any:
        """The game, as a seat sees it."""
        reply = self.people[seat].client.request("GET", self.game, None, PATIENCE)
        assert reply.status == 200, reply
        return reply.document

    def about(self, seat: int, part: str, *refusals: str, **body: Any) -> Any:
        """The reply to a request of a seat about the game."""
        return self.post(seat, f"{self.game}/{part}", {"seat": seat} | body, *refusals)

    # -- a game -----------------------------------------------------------------------------------

    def begin(
        self, clock: Json = None, *, others: str = "open", is_short: bool = False, to: int = 4
    ) -> None:
        """A new game; the others up to a seat take theirs, unless bots do."""
        kind = {"kind": "open"} if others == "open" else {"kind": "bot", "bot": others}
        body = {
            "rules": self.slug,
            "options": SHORT_TABLES[self.slug].options if is_short else {},
            "seats": [{"kind": "me"}, *[kind] * (len(self.seats) - 1)],
            "clock": clock,
        }
        self.games.append(self.post(0, "/games", body)["id"])
        for seat in self.seats[1:to] if others == "open" else ():
            self.about(seat, "join")

    def act(self, document: Any) -> Any:
        """An action of a seat that is awaited; the game after it."""
        if document["phase"] == "over":
            raise GameEnded
        seat = document["to_act"][0]
        choice = self.look(seat)["choice"]
        offers = choice["offers"]
        offer = offers[-1] if self.mood.random() < LAST else self.mood.choice(offers)
        call = Call(self.games[-1], seat, choice["token"], offer["action"])
        done = self.about(seat, "actions", choice=call.choice, action=call.action)
        self.attempts.append(Attempt(call, OK, answer_over_http(done, is_repeat=False)))
        return self.look(seat)

    def play(self, most: int) -> Any:
        """Play so many actions; the game after them, as the last one sees it."""
        document = self.look()
        for _ in range(most):
            document = self.act(document)
        if document["phase"] == "over":
            raise GameEnded
        return document

    def begin_and_play(self, clock: Json = None, most: int = 8) -> Any:
        """Play up to so many actions of a new game: a random number."""
        self.begin(clock)
        return self.play(self.mood.randrange(most))

    def resign_all(self) -> None:
        """Resign, one after another, until one seat is left."""
        order = list(self.seats)
        self.mood.shuffle(order)
        for seat in order[1:]:
            self.resign(seat)

    def resign(self, seat: int) -> None:
        """Resign a seat, for which the service acts then, if others play on."""
        self.played.discard(seat)
        self.about(seat, "resign")

    def accept_all(self, proposal: Any) -> None:
        """All others accept a proposal."""
        for seat in self.seats:
            if seat != proposal["seat"]:
                self.about(seat, f"proposals/{proposal['seq']}/accept")

    def propose(self, seat: int, of: str, *refusals: str, **more: Any) -> Any:
        """The proposal of a seat, or the code of a refusal."""
        reply = self.about(seat, "proposals", *refusals, of=of, **more)
        return reply if isinstance(reply, str) else reply["proposal"]

    # -- scripts ----------------------------------------------------------------------------------

    def calls_off(self) -> None:
        """The other seats stay free, and the owner calls the game off."""
        self.begin(to=1)
        self.post(0, f"{self.game}/call-off")

    def waits(self) -> None:
        """The other seats stay free, and the owner forgets the table."""
        self.begin(to=1)

    def aborts(self) -> None:
        self.begin()
        self.about(self.mood.choice(self.seats), "abort")

    def resigns(self) -> None:
        self.begin_and_play(most=20)
        self.resign_all()

    def draws(self) -> None:
        """All agree, unless the rules know no draw."""
        self.begin_and_play()
        proposal = self.propose(0, "draw", "no-draw")
        self.accept_all(self.propose(0, "end") if isinstance(proposal, str) else proposal)

    def ends(self) -> None:
        self.begin_and_play()
        self.accept_all(self.propose(0, "end"))

    def declines(self) -> None:
        self.begin_and_play()
        proposal = self.propose(1, "end")
        self.about(0, f"proposals/{proposal['seq']}/decline")
        self.about(0, f"proposals/{proposal['seq']}/accept", "no-such-proposal")
        self.play(3)
        self.resign_all()

    def accepts_late(self) -> None:
        """An action of another person has ended the proposal."""
        document = self.begin_and_play()
        seat = document["to_act"][0]
        other = next(each for each in self.seats if each != seat)
        proposal = self.propose(other, "end")
        self.act(document)
        code = self.about(seat, f"proposals/{proposal['seq']}/accept", "no-such-proposal")
        assert code == "no-such-proposal"
        self.resign_all()

    def returns(self) -> None:
        """Takes an action back, if one of a few may be."""
        document = self.begin_and_play()
        for _ in range(20):
            document = self.act(document)
            if document["takebacks"]:
                seat, to = document["your_seats"][0], document["takebacks"][-1]
                self.accept_all(self.propose(seat, "takeback", to=to))
                break
        self.resign_all()

    def pauses(self) -> None:
        self.begin_and_play(DAY)
        self.accept_all(self.propose(0, "pause"))
        self.about(1, "resume")
        self.play(2)
        self.resign_all()

    def falls_silent(self) -> None:
        """A claim comes too early, and the game stays as it is."""
        (absent, *_), seats = self.begin_and_play()["to_act"], self.seats
        claimant = next(seat for seat in seats if seat != absent)
        code = self.about(claimant, "claim", "in-time", absent=absent, then="bot")
        assert code == "in-time"

    def times_out(self) -> None:
        """All fall silent, and the clock ends the game."""
        self.begin({"action_ms": SHORT, "then": "resign"})
        self.played.clear()

    def is_replaced(self) -> None:
        """All fall silent, and bots play on."""
        self.begin({"action_ms": SHORT, "then": "bot"}, is_short=True)
        self.played.clear()

    def plays_on(self) -> None:
        """To the end by the rules."""
        self.begin(is_short=True)
        self.play(LONGEST)

    def plays_a_bot(self) -> None:
        self.begin(others="random", is_short=True)
        self.played = {0}
        for _ in range(3):
            assert soon(lambda: 0 in self.look()["to_act"] or self.look()["phase"] == "over")
            self.act(self.look() | {"to_act": [0]})
        self.resign(0)

    def meets_again(self) -> None:
        """All ask for a rematch, which is one game, and leave it."""
        self.ends()
        path = f"{self.game}/rematch"
        (game,) = {self.post(seat, path)["id"] for seat in self.seats}
        self.games.append(game)


Script = Callable[[Sitting], None]
SCRIPTS: Final[tuple[Script, ...]] = (
    *[Sitting.calls_off, Sitting.waits] * 2,
    *[Sitting.aborts, Sitting.declines, Sitting.pauses, Sitting.falls_silent] * 3,
    *[Sitting.resigns, Sitting.accepts_late, Sitting.returns] * 4,
    *[Sitting.draws, Sitting.ends] * 3,
    *[Sitting.times_out] * 2,
    *[Sitting.is_replaced, Sitting.plays_on, Sitting.plays_a_bot, Sitting.meets_again],
)
# of the first game of each script, but for those that end by their rules
ENDINGS: Final[dict[Script, str]] = {
    Sitting.calls_off: "called_off",
    Sitting.aborts: "aborted",
    **dict.fromkeys((Sitting.resigns, Sitting.accepts_late, Sitting.declines), "resigned"),
    **dict.fromkeys((Sitting.returns, Sitting.pauses, Sitting.plays_a_bot), "resigned"),
    **dict.fromkeys((Sitting.draws, Sitting.ends, Sitting.meets_again), "agreed"),
    Sitting.times_out: "timed_out",
    **dict.fromkeys((Sitting.is_replaced, Sitting.plays_on), "played_out"),
}
LISTED: Final = ("phase", "seq", "to_act", "ending", "result", "proposal", "paused_since")


def lose_reply(client: HttpClient, path: str, body: Any, key: str, *, is_done: bool) -> None:
    """Send a request, and close the connection before its reply is read: before it has begun, or
    when it `is_done`."""
    connection = client.connection(PATIENCE)
    headers = client.headers(**{"Content-Type": "application/json", "Idempotency-Key": key})
    connection.request("POST", f"{API}{path}", None if body is None else json.dumps(body), headers)
    if is_done:
        connection.getresponse()
    connection.close()


# -- the people and their followers ---------------------------------------------------------------


class Group:
    """The people of one thread, their tables one after another, and the followers of these, whose
    connections go through a proxy."""

    def __init__(self, number: int, port: int, proxy: Proxy, folder: Path) -> None:
        guests = [HttpClient(port).request_document("POST", "/guests", {}) for _ in range(4)]
        self.people = [
            Person(each["account"]["id"], HttpClient(port, each["secret"])) for each in guests
        ]
        numbers = range(number, TABLES, THREADS)
        self.sittings = [Sitting(each, self.people) for each in numbers]
        self.ended_early: set[int] = set()
        following: Any = SimpleNamespace(games=[])
        self.following: list[str] = following.games
        owner: Any = SimpleNamespace(account=self.people[0].account)
        owner.client = HttpClient(proxy.port, guests[0]["secret"])
        name, kinds = f"group-{number}", (SSE, NDJSON) if number % 2 else (NDJSON, SSE)
        self.games = [
            GameWatcher(following, client, kind, folder / f"{name}-{place}")
            for place, (client, kind) in enumerate(
                ((owner.client, kinds[0]), (HttpClient(proxy.port), kinds[1]))
            )
        ]
        self.account = AccountWatcher(owner, kinds[1], folder / f"{name}-account")

    @property
    def watchers(self) -> list[Watcher]:
        """All followers."""
        return [*self.games, self.account]

    def play(self) -> None:
        """Play at all tables."""
        for sitting in self.sittings:
            try:
                sitting.script(sitting)
            except GameEnded:
                self.ended_early.add(sitting.number)
            if sitting.script in ENDINGS:
                self.following.append(sitting.games[0])

    def expected_ending(self, sitting: Sitting) -> str | None:
        """The ending of a table's first game; of four, three bots play on without a person."""
        do_bots_play_on = sitting.script is Sitting.plays_a_bot and len(sitting.seats) > 2
        if sitting.number in self.ended_early or do_bots_play_on:
            return "played_out"
        return ENDINGS.get(sitting.script)

    def has_seen_all(self) -> bool:
        """Whether the followers have seen the ends of all games that end, and where all stand."""
        return all(
            len(watcher.records) == len(self.following)
            and all(record.is_ended for record in watcher.records)
            for watcher in self.games
        ) and not [*stream_check.account_faults(self.account.record, final_states(self.account))]


@contextmanager
def followed(groups: Sequence[Group], proxy: Proxy) -> Iterator[None]:
    """Follow the games within the block, and cut all connections of followers again and again."""
    stop_event = Event()

    def cut() -> None:
        while not stop_event.wait(CUT_INTERVAL):
            proxy.cut()
            proxy.heal()

    proxy.start()
    watchers = [watcher for group in groups for watcher in group.watchers]
    for watcher in watchers:
        watcher.start()
    cutter = Thread(target=cut, daemon=True)
    cutter.start()
    try:
        yield
    finally:
        stop_event.set()
        cutter.join()
        for watcher in watchers:
            watcher.stop()
        for watcher in watchers:
            watcher.thread.join()
            watcher.close()
        proxy.stop()


@pytest.fixture
def served(kept_template: Kept, tmp_path: Path) -> Iterator[Mortal]:
    """A server of this test alone."""
    variables = {"TABULARIUM_LIMITS": "off", "TABULARIUM_STREAM_HEARTBEAT": "1"}
    variables["TABULARIUM_STREAMS_EACH"] = "1000"
    with serving(kept_template, tmp_path, **variables) as served:
        yield served


# -- the test -------------------------------------------------------------------------------------


def test_every_table_is_as_its_people_left_it(
    served: Mortal, tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    port = int(served.url.rpartition(":")[2])
    proxy = Proxy(port)
    groups = [Group(number, port, proxy, tmp_path) for number in range(THREADS)]
    with django_db_blocker.unblock(), served.kept.open_here():
        with followed(groups, proxy):
            with ThreadPoolExecutor(THREADS) as pool:
                for future in [pool.submit(group.play) for group in groups]:
                    future.result()
            assert soon(lambda: all(group.has_seen_all() for group in groups))
        logs, faults = log_check.readable_logs()
        sittings = [sitting for group in groups for sitting in group.sittings]
        check_logs(sittings, logs, faults)
        check_streams(groups, logs)
        check_endings(groups, HttpClient(port))
        output = io.StringIO()
        call_command("verify", stdout=output)
        assert "all are good" in output.getvalue()


def check_logs(sittings: Sequence[Sitting], logs: Any, faults: list[str]) -> None:
    """Each acknowledged action is in its log once, and no other of these people."""
    attempts = [attempt for sitting in sittings for attempt in sitting.attempts]
    seats = {
        (game, seat) for sitting in sittings for game in sitting.games for seat in sitting.played
    }
    assert faults == []
    assert log_check.faults(logs, attempts, seats, must_be_over=False) == []
    assert log_check.detection_faults(logs, attempts, seats) == []
    assert {*logs} == {game for sitting in sittings for game in sitting.games}


def check_streams(groups: Sequence[Group], logs: Any) -> None:
    """No entry is missing in a stream, or comes twice, however often its connection is cut."""
    for group in groups:
        for watcher in group.games:
            for record in watcher.records:
                entries = [StreamedEntry(each.seq, each.hash) for each in logs[record.game].entries]
                assert [*stream_check.faults(record, entries, is_over=True)] == []


def check_endings(groups: Sequence[Group], onlooker: HttpClient) -> None:
    """The game, the list and the log name the same ending, which is that of the script."""
    listed = {item["id"]: item for item in listed_games(onlooker)}
    for group in groups:
        for sitting in group.sittings:
            endings = []
            for game in sitting.games:
                document = onlooker.request_document("GET", f"/games/{game}")
                assert {name: listed[game][name] for name in LISTED} == {
                    name: document[name] for name in LISTED
                }
                tables = list(selectors.game_projections(game))
                endings.append(document["ending"])
                assert endings[-1] == tables[-1].ending
                assert endings[-1] is None or endings[-1] in causes_of(tables)
            assert endings == [group.expected_ending(sitting), None][: len(endings)], sitting.number


def listed_games(client: HttpClient) -> Iterator[Any]:
    """All games in the list, page by page."""
    cursor = ""
    while cursor is not None:
        page = client.request_document("GET", f"/games?limit=100{cursor}")
        yield from page["items"]
        cursor = page["next_cursor"] and f"&cursor={page['next_cursor']}"
