"""A person's turn at the terminal: the table, a numbered menu of the legal actions, and typed
input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from rich.console import RenderableType
from rich.markdown import Markdown

from ai.bot_kinds import Budget
from ai.bot_registry import create_bot
from ai.terminal.participants import Participants
from ai.terminal.screen import PlayerLeft, Screen, colour_text
from games.engines.base import AnyEngine, Rng, State
from games.rule_books import rule_book

ADVISER_BOT: Final = "mcts"
KEYS_HELP: Final = "? rules · h hint · n news so far · s table again · q quit, the game is saved"

WAIT_KEY: Final = "w"
WAIT_HELP: Final = f"It is not your turn. Enter: wait for now · {WAIT_KEY}: wait until your turn"
COLUMN_GAP: Final = 2
MAX_COLUMNS: Final = 4  # more are hard to read


class HumanTurn:
    """One decision of the person, who is shown their seat's view and nothing else."""

    def __init__(
        self,
        engine: AnyEngine,
        state: State,
        seat: int,
        seating: Participants,
        screen: Screen,
        rng: Rng,
    ) -> None:
        self._engine = engine
        self._seat = seat
        self._is_reaction = seat not in engine.awaited_seats(state)
        self.is_waiting = False  # whether the person wants to react to nothing before their turn
        self._view = engine.view(state, self._seat)
        self._menu = build_menu(engine, state, self._seat)
        self._seconds = seating.seconds
        self._screen = screen
        self._rng = rng
        self._news_texts: Sequence[str] = ()
        self._seen_count = 0  # the number of them shown before

    def decide(self, news_texts: Sequence[str], seen_count: int) -> Any:
        """The chosen action, None to wait; raises PlayerLeft if the person quits."""
        self._news_texts, self._seen_count = news_texts, seen_count
        keys: Mapping[str, Callable[[], None]] = {
            "?": self._show_rules,
            "h": self._show_hint,
            "n": self._show_news,
            "s": self._show_page,
        }
        self._show_page()
        while True:
            answer = self._screen.ask(f"Your choice, 1–{len(self._menu)}:").lower()
            if answer == "q":
                raise PlayerLeft
            if self._is_reaction and answer in ("", WAIT_KEY):
                self.is_waiting = answer == WAIT_KEY
                return None
            if answer in keys:
                keys[answer]()
            elif line := self._find_line(answer):
                return line.action
            else:
                self._screen.say(self._error_text(answer))

    def _find_line(self, answer: str) -> MenuLine | None:
        """The line of the menu with that number."""
        lines_by_number = {str(line.number): line for line in self._menu}
        return lines_by_number.get(answer.lstrip("0"))

    def _error_text(self, answer: str) -> str:
        complaint = f"“{answer[:20]}{'…' * (len(answer) > 20)}” is not a choice. " if answer else ""
        return f"{complaint}Type a number from 1 to {len(self._menu)}, or ?, h, n, s or q."

    def _show_page(self) -> None:
        table = self._engine.text(self._view)
        menu_lines = list(render_menu(self._menu, self._screen.width))
        if not self._screen.has_room(table, menu_lines):
            menu_lines = list(render_menu(self._menu, self._screen.width, is_cramped=True))
        keys = [WAIT_HELP, KEYS_HELP] if self._is_reaction else [KEYS_HELP]
        self._screen.show_page(table, self._news_texts, self._seen_count, [*menu_lines, *keys])

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
        if action is None:
            self._screen.say(f"{ADVISER_BOT} would wait.")
            return
        line = next(line for line in self._menu if line.action == action)
        self._screen.say(f"{ADVISER_BOT} would choose {line.number}: {line.label}")


# -- the menu: legal actions, grouped by kind -----------------------------------------------------


@dataclass(frozen=True)
class MenuLine:
    """One legal action."""

    number: int
    action: Any
    label: str

    def __str__(self) -> str:
        return f"{self.number:>3}  {self.label}"


def build_menu(engine: AnyEngine, state: State, seat: int) -> list[MenuLine]:
    """The legal actions of a seat, grouped by kind."""
    actions = [(engine.decode(state, seat, code), code) for code in state.legal_actions(seat)]
    actions.sort(key=lambda pair: engine.about.actions.index(type(pair[0])))
    return [
        MenuLine(number, action, engine.label(state, seat, code))
        for number, (action, code) in enumerate(actions, start=1)
    ]


def render_menu(lines: Sequence[MenuLine], width: int, is_cramped: bool = False) -> Iterator[str]:
    """The menu as text: each kind of action in as many columns as fit into `width`."""
    groups = [list(group) for _, group in groupby(lines, key=lambda line: type(line.action))]
    for group in groups:
        yield from _render_columns(
            _fold_cells(group) if is_cramped else [str(line) for line in group], width
        )


def _render_columns(cells: list[str], width: int) -> Iterator[str]:
    """The cells in rows, each column as wide as its widest cell."""
    for count in range(min(MAX_COLUMNS, len(cells)), 0, -1):
        widths = [max(map(len, cells[column::count])) + COLUMN_GAP for column in range(count)]
        if sum(widths) - COLUMN_GAP <= width:
            break
    for first in range(0, len(cells), count):
        row = zip(cells[first : first + count], widths, strict=False)
        yield "".join(cell.ljust(cell_width) for cell, cell_width in row).rstrip()


# -- cramped: "7–9  Make 2♠ law 1/2/3, on 20" -----------------------------------------------------


def _fold_cells(lines: list[MenuLine]) -> list[str]:
    """Neighbours whose labels differ in the same single word, folded into one cell."""
    cells = []
    while lines:
        count = next(
            (n for n in range(len(lines), 1, -1) if _differing_word(lines[:n]) is not None), 1
        )
        cells.append(_folded_cell(lines[:count]))
        lines = lines[count:]
    return cells


def _differing_word(lines: Sequence[MenuLine]) -> int | None:
    """The index of the one word in which the labels differ; None if they differ in more."""
    labels = [line.label.split(" ") for line in lines]
    if len({len(words) for words in labels}) > 1:
        return None
    columns = zip(*labels, strict=True)
    indexes = [place for place, words in enumerate(columns) if len(set(words)) > 1]
    return indexes[0] if len(indexes) == 1 else None


def _folded_cell(lines: Sequence[MenuLine]) -> str:
    place = _differing_word(lines)
    words = lines[0].label.split(" ")
    if place is None:
        return f"{lines[0].number:>6}  {lines[0].label}"
    punctuation = words[place][-1] if words[place][-1:] in (",", ":", ";") else ""
    variants = [line.label.split(" ")[place].removesuffix(punctuation) for line in lines]
    words[place] = "/".join(variants) + punctuation
    return f"{f'{lines[0].number}–{lines[-1].number}':>6}  {' '.join(words)}"
