"""The table of a game of Law of the Dice, with parts for the cards, the tablets and the scoring.
The rules act on it."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import Rng, State
from tabularium_engines.common.agenda import Agenda
from tabularium_engines.common.bits import bit, count, members
from tabularium_engines.common.playing_cards import FULL_DECK, card_code, suit_mask
from tabularium_engines.law_of_the_dice.hands_and_piles import Deck
from tabularium_engines.law_of_the_dice.legs import Legs
from tabularium_engines.law_of_the_dice.scoring import (
    HANDS_ONLY,
    LAWS_ONLY,
    NO_SEAT,
    NO_SUIT,
    Scoring,
    Variant,
    seats_with_most,
)
from tabularium_engines.law_of_the_dice.tablets import NO_CARD, Tablets

HAND_SIZE: Final[i64] = 5  # cards dealt to each player


class DiceTable(State):
    """The parts of a table, and all that concerns several of them."""

    def __init__(
        self,
        variant: Variant,
        deck: Deck,
        tablets: Tablets,
        scoring: Scoring,
        votes: vec[i64],
        agenda: Agenda,
    ) -> None:
        super().__init__()
        self.seats = len(deck.hands)
        self.turn: i64 = 0
        self.turns: i64 = 0  # begun since the deal
        self.variant = variant
        self.deck = deck
        self.tablets = tablets
        self.scoring = scoring
        self.legs = Legs(1, NO_SEAT, vec[i64]())
        self.agenda = agenda
        self.caller: i64 = NO_SEAT  # of the pending count
        self.votes = votes  # by seat: a suit, or NO_SUIT
        self.queue: vec[i64] = vec[i64]()  # laws that wait to fire: seat * SLOT_COUNT + slot
        self.fired: i64 = 0  # the set of laws that this chain has triggered
        self.rolled: vec[i64] = vec[i64]()  # this turn: number << 16 | die << 8 | seat

    def contents(self) -> list[Any]:
        # in the order in which golden games store it
        *cards, known_cards = self.deck.contents()
        *scores, last_count = self.scoring.contents()
        head = [self.seats, self.to_act, *self.variant.contents(), *self.tablets.contents()]
        course = [self.turn, self.caller, *scores, self.agenda.contents(), last_count]
        chain = [list(self.queue), self.fired, list(self.rolled)]
        readings = self.variant.readings()
        second = [*readings, *self.scoring.second_contents(), *self.legs.contents()]
        if len(readings) == 0:
            second = []
        if self.variant.version > 2:
            second.append(self.turns)
        return [*head, *cards, *course, *chain, list(self.votes), known_cards, *second]

    def cards(self) -> list[i64]:
        everywhere = members(self.deck.pile | self.visible_cards())
        for hand in self.deck.hands:
            everywhere += members(hand)
        everywhere.sort()
        return everywhere

    def determinize(self, seat: i64, rng: Rng) -> None:
        deck, viewer = self.deck, seat if seat >= 0 else self.seats
        own: i64 = deck.hands[seat] if seat >= 0 else 0
        sure = own | deck.known_cards[viewer]
        deck.pile = FULL_DECK & ~(self.visible_cards() | sure)
        for other in range(self.seats):
            if other != seat:
                deck.redeal_hand(other, sure, rng)
                if self.votes[other] != NO_SUIT:
                    self.votes[other] = rng.below(4)
        for other in range(self.seats + 1):
            if other != viewer:
                deck.known_cards[other] = 0  # the viewer cannot know the others' knowledge

    def returns(self) -> list[float]:
        payoffs = self.shared_victory(0 if self.to_act != 0 else self.scoring.winning_seats())
        if self.to_act == 0 and self.variant.leg_count(self.seats) > 1:
            for seat in range(self.seats):
                payoffs[seat] = self.value_over_legs(seat, payoffs[seat])
        return payoffs

    def value_over_legs(self, seat: i64, leg_value: float) -> float:
        """The mean of the seat's payoffs in all legs, if the current leg is worth that much: those
        that have not begun are even."""
        if self.variant.leg_count(self.seats) == 1:
            return leg_value
        other = 0.5  # R36: of the other leg, while it has not begun
        if self.legs.leg > 1:
            other = self.first_leg_payoffs()[seat]
        return (other + leg_value) / 2.0

    def first_leg_payoffs(self) -> list[float]:
        """The payoffs of the first of two legs, which is over."""
        return self.shared_victory(seats_with_most(self.legs.first_points))

    def winning_seats(self) -> i64:
        """The set of seats that win the game, which is over."""
        payoffs, winners = self.returns(), i64(0)
        most = max(payoffs)
        for seat in range(self.seats):
            if payoffs[seat] == most:
                winners |= bit(seat)
        return winners

    def deal_hands(self, rng: Rng) -> None:
        """Deal five cards to each player."""
        deck = self.deck
        for seat in range(self.seats):
            for _ in range(HAND_SIZE):
                deck.draw(seat, rng)
            if self.is_recording_news:
                secret = {"cards": [card_code(card) for card in members(deck.hands[seat])]}
                self.add_news("dealt", seat, {"count": int(HAND_SIZE)}, secret, bit(seat))

    def discard(self, kind: str, seat: i64, card: i64) -> None:
        """Discard a card from a hand, with news of this kind."""
        self.deck.discard(seat, card)
        self.add_card_news(kind, seat, card)

    def is_calm(self) -> bool:
        """Whether it is too early after the deal to call a count: each player has a turn first."""
        return self.variant.house_rules and self.turns <= self.seats

    def counted_card_count(self, seat: i64, suit: i64) -> i64:
        """The number of cards of the suit that a count finds for `seat`."""
        cards: i64 = 0
        if self.variant.counted != LAWS_ONLY:
            cards |= self.deck.hands[seat]
        if self.variant.counted != HANDS_ONLY:
            cards |= self.tablets.law_cards(seat)
        return count(cards & suit_mask(suit))

    def visible_cards(self) -> i64:
        """The set of cards that lie open on the table."""
        cards: i64 = 0
        for card in self.deck.discard_pile:
            cards |= bit(card)
        for card in self.tablets.laws:
            if card != NO_CARD:
                cards |= bit(card)
        return cards

    def add_card_news(self, kind: str, seat: i64, card: i64) -> None:
        """Add the news of a card that all viewers see."""
        if self.is_recording_news:
            self.add_news(kind, seat, {"card": card_code(card)})

    def add_plain_news(self, kind: str, seat: i64) -> None:
        """Add news without further facts."""
        if self.is_recording_news:
            self.add_news(kind, seat, {})
