"""Rulings: how often random games reach the code that a ruling explains. Such a line names it in a
comment, as in `# R12`; compiled code cannot be traced, so this needs interpreted engines."""

from __future__ import annotations

import re
import sys
from collections import Counter
from types import FrameType
from typing import Any, Final

from tabularium_engines.base import AnyEngine
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT, imported_sources, module_path
from tabularium_engines.common.bits import lowest
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import engine_module

RULING: Final = re.compile(r"\bR(\d+)\b")


def rulings_by_line(source: str) -> dict[int, frozenset[int]]:
    """The rulings that comments in functions name, by the number of the line of code: that of the
    comment, or the next if the comment stands alone or after a docstring."""
    found: dict[int, frozenset[int]] = {}
    waiting: frozenset[int] = frozenset()
    for number, line in enumerate(source.splitlines(), start=1):
        code, mark, comment = line.partition("#")
        named = frozenset(map(int, RULING.findall(comment))) if mark else frozenset()
        if not code.startswith(" "):
            waiting = frozenset()  # a constant, or the next function
        elif not code.strip() or code.rstrip().endswith('"""'):
            waiting |= named
        elif here := named | waiting:
            found[number], waiting = here, frozenset()
    return found


class RulingTracer:
    """Traces the lines that name rulings, as a function for `sys.settrace`."""

    def __init__(self, engine: AnyEngine) -> None:
        about = engine.about
        module = module_path(engine_module(about.slug, about.version))
        paths = [PROJECT_ROOT / path for path in imported_sources([module])]
        by_file = {str(path): rulings_by_line(path.read_text()) for path in paths}
        self._by_file = {path: lines for path, lines in by_file.items() if lines}
        self.reached: set[int] = set()

    @property
    def named(self) -> frozenset[int]:
        """All rulings that the code names."""
        by_line = (lines.values() for lines in self._by_file.values())
        return frozenset(ruling for sets in by_line for rulings in sets for ruling in rulings)

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Trace the calls into files that name a ruling."""
        lines = self._by_file.get(frame.f_code.co_filename)
        if lines is None:
            return None

        def trace_line(frame: FrameType, event: str, argument: Any) -> Any:
            self.reached |= lines.get(frame.f_lineno, frozenset())
            return trace_line

        return trace_line(frame, event, argument)


def reached_rulings(engine: AnyEngine, games: int) -> dict[int, int]:
    """The number of random games that reach each ruling, at all numbers of seats in turn."""
    tracer, found = RulingTracer(engine), Counter[int]()
    fewest, most = engine.about.seats
    for game in range(games):
        tracer.reached = set()
        sys.settrace(tracer)
        try:
            play_randomly(engine, fewest + game % (most - fewest + 1), FastRng(game))
        finally:
            sys.settrace(None)
        found.update(tracer.reached)
    return {ruling: found[ruling] for ruling in sorted(tracer.named)}


def play_randomly(engine: AnyEngine, seats: int, rng: FastRng) -> None:
    """Play a random game under the default options, and show it to all seats after each action."""
    state = engine.start(engine.about.options(), seats, rng)
    while state.to_act:
        seat = lowest(state.to_act)
        state.apply(seat, state.random_action(seat, rng), rng)
        engine.view(state, seat)
