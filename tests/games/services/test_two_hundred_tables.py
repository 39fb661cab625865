"""Two hundred tables among simulated people, on a clock of their own: they come or stay away, stop
at random moments, resign, propose, accept too late, fall silent. Every game ends by its rules, of
all rulesets. tests/chaos/test_two_hundred_tables.py has the same over HTTP, in threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final, get_args

import pytest
from django.utils import timezone

from games import selectors, services
from games.audit import stored_game_verifier
from games.models import Account
from games.services import SeatAssignment
from jobs import clock_expiry
from tabularium_engines.base import IllegalAction
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.projection.endings import Ending
from tabularium_log.projection.projection import GameRefusal, Projection
from tabularium_log.projection.table_actions import Clock
from tests.games.sitting import NOON, some_action

pytestmark = pytest.mark.stores

TABLES: Final = 200
ROUND: Final = timedelta(hours=8)
MOST_ROUNDS: Final = 3 * 120  # 120 days, more than any table may take
CLOCKS: Final = (None, None, Clock(24 * 3600 * 1000, "resign"), Clock(24 * 3600 * 1000, "bot"))
LEAST: Final = 5  # of each ending


@dataclass
class Person:
    """A player: how long they stay, and their inclination."""

    patience: int  # looks at the table until they fall silent
    mood: Random
    habit: str

    def does(self, habit: str, share: float) -> bool:
        """Whether they do so now."""
        return self.habit == habit and self.mood.random() < share


@dataclass
class Sitting:
    """A table, and the people at it by seat."""

    game: str
    people: dict[int, Person] = field(default_factory=dict)
    comes_later: bool = False


HABITS: Final = (
    *("plays", "resigns", "resigns", "draws", "ends", "aborts"),
    *("claims", "claims", "claims", "claims", "claims", "claims"),
    *("pauses", "pauses", "regrets", "regrets", "regrets"),
)
OPTIONS: Final[dict[str, Any]] = {"law_of_the_dice": {"points_to_win": 1}}  # for short games
PATIENCE: Final = (4, 8, 16, 999, 999)  # looks at the table


def new_sitting(number: int, accounts: list[Account]) -> Sitting:
    """A table of two or three, or as many as its rules need; some have a bot, and some wait for a
    second player."""
    mood, kind = Random(number), number % 10
    slug = list(ENGINES)[number // 10 % len(ENGINES)]
    fewest, most = ENGINES[slug].about.seats
    second = {3: SeatAssignment(bot="random")}.get(kind, SeatAssignment(account=accounts[1]))
    others = [SeatAssignment(account=each) for each in accounts[2:]]
    seats = [SeatAssignment(account=accounts[0]), SeatAssignment() if kind < 3 else second, *others]
    seats = seats[: max(fewest, min(most, 3 if kind == 4 else 2))]
    clock, options = CLOCKS[number % 4], OPTIONS.get(slug, {})
    game = services.create_game(slug, seats, clock=clock, options=options, owner=accounts[0])
    people = {
        seat: Person(mood.choice(PATIENCE), Random(100 * number + seat), mood.choice(HABITS))
        for seat, assignment in enumerate(seats)
        if assignment.bot is None
    }
    return Sitting(game.projection.game, people, comes_later=kind == 0)


def live(sitting: Sitting, table: Projection, accounts: list[Account]) -> None:
    """One round of the people at a table, which is read again when they have asked for something; a
    refusal changes nothing."""
    for _ in range(4):
        if table.phase == "gathering":
            gather(sitting, table, accounts)
            return
        if table.phase == "over":
            return
        for seat, person in sitting.people.items():
            with suppress(GameRefusal, IllegalAction):
                if decide(sitting.game, table, seat, person):
                    table = selectors.game_projection(sitting.game)
        table = let_bots_act(sitting.game, table)


def gather(sitting: Sitting, table: Projection, accounts: list[Account]) -> None:
    """The second player comes at last, or the owner gives up, or both forget the table."""
    owner = sitting.people[0]
    if sitting.comes_later and owner.mood.random() < 0.3:
        services.join_game(sitting.game, 1, account=accounts[1])
    elif owner.habit in ("aborts", "resigns", "ends") and owner.mood.random() < 0.1:
        services.call_off_game(sitting.game)


def decide(game: str, table: Projection, seat: int, person: Person) -> bool:
    """One step of a person who has not fallen silent; True if they asked for something."""
    if person.patience <= 0 or table.phase != "playing" or not table.people >> seat & 1:
        return False
    person.patience -= 1
    if table.paused_at is not None:
        if person.mood.random() >= 0.05:
            return False
        services.resume_game(game, seat)
        return True
    if table.proposal is not None and table.proposal.seat != seat:
        return answer(game, table, seat, person)
    return speak(game, table, seat, person) or act(game, table, seat, person)


def answer(game: str, table: Projection, seat: int, person: Person) -> bool:
    """Accept a proposal, decline it, or act first: then it is too late to accept. True
    if the person did so."""
    assert table.proposal is not None
    luck, seq = person.mood.random(), table.proposal.seq
    if luck < 0.6:
        services.accept_proposal(game, seat, seq)
    elif luck < 0.7:
        services.decline_proposal(game, seat, seq)
    elif act(game, table, seat, person):
        with pytest.raises(GameRefusal):
            services.accept_proposal(game, seat, seq)
    else:
        return False
    return True


def act(game: str, table: Projection, seat: int, person: Person) -> bool:
    """Make a random action if it is for this seat to act; True if so."""
    if not table.is_awaited(seat):
        return False
    awaited, action = some_action(table, FastRng(person.mood.randrange(10**6)))
    if awaited != seat:
        return False
    services.append_action(game, seat, action, choice=table.choice_token(seat))
    return True


def speak(game: str, table: Projection, seat: int, person: Person) -> bool:
    """Whether the person does something other than act."""
    if person.does("aborts", 0.8) and not table.has_person_acted:
        services.abort_game(game, seat)
    elif person.does("resigns", 0.1):
        services.resign_seat(game, seat)
    elif person.does("draws", 0.4):
        services.make_proposal(game, seat, "draw")
    elif person.does("ends", 0.4):
        services.make_proposal(game, seat, "end")
    elif person.does("pauses", 0.4):
        services.make_proposal(game, seat, "pause")
    elif (
        table.takeback_points
        and table.takeback_points[-1].seat == seat
        and (person.does("regrets", 0.5))
    ):
        services.make_proposal(game, seat, "takeback", table.takeback_points[-1].seq)
    elif person.does("claims", 0.5) or (person.patience > 100 and person.mood.random() < 0.1):
        claim_anyone(game, table, seat, person)
    else:
        return False
    return True


def claim_anyone(game: str, table: Projection, seat: int, person: Person) -> None:
    """Claim that some other player has left."""
    absent = person.mood.randrange(table.creation.seats)
    services.claim_seat(game, seat, absent, person.mood.choice(("bot", "resign")))


def let_bots_act(game: str, table: Projection) -> Projection:
    """Let the bots make their decisions, at random; the table after them."""
    for number in range(12):
        mask = table.awaited_seats & table.bot_seats
        if not mask or table.phase != "playing":
            break
        awaited, action = some_action(table, FastRng(table.seq + number))
        occupant = table.occupants[awaited]
        if mask >> awaited & 1 and occupant is not None:
            token = table.choice_token(awaited)
            services.append_action(game, awaited, action, bot=occupant.bot, choice=token)
            table = selectors.game_projection(game)
    return table


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """`clock()` is the next round."""
    now: list[datetime] = [NOON]
    monkeypatch.setattr(timezone, "now", lambda: now[0])

    def tick() -> None:
        now[0] += ROUND

    return tick


def causes_of(tables: Sequence[Projection]) -> set[str]:
    """The endings that the whole log of a game leaves possible."""
    kinds = Counter(table.entry.action["type"].removeprefix("table.") for table in tables)
    last = tables[-1]
    assert last.phase == "over"
    scores = None if last.outcome is None else last.outcome.scores
    found = {
        "called_off": last.first is None,
        "aborted": kinds["abort"] > 0,
        "expired": kinds["expire"] > 0,
        "played_out": scores is not None,
        "resigned": kinds["resign"] > kinds["time_out"] + kinds["claim"],
        "agreed": any(table.is_agreed for table in tables[:-1]) and scores is None,
        "timed_out": kinds["time_out"] > 0 and kinds["resign"] > 0,
        "abandoned": kinds["claim"] > 0 and kinds["resign"] > 0,
    }
    return {name for name, is_so in found.items() if is_so}


@pytest.mark.lane("slow")
def test_every_table_ends_by_its_own_rules(db: None, clock: Callable[[], None]) -> None:
    accounts = [Account.objects.create(name=name) for name in ("Ada", "Bob", "Cid", "Dan")]
    sittings = [new_sitting(number, accounts) for number in range(TABLES)]
    open_ones = [(each, selectors.game_projection(each.game)) for each in sittings]
    for _ in range(MOST_ROUNDS):
        clock()
        for sitting, table in open_ones:
            live(sitting, table, accounts)
        clock_expiry.expire_clocks()
        clock_expiry.end_forgotten_games()
        open_ones = [
            (each, table)
            for each, _ in open_ones
            if (table := selectors.game_projection(each.game)).phase != "over"
        ]
    assert open_ones == []
    logs = [list(selectors.game_projections(each.game)) for each in sittings]
    endings = {tables[-1].game: tables[-1].ending for tables in logs}
    assert selectors.endings(list(endings)) == endings
    assert all(tables[-1].ending in causes_of(tables) for tables in logs)
    counts = Counter(endings.values())
    assert {name for name in get_args(Ending) if counts[name] < LEAST} == set()
    kinds = Counter(table.entry.action["type"] for tables in logs for table in tables)
    assert min(kinds[f"table.{kind}"] for kind in ("takeback", "pause", "resume")) >= LEAST
    assert all(stored_game_verifier.verify_game(each.game).is_good for each in sittings)
