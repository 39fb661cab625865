"""The options of Law of the Dice: its printed variants, as a dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from games.engines.common.json_codec import Between


@dataclass(frozen=True)
class Options:
    """The variant: the choice of the suit, the cards counted, and whether laws survive a count."""

    suit_by: Literal["vote", "die"] = "vote"
    counted: Literal["hands", "laws", "both"] = "hands"
    laws_kept: bool = False
    points_to_win: Annotated[int, Between(1, 10)] = 3
