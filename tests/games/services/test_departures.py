"""A seat after a resignation, a timeout or a replacement."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import selectors, services
from games.models import Account, Game, Player
from games.services import (
    CARETAKER_BOT,
    NotYourSeat,
    SeatAssignment,
    create_game,
    expire_clock,
    resign_seat,
)
from tabularium_log.projection.projection import GameRefusal
from tabularium_log.projection.table_actions import Clock, ExpiryPolicy
from tests.games.sitting import BOTS, SLUG, acting, bot_game

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


def types(game: str, after: int) -> list[str]:
    """The types of the entries after that one."""
    return [t.entry.action["type"] for t in selectors.game_projections(game) if t.seq > after]


def of_accounts(seats: int, clock: Clock | None = None) -> str:
    """A game of that many accounts."""
    accounts = [Account.objects.create() for _ in range(seats)]
    seating = [SeatAssignment(account=account) for account in accounts]
    return create_game(SLUG, seating, clock=clock).projection.game


class TestResigning:
    def test_of_two_the_other_has_won(self) -> None:
        game = of_accounts(2)
        appended = resign_seat(game, 0)
        assert types(game, 4) == ["table.resign", "table.end"]
        assert appended.projection.outcome is not None
        assert appended.projection.outcome.winners == (1,)
        assert Game.objects.get(pk=game).phase == "over"

    def test_of_three_the_others_play_on(self) -> None:
        game = of_accounts(3)
        resign_seat(game, 1)
        assert types(game, 5) == ["table.resign", "table.replace"]
        assert Player.objects.get(game=game, seat=1).bot == CARETAKER_BOT
        assert Game.objects.get(pk=game).bots == 0b010
        *_, last = acting(game)
        assert last.projection.outcome is not None
        assert 1 not in last.projection.outcome.winners

    def test_whoever_has_left_may_not_come_back(self) -> None:
        game = of_accounts(3)
        resign_seat(game, 1)
        for action in (resign_seat, lambda game, seat: services.append_action(game, seat, {})):
            with pytest.raises(NotYourSeat):
                action(game, 1)

    def test_bots_do_not_resign(self) -> None:
        with pytest.raises(NotYourSeat):
            resign_seat(bot_game(), 0)

    def test_nobody_resigns_before_the_start_or_after_the_end(self) -> None:
        game = create_game(
            SLUG, [SeatAssignment(account=Account.objects.create()), SeatAssignment()]
        ).projection.game
        with pytest.raises(GameRefusal, match="not started"):
            resign_seat(game, 0)
        finished_game = of_accounts(2)
        resign_seat(finished_game, 0)
        with pytest.raises(GameRefusal, match="over"):
            resign_seat(finished_game, 1)


class TestReplacing:
    def test_a_bot_takes_over_and_the_account_is_out(self) -> None:
        game = of_accounts(2)
        services.replace_seat(game, 0, "random")
        assert Player.objects.get(game=game, seat=0).bot == "random"
        with pytest.raises(NotYourSeat):
            services.append_action(game, 0, {"type": f"{SLUG}.draw"})


class TestClocks:
    def expired_game(
        self, policy: ExpiryPolicy, seats: int, monkeypatch: pytest.MonkeyPatch
    ) -> tuple[str, int]:
        """A game in which a clock has run out, and the seat that it belongs to."""
        game = of_accounts(seats, Clock(1000, policy))
        return game, self.wait(game, monkeypatch)

    def wait(self, game: str, monkeypatch: pytest.MonkeyPatch) -> int:
        """Let the deadline of a game pass; the seat that missed it."""
        table = selectors.game_projection(game)
        deadline = table.deadline
        assert deadline is not None
        assert Game.objects.get(pk=game).deadline == deadline
        monkeypatch.setattr(timezone, "now", lambda: deadline)
        early = deadline - timedelta(milliseconds=1)
        assert selectors.games_past_deadline(deadline).filter(pk=game).exists()
        assert not selectors.games_past_deadline(early).filter(pk=game).exists()
        (seat,) = table.engine.awaited_seats(table.state)
        return seat

    def test_nothing_happens_in_time(self) -> None:
        game = of_accounts(2, Clock(1000))
        appended = expire_clock(game)
        assert appended.last_seq < appended.first_seq
        assert selectors.game_projection(game).seq == 4

    def test_a_bot_takes_the_seat(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game, seat = self.expired_game("bot", 2, monkeypatch)
        expire_clock(game)
        assert types(game, 4) == ["table.time_out", "table.replace"]
        assert Player.objects.get(game=game, seat=seat).bot == CARETAKER_BOT
        assert expire_clock(game).projection.seq == 6, "the bot has no time to think"

    def test_any_legal_action_is_made(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game, seat = self.expired_game("random", 2, monkeypatch)
        table = expire_clock(game).projection
        assert types(game, 4)[0] == "table.time_out"
        assert types(game, 5)[0].startswith(SLUG)
        assert table.entry.seat == seat
        assert table.deadline is None or table.deadline > timezone.now()
        occupant = table.occupants[seat]
        assert occupant is not None
        assert occupant.bot is None

    def test_the_seat_resigns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game, _ = self.expired_game("resign", 2, monkeypatch)
        expire_clock(game)
        assert types(game, 4) == ["table.time_out", "table.resign", "table.end"]
        game, seat = self.expired_game("resign", 3, monkeypatch)
        expire_clock(game)
        assert types(game, 5) == ["table.time_out", "table.resign", "table.replace"]
        assert selectors.game_projection(game).has_resigned(seat)

    def test_a_bot_that_is_late_acts_at_random(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for policy in ("bot", "random", "resign"):
            game = create_game(SLUG, BOTS, clock=Clock(1000, policy)).projection.game
            self.wait(game, monkeypatch)
            expire_clock(game)
            assert types(game, 4)[0] == "table.time_out"
            assert types(game, 5)[0].startswith(SLUG)

    def test_a_game_ends_by_its_clock_alone(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = of_accounts(3, Clock(1000, "random"))
        for _ in range(2000):
            if (deadline := selectors.game_projection(game).deadline) is None:
                break
            self.pass_to(deadline, monkeypatch)
            expire_clock(game)
        assert selectors.game_projection(game).phase == "over"

    def pass_to(self, moment: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """Set the time."""
        monkeypatch.setattr(timezone, "now", lambda: moment)
