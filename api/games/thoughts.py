"""The endpoint for thoughts of bots: once a game is over, a worker repeats the search behind one
of its entries, and the result is stored; a client waits for it as for an analysis."""

from __future__ import annotations

from typing import Final, cast

import orjson
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from ai.analysis import analysis_requests, repeated_decision
from ai.analysis.finding_shapes import ThoughtFindings
from ai.models import Analysis, Thought
from api.authentication import authorized_caller, visible_game
from api.base_endpoint import IMMUTABLE, REVALIDATED, Endpoint
from api.errors import Refusal
from api.games import analyses
from api.schema import operation, refused_with
from api.shape_responses import reply
from api.shapes.thoughts import ThoughtLinks, ThoughtStage, ThoughtView
from api.streams.long_poll import WaitCondition, hold_response
from games import selectors
from games.selectors import Game
from tabularium_engines.common.json_codec import from_json

THOUGHT_SCOPE: Final = "games:read"


class ThoughtEndpoint(Endpoint):
    """The thought of a bot behind an entry."""

    cache_control = REVALIDATED
    may_be_compressed = True

    @operation("thought", reply=ThoughtView, scope=THOUGHT_SCOPE, headers=analyses.PREFER_HEADERS)
    @refused_with("code-changed", "no-thought", "not-over", "too-many-analyses", "unknown-entry")
    def get(self, request: Request, game: str, seq: int) -> Response:
        """Get the thought of a bot behind an entry of a game that is over. Its search is repeated
        first, at most five at a time for an account."""
        account = authorized_caller(request, THOUGHT_SCOPE).account
        row = visible_game(account, game)
        thought = _thought_behind(row, seq)
        question = analysis_requests.repetition_question(row, thought)
        analysis = analysis_requests.find_analysis(question)
        if analysis is None:
            _check_same_code(row, thought)
            if not thought.simulations:
                return _kept(_thought_view(thought, repeated_decision.instant_findings(thought)))
            analysis, _ = analyses.find_or_begin(question, account)
        if analysis.state == Analysis.State.DONE:
            return _kept(_repeated_view(thought, analysis))
        return _held(request, thought, analysis)


def _thought_behind(row: Game, seq: int) -> Thought:
    """How a bot reached an entry of a game that is over."""
    selectors.check_game_over(row.pk)
    if not 1 <= seq <= row.seq:
        raise selectors.unknown_entry(seq)
    thought = repeated_decision.find_thought(row.pk, seq)
    if thought is None:
        raise Refusal("no-thought", f"No bot's decision is stored for entry {seq}.")
    return thought


def _check_same_code(row: Game, thought: Thought) -> None:
    """Refuse to repeat a decision with code that might decide otherwise."""
    if not repeated_decision.has_same_code(thought, row.rules, row.version):
        detail = f"The code that decided, with the digest {thought.digest}, has changed since."
        raise Refusal("code-changed", detail)


def _kept(view: ThoughtView) -> Response:
    """The response with findings, which never change."""
    response = reply(view)
    response["Cache-Control"] = IMMUTABLE
    return response


def _held(request: Request, thought: Thought, analysis: Analysis) -> Response:
    """The response held back until the search has been repeated, as long as the client waits."""
    condition = WaitCondition(
        thought.game_id,
        lambda: not analyses.is_waiting(analysis.pk),
        lambda: _repeated_view(thought, Analysis.objects.get(pk=analysis.pk)),
        analyses.ANALYSIS_POLL_SECONDS,
    )
    return hold_response(request, reply(_repeated_view(thought, analysis)), condition)


def _repeated_view(thought: Thought, analysis: Analysis) -> ThoughtView:
    findings = orjson.loads(analysis.result) if analysis.result else None
    return _thought_view(
        thought,
        from_json(ThoughtFindings, findings) if findings else None,
        cast("ThoughtStage", analysis.state),
    )


def _thought_view(
    thought: Thought, findings: ThoughtFindings | None, state: ThoughtStage = "done"
) -> ThoughtView:
    assert thought.seq is not None
    own = reverse("game-thought", args=[thought.game_id, thought.seq])
    entry = reverse("game-entry", args=[thought.game_id, thought.seq])
    view = reverse("game-state", args=[thought.game_id, thought.known])
    return ThoughtView(
        game=thought.game_id,
        seq=thought.seq,
        seat=thought.seat,
        bot=thought.bot,
        known=thought.known,
        simulations=thought.simulations,
        seed=str(thought.seed),  # not every JSON reader keeps all its digits
        digest=thought.digest,
        state=state,
        findings=findings,
        links=ThoughtLinks(own, entry, f"{view}?as=seat:{thought.seat}"),
    )
