"""Stepping through a log entry by entry, as seen by an onlooker, a seat or all seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from ai.terminal.screen import PlayerLeft, Screen
from games.engines.base import Engine, State
from games.engines.common.replay_log import Log

KEYS_HELP: Final = "Enter on · b back · a number: that entry · q quit"


@dataclass(frozen=True)
class ReplayViewer:
    """The point of view of a replay: a seat's, an onlooker's (None) or, after the game, all
    seats'."""

    seat: int | None
    knows_everything: bool = False

    def seat_shown(self, acting: int | None) -> int | None:
        """The seat whose view is shown after an action of `acting`."""
        return acting if self.knows_everything else self.seat

    def news_texts(self, engine: Engine[Any, Any], state: State) -> list[str]:
        """The news of the last action; if everything is known, the fullest version of each item."""
        if not self.knows_everything:
            return [item["text"] for item in engine.news(state, self.seat)]
        heard = zip(*(engine.news(state, seat) for seat in range(state.seats)), strict=True)
        return [max(item, key=len)["text"] for item in heard]


class LogReplay:
    """A replay of a whole log, forwards and backwards."""

    def __init__(
        self,
        engine: Engine[Any, Any],
        log: Log,
        states: Sequence[State],
        witness: ReplayViewer,
        screen: Screen,
    ) -> None:
        self._engine = engine
        self._log = log
        self._states = states
        self._viewer = witness
        self._screen = screen

    def run(self) -> None:
        """Step through the entries until the last has been shown or the person leaves."""
        seq = 1
        try:
            while seq <= len(self._states):
                self._show_entry(seq)
                seq = self._ask_next_entry(seq)
        except (PlayerLeft, KeyboardInterrupt):
            self._screen.say("")
        else:
            self._screen.say("That was the last entry.")

    def _ask_next_entry(self, seq: int) -> int:
        """The number of the entry to show next."""
        while True:
            said = self._screen.ask("Enter, b, a number or q:").lower()
            if said == "q":
                raise PlayerLeft
            if said in ("", "b"):
                return max(1, seq - 1) if said else seq + 1
            if said.isdecimal() and len(said) < 9 and 1 <= int(said) <= len(self._states):
                return int(said)
            self._screen.say(f"Entries go from 1 to {len(self._states)}. {KEYS_HELP}.")

    def _show_entry(self, seq: int) -> None:
        state, acting = self._states[seq - 1], self._log.entries[seq - 1].seat
        told = self._viewer.news_texts(self._engine, state)
        page = self._engine.text(self._engine.view(state, self._viewer.seat_shown(acting)))
        heading = self._heading(seq)
        if self._screen.is_live:
            self._screen.show_page(page, told, 0, [heading, KEYS_HELP])
        else:
            self._screen.say("", heading, *told, page)

    def _heading(self, seq: int) -> str:
        """The entry's number, and the chosen action if the viewer may know it."""
        entry = self._log.entries[seq - 1]
        place = f"Entry {seq} of {len(self._states)}"
        if entry.seat is None:
            return f"{place}: the game begins"
        if self._viewer.seat_shown(entry.seat) != entry.seat:
            return f"{place}: seat {entry.seat} has decided"
        before = self._states[seq - 2]
        code = self._engine.encode(before, entry.seat, entry.action)
        return f"{place}: seat {entry.seat} chose “{self._engine.label(before, entry.seat, code)}”"
