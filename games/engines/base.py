"""What every game answers: the one contract between the rules and those who use them.

Rules live in a `State` (mutable, numbers only, compiled); an `Engine` is the border where numbers
become JSON, sentences and pictures. A newcomer reads this file, then one game's folder.
"""

from __future__ import annotations

from abc import ABCMeta, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, TypeVar

from mypy_extensions import i64, mypyc_attr

from games.engines.common import action_codec, codec
from games.engines.common.bits import bit

ONLOOKER_SEAT: Final = -1  # the seat of somebody who watches, where a number is needed


class IllegalAction(ValueError):
    """Refused, and nothing has changed: a stable code for programs, a sentence for the player."""

    def __init__(self, code: str, sentence: str, pointer: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.pointer = pointer  # where in the action's JSON the trouble is, "" for all of it


@mypyc_attr(allow_interpreted_subclasses=True)
class Rng(metaclass=ABCMeta):
    """Where chance comes from: a log, a fair stream or a fast generator; the rules never know."""

    @abstractmethod
    def below(self, limit: i64) -> i64:
        """A uniform number in 0 … limit-1."""


class NewsItem:
    """One thing the last action did. Everybody hears the facts, only `known_to` the secrets."""

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
        """The item as `seat` hears it (None: an onlooker)."""
        heard = {"kind": self.kind, "seat": int(self.seat), **self.facts}
        if seat is not None and int(self.known_to) >> seat & 1:
            heard.update(self.secrets)
        return heard


@mypyc_attr(allow_interpreted_subclasses=True)
class State(metaclass=ABCMeta):
    """Everything on and under the table. Changed in place by `apply`, copied by `clone`."""

    def __init__(self) -> None:
        self.seats: i64 = 0
        self.to_act: i64 = 0  # bit mask of the seats the table waits for; 0: the game is over
        self.is_recording_news: bool = False  # is anybody interested in news? (a search is not)
        self.news: list[NewsItem] = []

    @abstractmethod
    def legal_actions(self, seat: i64) -> list[i64]:
        """All that `seat` may do now, in a stable order. A seat not awaited may have some too."""

    @abstractmethod
    def apply(self, seat: i64, action: i64, rng: Rng) -> None:
        """Do `action`, which must be legal: nothing is checked here, `Engine.encode` does that."""

    @abstractmethod
    def clone(self) -> State:
        """An equal state that shares nothing changeable with this one and listens to nobody."""

    @abstractmethod
    def determinize(self, seat: i64, rng: Rng) -> None:
        """Deal again, in place, what `seat` cannot know; depends on what it knows and on `rng`."""

    @abstractmethod
    def returns(self) -> list[float]:
        """What the end is worth to each seat, 0 … 1; all 0 while the game goes on."""

    @abstractmethod
    def contents(self) -> list[Any]:
        """All the state consists of, as plain numbers: two states are equal if these are."""

    @abstractmethod
    def cards(self) -> list[i64]:
        """Every card, wherever it lies, in ascending order: none may ever appear or vanish."""

    def is_legal(self, seat: i64, action: i64) -> bool:
        """May `seat` do this now? A game overrides this where listing all is dear."""
        return action in self.legal_actions(seat)

    def random_action(self, seat: i64, rng: Rng) -> i64:
        """A uniformly random legal action; a game overrides this where listing is dear."""
        actions = self.legal_actions(seat)
        return actions[rng.below(len(actions))]

    def team_of(self, seat: i64) -> i64:
        """The set of seats that now win or lose together with `seat`, itself among them; a game
        with partners overrides this."""
        return bit(seat)

    def observation_key(self, seat: i64) -> i64:
        """Tells apart, in a search, what `seat` may have learnt since others saw it last: a number
        below 2^16 of what its choice turns on, such as the card it drew; a game overrides this
        where its actions do not tell."""
        return 0

    def promising_actions(self, seat: i64) -> list[i64]:
        """The legal actions that are worth a search's time; a game overrides this where most of
        very many are not."""
        return self.legal_actions(seat)

    def record_news(self) -> None:
        """Write news from now on."""
        self.is_recording_news = True
        self.news = []


@dataclass(frozen=True)
class About:
    """What a game says of itself before anybody plays it."""

    slug: str
    title: str
    summary: str
    version: int  # rises whenever an old log could replay differently
    seats: tuple[int, int]  # fewest and most players
    options: type[Any]  # a frozen dataclass with defaults: the variants
    view: type[Any]  # the frozen dataclass that `Engine.view` makes
    actions: tuple[type[Any], ...]  # every kind of action, in the order of their numbers
    max_actions: int  # no game has more decisions than this, however it is played
    designers: tuple[str, ...] = ()

    @property
    def player_count_text(self) -> str:
        """How many may play, in words: "2 to 6 players"."""
        fewest, most = self.seats
        return f"{fewest} players" if fewest == most else f"{fewest} to {most} players"


@dataclass(frozen=True)
class Result:
    """How a game ended."""

    winners: tuple[int, ...]  # several: the victory is shared
    scores: tuple[int, ...]  # by seat
    reason: str  # a sentence


S = TypeVar("S", bound=State)
V = TypeVar("V")


@mypyc_attr(allow_interpreted_subclasses=True)
class Engine(Generic[S, V], metaclass=ABCMeta):
    """A rule book: stateless, one per game."""

    about: ClassVar[About]

    def __init__(self) -> None:
        self.action_codec = action_codec.ActionCodec(self.about.slug, self.about.actions)

    @abstractmethod
    def start(self, options: Any, seats: int, rng: Rng) -> S:
        """The table after the deal, waiting for its first decision."""

    def encode(self, state: S, seat: int, action: Any) -> int:
        """The number of an action given as JSON or dataclass, or IllegalAction; changes nothing.

        Asked in this order: is the game on, does the seat exist, has the action the right shape,
        is it legal, is it the seat's turn at all, and which rule forbids it.
        """
        if state.to_act == 0:
            raise IllegalAction("game-over", "The game is over.")
        if not 0 <= seat < int(state.seats):
            raise IllegalAction("unknown-seat", f"There is no seat {seat} at this table.")
        action = self._parse_action(action)
        code = self.action_codec.to_int(action)
        if state.is_legal(seat, code):
            return code
        if not state.legal_actions(seat):
            awaited = " and ".join(str(seat) for seat in self.awaited_seats(state))
            sentence = f"The table waits for seat {awaited}, not for you."
            raise IllegalAction("not-your-turn", sentence)
        raise self.refusal(state, seat, action)

    def _parse_action(self, action: Any) -> Any:
        if type(action) in self.about.actions:
            action = self.action_codec.to_json(action)
        try:
            return self.action_codec.from_json(action)
        except codec.MalformedDocument as malformed:
            raise IllegalAction(malformed.code, str(malformed), malformed.pointer) from malformed

    def decode(self, state: S, seat: int, action: int) -> Any:
        """The dataclass of an action's number."""
        return self.action_codec.from_int(action)

    def action_json(self, state: S, seat: int, action: int) -> dict[str, Any]:
        """The JSON of an action's number; it is shared, and not to be changed."""
        return self.action_codec.json_from_int(action)

    def awaited_seats(self, state: S) -> list[int]:
        """The seats the table waits for, ascending; none when the game is over."""
        return [seat for seat in range(state.seats) if int(state.to_act) >> seat & 1]

    def news(self, state: S, seat: int | None) -> list[dict[str, Any]]:
        """What the last action did, as `seat` hears it, each item with its sentence."""
        heard = [item.facts_for(seat) for item in state.news]
        return [item | {"text": self.sentence(item)} for item in heard]

    def sealed_fields(self, state: S, seat: int, action: int) -> dict[str, int]:
        """The fields of a legal action that not everybody may read, each with those who may, as a
        bit mask of seats; "" is the whole action. Which fields these are, everybody may know."""
        return {}

    @abstractmethod
    def refusal(self, state: S, seat: int, action: Any) -> IllegalAction:
        """Why `seat`, whose turn it is, may not do this; told from what the seat knows alone."""

    @abstractmethod
    def label(self, state: S, seat: int, action: int) -> str:
        """A legal action in a few words: "Play 7♠: take the top discard"."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> V:
        """All that `seat` (None: an onlooker) may know, built up field by field."""

    @abstractmethod
    def imagine(self, view: V, rng: Rng) -> S:
        """A state that would look exactly like `view`; equal views and draws give equal states."""

    @abstractmethod
    def result(self, state: S) -> Result | None:
        """How it ended; None while the table waits for somebody."""

    @abstractmethod
    def sentence(self, heard: Mapping[str, Any]) -> str:
        """One item of news, as it was heard, in words."""

    @abstractmethod
    def text(self, view: V) -> str:
        """The view as a page of plain text."""

    @abstractmethod
    def svg(self, view: V) -> str:
        """The view as a picture, with the text as its description."""
