"""The printed variants of Law of the Dice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from games.engines.common.codec import Between


@dataclass(frozen=True)
class Options:
    """How this table plays: who names the suit, what is counted, what a count leaves lying."""

    suit_by: Literal["vote", "die"] = "vote"
    counted: Literal["hands", "laws", "both"] = "hands"
    laws_kept: bool = False
    points_to_win: Annotated[int, Between(1, 10)] = 3
