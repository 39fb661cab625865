"""The options of Duality: its printed variants, as a dataclass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Options:
    """The variant: the number of cards dealt in a file between the players."""

    file: Literal[3, 5, 7] = 7
