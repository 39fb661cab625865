"""The retirement of thoughts: those of games that ended long ago are deleted."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.utils import timezone

from ai.models import Thought
from games import selectors
from games.selectors import EndedGame

BATCH: Final = 500  # games whose thoughts are deleted with one statement
MAX_BATCHES: Final = 40  # in one clean-up


class Walk:
    """A walk through all games that are over, in the order of their ends, a part in each clean-up.
    A process begins it anew: it passes games without thoughts quickly."""

    def __init__(self) -> None:
        self._last: EndedGame | None = None

    def go_on(self) -> int:
        """Delete the thoughts of the next games that ended long ago; returns their number."""
        if not settings.THOUGHT_LIFE:
            return 0
        before, count = timezone.now() - settings.THOUGHT_LIFE, 0
        for _ in range(MAX_BATCHES):
            games = selectors.games_ended(self._last, before, BATCH)
            if not games:
                break
            count += Thought.objects.filter(game__in=[game.id for game in games]).delete()[0]
            self._last = games[-1]
        return count


walk: Final = Walk()
