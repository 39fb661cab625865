"""A game at the terminal: its loop of decisions, its display and its file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from time import monotonic, sleep
from typing import Any, Final

from ai.bot_kinds import Budget
from ai.terminal.explanation import explain
from ai.terminal.game_file import GameFile
from ai.terminal.human_turn import HumanTurn, Wish
from ai.terminal.participants import Participants, ending_sentences
from ai.terminal.screen import PlayerLeft, Screen
from tabularium_engines.base import AnyEngine, Rng, State
from tabularium_engines.common import replayable_log

MAX_ASKING_SECONDS: Final = 0.2  # for the reactions of all bots to a position
WHY_PROMPT: Final = "Type “why” to be told where the game turned, or press Enter to leave:"
MIN_REDRAW_SECONDS: Final = 0.25  # between two pages that need no input


class GameSession:
    """One game from its first or resumed state until it ends or the person leaves."""

    def __init__(
        self, engine: AnyEngine, record: GameFile, seating: Participants, screen: Screen
    ) -> None:
        self._engine = engine
        self._game_file = record
        self._participants = seating
        self._screen = screen
        self._news_texts: list[str] = seating.introductions()
        self._seen_count = 0  # the number of them shown at the person's last decision
        self._drawn_at = 0.0  # time of the last page
        self._reacted_seats = 0  # those that have reacted since the table last went on
        self._is_waiting = False  # whether the person reacts to nothing before their turn
        self._wishes: Sequence[Wish] = ()  # of the person's command, for the decisions that follow

    def play(self, states: Iterable[State], chance: Rng, bot_rng: Rng) -> None:
        """Continue after `states`, whose news is shown first; `bot_rng` is the bots' generator."""
        for state in states:
            texts = self._add_news(state)
        if not self._screen.is_live:
            self._screen.say(*self._participants.introductions(), *texts)
        try:
            state = self._play_to_end(state, chance, bot_rng)
        except (PlayerLeft, KeyboardInterrupt):
            leaving = ("", "You leave the table.", *self._file_hints(is_over=False))
            self._screen.say_after_interrupt(*leaving)
            return
        self._finish(state)

    def _play_to_end(self, state: State, chance: Rng, bot_rng: Rng) -> State:
        while state.to_act:
            seat, action = self._next_action(state, bot_rng)
            self._reacted_seats = self._engine.reacted_after(state, self._reacted_seats, seat)
            state = replayable_log.append_action(
                self._engine, state, self._game_file.log, seat, action, chance
            )
            self._game_file.write_new_entries()
            texts = self._add_news(state)
            if not self._screen.is_live:
                self._screen.say(*texts)
        return state

    def _add_news(self, state: State) -> list[str]:
        texts = [item["text"] for item in self._engine.news(state, self._participants.human)]
        self._news_texts += texts
        return texts

    # -- decisions --------------------------------------------------------------------------------

    def _next_action(self, state: State, bot_rng: Rng) -> tuple[int, Any]:
        """A reaction, or else the action of the seat that the game waits for."""
        seats = self._engine.reacting_seats(state)
        if self._participants.human in seats and not self._is_waiting:
            action = self._react_as_human(state, self._participants.human, bot_rng)
            if action is not None:
                return self._participants.human, action
        reaction = self._bot_reaction(
            state,
            [
                seat
                for seat in seats
                if seat in self._participants.bots and not self._reacted_seats >> seat & 1
            ],
            bot_rng,
        )
        if reaction is not None:
            return reaction
        seat = self._participants.next_seat(self._engine, state)
        return seat, self._decide(state, seat, bot_rng)

    def _react_as_human(self, state: State, seat: int, bot_rng: Rng) -> Any:
        if not state.legal_actions(seat):
            return None
        turn = HumanTurn(self._engine, state, seat, self._participants, self._screen, bot_rng)
        action = turn.decide(self._news_texts, self._seen_count)
        self._seen_count = len(self._news_texts)
        self._is_waiting = turn.is_waiting
        return action

    def _bot_reaction(
        self, state: State, seats: Sequence[int], bot_rng: Rng
    ) -> tuple[int, Any] | None:
        """The first reaction of a bot. To ask them takes the same time whatever they hold."""
        start, seconds = monotonic(), min(MAX_ASKING_SECONDS, self._participants.seconds)
        for seat in seats:
            if state.legal_actions(seat):
                view, budget = self._engine.view(state, seat), Budget(seconds / 2 / len(seats))
                decision = self._participants.bots[seat].choose(self._engine, view, bot_rng, budget)
                if decision.action is not None:
                    return seat, decision.action
        if seats:
            sleep(max(0.0, start + seconds - monotonic()))
        return None

    def _decide(self, state: State, seat: int, bot_rng: Rng) -> Any:
        if seat != self._participants.human:
            return self._decide_for_bot(state, seat, bot_rng)
        self._is_waiting = False
        turn = HumanTurn(self._engine, state, seat, self._participants, self._screen, bot_rng)
        action = turn.decide_as_wished(self._wishes)
        if action is None:
            action = turn.decide(self._news_texts, self._seen_count)
            self._seen_count = len(self._news_texts)
        self._wishes = turn.wishes
        return action

    def _decide_for_bot(self, state: State, seat: int, bot_rng: Rng) -> Any:
        if self._screen.is_live:
            self._redraw(state)
        bot, seconds = self._participants.bots[seat], self._participants.seconds
        with self._screen.show_spinner(f"{self._participants.seat_label(seat)} thinks …"):
            view = self._engine.view(state, seat)
            action = bot.choose(self._engine, view, bot_rng, Budget(seconds)).action
            if self._is_watched():
                sleep(max(0.0, self._drawn_at + seconds - monotonic()))
        return action

    def _is_watched(self) -> bool:
        """Whether a person only watches bots play."""
        return self._participants.human is None and self._screen.is_live

    def _redraw(self, state: State) -> None:
        """Show a page between decisions, unless one was shown just now."""
        if self._is_watched() or monotonic() - self._drawn_at > MIN_REDRAW_SECONDS:
            self._show_page(state)
            self._drawn_at = monotonic()

    def _show_page(self, state: State, footer: Sequence[str] = ()) -> None:
        news = self._news_texts[self._seen_count :]
        self._screen.show_page(self._page(state), news, footer)

    def _page(self, state: State) -> str:
        return self._engine.text(self._engine.view(state, self._participants.human))

    # -- the end ----------------------------------------------------------------------------------

    def _finish(self, state: State) -> None:
        result = self._engine.result(state)
        assert result is not None, "no seat must act, so the game is over"
        endings = ending_sentences(result, self._participants, self._page(state))
        lines = self._screen.break_lines(endings)
        self._show_page(state, [*lines, *self._file_hints(is_over=True)])
        if self._participants.human is not None:
            self._offer_explanation(self._participants.human)

    def _offer_explanation(self, human: int) -> None:
        """Ask whether the person wants to know why the game ended so."""
        with suppress(PlayerLeft, KeyboardInterrupt):
            if self._screen.ask(WHY_PROMPT).lower() == "why":
                with self._screen.show_spinner("All positions are evaluated"):
                    explanation = explain(self._engine, self._game_file.log, human)
                self._screen.say(*explanation.sentences())

    def _file_hints(self, is_over: bool) -> Iterable[str]:
        """Where the log is, and the commands that use it."""
        yield f"The log is {self._quoted_path()}. Entries: {len(self._game_file.log.entries)}."
        if not is_over:
            arguments = self._participants.command_arguments()
            yield f"Go on:     {self._command_line(f'--resume {self._quoted_path()} {arguments}')}"
        yield f"Replay it: {self._command_line(f'--replay {self._quoted_path()}')}"

    def _command_line(self, arguments: str) -> str:
        """A command line that uses the log."""
        return f"make play GAME={self._engine.about.slug} ARGS={quote(arguments)}"

    def _quoted_path(self) -> str:
        """The path of the log, relative to the current directory if it is inside."""
        path, current_folder = self._game_file.path, Path.cwd()
        return quote(
            str(path.relative_to(current_folder) if path.is_relative_to(current_folder) else path)
        )
