"""How do many workers think about one analysis? Each works on a part at a time; whoever finishes
the last sums all of them up, and at the deadline the sweeper does, with what is there. A part that
is lost, doubled or late does no harm: its row says whether it is still wanted."""

from __future__ import annotations

import logging
from datetime import timedelta
from time import monotonic
from typing import Final

from django.db import Error
from django.db.models import Q
from django.utils import timezone

from ai.analysis import ending, reducing, searching, sending
from ai.analysis.searching import part_seed, seed_of
from ai.bots import Budget
from ai.models import Analysis, Part
from games import selectors
from games.engines.common.codec import Json
from games.selectors import Decision

logger = logging.getLogger(__name__)

LOOKING: Final = 1.0  # seconds between two looks whether anybody still wants to know
LEASE: Final = timedelta(seconds=60)  # longer than that: then its worker must be dead
WRITING: Final = 0.2  # seconds before the deadline in which findings are still written down
WAITING: Final = Analysis.State.WAITING


# -- in a worker ----------------------------------------------------------------------------------


def study(name: str, number: int, *, again: bool = False) -> None:
    """Work on a part, unless somebody else has, or does (`again`: whoever did is dead)."""
    part = Part.objects.select_related("analysis").filter(analysis=name, number=number).first()
    if part is None or part.analysis.state != WAITING or not _is_ours(part, again):
        return
    seconds = _seconds(part.analysis)
    if seconds <= 0:
        return
    decision, did = _decision(part)
    seed = seed_of(decision) if part.analysis.seed is None else part.analysis.seed
    budget = Budget(seconds, part.simulations)
    found = searching.look(decision, part_seed(seed, part.spread), budget, did, Interest(name))
    Part.objects.filter(pk=part.pk).update(done=found.simulations, found=reducing.kept(found))
    _go_on(part.analysis, number)


def _decision(part: Part) -> tuple[Decision, Json]:
    """What is to be decided; and, of a game that is over, what was done."""
    place = (part.analysis.game_id, part.seat, part.seq)
    if part.analysis.seq is not None:
        return selectors.game_decision(*place), None
    taken = selectors.decision_taken(*place)
    return taken.decision, taken.action


def _is_ours(part: Part, again: bool) -> bool:
    """Compare and set: nobody else works on it."""
    now = timezone.now()
    free = Part.objects.filter(pk=part.pk, done=None)
    if not again:
        free = free.filter(Q(begun=None) | Q(begun__lt=now - LEASE))
    return bool(free.update(begun=now))


def _seconds(analysis: Analysis) -> float:
    """How long a part may take now."""
    left = (analysis.deadline - timezone.now()).total_seconds()
    return min(analysis.seconds or sending.LONGEST, left - WRITING)


class Interest:
    """Does anybody still wait for it? Looked up when asked, but only every now and then."""

    def __init__(self, name: str) -> None:
        self._waiting = Analysis.objects.filter(pk=name, state=WAITING)
        self._looked = monotonic()

    def __call__(self) -> bool:
        if (now := monotonic()) < self._looked + LOOKING:
            return True
        self._looked = now
        return self._waiting.exists()


def _go_on(analysis: Analysis, number: int) -> None:
    """Let the next part be worked on, of as many as may be at once; after the last, sum up."""
    missing = Part.objects.filter(analysis=analysis, done=None)
    if not missing.exists():
        ending.end(analysis.pk)
        return
    following = number + sending.width(analysis)
    if missing.filter(number=following).exists():
        sending.send(analysis, [following])


# -- in the sweeper -------------------------------------------------------------------------------


def end_overdue() -> int:
    """End the analyses whose time is over; how many. What cannot end keeps no others waiting."""
    overdue = Analysis.objects.filter(state=WAITING, deadline__lte=timezone.now())
    ended = 0
    for name in overdue.values_list("pk", flat=True):
        try:
            ended += ending.end(name)
        except Error:  # the database's: the next round will do
            raise
        except Exception:  # a game that cannot be read
            logger.exception("The analysis %s cannot be summed up", name)
            ending.fail(name)
    return ended


def send_again() -> None:
    """Send parts once more that nobody has begun, or whose worker died: each time after about
    twice as long, for they may be in a queue."""
    now = timezone.now()
    for analysis in Analysis.objects.filter(state=WAITING, due__lte=now):
        due = now + max(sending.QUIET, now - analysis.created)
        if Analysis.objects.filter(pk=analysis.pk, due=analysis.due).update(due=due):
            sending.send(analysis, _idle(analysis))


def _idle(analysis: Analysis) -> list[int]:
    """The parts that somebody should work on."""
    idle = Q(begun=None) | Q(begun__lt=timezone.now() - LEASE)
    missing = Part.objects.filter(idle, analysis=analysis, done=None).order_by("number")
    return list(missing.values_list("number", flat=True)[: sending.width(analysis)])
