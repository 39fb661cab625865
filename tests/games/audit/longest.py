"""The longest exports: the longest line, the most values in a line, and the largest file over many
games with all seats taken. `python -m tests.games.audit.longest [games]` measures them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from random import Random
from typing import Final

from ai.bot_kinds import Budget
from ai.view_guard import decide_from_view
from games.audit.size_budget import count_values
from tabularium_engines.base import AnyEngine
from tabularium_engines.common.json_codec import Json
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.projection import table_actions
from tabularium_log.projection.projection import Projection
from tests.games.audit import making
from tests.games.audit.making import GameBuilder, new_plan, start_plan

MOST: Final = 1_000  # seats: capped by the ruleset
BOTS: Final = ("random", "greedy")


@dataclass(frozen=True)
class Size:
    """The size of an export."""

    line: int  # bytes of the longest line
    values: int  # most in one line, by `count_values`
    total: int  # bytes
    all_values: int

    @classmethod
    def of(cls, lines: list[bytes]) -> Size:
        """The size of these lines."""
        counts = list(map(count_values, lines))
        return cls(max(map(len, lines)), max(counts), sum(map(len, lines)), sum(counts))


def play_with_bot(engine: AnyEngine, bot: str, seed: int) -> GameBuilder:
    """A whole game with every seat taken, all played by that bot."""
    game = start_plan(new_plan(engine, MOST, seed, has_seeds=True))
    chance = Random(seed)
    while (result := game.table.decided_outcome) is None:
        game.write(*bot_decision(game.table, bot, chance))
    game.write(None, table_actions.End(game.plan.secret.hex(), result))
    return game


def bot_decision(table: Projection, bot: str, chance: Random) -> tuple[int, Json]:
    """The next action of an awaited seat."""
    if bot == "random":
        return making.random_decision(table, chance)
    engine, state = table.engine, table.state
    assert state is not None
    seat = chance.choice(engine.awaited_seats(state))
    about, view = engine.about, engine.view(state, seat)
    decision = decide_from_view(
        about.slug, about.version, bot, view, chance.getrandbits(32), Budget()
    )
    return seat, engine.action_codec.to_json(decision.action)


def largest_size(engine: AnyEngine, bot: str, seeds: range) -> Size:
    """The maximum of each measure; each game that raises one is printed."""
    most = Size(0, 0, 0, 0)
    for seed in seeds:
        size = Size.of(play_with_bot(engine, bot, seed).lines("everything"))
        new = Size(*map(max, vars(most).values(), vars(size).values()))
        if new != most:
            sys.stdout.write(f"{engine.about.slug} {bot} seed {seed}: {size}\n")
            sys.stdout.flush()
        most = new
    return most


def main() -> None:
    """Measure the given rulesets, or all."""
    games = int(sys.argv[1]) if sys.argv[1:] else 1_000
    for slug in sys.argv[2:] or ENGINES:
        for bot in BOTS:
            most = largest_size(ENGINES[slug], bot, range(games))
            sys.stdout.write(f"{slug} {bot}: at most {most}\n")


if __name__ == "__main__":
    main()
