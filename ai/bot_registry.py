"""The registry of bots: the bots of each game, and the digest of their code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from ai import levels
from ai.bot_kinds import Bot, Budget, CarelessBot, GreedyBot, LevelBot, MctsBot, RandomBot
from tabularium_engines.heuristics.base import Heuristic
from tabularium_engines.installed import registry as rules
from tabularium_engines.installed.heuristics import HEURISTICS, MODULES, evaluator_of, tuning_of
from tabularium_engines.installed.registry import Ruleset
from tabularium_engines.search.playout import Evaluator

# by game and version; checked by tests/ai/test_equal_code.py
EQUAL_CODE_FILE: Final = Path(__file__).resolve().with_name("equal_code.json")
# of careless bots; a game may have one whose play is easier to follow
EASY_HEURISTICS: Final[Mapping[Ruleset, Heuristic]] = {
    ruleset: getattr(MODULES.get(ruleset), "EASY_HEURISTIC", heuristic)
    for ruleset, heuristic in HEURISTICS.items()
}


# per decision
THINKING_SECONDS: Mapping[str, float] = {
    "random": 0.0,
    "greedy": 0.0,
    "mcts": 0.5,
}
# with the engines and searches that they import
DIGESTED_MODULES: Final = ("ai.bot_kinds", "ai.levels", "ai.view_guard", "ai.bot_registry")
DESCRIPTIONS: Mapping[str, str] = {
    "random": "Plays any legal action.",
    "greedy": "Looks one decision ahead with the game's heuristic.",
    "mcts": "Searches sampled hidden states until its time runs out.",
}
LEVEL_DESCRIPTION: Final = (
    "One of a game's levels, each of which measurably beats the one below it."
)
COMMON_BOT_NAMES = tuple(THINKING_SECONDS)  # offered by every game, in addition to its levels


class UnknownBot(LookupError):
    """There is no bot of that name, or none for that game."""


def bot_description(name: str) -> str:
    """A one-sentence description of a bot."""
    return DESCRIPTIONS.get(name, LEVEL_DESCRIPTION)


def all_bot_names() -> tuple[str, ...]:
    """The names of all bots of any game, the weakest of each kind first."""
    return (*COMMON_BOT_NAMES, *max((levels.level_names(slug) for slug in rules.ENGINES), key=len))


def bot_names(slug: str) -> tuple[str, ...]:
    """The names of all bots that play a game."""
    return (*COMMON_BOT_NAMES, *levels.level_names(slug)) if slug in rules.ENGINES else ()


def create_bot(name: str, slug: str, version: int | None = None) -> Bot:
    """The bot of that name for that game, by a version of its rules or else the newest; raises
    UnknownBot."""
    if name not in bot_names(slug):
        raise UnknownBot(f"There is no bot {name} for {slug}.")
    ruleset = _ruleset(slug, version)
    if level := levels.find_level(name, slug):
        return LevelBot(name, _create_basic_bot(level.bot, ruleset), level.simulations)
    return _create_basic_bot(name, ruleset)


def _ruleset(slug: str, version: int | None) -> Ruleset:
    return Ruleset(slug, rules.ENGINES[slug].about.version if version is None else version)


def _create_basic_bot(kind: str, ruleset: Ruleset) -> Bot:
    if kind == "greedy":
        return GreedyBot(HEURISTICS[ruleset])
    if kind == "careless":
        return CarelessBot(EASY_HEURISTICS[ruleset])
    return _create_searcher(ruleset, MctsBot) if kind == "mcts" else RandomBot()


def bot_budget(name: str, slug: str) -> Budget:
    """The bot's thinking budget per decision."""
    if level := levels.find_level(name, slug):
        return Budget(level.seconds, level.simulations, level.parts)
    return Budget(THINKING_SECONDS.get(name, 0.0) * tuning_of(slug).time_factor)


def create_searcher(
    slug: str, kind: type[MctsBot] = MctsBot, version: int | None = None
) -> MctsBot:
    """The game's search bot, for playing and for analysis."""
    return _create_searcher(_ruleset(slug, version), kind)


def _create_searcher(ruleset: Ruleset, kind: type[MctsBot]) -> MctsBot:
    return kind(evaluator_of(ruleset), tuning_of(ruleset.slug).exploration)


def create_evaluator(slug: str, version: int | None = None) -> Evaluator:
    """The evaluator of the game's search."""
    return evaluator_of(_ruleset(slug, version))


@cache
def code_digest(slug: str, version: int) -> str:
    """The digest of all code that determines the decisions under a ruleset: the rules and the
    bots."""
    module = MODULES.get(Ruleset(slug, version))
    heuristics = [] if module is None else [module.__name__]
    return rules.sources_digest(
        [rules.engine_module(slug, version), *heuristics, *DIGESTED_MODULES]
    )


@cache
def equal_code_digests(slug: str, version: int) -> frozenset[str]:
    """The digests of this code and of earlier code that makes the same decisions."""
    earlier: dict[str, dict[str, list[str]]] = json.loads(EQUAL_CODE_FILE.read_text())
    digests = earlier.get(slug, {}).get(str(version), [])
    return frozenset([code_digest(slug, version), *digests])
