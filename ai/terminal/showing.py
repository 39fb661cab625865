"""How is a game shown as its log? Line by line as it grows, in words that an onlooker may hear."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any, Final

from rich.text import Text

from ai.terminal import colours
from ai.terminal.screen import Screen
from games import selectors
from games.audit.verdict import Verdict
from games.selectors import Line
from games.table import actions
from games.table.table import Table

DIGITS: Final = 8  # of a hash, that are shown
LEAST: Final = 40  # letters for what happened, however narrow the terminal
PLAIN_WIDTH: Final = 100  # where nobody knows how wide it is

WORDS: Final[Mapping[type, Callable[[Any], str]]] = {
    actions.Create: lambda made: (
        f"A table for {made.seats}. The server promises its secret: "
        f"{made.commitment[:DIGITS]}… is its hash."
    ),
    actions.Join: lambda join: f"{join.bot or 'A player'} sits down.",
    actions.Leave: lambda _: "Leaves the table.",
    actions.OpenSeed: lambda opened: f"Tells its seed: {opened.seed[:DIGITS]}….",
    actions.Start: lambda start: f"The game begins, at fairness level {start.level}.",
    actions.Resign: lambda _: "Resigns.",
    actions.TimeOut: lambda _: "Is out of time.",
    actions.Replace: lambda replaced: f"{replaced.bot} plays on.",
    actions.End: lambda end: f"The end. The secret was {end.secret[:DIGITS]}….",
}


class Shown:
    """A log on the screen, up to an entry."""

    def __init__(self, game: str, screen: Screen) -> None:
        self._game = game
        self._screen = screen
        self.seq = 0

    def catch_up(self) -> bool:
        """Show the entries that are new; whether there were any."""
        before = self.seq
        now = selectors.game_table(self._game).seq
        if now > before:
            for line in selectors.game_log(self._game, None, before, now - before):
                self._show(line)
                self.seq = line.seq
        return self.seq > before

    def _show(self, line: Line) -> None:
        table = selectors.game_table(self._game, line.seq)
        seat = "table" if table.entry.seat is None else f"seat {table.entry.seat}"
        start = f"{line.seq:>4}  {line.hash[:DIGITS]}  {seat:<6}  "
        for text in self._lines(start, sentences(table, line)):
            self._screen.console.print(text, soft_wrap=True)

    def _lines(self, start: str, said: Iterable[str]) -> Iterator[Text]:
        width = self._screen.console.width - 1 if self._screen.is_live else PLAIN_WIDTH
        room = max(LEAST, width - len(start))
        lines = [line for sentence in said for line in wrap(sentence, room)]
        for number, line in enumerate(lines):
            text = Text().append(start if number == 0 else " " * len(start), "dim")
            yield text + colours.coloured(line)


def sentences(table: Table, line: Line) -> Iterator[str]:
    """What an onlooker hears of the entry after which the table is like this."""
    document = table.entry.action
    if document["type"].startswith(actions.PREFIX):
        action = actions.ACTIONS.from_json(document)
        yield WORDS[type(action)](action)
    for news in line.news:
        yield news["text"]


def ending(table: Table) -> Iterator[str]:
    """Who has won, and why the game is over."""
    outcome = table.outcome
    if outcome is None:
        yield "The game was called off."
        return
    names = [f"seat {seat} ({_name(table, seat)})" for seat in outcome.winners]
    yield f"{outcome.reason} Won by {' and '.join(names)}."
    if outcome.scores is not None:
        scores = (f"seat {seat} {score}" for seat, score in enumerate(outcome.scores))
        yield f"Scores: {', '.join(scores)}."


def proof(verdict: Verdict) -> Iterator[str]:
    """What was found of the game, and what that shows."""
    yield str(verdict)
    if not verdict.is_good:
        return
    yield "· Every entry names the hash of the one before it: nothing was changed or left out."
    yield "· The secret is the one that was promised before the deal; every draw follows from it."
    if verdict.level > 1:
        yield "· And from the seats' own seeds, so the server could not choose among secrets."
    yield f"· {verdict.of_rules}"


def _name(table: Table, seat: int) -> str:
    who = table.occupants[seat]
    return who.bot if who and who.bot else "a player"
