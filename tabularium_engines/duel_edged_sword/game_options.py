"""The options of Duel-Edged Sword: its printed variants, as a dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from tabularium_engines.common.json_codec import Between

Mode = Literal["combative", "collaborative", "teams"]


@dataclass(frozen=True)
class Options:
    """The variant: the sides, the number of cards dealt, and the length of the match."""

    #: the sides: as the flipped card says, or always the same
    mode: Literal["flipped", "combative", "collaborative", "teams"] = "flipped"
    deal: Literal["all", "thirteen"] = "all"  #: the cards that are dealt: all, or thirteen each
    rounds: Annotated[int, Between(1, 12)] = 4  #: the number of rounds
    target: Annotated[int, Between(0, 30)] = 0  #: points that end the match; 0: play `rounds`
