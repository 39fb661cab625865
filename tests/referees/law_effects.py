"""The steps of a game of Law that may ask players, for its referee: draws, Bills, Laws, Events."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Final, TypeAlias

from tests.referees.law_bills import SUITS, Bill, next_cards, rank_of, rest_of, suit_of
from tests.referees.law_cards import LawCards

Act: TypeAlias = dict[str, Any]
Steps: TypeAlias = Generator[None, tuple[int, Act], Any]  # a part of the game that may ask

CONTRIBUTION: Final = 2
EVENTS: Final = {rank + suit for rank in "QK" for suit in SUITS}


def action(kind: str, **fields: Any) -> Act:
    """An action as JSON."""
    return {"type": f"law.{kind}", **fields}


class LawEffects(LawCards):
    """The part of the referee that carries out effects."""

    ending: str
    quiet: int
    asked: dict[int, list[Act]]
    chosen: dict[int, list[str]]  # by seat, of a choice in progress
    bill: Bill | None

    def begin_chain(self, seat: int) -> None:
        """A new action: nothing follows from it so far."""
        self.actor = seat
        self.fired: set[tuple[str, str]] = set()  # R29: pairs of a Law and a card
        self.happened: set[str] = set()  # R65
        self.has_contributed = False  # R13
        self.queue: list[tuple[int, str, list[str]]] = []  # R28

    def finish(self, ending: str, winners: list[int]) -> None:
        """End the game."""
        self.ending, self.winners = ending, winners

    def ask(self, seat: int, options: list[Act]) -> Steps:
        """Ask one player; R62: a choice with one answer is not asked."""
        if len(options) == 1:
            return options[0]
        self.asked = {seat: options}
        _, answer = yield
        self.asked = {}
        return answer

    def ask_cards(self, numbers: dict[int, int], source: Callable[[int], list[str]]) -> Steps:
        """R32: several players choose cards at the same time, each hidden until all are in."""
        self.chosen = {seat: [] for seat in numbers}
        kind = "choose_law" if source == self.laws_of else "choose"
        while True:
            self.asked = {}
            for seat, number in numbers.items():
                left = [card for card in source(seat) if card not in self.chosen[seat]]
                wanted = number - len(self.chosen[seat])
                if wanted > 0 and len(left) > wanted:
                    self.asked[seat] = [action(kind, card=card) for card in left]
            if not self.asked:
                break
            seat, answer = yield
            self.chosen[seat].append(answer["card"])
        chosen, self.chosen = self.chosen, {}
        for seat, number in numbers.items():  # a choice without alternatives
            missing = number - len(chosen[seat])
            left = [card for card in source(seat) if card not in chosen[seat]]
            chosen[seat] += left[:missing]
        return chosen

    def laws_of(self, seat: int) -> list[str]:
        """The collection of a player."""
        return list(self.laws[seat])

    def hand_of(self, seat: int) -> list[str]:
        """The hand of a player."""
        return self.hands[seat]

    def make_discard(self, seat: int, number: int) -> Steps:
        """Let a player discard some cards, or as many as they have (R30)."""
        for _ in range(number):
            options = [
                action("discard", card=card, pile=pile)
                for card in self.hands[seat]
                for pile in self.discard_places(seat)
            ]
            if not options:
                break
            answer = yield from self.ask(seat, options)
            self.discard(seat, answer["card"], answer["pile"])
            yield from self.mend_piles()

    def discard_places(self, seat: int) -> list[int]:
        """The piles on which a player may discard (9♦, 9♥)."""
        return ([0] if self.applies("9H", seat) else []) + self.piles_of(seat)

    def draw(self, seat: int) -> Steps:
        """Draw a card, if there is one."""
        if not self.pile_size():
            return
        card = self.fact("drew")
        laws = self.fresh(seat, card, self.laws_of_draw(seat, card))
        is_shown = laws or self.is_open(seat)  # R61
        self.leave_pile(card, set(self.viewers) if is_shown else {seat})
        self.hands[seat].append(card)
        self.set_off(seat, card, laws)
        yield from self.mend_piles()

    def laws_of_draw(self, seat: int, card: str) -> list[str]:
        """The Laws about drawing that a card sets off."""
        found = ["6D"] if rank_of(card) == "5" else []
        return found + [law for law in ("7S", "7C") if self.has_suit(seat, card, law)]

    def discard(self, seat: int, card: str, pile: int) -> None:
        """Put a card from a hand on a pile; it may set off Laws (R27)."""
        self.put_on(pile, seat, card)
        found = ["6H"] if rank_of(card) == "5" else []
        found += [law for law in ("7D", "7H") if self.has_suit(seat, card, law)]
        self.set_off(seat, card, self.fresh(seat, card, found))

    def has_suit(self, seat: int, card: str, law: str) -> bool:
        """R23: whether a card has the suit that a seven names: its own."""
        rules = self.rules(seat)
        return rules.suit(suit_of(card)) == rules.suit(suit_of(law))

    def fresh(self, seat: int, card: str, laws: list[str]) -> list[str]:
        """R29: the Laws in force that a card has not set off yet."""
        return [law for law in laws if self.applies(law, seat) and (law, card) not in self.fired]

    def set_off(self, seat: int, card: str, laws: list[str]) -> None:
        """R28: Laws that a card sets off wait in the queue."""
        if laws:
            self.fired |= {(law, card) for law in laws}
            self.queue.append((seat, card, laws))

    def run_queue(self) -> Steps:
        """Run all effects that wait, first come, first served."""
        while self.queue:
            seat, _, laws = self.queue[0]
            if not laws:
                self.queue.pop(0)
                continue
            options = [action("apply", card=law) for law in laws]
            answer = yield from self.ask(seat, options)
            laws.remove(answer["card"])
            yield from self.run_law(seat, answer["card"])

    def run_law(self, seat: int, law: str) -> Steps:
        """The effect of a Law that a card set off."""
        number = self.amount(law, seat)
        if law == "6H":
            self.pass_hands()
        elif law in ("7S", "7D"):
            for _ in range(number):
                yield from self.draw(seat)
        elif law == "6D":
            for other in self.clockwise(seat):
                for _ in range(number):
                    yield from self.draw(other)
        else:
            options = [action("choose_seat", seat=other) for other in range(self.seats)]
            answer = yield from self.ask(seat, options)
            yield from self.make_discard(answer["seat"], number)

    def mend_piles(self) -> Steps:
        """R11, R12, R13: fill the piles that have run out."""
        while True:
            self.match_piles()
            if not self.pile_size() and self.can_reshuffle():
                self.reshuffle()
            if not self.pile_size() and not self.has_contributed:
                self.has_contributed = True
                sizes = [min(CONTRIBUTION, len(hand)) for hand in self.hands]
                numbers = {seat: size for seat, size in enumerate(sizes) if size}
                chosen = yield from self.ask_cards(numbers, self.hand_of)
                self.contribute(chosen)
            empty = [number for number, pile in enumerate(self.piles, 1) if not pile]
            if not empty or not self.pile_size():
                break
            self.replenish(empty[0])

    def lay_bill(self, seat: int, bill: Bill) -> Steps:
        """Lay the cards of a Bill, and collect."""
        is_flush_that_wins = bill.shape == "straight_flush"
        rules = self.rules(seat)
        while bill.slots:
            self.bill = bill
            cards = next_cards(rules, bill, self.hands[seat])
            if not bill.is_run and len(cards) == len(bill.slots):
                cards = cards[:1]
            options = [action("lay", card=card) for card in cards]
            answer = yield from self.ask(seat, options)
            bill = rest_of(rules, bill, answer["card"])
            self.lay(seat, answer["card"])
        self.bill = None
        yield from self.mend_piles()  # Fitted: not while the cards are laid
        if is_flush_that_wins:
            self.finish("straight_flush", [seat])
        else:
            yield from self.gain(seat, 1)

    def gain(self, seat: int, number: int) -> Steps:
        """Collect Laws: R42, with J♣ more of them."""
        for _ in range(number * max(1, 2 * self.amount("JC", seat))):
            options = [
                action("collect", pile=pile)
                for pile in (0, *self.piles_of(seat))
                if self.top_exists(pile)
            ]
            if options:
                answer = yield from self.ask(seat, options)
                yield from self.collect(seat, answer["pile"])

    def collect(self, seat: int, pile: int) -> Steps:
        """Collect the top card of a pile."""
        card = self.collect_card(seat, pile)
        yield from self.enact(seat, card)

    def enact(self, seat: int, card: str) -> Steps:
        """A new Law of a player; R50: if it is an Event, it happens."""
        self.laws[seat][card] = None
        self.knowers[card] = set(self.viewers)
        self.quiet = 0
        yield from self.mend_piles()
        if card in EVENTS and card not in self.happened:
            self.happened.add(card)
            yield from getattr(self, f"event_{card.lower()}")(seat)

    def grant(self, seat: int) -> Steps:
        """A Law from the draw pile, in place of another (R54, R57)."""
        if self.pile_size():
            yield from self.enact(seat, self.grant_card())

    def doubled(self, seat: int) -> int:
        """A number on a Law that a player carries out: 1, or with J♠ 2."""
        return 2 if self.applies("JS", seat) else 1

    def event_qs(self, seat: int) -> Steps:
        """R51: every player collects, and needs more."""
        number = self.doubled(seat)
        self.raised = [raised + number for raised in self.raised]
        for other in self.clockwise(seat):
            yield from self.gain(other, number)

    def event_qc(self, seat: int) -> Steps:
        """R52: every player gives Laws back."""
        number = self.doubled(seat)
        numbers = {s: min(number, len(laws)) for s, laws in enumerate(self.laws) if laws}
        chosen = yield from self.ask_cards(numbers, self.laws_of)
        for other, cards in chosen.items():
            for card in cards:
                del self.laws[other][card]
        self.shuffle_in([card for cards in chosen.values() for card in cards])
        yield from self.mend_piles()

    def event_qd(self, seat: int) -> Steps:
        """R53: threes and fours leave the game."""
        self.remove_ranks("34")
        yield from self.mend_piles()

    def event_qh(self, seat: int) -> Steps:
        """R54: all Laws are replaced."""
        sizes = [len(laws) for laws in self.laws]
        for laws in self.laws:
            self.trash |= set(laws)
            laws.clear()
        yield from self.mend_piles()
        for other in self.clockwise(seat):
            for _ in range(sizes[other]):
                yield from self.grant(other)

    def event_ks(self, seat: int) -> Steps:
        """R55: cards from the hand become Laws in its place."""
        if not self.hands[seat]:
            return
        number = self.doubled(seat)
        del self.laws[seat]["KS"]
        self.shuffle_in(["KS"])
        for _ in range(min(number, len(self.hands[seat]))):
            options = [action("choose", card=card) for card in self.hands[seat]]
            if not options:
                break
            answer = yield from self.ask(seat, options)
            self.leave_hand(seat, answer["card"])
            yield from self.enact(seat, answer["card"])

    def event_kc(self, seat: int) -> Steps:
        """R56: two players swap hands."""
        everyone = [action("choose_seat", seat=other) for other in range(self.seats)]
        one = yield from self.ask(seat, everyone)
        others = [act for act in everyone if act != one]
        two = yield from self.ask(seat, others)
        first, second = one["seat"], two["seat"]
        self.hands[first], self.hands[second] = self.hands[second], self.hands[first]

    def event_kd(self, seat: int) -> Steps:
        """R57: a Law is replaced."""
        for _ in range(self.doubled(seat)):
            owned = {card: owner for owner, laws in enumerate(self.laws) for card in laws}
            if not owned:
                break
            options = [action("choose_law", card=card) for card in owned]
            answer = yield from self.ask(seat, options)
            card = answer["card"]
            del self.laws[owned[card]][card]
            self.trash.add(card)
            yield from self.mend_piles()
            yield from self.grant(owned[card])

    def event_kh(self, seat: int) -> Steps:
        """R58: a Law binds one player only."""
        number, bound = self.doubled(seat), list[str]()
        for _ in range(number):
            options = [
                action("choose_law", card=card)
                for laws in self.laws
                for card in laws
                if card not in EVENTS and (card not in bound or self.version == 1)  # R58
            ]
            if not options:
                break
            answer = yield from self.ask(seat, options)
            bound.append(answer["card"])
            if self.version == 1 or len(bound) == 1:  # Fitted: before the second Law is chosen
                seats = [action("choose_seat", seat=other) for other in range(self.seats)]
                whom = yield from self.ask(seat, seats)
            for laws in self.laws:
                if answer["card"] in laws:
                    laws[answer["card"]] = whom["seat"]
            yield from self.mend_piles()
