"""Analyses: as they are asked for, and what bots think."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ai.analysis.finding_shapes import GameFindings, PositionFindings
from ai.analysis.questions import MAX_SIMULATIONS
from api.shapes.games import SeatOrSeq
from games.engines.common.codec import Between

AnalysisSubject = Literal["position", "game"]
AnalysisStage = Literal["waiting", "done", "failed", "cancelled"]


@dataclass(frozen=True)
class NewAnalysis:
    """A question to the bots. Of a `position`: what a seat (your first one) should do after entry
    `seq` (the last one), from what it knew then. Of a `game` that is over: what each decision was
    worth. `simulations` is how much they think about each decision."""

    about: AnalysisSubject = "position"
    seat: SeatOrSeq | None = None
    seq: SeatOrSeq | None = None
    simulations: Annotated[int, Between(1, MAX_SIMULATIONS)] | None = None


@dataclass(frozen=True)
class Progress:
    """How many parts of an analysis are done, of how many."""

    done: int
    of: int


@dataclass(frozen=True)
class AnalysisLinks:
    """Where it is, and its game."""

    self: str
    game: str


@dataclass(frozen=True)
class AnalysisSummary:
    """An analysis in a list."""

    id: str
    game: str
    about: AnalysisSubject
    seq: int | None
    seat: int | None
    simulations: int
    state: AnalysisStage
    created: str
    ended: str | None
    links: AnalysisLinks


@dataclass(frozen=True)
class AnalysisView:
    """An analysis. While it is `waiting`, `progress` says how far it is; once it is `done`,
    `position` or `review` says what was found. It has `failed` if nothing was until `deadline`."""

    id: str
    game: str
    about: AnalysisSubject
    seq: int | None
    seat: int | None
    simulations: int
    state: AnalysisStage
    created: str
    deadline: str
    ended: str | None
    progress: Progress | None
    digest: str
    position: PositionFindings | None
    review: GameFindings | None
    links: AnalysisLinks


@dataclass(frozen=True)
class AnalysisList:
    """Analyses of a game, the newest first."""

    items: tuple[AnalysisSummary, ...]
    next_cursor: str | None
