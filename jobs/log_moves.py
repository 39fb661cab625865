"""The sweeper moves logs from the old table to the table of entries: a few games in each round,
until none is left there."""

from __future__ import annotations

import logging
from typing import Any, Final

from django.dispatch import receiver

from games import log_mover
from jobs.sweeper_hooks import sweep_finished

logger = logging.getLogger(__name__)

GAMES_PER_ROUND: Final = 10


class LogMoves:
    """The moves of this process: where they are, and whether there is anything left to do."""

    def __init__(self) -> None:
        self.last_game = ""
        self.is_done = False

    def move_some(self) -> None:
        """Examine the next games, and move some. One that cannot be moved is named in the server's
        log, and stays."""
        if self.is_done:
            return
        games = [] if log_mover.is_old_table_empty() else log_mover.next_games(self.last_game)
        self.is_done = not games
        unmoved = log_mover.unmoved_of(games)
        for game, problem in log_mover.move_games(unmoved[:GAMES_PER_ROUND]):
            self.last_game = game
            if problem:
                logger.error("%s cannot be moved from the old table: %s", game, problem)
        if games and len(unmoved) <= GAMES_PER_ROUND:
            self.last_game = games[-1]


log_moves: Final = LogMoves()


@receiver(sweep_finished)
def move_logs_after_sweep(**_: Any) -> None:
    """Move a bounded number of logs after each round of the sweeper."""
    log_moves.move_some()
