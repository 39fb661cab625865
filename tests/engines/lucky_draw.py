"""Lucky Draw: a small correct game that tests the tests, with hidden hands and a hidden pile.

Twelve cards, two or three players. In turn each plays a card openly, draws one or buries one face
down; when a player has no card left, the highest (or lowest) sum of played cards wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from tabularium_engines.base import About, Engine, IllegalAction, Result, Rng, State
from tabularium_engines.common import svg
from tabularium_engines.common.consequences import Consequences
from tabularium_engines.common.english_text import player_name
from tabularium_engines.common.foresight import Foresight
from tabularium_engines.common.json_codec import Between

CARDS = 12
DRAW = 1  # the kind of action; 0 is to play
BURY = 2


@dataclass(frozen=True)
class Options:
    """The variant of a table."""

    is_low: bool = False
    dealt: Annotated[int, Between(1, 3)] = 2


@dataclass(frozen=True)
class Play:
    """Play a card face up."""

    kind: ClassVar = "play"
    card: Annotated[int, Between(0, CARDS - 1)]


@dataclass(frozen=True)
class Draw:
    """Take a card from the pile."""

    kind: ClassVar = "draw"


@dataclass(frozen=True)
class Bury:
    """Remove a card from the game, face down."""

    kind: ClassVar = "bury"
    card: Annotated[int, Between(0, CARDS - 1)]


@dataclass(frozen=True)
class Laid:
    """A played card, and the seat that played it."""

    seat: int
    card: int


@dataclass(frozen=True)
class View:
    """A seat's view."""

    seat: int | None
    options: Options
    to_act: int
    hand: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    pile: int
    laid: tuple[Laid, ...]
    buried: int


@dataclass(frozen=True)
class Played:
    """The seat plays a card."""

    kind: ClassVar = "played"
    card: int  #: the card


@dataclass(frozen=True)
class Drew:
    """The seat draws a card."""

    kind: ClassVar = "drew"
    card: int | None = None  #: the card; only the seat reads it


@dataclass(frozen=True)
class Buried:
    """The seat buries a card."""

    kind: ClassVar = "buried"
    card: int | None = None  #: the card; only the seat reads it


class LuckyState(State):
    """Hands, the pile, and the played cards."""

    def __init__(self) -> None:
        super().__init__()
        self.options = Options()
        self.hands: list[list[int]] = []  # each ascending
        self.pile: list[int] = []  # ascending: it has no order of its own
        self.laid: list[tuple[int, int]] = []
        self.buried: list[int] = []  # ascending

    def legal_actions(self, seat: int) -> list[int]:
        if self.to_act != 1 << seat:
            return []
        play = [card << 8 for card in self.hands[seat]]
        return play + [DRAW] * bool(self.pile) + [card | BURY for card in play]

    def apply(self, seat: int, action: int, rng: Rng) -> None:
        self.news = []
        if action == DRAW:
            self.draw(seat, rng)
        elif action & 0xFF == BURY:
            self.hands[seat].remove(action >> 8)
            self.buried = sorted([*self.buried, action >> 8])
            self.add_news("buried", seat, {}, {"card": action >> 8}, 1 << seat)
        else:
            self.hands[seat].remove(action >> 8)
            self.laid.append((seat, action >> 8))
            self.add_news("played", seat, {"card": action >> 8}, {}, 0)
        self.to_act = 1 << (seat + 1) % self.seats if all(self.hands) else 0

    def draw(self, seat: int, rng: Rng) -> None:
        """Move a random card from the pile to a hand."""
        card = self.pile.pop(rng.below(len(self.pile)))
        self.hands[seat] = sorted([*self.hands[seat], card])
        self.add_news("drew", seat, {}, {"card": card}, 1 << seat)

    def clone(self) -> Self:
        copy = type(self)()
        copy.seats, copy.to_act, copy.options = self.seats, self.to_act, self.options
        copy.hands = [list(hand) for hand in self.hands]
        copy.pile, copy.laid, copy.buried = list(self.pile), list(self.laid), list(self.buried)
        return copy

    def determinize(self, seat: int, rng: Rng) -> None:
        own_cards = set(self.hands[seat]) if seat >= 0 else set()
        visible_cards = own_cards | {card for _, card in self.laid}
        hidden_cards = [card for card in range(CARDS) if card not in visible_cards]
        for other in range(self.seats):
            if other != seat:
                size = len(self.hands[other])
                self.hands[other] = sorted(
                    hidden_cards.pop(rng.below(len(hidden_cards))) for _ in range(size)
                )
        self.buried = sorted(hidden_cards.pop(rng.below(len(hidden_cards))) for _ in self.buried)
        self.pile = hidden_cards

    def sums(self) -> list[int]:
        """The sum of each seat's played cards."""
        return [sum(card for by, card in self.laid if by == seat) for seat in range(self.seats)]

    def winners(self) -> list[int]:
        """The seats with the best sum."""
        best = (min if self.options.is_low else max)(self.sums())
        return [seat for seat, total in enumerate(self.sums()) if total == best]

    def returns(self) -> list[float]:
        winners = [] if self.to_act else self.winners()
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(self.seats)]

    def contents(self) -> list[Any]:
        options = [self.options.is_low, self.options.dealt]
        laid_pairs = [list(pair) for pair in self.laid]
        hands = [list(hand) for hand in self.hands]
        return [
            self.seats,
            self.to_act,
            options,
            hands,
            list(self.pile),
            laid_pairs,
            list(self.buried),
        ]

    def cards(self) -> list[int]:
        cards_in_hands = [card for hand in self.hands for card in hand]
        return sorted([*self.pile, *cards_in_hands, *self.buried, *(card for _, card in self.laid)])


class LuckyDraw(Engine[LuckyState, View]):
    """The engine of the game."""

    about: ClassVar[About] = About(
        slug="lucky_draw",
        title="Lucky Draw",
        summary="Play or draw.",
        version=1,
        seats=(2, 3),
        options=Options,
        view=View,
        actions=(Play, Draw, Bury),
        max_actions=3 * CARDS,
        news=(Played, Drew, Buried),
    )
    state_type: ClassVar[type[LuckyState]] = LuckyState

    def start(self, options: Options, seats: int, rng: Rng) -> LuckyState:
        state = self.state_type()
        state.record_news()
        state.options, state.seats = options, seats
        state.pile = list(range(CARDS))
        state.hands = [[] for _ in range(seats)]
        for seat in range(seats):
            for _ in range(options.dealt):
                state.draw(seat, rng)
        state.to_act = 1 << rng.below(seats)
        return state

    def sealed_fields(self, state: LuckyState, seat: int, action: int) -> dict[str, int]:
        return {"card": 1 << seat} if action & 0xFF == BURY else {}

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        if isinstance(action, Draw):
            return IllegalAction("pile-empty", "The pile is empty.")
        return IllegalAction("not-in-hand", f"You do not hold the {action.card}.", "/card")

    def label(self, state: LuckyState, seat: int, action: int) -> str:
        if action == DRAW:
            return "Draw a card"
        return f"{'Bury' if action & 0xFF == BURY else 'Play'} the {action >> 8}"

    def scores(self, state: LuckyState, seat: int) -> tuple[int, ...]:
        return tuple(state.sums())

    def consequences(self, state: LuckyState, seat: int, action: int) -> Consequences | None:
        certain: dict[str, tuple[str, ...] | None] = {"played": None, "buried": None, "drew": ()}
        return Foresight(self, state, seat, action, certain).consequences("points", player_name)

    def view(self, state: LuckyState, seat: int | None) -> View:
        return View(
            seat=seat,
            options=state.options,
            to_act=int(state.to_act),
            hand=() if seat is None else tuple(state.hands[seat]),
            hand_sizes=tuple(len(hand) for hand in state.hands),
            pile=len(state.pile),
            laid=tuple(Laid(seat, card) for seat, card in state.laid),
            buried=len(state.buried),
        )

    def imagine(self, view: View, rng: Rng) -> LuckyState:
        state = self.state_type()
        state.options, state.seats, state.to_act = view.options, len(view.hand_sizes), view.to_act
        state.laid = [(laid.seat, laid.card) for laid in view.laid]
        state.buried = [0] * view.buried
        state.hands = [[0] * size for size in view.hand_sizes]
        if view.seat is not None:
            state.hands[view.seat] = list(view.hand)
        state.determinize(-1 if view.seat is None else view.seat, rng)
        return state

    def result(self, state: LuckyState) -> Result | None:
        if state.to_act:
            return None
        return Result(tuple(state.winners()), tuple(state.sums()), "a hand is empty")

    def sentence(self, item: Mapping[str, Any]) -> str:
        return f"Seat {item['seat']} {item['kind']} {item.get('card', 'a card')}"

    def text(self, view: View) -> str:
        return f"Seen by {view.seat}: <{view.hand}> & {view.laid}"

    def svg(self, view: View) -> str:
        pile = svg.thing(svg.rect(0, 0, 30, 40), pick="type=draw", name="The pile")
        cards = (
            svg.thing(svg.rect(40 * n, 0, 30, 40), pick=f"card={card}", name=f"The {card} in hand")
            for n, card in enumerate(view.hand, 1)
        )
        return svg.document((520, 40), "p", "Lucky Draw", self.text(view), pile, *cards)
