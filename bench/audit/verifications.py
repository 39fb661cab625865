"""The processor time of verifying stored games in both ways, and of recognizing games that a ledger
knows, of every ruleset, printed as JSON.

No game is verified twice, so that nothing is known of it but the actions that all games of its
ruleset have; the ways take turns."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import Final

import django
from django.db.models import Sum

Way = Callable[[Sequence[str]], int]  # verifies games, and counts those that are good
FIRST: Final = 10_000  # the distance of the numbers of two sets of games
WARM_UP: Final = 4  # times as many entries are verified before, in both ways


def main() -> None:
    """Measure and print; the arguments are the entries of a set and the number of repetitions."""
    from tabularium_engines.installed import registry

    entries, repetitions = map(int, sys.argv[1:])
    costs = {
        str(ruleset): _measure(ruleset, entries, repetitions)
        for ruleset in sorted(registry.RULESETS)
    }
    print(json.dumps(costs))


def _measure(
    ruleset: tuple[str, int], entries: int, repetitions: int
) -> dict[str, list[tuple[int, float]]]:
    """The entries and the CPU seconds of each repetition, for each way."""
    from bench.audit.stored_games import store_games
    from tabularium_engines.installed import registry

    engine, first = registry.find_engine(*ruleset), FIRST
    costs: dict[str, list[tuple[int, float]]] = {"quick": [], "replay": [], "known": []}
    warm_up = store_games(engine, WARM_UP * entries, 0)
    assert _quickly(warm_up) == _by_replay(warm_up) == len(warm_up)
    for _ in range(repetitions):
        for way, verify in (("quick", _quickly), ("replay", _by_replay), ("known", _recognize)):
            costs[way].append(_time(verify, store_games(engine, entries, first)))
            first += FIRST
    return costs


def _time(verify: Way, games: Sequence[str]) -> tuple[int, float]:
    from games.models import Game

    total = Game.objects.filter(pk__in=games).aggregate(total=Sum("seq"))["total"]
    start = process_time()
    good = verify(games)
    elapsed = process_time() - start
    assert good == len(games)
    return total, elapsed


def _quickly(games: Sequence[str]) -> int:
    from games.audit import quick_verifier

    batches = range(0, len(games), quick_verifier.BATCH)
    parts = (games[first : first + quick_verifier.BATCH] for first in batches)
    return sum(len(list(quick_verifier.find_good(part))) for part in parts)


def _by_replay(games: Sequence[str]) -> int:
    from games.audit import stored_game_verifier

    return sum(stored_game_verifier.verify_game(game).is_good for game in games)


def _recognize(games: Sequence[str]) -> int:
    from games.audit import stored_rows

    stored_rows.digest_rows(games)
    return len(games)


if __name__ == "__main__":
    django.setup()
    main()
