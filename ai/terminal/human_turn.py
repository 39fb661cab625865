"""A person's turn at the terminal: the table, the menu of the legal actions, and typed input."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from rich.console import RenderableType
from rich.markdown import Markdown

from ai.bot_kinds import Budget
from ai.bot_registry import create_bot
from ai.terminal.menu import (
    Offer,
    build_menu,
    example_word,
    offers_typed,
    offers_wished,
    offers_with,
    render_brief_menu,
    render_menu,
)
from ai.terminal.participants import Participants
from ai.terminal.screen import MIN_NEWS_LINES, PlayerLeft, Screen, colour_text
from ai.terminal.small_page import table_parts
from tabularium_engines.base import AnyEngine, IllegalAction, Rng, State
from tabularium_engines.common.english_text import join_words
from tabularium_engines.installed.rule_books import rule_book

ADVISER_BOT: Final = "mcts"
KEYS_HELP: Final = "? rules · h hint · n news so far · s table · q quit, the game is saved"
SEPARATOR: Final = " · "
BOARD_HELP: Final = "b board"
SMALL_KEYS_HELP: Final = "? rules · h hint · n news · s rest of table · q quit"
MORE_CHOICES_HELP: Final = "+ more choices"
FINDING_HELP: Final = "{}? choices"
WHOLE_MENU_HELP: Final = "Enter all choices"
SMALL_HELP_LINES: Final = 4  # of a page for a small terminal, at most
UNLISTED_HELP: Final = "There are choices that are not listed: type them in words."

WAIT_KEY: Final = "w"
WAIT_HELP: Final = f"It is not your turn. Enter: wait for now · {WAIT_KEY}: wait until your turn"

Wish = Mapping[str, Any]  # members of an action's JSON


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
        self.wishes: Sequence[Wish] = ()  # a command's answers to the decisions that follow
        self._view = engine.view(state, self._seat)
        listed = engine.offered_actions(state, self._seat)
        self._menu = build_menu(engine, state, self._seat, listed)
        unlisted = set(state.legal_actions(self._seat)) - set(listed)
        self._unlisted = build_menu(engine, state, self._seat, sorted(unlisted))
        self._seconds = seating.seconds
        self._screen = screen
        self._rng = rng
        self._news_texts: Sequence[str] = ()
        self._seen_count = 0  # the number of them shown before
        self._boards = engine.boards(self._view)
        self._boards_shown = 0
        self._shown_menu: Sequence[Offer] = self._menu
        self._menu_page = 0  # of the choices, where they do not fit; as below
        self._part = 0  # of the table

    def decide(self, news_texts: Sequence[str], seen_count: int) -> Any:
        """The chosen action, None to wait; raises PlayerLeft if the person quits."""
        self._news_texts, self._seen_count = news_texts, seen_count
        keys: Mapping[str, Callable[[], None]] = {
            "?": self._show_rules,
            "h": self._show_hint,
            "n": self._show_news,
            "s": self._show_next_part,
            "b": self._show_board,
            "+": self._show_more_choices,
        }
        self._show_page()
        while True:
            answer = self._screen.ask(self._prompt())
            if answer.lower() == "q":
                raise PlayerLeft
            if self._is_reaction and answer.lower() in ("", WAIT_KEY):
                self.is_waiting = answer.lower() == WAIT_KEY
                return None
            if answer.lower() in keys:
                keys[answer.lower()]()
            elif not answer and self._shown_menu is not self._menu:
                self._show_choices(self._menu)
            elif answer.endswith("?") and (found := offers_with(self._menu, answer[:-1])):
                self._show_choices(found)
            elif offer := self._find_offer(answer):
                return offer.action

    def decide_as_wished(self, wishes: Sequence[Wish]) -> Any:
        """The action that an earlier command asks for; None if it does not settle this decision. A
        wish for a decision that the game has not asked for is passed over."""
        for place, wish in enumerate(wishes):
            if self._offers_wished({"type": wish["type"]}):
                offers = self._offers_wished(wish)
                if len(offers) != 1:
                    return None
                self.wishes = wishes[place + 1 :]
                return offers[0].action
        return None

    def _find_offer(self, answer: str) -> Offer | None:
        """The offer that is meant; if it is not clear, the person is told."""
        offers, self.wishes = offers_typed(self._menu, answer), ()
        if not offers:
            try:
                wish, *self.wishes = self._engine.read_command(self._view, answer) or ({},)
            except IllegalAction as illegal:
                self._screen.say(illegal.sentence)
                return None
            offers = self._offers_wished(wish) if wish else []
        if not offers:
            self._screen.say(self._error_text(answer))
        elif len(offers) > 1:
            if not self._screen.is_live:
                self._screen.say("Which of these?")
            self._show_choices(offers)
        return offers[0] if len(offers) == 1 else None

    def _offers_wished(self, wish: Wish) -> list[Offer]:
        return offers_wished([*self._menu, *self._unlisted], wish)

    def _prompt(self) -> str:
        return f"Your choice, {self._choices_text()}:"

    def _choices_text(self) -> str:
        """The numbers and keys: "1–24 or d"."""
        keys = [offer.key for offer in self._menu if offer.key.isalpha()]
        count = len(self._menu) - len(keys)
        numbers = [] if count == 0 else ["1"] if count == 1 else [f"1–{count}"]
        return join_words([*numbers, *keys], "or")

    def _error_text(self, answer: str) -> str:
        complaint = f"“{answer[:20]}{'…' * (len(answer) > 20)}” is not a choice. " if answer else ""
        keys = "the first words of a choice, or ?, h, n, s or q"
        return f"{complaint}Type {self._choices_text()}, {keys}."

    def _show_page(self) -> None:
        """The whole table above all choices, or the parts of both that fit."""
        table, news = self._engine.text(self._view), self._news_texts[self._seen_count :]
        for is_cramped in (False, True):
            menu = render_menu(self._shown_menu, self._screen.width, is_cramped)
            lines = self._screen.break_lines(menu)
            footer = [*lines, *self._help_lines(KEYS_HELP)]
            if self._screen.has_room(table, news, footer):
                self._screen.show_page(table, news, footer)
                return
        self._show_small_page(table, news, lines)

    def _show_small_page(self, table: str, news: Sequence[str], menu_lines: Sequence[str]) -> None:
        """A part of the table above a part of the choices, with the line of input in sight. The
        menu is in brief unless the table fits above the whole one."""
        shown = news[:MIN_NEWS_LINES]
        parts, footer = self._lay_out(table, shown, menu_lines, most=len(menu_lines))
        if len(parts) > 1:
            brief = self._screen.break_lines(render_brief_menu(self._menu, self._screen.width))
            is_brief = self._shown_menu is self._menu and len(brief) < len(menu_lines)
            lines = brief if is_brief else menu_lines
            most = max(self._screen.height // 2 - SMALL_HELP_LINES, 1)
            parts, footer = self._lay_out(table, shown, lines, most, is_brief=is_brief)
        self._screen.show_page(parts[self._part % len(parts)], news, footer, is_tight=True)

    def _lay_out(
        self,
        table: str,
        shown: Sequence[str],
        lines: Sequence[str],
        most: int,
        *,
        is_brief: bool = False,
    ) -> tuple[list[str], list[str]]:
        """The table in parts that fit above at most so many lines of the menu, and the lines below
        the news."""
        pages = [lines[first : first + most] for first in range(0, len(lines), most or 1)] or [[]]
        helps = self._small_helps(is_brief=is_brief, has_more=len(pages) > 1)
        footer = [*pages[self._menu_page % len(pages)], *self._help_lines(SEPARATOR.join(helps))]
        below = [*shown, *footer, *self._screen.break_lines([self._prompt()])]
        return table_parts(table, self._screen.height - len(below)), footer

    def _small_helps(self, *, is_brief: bool, has_more: bool) -> Iterator[str]:
        """The keys of a page on which the table or the menu does not fit."""
        if self._boards:
            yield BOARD_HELP
        if has_more:
            yield MORE_CHOICES_HELP
        if is_brief and (word := example_word(self._menu)):
            yield FINDING_HELP.format(word)
        if self._shown_menu is not self._menu and not self._is_reaction:
            yield WHOLE_MENU_HELP
        yield SMALL_KEYS_HELP

    def _help_lines(self, keys: str) -> list[str]:
        wait_help = [WAIT_HELP] * self._is_reaction
        unlisted_help = [UNLISTED_HELP] * bool(self._unlisted)
        return self._screen.break_lines([*wait_help, *unlisted_help, keys])

    def _show_next_part(self) -> None:
        """The next part of the table; the whole table where it fits."""
        self._part += 1
        self._show_page()

    def _show_more_choices(self) -> None:
        self._menu_page += 1
        self._show_page()

    def _show_choices(self, offers: Sequence[Offer]) -> None:
        """These choices in place of the menu, where the page is redrawn, or else below."""
        if not self._screen.is_live:
            self._screen.say(*render_menu(offers, self._screen.width))
            return
        self._shown_menu, self._menu_page = offers, 0
        self._show_page()

    def _show_board(self) -> None:
        """The board without the rest of the page; a board of several parts shows one at a time."""
        if not self._boards:
            self._show_page()
            return
        self._screen.show_page(self._boards[self._boards_shown % len(self._boards)], ())
        self._boards_shown += 1

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
        listed = [offer for offer in self._menu if offer.action == action]
        found = [f"{offer.key}: {offer.label}" for offer in listed]
        found += [offer.label for offer in self._unlisted if offer.action == action]
        self._screen.say(f"{ADVISER_BOT} would choose {found[0]}")
