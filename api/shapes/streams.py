"""Shapes of stream events other than log entries."""

from __future__ import annotations

from dataclasses import dataclass

from api.shapes.accounts import Recovery
from api.shapes.games import GameSummary, Phase
from tabularium_log.forms import GameId, Seq
from tabularium_log.projection.endings import Ending


@dataclass(frozen=True)
class GameUpdate:
    """A game of yours, or one in which you are challenged, has new entries, or an account has
    declined a seat of a game that you made. This is its state now. `asked` are your seats that an
    open proposal asks, `ending` is null until the game is over."""

    game: GameId
    seq: Seq
    to_act: tuple[int, ...]  #: The seats for which the game waits.
    phase: Phase  #: Whether seats are still open, the game is on, or over.
    my_turn: bool  #: Whether the game waits for one of your seats.
    challenged: tuple[int, ...]  #: The seats that wait for you.
    #: If you made the game: the free seats that the challenged accounts have declined.
    declined: tuple[int, ...]
    asked: tuple[int, ...]  #: The seats that the open proposal asks, and that have not answered.
    ending: Ending | None  #: How the game came to its end: see `docs/tables.md`; null before.


@dataclass(frozen=True)
class RecoveryNotice:
    """A recovery code of your account was redeemed: if not by you, revoke that key."""

    recovery: Recovery  #: The use of the code.


@dataclass(frozen=True)
class LobbyUpdate:
    """A table as it is now; `table` is null once it is not open any more. With `game` null, the
    first item: all tables that are open follow, and no other one is."""

    game: GameId | None  #: The game; null at the beginning: no table is open yet.
    table: GameSummary | None  #: The table; null if it is not open any more.
