"""Card moves between hands, piles and collections, and the viewers that see each card."""

from __future__ import annotations

from typing import Any

from librt.vecs import append, pop, vec
from mypy_extensions import i64

from games.engines.base import Rng
from games.engines.common.bits import bit, count, has, members, nth
from games.engines.law.action_numbers import TASK_GRANT, encode_subject
from games.engines.law.table_state import LawTableState


class LawTable(LawTableState):
    """The layout, with all card moves on it."""

    # -- moving cards -------------------------------------------------------------------------

    def draw_pile_size(self) -> i64:
        """The number of cards in the draw pile."""
        return count(self.pile) + len(self.stack)

    def is_draw_pile_empty(self) -> bool:
        """Whether the draw pile is empty."""
        return self.pile == 0 and len(self.stack) == 0

    def take_top_card(self, rng: Rng) -> i64:
        """Remove the top card of the draw pile and return it."""
        if len(self.stack) > 0:
            self.stack, card = pop(self.stack)
            return card
        card = nth(self.pile, rng.below(count(self.pile)))
        self.pile ^= bit(card)
        return card

    def take_top_card_seen_by(self, seen_by: i64, rng: Rng) -> i64:
        """The same, where only these viewers see which card it is."""
        among: i64 = self.pile if len(self.stack) == 0 else 0
        card = self.take_top_card(rng)
        self.lose_sight(among, among & bit(card), seen_by)
        return card

    def add_to_hand(self, seat: i64, card: i64, seen_by: i64) -> None:
        """Add a card to a hand."""
        self.hands[seat] = self.hands[seat] | bit(card)
        self.forget(seat, bit(card))
        self.learn(seen_by, bit(card))

    def hand_over(self, giver: i64, taker: i64, cards: i64, seen_by: i64) -> None:
        """Move cards from hand to hand, seen by these viewers and by the two players."""
        seen_by |= self.transfer_viewers(giver, taker)
        self.lose_sight(self.hands[giver], cards, seen_by)
        self.hands[giver] = self.hands[giver] & ~cards
        self.hands[taker] = self.hands[taker] | cards
        self.forget(taker, cards)
        self.learn(seen_by, cards)

    def exchange_cards(self, one: i64, other: i64, gave: i64, got: i64) -> None:
        """Exchange cards between two hands, seen only by the two players unless a hand is open."""
        seen_by = self.transfer_viewers(one, other)
        self.lose_sight(self.hands[one], gave, seen_by)
        self.lose_sight(self.hands[other], got, seen_by)
        self.hands[one] = (self.hands[one] & ~gave) | got
        self.hands[other] = (self.hands[other] & ~got) | gave
        self.forget(one, got)
        self.forget(other, gave)
        self.learn(seen_by, gave | got)

    def replace_hands(self, hands: vec[i64]) -> None:
        """Give all hands new owners, whole; a viewer who knew a card still does."""
        for seat in range(self.seats):
            # each player knows where their old hand has gone
            self.known_cards[seat] = self.known_cards[seat] | self.hands[seat]
        self.hands = hands
        for seat in range(self.seats):
            self.forget(seat, hands[seat])

    def pass_hands(self, seat: i64) -> None:
        """Pass every hand to the left."""
        hands = self.hands[:]
        for giver in range(self.seats):
            hands[self.left_of(giver)] = self.hands[giver]  # R31
        self.replace_hands(hands)
        self.add_news("hands_passed", seat, {})

    def swap_hands(self, seat: i64, one: i64, other: i64) -> None:
        """Swap the hands of two players."""
        hands = self.hands[:]
        hands[one] = self.hands[other]
        hands[other] = self.hands[one]
        self.replace_hands(hands)
        self.add_news("hands_swapped", seat, {"seats": [int(one), int(other)]})

    def put_on_pile(self, card: i64, pile: i64, seen_by: i64) -> None:
        """Lay a card on a discard pile, or on the draw pile (0)."""
        if pile == 0:
            self.stack = append(self.stack, card)
        else:
            self.discards[pile - 1] = append(self.discards[pile - 1], card)
        self.learn(seen_by, bit(card))

    def lay_from_hand(self, seat: i64, card: i64, pile: i64) -> None:
        """Move a card from a hand onto a pile, seen by all."""
        self.hands[seat] = self.hands[seat] & ~bit(card)
        self.put_on_pile(card, pile, self.all_viewers())  # R35, R38

    def take_top_discard(self, pile: i64) -> i64:
        """Remove the top card of a discard pile and return it."""
        self.discards[pile - 1], card = pop(self.discards[pile - 1])
        return card

    def top_discard(self, pile: i64) -> i64:
        """The top card of a discard pile that is not empty."""
        cards = self.discards[pile - 1]
        return cards[len(cards) - 1]

    def throw_away(self, cards: i64) -> None:
        """Move cards to the trash."""
        self.lay_open(cards)
        self.trash |= cards

    def shuffle_in(self, cards: i64) -> None:
        """Shuffle cards that all have seen, and the stack, into the draw pile."""
        for card in self.stack:
            self.pile |= bit(card)
        self.stack = vec[i64]()
        self.pile |= cards
        self.learn(self.all_viewers(), cards)

    # -- collections --------------------------------------------------------------------------

    def enact(self, seat: i64, card: i64) -> None:
        """Make a card a Law of a player."""
        self.lay_open(bit(card))
        self.laws[seat] = self.laws[seat] | bit(card)
        self.has_stale_parameters = True
        self.quiet = 0

    def repeal(self, cards: i64) -> None:
        """Remove Laws from all collections, and forget which players they were bound to."""
        for seat in range(self.seats):
            self.laws[seat] = self.laws[seat] & ~cards
        self.unbind(cards)

    def unbind(self, cards: i64) -> None:
        """Make these Laws bind all players."""
        for seat in range(self.seats):
            self.bound[seat] = self.bound[seat] & ~cards  # R59
        self.has_stale_parameters = True

    def replace_all_laws(self, seat: i64) -> None:
        """Move all Laws to the trash; their owners get as many new ones, `seat` first."""
        for step in range(self.seats):
            owner = (seat + self.seats - 1 - step) % self.seats
            self.agenda.push(TASK_GRANT, owner, encode_subject(count(self.laws[owner])))
        cards = self.collected_cards()
        self.repeal(cards)
        self.throw_away(cards)
        self.add_news("replaced_all", seat, {})

    def remove_from_game(self, cards: i64) -> None:
        """Remove cards from the game, wherever they are."""
        cards &= self.deck
        self.repeal(cards)
        self.lay_open(cards)
        for seat in range(self.seats):
            self.hands[seat] = self.hands[seat] & ~cards
        self.pile &= ~cards
        self.trash &= ~cards
        self.stack = without_cards(self.stack, cards)
        for index in range(len(self.discards)):
            self.discards[index] = without_cards(self.discards[index], cards)
        self.removed |= cards
        self.add_cards_news("removed", self.actor, cards)

    def raise_needs(self, seat: i64, laws: i64) -> None:
        """Raise the number of Laws that every player needs to win, for good."""
        for each in range(self.seats):
            self.raised[each] = self.raised[each] + laws
        self.add_news("raised", seat, {"by": int(laws)})

    # -- copying and contents -----------------------------------------------------------------

    def copy_to(self, copy: LawTable) -> None:
        """Make another table equal to this one; the parameters are shared, as they never change."""
        copy.seats = self.seats
        copy.to_act = self.to_act
        copy.deck = self.deck
        copy.hands = self.hands[:]
        copy.laws = self.laws[:]
        copy.bound = self.bound[:]
        copy.raised = self.raised[:]
        copy.stack = self.stack[:]
        copy.pile = self.pile
        copy.discards = [cards[:] for cards in self.discards]
        copy.trash = self.trash
        copy.removed = self.removed
        copy.known_cards = self.known_cards[:]
        copy.parameters = self.parameters[:]
        copy.has_stale_parameters = self.has_stale_parameters
        copy.winners = self.winners
        copy.ending = self.ending
        self.copy_turn_to(copy)

    def copy_turn_to(self, copy: LawTable) -> None:
        """Copy the turn, the action in progress and the remaining tasks."""
        copy.turn = self.turn
        copy.actor = self.actor
        copy.takes = self.takes
        copy.discards_left = self.discards_left
        copy.duties = self.duties
        copy.has_stolen = self.has_stolen
        copy.asked = self.asked
        copy.agenda = self.agenda.clone()
        copy.bill = self.bill
        copy.bill_place = self.bill_place
        copy.bill_suit = self.bill_suit
        copy.bill_left = self.bill_left
        copy.bill_hearts = self.bill_hearts
        copy.chosen = self.chosen[:]
        copy.pending_triggers = self.pending_triggers[:]
        copy.pending_trigger_laws = self.pending_trigger_laws[:]
        copy.fired = self.fired[:]
        copy.happened = self.happened
        copy.has_contributed = self.has_contributed
        copy.quiet = self.quiet
        copy.decisions = self.decisions

    def contents(self) -> list[Any]:
        seats = [list(self.hands), list(self.laws), list(self.bound), list(self.raised)]
        draw_pile = [list(self.stack), self.pile]
        heaps = [[list(cards) for cards in self.discards], self.trash, self.removed]
        turn = [self.turn, self.actor, self.takes, self.discards_left, self.duties]
        turn += [int(self.has_stolen), self.asked, *self.agenda.contents(), -1]
        bill = [self.bill, self.bill_place, self.bill_suit, self.bill_left, self.bill_hearts]
        chain = [
            list(self.pending_triggers),
            list(self.pending_trigger_laws),
            list(self.fired),
            self.happened,
        ]
        chain += [int(self.has_contributed), list(self.chosen), list(self.known_cards)]
        end = [self.quiet, self.decisions, self.winners, self.ending]
        whole = [self.seats, self.to_act, self.deck, *seats, *draw_pile, *heaps]
        return [*whole, *turn, *bill, *chain, *end]

    def cards(self) -> list[i64]:
        everywhere = members(self.pile | self.trash | self.removed) + list(self.stack)
        for seat in range(self.seats):
            everywhere += members(self.hands[seat]) + members(self.laws[seat])
        for cards in self.discards:
            everywhere += list(cards)
        everywhere.sort()
        return everywhere


def without_cards(cards: vec[i64], gone: i64) -> vec[i64]:
    """A row of cards without some of them."""
    left = vec[i64]()
    for card in cards:
        if not has(gone, card):
            left = append(left, card)
    return left
