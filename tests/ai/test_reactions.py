"""Reactions: bots that the table does not wait for are asked first, once, and within a time that
tells nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError

from ai import bot_decision, reactions, view_guard
from ai.bot_dispatch import WakeMessage
from ai.bot_kinds import BotDecision
from ai.models import Thought
from games import position_cache, selectors, services
from games.models import Account
from games.services import SeatAssignment
from tabularium_engines.base import State
from tabularium_engines.common.random_generators import FastRng
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Clock
from tests.ai.conftest import Saboteur
from tests.ai.test_tasks import deliver
from tests.engines.law.tables import table as law_table

pytestmark = pytest.mark.django_db

BILL, NO_BILL = "7S 7H 7D JD", "3S 8H 6D JC"
HANDS = ("2S 9H", BILL, "3C 10H")


@pytest.fixture(autouse=True)
def intercepted(woken: list[WakeMessage]) -> list[WakeMessage]:
    """No message leaves the process."""
    return woken


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing really sleeps."""
    monkeypatch.setattr(reactions, "sleep", lambda seconds: None)


def law_game(*players: str, state: State | None = None) -> Projection:
    """A game of Law of these bots ("me": a person), in which seat 0 is on turn and seat 1 alone
    has a reaction, a Bill."""
    seats = [
        SeatAssignment(account=Account.objects.create())
        if player == "me"
        else SeatAssignment(bot=player)
        for player in players
    ]
    game = services.create_game("law", seats).projection.game
    position = position_cache.current_position(game)
    dealt = replace(position.projection, state=state or law_table(HANDS, takes=3))
    position_cache.cache.store(position._replace(projection=dealt))
    return dealt


def message_of(table: Projection, seat: int = 0) -> WakeMessage:
    """A message with the decision of a seat."""
    return WakeMessage(table.game, seat, table.choice_token(seat), 1.0, again=False)


def last_actor(table: Projection) -> int | None:
    """The seat of the last entry."""
    return selectors.game_projection(table.game).entry.seat


class TestWhoIsAsked:
    def test_a_bot_plays_its_bill_before_the_bot_on_turn(self) -> None:
        table = law_game("greedy", "greedy", "greedy")
        assert deliver(message_of(table)) == "SUCCESS"
        assert last_actor(table) == 1
        assert selectors.game_projection(table.game).seq == table.seq + 1

    def test_a_bot_plays_its_bill_while_a_person_is_on_turn(self) -> None:
        table = law_game("me", "greedy", "me")
        deliver(message_of(table))
        assert last_actor(table) == 1

    def test_the_bot_on_turn_goes_on_if_all_wait(self) -> None:
        table = law_game("greedy", "random", "greedy")
        deliver(message_of(table))
        assert last_actor(table) == 0

    def test_nobody_if_an_earlier_message_went_unanswered(self) -> None:
        table = law_game("greedy", "greedy", "greedy")
        deliver(message_of(table), again=True)
        assert last_actor(table) == 0

    def test_nobody_once_the_table_has_gone_on(self) -> None:
        table = law_game("me", "greedy", "me")
        services.append_action(table.game, 0, {"type": "law.take", "pile": 0})
        seq = selectors.game_projection(table.game).seq
        deliver(message_of(table))
        assert selectors.game_projection(table.game).seq == seq

    def test_a_bot_reacts_once_before_the_table_goes_on(self) -> None:
        hands = ("2S 9H", "7S 7H 7D JS JH JD 2C", "3C 10H")
        # whichever Law is collected, the second Bill stays one
        state = law_table(hands, takes=3, stack="8S", discards="8C")
        table = law_game("me", "greedy", "me", state=state)
        deliver(message_of(table))
        while (now := selectors.game_projection(table.game)).is_awaited(1):
            deliver(message_of(now, 1))
        assert now.reacted_seats == 0b010
        assert now.is_awaited(0)
        assert now.state is not None
        assert now.state.legal_actions(1)
        deliver(message_of(now))
        assert selectors.game_projection(table.game).seq == now.seq
        services.append_action(table.game, 0, {"type": "law.take", "pile": 0})
        deliver(message_of(selectors.game_projection(table.game)))
        assert last_actor(table) == 1

    def test_the_second_of_two_workers_does_nothing(self) -> None:
        table = law_game("me", "greedy", "me")
        deliver(message_of(table))
        deliver(message_of(table))
        assert selectors.game_projection(table.game).seq == table.seq + 1

    def test_an_action_meanwhile_makes_the_reaction_stale(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = law_game("me", "greedy", "me")
        decide = view_guard.decide_from_view

        def decide_late(*arguments: Any) -> BotDecision:
            services.append_action(table.game, 0, {"type": "law.take", "pile": 0})
            return decide(*arguments)

        monkeypatch.setattr(view_guard, "decide_from_view", decide_late)
        deliver(message_of(table))
        assert selectors.game_projection(table.game).seq == table.seq + 1
        assert last_actor(table) == 0

    def test_one_that_fails_waits(
        self, saboteur: Saboteur, caplog: pytest.LogCaptureFixture
    ) -> None:
        table = law_game("me", "greedy", "me")
        assert deliver(message_of(table)) == "SUCCESS"
        assert saboteur.call_count == 1
        assert f"fails to react at seat 1 of {table.game}" in caplog.text
        assert selectors.game_projection(table.game).seq == table.seq

    def test_one_is_not_blamed_for_a_database_that_is_away(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        table = law_game("me", "greedy", "me")

        def fail(*_: Any, **__: Any) -> None:
            raise OperationalError

        monkeypatch.setattr(services, "append_action", fail)
        assert deliver(message_of(table)) == "FAILURE"


class TestMessages:
    def test_each_entry_sends_one(self, woken: list[WakeMessage]) -> None:
        table = law_game("me", "greedy", "greedy")
        woken.clear()
        services.append_action(table.game, 0, {"type": "law.take", "pile": 0})
        now = selectors.game_projection(table.game)
        assert [(message.seat, message.choice) for message in woken] == [(0, now.choice_token(0))]

    def test_none_if_no_bot_may_react(self, woken: list[WakeMessage]) -> None:
        table = law_game("me", "me", "greedy")
        woken.clear()
        services.append_action(table.game, 0, {"type": "law.take", "pile": 0})
        assert woken == []  # two cards are no Bill

    def test_bots_leave_people_a_grace(self, settings: Any) -> None:
        settings.GRACE_MS = 700
        graces = [
            reactions.grace_seconds(law_game(*players))
            for players in (("greedy", "me", "greedy"), ("me", "greedy", "me"))
        ]
        assert graces == [0.7, 0.0]

    def test_games_without_reactions_pay_nothing(self, table: Projection) -> None:
        assert reactions.asking_seconds(table) == reactions.grace_seconds(table) == 0


def asking_time(monkeypatch: pytest.MonkeyPatch, bot: str, hand: str, *, sleeps: bool) -> float:
    """How long a bot on turn waits for a bot that holds this hand, and is slow to decide."""
    table = law_game("greedy", bot, "me", state=law_table((HANDS[0], hand, HANDS[2]), takes=3))
    now = 100.0

    def wait_long(game: str, seat: int, turn: Any, budget: Any) -> None:
        nonlocal now
        now += max(budget.seconds, 0.01)

    def fall_asleep(seconds: float) -> None:
        nonlocal now
        now += seconds if sleeps else 0.0

    monkeypatch.setattr(bot_decision, "react_or_wait", wait_long)
    monkeypatch.setattr(reactions, "monotonic", lambda: now)
    monkeypatch.setattr(reactions, "sleep", fall_asleep)
    assert not reactions.ask_bots(table.game, 0, table.choice_token(0))
    return round(now - 100.0, 6)


class TestTimes:
    @pytest.mark.parametrize(
        ("bot", "seconds"),
        [("greedy", reactions.QUICK_SECONDS), ("mcts", reactions.SEARCH_SECONDS)],
    )
    def test_a_pause_tells_nothing_of_a_hand(
        self, monkeypatch: pytest.MonkeyPatch, bot: str, seconds: float
    ) -> None:
        times = {asking_time(monkeypatch, bot, hand, sleeps=True) for hand in (BILL, NO_BILL)}
        assert times == {seconds}

    @pytest.mark.parametrize("bot", ["greedy", "mcts"])
    def test_without_the_pause_the_time_would_tell(
        self, monkeypatch: pytest.MonkeyPatch, bot: str
    ) -> None:
        times = {asking_time(monkeypatch, bot, hand, sleeps=False) for hand in (BILL, NO_BILL)}
        assert len(times) == 2

    def test_pauses_are_alike_in_worlds_that_look_alike(self) -> None:
        for player in ("mcts", "me"):
            table = law_game("greedy", player, "greedy")
            assert table.state is not None
            twin_state = table.state.clone()
            twin_state.determinize(-1, FastRng(1))
            assert twin_state.legal_actions(1) != table.state.legal_actions(1)
            twin = replace(table, state=twin_state)
            for seconds_of in (reactions.asking_seconds, reactions.grace_seconds):
                assert seconds_of(twin) == seconds_of(table)

    def test_pauses_leave_most_of_a_clock(self) -> None:
        clock = Clock(action_ms=400, then="random")
        for player, seconds_of in (
            ("mcts", reactions.asking_seconds),
            ("me", reactions.grace_seconds),
        ):
            table = law_game("greedy", player, "greedy")
            hurried = replace(table, creation=replace(table.creation, clock=clock))
            assert 0 < seconds_of(hurried) <= 0.05


class TestThoughts:
    @pytest.mark.parametrize("bot", ["mcts", "random"])
    def test_of_waiting_are_kept_and_repeated(
        self, bot: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        state = law_table(("2S 9H", "3C 10H", "7S 8H"), {0: "AD"}, takes=3)
        table = law_game("me", bot, "me", state=state)
        deliver(message_of(table))
        thought = Thought.objects.get()
        assert (thought.seq, thought.known, thought.seat) == (None, table.seq, 1)
        assert str(thought) == f"{bot} waits after entry {table.seq} of {table.game}"
        monkeypatch.setattr(selectors, "game_projection", lambda game, seq: table)
        call_command("recheck_decision", table.game, str(table.seq), "--waiting", "1")
        assert "The bot makes the same decision." in capsys.readouterr().out

    def test_of_waiting_are_kept_once(self) -> None:
        table = law_game("me", "random", "me")
        deliver(message_of(table))
        deliver(message_of(table))
        assert Thought.objects.count() == 1

    def test_of_a_seat_that_did_not_wait_are_missing(self) -> None:
        with pytest.raises(CommandError, match="for seat 1 after entry 4"):
            call_command("recheck_decision", "game", "4", "--waiting", "1")

    def test_of_reactions_are_kept_with_their_entry(self) -> None:
        table = law_game("me", "greedy", "me")
        deliver(message_of(table))
        thought = Thought.objects.get()
        assert (thought.seq, thought.known, thought.seat) == (table.seq + 1, table.seq, 1)
