"""The participants of a game at the terminal: at most one person, and bots on all other seats."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ai.bot_kinds import Bot
from tabularium_engines.base import AnyEngine, Result, State


@dataclass(frozen=True)
class Participants:
    """The person's seat, if any, and the bots on all other seats."""

    human: int | None
    bots: Mapping[int, Bot]
    seconds: float  # thinking time of a bot

    def seat_label(self, seat: int) -> str:
        """A seat and its player."""
        player = "you" if seat == self.human else self.bots[seat].name
        return f"Seat {seat} ({player})"

    def introductions(self) -> list[str]:
        """All players, in sentences."""
        bots = [f"{bot.name} on seat {seat}" for seat, bot in sorted(self.bots.items())]
        own_seat = [] if self.human is None else [f"You are seat {self.human}"]
        return [*own_seat, f"{'Against you' if own_seat else 'At the table'}: {', '.join(bots)}"]

    def command_arguments(self) -> str:
        """The command-line arguments that seat the same players."""
        seat_option = "--watch" if self.human is None else f"--seat {self.human}"
        names = ",".join(bot.name for _, bot in sorted(self.bots.items()))
        return f"{seat_option} --bots {names} --seconds {self.seconds:g}"

    def next_seat(self, engine: AnyEngine, state: State) -> int:
        """The seat that decides now: of several awaited ones the person's first."""
        seats = engine.awaited_seats(state)
        return self.human if self.human in seats and self.human is not None else seats[0]


def ending_sentences(result: Result, seating: Participants, page: str) -> Iterable[str]:
    """The result, in sentences; the reason only if the page of the table does not tell it."""
    if result.reason not in page:
        yield result.reason
    scores = (f"{seating.seat_label(seat)} {score}" for seat, score in enumerate(result.scores))
    yield f"Scores: {', '.join(scores)}."
