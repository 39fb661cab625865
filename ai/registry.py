"""Which bots there are, and for which game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from ai.bots import Bot, GreedyBot, MctsBot, RandomBot
from ai.heuristics.base import Heuristic
from ai.heuristics.duality import DualityHeuristic
from ai.heuristics.duel_edged_sword import SwordHeuristic
from ai.heuristics.duel_of_law import DuelHeuristic
from ai.heuristics.law import LawHeuristic
from ai.heuristics.law_of_the_dice import DiceHeuristic
from ai.search.playout import PlayAndLook
from games import registry as rules

FOLDER: Final = Path(__file__).resolve().parent

HEURISTICS: Mapping[str, Heuristic] = {
    "law_of_the_dice": DiceHeuristic(),
    "duel_edged_sword": SwordHeuristic(),
    "duality": DualityHeuristic(),
    "law": LawHeuristic(),
    "duel_of_law": DuelHeuristic(),
}


@dataclass(frozen=True)
class Tuning:
    """How a game is searched: what its matches showed to be best."""

    exploration: float  # less than in theory: heuristics rarely say 0 or 1
    decisions: int = 0  # how far a simulation plays on before it asks the heuristic


TUNINGS: Mapping[str, Tuning] = {
    "law_of_the_dice": Tuning(0.4),
    "duel_edged_sword": Tuning(0.15, decisions=8),
    "duality": Tuning(0.15),
    "law": Tuning(0.15),
    "duel_of_law": Tuning(0.15),
}

SECONDS: Mapping[str, float] = {"random": 0.0, "greedy": 0.0, "mcts": 0.5}  # to think, a decision
MINDS: Final = ("bots.py", "registry.py", "heuristics/base.py", "search/*.py")  # in this folder
DESCRIPTIONS: Mapping[str, str] = {
    "random": "Plays any legal action.",
    "greedy": "Looks one decision ahead and trusts the game's heuristic.",
    "mcts": "Searches imagined worlds until its time is over.",
}
BOTS = tuple(SECONDS)


class UnknownBot(LookupError):
    """There is no bot of that name, or none for that game."""


def bot(name: str, slug: str) -> Bot:
    """The bot of that name, ready for that game, or UnknownBot."""
    if name not in BOTS or slug not in HEURISTICS:
        raise UnknownBot(f"There is no bot {name} for {slug}.")
    if name == "greedy":
        return GreedyBot(HEURISTICS[slug])
    if name == "mcts":
        tuning = TUNINGS[slug]
        return MctsBot(PlayAndLook(HEURISTICS[slug], tuning.decisions), tuning.exploration)
    return RandomBot()


@cache
def digest(slug: str) -> str:
    """The digest of all code that decides how a game is thought about: the rules and the bots."""
    patterns = (*MINDS, f"heuristics/{slug}.py")
    thinking = rules.digest_of(FOLDER, sorted(p for each in patterns for p in FOLDER.glob(each)))
    return sha256(f"{rules.digest(slug)} {thinking}".encode()).hexdigest()
