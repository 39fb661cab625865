"""The positions of all cards, which viewers know each, and the rest of the table's state."""

from __future__ import annotations

from typing import Any, Final

from librt.vecs import vec
from mypy_extensions import i64

from games.engines.base import State
from games.engines.common.agenda import Agenda
from games.engines.common.bits import bit, count, first_n, has, members
from games.engines.common.playing_cards import card_code
from games.engines.law.action_numbers import encode_subject
from games.engines.law.rule_parameters import RuleParameters

NO_BILL: Final[i64] = -1
NOT_BEGUN: Final[i64] = -1


class LawTableState(State):
    """Hands and the draw pile are sets: not even the state knows an order. Only cards that a viewer
    has seen on top of the draw pile have a place there: they are in `stack`."""

    deck: i64  # the set of all cards in the game
    hands: vec[i64]  # by seat, a set
    laws: vec[i64]  # by seat, a set: the collections
    bound: vec[i64]  # by seat, the set of Laws that bind this player alone
    raised: vec[i64]  # by seat: the additional Laws that events require
    stack: vec[i64]  # the top of the draw pile, the top card last
    pile: i64  # the rest of it, a set
    discards: list[vec[i64]]  # by pile, the top last
    trash: i64
    removed: i64
    # By seat, then the onlooker: the cards whose places the viewer knows, besides their own hand
    # and cards that lie open for good. Of a card in the draw pile below the stack, only the pile is
    # known.
    known_cards: vec[i64]
    turn: i64
    actor: i64  # the seat whose action is being processed
    takes: i64  # cards still to be taken at the start of the turn
    discards_left: i64  # cards still to be discarded at its end, or NOT_BEGUN
    duties: i64  # other duties left at its end, a set
    has_stolen: bool
    asked: i64
    agenda: Agenda
    bill: i64  # the shape of the Bill being laid, or NO_BILL
    bill_place: i64  # of a straight: the next position; of a kind: the rank
    bill_suit: i64
    bill_left: i64  # cards still to be laid
    bill_hearts: i64  # how many of these must be hearts
    chosen: vec[i64]  # by seat: a sealed choice, a set
    pending_triggers: vec[i64]  # cards that have set off Laws, the oldest first: seat << 8 | card
    pending_trigger_laws: vec[i64]  # in the same order: the set of Laws of each
    fired: vec[i64]  # triggers that cannot recur in this chain: law << 8 | card
    happened: i64  # the events that cannot happen again in this chain
    has_contributed: bool  # whether contributions have been requested in this chain
    quiet: i64  # turns since the last Law was collected
    decisions: i64
    winners: i64
    ending: i64
    parameters: list[RuleParameters]  # by seat, then the onlooker: the parameters under their Laws
    has_stale_parameters: bool  # whether these are out of date

    def init_table(self, seats: i64, deck: i64) -> None:
        """Set up a table before the deal: all cards in the draw pile, nothing else anywhere."""
        self.seats = seats
        self.deck = deck
        self.hands = vec[i64]([0] * seats)
        self.laws = vec[i64]([0] * seats)
        self.bound = vec[i64]([0] * seats)
        self.raised = vec[i64]([0] * seats)
        self.stack = vec[i64]()
        self.pile = deck
        self.discards = [vec[i64]()]
        self.trash = self.removed = 0
        self.known_cards = vec[i64]([0] * (seats + 1))
        self.turn = self.actor = self.takes = self.duties = self.asked = 0
        self.discards_left = NOT_BEGUN
        self.has_stolen = False
        self.agenda = Agenda()
        self.bill = NO_BILL
        self.bill_place = self.bill_suit = self.bill_left = self.bill_hearts = 0
        self.chosen = vec[i64]([0] * seats)
        self.pending_triggers = vec[i64]()
        self.pending_trigger_laws = vec[i64]()
        self.fired = vec[i64]()
        self.happened = 0
        self.has_contributed = False
        self.quiet = self.decisions = self.winners = self.ending = 0
        self.parameters = [RuleParameters() for _ in range(seats + 1)]
        self.has_stale_parameters = True

    # -- knowledge ----------------------------------------------------------------------------

    def all_viewers(self) -> i64:
        """All viewers: the seats and an onlooker."""
        return first_n(self.seats + 1)

    def learn(self, viewers: i64, cards: i64) -> None:
        """Record that the viewers know where these cards are."""
        for viewer in range(self.seats + 1):
            if has(viewers, viewer):
                own: i64 = self.hands[viewer] if viewer < self.seats else 0
                self.known_cards[viewer] = self.known_cards[viewer] | (cards & ~own)

    def forget(self, viewer: i64, cards: i64) -> None:
        """Drop cards whose place the viewer no longer knows, or no longer needs to record."""
        if self.known_cards[viewer] & cards != 0:
            self.known_cards[viewer] = self.known_cards[viewer] & ~cards

    def lay_open(self, cards: i64) -> None:
        """Stop tracking cards that move to where they lie open for good."""
        for viewer in range(self.seats + 1):
            self.forget(viewer, cards)

    def lose_sight(self, among: i64, gone: i64, seen_by: i64) -> None:
        """Cards leave a set: viewers who do not see which ones lose track of the whole set."""
        if among == gone:
            return  # a viewer who knew one of them knows where it goes
        for viewer in range(self.seats + 1):
            if not has(seen_by, viewer):
                self.forget(viewer, among)

    def draw_pile_viewers(self) -> i64:
        """The viewers that see the top card of the draw pile."""
        seen_by: i64 = 0
        for viewer in range(self.seats + 1):
            if self.parameters[viewer].sees_pile:
                seen_by |= bit(viewer)
        return seen_by

    def discard_pile_viewers(self) -> i64:
        """The viewers that see the faces of the discard piles."""
        seen_by: i64 = 0
        for viewer in range(self.seats + 1):
            if not self.parameters[viewer].is_blind:
                seen_by |= bit(viewer)
        return seen_by

    def has_open_hand(self, seat: i64) -> bool:
        """Whether a Law makes the seat play with an open hand."""
        return self.parameters[seat].is_open_with_most and self.has_most_laws(seat)

    def transfer_viewers(self, one: i64, other: i64) -> i64:
        """The viewers of a transfer between hands: both players, or all if either hand is open."""
        if self.has_open_hand(one) or self.has_open_hand(other):
            return self.all_viewers()
        return bit(one) | bit(other)

    # -- queries ------------------------------------------------------------------------------

    def left_of(self, seat: i64) -> i64:
        """The next seat clockwise."""
        return (seat + 1) % self.seats

    def right_of(self, seat: i64) -> i64:
        """The previous seat."""
        return (seat + self.seats - 1) % self.seats

    def laws_needed(self, seat: i64) -> i64:
        """The number of Laws with which a player wins."""
        return self.parameters[seat].needed + self.raised[seat]  # R15

    def has_most_laws(self, seat: i64) -> bool:
        """Whether no player has more Laws."""
        for other in range(self.seats):
            if count(self.laws[other]) > count(self.laws[seat]):
                return False
        return True

    def has_fewest_laws(self, seat: i64) -> bool:
        """Whether no player has fewer Laws."""
        for other in range(self.seats):
            if count(self.laws[other]) < count(self.laws[seat]):
                return False
        return True

    def collected_cards(self) -> i64:
        """All cards in collections."""
        cards: i64 = 0
        for own in self.laws:
            cards |= own
        return cards

    def unbound_laws(self) -> i64:
        """The collected cards that are not bound to one player."""
        cards = self.collected_cards()
        for own in self.bound:
            cards &= ~own
        return cards

    def laws_binding(self, viewer: i64) -> i64:
        """The collected cards that bind a player, or all players if the viewer is an onlooker."""
        own: i64 = self.bound[viewer] if viewer < self.seats else 0
        return self.unbound_laws() | own

    def open_cards(self) -> i64:
        """The cards that lie open, for good or for as long as they stay."""
        return self.collected_cards() | self.trash | self.removed

    # -- tasks and news -------------------------------------------------------------------------

    def push_for_all(self, kind: i64, seat: i64, number: i64) -> None:
        """Push a task for every seat, to run clockwise from `seat`."""
        for step in range(self.seats):
            self.agenda.push(
                kind, (seat + self.seats - 1 - step) % self.seats, encode_subject(number)
            )

    def add_cards_news(self, kind: str, seat: i64, cards: i64) -> None:
        """Add news about cards that all viewers see."""
        if self.is_recording_news:
            self.add_news(kind, seat, {"cards": [card_code(card) for card in members(cards)]})

    def add_hand_news(self, kind: str, seat: i64, other: i64) -> None:
        """Add the news that `seat` has seen the hand of `other`."""
        secrets = {"cards": [card_code(card) for card in members(self.hands[other])]}
        self.add_news(kind, seat, {"of": int(other)}, secrets, bit(seat) | bit(other))

    def add_card_news(
        self, kind: str, seat: i64, facts: dict[str, Any], card: i64, to: i64
    ) -> None:
        """Add news about a card that only some viewers see."""
        if not self.is_recording_news:
            return
        secrets: dict[str, Any] = {"card": card_code(card)}
        if to & self.all_viewers() == self.all_viewers():
            self.add_news(kind, seat, facts | secrets)
        else:
            self.add_news(kind, seat, facts, secrets, to)
