"""Shapes of thoughts: dataclasses of the thoughts of bots behind entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ai.analysis.finding_shapes import ThoughtFindings
from api.shapes.forms import Link
from tabularium_log.forms import Count, GameId, SearchSeed, SeatIndex, Seq, Sha256

ThoughtStage = Literal["waiting", "done", "failed"]


@dataclass(frozen=True)
class ThoughtLinks:
    """Links to a thought, its entry, and the view that the bot had."""

    self: Link  #: The resource itself.
    entry: Link  #: The entry.
    view: Link  #: The view that the bot had.


@dataclass(frozen=True)
class ThoughtView:
    """The thought of a bot behind entry `seq`, from its view after entry `known`. While a worker
    repeats its search, it is `waiting`; once that is `done`, `findings` are there. It has `failed`
    if no worker had time: ask again."""

    game: GameId
    seq: Seq
    seat: SeatIndex
    bot: str  #: The name of the bot that decided.
    known: Count  #: The last entry that the bot knew of.
    simulations: Count  #: The number of simulations.
    seed: SearchSeed  #: The seed of the decision.
    digest: Sha256  #: The SHA-256 of the source code that decided.
    state: ThoughtStage  #: The state.
    findings: ThoughtFindings | None  #: The findings; null before they are there.
    links: ThoughtLinks  #: Its links.
