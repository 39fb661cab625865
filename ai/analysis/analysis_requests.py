"""Requests for analyses: creating, finding and deleting them. They are of a position, of every
decision of a game that is over, or of a bot's decision, present or past. Repeating a request to the
same code returns the same analysis."""

from __future__ import annotations

import logging
import secrets
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
from ai.analysis import (
    analysis_completion,
    parallel_bot_decision,
    part_dispatch,
    repeated_decision,
)
from ai.analysis.decision_search import SEED_BITS
from ai.bot_kinds import Budget
from ai.models import Analysis, Thought
from games import selectors
from games.models import Game
from games.selectors import BotTurn, DecisionPoint

logger = logging.getLogger(__name__)

DEFAULT_SIMULATIONS: Final = 2_000  # of a position
MAX_SIMULATIONS: Final = 50_000
DEFAULT_SIMULATIONS_PER_DECISION: Final = 500  # of each decision of a game
MAX_SIMULATIONS_PER_DECISION: Final = 5_000
MIN_SIMULATIONS_PER_PART: Final = 250  # a smaller part is not worth another worker
POSITION_DEADLINE: Final = timedelta(minutes=2)  # from the request to the result
GAME_DEADLINE: Final = timedelta(minutes=30)
ANALYSES_KEPT_FOR: Final = timedelta(days=30)


@dataclass(frozen=True)
class Question:
    """A requested analysis: its searches, as (seq, seat, simulations), in order."""

    game: Game
    seq: int | None
    seat: int | None
    simulations: int  # of each decision
    searches: Callable[[], Sequence[tuple[int, int, int]]]
    entry: int | None = None  # whose decision by a bot is repeated

    @property
    def digest(self) -> str:
        """The digest of the question: equal for equal requests while the bots' code is the same;
        the thought of a bot does not change with it."""
        if self.entry is not None:
            return sha256(f"tabularium/thought/1 {self.game.pk} {self.entry}".encode()).hexdigest()
        parts = len(simulations_per_part(self.simulations)) if self.seq else 1
        members = ("tabularium/analysis/1", self.game.pk, self.seq, self.seat, self.simulations)
        code = bot_registry.code_digest(self.game.rules, self.game.version)
        return sha256(" ".join(map(str, (*members, parts, code))).encode()).hexdigest()


def position_question(game: Game, decision: DecisionPoint, simulations: int) -> Question:
    """A question about the seat's best action."""
    seq, seat = decision.seq, decision.seat

    def searches() -> list[tuple[int, int, int]]:
        return [(seq, seat, share) for share in simulations_per_part(simulations)]

    return Question(game, seq, seat, simulations, searches)


def game_question(game: Game, simulations: int) -> Question:
    """A question about the worth of each decision; refused unless the game is over."""
    selectors.check_game_over(game.pk)

    def searches() -> list[tuple[int, int, int]]:
        decisions = (taken.decision for taken in selectors.taken_decisions(game.pk))
        return [(decision.seq, decision.seat, simulations) for decision in decisions]

    return Question(game, None, None, simulations, searches)


def repetition_question(game: Game, thought: Thought) -> Question:
    """A question about the thought of a bot behind an entry."""

    def searches() -> list[tuple[int, int, int]]:
        simulations = repeated_decision.simulations_of_parts(thought)
        return [(thought.known, thought.seat, share) for share in simulations]

    return Question(game, thought.known, thought.seat, thought.simulations, searches, thought.seq)


def simulations_per_part(simulations: int) -> list[int]:
    """The number of simulations of each part."""
    parts = max(1, min(settings.PARTS, simulations // MIN_SIMULATIONS_PER_PART))
    return [(simulations + part) // parts for part in range(parts)]


def find_analysis(question: Question) -> Analysis | None:
    """The existing analysis of the question, finished or not."""
    return Analysis.objects.filter(question=question.digest).first()


def begin_analysis(question: Question, account: str) -> tuple[Analysis, bool]:
    """Start an analysis, and True; or one that another client started at the same time, and
    False."""
    analysis = _new_analysis(question, account)
    searches = question.searches()
    try:
        part_dispatch.start_analysis(analysis, searches)
    except IntegrityError:
        other_analysis = find_analysis(question)
        if other_analysis is None:
            raise
        return other_analysis, False
    if not searches:  # no seat ever had a decision
        analysis_completion.end_analysis(analysis.pk)
        analysis.refresh_from_db()
    return analysis, True


def begin_decision(game: str, seat: int, turn: BotTurn, budget: Budget) -> None:
    """Start an analysis of a bot's decision, unless there is one."""
    now = timezone.now()
    seconds = budget.seconds or part_dispatch.MAX_PART_SECONDS
    analysis = Analysis(
        question=turn.token,
        game_id=game,
        seq=turn.seq,
        seat=seat,
        simulations=budget.simulations,
        digest=bot_registry.code_digest(turn.ruleset, turn.version),
        created=now,
        deadline=parallel_bot_decision.decision_deadline(now, seconds),
        due=now + part_dispatch.MIN_RESEND_INTERVAL,
        bot=turn.bot,
        choice=turn.token,
        seconds=seconds,
        seed=secrets.randbits(SEED_BITS),
    )
    try:
        part_dispatch.start_analysis(
            analysis, budget.parts * [(turn.seq, seat, budget.simulations)]
        )
    except IntegrityError:
        logger.debug("The search for seat %s of %s is still running", seat, game)


def client_analyses() -> QuerySet[Analysis]:
    """The analyses that clients list and read: neither bots' decisions nor repetitions of them."""
    return Analysis.objects.filter(bot="", entry=None)


def unfinished_analyses(account: str) -> QuerySet[Analysis]:
    """The analyses of an account that have not ended."""
    return Analysis.objects.filter(account=account, state=Analysis.State.WAITING)


def delete_old_analyses() -> int:
    """Delete old analyses; returns their number. They can be requested again."""
    analyses = Analysis.objects.filter(ended__lt=timezone.now() - ANALYSES_KEPT_FOR)
    return analyses.delete()[0]


def _new_analysis(question: Question, account: str) -> Analysis:
    now = timezone.now()
    return Analysis(
        question=question.digest,
        game=question.game,
        account_id=account,
        seq=question.seq,
        seat=question.seat,
        entry=question.entry,
        simulations=question.simulations,
        digest=bot_registry.code_digest(question.game.rules, question.game.version),
        created=now,
        deadline=now + (POSITION_DEADLINE if question.seq else GAME_DEADLINE),
        due=now + part_dispatch.MIN_RESEND_INTERVAL,
    )
