"""A person's turn at the terminal: the table, the menu of the legal actions, and typed input."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rich.console import RenderableType
from rich.markdown import Markdown

from ai.bot_kinds import Budget
from ai.bot_registry import create_bot
from ai.terminal.menu import Offer, build_menu, offers_typed, offers_wished, render_menu
from ai.terminal.participants import Participants
from ai.terminal.screen import PlayerLeft, Screen, colour_text
from games.engines.base import AnyEngine, IllegalAction, Rng, State
from games.engines.common.english_text import join_words
from games.rule_books import rule_book

ADVISER_BOT: Final = "mcts"
KEYS_HELP: Final = "? rules · h hint · n news so far · s table · q quit, the game is saved"
SEPARATOR: Final = " · "
BOARD_HELP: Final = "b board"
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

    def decide(self, news_texts: Sequence[str], seen_count: int) -> Any:
        """The chosen action, None to wait; raises PlayerLeft if the person quits."""
        self._news_texts, self._seen_count = news_texts, seen_count
        keys: Mapping[str, Callable[[], None]] = {
            "?": self._show_rules,
            "h": self._show_hint,
            "n": self._show_news,
            "s": self._show_page,
            "b": self._show_board,
        }
        self._show_page()
        while True:
            answer = self._screen.ask(f"Your choice, {self._choices_text()}:")
            if answer.lower() == "q":
                raise PlayerLeft
            if self._is_reaction and answer.lower() in ("", WAIT_KEY):
                self.is_waiting = answer.lower() == WAIT_KEY
                return None
            if answer.lower() in keys:
                keys[answer.lower()]()
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
            self._screen.say("Which of these?", *render_menu(offers, self._screen.width))
        return offers[0] if len(offers) == 1 else None

    def _offers_wished(self, wish: Wish) -> list[Offer]:
        return offers_wished([*self._menu, *self._unlisted], wish)

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
        table = self._engine.text(self._view)
        menu_lines = list(render_menu(self._menu, self._screen.width))
        if not self._screen.has_room(table, menu_lines):
            menu_lines = list(render_menu(self._menu, self._screen.width, is_cramped=True))
        has_room = self._screen.has_room(table, menu_lines)
        board_help = [] if has_room or not self._boards else [BOARD_HELP]
        wait_help = [WAIT_HELP] * self._is_reaction
        unlisted_help = [UNLISTED_HELP] * bool(self._unlisted)
        keys = [*wait_help, *unlisted_help, SEPARATOR.join([*board_help, KEYS_HELP])]
        self._screen.show_page(table, self._news_texts[self._seen_count :], [*menu_lines, *keys])

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
        told = [f"{offer.key}: {offer.label}" for offer in listed]
        told += [offer.label for offer in self._unlisted if offer.action == action]
        self._screen.say(f"{ADVISER_BOT} would choose {told[0]}")
