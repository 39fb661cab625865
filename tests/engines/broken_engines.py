"""Engines that each break one promise; all derive from the correct game in `lucky_draw`."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, ClassVar, Final, Self

from tabularium_engines.base import IllegalAction, Result, Rng
from tabularium_engines.common.consequences import Consequences
from tests.engines.broken_pictures import BROKEN_PICTURES
from tests.engines.lucky_draw import CARDS, DRAW, LuckyDraw, LuckyState, Play, View


class NoLegalActions(LuckyDraw):
    """1: after three cards no seat has a legal action."""

    class BrokenState(LuckyState):
        def legal_actions(self, seat: int) -> list[int]:
            return [] if len(self.laid) == 3 else super().legal_actions(seat)

    state_type: ClassVar[type[LuckyState]] = BrokenState


class EarlyResult(LuckyDraw):
    """1: there is a result before the end."""

    def result(self, state: LuckyState) -> Result | None:
        return Result((0,), (0,) * int(state.seats), "why not")


class DuplicateAction(LuckyDraw):
    """2: an action is offered twice."""

    class BrokenState(LuckyState):
        def legal_actions(self, seat: int) -> list[int]:
            legal = super().legal_actions(seat)
            return legal + legal[:1]

    state_type: ClassVar[type[LuckyState]] = BrokenState


class UnstableOrder(LuckyDraw):
    """2: the order of legal actions changes with each call."""

    class BrokenState(LuckyState):
        def legal_actions(self, seat: int) -> list[int]:
            self.is_in_order = not getattr(self, "is_in_order", False)
            return super().legal_actions(seat)[:: 1 if self.is_in_order else -1]

    state_type: ClassVar[type[LuckyState]] = BrokenState


class EqualLabels(LuckyDraw):
    """2: all labels are the same."""

    def label(self, state: LuckyState, seat: int, action: int) -> str:
        return "Go on"


class SecretReaction(LuckyDraw):
    """2: a seat may act that is neither awaited nor known to react."""

    class BrokenState(LuckyState):
        def legal_actions(self, seat: int) -> list[int]:
            found = super().legal_actions(seat)
            return found or ([DRAW] if self.to_act and self.pile else [])

    state_type = BrokenState


class NarrowSchema(LuckyDraw):
    """2: the schema forbids a legal action."""

    def __init__(self) -> None:
        super().__init__()
        schema = self.action_codec.schema()
        schema["oneOf"][0]["properties"]["card"]["maximum"] = CARDS - 4
        self.action_codec.schema = lambda: schema  # type: ignore[method-assign]


class RaisingApply(LuckyDraw):
    """3: a legal action raises."""

    class BrokenState(LuckyState):
        def apply(self, seat: int, action: int, rng: Rng) -> None:
            if action == 7 << 8:
                raise ZeroDivisionError
            super().apply(seat, action, rng)

    state_type: ClassVar[type[LuckyState]] = BrokenState


class AcceptsAnyAction(LuckyDraw):
    """4: any well-formed action is accepted."""

    def encode(self, state: LuckyState, seat: int, action: Any) -> int:
        try:
            return super().encode(state, seat, action)
        except IllegalAction as refusal:
            if refusal.code != "not-in-hand":
                raise
            return self.action_codec.to_int(self._parse_action(action))


class MutatingRefusal(LuckyDraw):
    """4: a refusal changes the state."""

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        state.pile.reverse()
        return super().refusal(state, seat, action)


class EmptyRefusal(LuckyDraw):
    """4: a refusal has an empty sentence."""

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        return IllegalAction("no", "")


class RaisingRefusal(LuckyDraw):
    """4: a refusal raises another exception."""

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        raise KeyError(action)


class LowActionBound(LuckyDraw):
    """5: the bound is too low."""

    about = replace(LuckyDraw.about, max_actions=3)


class IllegalRandomAction(LuckyDraw):
    """5: `random_action` returns illegal actions."""

    class BrokenState(LuckyState):
        def random_action(self, seat: int, rng: Rng) -> int:
            return int(rng.below(CARDS)) << 8

    state_type: ClassVar[type[LuckyState]] = BrokenState


class SharedHands(LuckyDraw):
    """6: a clone shares a list with the original."""

    class BrokenState(LuckyState):
        def clone(self) -> Self:
            copy = super().clone()
            copy.hands = self.hands
            return copy

    state_type: ClassVar[type[LuckyState]] = BrokenState


class RecordingClone(LuckyDraw):
    """6: a clone records news."""

    class BrokenState(LuckyState):
        def clone(self) -> Self:
            copy = super().clone()
            copy.is_recording_news = self.is_recording_news
            return copy

    state_type: ClassVar[type[LuckyState]] = BrokenState


class IncompleteClone(LuckyDraw):
    """6: a clone lacks some of the played cards."""

    class BrokenState(LuckyState):
        def clone(self) -> Self:
            copy = super().clone()
            copy.laid = copy.laid[:2]
            return copy

    state_type: ClassVar[type[LuckyState]] = BrokenState


class UnloggedRandomness(LuckyDraw):
    """7: the rules draw from a random source that no log records."""

    class BrokenState(LuckyState):
        rng: ClassVar[Random] = Random(1)

        def draw(self, seat: int, rng: Rng) -> None:
            self.rng.shuffle(self.pile)
            super().draw(seat, rng)
            self.pile.sort()

    state_type: ClassVar[type[LuckyState]] = BrokenState


class UnusedDraw(LuckyDraw):
    """7: the rules draw a number and ignore it."""

    class BrokenState(LuckyState):
        def apply(self, seat: int, action: int, rng: Rng) -> None:
            super().apply(seat, action, rng)
            rng.below(6)

    state_type: ClassVar[type[LuckyState]] = BrokenState


class LostCard(LuckyDraw):
    """8: a card disappears."""

    class BrokenState(LuckyState):
        def apply(self, seat: int, action: int, rng: Rng) -> None:
            super().apply(seat, action, rng)
            if len(self.laid) == 2 and self.laid[-1][1] != action >> 8:
                self.laid.pop()

        def draw(self, seat: int, rng: Rng) -> None:
            super().draw(seat, rng)
            if self.laid:
                self.pile = self.pile[1:]

    state_type: ClassVar[type[LuckyState]] = BrokenState


class UncountedCards(LuckyDraw):
    """8: cards on the table are not counted."""

    class BrokenState(LuckyState):
        def cards(self) -> list[int]:
            laid = {card for _, card in self.laid}
            return [card for card in super().cards() if card not in laid]

    state_type: ClassVar[type[LuckyState]] = BrokenState


class WrongImaginedSeats(LuckyDraw):
    """9: an imagined world credits all played cards to seat 0."""

    def imagine(self, view: View, rng: Rng) -> LuckyState:
        state = super().imagine(view, rng)
        state.laid = [(0, card) for _, card in state.laid]
        return state


class StateDependentRedeal(LuckyDraw):
    """9: the draws of a re-deal depend on the hidden cards."""

    class BrokenState(LuckyState):
        def determinize(self, seat: int, rng: Rng) -> None:
            shift = sum(sum(hand) for other, hand in enumerate(self.hands) if other != seat)
            for _ in range(shift % 5):
                rng.below(2)
            super().determinize(seat, rng)

    state_type: ClassVar[type[LuckyState]] = BrokenState


class UnchangedRedeal(LuckyDraw):
    """10: half of all re-deals leave the hidden cards in place."""

    class BrokenState(LuckyState):
        def determinize(self, seat: int, rng: Rng) -> None:
            is_imagined = len(self.cards()) != len(set(self.cards()))
            if is_imagined or rng.below(2):
                super().determinize(seat, rng)

    state_type: ClassVar[type[LuckyState]] = BrokenState


class LeakyRefusal(LuckyDraw):
    """11: a refusal reveals the seat that holds the card."""

    def refusal(self, state: LuckyState, seat: int, action: Any) -> IllegalAction:
        for other, hand in enumerate(state.hands):
            if isinstance(action, Play) and action.card in hand:
                return IllegalAction("not-in-hand", f"Seat {other} holds the {action.card}.")
        return super().refusal(state, seat, action)


class LeakyReaction(LuckyDraw):
    """11: which seats may react depends on their cards."""

    class BrokenState(LuckyState):
        def reacting_seats(self) -> int:
            seats = range(int(self.seats)) if self.to_act else ()
            return sum(1 << seat for seat in seats if 0 in self.hands[seat]) & ~int(self.to_act)

    state_type = BrokenState


class LeakyNews(LuckyDraw):
    """11: every viewer is notified of the drawn card."""

    class BrokenState(LuckyState):
        def add_news(
            self,
            kind: str,
            seat: int,
            facts: dict[str, Any],
            secrets: dict[str, Any] | None = None,
            known_to: int = 0,
        ) -> None:
            super().add_news(kind, seat, facts | (secrets or {}))

    state_type: ClassVar[type[LuckyState]] = BrokenState


class UndeclaredNews(LuckyDraw):
    """16: a kind of news has no format."""

    about = replace(LuckyDraw.about, news=LuckyDraw.about.news[:2])


class MisdeclaredNews(LuckyDraw):
    """16: a fact is of another type than its format says."""

    class BrokenState(LuckyState):
        def add_news(
            self,
            kind: str,
            seat: int,
            facts: dict[str, Any],
            secrets: dict[str, Any] | None = None,
            known_to: int = 0,
        ) -> None:
            named = {name: f"{card:02}" for name, card in facts.items()}
            super().add_news(kind, seat, named, secrets, known_to)

    state_type: ClassVar[type[LuckyState]] = BrokenState


class NullNews(LuckyDraw):
    """16: a fact is null for the viewers who may not read it, instead of missing."""

    class BrokenState(LuckyState):
        def add_news(
            self,
            kind: str,
            seat: int,
            facts: dict[str, Any],
            secrets: dict[str, Any] | None = None,
            known_to: int = 0,
        ) -> None:
            hidden = dict.fromkeys(secrets or {})
            super().add_news(kind, seat, {**hidden, **facts}, secrets, known_to)

    state_type: ClassVar[type[LuckyState]] = BrokenState


class LeakyLabel(LuckyDraw):
    """11: a label depends on the pile."""

    def label(self, state: LuckyState, seat: int, action: int) -> str:
        hint = " low" if action == DRAW and state.pile[0] < 2 else ""
        return super().label(state, seat, action) + hint


class MalformedPicture(LuckyDraw):
    """12: the picture is not XML."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("&amp;", "&")


class UndescribedPicture(LuckyDraw):
    """12: the picture has no description."""

    def svg(self, view: View) -> str:
        return super().svg(view).replace("Seen by", "Drawn for")


class EmptyText(LuckyDraw):
    """12: the text is empty."""

    def text(self, view: View) -> str:
        return " "


class UnsealedBury(LuckyDraw):
    """14: the log reveals buried cards to all viewers."""

    def sealed_fields(self, state: LuckyState, seat: int, action: int) -> dict[str, int]:
        return {}


class StateDependentSeal(LuckyDraw):
    """14: the sealed fields depend on hidden cards."""

    def sealed_fields(self, state: LuckyState, seat: int, action: int) -> dict[str, int]:
        sealed = super().sealed_fields(state, seat, action)
        return sealed | {"": 1 << seat} if sealed and action >> 8 < 6 else sealed


class SelfSealedAction(LuckyDraw):
    """14: a seat may not read its own action in the log."""

    def sealed_fields(self, state: LuckyState, seat: int, action: int) -> dict[str, int]:
        return dict.fromkeys(super().sealed_fields(state, seat, action), 0)


# These break other promises too: a game that cannot be played to its end fails every check, and
# without equal clones no worlds can be compared, and a picture that is no XML has no marks.
BREAKS_SEVERAL: Final[frozenset[type[LuckyDraw]]] = frozenset(
    {
        NoLegalActions,
        UnstableOrder,
        RaisingApply,
        RaisingRefusal,
        SharedHands,
        IncompleteClone,
        UnloggedRandomness,
        LostCard,
        UnchangedRedeal,
        MalformedPicture,
    }
)


class LeakyConsequences(LuckyDraw):
    """11: the consequences of an action depend on the pile."""

    def consequences(self, state: LuckyState, seat: int, action: int) -> Consequences | None:
        is_low = action == DRAW and state.pile[0] < 2
        return None if is_low else super().consequences(state, seat, action)


class WrongTurnForetold(LuckyDraw):
    """15: an action is said to leave its seat on turn."""

    def consequences(self, state: LuckyState, seat: int, action: int) -> Consequences | None:
        told = super().consequences(state, seat, action)
        return replace(told, to_act=(seat,)) if told and told.to_act else told


class WrongWinnersForetold(LuckyDraw):
    """15: the seat that ends the game is said to win."""

    def consequences(self, state: LuckyState, seat: int, action: int) -> Consequences | None:
        told = super().consequences(state, seat, action)
        return replace(told, winners=(seat,)) if told and told.winners else told


class WrongScoresForetold(LuckyDraw):
    """15: an action is said to change no score."""

    def consequences(self, state: LuckyState, seat: int, action: int) -> Consequences | None:
        told = super().consequences(state, seat, action)
        return replace(told, score_changes=(0,) * int(state.seats)) if told else told


class ChanceForetold(LuckyDraw):
    """15: the card to be drawn is said to be certain."""

    def consequences(self, state: LuckyState, seat: int, action: int) -> Consequences | None:
        told = super().consequences(state, seat, action)
        sure = [{**item, "card": 0} for item in told.news] if told else []
        return replace(told, news=tuple(sure)) if told else None


class TwoLabels(LuckyDraw):
    """15: the label in a list of offers is not that of the action alone."""

    def label_with(
        self, state: LuckyState, seat: int, action: int, consequences: Consequences | None
    ) -> str:
        return f"{self.label(state, seat, action)}: {consequences is not None}"


class OtherFinalScores(LuckyDraw):
    """15: the scores at the end are not those of the result."""

    def scores(self, state: LuckyState, seat: int) -> tuple[int, ...]:
        return tuple(total + 1 for total in state.sums())


BROKEN_ENGINES: Final[tuple[tuple[int, type[LuckyDraw]], ...]] = tuple(
    (int((kind.__doc__ or "0").partition(":")[0]), kind)
    for kind in (
        NoLegalActions,
        EarlyResult,
        DuplicateAction,
        UnstableOrder,
        EqualLabels,
        SecretReaction,
        NarrowSchema,
        RaisingApply,
        AcceptsAnyAction,
        MutatingRefusal,
        EmptyRefusal,
        RaisingRefusal,
        LowActionBound,
        IllegalRandomAction,
        SharedHands,
        RecordingClone,
        IncompleteClone,
        UnloggedRandomness,
        UnusedDraw,
        LostCard,
        UncountedCards,
        WrongImaginedSeats,
        StateDependentRedeal,
        UnchangedRedeal,
        LeakyRefusal,
        LeakyReaction,
        LeakyNews,
        LeakyLabel,
        MalformedPicture,
        UndescribedPicture,
        EmptyText,
        UnsealedBury,
        StateDependentSeal,
        SelfSealedAction,
        LeakyConsequences,
        WrongTurnForetold,
        WrongWinnersForetold,
        WrongScoresForetold,
        ChanceForetold,
        TwoLabels,
        OtherFinalScores,
        UndeclaredNews,
        MisdeclaredNews,
        NullNews,
    )
) + tuple((17, kind) for kind in BROKEN_PICTURES)
