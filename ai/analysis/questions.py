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

from ai import bot_registry
from ai.analysis import completion, part_dispatch
from ai.models import Analysis
from games import selectors
from games.models import Game
from games.selectors import DecisionPoint

DEFAULT_SIMULATIONS: Final = 2_000  # simulations of a position
MAX_SIMULATIONS: Final = 50_000
DEFAULT_SIMULATIONS_PER_DECISION: Final = 500  # simulations of each decision of a game
MAX_SIMULATIONS_PER_DECISION: Final = 5_000
MIN_SIMULATIONS_PER_PART: Final = 250  # simulations: for fewer, nobody else is called in
POSITION_DEADLINE: Final = timedelta(minutes=2)  # for a position, from the asking to the answer
GAME_DEADLINE: Final = timedelta(minutes=30)  # for a game
ANALYSES_KEPT_FOR: Final = timedelta(days=30)


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
        parts = len(simulations_per_part(self.simulations)) if self.seq else 1
        words = ("tabularium/analysis/1", self.game.pk, self.seq, self.seat, self.simulations)
        code = bot_registry.code_digest(self.game.rules)
        return sha256(" ".join(map(str, (*words, parts, code))).encode()).hexdigest()


def position_question(game: Game, decision: DecisionPoint, simulations: int) -> Question:
    """What should this seat do?"""
    seq, seat = decision.seq, decision.seat

    def searches() -> list[tuple[int, int, int]]:
        return [(seq, seat, share) for share in simulations_per_part(simulations)]

    return Question(game, seq, seat, simulations, searches)


def game_question(game: Game, simulations: int) -> Question:
    """What was each decision worth? Refused, if the game is not over."""
    selectors.check_game_over(game.pk)

    def searches() -> list[tuple[int, int, int]]:
        taken = (each.decision for each in selectors.taken_decisions(game.pk))
        return [(decision.seq, decision.seat, simulations) for decision in taken]

    return Question(game, None, None, simulations, searches)


def simulations_per_part(simulations: int) -> list[int]:
    """How many simulations each of several workers has to make."""
    parts = max(1, min(settings.PARTS, simulations // MIN_SIMULATIONS_PER_PART))
    return [(simulations + part) // parts for part in range(parts)]


def find_analysis(question: Question) -> Analysis | None:
    """The analysis that answers it already, or will."""
    return Analysis.objects.filter(question=question.digest).first()


def begin_analysis(question: Question, account: str) -> tuple[Analysis, bool]:
    """A new analysis; or one that somebody else has begun just now, and False."""
    analysis = _new_analysis(question, account)
    searches = question.searches()
    try:
        part_dispatch.start_analysis(analysis, searches)
    except IntegrityError:
        other = find_analysis(question)
        if other is None:
            raise
        return other, False
    if not searches:  # nobody ever had to decide anything
        completion.end_analysis(analysis.pk)
        analysis.refresh_from_db()
    return analysis, True


def unfinished_analyses(account: str) -> QuerySet[Analysis]:
    """The analyses of an account that have not ended."""
    return Analysis.objects.filter(account=account, state=Analysis.State.WAITING)


def delete_old_analyses() -> int:
    """Drop analyses that are old: they can be asked for again."""
    old = Analysis.objects.filter(ended__lt=timezone.now() - ANALYSES_KEPT_FOR)
    return old.delete()[0]


def _new_analysis(question: Question, account: str) -> Analysis:
    now = timezone.now()
    return Analysis(
        question=question.digest,
        game=question.game,
        account_id=account,
        seq=question.seq,
        seat=question.seat,
        simulations=question.simulations,
        digest=bot_registry.code_digest(question.game.rules),
        created=now,
        deadline=now + (POSITION_DEADLINE if question.seq else GAME_DEADLINE),
        due=now + part_dispatch.MIN_RESEND_INTERVAL,
    )
