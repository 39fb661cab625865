"""Which bots there are, and for which game."""

from __future__ import annotations

from collections.abc import Mapping

from ai.bots import Bot, GreedyBot, MctsBot, RandomBot
from ai.heuristics.base import Heuristic
from ai.heuristics.law_of_the_dice import DiceHeuristic
from ai.search.playout import PlayAndLook

HEURISTICS: Mapping[str, Heuristic] = {
    "law_of_the_dice": DiceHeuristic(),
}

DECISIONS = 0  # how far a search looks on at random before it asks the heuristic
EXPLORATION = 0.4  # heuristics rarely say 0 or 1

BOTS = ("random", "greedy", "mcts")


def bot(name: str, slug: str) -> Bot:
    """The bot of that name, ready for that game."""
    if name == "greedy":
        return GreedyBot(HEURISTICS[slug])
    if name == "mcts":
        return MctsBot(PlayAndLook(HEURISTICS[slug], DECISIONS), EXPLORATION)
    return RandomBot()
