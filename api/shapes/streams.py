"""Shapes of stream events other than log entries."""

from __future__ import annotations

from dataclasses import dataclass

from api.shapes.accounts import Recovery
from api.shapes.games import GameSummary, Phase
from tabularium_log.projection.endings import Ending


@dataclass(frozen=True)
class GameUpdate:
    """A game of yours, or one in which you are challenged, has new entries, or an account has
    declined a seat of a game that you made. This is its state now. `asked` are your seats that an
    open proposal asks, `ending` is null until the game is over."""

    game: str
    seq: int
    to_act: tuple[int, ...]
    phase: Phase
    my_turn: bool
    challenged: tuple[int, ...]
    declined: tuple[int, ...]
    asked: tuple[int, ...]
    ending: Ending | None


@dataclass(frozen=True)
class RecoveryNotice:
    """A recovery code of your account was redeemed: if not by you, revoke that key."""

    recovery: Recovery


@dataclass(frozen=True)
class LobbyUpdate:
    """A table as it is now; `table` is null once it is not open any more. With `game` null, the
    first item: all tables that are open follow, and no other one is."""

    game: str | None
    table: GameSummary | None
