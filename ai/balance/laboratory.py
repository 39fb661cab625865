"""The laboratory: it plays the games of a cell until the intervals are narrow enough, and stores
the tallies, from which it continues when it is started again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from ai.arena.contest import play_deals
from ai.arena.statistics import Score
from ai.balance.cells import Cell
from ai.balance.game_record import play_game
from ai.balance.tally import Tally, tally_from
from tabularium_engines.common.json_codec import from_json
from tabularium_engines.installed.registry import Ruleset, find_engine

RESULTS_FILE: Final = Path(__file__).resolve().with_name("balance.json")
MIN_GAMES: Final = 48  # of a cell, however narrow its intervals are
MAX_GAMES: Final = 2000
SIMULATIONS: Final[Mapping[str, int]] = {"duel_of_law": 100}  # a decision, where not the usual
USUAL_SIMULATIONS: Final = 300


def usual_bot(slug: str) -> str:
    """The bot that plays a game here, unless another is named."""
    return f"mcts:{SIMULATIONS.get(slug, USUAL_SIMULATIONS)}"


@dataclass(frozen=True)
class Result:
    """The tally of a cell with a bot."""

    cell: Cell
    bot: str
    tally: Tally
    skill: Score | None = None  # of the bot against a weaker one

    def document(self) -> dict[str, Any]:
        """The result as JSON."""
        skill = None if self.skill is None else asdict(self.skill)
        head = {**self.cell.document(), "bot": self.bot, "skill": skill}
        return head | self.tally.document()


def result_from(document: Mapping[str, Any]) -> Result:
    """The result of a JSON document."""
    ruleset = Ruleset(document["game"], document["version"])
    options = from_json(find_engine(*ruleset).about.options, document["options"])
    cell = Cell(ruleset, options, document["seats"])
    skill = None if document["skill"] is None else Score(**document["skill"])
    return Result(cell, document["bot"], tally_from(document), skill)


class Results:
    """All stored results, by cell and bot."""

    def __init__(self, path: Path = RESULTS_FILE) -> None:
        self._path = path
        rows = json.loads(path.read_text()) if path.exists() else []
        self._documents: dict[str, dict[str, Any]] = {_row_key(row): row for row in rows}

    def load(self, cell: Cell, bot: str) -> Result:
        """The stored result of a cell, or an empty one."""
        document = self._documents.get(f"{cell.key} {bot}")
        return Result(cell, bot, Tally()) if document is None else result_from(document)

    def __iter__(self) -> Iterator[Result]:
        """All results, by ruleset; of each the default options first."""
        results = map(result_from, self._documents.values())
        return iter(sorted(results, key=_place_of))

    def save(self, result: Result) -> None:
        """Store a result in place of an earlier one of its cell and bot."""
        document = result.document()
        self._documents[_row_key(document)] = document
        rows = [json.dumps(self._documents[key]) for key in sorted(self._documents)]
        temporary = self._path.with_suffix(".part")
        temporary.write_text("[\n" + ",\n".join(rows) + "\n]\n")
        temporary.replace(self._path)


def _row_key(row: Mapping[str, Any]) -> str:
    return f"{row['game']} {row['version']} {row['seats']} {row['variant']} {row['bot']}"


def _place_of(result: Result) -> tuple[Any, ...]:
    cell = result.cell
    return cell.ruleset, not cell.is_default, cell.variant, cell.seats, result.bot


def is_settled(cell: Cell, tally: Tally, games: int = 0) -> bool:
    """Whether a cell needs no more games: its intervals are narrow enough, or that many games are
    played."""
    if games:
        return tally.games >= games
    is_narrow = tally.games >= MIN_GAMES and tally.half_width <= cell.half_width
    return is_narrow or tally.games >= MAX_GAMES


def play_cell(cell: Cell, bot: str, tally: Tally, games: int = 0, jobs: int = 1) -> Iterator[Tally]:
    """Continue a tally, game by game, until it is settled."""
    if is_settled(cell, tally, games):
        return
    for record in play_deals(partial(play_game, cell, bot), tally.games, jobs):
        tally.add(record)
        yield tally
        if is_settled(cell, tally, games):
            return
