"""Engines that each break one promise; the correct game they derive from is in `lucky_draw`."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, ClassVar, Final

from games.engines.base import IllegalAction, NewsItem, Result, Rng
from tests.engines.lucky_draw import CARDS, DRAW, LuckyDraw, LuckyState, Play, View


class Stuck(LuckyDraw):
    """1: after three cards no seat has a legal action."""

    class Broken(LuckyState):
        def legal_actions(self, seat: int) -> list[int]:
            return [] if len(self.laid) == 3 else super().legal_actions(seat)

    state_type: ClassVar[type[LuckyState]] = Broken


class Hasty(LuckyDraw):
    """1: there is a result before the end."""

    def result(self, state: LuckyState) -> Result | None:
        return Result((0,), (0,) * int(state.seats), "why not")


class Twice(LuckyDraw):
    """2: an action is offered twice."""

    class Broken(LuckyState):
        def legal_actions(self, seat: int) -> list[int]:
            legal = super().legal_actions(seat)
            return legal + legal[:1]

    state_type: ClassVar[type[LuckyState]] = Broken


class Wavering(LuckyDraw):
    """2: the order changes each time."""

    class Broken(LuckyState):
        def legal_actions(self, seat: int) -> list[int]:
            self.asked = not getattr(self, "asked", False)
            return super().legal_actions(seat)[:: 1 if self.asked else -1]

    state_type: ClassVar[type[LuckyState]] = Broken


class Mumbling(LuckyDraw):
    """2: all labels are the same."""

    def label(self, state: LuckyState, seat: int, action: int) -> str:
        return "Go on"


class Unpublished(LuckyDraw):
    """2: the schema forbids a legal action."""

    def __init__(self) -> None:
        super().__init__()
        published = self.action_codec.schema()
        published["oneOf"][0]["properties"]["card"]["maximum"] = CARDS - 4
        self.action_codec.schema = lambda: published  # type: ignore[method-assign]


class Fragile(LuckyDraw):
    """3: a legal action raises."""

    class Broken(LuckyState):
        def apply(self, seat: int, action: int, rng: Rng) -> None:
            if action == 7 << 8:
                raise ZeroDivisionError
            super().apply(seat, action, rng)

    state_type: ClassVar[type[LuckyState]] = Broken


class Gullible(LuckyDraw):
    """4: any well-formed action is accepted."""

    def encode(self, state: LuckyState, seat: int, action: Any) -> int:
        try:
            return super().encode(state, seat, action)
        except IllegalAction as refusal:
            if refusal.code != "not-in-hand":
                raise
            return self.action_codec.to_int(self._parse_action(action))


class Meddling(LuckyDraw):
    """4: a refusal changes the state."""

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        state.pile.reverse()
        return super().refusal(state, seat, action)


class Curt(LuckyDraw):
    """4: a refusal has no sentence."""

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        return IllegalAction("no", "")


class Crashing(LuckyDraw):
    """4: a refusal raises another exception."""

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        raise KeyError(action)


class Lengthy(LuckyDraw):
    """5: the bound is too low."""

    about = replace(LuckyDraw.about, max_actions=3)


class Cheating(LuckyDraw):
    """5: the random player takes illegal actions."""

    class Broken(LuckyState):
        def random_action(self, seat: int, rng: Rng) -> int:
            return int(rng.below(CARDS)) << 8

    state_type: ClassVar[type[LuckyState]] = Broken


class Sharing(LuckyDraw):
    """6: a clone shares a list with the original."""

    class Broken(LuckyState):
        def clone(self) -> LuckyState:
            copy = super().clone()
            copy.hands = self.hands
            return copy

    state_type: ClassVar[type[LuckyState]] = Broken


class Eavesdropping(LuckyDraw):
    """6: a clone records news."""

    class Broken(LuckyState):
        def clone(self) -> LuckyState:
            copy = super().clone()
            copy.is_recording_news = self.is_recording_news
            return copy

    state_type: ClassVar[type[LuckyState]] = Broken


class Unequal(LuckyDraw):
    """6: a clone loses a part."""

    class Broken(LuckyState):
        def clone(self) -> LuckyState:
            copy = super().clone()
            copy.laid = copy.laid[:2]
            return copy

    state_type: ClassVar[type[LuckyState]] = Broken


class Capricious(LuckyDraw):
    """7: it has a random source of its own, which no log records."""

    class Broken(LuckyState):
        own: ClassVar[Random] = Random(1)

        def draw(self, seat: int, rng: Rng) -> None:
            self.own.shuffle(self.pile)
            super().draw(seat, rng)
            self.pile.sort()

    state_type: ClassVar[type[LuckyState]] = Broken


class Wasteful(LuckyDraw):
    """7: it draws a number and ignores the value."""

    class Broken(LuckyState):
        def apply(self, seat: int, action: int, rng: Rng) -> None:
            super().apply(seat, action, rng)
            rng.below(6)

    state_type: ClassVar[type[LuckyState]] = Broken


class Losing(LuckyDraw):
    """8: a card disappears."""

    class Broken(LuckyState):
        def apply(self, seat: int, action: int, rng: Rng) -> None:
            super().apply(seat, action, rng)
            if len(self.laid) == 2 and self.laid[-1][1] != action >> 8:
                self.laid.pop()

        def draw(self, seat: int, rng: Rng) -> None:
            super().draw(seat, rng)
            if self.laid:
                self.pile = self.pile[1:]

    state_type: ClassVar[type[LuckyState]] = Broken


class Uncounted(LuckyDraw):
    """8: cards on the table are not counted."""

    class Broken(LuckyState):
        def cards(self) -> list[int]:
            laid = {card for _, card in self.laid}
            return [card for card in super().cards() if card not in laid]

    state_type: ClassVar[type[LuckyState]] = Broken


class AbsentMinded(LuckyDraw):
    """9: an imagined world forgets which seat played a card."""

    def imagine(self, view: View, rng: Rng) -> LuckyState:
        state = super().imagine(view, rng)
        state.laid = [(0, card) for _, card in state.laid]
        return state


class Anchored(LuckyDraw):
    """9: a re-deal is fair, but depends on where the cards are."""

    class Broken(LuckyState):
        def determinize(self, seat: int, rng: Rng) -> None:
            shift = sum(sum(hand) for other, hand in enumerate(self.hands) if other != seat)
            for _ in range(shift % 5):
                rng.below(2)
            super().determinize(seat, rng)

    state_type: ClassVar[type[LuckyState]] = Broken


class Peeking(LuckyDraw):
    """10: half of all re-deals leave the cards where they are."""

    class Broken(LuckyState):
        def determinize(self, seat: int, rng: Rng) -> None:
            is_imagined = len(self.cards()) != len(set(self.cards()))
            if is_imagined or rng.below(2):
                super().determinize(seat, rng)

    state_type: ClassVar[type[LuckyState]] = Broken


class Gossiping(LuckyDraw):
    """11: a refusal reveals the seat that holds the card."""

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        for other, hand in enumerate(state.hands):
            if isinstance(action, Play) and action.card in hand:
                return IllegalAction("not-in-hand", f"Seat {other} holds the {action.card}.")
        return super().refusal(state, seat, action)


class Telling(LuckyDraw):
    """11: every viewer is notified of the drawn card."""

    class Broken(LuckyState):
        def tell(self, item: NewsItem) -> None:
            super().tell(NewsItem(item.kind, item.seat, item.facts | item.secrets, {}, 0))

    state_type: ClassVar[type[LuckyState]] = Broken


class Hinting(LuckyDraw):
    """11: a label depends on the pile."""

    def label(self, state: LuckyState, seat: int, action: int) -> str:
        hint = " low" if action == DRAW and state.pile[0] < 2 else ""
        return super().label(state, seat, action) + hint


class Smudged(LuckyDraw):
    """12: the picture is not XML."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("&amp;", "&")


class Silent(LuckyDraw):
    """12: the picture has no description."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("Seen by", "Drawn for")


class Blank(LuckyDraw):
    """12: the text is empty."""

    def text(self, view: View) -> str:
        return " "


class Careless(LuckyDraw):
    """14: the log reveals buried cards to all viewers."""

    def sealed_fields(self, state: LuckyState, seat: int, action: int) -> dict[str, int]:
        return {}


class Choosy(LuckyDraw):
    """14: the sealed fields depend on hidden cards."""

    def sealed_fields(self, state: LuckyState, seat: int, action: int) -> dict[str, int]:
        sealed = super().sealed_fields(state, seat, action)
        return sealed | {"": 1 << seat} if sealed and action >> 8 < 6 else sealed


class Forgetful(LuckyDraw):
    """14: a seat may not read its own action in the log."""

    def sealed_fields(self, state: LuckyState, seat: int, action: int) -> dict[str, int]:
        return dict.fromkeys(super().sealed_fields(state, seat, action), 0)


# Saboteurs broken so deeply that they break other promises too: a game that cannot be played to its
# end cannot be examined in any other way, and without faithful copies worlds cannot be compared.
DEEP: Final[frozenset[type[LuckyDraw]]] = frozenset(
    {Stuck, Wavering, Fragile, Crashing, Sharing, Unequal, Capricious, Losing, Peeking}
)

SABOTEURS: Final[tuple[tuple[int, type[LuckyDraw]], ...]] = tuple(
    (int((kind.__doc__ or "0").partition(":")[0]), kind)
    for kind in (
        *(Stuck, Hasty, Twice, Wavering, Mumbling, Unpublished, Fragile, Gullible, Meddling, Curt),
        *(Crashing, Lengthy, Cheating, Sharing, Eavesdropping, Unequal, Capricious, Wasteful),
        *(
            Losing,
            Uncounted,
            AbsentMinded,
            Anchored,
            Peeking,
            Gossiping,
            Telling,
            Hinting,
            Smudged,
            Silent,
        ),
        *(Blank, Careless, Choosy, Forgetful),
    )
)
