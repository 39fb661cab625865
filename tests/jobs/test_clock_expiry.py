"""Clocks that run out: the effect on a seat, also if the time of day was set back."""

from __future__ import annotations

import pytest

from ai.bot_dispatch import WakeMessage
from games import position_cache, selectors, services
from games.audit import stored_game_verifier
from games.models import Account
from games.services import SeatAssignment
from jobs import clock_expiry, sweeper
from tabularium_log.projection.table_actions import Clock
from tests.jobs.passing import RULES, Later, action_types_since, create_clocked_game, lose_the_tail

pytestmark = [pytest.mark.usefixtures("unbroken"), pytest.mark.stores]


class TestClocks:
    def test_a_bot_takes_over(self, db: None, woken: list[WakeMessage], later: Later) -> None:
        table = create_clocked_game("bot")
        later(2)
        assert sweeper.sweep() == 1
        projection = selectors.game_projection(table.game)
        assert action_types_since(table) == ["table.time_out", "table.replace"]
        assert projection.bot_seats == table.awaited_seats
        assert [message.choice for message in woken] == [projection.choice_token(woken[0].seat)]

    def test_a_random_action(self, db: None, woken: list[WakeMessage], later: Later) -> None:
        table = create_clocked_game("random")
        later(2)
        sweeper.sweep()
        first, second = action_types_since(table)[:2]
        assert first == "table.time_out"
        assert second.startswith(RULES)
        assert selectors.game_projection(table.game).bot_seats == 0

    def test_resigning_ends_a_game_of_two(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        table = create_clocked_game("resign")
        later(2)
        sweeper.sweep()
        assert action_types_since(table) == ["table.time_out", "table.resign", "table.end"]

    def test_resigning_leaves_a_table_for_the_others(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        table = create_clocked_game("resign", seats=3)
        later(2)
        sweeper.sweep()
        assert action_types_since(table) == ["table.time_out", "table.resign", "table.replace"]
        assert selectors.game_projection(table.game).phase == "playing"
        assert len(woken) == 1

    def test_that_still_run_are_left(self, db: None, woken: list[WakeMessage]) -> None:
        table = create_clocked_game("resign")
        assert sweeper.sweep() == 0
        assert action_types_since(table) == []

    def test_alone_bring_a_game_to_its_end(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        table = create_clocked_game("random")
        while selectors.game_projection(table.game).phase != "over":
            later(2)
            assert sweeper.sweep() == 1

    def test_of_a_broken_game_keep_no_other_waiting(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        broken, sound = create_clocked_game("random"), create_clocked_game("random")
        lose_the_tail(broken.game)
        position_cache.cache.clear()
        later(2)
        assert clock_expiry.expire_clocks() == 1
        assert selectors.game_projection(sound.game).seq > sound.seq

    def test_run_out_for_a_process_that_has_missed_the_start(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        ada, bob = (Account.objects.create() for _ in range(2))
        seats = [SeatAssignment(account=ada), SeatAssignment()]
        game = services.create_game(RULES, seats, clock=Clock(1000, "resign")).projection.game
        old_position = position_cache.cache.get_latest(game)
        assert old_position
        services.join_game(game, 1, account=bob)
        position_cache.cache.clear()
        position_cache.cache.store(old_position)
        later(2)
        sweeper.sweep()
        assert selectors.game_projection(game).phase == "over"


class TestAClockThatIsSetBack:
    """A game created at a future time does not stay stuck there."""

    def test_ends_the_time_of_a_seat_after_its_time(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        later(3600)
        table = create_clocked_game("bot")
        later(-3600)
        sweeper.sweep()
        assert action_types_since(table) == [], "it has its second"
        later(2)
        sweeper.sweep()
        assert action_types_since(table) == ["table.time_out", "table.replace"]

    def test_goes_on_to_the_end_of_a_game_whose_log_is_good(
        self, db: None, woken: list[WakeMessage], later: Later
    ) -> None:
        later(3600)
        table = create_clocked_game("random")
        later(-3600)
        while selectors.game_projection(table.game).phase != "over":
            sweeper.sweep()
            later(1.5)
        verdict = stored_game_verifier.verify_game(table.game)
        assert verdict.is_good, verdict
