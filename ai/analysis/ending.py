"""How does an analysis end? With the sum of what its parts have found: all of it, or at the
deadline what is there. Who asked is told; a bot acts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import orjson
from django.utils import timezone

from ai.analysis import answers, deciding, reducing
from ai.analysis.searching import Found, part_seed, seed_of
from ai.models import Analysis, Part
from games import selectors
from games.engines.common.codec import to_json

WAITING: Final = Analysis.State.WAITING


def end(name: str) -> bool:
    """End an analysis that is still waited for; False, if it has ended already."""
    analysis = Analysis.objects.filter(pk=name, state=WAITING).first()
    if analysis is None:
        return False
    parts = list(Part.objects.filter(analysis=name).order_by("number"))
    found = {part.number: reducing.read(part.found) for part in parts if part.done is not None}
    if analysis.bot:
        return _decided(analysis, found)
    if parts and not found:
        return _close(analysis, Analysis.State.FAILED)
    findings = _position(analysis, parts, found) if analysis.seq else _game(analysis, parts, found)
    question = None if findings.is_partial else analysis.question
    text = orjson.dumps(to_json(findings)).decode()
    return _close(analysis, Analysis.State.DONE, question=question, result=text)


def _decided(analysis: Analysis, found: Mapping[int, Found]) -> bool:
    """Let a bot act, once."""
    if not found and deciding.goes_on(analysis):
        return False
    ended = _close(analysis, Analysis.State.DONE)
    if ended and found:
        deciding.act(analysis, found)
    elif ended:
        deciding.act_at_once(analysis)
    if ended:  # a thought is kept of it, and nothing else
        Analysis.objects.filter(pk=analysis.pk).delete()
    return ended


def cancel(name: str) -> bool:
    """Stop an analysis; False, if it has ended already."""
    return _close(Analysis(pk=name), Analysis.State.CANCELLED)


def fail(name: str) -> bool:
    """Give an analysis up; False, if it has ended already."""
    return _close(Analysis(pk=name), Analysis.State.FAILED)


def _close(analysis: Analysis, state: str, question: str | None = None, result: str = "") -> bool:
    """Compare and set: it ends once. What is not whole may be asked again."""
    ours = Analysis.objects.filter(pk=analysis.pk, state=WAITING).update(
        state=state, question=question, result=result, ended=timezone.now()
    )
    if ours:
        Part.objects.filter(analysis=analysis.pk).delete()
    return bool(ours)


def _position(
    analysis: Analysis, parts: list[Part], found: Mapping[int, Found]
) -> answers.PositionFindings:
    assert analysis.seat is not None
    decision = selectors.game_decision(analysis.game_id, analysis.seat, analysis.seq)
    seed = seed_of(decision)
    seeded = [
        (part_seed(seed, part.spread), found[part.number]) for part in parts if part.number in found
    ]
    return answers.position(decision, analysis.simulations, seeded)


def _game(
    analysis: Analysis, parts: list[Part], found: Mapping[int, Found]
) -> answers.GameFindings:
    taken = selectors.decisions_taken(analysis.game_id)
    decisions = [
        answers.review(each, found.get(part.number))
        for each, part in zip(taken, parts, strict=True)
    ]
    is_partial = any(_is_partial(analysis, found.get(part.number)) for part in parts)
    return answers.game(decisions, analysis.game.seats, is_partial)


def _is_partial(analysis: Analysis, found: Found | None) -> bool:
    """Is there more to be found out about a decision?"""
    if found is None:
        return True
    return len(found.weighed) > 1 and found.simulations < analysis.simulations
