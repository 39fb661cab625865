"""A bot's decision searched in parallel by several workers: an analysis in parts, on the sum of
whose results the bot acts when its time is up."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone

from ai import bot_decision, clock_budget
from ai.analysis import result_merge
from ai.analysis.decision_search import (
    SearchResult,
    engine_of,
    imagine_state,
    part_seed,
    search_decision,
)
from ai.analysis.result_merge import CombinedStats
from ai.bot_kinds import ActionEstimate, BotDecision, Budget
from ai.models import Analysis, Thought
from games import selectors, services
from games.selectors import BotTurn, DecisionPoint
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection.projection import GameRefusal

logger = logging.getLogger(__name__)
# a bot acts within this after its thinking time, even if a worker dies
ACT_GRACE_SECONDS: Final = 1.5
# a round of the sweeper: the deadline is that much earlier
SWEEP_ROUND_SECONDS: Final = 1.0


def decision_deadline(now: datetime, seconds: float) -> datetime:
    """The time at which a bot that thinks for so long acts on the results so far."""
    return now + timedelta(seconds=seconds + ACT_GRACE_SECONDS - SWEEP_ROUND_SECONDS)


def extend_deadline(analysis: Analysis) -> bool:
    """Wait as long again for a first result, if the decision is still open and there is time."""
    turn = _open_turn(analysis)
    if turn is None:
        return False
    new_deadline = decision_deadline(timezone.now(), analysis.seconds)
    reserve = timedelta(seconds=SWEEP_ROUND_SECONDS + clock_budget.commit_delays.margin)
    if turn.deadline is not None and new_deadline + reserve > turn.deadline:
        return False
    Analysis.objects.filter(pk=analysis.pk).update(deadline=new_deadline)
    return True


def act_without_search(analysis: Analysis) -> None:
    """Decide without a search: there is no result and no time to wait."""
    turn = _open_turn(analysis)
    if turn is not None:
        assert analysis.seat is not None
        bot_decision.decide_and_append(analysis.game_id, analysis.seat, turn, None)


def _open_turn(analysis: Analysis) -> BotTurn | None:
    """The decision that the analysis is for, if it is still open."""
    assert analysis.seat is not None
    turn = selectors.bot_turn(analysis.game_id, analysis.seat)
    return turn if turn is not None and turn.token == analysis.choice else None


def act_on_results(analysis: Analysis, results: Mapping[int, SearchResult]) -> None:
    """Append the most visited action, if the bot still has the choice."""
    game, seat, seq = analysis.game_id, analysis.seat, analysis.seq
    bot, choice = analysis.bot, analysis.choice
    assert seat is not None
    assert seq is not None
    assert analysis.seed is not None
    decision = selectors.game_decision(game, seat, seq)
    action = _action_document(decision, result_merge.combine_results(results.values())[0])
    note = Thought(
        game_id=game,
        known=seq,
        seat=seat,
        bot=bot,
        digest=analysis.digest,
        seed=analysis.seed,
        simulations=result_merge.total_simulations(results.values()),
        parts=" ".join(
            str(results[n].simulations if n in results else 0) for n in _part_numbers(results)
        ),
    )
    try:
        services.append_action(game, seat, action, bot=bot, choice=choice, note=note)
    except GameRefusal as refusal:  # the choice is stale, or the seat has another player
        logger.debug("The decision for seat %s of %s came too late: %s", seat, game, refusal)


def _part_numbers(results: Mapping[int, SearchResult]) -> range:
    return range(max(results) + 1)


def _action_document(decision: DecisionPoint, stats: CombinedStats) -> Json:
    state = imagine_state(decision, 0)
    return engine_of(decision).action_json(state, decision.seat, stats.code)


def repeat_decision(thought: Thought, decision: DecisionPoint) -> BotDecision:
    """Repeat the searches of the parts, and the bot's decision from them."""
    parts = [int(simulations) for simulations in thought.parts.split()]
    findings = [
        search_decision(decision, part_seed(thought.seed, spread), Budget(simulations=simulations))
        for spread, simulations in enumerate(parts)
        if simulations
    ]
    engine, state = engine_of(decision), imagine_state(decision, 0)
    estimates = [
        ActionEstimate(engine.decode(state, decision.seat, stats.code), stats.visits, stats.mean)
        for stats in result_merge.combine_results(findings)
    ]
    return BotDecision(estimates[0].action, thought.simulations, tuple(estimates))
