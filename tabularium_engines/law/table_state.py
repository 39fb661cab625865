"""The table of a game of Law: hands, collections, open tasks and what viewers know, with parts for
the piles, the turn, the Bill being laid, the chain of effects and the end. The rules act on it."""

from __future__ import annotations

from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from tabularium_engines.base import State
from tabularium_engines.common.agenda import Agenda
from tabularium_engines.common.bits import bit, count, first_n, has, members
from tabularium_engines.common.playing_cards import card_code
from tabularium_engines.law.action_numbers import encode_subject
from tabularium_engines.law.bill_combinations import BillBeingLaid
from tabularium_engines.law.game_end import GameEnd
from tabularium_engines.law.piles import Piles
from tabularium_engines.law.rule_parameters import RuleParameters
from tabularium_engines.law.rulings import NEWEST, Rulings
from tabularium_engines.law.turn_parts import EffectChain, TurnProgress


class LawTable(State):
    """Hands and the draw pile are sets: not even the state knows an order."""

    def init_table(self, seats: i64, deck: i64) -> None:
        """Set up a table before the deal: all cards in the draw pile, nothing else anywhere."""
        self.seats = seats
        self.deck: i64 = deck  # the set of all cards in the game
        self.hands: vec[i64] = vec[i64]([0] * seats)  # by seat, a set
        self.laws: vec[i64] = vec[i64]([0] * seats)  # by seat, a set: the collections
        self.bound: vec[i64] = vec[i64]([0] * seats)  # by seat: the Laws that bind this one alone
        self.raised: vec[i64] = vec[i64]([0] * seats)  # by seat: more Laws that events require
        self.piles: Piles = Piles(deck, [vec[i64]()])
        self.turn: i64 = 0
        self.progress: TurnProgress = TurnProgress(0)
        self.agenda: Agenda = Agenda()
        self.bill: BillBeingLaid = BillBeingLaid()
        self.chain: EffectChain = EffectChain()
        self.chosen: vec[i64] = vec[i64]([0] * seats)  # by seat: a sealed choice, a set
        # By seat, then the onlooker: the cards whose places the viewer knows, besides their own
        # hand and cards that lie open for good. Of a card in the draw pile below the stack, only
        # the pile is known.
        self.known_cards: vec[i64] = vec[i64]([0] * (seats + 1))
        # … and the cards of the stack that the viewer knows to be in the draw pile, but not where
        self.unplaced_cards: vec[i64] = vec[i64]([0] * (seats + 1))
        self.end: GameEnd = GameEnd()
        # by seat, then the onlooker: the parameters under their Laws; they follow from the rest
        self.parameters: list[RuleParameters] = [RuleParameters() for _ in range(seats + 1)]
        # … and three numbers that follow from the parameters
        self.draw_pile_viewers: i64 = 0  # those who see its top card
        self.discard_pile_viewers: i64 = 0  # those who see the faces of these piles
        self.piles_required: i64 = 1  # the number of discard piles
        self.is_stuck: bool = False  # … and whether no player can play a Bill any more
        self.has_stale_parameters: bool = True
        self.rulings: Rulings = NEWEST  # those of the version of the rules
        self.first: i64 = -1  # the option that names the seat that begins; -1: none

    def copy_to(self, copy: LawTable) -> None:
        """Make another table like this one, and independent of it."""
        copy.seats = self.seats
        copy.to_act = self.to_act
        copy.deck = self.deck
        copy.hands = self.hands[:]
        copy.laws = self.laws[:]
        copy.bound = self.bound[:]
        copy.raised = self.raised[:]
        copy.piles = self.piles.clone()
        copy.turn = self.turn
        copy.progress = self.progress.clone()
        copy.agenda = self.agenda.clone()
        copy.bill = self.bill
        copy.chain = self.chain.clone()
        copy.chosen = self.chosen[:]
        copy.known_cards = self.known_cards[:]
        copy.unplaced_cards = self.unplaced_cards[:]
        copy.end = self.end.clone()
        copy.parameters = self.parameters  # shared: new ones replace them
        copy.draw_pile_viewers = self.draw_pile_viewers
        copy.discard_pile_viewers = self.discard_pile_viewers
        copy.piles_required = self.piles_required
        copy.is_stuck = self.is_stuck
        copy.has_stale_parameters = self.has_stale_parameters
        copy.rulings = self.rulings
        copy.first = self.first

    def contents(self) -> list[Any]:
        seats = [list(self.hands), list(self.laws), list(self.bound), list(self.raised)]
        turn = [self.turn, self.chain.actor, *self.progress.contents(), *self.agenda.contents(), -1]
        effects = [*self.bill.contents(), *self.chain.contents()]
        viewers = [list(self.chosen), list(self.known_cards)]
        if any(self.unplaced_cards):  # never in version 1
            viewers.append(list(self.unplaced_cards))
        table = [self.seats, self.to_act, self.deck, *seats, *self.piles.contents()]
        return [*table, *turn, *effects, *viewers, *self.end.contents()]

    def cards(self) -> list[i64]:
        piles = self.piles
        everywhere = members(piles.rest | piles.trash | piles.removed) + list(piles.stack)
        for seat in range(self.seats):
            everywhere += members(self.hands[seat]) + members(self.laws[seat])
        for cards in piles.discarded:
            everywhere += list(cards)
        return sorted(everywhere)

    def all_viewers(self) -> i64:
        """All viewers: the seats and an onlooker."""
        return first_n(self.seats + 1)

    def left_of(self, seat: i64) -> i64:
        """The next seat clockwise."""
        return (seat + 1) % self.seats

    def laws_needed(self, seat: i64) -> i64:
        """The number of Laws with which a player wins."""
        return self.parameters[seat].needed + self.raised[seat]  # R15

    def has_most_laws(self, seat: i64) -> bool:
        """Whether no player has more Laws."""
        number = count(self.laws[seat])
        return all(count(laws) <= number for laws in self.laws)

    def has_fewest_laws(self, seat: i64) -> bool:
        """Whether no player has fewer Laws."""
        number = count(self.laws[seat])
        return all(count(laws) >= number for laws in self.laws)

    def collected_cards(self) -> i64:
        """All cards in collections."""
        cards: i64 = 0
        for own in self.laws:
            cards |= own
        return cards

    def open_cards(self) -> i64:
        """The cards that lie open, for good or for as long as they stay."""
        return self.collected_cards() | self.piles.trash | self.piles.removed

    def cards_for_bills(self) -> i64:
        """The cards that can be in a Bill some day: those in the game and in no collection."""
        return self.deck & ~(self.piles.removed | self.collected_cards())

    def cards_in_sight(self, seat: i64) -> i64:
        """The cards whose faces the seat sees: the open ones, and those on top of open piles."""
        cards = self.open_cards()
        if not self.rulings.asks_beyond_sight:  # R47
            return cards
        if has(self.discard_pile_viewers, seat):
            for pile in self.piles.discarded:
                for card in pile:
                    cards |= bit(card)
        if has(self.draw_pile_viewers, seat) and len(self.piles.stack) > 0:
            cards |= bit(self.piles.stack[len(self.piles.stack) - 1])
        return cards

    def push_for_all(self, kind: i64, seat: i64, number: i64) -> None:
        """Push a task for every seat, to run clockwise from `seat`."""
        for step in range(self.seats):
            clockwise = (seat + self.seats - 1 - step) % self.seats
            self.agenda.push(kind, clockwise, encode_subject(number))

    def law_facts(self, seat: i64, law: i64, name: str = "card") -> dict[str, Any]:
        """The facts of news about a Law: its card, and whether its numbers are doubled."""
        is_doubled = self.parameters[seat].has_doubled_numbers
        return {name: card_code(law)} | ({"doubled": True} if is_doubled else {})

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
