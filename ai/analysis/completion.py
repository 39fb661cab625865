"""Ending an analysis: the results of its parts are combined, all of them or, at the deadline, those
found so far. They are stored for the client, or decide a bot's action."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

import orjson
from django.db import Error
from django.utils import timezone

from ai.analysis import finding_shapes, parallel_decision, result_merge
from ai.analysis.decision_search import SearchResult, decision_seed, part_seed
from ai.models import Analysis, Part
from games import selectors
from games.engines.common.codec import to_json

logger = logging.getLogger(__name__)

WAITING: Final = Analysis.State.WAITING


def end_analysis(name: str) -> bool:
    """End a waiting analysis; False, if it has already ended."""
    analysis = Analysis.objects.filter(pk=name, state=WAITING).first()
    if analysis is None:
        return False
    parts = list(Part.objects.filter(analysis=name).order_by("number"))
    found = {
        part.number: result_merge.result_from_json(part.found)
        for part in parts
        if part.done is not None
    }
    if analysis.bot:
        return _end_decision(analysis, found)
    if parts and not found:
        return _close(analysis, Analysis.State.FAILED)
    findings = (
        _position_findings(analysis, parts, found)
        if analysis.seq
        else _game_findings(analysis, parts, found)
    )
    question = None if findings.is_partial else analysis.question
    text = orjson.dumps(to_json(findings)).decode()
    return _close(analysis, Analysis.State.DONE, question=question, result=text)


def _end_decision(analysis: Analysis, found: Mapping[int, SearchResult]) -> bool:
    """Append the bot's action, once."""
    if not found and parallel_decision.extend_deadline(analysis):
        return False
    ended = _close(analysis, Analysis.State.DONE)
    if ended and found:
        parallel_decision.act_on_results(analysis, found)
    elif ended:
        parallel_decision.act_without_search(analysis)
    if ended:  # only the thought is kept
        Analysis.objects.filter(pk=analysis.pk).delete()
    return ended


def end_overdue_analyses() -> int:
    """End the analyses past their deadline; how many. One that cannot end does not block others."""
    overdue = Analysis.objects.filter(state=WAITING, deadline__lte=timezone.now())
    ended = 0
    for name in overdue.values_list("pk", flat=True):
        try:
            ended += end_analysis(name)
        except Error:  # a database error: the next round will try again
            raise
        except Exception:  # a game that cannot be read
            logger.exception("The results of analysis %s cannot be merged", name)
            fail_analysis(name)
    return ended


def cancel_analysis(name: str) -> bool:
    """Cancel an analysis; False, if it has already ended."""
    return _close(Analysis(pk=name), Analysis.State.CANCELLED)


def fail_analysis(name: str) -> bool:
    """Mark an analysis as failed; False, if it has already ended."""
    return _close(Analysis(pk=name), Analysis.State.FAILED)


def _close(analysis: Analysis, state: str, question: str | None = None, result: str = "") -> bool:
    """Compare-and-set: it ends once. An incomplete analysis may be requested again."""
    ours = Analysis.objects.filter(pk=analysis.pk, state=WAITING).update(
        state=state, question=question, result=result, ended=timezone.now()
    )
    if ours:
        Part.objects.filter(analysis=analysis.pk).delete()
    return bool(ours)


def _position_findings(
    analysis: Analysis, parts: list[Part], found: Mapping[int, SearchResult]
) -> finding_shapes.PositionFindings:
    assert analysis.seat is not None
    decision = selectors.game_decision(analysis.game_id, analysis.seat, analysis.seq)
    seed = decision_seed(decision)
    seeded = [
        (part_seed(seed, part.spread), found[part.number]) for part in parts if part.number in found
    ]
    return finding_shapes.position_findings(decision, analysis.simulations, seeded)


def _game_findings(
    analysis: Analysis, parts: list[Part], found: Mapping[int, SearchResult]
) -> finding_shapes.GameFindings:
    taken = selectors.taken_decisions(analysis.game_id)
    decisions = [
        finding_shapes.review_decision(each, found.get(part.number))
        for each, part in zip(taken, parts, strict=True)
    ]
    is_partial = any(_is_partial(analysis, found.get(part.number)) for part in parts)
    return finding_shapes.game_findings(decisions, analysis.game.seats, is_partial)


def _is_partial(analysis: Analysis, found: SearchResult | None) -> bool:
    """Whether the decision was searched less than requested."""
    if found is None:
        return True
    return len(found.actions) > 1 and found.simulations < analysis.simulations
