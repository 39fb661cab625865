"""The completion of an analysis: the results of its parts are combined, all of them or, at the
deadline, those found so far, and stored for the client, or decide a bot's action. An analysis can
also be cancelled or fail."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

import orjson
from django.db import Error
from django.utils import timezone

from ai.analysis import finding_shapes, parallel_bot_decision, repeated_decision, result_merge
from ai.analysis.decision_search import SearchResult, decision_seed, part_seed
from ai.models import Analysis, Part
from games import selectors
from tabularium_engines.common.json_codec import to_json

logger = logging.getLogger(__name__)

WAITING: Final = Analysis.State.WAITING


def end_analysis(name: str) -> bool:
    """End a waiting analysis; False, if it has already ended."""
    analysis = Analysis.objects.filter(pk=name, state=WAITING).first()
    if analysis is None:
        return False
    parts = list(Part.objects.filter(analysis=name).order_by("number"))
    results = {
        part.number: result_merge.result_from_json(part.found)
        for part in parts
        if part.done is not None
    }
    if analysis.bot:
        return _end_decision(analysis, results)
    if analysis.entry is not None:
        return _end_repetition(analysis, parts, results)
    if parts and not results:
        return _close(analysis, Analysis.State.FAILED)
    findings = (
        _position_findings(analysis, parts, results)
        if analysis.seq
        else _game_findings(analysis, parts, results)
    )
    question = None if findings.is_partial else analysis.question
    text = orjson.dumps(to_json(findings)).decode()
    return _close(analysis, Analysis.State.DONE, question=question, result=text)


def _end_decision(analysis: Analysis, results: Mapping[int, SearchResult]) -> bool:
    """Append the bot's action, once."""
    if not results and parallel_bot_decision.extend_deadline(analysis):
        return False
    is_ended = _close(analysis, Analysis.State.DONE)
    if is_ended and results:
        parallel_bot_decision.act_on_results(analysis, results)
    elif is_ended:
        parallel_bot_decision.act_without_search(analysis)
    if is_ended:  # only the thought is kept
        Analysis.objects.filter(pk=analysis.pk).delete()
    return is_ended


def _end_repetition(
    analysis: Analysis, parts: list[Part], results: Mapping[int, SearchResult]
) -> bool:
    """Store the repeated thought; a search that was repeated in part is none."""
    found = [results.get(part.number) for part in parts]
    whole = [
        result
        for part, result in zip(parts, found, strict=True)
        if result is not None and result.simulations == part.simulations
    ]
    if len(whole) < len(parts):
        return _close(analysis, Analysis.State.FAILED)
    findings = repeated_decision.search_findings(analysis, whole)
    text = orjson.dumps(to_json(findings)).decode()
    return _close(analysis, Analysis.State.DONE, question=analysis.question, result=text)


def end_overdue_analyses() -> int:
    """End the analyses past their deadline; returns their number. One that cannot end does not
    block others."""
    analyses = Analysis.objects.filter(state=WAITING, deadline__lte=timezone.now())
    count = 0
    for name in analyses.values_list("pk", flat=True):
        try:
            count += end_analysis(name)
        except Error:  # a database error: the next round will try again
            raise
        except Exception:  # a game that cannot be read
            logger.exception("The results of analysis %s cannot be merged", name)
            fail_analysis(name)
    return count


def cancel_analysis(name: str) -> bool:
    """Cancel an analysis; False, if it has already ended."""
    return _close(Analysis(pk=name), Analysis.State.CANCELLED)


def fail_analysis(name: str) -> bool:
    """Mark an analysis as failed; False, if it has already ended."""
    return _close(Analysis(pk=name), Analysis.State.FAILED)


def _close(analysis: Analysis, state: str, question: str | None = None, result: str = "") -> bool:
    """Compare-and-set: it ends once. An incomplete analysis may be requested again."""
    count = Analysis.objects.filter(pk=analysis.pk, state=WAITING).update(
        state=state, question=question, result=result, ended=timezone.now()
    )
    if count:
        Part.objects.filter(analysis=analysis.pk).delete()
    return bool(count)


def _position_findings(
    analysis: Analysis, parts: list[Part], results: Mapping[int, SearchResult]
) -> finding_shapes.PositionFindings:
    assert analysis.seat is not None
    decision = selectors.game_decision(analysis.game_id, analysis.seat, analysis.seq)
    seed = decision_seed(decision)
    seeded_results = [
        (part_seed(seed, part.spread), results[part.number])
        for part in parts
        if part.number in results
    ]
    return finding_shapes.position_findings(decision, analysis.simulations, seeded_results)


def _game_findings(
    analysis: Analysis, parts: list[Part], results: Mapping[int, SearchResult]
) -> finding_shapes.GameFindings:
    taken_decisions = selectors.taken_decisions(analysis.game_id)
    decisions = [
        finding_shapes.review_decision(taken, results.get(part.number))
        for taken, part in zip(taken_decisions, parts, strict=True)
    ]
    is_partial = any(_is_partial(analysis, results.get(part.number)) for part in parts)
    return finding_shapes.game_findings(decisions, analysis.game.seats, is_partial)


def _is_partial(analysis: Analysis, result: SearchResult | None) -> bool:
    """Whether the decision was searched less than requested."""
    if result is None:
        return True
    return len(result.actions) > 1 and result.simulations < analysis.simulations
