"""A bot's turn: its decision is appended once, even if the bot fails."""

from __future__ import annotations

from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError

from ai import bot_registry, bot_turn, view_guard
from ai.bot_kinds import BotDecision, Budget, RandomBot
from ai.models import BotFailure, Thought
from games import selectors, services
from games.models import Account, Entry, Game
from games.services import SeatAssignment
from jobs import sweeper
from tabularium_log.projection.projection import Projection
from tests.ai.conftest import RULES, Saboteur
from tests.jobs.passing import Later

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def awaited_turn(game: str) -> tuple[int, str]:
    """The seat whose bot must decide, and its choice token."""
    table = selectors.game_projection(game)
    seat = selectors.awaited_bot_seats(table)[0]
    return seat, table.choice_token(seat)


def take_turn(game: str, *, again: bool = False) -> bool:
    """Let the awaited bot decide; returns whether it did."""
    seat, choice = awaited_turn(game)
    return bot_turn.take_turn(game, seat, choice, again=again) is not None


def head(game: str) -> tuple[int, str]:
    """The length of the log, and its hash."""
    return Game.objects.values_list("seq", "hash").get(pk=game)


class TestABot:
    def test_adds_one_action_of_its_own(self, table: Projection) -> None:
        seat, choice = awaited_turn(table.game)
        result = bot_turn.take_turn(table.game, seat, choice)
        assert result is not None
        assert (result.first_seq, result.projection.entry.seat) == (table.seq + 1, seat)

    def test_plays_a_game_to_its_end_without_trouble(self, table: Projection) -> None:
        while selectors.game_projection(table.game).phase != "over":
            assert take_turn(table.game)
        assert not BotFailure.objects.exists()

    def test_is_given_its_view_and_nothing_else(
        self, table: Projection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls: list[Any] = []
        bot = RandomBot()

        class Curious:
            def choose(self, *arguments: Any) -> Any:
                calls.append(arguments)
                return bot.choose(*arguments)

        monkeypatch.setattr(bot_registry, "create_bot", lambda name, slug, version: Curious())
        seat, choice = awaited_turn(table.game)
        bot_turn.take_turn(table.game, seat, choice)
        engine, view, _, budget = calls[0]
        assert (engine, view) == (table.engine, table.engine.view(table.state, seat))
        assert budget == Budget(bot_registry.THINKING_SECONDS[str(table.occupants[seat].bot)])  # type: ignore[union-attr]


class TestNothingHappens:
    def test_when_a_message_is_delivered_twice(self, table: Projection) -> None:
        seat, choice = awaited_turn(table.game)
        bot_turn.take_turn(table.game, seat, choice)
        once = head(table.game)
        assert bot_turn.take_turn(table.game, seat, choice) is None
        assert bot_turn.take_turn(table.game, seat, choice, again=True) is None
        assert head(table.game) == once
        assert not BotFailure.objects.exists()

    def test_when_somebody_has_answered_meanwhile(
        self, table: Projection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seat, choice = awaited_turn(table.game)
        turn = selectors.bot_turn(table.game, seat)
        assert turn
        bot_turn.take_turn(table.game, seat, choice)
        once = head(table.game)
        monkeypatch.setattr(selectors, "bot_turn", lambda game, seat: turn)
        other = BotDecision(table.engine.action_codec.from_json(turn.actions[-1]))
        monkeypatch.setattr(view_guard, "decide_from_view", lambda *_: other)
        bot_turn.take_turn(table.game, seat, choice)
        assert head(table.game) == once

    @pytest.mark.parametrize("choice", ["", "0" * 22])
    def test_for_another_choice(self, table: Projection, choice: str) -> None:
        seat, _ = awaited_turn(table.game)
        assert bot_turn.take_turn(table.game, seat, choice) is None
        assert head(table.game)[0] == table.seq

    @pytest.mark.parametrize("seat", [-1, 2, 99])
    def test_for_a_seat_that_is_not_there(self, table: Projection, seat: int) -> None:
        assert bot_turn.take_turn(table.game, seat, awaited_turn(table.game)[1]) is None

    def test_for_a_seat_that_an_account_plays(self, table: Projection) -> None:
        person = SeatAssignment(account=Account.objects.create())
        lonely = services.create_game(RULES, [person, person]).projection
        for seat in (0, 1):
            assert bot_turn.take_turn(lonely.game, seat, lonely.choice_token(seat)) is None

    def test_when_the_game_is_over(self, table: Projection) -> None:
        seat, choice = awaited_turn(table.game)
        while selectors.game_projection(table.game).phase != "over":
            seat, choice = awaited_turn(table.game)
            bot_turn.take_turn(table.game, seat, choice)
        assert bot_turn.take_turn(table.game, seat, choice) is None


class TestABotThatFails:
    @pytest.mark.parametrize(
        "outcome",
        [
            RuntimeError("no idea"),
            SoftTimeLimitExceeded(),
            RecursionError(),
            MemoryError(),
            None,
            "a word",
            {"type": "law_of_the_dice.win"},
            {"type": "table.end"},
        ],
        ids=repr,
    )
    def test_is_logged_and_any_legal_action_played(
        self, table: Projection, saboteur: Saboteur, caplog: pytest.LogCaptureFixture, outcome: Any
    ) -> None:
        saboteur.outcome = outcome
        offers = {str(action) for action in legal_actions(table.game)}
        assert take_turn(table.game)
        assert f"fails at seat {awaited_first(table)} of {table.game}" in caplog.text
        assert str(selectors.game_projection(table.game).entry.action) in offers

    def test_does_not_keep_the_game_from_ending(
        self, table: Projection, saboteur: Saboteur
    ) -> None:
        while selectors.game_projection(table.game).phase != "over":
            assert take_turn(table.game)
        assert saboteur.call_count > 10

    def test_an_illegal_action_is_not_played(self, table: Projection, saboteur: Saboteur) -> None:
        engine, state = table.engine, table.state
        assert state
        seat = awaited_first(table)
        legal_codes = set(state.legal_actions(seat))
        saboteur.outcome = next(
            engine.decode(state, seat, code) for code in range(1000) if code not in legal_codes
        )
        assert take_turn(table.game)
        assert saboteur.call_count == 1
        action = selectors.game_projection(table.game).entry.action
        assert action != engine.action_codec.to_json(saboteur.outcome)

    def test_a_bot_that_is_not_there(
        self, table: Projection, caplog: pytest.LogCaptureFixture
    ) -> None:
        unknown = services.create_game(
            RULES, [SeatAssignment(bot="gone"), SeatAssignment(bot="gone")]
        ).projection
        assert take_turn(unknown.game)
        assert "There is no bot gone" in caplog.text

    def test_is_not_blamed_for_a_database_that_is_away(
        self, table: Projection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        calls: list[Any] = []

        def fail_append(*arguments: Any, **_: Any) -> None:
            calls.append(arguments)
            raise OperationalError("the connection is closed")

        monkeypatch.setattr(services, "append_action", fail_append)
        with pytest.raises(OperationalError):
            take_turn(table.game)
        assert len(calls) == 1


class TestAThought:
    def test_is_kept_with_the_entry_that_it_led_to(self, table: Projection) -> None:
        assert take_turn(table.game)
        thought = Thought.objects.get()
        assert (thought.seq, thought.known) == (table.seq + 1, table.seq)

    def test_is_kept_or_the_entry_is_not(
        self, table: Projection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = head(table.game)
        with monkeypatch.context() as patch:
            patch.setattr(Thought, "save", fail_closed)
            with pytest.raises(OperationalError):
                take_turn(table.game)
        assert head(table.game) == before
        assert take_turn(table.game)
        assert Thought.objects.count() == 1


def fail_closed(*_: Any, **__: Any) -> None:
    """Fail like a database whose connection is lost."""
    raise OperationalError("the connection is closed")


class TestAttempts:
    def test_are_counted_by_decision(self, table: Projection) -> None:
        seat, choice = awaited_turn(table.game)
        counts = [bot_turn.count_attempt(table.game, seat, choice) for _ in range(3)]
        assert counts == [2, 3, 4]
        assert bot_turn.count_attempt(table.game, seat, "another") == 2
        assert BotFailure.objects.count() == 2

    def test_the_first_is_not_counted(self, table: Projection, saboteur: Saboteur) -> None:
        assert take_turn(table.game)
        assert not BotFailure.objects.exists()

    def test_the_second_is_left_to_the_bot(self, table: Projection, saboteur: Saboteur) -> None:
        assert take_turn(table.game, again=True)
        assert saboteur.call_count == 1

    def test_the_third_plays_at_random(self, table: Projection, saboteur: Saboteur) -> None:
        bot_turn.count_attempt(table.game, *awaited_turn(table.game))
        assert take_turn(table.game, again=True)
        assert saboteur.call_count == 0
        assert Entry.objects.filter(game=table.game).count() == table.seq + 1


def legal_actions(game: str) -> tuple[Any, ...]:
    """The legal actions of the awaited bot."""
    turn = selectors.bot_turn(game, awaited_turn(game)[0])
    assert turn
    return turn.actions


def awaited_first(table: Projection) -> int:
    """The seat that is awaited first."""
    return selectors.awaited_bot_seats(table)[0]


def test_attempts_are_forgotten_after_days(table: Projection, later: Later) -> None:
    bot_turn.count_attempt(table.game, 0, "old")
    later(3 * 24 * 3600)
    bot_turn.count_attempt(table.game, 0, "new")
    sweeper.clean_up()
    assert BotFailure.objects.get().choice == "new"
