"""A process that makes one action of random games for each line that it reads, and answers with the
entry once it is acknowledged."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final

from games import selectors, services
from games.log_store import read_hash
from games.models import Account
from games.services import SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tests.games.sitting import some_action

RULES: Final = "law_of_the_dice"


def main(_: Sequence[str]) -> None:
    """Play as long as there are lines."""
    account = Account.objects.create(name="Player")
    for _line, entry in zip(sys.stdin, entries(account), strict=False):
        sys.stdout.write(f"{entry}\n")
        sys.stdout.flush()


def entries(account: Account) -> Iterator[str]:
    """Game, seq and hash of each action of one random game after another."""
    for number in count():
        rng = FastRng(number)
        game = services.create_game(RULES, [SeatAssignment(account=account)] * 2).projection.game
        while (table := selectors.game_projection(game)).phase == "playing":
            seat, action = some_action(table, rng)
            last = services.append_action(game, seat, action).last_seq
            yield f"{game} {last} {read_hash(game, last)}"
