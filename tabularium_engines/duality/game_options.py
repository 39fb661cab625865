"""The options of Duality: its printed variants, as a dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

File: TypeAlias = Literal[2, 3, 4, 5, 6, 7]


@dataclass(frozen=True)
class Options:
    """The variant: the number of cards dealt in a file between the players."""

    #: the number of cards dealt in a file between the players
    file: File = 7  # R18
