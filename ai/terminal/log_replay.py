"""The replay of a game in the terminal: stepping through its log entry by entry, as seen by an
onlooker, a seat or all seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ai.terminal.screen import PlayerLeft, Screen
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.replayable_log import Log

KEYS_HELP: Final = "Enter on · b back · a number: that entry · q quit"


@dataclass(frozen=True)
class ReplayViewer:
    """The point of view of a replay: a seat's, an onlooker's (None) or, after the game, all
    seats'."""

    seat: int | None
    knows_everything: bool = False

    def seat_shown(self, acting_seat: int | None) -> int | None:
        """The seat whose view is shown after an action of `acting_seat`."""
        return acting_seat if self.knows_everything else self.seat

    def news_texts(self, engine: AnyEngine, state: State) -> list[str]:
        """The news of the last action; if everything is known, the fullest version of each item."""
        if not self.knows_everything:
            return [texts["text"] for texts in engine.news(state, self.seat)]
        versions = zip(*(engine.news(state, seat) for seat in range(state.seats)), strict=True)
        return [max(texts, key=len)["text"] for texts in versions]


class LogReplay:
    """A replay of a whole log, forwards and backwards."""

    def __init__(
        self,
        engine: AnyEngine,
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
            self._screen.say_after_interrupt("")
        else:
            self._screen.say("That was the last entry.")

    def _ask_next_entry(self, seq: int) -> int:
        """The number of the entry to show next."""
        while True:
            text = self._screen.ask("Enter, b, a number or q:").lower()
            if text == "q":
                raise PlayerLeft
            if text in ("", "b"):
                return max(1, seq - 1) if text else seq + 1
            if text.isdecimal() and len(text) < 9 and 1 <= int(text) <= len(self._states):
                return int(text)
            self._screen.say(f"Entries go from 1 to {len(self._states)}. {KEYS_HELP}.")

    def _show_entry(self, seq: int) -> None:
        state, acting_seat = self._states[seq - 1], self._log.entries[seq - 1].seat
        news = self._viewer.news_texts(self._engine, state)
        page = self._engine.text(self._engine.view(state, self._viewer.seat_shown(acting_seat)))
        heading = self._heading(seq)
        if self._screen.is_live:
            self._screen.show_page(page, news, [heading, KEYS_HELP])
        else:
            self._screen.say("", heading, *news, page)

    def _heading(self, seq: int) -> str:
        """The entry's number, and the chosen action if the viewer may know it."""
        entry = self._log.entries[seq - 1]
        place = f"Entry {seq} of {len(self._states)}"
        if entry.seat is None:
            return f"{place}: the game begins"
        if self._viewer.seat_shown(entry.seat) != entry.seat:
            return f"{place}: seat {entry.seat} has decided"
        old_state = self._states[seq - 2]
        code = self._engine.encode(old_state, entry.seat, entry.action)
        return (
            f"{place}: seat {entry.seat} chose “{self._engine.label(old_state, entry.seat, code)}”"
        )
