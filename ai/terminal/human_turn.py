"""A person's turn: the table, a numbered menu and typed input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from rich.console import RenderableType
from rich.markdown import Markdown

from ai.bot_registry import create_bot
from ai.bot_types import Budget
from ai.terminal.action_menu import MenuLine, build_menu, render_menu
from ai.terminal.colours import colour_text
from ai.terminal.participants import Participants
from ai.terminal.screen import PlayerLeft, Screen
from games.engines.base import Engine, Rng, State

ADVISER_BOT: Final = "mcts"
KEYS_HELP: Final = "? rules · h hint · n news so far · s table again · q quit, the game is saved"


class HumanTurn:
    """One decision of the person, who is shown their seat's view and nothing else."""

    def __init__(
        self,
        engine: Engine[Any, Any],
        state: State,
        seating: Participants,
        screen: Screen,
        rng: Rng,
    ) -> None:
        self._engine = engine
        self._seat = seating.next_seat(engine, state)
        self._view = engine.view(state, self._seat)
        self._menu = build_menu(engine, state, self._seat)
        self._seconds = seating.seconds
        self._screen = screen
        self._rng = rng
        self._news_texts: Sequence[str] = ()
        self._seen_count = 0  # the number of them shown before

    def decide(self, heard: Sequence[str], seen: int) -> Any:
        """The chosen action; raises PlayerLeft if the person quits."""
        self._news_texts, self._seen_count = heard, seen
        keys: Mapping[str, Callable[[], None]] = {
            "?": self._show_rules,
            "h": self._show_hint,
            "n": self._show_news,
            "s": self._show_page,
        }
        self._show_page()
        while True:
            said = self._screen.ask(f"Your choice, 1–{len(self._menu)}:").lower()
            if said == "q":
                raise PlayerLeft
            if said in keys:
                keys[said]()
            elif line := self._find_line(said):
                return line.action
            else:
                self._screen.say(self._error_text(said))

    def _find_line(self, said: str) -> MenuLine | None:
        """The line of the menu with that number."""
        numbered = {str(line.number): line for line in self._menu}
        return numbered.get(said.lstrip("0"))

    def _error_text(self, said: str) -> str:
        stranger = f"“{said[:20]}{'…' * (len(said) > 20)}” is not a choice. " if said else ""
        return f"{stranger}Type a number from 1 to {len(self._menu)}, or ?, h, n, s or q."

    def _show_page(self) -> None:
        table = self._engine.text(self._view)
        listed = list(render_menu(self._menu, self._screen.width))
        if not self._screen.has_room(table, listed):
            listed = list(render_menu(self._menu, self._screen.width, is_cramped=True))
        self._screen.show_page(table, self._news_texts, self._seen_count, [*listed, KEYS_HELP])

    def _show_rules(self) -> None:
        self._show_in_pager(Markdown(rule_book(self._engine)))

    def _show_news(self) -> None:
        self._show_in_pager(*map(colour_text, self._news_texts))

    def _show_in_pager(self, *texts: RenderableType) -> None:
        self._screen.show_in_pager(*texts)
        if self._screen.is_live:
            self._show_page()

    def _show_hint(self) -> None:
        adviser = create_bot(ADVISER_BOT, self._engine.about.slug)
        with self._screen.show_spinner(f"{ADVISER_BOT} looks at your cards"):
            budget = Budget(self._seconds)
            action = adviser.choose(self._engine, self._view, self._rng, budget).action
        line = next(line for line in self._menu if line.action == action)
        self._screen.say(f"{ADVISER_BOT} would choose {line.number}: {line.label}")


def rule_book(engine: Engine[Any, Any]) -> str:
    """The rule book of the game, from its folder."""
    folder = type(engine).__module__.rpartition(".")[0]
    return resources.files(folder).joinpath("RULES.md").read_text(encoding="utf-8")
