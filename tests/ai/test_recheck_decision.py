"""Rechecking decisions: the log is enough to reproduce a bot's decision and to confirm the bot."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ai import bot_registry, bot_turn
from ai.bot_dispatch import WakeMessage
from ai.management.commands import recheck_decision
from ai.models import Thought
from games import selectors, services
from games.services import SeatAssignment
from tabularium_engines.installed.registry import ENGINES

pytestmark = pytest.mark.django_db

DECISIONS = 12


@pytest.fixture(
    params=[(bot, slug) for bot in bot_registry.COMMON_BOT_NAMES for slug in ENGINES], ids="-".join
)
def first_thoughts(
    request: pytest.FixtureRequest, woken: list[WakeMessage], monkeypatch: pytest.MonkeyPatch
) -> list[Thought]:
    """The thoughts of the first decisions at a table of one bot, in every game."""
    bot, slug = request.param
    monkeypatch.setattr(
        bot_registry, "THINKING_SECONDS", dict.fromkeys(bot_registry.COMMON_BOT_NAMES, 0.0)
    )
    seats = ENGINES[slug].about.seats[0]
    game = services.create_game(slug, [SeatAssignment(bot=bot)] * seats).projection.game
    for _ in range(DECISIONS):
        table = selectors.game_projection(game)
        if table.phase == "over":  # a short game
            break
        seat = selectors.awaited_bot_seats(table)[0]
        assert bot_turn.take_turn(game, seat, table.choice_token(seat))
    return list(Thought.objects.order_by("seq"))


def recheck(thought: Thought, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    call_command("recheck_decision", thought.game_id, str(thought.seq), "--json")
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def test_every_decision_of_every_bot_is_made_again(
    first_thoughts: list[Thought], capsys: pytest.CaptureFixture[str]
) -> None:
    assert 4 < len(first_thoughts) <= DECISIONS
    for thought in first_thoughts:
        document = recheck(thought, capsys)
        assert document["same"]
        visits = [action["visits"] for action in document["tried"]]
        assert visits == sorted(visits, reverse=True)
        if thought.simulations:
            assert document["tried"][0]["action"] == document["action"]
            assert thought.simulations >= 1


@pytest.fixture
def thought(woken: list[WakeMessage], monkeypatch: pytest.MonkeyPatch) -> Thought:
    """The thought of one decision that was a real choice, by a search."""
    monkeypatch.setattr(
        bot_registry, "THINKING_SECONDS", dict.fromkeys(bot_registry.COMMON_BOT_NAMES, 0.0)
    )
    game = services.create_game("duality", [SeatAssignment(bot="mcts")] * 2).projection.game
    while True:
        table = selectors.game_projection(game)
        seat = selectors.awaited_bot_seats(table)[0]
        choice = selectors.game_choice(game, seat)
        assert choice is not None
        assert bot_turn.take_turn(game, seat, choice.token)
        if len(choice.offers) > 1:  # some deals allow one action only
            return Thought.objects.latest("seq")


def test_it_is_shown_as_a_page(thought: Thought, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("recheck_decision", thought.game_id, str(thought.seq))
    output = capsys.readouterr().out
    head = f"Entry {thought.seq} of {thought.game_id}: mcts at seat {thought.seat}, "
    assert output.startswith(head)
    assert output.endswith("The bot makes the same decision.\n")


def test_another_seed_is_another_thought(thought: Thought) -> None:
    table = selectors.game_projection(thought.game_id, thought.known)
    same = recheck_decision.decide_again(thought, table)
    assert recheck_decision.decide_again(thought, table) == same
    thought.simulations = 200  # with few simulations, all worlds may look alike
    estimates = set()
    for _ in range(5):
        thought.seed += 1
        estimates.add(recheck_decision.decide_again(thought, table).estimates)
    assert len(estimates) > 1


def alter_bot(thought: Thought) -> None:
    """Change the stored bot to another one, which would have decided otherwise."""
    for seed in range(100):
        Thought.objects.filter(pk=thought.pk).update(bot="random", seed=seed)
        try:
            call_command("recheck_decision", thought.game_id, str(thought.seq))
        except CommandError:
            return


def test_a_note_that_was_altered_does_not_fit(thought: Thought) -> None:
    alter_bot(thought)
    with pytest.raises(CommandError, match="although its code is the same"):
        call_command("recheck_decision", thought.game_id, str(thought.seq))


def test_earlier_code_that_decides_the_same_is_the_same_code(thought: Thought) -> None:
    alter_bot(thought)
    creation = selectors.game_projection(thought.game_id).creation
    ruleset = creation.rules, creation.version
    (earlier, *_) = bot_registry.equal_code_digests(*ruleset) - {bot_registry.code_digest(*ruleset)}
    Thought.objects.filter(pk=thought.pk).update(digest=earlier)
    with pytest.raises(CommandError, match="although its code is the same"):
        call_command("recheck_decision", thought.game_id, str(thought.seq))


def test_a_bot_of_older_code_may_have_decided_otherwise(thought: Thought) -> None:
    alter_bot(thought)
    Thought.objects.filter(pk=thought.pk).update(digest="0" * 64)
    with pytest.raises(CommandError, match="its code has changed since"):
        call_command("recheck_decision", thought.game_id, str(thought.seq))


def test_what_nobody_thought_cannot_be_thought_again(thought: Thought) -> None:
    with pytest.raises(CommandError, match="No bot decision is stored"):
        call_command("recheck_decision", thought.game_id, "1")
