"""Shapes of analyses: dataclasses of requests for them, their progress and their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from ai.analysis.analysis_requests import MAX_SIMULATIONS
from ai.analysis.finding_shapes import GameFindings, PositionFindings
from api.shapes.forms import AnalysisId, Link
from api.shapes.games import SeatOrSeq
from tabularium_engines.common.json_codec import Between
from tabularium_log.forms import Count, GameId, SeatIndex, Seq, Sha256, Time

AnalysisSubject = Literal["position", "game"]
AnalysisStage = Literal["waiting", "done", "failed", "cancelled"]


@dataclass(frozen=True)
class NewAnalysis:
    """A request for an analysis. Of a `position`: the best action for `seat` (by default your
    first) after entry `seq` (by default the last), from its view at that time. Of a `game` that is
    over: the worth of each decision. `simulations` is the effort per decision."""

    #: The subject: a `position`, or a whole `game` that is over.
    about: AnalysisSubject = "position"
    seat: SeatOrSeq | None = None  #: The seat that decides; null: your first.
    seq: SeatOrSeq | None = None  #: The entry after which it decides; null: the last.
    #: The number of simulations.
    simulations: Annotated[int, Between(1, MAX_SIMULATIONS)] | None = None


@dataclass(frozen=True)
class Progress:
    """The progress of an analysis or a replay: `done` out of `of` parts or frames."""

    done: Count  #: The number of parts that are done.
    of: Count  #: The number of parts.


@dataclass(frozen=True)
class AnalysisLinks:
    """Links to an analysis and its game."""

    self: Link  #: The resource itself.
    game: Link  #: The game.


@dataclass(frozen=True)
class AnalysisSummary:
    """An analysis in a list."""

    id: AnalysisId
    game: GameId
    about: AnalysisSubject  #: The subject: a `position`, or a whole `game` that is over.
    seq: Seq | None
    seat: SeatIndex | None
    simulations: Count  #: The number of simulations.
    state: AnalysisStage  #: The state.
    created: Time  #: The time of creation.
    ended: Time | None  #: The time of the end; null before.
    links: AnalysisLinks  #: Its links.


@dataclass(frozen=True)
class AnalysisView:
    """An analysis. While it is `waiting`, `progress` is set; once it is `done`, `position` or
    `review` has the result. It has `failed` if there was no result by the `deadline`."""

    id: AnalysisId
    game: GameId
    about: AnalysisSubject  #: The subject: a `position`, or a whole `game` that is over.
    seq: Seq | None
    seat: SeatIndex | None
    simulations: Count  #: The number of simulations.
    state: AnalysisStage  #: The state.
    created: Time  #: The time of creation.
    deadline: Time  #: The time until which the action or the result is due; null if none is.
    ended: Time | None  #: The time of the end; null before.
    progress: Progress | None  #: The progress while it is `waiting`; else null.
    digest: Sha256  #: The SHA-256 of the source code of the search.
    position: PositionFindings | None  #: The findings about a position; null if there are none.
    review: GameFindings | None  #: The findings about a game; null if there are none.
    links: AnalysisLinks  #: Its links.


@dataclass(frozen=True)
class AnalysisList:
    """A page of the analyses of a game, newest first."""

    items: tuple[AnalysisSummary, ...]  #: The items of this page.
    next_cursor: str | None  #: The `cursor` of the next page; null on the last.
