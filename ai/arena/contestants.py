"""The contestants of the arena: bots by name, each with its budget. Some are not bots of the
service: a search divided among workers, one without reactions, one with perfect information as an
upper bound, for only the arena has a true state to show it, and players of a single game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from ai.arena import rusher
from ai.arena.builder import Builder
from ai.arena.checkout_bot import bot_of_checkout
from ai.arena.rusher import Rusher
from ai.bot_kinds import Bot, BotDecision, Budget, GreedyBot, MctsBot, action_of_code
from ai.bot_registry import bot_budget, create_bot, create_searcher
from tabularium_engines.base import AnyEngine, Rng, State
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.heuristics.duel_of_law import DuelHeuristic
from tabularium_engines.installed.heuristics import tuning_of
from tabularium_engines.search.ismcts import Search
from tabularium_engines.search.node import WAIT
from tabularium_engines.search.playout import HeuristicEvaluator
from tabularium_engines.search.true_state_search import PerfectInformationSearch

DEFAULT_THINKING_SECONDS: Final = 0.2  # per decision, for a bot without a number of simulations
SEED_RANGE: Final = 1 << 30
DUEL_OF_LAW: Final = "duel_of_law"
MOST_CARDS_OF_THE_FRUGAL: Final = 4  # a turn


class FullView(NamedTuple):
    """A view in which all cards are visible."""

    seat: int
    state: State


class OpenEngine:
    """An engine that hides nothing: the imagined state is the true one."""

    def __init__(self, engine: AnyEngine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def view(self, state: State, seat: int) -> FullView:
        """The complete state."""
        return FullView(seat, state)

    def imagine(self, view: FullView, rng: Rng) -> State:
        """A copy of the true state."""
        return view.state.clone()


class PerfectInformationBot(MctsBot):
    """The search of `mcts` with all cards visible."""

    name = "peeking"

    def create_search(self, state: State, seat: int, rng: Rng, extra: int = -1) -> Search:
        """A search that redeals nothing."""
        return PerfectInformationSearch(state, seat, self._evaluator, rng, self._exploration, extra)


class ParallelBot:
    """A bot that acts on the summed results of several searches by another bot, each with the whole
    budget; as in an analysis, ties go to the lowest action."""

    def __init__(self, bot: Bot, parts: int) -> None:
        self.name = f"{bot.name}*{parts}"
        self._bot = bot
        self._parts = parts

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """The action with the most visits over all searches."""
        chances = [FastRng(rng.below(SEED_RANGE)) for _ in range(self._parts)]
        answers = [self._bot.choose(engine, view, chance, budget) for chance in chances]
        state, visits = engine.imagine(view, rng), Counter[int]()
        for estimate in (estimate for answer in answers for estimate in answer.estimates):
            action = estimate.action
            visits[WAIT if action is None else engine.encode(state, view.seat, action)] += (
                estimate.visits
            )
        best_code = min(visits, key=lambda code: (-visits[code], code))
        simulations = sum(answer.simulations for answer in answers)
        return BotDecision(action_of_code(engine, state, view.seat, best_code), simulations)


class MuteBot(MctsBot):
    """The search of `mcts`, which acts only when the game waits for it."""

    name = "mute"

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """As `mcts`; out of turn it waits without a thought."""
        if not int(engine.imagine(view, rng).to_act) >> view.seat & 1:
            return BotDecision(None)
        return super().choose(engine, view, rng, budget)


class FrugalBot(MctsBot):
    """A player of Duel of Law that lays four cards a turn at most: it shows whether bots lay too
    many. With a number of simulations it searches."""

    name = "frugal"

    def __init__(self) -> None:
        heuristic = DuelHeuristic(MOST_CARDS_OF_THE_FRUGAL)
        self._greedy = GreedyBot(heuristic)
        super().__init__(HeuristicEvaluator(heuristic), tuning_of(DUEL_OF_LAW).exploration)

    def choose(self, engine: AnyEngine, view: Any, rng: Rng, budget: Budget) -> BotDecision:
        """As `greedy` or `mcts`."""
        if budget.simulations:
            return super().choose(engine, view, rng, budget)
        return self._greedy.choose(engine, view, rng, budget)


# by game, players that are not bots of the service
PLAYERS: Final[Mapping[str, Mapping[str, Callable[[], Bot]]]] = {
    rusher.SLUG: {kind.name: kind for kind in (Rusher, Builder)},
    DUEL_OF_LAW: {FrugalBot.name: FrugalBot},
}
# kinds of search that are not bots of the service
SEARCHERS: Final = {kind.name: kind for kind in (PerfectInformationBot, MuteBot)}


@dataclass(frozen=True)
class Contestant:
    """A bot and its budget; one with `sees_everything` plays on an engine that hides nothing."""

    bot: Bot
    budget: Budget = field(default_factory=Budget)
    sees_everything: bool = False

    def choose_action(self, engine: AnyEngine, state: Any, seat: int, rng: Rng) -> Any:
        """The bot's action in that state; None: out of turn, it waits."""
        shown_engine: Any = OpenEngine(engine) if self.sees_everything else engine
        return self.bot.choose(
            shown_engine, shown_engine.view(state, seat), rng, self.budget
        ).action


def parse_contestant(
    name: str, slug: str, seconds: float = DEFAULT_THINKING_SECONDS, version: int | None = None
) -> Contestant:
    """A bot by its name, optionally with its number of simulations, "mcts:1000", or that many in
    each of several workers, "mcts:1000*2". With a number there is no time limit. "peeking:1000" is
    the same search with perfect information, "mute:1000" without reactions, "rush" and "build"
    are scripted players of Law of the Dice, "frugal:100" is a player of Duel of Law. "mcts@../old"
    is the bot of another checkout of this project."""
    name, _, checkout = name.partition("@")
    if checkout:
        bot = bot_of_checkout(Path(checkout).resolve(), name, slug, seconds, version)
        return Contestant(bot)
    kind, _, suffix = name.partition(":")
    number, _, parts = suffix.partition("*")
    simulations = int(number) if number else bot_budget(kind, slug).simulations
    if create_player := PLAYERS.get(slug, {}).get(kind):
        return Contestant(create_player(), Budget(0.0, simulations))
    is_peeking = kind == PerfectInformationBot.name
    searcher = SEARCHERS.get(kind)
    player = (
        create_searcher(slug, searcher, version) if searcher else create_bot(kind, slug, version)
    )
    if parts and (kind != "mcts" or int(parts) < 1):
        raise ValueError(f"{name}: only searches can be divided, and into at least one part.")
    player = ParallelBot(player, int(parts)) if parts else player
    budget = Budget(0.0 if simulations else seconds, simulations)
    return Contestant(player, budget, is_peeking)
