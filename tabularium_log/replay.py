"""A finished game of any server, replayed offline from its export: states, views, pictures and
decisions. `python -m tabularium_log.replay FILE` shows it in the terminal.

The export is verified as it is read: its hash chain, seals, fair draws, rules and signatures.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common import json_codec, shapes_svg
from tabularium_engines.common.json_codec import Json
from tabularium_engines.common.shapes_svg import SHAPES, Shape
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit.export_reader import Export, read_export, read_lines
from tabularium_log.audit.export_record import check_record
from tabularium_log.audit.export_verifier import check_receipts, replay_export
from tabularium_log.audit.verdict import Flaw
from tabularium_log.projection.entry import Entry
from tabularium_log.projection.log_replay import replay_entry
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Outcome

__all__ = ["Decision", "Flaw", "GameReplay", "RulesetNotInstalled", "replay"]
Source: TypeAlias = str | Path | Iterable[bytes]
KEPT_EVERY: Final = 32  # entries; the positions between them are replayed from the one before


@dataclass(frozen=True)
class Decision:
    """An action of a seat, with all that the seat knew and could do."""

    engine: AnyEngine
    seq: int  # of the entry with the action
    seat: int
    state: State  # before the action; clone it before you change it
    action: Json

    @property
    def view(self) -> Any:
        """The position as the seat saw it."""
        return self.engine.view(self.state, self.seat)

    @property
    def code(self) -> int:
        """The action as an integer of the engine."""
        return self.engine.encode(self.state, self.seat, self.action)

    @property
    def offers(self) -> list[int]:
        """The actions that the seat was offered, as integers of the engine. The one that it made is
        missing if players have to find such actions by themselves."""
        return self.engine.offered_actions(self.state, self.seat)

    def to_json(self) -> dict[str, Json]:
        """The decision as JSON, with the actions as clients of a server see them."""
        offers = [self.engine.action_json(self.state, self.seat, code) for code in self.offers]
        view = json_codec.to_json(self.view)
        return {
            "seq": self.seq,
            "seat": self.seat,
            "view": view,
            "offers": offers,
            "action": self.action,
        }


class GameReplay:
    """A verified game that is over."""

    def __init__(self, export: Export) -> None:
        self._tables: list[Projection] = []  # after entry 1, and after every so many more
        self.entries: list[Entry] = []  # complete: with hidden fields and draws
        for table in replay_export(export):
            if len(self.entries) % KEPT_EVERY == 0:
                self._tables.append(table)
            self.entries.append(table.entry)
        self._last = table

    @property
    def game(self) -> str:
        """The id of the game."""
        return self._last.game

    @property
    def engine(self) -> AnyEngine:
        """The rules of the game."""
        return self._last.engine

    @property
    def options(self) -> Any:
        """The options of the game."""
        return self._last.options

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._last.creation.seats

    @property
    def first(self) -> int:
        """The first entry with a position: the one that starts the game."""
        return self._last.first or self._fail("The game ended before it began.")

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended; None if it was called off."""
        return self._last.outcome

    def __len__(self) -> int:
        """The number of entries."""
        return len(self.entries)

    # -- positions ---------------------------------------------------------------------------------

    def table(self, seq: int | None = None) -> Projection:
        """All that the log says after an entry, or after the last one."""
        seq = len(self) if seq is None else index(seq)
        if not 0 < seq <= len(self):
            self._fail(f"There is no entry {seq}: the game has {len(self)}.")
        kept = (seq - 1) // KEPT_EVERY
        table = self._tables[kept]
        for entry in self.entries[kept * KEPT_EVERY + 1 : seq]:
            table = replay_entry(table, entry)
        return table

    def state(self, seq: int | None = None) -> State:
        """The whole position after an entry; clone it before you change it."""
        state = self.table(seq).state
        if state is None:
            self._fail(f"There is no position before entry {self.first}.")
        return state

    def view(self, seat: int | None = None, seq: int | None = None) -> Any:
        """The position as a seat may know it, or an onlooker."""
        if seat is not None and not 0 <= seat < self.seats:
            self._fail(f"There is no seat {seat}: the game has {self.seats}.")
        return self.engine.view(self.state(seq), seat)

    def text(self, seat: int | None = None, seq: int | None = None) -> str:
        """A page of text that shows the view."""
        return self.engine.text(self.view(seat, seq))

    def picture(
        self, seat: int | None = None, seq: int | None = None, shape: Shape = "wide"
    ) -> str:
        """An SVG picture that shows the view."""
        return shapes_svg.draw(self.engine, self.view(seat, seq), shape)

    def tables(self) -> Iterator[Projection]:
        """The table after each entry, one after the other."""
        table = self._tables[0]
        yield table
        for entry in self.entries[1:]:
            table = replay_entry(table, entry)
            yield table

    def decisions(self) -> Iterator[Decision]:
        """The actions of all seats, in order; those that were taken back are among them."""
        state: State | None = None
        for table in self.tables():
            seat, _, action, draws = table.entry
            if state is not None and seat is not None and draws is not None:
                yield Decision(self.engine, table.seq, seat, state, action)
            state = table.state

    def _fail(self, sentence: str) -> NoReturn:
        raise IndexError(sentence)


def replay(
    source: Source,
    *,
    key: str | None = None,
    is_signed: bool = True,
    record_key: str | None = None,
) -> GameReplay:
    """The game of an export: the path of its file, or its lines. `key` is the public key (hex) that
    must have signed it; with `is_signed` false an export without signatures is accepted, too.
    `record_key` is the verifier key of the public record that must have the game.

    Raises Flaw if the export was altered, is unfair or breaks the rules, and if the game is not
    over; RulesetNotInstalled if the library does not have its rules.
    """
    lines = read_lines(Path(source)) if isinstance(source, str | Path) else source
    export = read_export(lines)
    if not export.is_over:
        sentence = "The game is not over: its hidden fields are not revealed."
        raise Flaw(sentence, len(export.entries))
    check_receipts(export, (), key, is_signed)
    check_record(export, record_key)
    return GameReplay(export)


# -- the terminal ----------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> None:
    """Show a position of an exported game, draw it, or print all decisions as lines of JSON."""
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}.replay")
    add = parser.add_argument
    add("file", type=Path, help="the export of a finished game")
    add("--seq", type=int, metavar="N", help="the entry after which (default: the last one)")
    add("--seat", type=int, metavar="N", help="the seat that looks (default: an onlooker)")
    add("--svg", type=Path, metavar="FILE", help="write the picture, too")
    add("--shape", choices=SHAPES, default="wide", help="the shape of the picture")
    add("--decisions", action="store_true", help="print every decision as a line of JSON instead")
    add("--key", metavar="HEX", help="the public key that must have signed the export")
    add("--unsigned", action="store_true", help="accept an export without signatures")
    options = parser.parse_args(arguments)
    try:
        game = replay(options.file, key=options.key, is_signed=not options.unsigned)
        if options.decisions:
            for decision in game.decisions():
                sys.stdout.write(f"{json.dumps(decision.to_json(), ensure_ascii=False)}\n")
        else:
            show(game, options)
    except (Flaw, RulesetNotInstalled, IndexError, OSError) as problem:
        sys.exit(f"{options.file}: {problem}")


def show(game: GameReplay, options: argparse.Namespace) -> None:
    """Print a summary and the page of a position, and write its picture if that is wanted."""
    about = game.engine.about
    lines = [f"{game.game}: {about.title}, rules version {about.version}, {len(game)} entries"]
    if game.outcome:
        lines.append(game.outcome.reason)
    page = game.text(options.seat, options.seq)
    sys.stdout.write("\n".join([*lines, "", page, ""]))
    if options.svg:
        options.svg.write_text(
            game.picture(options.seat, options.seq, options.shape), encoding="utf-8"
        )


if __name__ == "__main__":
    main()
