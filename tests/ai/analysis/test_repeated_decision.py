"""Repeated decisions: the thought of a bot is found again from the log, however it decided."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.utils import timezone

from ai import bot_registry, bot_turn, reactions
from ai.analysis import (
    analysis_completion,
    analysis_requests,
    parallel_bot_decision,
    part_worker,
    repeated_decision,
)
from ai.analysis.finding_shapes import ThoughtFindings
from ai.analysis.part_dispatch import ANALYSES_QUEUE, PartMessage
from ai.bot_kinds import Budget
from ai.management.commands import recheck_decision
from ai.models import Analysis, Thought
from games import selectors, services
from games.models import Account, Game
from games.selectors import decisions
from games.services import SeatAssignment
from tabularium_engines.common.json_codec import from_json
from tabularium_engines.installed.registry import ENGINES
from tests.ai.analysis.conftest import SLUG, work_on, work_on_all
from tests.ai.test_reactions import law_game, message_of
from tests.ai.test_tasks import deliver

pytestmark = pytest.mark.django_db

WORKERS = 3
DECISIONS = 6


@pytest.fixture(autouse=True)
def over(sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game counts as over."""
    monkeypatch.setattr(decisions, "check_game_over", lambda game: None)


def thoughts_of(slug: str, bot: str) -> list[Thought]:
    """The thoughts of the first decisions at a table of one bot."""
    seats = ENGINES[slug].about.seats[0]
    game = services.create_game(slug, [SeatAssignment(bot=bot)] * seats).projection.game
    for _ in range(DECISIONS):
        take_turn(game)
    return list(Thought.objects.order_by("seq"))


def take_turn(game: str) -> Any:
    """Let the awaited bot decide."""
    table = selectors.game_projection(game)
    seat = selectors.awaited_bot_seats(table)[0]
    return bot_turn.take_turn(game, seat, table.choice_token(seat))


def begin(thought: Thought, account: Account) -> Analysis:
    """The errand of workers that repeats a search."""
    game = Game.objects.get(pk=thought.game_id)
    question = analysis_requests.repetition_question(game, thought)
    return analysis_requests.begin_analysis(question, account.pk)[0]


def findings_of(analysis: Analysis) -> ThoughtFindings:
    """The findings of the workers."""
    analysis.refresh_from_db()
    assert analysis.state == Analysis.State.DONE
    return from_json(ThoughtFindings, orjson.loads(analysis.result))


def action_of(thought: Thought) -> Any:
    """The action of the thought's entry."""
    return selectors.game_projection(thought.game_id, thought.seq).entry.action


class TestABotThatLooksAhead:
    @pytest.mark.parametrize("slug", ENGINES)
    def test_has_chosen_the_best(self, slug: str) -> None:
        for thought in thoughts_of(slug, "greedy"):
            findings = repeated_decision.instant_findings(thought)
            assert (findings.method, findings.is_same) == ("greedy", True)
            assert findings.chosen.action == action_of(thought)
            assert findings.chosen in findings.actions
            values = [action.value for action in findings.actions if action.value is not None]
            assert values == sorted(values, reverse=True)
            assert findings.chosen.value == values[0]
            assert {action.visits for action in findings.actions} == {None}

    def test_may_have_been_careless(self) -> None:
        thoughts = thoughts_of("duality", "level_1")
        for thought in thoughts:
            findings = repeated_decision.instant_findings(thought)
            assert (findings.method, findings.is_same) == ("careless", True)
            better_half = findings.actions[: (len(findings.actions) + 1) // 2]
            assert findings.chosen.value in [action.value for action in better_half]

    def test_may_have_reacted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        thought = reaction_of("greedy", monkeypatch)
        findings = repeated_decision.instant_findings(thought)
        assert findings.is_same
        (waiting,) = [action for action in findings.actions if action.action is None]
        assert waiting.label == "Wait"
        assert waiting.value is not None
        assert findings.chosen.value is not None
        assert findings.chosen.value > waiting.value


def reaction_of(bot: str, monkeypatch: pytest.MonkeyPatch) -> Thought:
    """The thought of a bot that played a Bill while a person was on turn."""
    monkeypatch.setattr(reactions, "sleep", lambda seconds: None)
    table = law_game("me", bot, "me")
    deliver(message_of(table))
    after = selectors.game_projection(table.game)
    monkeypatch.setattr(
        decisions, "game_projection", lambda game, seq: table if seq == table.seq else after
    )
    return Thought.objects.get(seq=table.seq + 1)


class TestABotThatWeighsNothing:
    def test_has_chosen_all_the_same(self) -> None:
        for thought in thoughts_of("law_of_the_dice", "random"):
            findings = repeated_decision.instant_findings(thought)
            assert (findings.method, findings.is_same, findings.actions) == ("random", True, ())
            chosen = findings.chosen
            assert (chosen.action, chosen.visits, chosen.value) == (action_of(thought), None, None)
            assert chosen.label

    def test_has_chosen_otherwise_if_its_seed_is_another(self) -> None:
        thought = thoughts_of("duality", "random")[0]
        are_same = set()
        for seed in range(30):
            thought.seed = seed
            are_same.add(repeated_decision.instant_findings(thought).is_same)
        assert are_same == {True, False}


class TestASearch:
    @pytest.mark.parametrize(
        ("slug", "bot"),
        [("law_of_the_dice", "level_3"), ("law", "level_3"), ("duality", "level_3")],
    )
    def test_is_made_again(
        self, slug: str, bot: str, account: Account, sent_parts: list[PartMessage]
    ) -> None:
        searched = [thought for thought in thoughts_of(slug, bot) if thought.simulations]
        for thought in searched[:2]:
            analysis = begin(thought, account)
            assert [message.queue for message in sent_parts] == [ANALYSES_QUEUE]
            work_on_all(sent_parts)
            findings = findings_of(analysis)
            assert (findings.method, findings.is_same) == ("mcts", True)
            assert findings.chosen == findings.actions[0]
            table = selectors.game_projection(thought.game_id, thought.known)
            estimates = recheck_decision.decide_again(thought, table).estimates
            assert [action.visits for action in findings.actions] == [
                estimate.visits for estimate in estimates
            ]
        assert searched

    def test_of_a_reaction_is_made_again(
        self, account: Account, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        thought = reaction_of("level_3", monkeypatch)
        assert thought.simulations
        analysis = begin(thought, account)
        work_on_all(sent_parts)
        findings = findings_of(analysis)
        assert findings.is_same
        assert None in [action.action for action in findings.actions]

    def test_that_is_cut_tells_nothing(
        self, account: Account, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        thought = next(each for each in thoughts_of("law", "level_3") if each.simulations > 1)
        analysis = begin(thought, account)
        monkeypatch.setattr(part_worker, "_part_seconds", lambda analysis: 1e-9)
        work_on_all(sent_parts)
        analysis.refresh_from_db()
        assert (analysis.state, analysis.result) == (Analysis.State.FAILED, "")
        monkeypatch.undo()
        assert begin(thought, account) != analysis

    def test_is_begun_once(self, account: Account) -> None:
        thought = next(each for each in thoughts_of("law", "level_3") if each.simulations)
        assert begin(thought, account) == begin(thought, account)


class TestASharedSearch:
    @pytest.fixture
    def shared(
        self, account: Account, sent_parts: list[PartMessage], monkeypatch: pytest.MonkeyPatch
    ) -> str:
        """A game in which several workers search for a bot."""
        monkeypatch.setattr(bot_registry, "bot_budget", lambda bot, slug: Budget(0.01, parts=3))
        monkeypatch.setattr(parallel_bot_decision, "ACT_GRACE_SECONDS", 600.0)
        game = services.create_game(SLUG, [SeatAssignment(bot="mcts")] * 2).projection.game
        assert take_turn(game) is None
        return game

    def test_is_shared_again(
        self, shared: str, account: Account, sent_parts: list[PartMessage]
    ) -> None:
        for message in sent_parts[:WORKERS]:
            work_on(message)
        sent_parts.clear()
        thought = Thought.objects.get()
        analysis = begin(thought, account)
        assert work_on_all(sent_parts) == WORKERS
        findings = findings_of(analysis)
        assert findings.is_same
        assert findings.chosen == findings.actions[0]
        visits = sum(action.visits or 0 for action in findings.actions)
        assert visits > thought.simulations

    def test_is_repeated_without_the_parts_that_came_too_late(
        self, shared: str, account: Account, sent_parts: list[PartMessage]
    ) -> None:
        work_on(sent_parts[1])
        expire_deadlines()
        analysis_completion.end_overdue_analyses()
        sent_parts.clear()
        thought = Thought.objects.get()
        assert thought.parts.startswith("0 ")
        analysis = begin(thought, account)
        work_on_all(sent_parts)
        assert findings_of(analysis).is_same

    def test_that_nobody_finishes_tells_nothing(
        self, shared: str, account: Account, sent_parts: list[PartMessage]
    ) -> None:
        for message in sent_parts[:WORKERS]:
            work_on(message)
        sent_parts.clear()
        analysis = begin(Thought.objects.get(), account)
        work_on(sent_parts[0])
        expire_deadlines()
        assert analysis_completion.end_overdue_analyses() == 1
        analysis.refresh_from_db()
        assert analysis.state == Analysis.State.FAILED

    def test_that_had_no_choice_took_no_time(
        self,
        shared: str,
        account: Account,
        sent_parts: list[PartMessage],
    ) -> None:
        """All workers saw that one action alone is promising."""
        for message in sent_parts[:WORKERS]:
            work_on(message)
        Thought.objects.update(parts="0 0 0", simulations=0, bot="greedy")
        thought = Thought.objects.get()
        table = selectors.game_projection(thought.game_id, thought.known)
        decided = recheck_decision.decide_again(thought, table)
        actions = repeated_decision.instant_findings(thought).actions
        decided_action = recheck_decision.action_json(table, decided.action)
        (chosen,) = [action for action in actions if action.action == decided_action]
        assert chosen.value == actions[0].value


def expire_deadlines() -> None:
    """Move all deadlines into the past."""
    Analysis.objects.update(deadline=timezone.now() - timedelta(seconds=1))
