"""How does a game go on from decision to decision, and what is shown and kept meanwhile?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from shlex import quote
from time import monotonic, sleep
from typing import Any, Final

from ai.bots import Budget
from ai.terminal.record import Record
from ai.terminal.screen import Leave, Screen
from ai.terminal.seating import Seating, ending
from ai.terminal.turn import Turn
from games.engines.base import Engine, Rng, State
from games.engines.common import log

FLICKER: Final = 0.25  # seconds between two pages that nobody has to answer


class Sitting:
    """One game from its first state, or from where it was left, until it ends or is left."""

    def __init__(
        self, engine: Engine[Any, Any], record: Record, seating: Seating, screen: Screen
    ) -> None:
        self._engine = engine
        self._record = record
        self._seating = seating
        self._screen = screen
        self._heard: list[str] = seating.present()
        self._seen = 0  # how much of it the person has had before their eyes when deciding
        self._drawn = 0.0  # when the last page was

    def play(self, states: Iterable[State], chance: Rng, wits: Rng) -> None:
        """Go on after `states`, whose news is told again; `wits` is the bots' own chance."""
        for state in states:
            told = self._hear(state)
        if not self._screen.is_live:
            self._screen.say(*self._seating.present(), *told)
        try:
            state = self._play_on(state, chance, wits)
        except (Leave, KeyboardInterrupt):
            self._screen.say("", "You leave the table.", *self._paths(is_over=False))
            return
        self._finish(state)

    def _play_on(self, state: State, chance: Rng, wits: Rng) -> State:
        while state.to_act:
            seat = self._seating.next(self._engine, state)
            action = self._decision(state, seat, wits)
            state = log.append(self._engine, state, self._record.log, seat, action, chance)
            self._record.keep()
            told = self._hear(state)
            if not self._screen.is_live:
                self._screen.say(*told)
        return state

    def _hear(self, state: State) -> list[str]:
        told = [item["text"] for item in self._engine.news(state, self._seating.human)]
        self._heard += told
        return told

    # -- decisions --------------------------------------------------------------------------------

    def _decision(self, state: State, seat: int, wits: Rng) -> Any:
        if seat != self._seating.human:
            return self._bots_decision(state, seat, wits)
        turn = Turn(self._engine, state, self._seating, self._screen, wits)
        action = turn.decide(self._heard, self._seen)
        self._seen = len(self._heard)
        return action

    def _bots_decision(self, state: State, seat: int, wits: Rng) -> Any:
        if self._screen.is_live:
            self._draw(state)
        bot, seconds = self._seating.bots[seat], self._seating.seconds
        with self._screen.waiting(f"{self._seating.called(seat)} thinks …"):
            view = self._engine.view(state, seat)
            action = bot.choose(self._engine, view, wits, Budget(seconds)).action
            if self._is_watched():
                sleep(max(0.0, self._drawn + seconds - monotonic()))
        return action

    def _is_watched(self) -> bool:
        """Does somebody watch bots, and wants to follow?"""
        return self._seating.human is None and self._screen.is_live

    def _draw(self, state: State) -> None:
        """A page between decisions, unless there was one just now."""
        if self._is_watched() or monotonic() - self._drawn > FLICKER:
            self._page(state)
            self._drawn = monotonic()

    def _page(self, state: State, below: Sequence[str] = ()) -> None:
        view = self._engine.view(state, self._seating.human)
        self._screen.page(self._engine.text(view), self._heard, self._seen, below)

    # -- the end ----------------------------------------------------------------------------------

    def _finish(self, state: State) -> None:
        result = self._engine.result(state)
        assert result is not None, "nobody is awaited, so it is over"
        self._page(state, [*ending(result, self._seating), *self._paths(is_over=True)])

    def _paths(self, is_over: bool) -> Iterable[str]:
        """Where the log is, and what can be done with it."""
        yield f"The log is {self._file()}. Entries: {len(self._record.log.entries)}."
        if not is_over:
            yield f"Go on:     {self._typed(f'--resume {self._file()} {self._seating.typed()}')}"
        yield f"Replay it: {self._typed(f'--replay {self._file()}')}"

    def _typed(self, arguments: str) -> str:
        """A command line that does something with the log."""
        return f"make play GAME={self._engine.about.slug} ARGS={quote(arguments)}"

    def _file(self) -> str:
        """The log as it is called from here."""
        path, here = self._record.path, Path.cwd()
        return quote(str(path.relative_to(here) if path.is_relative_to(here) else path))
