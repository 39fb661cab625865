"""What may one want to know? What a bot thinks of a position, or of every decision of a game that
is over. Who asks the same again, of the same code, is told the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import IntegrityError
from django.db.models import QuerySet
from django.utils import timezone

from ai import registry
from ai.analysis import ending, sending
from ai.models import Analysis
from games import selectors
from games.models import Game
from games.selectors import Decision

USUAL: Final = 2_000  # simulations of a position
MOST: Final = 50_000
USUAL_EACH: Final = 500  # simulations of each decision of a game
MOST_EACH: Final = 5_000
WORTH_IT: Final = 250  # simulations: for fewer, nobody else is called in
PATIENCE: Final = timedelta(minutes=2)  # for a position, from the asking to the answer
LONG_PATIENCE: Final = timedelta(minutes=30)  # for a game
KEPT: Final = timedelta(days=30)


@dataclass(frozen=True)
class Question:
    """What somebody wants to know: its searches, as (seq, seat, simulations), in order."""

    game: Game
    seq: int | None
    seat: int | None
    simulations: int  # for each decision
    searches: Callable[[], Sequence[tuple[int, int, int]]]

    @property
    def digest(self) -> str:
        """The same for all who ask the same, as long as the code that thinks is the same."""
        parts = len(shares(self.simulations)) if self.seq else 1
        words = ("tabularium/analysis/1", self.game.pk, self.seq, self.seat, self.simulations)
        code = registry.digest(self.game.rules)
        return sha256(" ".join(map(str, (*words, parts, code))).encode()).hexdigest()


def about_position(game: Game, decision: Decision, simulations: int) -> Question:
    """What should this seat do?"""
    seq, seat = decision.seq, decision.seat

    def searches() -> list[tuple[int, int, int]]:
        return [(seq, seat, share) for share in shares(simulations)]

    return Question(game, seq, seat, simulations, searches)


def about_game(game: Game, simulations: int) -> Question:
    """What was each decision worth? Refused, if the game is not over."""
    selectors.check_over(game.pk)

    def searches() -> list[tuple[int, int, int]]:
        taken = (each.decision for each in selectors.decisions_taken(game.pk))
        return [(decision.seq, decision.seat, simulations) for decision in taken]

    return Question(game, None, None, simulations, searches)


def shares(simulations: int) -> list[int]:
    """How many simulations each of several workers has to make."""
    parts = max(1, min(settings.PARTS, simulations // WORTH_IT))
    return [(simulations + part) // parts for part in range(parts)]


def known(question: Question) -> Analysis | None:
    """The analysis that answers it already, or will."""
    return Analysis.objects.filter(question=question.digest).first()


def begin(question: Question, account: str) -> tuple[Analysis, bool]:
    """A new analysis; or one that somebody else has begun just now, and False."""
    analysis = _analysis(question, account)
    searches = question.searches()
    try:
        sending.begin(analysis, searches)
    except IntegrityError:
        other = known(question)
        if other is None:
            raise
        return other, False
    if not searches:  # nobody ever had to decide anything
        ending.end(analysis.pk)
        analysis.refresh_from_db()
    return analysis, True


def unfinished(account: str) -> QuerySet[Analysis]:
    """The analyses of an account that have not ended."""
    return Analysis.objects.filter(account=account, state=Analysis.State.WAITING)


def forget() -> int:
    """Drop analyses that are old: they can be asked for again."""
    old = Analysis.objects.filter(ended__lt=timezone.now() - KEPT)
    return old.delete()[0]


def _analysis(question: Question, account: str) -> Analysis:
    now = timezone.now()
    return Analysis(
        question=question.digest,
        game=question.game,
        account_id=account,
        seq=question.seq,
        seat=question.seat,
        simulations=question.simulations,
        digest=registry.digest(question.game.rules),
        created=now,
        deadline=now + (PATIENCE if question.seq else LONG_PATIENCE),
        due=now + sending.QUIET,
    )
