"""Shapes of thoughts: dataclasses of the thoughts of bots behind entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ai.analysis.finding_shapes import ThoughtFindings

ThoughtStage = Literal["waiting", "done", "failed"]


@dataclass(frozen=True)
class ThoughtLinks:
    """Links to a thought, its entry, and the view that the bot had."""

    self: str
    entry: str
    view: str


@dataclass(frozen=True)
class ThoughtView:
    """The thought of a bot behind entry `seq`, from its view after entry `known`. While a worker
    repeats its search, it is `waiting`; once that is `done`, `findings` are there. It has `failed`
    if no worker had time: ask again."""

    game: str
    seq: int
    seat: int
    bot: str
    known: int
    simulations: int
    seed: str
    digest: str
    state: ThoughtStage
    findings: ThoughtFindings | None
    links: ThoughtLinks
