"""Which games are there? One line a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.engines import law_of_the_dice
from games.engines.base import Engine

ENGINES: Final[Mapping[str, Engine[Any, Any]]] = {
    engine.about.slug: engine for engine in (law_of_the_dice.ENGINE,)
}
