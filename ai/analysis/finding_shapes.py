"""The shapes of findings: dataclasses of an analysis's results as clients receive them. Every value
is in thousandths, from the point of view of the seat that decides: 0 is lost, 1000 is won. The
results of several searches are summed first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from ai.analysis import result_merge
from ai.analysis.decision_search import (
    MAX_ACTIONS_WITH_LINE,
    SearchResult,
    engine_of,
    imagine_state,
)
from ai.analysis.result_merge import CombinedStats
from games.selectors import DecisionPoint, TakenDecision
from tabularium_engines.search.node import WAIT
from tabularium_log.forms import Count, Positive, SearchSeed, SeatIndex, Thousandths

BotMethod = Literal["random", "careless", "greedy", "mcts"]
WAIT_LABEL: Final = "Wait"


@dataclass(frozen=True)
class ExpectedStep:
    """The action taken most often at this point of the imagined worlds, and how often. Only the
    first step of a line is an actual choice; cards that other seats hold in it are a guess."""

    seat: SeatIndex
    label: str  #: The action in words, in English.
    visits: Count  #: How often the search has tried it.


@dataclass(frozen=True)
class WeighedAction:
    """An action, ready to be sent, and the search's estimate of it."""

    action: Any  #: An action, as the schema of the ruleset's actions describes it.
    label: str  #: The action in words, in English.
    visits: Count  #: How often the search has tried it.
    value: Thousandths | None  #: The estimated value, in thousandths: 1000 is won; null if unknown.
    line: tuple[ExpectedStep, ...]  #: The actions that are expected to follow.


@dataclass(frozen=True)
class SearchPart:
    """A search that can be repeated: this seed and number of simulations give the same result."""

    seed: SearchSeed  #: The seed of the search.
    simulations: Count  #: The number of simulations.


@dataclass(frozen=True)
class PositionFindings:
    """The analysis of one decision: the best actions first, out of `considered` ones."""

    is_partial: bool  #: Whether some parts were not finished in time.
    simulations: Count  #: The number of simulations.
    considered: Count  #: The number of actions that were considered.
    actions: tuple[WeighedAction, ...]  #: The best actions, the best first.
    parts: tuple[SearchPart, ...]  #: The searches of which it is the sum.


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision of the game: the action taken in entry `entry`, with the knowledge after entry
    `seq`, and the action that would have been best. Null marks values that were not found: a forced
    action has no value."""

    seq: Count  #: The entry after which the seat decided.
    entry: Positive  #: The number of the entry with the action.
    seat: SeatIndex
    action: Any  #: An action, as the schema of the ruleset's actions describes it.
    label: str  #: The action in words, in English.
    value: Thousandths | None  #: The estimated value, in thousandths: 1000 is won; null if unknown.
    visits: Count  #: How often the search has tried it.
    best: Any  #: The action that would have been best; null if none was found.
    best_label: str | None  #: That action in words.
    best_value: Thousandths | None  #: The value of the best action, in thousandths.
    loss: Thousandths | None  #: The value that was given away, in thousandths; null if unknown.
    simulations: Count  #: The number of simulations.


@dataclass(frozen=True)
class ReviewedSeat:
    """How a seat decided: the number of decisions, how many of them could be compared, and the mean
    loss of those."""

    seat: SeatIndex
    decisions: Count  #: The number of its decisions.
    compared: Count  #: The number of decisions that could be compared.
    mean_loss: Thousandths | None  #: The mean loss of a decision, in thousandths.


@dataclass(frozen=True)
class GameFindings:
    """The analysis of every decision of a game."""

    is_partial: bool  #: Whether some parts were not finished in time.
    simulations: Count  #: The number of simulations.
    seats: tuple[ReviewedSeat, ...]  #: The seats, clockwise.
    decisions: tuple[ReviewedDecision, ...]  #: The decisions, in order.


@dataclass(frozen=True)
class ThoughtAction:
    """An action as a bot saw it; null: to wait, where the game does not wait for the seat. A bot
    that does not search has no visits, and one that weighs nothing has no values."""

    action: Any  #: The action, ready to be sent; null: to wait.
    label: str  #: The action in words, in English.
    visits: Count | None  #: How often the search has tried it; null if the bot does not search.
    value: Thousandths | None  #: The estimated value, in thousandths: 1000 is won; null if unknown.


@dataclass(frozen=True)
class ThoughtFindings:
    """The actions that a bot weighed, the best first, and the one that it chose. It is not
    `is_same` if the bot, asked again, chooses another."""

    method: BotMethod  #: How the bot decides: a level decides as one of these does.
    #: Whether values are chances of winning; if not, they only put actions in an order.
    is_calibrated: bool
    is_same: bool  #: Whether the bot, asked again, chooses the same action.
    chosen: ThoughtAction  #: The action that was chosen.
    #: The actions that it weighed, the best first; empty if it weighed none.
    actions: tuple[ThoughtAction, ...]


# -- a position -----------------------------------------------------------------------------------


def position_findings(
    decision: DecisionPoint, target: int, seeded_results: Sequence[tuple[int, SearchResult]]
) -> PositionFindings:
    """The combined findings of the searches, each with its seed, about a decision."""
    findings = [result for _, result in seeded_results]
    sums, simulations = (
        result_merge.combine_results(findings),
        result_merge.total_simulations(findings),
    )
    engine, state, seat = engine_of(decision), imagine_state(decision, 0), decision.seat
    actions = tuple(
        WeighedAction(
            engine.action_json(state, seat, stats.code),
            engine.label(state, seat, stats.code),
            stats.visits,
            stats.value,
            tuple(ExpectedStep(*step) for step in stats.line),
        )
        for stats in sums[:MAX_ACTIONS_WITH_LINE]
    )
    parts = tuple(SearchPart(str(seed), result.simulations) for seed, result in seeded_results)
    is_partial = len(sums) > 1 and simulations < target
    return PositionFindings(is_partial, simulations, len(sums), actions, parts)


# -- a game ---------------------------------------------------------------------------------------


def review_decision(taken: TakenDecision, result: SearchResult | None) -> ReviewedDecision:
    """The action taken, compared with a search's result; None: no worker had time to search."""
    decision = taken.decision
    engine, state, seat = engine_of(decision), imagine_state(decision, 0), decision.seat
    code = engine.encode(state, seat, taken.action)
    sums = result_merge.combine_results([result]) if result else []
    taken_stats = next((stats for stats in sums if stats.code == code), None)
    best_stats = sums[0] if sums else None
    return ReviewedDecision(
        seq=decision.seq,
        entry=decision.seq + 1,
        seat=seat,
        action=taken.action,
        label=engine.label(state, seat, code),
        value=taken_stats.value if taken_stats else None,
        visits=taken_stats.visits if taken_stats else 0,
        best=engine.action_json(state, seat, best_stats.code) if best_stats else None,
        best_label=engine.label(state, seat, best_stats.code) if best_stats else None,
        best_value=best_stats.value if best_stats else None,
        loss=_loss(taken_stats, best_stats),
        simulations=result.simulations if result else 0,
    )


def _loss(taken: CombinedStats | None, best_stats: CombinedStats | None) -> int | None:
    """The value given away. An action that looks better than the most visited one was tried too
    rarely to count as better."""
    if taken is None or best_stats is None or taken.value is None or best_stats.value is None:
        return None
    return max(0, best_stats.value - taken.value)


def game_findings(
    decisions: Sequence[ReviewedDecision], seats: int, is_partial: bool
) -> GameFindings:
    """The findings about a whole game."""
    simulations = sum(decision.simulations for decision in decisions)
    reviewed_seats = tuple(_review_seat(seat, decisions) for seat in range(seats))
    return GameFindings(is_partial, simulations, reviewed_seats, tuple(decisions))


def _review_seat(seat: int, decisions: Sequence[ReviewedDecision]) -> ReviewedSeat:
    seat_decisions = [decision for decision in decisions if decision.seat == seat]
    losses = [decision.loss for decision in seat_decisions if decision.loss is not None]
    mean = round(sum(losses) / len(losses)) if losses else None
    return ReviewedSeat(seat, len(seat_decisions), len(losses), mean)


# -- a thought ------------------------------------------------------------------------------------


class Weighed(NamedTuple):
    """The engine's number of an action, or of waiting, and a bot's estimate of it."""

    code: int
    visits: int | None
    value: int | None


def thought_actions(
    decision: DecisionPoint, weighed: Sequence[Weighed]
) -> tuple[ThoughtAction, ...]:
    """The weighed actions in words, in the same order."""
    engine, state, seat = engine_of(decision), imagine_state(decision, 0), decision.seat
    return tuple(
        ThoughtAction(None, WAIT_LABEL, visits, value)
        if code == WAIT
        else ThoughtAction(
            engine.action_json(state, seat, code), engine.label(state, seat, code), visits, value
        )
        for code, visits, value in weighed
    )
