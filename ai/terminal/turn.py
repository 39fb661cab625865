"""How does a person decide? They see the table and a numbered menu, and type."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from rich.console import RenderableType
from rich.markdown import Markdown

from ai.bots import Budget
from ai.registry import bot
from ai.terminal.colours import coloured
from ai.terminal.menu import Line, menu, rows
from ai.terminal.screen import Leave, Screen
from ai.terminal.seating import Seating
from games.engines.base import Engine, Rng, State

ADVISER: Final = "mcts"
KEYS: Final = "? rules · h hint · n news so far · s table again · q quit, the game is saved"


class Turn:
    """One decision of the person, who is given what their seat may know and nothing else."""

    def __init__(
        self,
        engine: Engine[Any, Any],
        state: State,
        seating: Seating,
        screen: Screen,
        rng: Rng,
    ) -> None:
        self._engine = engine
        self._seat = seating.next(engine, state)
        self._view = engine.view(state, self._seat)
        self._menu = menu(engine, state, self._seat)
        self._seconds = seating.seconds
        self._screen = screen
        self._rng = rng
        self._heard: Sequence[str] = ()
        self._seen = 0  # how much of it is old

    def decide(self, heard: Sequence[str], seen: int) -> Any:
        """The action that was chosen; Leave if the person wants to go."""
        self._heard, self._seen = heard, seen
        keys: Mapping[str, Callable[[], None]] = {
            "?": self._rules,
            "h": self._hint,
            "n": self._news,
            "s": self._show,
        }
        self._show()
        while True:
            said = self._screen.ask(f"Your choice, 1–{len(self._menu)}:").lower()
            if said == "q":
                raise Leave
            if said in keys:
                keys[said]()
            elif line := self._line(said):
                return line.action
            else:
                self._screen.say(self._misunderstood(said))

    def _line(self, said: str) -> Line | None:
        """The line of the menu that a number names."""
        numbered = {str(line.number): line for line in self._menu}
        return numbered.get(said.lstrip("0"))

    def _misunderstood(self, said: str) -> str:
        stranger = f"“{said[:20]}{'…' * (len(said) > 20)}” is none of these. " if said else ""
        return f"{stranger}Type a number from 1 to {len(self._menu)}, or ?, h, n, s or q."

    def _show(self) -> None:
        table = self._engine.text(self._view)
        listed = list(rows(self._menu, self._screen.width))
        if not self._screen.has_room(table, listed):
            listed = list(rows(self._menu, self._screen.width, is_cramped=True))
        self._screen.page(table, self._heard, self._seen, [*listed, KEYS])

    def _rules(self) -> None:
        self._read_out(Markdown(rules(self._engine)))

    def _news(self) -> None:
        self._read_out(*map(coloured, self._heard))

    def _read_out(self, *texts: RenderableType) -> None:
        self._screen.read_out(*texts)
        if self._screen.is_live:
            self._show()

    def _hint(self) -> None:
        adviser = bot(ADVISER, self._engine.about.slug)
        with self._screen.waiting(f"{ADVISER} looks at your cards"):
            budget = Budget(self._seconds)
            action = adviser.choose(self._engine, self._view, self._rng, budget).action
        line = next(line for line in self._menu if line.action == action)
        self._screen.say(f"{ADVISER} would choose {line.number}: {line.label}")


def rules(engine: Engine[Any, Any]) -> str:
    """The rule book of the game, from its folder."""
    folder = type(engine).__module__.rpartition(".")[0]
    return resources.files(folder).joinpath("RULES.md").read_text(encoding="utf-8")
