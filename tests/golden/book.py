"""The golden games: their options, and the files kept of each (a log, with pages and pictures).

`<game>/v<version>/<name>.jsonl` is a whole game. `<name>.end.json` holds its last contents and its
result; `<name>.<seq>.<viewer>.txt` and `.svg` show the view of a viewer after entry seq.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common import json_codec
from tabularium_engines.common.replayable_log import from_lines, replay
from tabularium_engines.promises.variants import variants

GOLDEN: Final = Path(__file__).resolve().parent
ONLOOKER: Final = "onlooker"
EARLY_SEQ: Final = 5


@dataclass(frozen=True)
class GoldenGame:
    """A game that is played once and kept forever."""

    name: str
    options: Any
    seats: int
    seed: int


def folder(engine: AnyEngine) -> Path:
    """The folder of the current version's golden games."""
    return GOLDEN / engine.about.slug / f"v{engine.about.version}"


def folder_beside(file: Path, engine: AnyEngine) -> Path:
    """The folder of the golden games of a game in one file."""
    return file.parent / "golden" / f"v{engine.about.version}"


def planned(engine: AnyEngine) -> list[GoldenGame]:
    """Few, middling and many seats, each with the default options and with an unusual variant."""
    fewest, most = engine.about.seats
    seats = sorted({fewest, (fewest + most) // 2, most})
    unusual = sorted(variants(engine.about.options), key=deviations, reverse=True)
    return [
        *(GoldenGame(f"{n}-default", engine.about.options(), n, 2 * n) for n in seats),
        *(
            GoldenGame(f"{n}-variant", fitting[place], n, 2 * n + 1)
            for place, n in enumerate(seats)
            if len(fitting := [o for o in unusual if engine.misfit(o, n) is None]) > place
        ),
    ]


def deviations(options: Any) -> int:
    """The number of options in which a variant differs from the default."""
    default = type(options)()
    names = json_codec.field_types(type(options))
    return sum(getattr(options, name) != getattr(default, name) for name in names)


def pictures(engine: AnyEngine, name: str, states: Sequence[State]) -> Iterator[tuple[str, str]]:
    """The files next to a log, by name."""
    last = states[-1]
    ending = {"contents": last.contents(), "result": json_codec.to_json(engine.result(last))}
    yield f"{name}.end.json", json.dumps(ending, indent=1) + "\n"
    for seq, viewer in moments(states):
        view = engine.view(states[seq - 1], viewer)
        stem = f"{name}.{seq}.{ONLOOKER if viewer is None else viewer}"
        yield f"{stem}.txt", engine.text(view) + "\n"
        yield f"{stem}.svg", engine.svg(view)


def moments(states: Sequence[State]) -> list[tuple[int, int | None]]:
    """Three moments of a game, each with a viewer: early, in the middle, at the end. A short game
    has them, too: each is one of its entries."""
    last = len(states)
    return [(min(EARLY_SEQ, last), 0), (max(last // 2, 1), None), (last, states[0].seats - 1)]


def check_golden_game(engine: AnyEngine, log: Path) -> None:
    """A golden game replays to the same pages and pictures, and no others lie beside its log."""
    states = list(replay(engine, from_lines(log.read_text(encoding="utf-8").splitlines())))
    stored_names = {path.name for path in log.parent.glob(f"{log.stem}.*")} - {log.name}
    current_pages = dict(pictures(engine, log.stem, states))
    assert set(current_pages) == stored_names
    for name, page in current_pages.items():
        assert page == (log.parent / name).read_text(encoding="utf-8"), name
