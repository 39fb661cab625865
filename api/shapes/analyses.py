"""Shapes of analyses: dataclasses of requests for them, their progress and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ai.analysis.analysis_requests import MAX_SIMULATIONS
from ai.analysis.finding_shapes import GameFindings, PositionFindings
from api.shapes.games import SeatOrSeq
from tabularium_engines.common.json_codec import Between

AnalysisSubject = Literal["position", "game"]
AnalysisStage = Literal["waiting", "done", "failed", "cancelled"]


@dataclass(frozen=True)
class NewAnalysis:
    """A request for an analysis. Of a `position`: the best action for `seat` (by default your
    first) after entry `seq` (by default the last), from its view at that time. Of a `game` that is
    over: the worth of each decision. `simulations` is the effort per decision."""

    about: AnalysisSubject = "position"
    seat: SeatOrSeq | None = None
    seq: SeatOrSeq | None = None
    simulations: Annotated[int, Between(1, MAX_SIMULATIONS)] | None = None


@dataclass(frozen=True)
class Progress:
    """The progress of an analysis or a replay: `done` out of `of` parts or frames."""

    done: int
    of: int


@dataclass(frozen=True)
class AnalysisLinks:
    """Links to an analysis and its game."""

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
    """An analysis. While it is `waiting`, `progress` is set; once it is `done`, `position` or
    `review` has the result. It has `failed` if there was no result by the `deadline`."""

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
    """A page of the analyses of a game, newest first."""

    items: tuple[AnalysisSummary, ...]
    next_cursor: str | None
