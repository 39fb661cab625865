"""A bot's decision repeated after the end of the game, for its estimates of all actions: workers
repeat a search, part by part; a bot that does not search decides again at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

from ai import bot_registry, levels, view_guard
from ai.analysis import result_merge
from ai.analysis.decision_search import (
    SearchResult,
    engine_of,
    imagine_state,
    part_seed,
    search_decision,
)
from ai.analysis.finding_shapes import (
    BotMethod,
    ThoughtAction,
    ThoughtFindings,
    Weighed,
    thought_actions,
)
from ai.analysis.result_merge import CombinedStats
from ai.bot_kinds import Budget
from ai.models import Analysis, Thought
from games import selectors
from games.selectors import DecisionPoint, TakenDecision
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.heuristics import HEURISTICS
from tabularium_engines.installed.registry import Ruleset
from tabularium_engines.search.greedy import WORLD_COUNT, WeighedActions

HEURISTIC_BOTS: Final = frozenset({"greedy", "careless"})  # they look one decision ahead


def find_thought(game: str, entry: int) -> Thought | None:
    """How a bot reached the action of an entry; None if no bot's decision is stored for it."""
    return Thought.objects.filter(game_id=game, seq=entry).first()


def has_same_code(thought: Thought, slug: str, version: int) -> bool:
    """Whether the code that decided would make the same decisions as the present code."""
    return thought.digest in bot_registry.equal_code_digests(slug, version)


def simulations_of_parts(thought: Thought) -> list[int]:
    """The simulations of each search behind the decision: of one, or of all that shared it."""
    if not thought.parts:
        return [thought.simulations]
    return [int(simulations) for simulations in thought.parts.split()]


def decision_of(thought: Thought) -> TakenDecision:
    """The decision as the bot saw it, and the action that it took."""
    assert thought.seq is not None
    return selectors.decision_behind_entry(
        thought.game_id, thought.seq, thought.seat, thought.known
    )


# -- a search -------------------------------------------------------------------------------------


def repeat_search(
    analysis: Analysis, spread: int, budget: Budget, is_wanted: Callable[[], bool]
) -> SearchResult:
    """Repeat one of the searches behind the decision. One that had no time did nothing."""
    thought = _thought_of(analysis)
    if not budget.simulations:
        return SearchResult(0, ())
    seed = part_seed(thought.seed, spread) if thought.parts else thought.seed
    decision = decision_of(thought).decision
    return search_decision(decision, seed, budget, is_wanted=is_wanted)


def _thought_of(analysis: Analysis) -> Thought:
    return Thought.objects.get(game_id=analysis.game_id, seq=analysis.entry)


def search_findings(analysis: Analysis, results: Sequence[SearchResult]) -> ThoughtFindings:
    """The bot's thought, by all its searches together."""
    thought = _thought_of(analysis)
    taken = decision_of(thought)
    weighed = [
        Weighed(stats.code, stats.visits, stats.value)
        for stats in sorted(
            result_merge.combine_results(results), key=_preference(thought, results[0])
        )
    ]
    actions = thought_actions(taken.decision, weighed)
    return _findings(thought, taken, actions[0].action, actions)


def _preference(
    thought: Thought, result: SearchResult
) -> Callable[[CombinedStats], tuple[int, int]]:
    """The order in which the bot prefers actions. Of those tried equally often a bot that decides
    alone takes the first that it considered, and those that share a decision the lowest number."""
    considered = [stats.code for stats in result.actions]
    place = (lambda code: code) if thought.parts else considered.index
    return lambda stats: (-stats.visits, place(stats.code))


# -- bots that do not search ----------------------------------------------------------------------


def instant_findings(thought: Thought) -> ThoughtFindings:
    """The thought of a bot that did not search: it never does, or had no choice. This takes a
    few milliseconds."""
    taken = decision_of(thought)
    decision = taken.decision
    decided = view_guard.decide_from_view(
        decision.ruleset, decision.version, thought.bot, decision.view, thought.seed, Budget()
    )
    codec = engine_of(decision).action_codec
    decided_action = None if decided.action is None else codec.to_json(decided.action)
    is_weighing = method_of(thought.bot, decision.ruleset) in HEURISTIC_BOTS
    weighed = _heuristic_values(thought, decision) if is_weighing else []
    return _findings(thought, taken, decided_action, thought_actions(decision, weighed))


def method_of(bot: str, slug: str) -> BotMethod:
    """How a bot decides: the kind of bot that a level is."""
    level = levels.find_level(bot, slug)
    return cast("BotMethod", level.bot if level else bot)


def _heuristic_values(thought: Thought, decision: DecisionPoint) -> list[Weighed]:
    """The value of each action, in the worlds in which the bot saw it; the best
    first."""
    rng = FastRng(thought.seed)
    state = engine_of(decision).imagine(decision.view, rng)
    heuristic = HEURISTICS[Ruleset(decision.ruleset, decision.version)]
    weighed = WeighedActions(state, decision.seat, heuristic, rng)
    scale = result_merge.VALUE_SCALE / int(WORLD_COUNT)
    by_value = sorted(zip(weighed.values, weighed.actions, strict=True), key=lambda pair: -pair[0])
    return [Weighed(int(code), None, round(scale * total)) for total, code in by_value]


# -- findings -------------------------------------------------------------------------------------


def _findings(
    thought: Thought,
    taken: TakenDecision,
    decided_action: Json,
    actions: tuple[ThoughtAction, ...],
) -> ThoughtFindings:
    chosen = next((each for each in actions if each.action == taken.action), None)
    return ThoughtFindings(
        method=method_of(thought.bot, taken.decision.ruleset),
        is_calibrated=False,
        is_same=decided_action == taken.action,
        chosen=chosen or _unweighed_action(taken),
        actions=actions,
    )


def _unweighed_action(taken: TakenDecision) -> ThoughtAction:
    """The action that was taken, by a bot that did not weigh it."""
    decision = taken.decision
    engine, state = engine_of(decision), imagine_state(decision, 0)
    code = engine.encode(state, decision.seat, taken.action)
    return ThoughtAction(taken.action, engine.label(state, decision.seat, code), None, None)
