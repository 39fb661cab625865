"""The registry of bots: the bots of each game, their tuning and the digest of their code."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from ai import levels
from ai.bot_types import Bot, Budget, CarelessBot, GreedyBot, LevelBot, MctsBot, RandomBot
from ai.heuristics.base import Heuristic
from ai.heuristics.duality import DualityHeuristic
from ai.heuristics.duel_edged_sword import SwordHeuristic
from ai.heuristics.duel_of_law import DuelForesightHeuristic, DuelHeuristic
from ai.heuristics.law import LawHeuristic
from ai.heuristics.law_of_the_dice import DiceHeuristic
from ai.search.playout import HeuristicEvaluator
from games import registry as rules

AI_FOLDER: Final = Path(__file__).resolve().parent
EQUAL_CODE_FILE: Final = (
    AI_FOLDER / "equal_code.json"
)  # by game; checked by tests/ai/test_equal_code.py

HEURISTICS: Mapping[str, Heuristic] = {
    "law_of_the_dice": DiceHeuristic(),
    "duel_edged_sword": SwordHeuristic(),
    "duality": DualityHeuristic(),
    "law": LawHeuristic(),
    "duel_of_law": DuelHeuristic(),
}


@dataclass(frozen=True)
class Tuning:
    """Search parameters of a game, chosen by arena matches."""

    exploration: float  # below the theoretical value: heuristics rarely return 0 or 1
    heuristic: Heuristic | None = None  # instead of the one that greedy uses; slower
    time_factor: float = 1.0  # of the usual time per decision, where a turn takes many decisions


TUNINGS: Mapping[str, Tuning] = {
    "law_of_the_dice": Tuning(0.4),
    "duel_edged_sword": Tuning(0.15),
    "duality": Tuning(0.15),
    "law": Tuning(0.15),
    "duel_of_law": Tuning(0.15, heuristic=DuelForesightHeuristic(), time_factor=0.7),
}

# per decision
THINKING_SECONDS: Mapping[str, float] = {
    "random": 0.0,
    "greedy": 0.0,
    "mcts": 0.5,
}
DIGESTED_FILES: Final = (  # relative to this folder
    "bot_types.py",
    "levels.py",
    "view_guard.py",
    "bot_registry.py",
    "heuristics/base.py",
    "search/*.py",
)
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
    return (*COMMON_BOT_NAMES, *max((levels.level_names(slug) for slug in HEURISTICS), key=len))


def bot_names(slug: str) -> tuple[str, ...]:
    """The names of all bots that play a game."""
    return (*COMMON_BOT_NAMES, *levels.level_names(slug)) if slug in HEURISTICS else ()


def create_bot(name: str, slug: str) -> Bot:
    """The bot of that name for that game; raises UnknownBot."""
    if name not in bot_names(slug):
        raise UnknownBot(f"There is no bot {name} for {slug}.")
    if level := levels.find_level(name, slug):
        return LevelBot(name, _create_basic_bot(level.bot, slug), level.simulations)
    return _create_basic_bot(name, slug)


def _create_basic_bot(kind: str, slug: str) -> Bot:
    if kind == "greedy":
        return GreedyBot(HEURISTICS[slug])
    if kind == "careless":
        return CarelessBot(HEURISTICS[slug])
    return create_searcher(slug) if kind == "mcts" else RandomBot()


def bot_budget(name: str, slug: str) -> Budget:
    """The bot's thinking budget per decision."""
    if level := levels.find_level(name, slug):
        return Budget(level.seconds, level.simulations, level.parts)
    return Budget(THINKING_SECONDS.get(name, 0.0) * TUNINGS[slug].time_factor)


def create_searcher(slug: str, kind: type[MctsBot] = MctsBot) -> MctsBot:
    """The game's search bot, for playing and for analysis."""
    return kind(create_evaluator(slug), TUNINGS[slug].exploration)


def create_evaluator(slug: str) -> HeuristicEvaluator:
    """The evaluator of the game's search."""
    tuning = TUNINGS[slug]
    return HeuristicEvaluator(tuning.heuristic or HEURISTICS[slug])


@cache
def code_digest(slug: str) -> str:
    """The digest of all code that determines a game's decisions: the rules and the bots."""
    patterns = (*DIGESTED_FILES, f"heuristics/{slug}.py")
    thinking = rules.files_digest(
        AI_FOLDER, sorted(p for each in patterns for p in AI_FOLDER.glob(each))
    )
    return sha256(f"{rules.ruleset_digest(slug)} {thinking}".encode()).hexdigest()


@cache
def equal_code_digests(slug: str) -> frozenset[str]:
    """The digests of this code and of earlier code that makes the same decisions."""
    earlier: dict[str, list[str]] = json.loads(EQUAL_CODE_FILE.read_text())
    return frozenset([code_digest(slug), *earlier.get(slug, [])])
