"""Shapes of replays: dataclasses of their progress while they are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from api.shapes.analyses import Progress
from api.shapes.forms import Link
from tabularium_log.forms import GameId

ReplayStage = Literal["waiting", "done", "failed"]


@dataclass(frozen=True)
class ReplayLinks:
    """Links to a replay and its game."""

    self: Link  #: The resource itself.
    game: Link  #: The game.


@dataclass(frozen=True)
class ReplayView:
    """A replay that a worker is drawing: `progress` counts its frames. Once it is `done`, the same
    request is answered with it. It has `failed` if no worker could draw it: ask again."""

    game: GameId
    state: ReplayStage  #: The state.
    progress: Progress  #: The progress while it is `waiting`; else null.
    links: ReplayLinks  #: Its links.
