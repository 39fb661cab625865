"""Which golden games are there, and what is kept of each? Logs, and pages and pictures beside them.

`<game>/v<version>/<name>.jsonl` is a whole game. `<name>.end.json` holds its last contents and its
result; `<name>.<seq>.<viewer>.txt` and `.svg` show what a viewer saw after entry seq.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from games.engines.base import Engine, State
from games.engines.common import codec
from tests.engines.variants import variants

GOLDEN: Final = Path(__file__).resolve().parent
ONLOOKER: Final = "onlooker"


@dataclass(frozen=True)
class GoldenGame:
    """A game to be played once and kept for ever."""

    name: str
    options: Any
    seats: int
    seed: int


def folder(engine: Engine[Any, Any]) -> Path:
    """Where the golden games of the present version are."""
    return GOLDEN / engine.about.slug / f"v{engine.about.version}"


def planned(engine: Engine[Any, Any]) -> list[GoldenGame]:
    """Few, middling and many seats, each by default and with several variants at once."""
    fewest, most = engine.about.seats
    seats = sorted({fewest, (fewest + most) // 2, most})
    unusual = sorted(variants(engine.about.options), key=deviations, reverse=True)
    return [
        *(GoldenGame(f"{n}-default", engine.about.options(), n, 2 * n) for n in seats),
        *(
            GoldenGame(f"{n}-variant", o, n, 2 * n + 1)
            for n, o in zip(seats, unusual, strict=False)
        ),
    ]


def deviations(options: Any) -> int:
    """In how many options a variant differs from the default."""
    default = type(options)()
    names = codec.field_types(type(options))
    return sum(getattr(options, name) != getattr(default, name) for name in names)


def pictures(
    engine: Engine[Any, Any], name: str, states: Sequence[State]
) -> Iterator[tuple[str, str]]:
    """The files that stand beside a log, by name."""
    last = states[-1]
    ending = {"contents": last.contents(), "result": codec.to_json(engine.result(last))}
    yield f"{name}.end.json", json.dumps(ending, indent=1) + "\n"
    for seq, viewer in moments(states):
        view = engine.view(states[seq - 1], viewer)
        stem = f"{name}.{seq}.{ONLOOKER if viewer is None else viewer}"
        yield f"{stem}.txt", engine.text(view) + "\n"
        yield f"{stem}.svg", engine.svg(view)


def moments(states: Sequence[State]) -> list[tuple[int, int | None]]:
    """Three moments of a game, each as somebody saw it: early, in the middle, at the end."""
    return [(5, 0), (len(states) // 2, None), (len(states), states[0].seats - 1)]
