"""The printed variants of Duel-Edged Sword."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from games.engines.common.codec import Between

Mode = Literal["combative", "collaborative", "teams"]
# as the rules number them
MODE_BY_NUMBER: tuple[Mode, ...] = (
    "combative",
    "collaborative",
    "teams",
)


@dataclass(frozen=True)
class Options:
    """How this table plays: who plays with whom, how much is dealt, and for how long."""

    mode: Literal["flipped", "combative", "collaborative", "teams"] = "flipped"
    deal: Literal["all", "thirteen"] = "all"
    rounds: Annotated[int, Between(1, 12)] = 4
    target: Annotated[int, Between(0, 30)] = 0  # points that end the match; 0: `rounds` do
