"""Parallel decisions: a bot decides from the results of several workers, once and in time."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError
from django.utils import timezone

from ai import bot_registry, bot_turn
from ai.analysis import analysis_requests, parallel_bot_decision
from ai.analysis.part_dispatch import BOTS_QUEUE, PartMessage
from ai.bot_kinds import Budget
from ai.models import Analysis, Part, Thought
from games import selectors, services
from games.models import Account
from games.services import SeatAssignment
from jobs import sweeper
from tabularium_log.projection.projection import Projection
from tests.ai.analysis.conftest import SLUG, work_on

WORKERS = 3


@pytest.fixture
def table(
    account: Account, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
) -> Projection:
    """A game in which a bot must decide and several workers search for it."""
    monkeypatch.setattr(bot_registry, "bot_budget", lambda bot, slug: Budget(0.01, parts=WORKERS))
    # the test sets the time at which the search is overdue
    monkeypatch.setattr(parallel_bot_decision, "ACT_GRACE_SECONDS", 600.0)
    table = services.create_game(SLUG, [SeatAssignment(bot="mcts")] * 2).projection
    assert (
        bot_turn.take_turn(table.game, seat_of(table), table.choice_token(seat_of(table))) is None
    )
    return table


def seat_of(table: Projection) -> int:
    """The seat that must decide."""
    return selectors.awaited_bot_seats(table)[0]


def seq(table: Projection) -> int:
    """The length of the log."""
    return selectors.game_projection(table.game).seq


def expire_deadlines() -> None:
    """Move all deadlines into the past."""
    Analysis.objects.update(deadline=timezone.now() - timedelta(seconds=1))


def test_the_parts_are_sent_where_bots_think(
    table: Projection, sent_parts: list[PartMessage]
) -> None:
    assert [(message.number, message.queue) for message in sent_parts] == [
        (n, BOTS_QUEUE) for n in range(3)
    ]


def test_the_last_part_lets_it_act(table: Projection, sent_parts: list[PartMessage]) -> None:
    for message in sent_parts[:2]:
        work_on(message)
        assert seq(table) == table.seq
    work_on(sent_parts[2])
    assert seq(table) == table.seq + 1
    assert not Part.objects.exists()
    assert not Analysis.objects.exists()
    for message in sent_parts[:3]:
        work_on(message)
    assert seq(table) == table.seq + 1


def test_it_can_be_thought_again(
    table: Projection, sent_parts: list[PartMessage], capsys: pytest.CaptureFixture[str]
) -> None:
    for message in sent_parts[:3]:
        work_on(message)
    thought = Thought.objects.get()
    parts = [int(simulations) for simulations in thought.parts.split()]
    assert len(parts) == WORKERS
    assert sum(parts) == thought.simulations
    call_command("recheck_decision", thought.game_id, str(thought.seq), "--json")
    document = json.loads(capsys.readouterr().out)
    assert document["same"]
    assert sum(action["visits"] for action in document["tried"]) > thought.simulations


def test_it_acts_with_a_note_or_not_at_all(
    table: Projection, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail_closed(*_: Any, **__: Any) -> None:
        raise OperationalError("the connection is closed")

    for message in sent_parts[:2]:
        work_on(message)
    with monkeypatch.context() as patch:
        patch.setattr(Thought, "save", fail_closed)
        with pytest.raises(OperationalError):
            work_on(sent_parts[2])
    assert seq(table) == table.seq
    bot_turn.take_turn(table.game, seat_of(table), table.choice_token(seat_of(table)), again=True)
    for message in sent_parts[3:]:
        work_on(message)
    assert seq(table) == table.seq + 1
    assert Thought.objects.count() == 1


def test_at_the_deadline_it_acts_on_what_is_there(
    table: Projection, sent_parts: list[PartMessage], capsys: pytest.CaptureFixture[str]
) -> None:
    work_on(sent_parts[1])
    expire_deadlines()
    sweeper.sweep()
    assert seq(table) == table.seq + 1
    thought = Thought.objects.get()
    first, second = thought.parts.split()
    assert (first, int(second)) == ("0", thought.simulations)
    call_command("recheck_decision", thought.game_id, str(thought.seq))
    assert "The bot makes the same decision." in capsys.readouterr().out


def test_without_anything_it_waits_once_more(
    table: Projection, sent_parts: list[PartMessage]
) -> None:
    expire_deadlines()
    sweeper.sweep()
    assert seq(table) == table.seq
    assert Analysis.objects.get().deadline > timezone.now()
    work_on(sent_parts[0])
    expire_deadlines()
    sweeper.sweep()
    assert seq(table) == table.seq + 1


def test_it_is_not_thought_about_twice(table: Projection, sent_parts: list[PartMessage]) -> None:
    count = len(sent_parts)
    bot_turn.take_turn(table.game, seat_of(table), table.choice_token(seat_of(table)), again=True)
    assert len(sent_parts) == count
    assert Analysis.objects.count() == 1


def test_a_table_does_not_wait_for_ever(table: Projection, sent_parts: list[PartMessage]) -> None:
    for _ in range(bot_turn.MAX_ATTEMPTS):
        bot_turn.take_turn(
            table.game, seat_of(table), table.choice_token(seat_of(table)), again=True
        )
    assert seq(table) == table.seq + 1
    expire_deadlines()
    sweeper.sweep()
    assert not Analysis.objects.exists()
    assert seq(table) == table.seq + 1


def test_what_came_too_late_is_not_done(table: Projection, sent_parts: list[PartMessage]) -> None:
    turn = selectors.bot_turn(table.game, seat_of(table))
    assert turn
    for message in sent_parts[:2]:
        work_on(message)
    services.append_action(
        table.game, seat_of(table), turn.actions[-1], bot="mcts", choice=turn.token
    )
    work_on(sent_parts[2])
    assert seq(table) == table.seq + 1
    assert not Thought.objects.exists()


def test_a_forced_action_is_done_at_once(
    table: Projection, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    turn: Any = selectors.bot_turn(table.game, seat_of(table))
    forced = turn.__class__(**{**vars(turn), "actions": turn.actions[:1]})
    monkeypatch.setattr(selectors, "bot_turn", lambda game, seat: forced)
    monkeypatch.setattr(analysis_requests, "begin_decision", None)
    assert bot_turn.take_turn(table.game, seat_of(table), turn.token)
