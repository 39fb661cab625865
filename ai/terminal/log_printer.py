"""Printing a game's log in the terminal as it grows, with only public news."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any, Final

from rich.text import Text

from ai.terminal.screen import Screen, colour_text
from games import selectors
from games.selectors import VisibleEntry
from tabularium_log.audit.verdict import Verdict
from tabularium_log.projection import table_actions
from tabularium_log.projection.projection import Projection

HASH_DIGITS: Final = 8  # shown of a hash
MIN_TEXT_WIDTH: Final = 40  # for the sentences, on any terminal
DEFAULT_WIDTH: Final = 100  # if the terminal's width is unknown

ACTION_SENTENCES: Final[Mapping[type, Callable[[Any], str]]] = {
    table_actions.Create: lambda create: (
        f"A table for {create.seats}. The server commits to its secret, whose hash is "
        f"{create.commitment[:HASH_DIGITS]}…."
    ),
    table_actions.Join: lambda join: f"{join.bot or 'A player'} sits down.",
    table_actions.Leave: lambda _: "Leaves the table.",
    table_actions.OpenSeed: lambda opening: f"Reveals its seed: {opening.seed[:HASH_DIGITS]}….",
    table_actions.Start: lambda start: f"The game begins at fairness level {start.level}.",
    table_actions.Resign: lambda _: "Resigns.",
    table_actions.TimeOut: lambda _: "Is out of time.",
    table_actions.Replace: lambda replacement: f"{replacement.bot} plays on.",
    table_actions.Abort: lambda _: "Aborts the game.",
    table_actions.Propose: lambda proposal: f"Proposes: {proposal.of}.",
    table_actions.Accept: lambda _: "Accepts.",
    table_actions.Decline: lambda _: "Declines.",
    table_actions.Takeback: lambda takeback: f"The game returns to entry {takeback.to}.",
    table_actions.Pause: lambda _: "The game is paused.",
    table_actions.Resume: lambda _: "The game goes on.",
    table_actions.Claim: lambda claim: f"Claims that seat {claim.seat} has left.",
    table_actions.Expire: lambda _: "The game expires.",
    table_actions.Hint: lambda _: "Takes a hint.",
    table_actions.End: lambda end: f"The end. The secret was {end.secret[:HASH_DIGITS]}….",
}


class LogPrinter:
    """A log on the screen, up to an entry."""

    def __init__(self, game: str, screen: Screen) -> None:
        self._game = game
        self._screen = screen
        self.seq = 0

    def print_new_entries(self) -> bool:
        """Print the new entries; whether there were any."""
        old_seq = self.seq
        new_seq = selectors.game_projection(self._game).seq
        if new_seq > old_seq:
            for line in selectors.game_log(self._game, None, old_seq, new_seq - old_seq):
                self._print_entry(line)
                self.seq = line.seq
        return self.seq > old_seq

    def _print_entry(self, line: VisibleEntry) -> None:
        table = selectors.game_projection(self._game, line.seq)
        seat = "table" if table.entry.seat is None else f"seat {table.entry.seat}"
        start = f"{line.seq:>4}  {line.hash[:HASH_DIGITS]}  {seat:<6}  "
        for text in self._wrapped_lines(start, entry_sentences(table, line)):
            self._screen.console.print(text, soft_wrap=True)

    def _wrapped_lines(self, start: str, sentences: Iterable[str]) -> Iterator[Text]:
        width = self._screen.console.width - 1 if self._screen.is_live else DEFAULT_WIDTH
        room = max(MIN_TEXT_WIDTH, width - len(start))
        lines = [line for sentence in sentences for line in wrap(sentence, room)]
        for number, line in enumerate(lines):
            text = Text().append(start if number == 0 else " " * len(start), "dim")
            yield text + colour_text(line)


def entry_sentences(table: Projection, line: VisibleEntry) -> Iterator[str]:
    """The public sentences about the last entry of the projection."""
    document = table.entry.action
    if document["type"].startswith(table_actions.TYPE_PREFIX):
        action = table_actions.TABLE_ACTION_CODEC.from_json(document)
        yield ACTION_SENTENCES[type(action)](action)
    for news in line.news or ():
        yield news["text"]


def ending_sentences(table: Projection) -> Iterator[str]:
    """The winners, and the reason why the game is over."""
    outcome = table.outcome
    if outcome is None:
        yield "The game was cancelled."
        return
    names = [f"seat {seat} ({_occupant_name(table, seat)})" for seat in outcome.winners]
    yield f"{outcome.reason} Won by {' and '.join(names)}."
    if outcome.scores is not None:
        scores = (f"seat {seat} {score}" for seat, score in enumerate(outcome.scores))
        yield f"Scores: {', '.join(scores)}."


def proof_sentences(verdict: Verdict) -> Iterator[str]:
    """The verdict on the game, and its meaning."""
    yield str(verdict)
    if not verdict.is_good:
        return
    yield "· Every entry contains the hash of the previous one: nothing was changed or omitted."
    yield "· The secret matches the commitment made before the deal; every draw follows from it."
    if verdict.level > 1:
        yield (
            "· The draws also follow from the seats' own seeds, so the server could not "
            "choose the deal."
        )
    yield f"· {verdict.rules_sentence}"


def _occupant_name(table: Projection, seat: int) -> str:
    occupant = table.occupants[seat]
    return occupant.bot if occupant and occupant.bot else "a player"
