"""Endpoints for analyses by bots: of one decision, as its seat sees it, or of a whole game that is
over. They run elsewhere: a client requests one, then polls or waits for the result."""

from __future__ import annotations

from typing import Any, Final

import orjson
from django.conf import settings
from django.http import Http404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from ai.analysis import analysis_completion, analysis_requests
from ai.analysis.finding_shapes import GameFindings, PositionFindings
from ai.models import Analysis, Part
from api import cursors
from api.authentication import authorized_caller, check_seat, reader_account, visible_game
from api.base_endpoint import Endpoint
from api.errors import Refusal
from api.limits.quotas import quota_transaction
from api.operation_problems import OF_A_DECISION
from api.query_serializers import PageQuery
from api.schema import operation, refused_with
from api.shape_responses import format_optional_time, format_required_time, reply
from api.shapes import analyses as shapes
from api.streams.long_poll import WaitCondition, hold_response
from games import selectors, services
from games.selectors import Game
from tabularium_engines.common.json_codec import from_json

ANALYSIS_SCOPE: Final = "games:create"  # it costs as much as a game
PREFER_HEADERS: Final = {
    "Prefer": "`wait=10`: respond when it has ended, or after that many seconds."
}
ANALYSIS_POLL_SECONDS: Final = 0.5  # between two checks for a waiting client
EXISTING_ANALYSIS_DESCRIPTION: Final = "The same analysis was already requested."


class AnalysesEndpoint(Endpoint):
    """The analyses of a game."""

    query = PageQuery

    @operation(
        "list_analyses",
        reply=shapes.AnalysisList,
        query=PageQuery,
        scope="games:read",
        open_to_all=True,
    )
    def get(self, request: Request, game: str) -> Response:
        """List the analyses of a game, newest first. While the game goes on, only those of your own
        seats are listed."""
        account = reader_account(request)
        row = visible_game(account, game)
        analyses = analysis_requests.client_analyses().filter(game=game)
        if row.phase != row.Phase.OVER:
            analyses = analyses.filter(seat__in=selectors.seats_of(account, game))
        rows, cursor = cursors.newest_page(analyses, self.parse_query(request))
        return reply(shapes.AnalysisList(tuple(map(_analysis_summary, rows)), cursor))

    @operation(
        "create_analysis",
        sends=("Location",),
        body=shapes.NewAnalysis,
        reply=shapes.AnalysisView,
        status=202,
        scope=ANALYSIS_SCOPE,
        also={200: EXISTING_ANALYSIS_DESCRIPTION},
    )
    @refused_with(
        *OF_A_DECISION,
        "invalid-question",
        "no-hints",
        "rated-running",
        "too-many-analyses",
        "unknown-entry",
        "unknown-seat",
    )
    def post(self, request: Request, game: str) -> Response:
        """Start an analysis of a position or of a whole game. GET the analysis for its result.
        While a game goes on, you can request it for your own seats only: it is a hint, which the
        log notes. There are none in rated games, and where other people play only if the game was
        created with `hints`."""
        account = authorized_caller(request, ANALYSIS_SCOPE).account
        row = visible_game(account, game)
        body = self.parse_body(request, shapes.NewAnalysis)
        begin = _begin_game_analysis if body.about == "game" else _begin_position_analysis
        analysis, is_new = begin(row, body, account)
        view = _analysis_view(analysis)
        return reply(view, 202 if is_new else 200, location=view.links.self)


class AnalysisEndpoint(Endpoint):
    """An analysis."""

    @operation(
        "analysis",
        reply=shapes.AnalysisView,
        scope="games:read",
        open_to_all=True,
        headers=PREFER_HEADERS,
    )
    def get(self, request: Request, analysis: str) -> Response:
        """Get the progress or the result of an analysis."""
        account = reader_account(request)
        row = visible_analysis(account, analysis)
        condition = WaitCondition(
            row.game_id,
            lambda: not is_waiting(analysis),
            lambda: _analysis_view(visible_analysis(account, analysis)),
            ANALYSIS_POLL_SECONDS,
        )
        return hold_response(request, reply(_analysis_view(row)), condition)

    @operation("cancel_analysis", scope=ANALYSIS_SCOPE, status=204)
    @refused_with("not-your-analysis")
    def delete(self, request: Request, analysis: str) -> Response:
        """Cancel an analysis that you have requested. One that has ended stays as it is."""
        account = authorized_caller(request, ANALYSIS_SCOPE).account
        if visible_analysis(account, analysis).account_id != account:
            raise Refusal("not-your-analysis", "Another account requested this analysis.")
        analysis_completion.cancel_analysis(analysis)
        return Response(status=204)


# -- access ---------------------------------------------------------------------------------------


def check_can_analyse(account: str, row: Game, seat: int) -> None:
    """Refuse help while the game goes on: to all but the seat's own player, and to all if it is
    rated."""
    if row.phase != row.Phase.OVER:
        check_seat(account, row.pk, seat)
        selectors.check_help_allowed(row.pk)


def visible_analysis(account: str | None, name: str) -> Analysis:
    """The analysis, or 404 if the account may not see it."""
    analyses = analysis_requests.client_analyses()
    analysis = analyses.select_related("game").filter(pk=name).first()
    if analysis is None or not _can_see(account, analysis):
        raise Http404(f"There is no analysis {name}.")
    return analysis


def _can_see(account: str | None, analysis: Analysis) -> bool:
    try:
        row = visible_game(account, analysis.game_id)
    except Http404:
        return False
    return row.phase == row.Phase.OVER or analysis.seat in selectors.seats_of(account, row.pk)


def is_waiting(name: str) -> bool:
    """Whether the analysis has not ended yet."""
    return Analysis.objects.filter(pk=name, state=Analysis.State.WAITING).exists()


# -- requests -------------------------------------------------------------------------------------


def _begin_position_analysis(
    row: Game, body: shapes.NewAnalysis, account: str
) -> tuple[Analysis, bool]:
    seat = body.seat
    if seat is None:
        seat = next(iter(selectors.seats_of(account, row.pk)), None)
    if seat is None:
        raise _invalid_question_refusal("seat", "is required: you do not play in this game")
    check_can_analyse(account, row, seat)
    seq = selectors.seq_before_hints(row.pk) if body.seq is None else body.seq
    decision = selectors.game_decision(row.pk, seat, seq)
    question = analysis_requests.position_question(
        row, decision, body.simulations or analysis_requests.DEFAULT_SIMULATIONS
    )
    if row.phase != row.Phase.OVER and not analysis_requests.find_analysis(question):
        services.take_hint(row.pk, seat)
    return find_or_begin(question, account)


def _begin_game_analysis(
    row: Game, body: shapes.NewAnalysis, account: str
) -> tuple[Analysis, bool]:
    for name in ("seat", "seq"):
        if getattr(body, name) is not None:
            raise _invalid_question_refusal(name, "applies only to the analysis of a position")
    simulations = body.simulations or analysis_requests.DEFAULT_SIMULATIONS_PER_DECISION
    if simulations > analysis_requests.MAX_SIMULATIONS_PER_DECISION:
        raise _invalid_question_refusal(
            "simulations",
            f"must be at most {analysis_requests.MAX_SIMULATIONS_PER_DECISION} per decision",
        )
    return find_or_begin(analysis_requests.game_question(row, simulations), account)


def find_or_begin(question: analysis_requests.Question, account: str) -> tuple[Analysis, bool]:
    """The analysis for the question, and whether it is new."""
    if existing := analysis_requests.find_analysis(question):
        return existing, False
    limit = settings.ANALYSES_EACH
    detail = f"You have {limit} unfinished analyses."
    with quota_transaction(
        account, analysis_requests.unfinished_analyses(account), limit, "too-many-analyses", detail
    ):
        return analysis_requests.begin_analysis(question, account)


def _invalid_question_refusal(name: str, detail: str) -> Refusal:
    error = {"pointer": f"/{name}", "code": "malformed", "detail": detail}
    return Refusal("invalid-question", f"/{name}: {detail}.", [error])


# -- replies --------------------------------------------------------------------------------------


def _analysis_summary(analysis: Analysis) -> shapes.AnalysisSummary:
    return shapes.AnalysisSummary(**_summary_members(analysis))


def _analysis_view(analysis: Analysis) -> shapes.AnalysisView:
    findings = orjson.loads(analysis.result) if analysis.result else None
    is_position = analysis.seq is not None
    return shapes.AnalysisView(
        **_summary_members(analysis),
        deadline=format_required_time(analysis.deadline),
        progress=_progress(analysis),
        digest=analysis.digest,
        position=from_json(PositionFindings, findings) if findings and is_position else None,
        review=from_json(GameFindings, findings) if findings and not is_position else None,
    )


def _summary_members(analysis: Analysis) -> dict[str, Any]:
    """The members that the summary and the full view share."""
    return {
        "id": analysis.pk,
        "game": analysis.game_id,
        "about": "game" if analysis.seq is None else "position",
        "seq": analysis.seq,
        "seat": analysis.seat,
        "simulations": analysis.simulations,
        "state": analysis.state,
        "created": format_required_time(analysis.created),
        "ended": format_optional_time(analysis.ended),
        "links": shapes.AnalysisLinks(
            reverse("analysis", args=[analysis.pk]), reverse("game-game", args=[analysis.game_id])
        ),
    }


def _progress(analysis: Analysis) -> shapes.Progress | None:
    if analysis.state != Analysis.State.WAITING:
        return None
    parts = Part.objects.filter(analysis=analysis)
    return shapes.Progress(parts.exclude(done=None).count(), parts.count())
