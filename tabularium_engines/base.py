"""The engine interface: the contract between a game's rules and their callers, as the base classes
`State` and `Engine`.

The rules live in a `State` (mutable, numbers only, compiled); an `Engine` converts numbers to and
from JSON, sentences and pictures. To learn the code, read this file, then one game's folder.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, Self, TypeAlias, TypeVar

from mypy_extensions import i64, mypyc_attr

from tabularium_engines.common import action_codec, json_codec
from tabularium_engines.common.bits import bit, count, has
from tabularium_engines.common.consequences import Consequences

ONLOOKER_SEAT: Final = -1  # an onlooker's seat, where a number is needed


class IllegalAction(ValueError):
    """A refused action, with a stable code and a sentence for the player. No state changed."""

    def __init__(self, code: str, sentence: str, pointer: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.pointer = pointer  # the faulty part of the action's JSON; "" for all of it


@mypyc_attr(allow_interpreted_subclasses=True)
class Rng(metaclass=ABCMeta):
    """A source of draws: a log, a fair stream or a fast generator; the rules do not know which."""

    @abstractmethod
    def below(self, limit: i64) -> i64:
        """A uniform number in 0 … limit-1."""


class NewsItem:
    """One effect of the last action: the facts are public, the secrets only for `known_to`."""

    def __init__(
        self,
        kind: str,
        seat: i64,
        facts: dict[str, Any],
        secrets: dict[str, Any],
        known_to: i64,
    ) -> None:
        self.kind = kind
        self.seat = seat
        self.facts = facts
        self.secrets = secrets
        self.known_to = known_to  # a bit mask of seats

    def facts_for(self, seat: int | None) -> dict[str, Any]:
        """The item as `seat` may see it (None: an onlooker)."""
        facts = {"kind": self.kind, "seat": int(self.seat), **self.facts}
        if seat is not None and int(self.known_to) >> seat & 1:
            facts.update(self.secrets)
        return facts


@mypyc_attr(allow_interpreted_subclasses=True)
class State(metaclass=ABCMeta):
    """The full state of a game, hidden parts included. `apply` changes it in place."""

    def __init__(self) -> None:
        self.seats: i64 = 0
        self.to_act: i64 = 0  # bit mask of the seats that must act; 0: the game is over
        self.is_recording_news: bool = False  # a search needs no news
        self.news: list[NewsItem] = []

    @abstractmethod
    def legal_actions(self, seat: i64) -> list[i64]:
        """The legal actions of `seat`, in a stable order; those of a seat that is not in `to_act`
        are its reactions."""

    def reacting_seats(self) -> i64:
        """The set of seats that may have reactions now, judged by public facts alone, so that it
        does not show which have some. A game with reactions overrides this."""
        return 0

    @abstractmethod
    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        """Apply `action` unchecked: it must be legal, which `Engine.encode` verifies."""

    @abstractmethod
    def clone(self) -> Self:
        """An equal state that shares nothing mutable with this one and records no news."""

    @abstractmethod
    def determinize(self, seat: i64, rng: Rng) -> None:
        """Sample the hidden state again, in place, from the knowledge of `seat` and `rng` alone."""

    @abstractmethod
    def returns(self) -> list[float]:
        """The payoff of each seat, 0 … 1; all 0 while the game goes on."""

    def shared_victory(self, winners: i64) -> list[float]:
        """The payoffs if a set of seats wins: equal parts of 1."""
        part = 1.0 / float(count(winners)) if winners != 0 else 0.0
        return [part if has(winners, seat) else 0.0 for seat in range(self.seats)]

    @abstractmethod
    def contents(self) -> list[Any]:
        """The whole state as plain numbers: two states are equal if their contents are."""

    @abstractmethod
    def cards(self) -> list[i64]:
        """Every card, wherever it is, in ascending order: this list never changes during a game."""

    def is_legal(self, seat: i64, action: i64) -> bool:
        """Whether `action` is legal now. A game overrides this where listing is expensive."""
        return action in self.legal_actions(seat)

    def random_action(self, seat: i64, rng: Rng) -> i64:
        """A uniformly random legal action. A game overrides this where listing is expensive."""
        actions = self.legal_actions(seat)
        return actions[rng.below(len(actions))]

    def team_of(self, seat: i64) -> i64:
        """The set of seats that currently win or lose together with `seat`, including itself.
        A game with partners overrides this."""
        return bit(seat)

    def observation_key(self, seat: i64) -> i64:
        """A number below 2^16 for the private information that the choice of `seat` depends on,
        such as the card it drew; a search keeps such decisions apart. A game overrides this
        where its actions do not imply it."""
        return 0

    def promising_actions(self, seat: i64) -> list[i64]:
        """The legal actions worth searching. A game overrides this where it has very many and
        most are not."""
        return self.legal_actions(seat)

    def record_news(self) -> None:
        """Record news from the next action on."""
        self.is_recording_news = True
        self.news = []

    def add_news(
        self,
        kind: str,
        seat: i64,
        facts: dict[str, Any],
        secrets: dict[str, Any] | None = None,
        known_to: i64 = 0,
    ) -> None:
        """Record an effect, if news are recorded; its secrets are only for the seats `known_to`."""
        if self.is_recording_news:
            self.news.append(NewsItem(kind, seat, facts, secrets or {}, known_to))


@dataclass(frozen=True)
class About:
    """A game's metadata."""

    slug: str
    title: str
    summary: str
    version: int  # incremented whenever an old log could replay differently
    seats: tuple[int, int]  # fewest and most players
    options: type[Any]  # a frozen dataclass with defaults: the variants
    view: type[Any]  # the frozen dataclass that `Engine.view` returns
    actions: tuple[type[Any], ...]  # every kind of action, in the order of their numbers
    max_actions: int  # an upper bound on the decisions of one game
    designers: tuple[str, ...] = ()
    # other dataclasses in which clients may state an action of the same `kind`: `Engine.full_form`
    forms: tuple[type[Any], ...] = ()
    news: tuple[type[Any], ...] = ()  # every kind of news: see `common.news_formats`
    can_be_drawn: bool = False  # players may share the victory, and so agree to
    # kinds of action that a player says: no thing in a picture has to lead to them (promise 17)
    said: tuple[type[Any], ...] = ()

    @property
    def player_count_text(self) -> str:
        """The allowed number of players in words: "2 to 6 players"."""
        fewest, most = self.seats
        return f"{fewest} players" if fewest == most else f"{fewest} to {most} players"


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    winners: tuple[int, ...]  # more than one: the victory is shared
    scores: tuple[int, ...]  # by seat
    reason: str  # a sentence


S = TypeVar("S", bound=State)
V = TypeVar("V")


@mypyc_attr(allow_interpreted_subclasses=True)
class Engine(Generic[S, V], metaclass=ABCMeta):
    """A game's rules as a stateless object, one per game."""

    about: ClassVar[About]

    def __init__(self) -> None:
        about = self.about
        self.action_codec = action_codec.ActionCodec(about.slug, about.actions, about.forms)

    @abstractmethod
    def start(self, options: Any, seats: int, rng: Rng) -> S:
        """The state after the deal, at its first decision point."""

    def read_options(self, document: Any, seats: int, pointer: str = "") -> Any:
        """The options of a table, from JSON; MalformedDocument unless they fit its seats."""
        options = json_codec.from_json(self.about.options, document, pointer)
        if misfit := self.misfit(options, seats):
            name, sentence = misfit
            raise json_codec.MalformedDocument(f"{pointer}/{name}", sentence)
        return options

    def misfit(self, options: Any, seats: int) -> tuple[str, str] | None:
        """The name of an option that does not fit this number of seats, and its correction: "must
        be 1 …". None if all fit. A game with such an option overrides this."""
        return None

    def rating_refusal(self, options: Any, seats: int) -> str:
        """Why a game with these options and seats, under this version or an earlier one, cannot be
        rated, with the options to choose instead; "" if it can. A game that favours one seat
        too much overrides this."""
        return ""

    def next_options(self, options: Any, winners: Sequence[int], new_seats: Sequence[int]) -> Any:
        """The options of a rematch: those of the game before, whose winners are none if it had no
        result. The player of seat 0 sits at `new_seats[0]` now, and so on. A game in which the end
        of one game, or a seat, matters to the next one's options overrides this."""
        return options

    def encode(self, state: S, seat: int, action: Any) -> int:
        """The number of an action given as JSON or dataclass, in full or in another form, or
        IllegalAction; no side effects.

        The checks run in this order: the game is on, the seat exists, the action is well-formed
        and legal. If it is not legal, `not-your-turn` precedes the rule that forbids it.
        """
        if state.to_act == 0:
            raise IllegalAction("game-over", "The game is over.")
        if not 0 <= seat < int(state.seats):
            raise IllegalAction("unknown-seat", f"There is no seat {seat} at this table.")
        form = self._parse_action(action)
        full = self.full_form(state, seat, form) if type(form) in self.about.forms else form
        code = self.action_codec.to_int(full)
        if state.is_legal(seat, code):
            return code
        if not state.legal_actions(seat):
            awaited = " and ".join(str(seat) for seat in self.awaited_seats(state))
            sentence = f"Seat {awaited} must act, not you."
            raise IllegalAction("not-your-turn", sentence)
        refusal = self.refusal(state, seat, full)
        refusal.pointer = refusal.pointer if full is form else ""  # other forms have other members
        raise refusal

    def _parse_action(self, action: Any) -> Any:
        if type(action) in self.about.actions or type(action) in self.about.forms:
            action = self.action_codec.to_json(action)
        try:
            return self.action_codec.from_client(action)
        except json_codec.MalformedDocument as malformed:
            raise IllegalAction(malformed.code, str(malformed), malformed.pointer) from malformed

    def full_form(self, state: S, seat: int, form: Any) -> Any:
        """The action that `seat` states in one of `about.forms`, judged from the seat's knowledge
        alone; raises IllegalAction. Logs hold the action in full."""
        raise NotImplementedError(f"{type(form).__name__} is no form of an action")

    def forms_now(self, state: S, seat: int) -> tuple[type[Any], ...]:
        """Those of `about.forms` in which `seat` may state an action now, as far as it knows: each
        has one field, a text, and its docstring asks for it. A game with such forms overrides
        this."""
        return ()

    def offered_actions(self, state: S, seat: int) -> list[int]:
        """The legal actions that a player is shown; bots know all. A game in which players are to
        find some by themselves overrides this."""
        return state.legal_actions(seat)

    def decode(self, state: S, seat: int, action: int) -> Any:
        """The dataclass for an action's number."""
        return self.action_codec.from_int(action)

    def action_json(self, state: S, seat: int, action: int) -> dict[str, Any]:
        """The JSON for an action's number: a shared object, do not change it."""
        return self.action_codec.json_from_int(action)

    def awaited_seats(self, state: S) -> list[int]:
        """The seats that must act, ascending; none when the game is over."""
        return [seat for seat in range(state.seats) if int(state.to_act) >> seat & 1]

    def reacting_seats(self, state: S) -> list[int]:
        """The seats that may have reactions, clockwise from the first that must act."""
        mask, seats = int(state.reacting_seats()), int(state.seats)
        first = self.awaited_seats(state)[0] if mask else 0
        clockwise = [(first + step) % seats for step in range(1, seats)]
        return [seat for seat in clockwise if mask >> seat & 1] if mask else []

    def reacted_after(self, state: S, reacted: int, seat: int) -> int:
        """The set of seats that have reacted since the table last went on, once `seat` acts in this
        state. It goes on when an awaited seat acts where others could have reacted: the effects of
        a reaction belong to it."""
        if not int(state.to_act) >> seat & 1:
            return reacted | 1 << seat
        return 0 if state.reacting_seats() else reacted

    def news(self, state: S, seat: int | None) -> list[dict[str, Any]]:
        """The news of the last action as `seat` may see it, each item with its sentence."""
        items = [item.facts_for(seat) for item in state.news]
        return [item | {"text": self.sentence(item)} for item in items]

    def sealed_fields(self, state: S, seat: int, action: int) -> dict[str, int]:
        """The hidden fields of a legal action, each with the bit mask of the seats that may read
        it; "" is the whole action. Which fields are hidden is itself public."""
        return {}

    @abstractmethod
    def refusal(self, state: S, seat: int, action: Any) -> IllegalAction:
        """Why `seat`, whose turn it is, may not do this, stated from the seat's knowledge alone."""

    def read_command(self, view: V, line: str) -> Sequence[Mapping[str, Any]]:
        """The meaning of a player's line in the game's own command language: members of the JSON of
        the awaited action, then of those that follow. Empty if it is no command; IllegalAction if
        it is a wrong one. A game with such a language overrides this."""
        return ()

    @abstractmethod
    def label(self, state: S, seat: int, action: int) -> str:
        """A short description of a legal action: "Play 7♠: take the top discard"."""

    def label_with(
        self, state: S, seat: int, action: int, consequences: Consequences | None
    ) -> str:
        """The label, where the consequences of the action are at hand: a list of offers needs each
        only once. A game whose labels end with them overrides this."""
        return self.label(state, seat, action)

    def scores(self, state: S, seat: int) -> tuple[int, ...]:
        """The score of each seat so far, as `seat` sees the table; at the end those of the result.
        Empty where a score means nothing before the end."""
        return ()

    def consequences(self, state: S, seat: int, action: int) -> Consequences | None:
        """The certain consequences of a legal action; None if there are none to tell. States with
        one view have one answer: see `common.foresight`, which also makes most of it."""
        return None

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """The view of `seat` (None: an onlooker), built field by field."""

    @abstractmethod
    def imagine(self, view: V, /, rng: Rng) -> S:
        """A state whose view equals `view`; equal views and draws give equal states."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """The result; None while a seat must act."""

    @abstractmethod
    def sentence(self, item: Mapping[str, Any]) -> str:
        """One item of news, as `facts_for` returned it, in words."""

    @abstractmethod
    def text(self, view: V) -> str:
        """The view as a page of plain text."""

    def boards(self, view: V) -> Sequence[str]:
        """The board alone, in parts that each fit a terminal of 80 × 24 above a line of input. A
        game whose page is taller may override this."""
        return ()

    @abstractmethod
    def svg(self, view: V) -> str:
        """The view as a picture, with the text as its description."""


# an engine of any game: its states and views belong together
AnyEngine: TypeAlias = Engine[Any, Any]
