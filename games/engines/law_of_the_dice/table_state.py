"""The positions of the cards, who knows them, and transfers between hands; also the rest of the
table's state."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from games.engines.base import Rng, State
from games.engines.common.agenda import Agenda
from games.engines.common.bits import bit, count, members, nth
from games.engines.common.playing_cards import FULL_DECK, card_code, suit_mask
from games.engines.law_of_the_dice.action_numbers import TASK_COUNT

SLOT_COUNT: Final[i64] = 3  # laws per player
HAND_SIZE: Final[i64] = 5  # cards dealt to each player
MAX_NUMBER: Final[i64] = 20  # the highest number token
NO_CARD: Final[i64] = -1
NO_SEAT: Final[i64] = -1
NO_SUIT: Final[i64] = -1
RANDOM_SUIT: Final[i64] = 4  # in place of a suit: draw one


class DiceTable(State):
    """The state of the cards. Hands and draw pile are sets (bit masks): no order exists."""

    points_to_win: i64
    suit_by_die: bool
    laws_kept: bool
    counts_hands: bool
    counts_laws: bool
    hands: vec[i64]  # by seat, a set of cards
    pile: i64  # the draw pile, a set
    discards: vec[i64]  # the discard pile, the top last
    laws: vec[i64]  # by seat * SLOT_COUNT + slot: the card, or NO_CARD
    numbers: vec[i64]  # by the same index: 1 … 20, or 0
    points: vec[i64]
    turn: i64
    caller: i64  # the seat that called the pending count, or NO_SEAT
    counts: i64  # counts so far
    last_count: vec[i64]  # its suit, the set of scorers, each seat's cards; empty before
    agenda: Agenda
    queue: vec[i64]  # laws (seat * SLOT_COUNT + slot) that wait to fire
    fired: i64  # the set of laws that this chain has triggered
    rolled: vec[i64]  # this turn's rolls, oldest first: number << 16 | die << 8 | seat
    votes: vec[i64]  # by seat: a suit, or NO_SUIT
    known_cards: vec[i64]  # by seat, then the onlooker: the cards known in others' hands

    def init_table(self, seats: i64) -> None:
        """Set up a table before the deal, with all cards in the draw pile."""
        self.seats = seats
        self.hands = vec[i64]([0] * seats)
        self.pile = FULL_DECK
        self.discards = vec[i64]()
        self.laws = vec[i64]([NO_CARD] * (seats * SLOT_COUNT))
        self.numbers = vec[i64]([0] * (seats * SLOT_COUNT))
        self.points = vec[i64]([0] * seats)
        self.turn = 0
        self.caller = NO_SEAT
        self.counts = 0
        self.last_count = vec[i64]()
        self.agenda = Agenda()
        self.queue = vec[i64]()
        self.fired = 0
        self.rolled = vec[i64]()
        self.votes = vec[i64]([NO_SUIT] * seats)
        self.known_cards = vec[i64]([0] * (seats + 1))

    # -- draws and cards --------------------------------------------------------------------

    def draw_card(self, seat: i64, rng: Rng) -> bool:
        """Draw a card and return True; if the pile is empty, start a count instead."""
        if self.pile == 0:
            self.count_on_empty_pile()
            return False
        card = self.draw_to_hand(seat, rng)
        if self.is_recording_news:
            self.add_news("drew", seat, {}, {"card": card_code(card)}, bit(seat))
        return True

    def draw_to_hand(self, seat: i64, rng: Rng) -> i64:
        """Move a random card from the draw pile to a hand."""
        card = self.pick_random(self.pile, rng)
        self.pile ^= bit(card)
        self.add_to_hand(seat, card)
        return card

    def add_to_hand(self, seat: i64, card: i64) -> None:
        """Add a card to a hand. (Compiled code is slow at `|=` on an item, here and below.)"""
        self.hands[seat] = self.hands[seat] | bit(card)

    def remove_from_hand(self, seat: i64, card: i64) -> None:
        """Remove a card from a hand."""
        self.hands[seat] = self.hands[seat] & ~bit(card)

    def learn(self, viewer: i64, cards: i64) -> None:
        """Record that the viewer knows who holds these cards."""
        self.known_cards[viewer] = self.known_cards[viewer] | cards

    def forget(self, viewer: i64, cards: i64) -> None:
        """Record that the viewer no longer knows who holds these cards."""
        if self.known_cards[viewer] & cards != 0:
            self.known_cards[viewer] = self.known_cards[viewer] & ~cards

    def pick_random(self, cards: i64, rng: Rng) -> i64:
        """A random card of a set."""
        return nth(cards, rng.below(count(cards)))

    def count_on_empty_pile(self) -> None:
        """Make the discards the draw pile and replace all pending tasks by a count."""
        # R25, R26: all pending effects are cancelled, including a pending call.
        self.refill_pile()
        self.agenda.clear()
        self.queue = vec[i64]()
        self.fired = 0
        self.caller = NO_SEAT
        self.agenda.push(TASK_COUNT, self.turn, RANDOM_SUIT)
        if self.is_recording_news:
            self.add_news("exhausted", self.turn, {})

    def refill_pile(self) -> None:
        """Shuffle the discards into the draw pile."""
        for card in self.discards:
            self.pile |= bit(card)
        self.discards = vec[i64]()

    def deal_hands(self, rng: Rng) -> None:
        """Deal five cards to each player."""
        for seat in range(self.seats):
            for _ in range(HAND_SIZE):
                self.draw_to_hand(seat, rng)
            if self.is_recording_news:
                secret = {"cards": [card_code(card) for card in members(self.hands[seat])]}
                self.add_news("dealt", seat, {"count": int(HAND_SIZE)}, secret, bit(seat))

    def lay_open(self, seat: i64, card: i64) -> None:
        """Remove a card from a hand publicly."""
        self.remove_from_hand(seat, card)
        for viewer in range(self.seats + 1):
            self.forget(viewer, bit(card))

    def discard_from_hand(self, seat: i64, card: i64) -> None:
        """Put a card from a hand on the discard pile."""
        self.lay_open(seat, card)
        self.discards = append(self.discards, card)

    def take_from_discards(self, seat: i64, depth: i64) -> i64:
        """Take the discard that lies under `depth` others; all players see which."""
        self.discards, card = pop(self.discards, len(self.discards) - 1 - depth)
        self.add_to_hand(seat, card)
        for viewer in range(self.seats + 1):
            if viewer != seat:
                self.learn(viewer, bit(card))
        return card

    def hand_over(self, giver: i64, taker: i64, card: i64) -> None:
        """Move a card between two hands; only these two seats see which."""
        self.remove_from_hand(giver, card)
        self.add_to_hand(taker, card)
        self.learn(giver, bit(card))
        self.forget(taker, bit(card))

    def lose_sight(self, giver: i64, taker: i64) -> None:
        """Before a card leaves `giver` unseen: the others no longer know the cards of that hand."""
        hand = self.hands[giver]
        if count(hand) == 1:
            return  # a viewer who knew the only card knows where it goes
        for viewer in range(self.seats + 1):
            if viewer != giver and viewer != taker:
                self.forget(viewer, hand)

    # -- queries ----------------------------------------------------------------------------

    def seats_with_cards(self, but: i64) -> i64:
        """The set of seats that hold cards, except `but`."""
        seats: i64 = 0
        for seat in range(self.seats):
            if seat != but and self.hands[seat] != 0:
                seats |= bit(seat)
        return seats

    def counted_card_count(self, seat: i64, suit: i64) -> i64:
        """The number of cards of the suit that a count finds for `seat`."""
        cards: i64 = 0
        if self.counts_hands:
            cards |= self.hands[seat]
        if self.counts_laws:
            cards |= self.law_cards(seat)
        return count(cards & suit_mask(suit))

    def law_cards(self, seat: i64) -> i64:
        """The set of cards in a player's laws."""
        cards: i64 = 0
        for law in range(seat * SLOT_COUNT, seat * SLOT_COUNT + SLOT_COUNT):
            if self.laws[law] != NO_CARD:
                cards |= bit(self.laws[law])
        return cards

    def visible_cards(self) -> i64:
        """The set of cards that lie open on the table."""
        cards: i64 = 0
        for card in self.discards:
            cards |= bit(card)
        for card in self.laws:
            if card != NO_CARD:
                cards |= bit(card)
        return cards

    # -- news -------------------------------------------------------------------------------

    def add_fizzle_news(self, seat: i64) -> None:
        """Add the news that a power had no effect."""
        if self.is_recording_news:
            self.add_news("fizzled", seat, {})

    # -- hidden state -------------------------------------------------------------------------

    def determinize(self, seat: i64, rng: Rng) -> None:
        viewer = seat if seat >= 0 else self.seats
        own: i64 = self.hands[seat] if seat >= 0 else 0
        sure = own | self.known_cards[viewer]
        pool = FULL_DECK & ~(self.visible_cards() | sure)
        for other in range(self.seats):
            if other != seat:
                pool = self.redeal_hand(other, sure, pool, rng)
        self.pile = pool
        for other in range(self.seats + 1):
            if other != viewer:
                self.known_cards[other] = 0  # the viewer cannot know the others' knowledge

    def redeal_hand(self, seat: i64, sure: i64, pool: i64, rng: Rng) -> i64:
        """Give `seat` its known cards and others from the pool; return the rest of the pool."""
        hand = self.hands[seat] & sure
        for _ in range(count(self.hands[seat]) - count(hand)):
            card = self.pick_random(pool, rng)
            pool ^= bit(card)
            hand |= bit(card)
        self.hands[seat] = hand
        if self.votes[seat] != NO_SUIT:
            self.votes[seat] = rng.below(4)
        return pool

    def cards(self) -> list[i64]:
        everywhere = members(self.pile) + list(self.discards)
        for hand in self.hands:
            everywhere += members(hand)
        everywhere += [card for card in self.laws if card != NO_CARD]
        everywhere.sort()
        return everywhere

    def contents(self) -> list[Any]:
        rules = [self.points_to_win, self.suit_by_die, self.laws_kept]
        zones = [self.counts_hands, self.counts_laws]
        tablets = [list(self.laws), list(self.numbers)]
        piles = [list(self.hands), self.pile, list(self.discards)]
        course = [self.turn, self.caller, self.counts, list(self.points), self.agenda.contents()]
        course.append(list(self.last_count))
        chain = [
            list(self.queue),
            self.fired,
            list(self.rolled),
            list(self.votes),
            list(self.known_cards),
        ]
        return [self.seats, self.to_act, *rules, *zones, *tablets, *piles, *course, *chain]
