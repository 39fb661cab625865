"""The referee of Law of the Dice, written from the printed rules and RULES.md alone.

The rules are a coroutine: it plays the game, and stops at each question that a player must
answer. Chance decides who begins, every card that is dealt, drawn, stolen or swapped for, every
roll and the suit of a count at once; the referee reads these facts in the news of all seats.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from fractions import Fraction
from typing import Any, ClassVar, Final, TypeAlias

from tests.referees.runner import Json, Outcome, Referee, Seen, Viewer

SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
RANKS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
DECK: Final = [rank + suit for suit in SUITS for rank in RANKS]
DICE: Final = {"9": 20, "10": 12, "J": 10, "Q": 8, "K": 6, "A": 4}
SUIT_OF_ROLL: Final = {1: "hearts", 2: "diamonds", 3: "spades", 4: "clubs"}
HAND, HIGHEST, ACTIONS, MOST_COUNTS = 5, 20, 2, 200
TURN_DIE: Final = 4  # of the house rules
SLOTS: Final = (0, 1, 2)
CHANCE: Final = {"drew", "rolled", "stole", "swapped", "suit_rolled", "counted", "dealt"}

Answer: TypeAlias = tuple[int, dict[str, Any]]  # a seat and its action
Steps: TypeAlias = Generator[None, Answer, Any]  # a part of the game that may ask


class EmptyPile(Exception):
    """A card must be drawn, and the draw pile is empty (R25)."""


class Slot:
    """A slot of a tablet: a law, a number, both or neither."""

    def __init__(self) -> None:
        self.card: str | None = None
        self.number: int | None = None


def rank_of(card: str) -> str:
    """The rank of a card: "7", "10"."""
    return card[:-1]


def suit_of(card: str) -> str:
    """The suit of a card."""
    return SUITS[card[-1]]


def action(kind: str, **fields: Any) -> dict[str, Any]:
    """An action as JSON."""
    return {"type": f"law_of_the_dice.{kind}", **fields}


def task(kind: str, seat: int, **fields: Any) -> dict[str, Any]:
    """An entry of the agenda: a task that is still to be done."""
    blank: dict[str, Any] = {"power": None, "recipient": None, "die": None, "suits": []}
    return {"kind": kind, "seat": seat, **blank, **fields}


class LawOfTheDiceReferee(Referee):
    """A game of Law of the Dice."""

    slug: ClassVar = "law_of_the_dice"

    def start(self, seen: Seen) -> None:
        self.hands: list[list[str]] = [[] for _ in range(self.seats)]
        self.tablets = [[Slot() for _ in SLOTS] for _ in range(self.seats)]
        self.points = [0] * self.seats
        self.counts = 0
        self.last_count: Json = None
        self.caller: int | None = None
        self.votes: dict[int, str] = {}
        self.opened: list[str] = []  # the latest votes by seat, once they are opened
        self.winners: list[int] = []
        self.leg = 1
        self.legs = self.options.get("legs", 1) or (2 if self.seats == 2 else 1)  # R42
        self.has_house_rules = self.options.get("house_rules", False)
        self.first_points: list[int] = []  # by seat: of the first of two legs, once it is over
        self.turn = self.starter = self.opener = seen.views[None]["turn"]  # R2: chance
        self.asked: dict[int, list[dict[str, Any]]] = {}
        self.events = self.opening_events(seen)
        self.flow = self.play()
        next(self.flow)

    def opening_events(self, seen: Seen) -> Iterator[dict[str, Any]]:
        """The first deal, as events: the hands of the first views, one card of which is drawn."""
        for seat in range(self.seats):
            hand = seen.views[seat]["hand"]
            yield {"kind": "dealt", "seat": seat, "cards": hand[:HAND]}
        (drawn,) = seen.views[self.turn]["hand"][HAND:]
        yield {"kind": "drew", "seat": self.turn, "card": drawn}
        for roll in seen.views[None]["rolled"]:
            yield {"kind": "rolled", **roll}

    def take(self, seat: int, action: Json, seen: Seen) -> None:
        self.events = iter([event for event in all_events(seen) if event["kind"] in CHANCE])
        try:
            self.flow.send((seat, action))
        except StopIteration:
            self.asked = {}
        assert not list(self.events), "more chance than the rules ask for"

    def fact(self, kind: str, seat: int | None, name: str) -> Any:
        """The next fact that chance decides: it must be of this kind and seat."""
        event = next(self.events)
        assert event["kind"] == kind, f"{event} instead of {kind}"
        assert seat is None or event["seat"] == seat, f"{event} instead of seat {seat}"
        return event[name]

    def left_of(self, seat: int) -> int:
        """The next player clockwise."""
        return (seat + 1) % self.seats

    def clockwise(self, first: int) -> list[int]:
        """All players, clockwise."""
        return [(first + step) % self.seats for step in range(self.seats)]

    # -- the game -----------------------------------------------------------------------------

    def play(self) -> Steps:
        """The whole game."""
        self.deal()
        while True:
            self.cancel()
            self.rolled: list[dict[str, int]] = []  # of a turn
            try:
                yield from self.take_turn(self.turn)
            except EmptyPile:
                self.starter = self.count_at_once()
            else:
                if self.left_of(self.turn) != self.caller:
                    self.turn = self.left_of(self.turn)
                    continue
                self.starter = yield from self.hold_count(self.caller)
            if self.winners:
                return  # the view names the starter of the deal that no longer takes place
            if self.is_leg_over():
                self.begin_second_leg()
            self.turn = self.starter
            self.deal()

    def begin_second_leg(self) -> None:
        """R35: begin anew without laws and points; the player who did not begin begins."""
        self.first_points, self.points, self.leg = self.points, [0] * self.seats, 2
        self.counts, self.last_count, self.opened = 0, None, []
        self.tablets = [[Slot() for _ in SLOTS] for _ in range(self.seats)]
        self.starter = self.opener = self.left_of(self.opener)

    def cancel(self) -> None:
        """Nothing is pending any more."""
        self.agenda: list[dict[str, Any]] = []
        self.waiting: list[tuple[int, int]] = []
        self.fired: set[tuple[int, int]] = set()

    def deal(self) -> None:
        """Shuffle all cards but the kept laws, and deal five to each player."""
        self.turns = 0  # since the deal
        if not self.keeps_laws():
            self.tablets = [[Slot() for _ in SLOTS] for _ in range(self.seats)]
        self.discard: list[str] = []
        self.knowers: dict[str, set[Viewer]] = {}
        laws = {slot.card for tablet in self.tablets for slot in tablet}
        self.pile = set(DECK) - laws
        for seat in range(self.seats):
            hand = self.fact("dealt", seat, "cards")
            assert len(hand) == HAND
            self.pile.difference_update(hand)
            self.hands[seat] = []
            for card in hand:
                self.receive(seat, card, knowers={seat})
        in_hands = {card for hand in self.hands for card in hand}
        assert len((self.pile | in_hands | laws) - {None}) == len(DECK)

    def keeps_laws(self) -> bool:
        """R41: whether laws stay after a count."""
        return bool(self.options["laws_kept"] or self.has_house_rules)

    def draw(self, seat: int) -> None:
        """Draw a card, unless the pile is empty."""
        if not self.pile:
            raise EmptyPile
        card = self.fact("drew", seat, "card")
        self.pile.remove(card)
        self.receive(seat, card, knowers={seat})

    def receive(self, seat: int, card: str, knowers: set[Viewer]) -> None:
        """Put a card into a hand."""
        self.hands[seat].append(card)
        self.knowers[card] = knowers

    def put_on_discard(self, seat: int, card: str) -> None:
        """Put a card from a hand on the discard pile."""
        self.hands[seat].remove(card)
        self.discard.append(card)

    # -- questions ----------------------------------------------------------------------------

    def ask(
        self, pending: dict[str, Any], options: list[dict[str, Any]], is_action: bool = False
    ) -> Steps:
        """Ask the seat of a task; R15: a choice with one answer is not asked, but an action is."""
        if len(options) == 1 and not is_action:
            return options[0]
        self.agenda.append(pending)
        self.asked = {pending["seat"]: options}
        _, answer = yield
        self.agenda.pop()
        return answer

    def legal_actions(self, seat: int) -> list[Json]:
        return self.asked.get(seat, [])

    # -- a turn -------------------------------------------------------------------------------

    def take_turn(self, seat: int) -> Steps:
        """Draw, roll by the house rules, take two actions, and perhaps call a count."""
        self.turns += 1
        self.draw(seat)
        self.agenda = [task("end", seat)] + [task("act", seat)] * ACTIONS
        if self.has_house_rules:
            yield from self.roll_chain(seat, TURN_DIE)  # R39
        for _ in range(ACTIONS):
            pending = self.agenda.pop()
            options = self.possible_actions(seat)
            answer = yield from self.ask(pending, options, is_action=True)
            yield from self.act(seat, answer)
        self.agenda = []
        if self.caller is None and not self.is_calm():  # R19
            ends = [action("call_count"), action("end_turn")]
            answer = yield from self.ask(task("close", seat), ends)
            if answer == action("call_count"):
                self.caller = seat

    def is_calm(self) -> bool:
        """R40: whether it is too early after the deal to call a count."""
        return self.has_house_rules and self.turns <= self.seats

    def possible_actions(self, seat: int) -> list[dict[str, Any]]:
        """Everything that a player may do with one of the two actions."""
        options = [action("draw")]
        for card in self.hands[seat]:
            options.append(action("play", card=card))
            for slot in SLOTS:
                if self.may_enact(seat, slot):
                    options.append(action("enact", card=card, slot=slot + 1))
                options += [
                    action("put_number", card=card, slot=slot + 1, number=number)
                    for number in self.numbers_of_die(seat, slot, DICE.get(rank_of(card)))
                ]
        return options

    def may_enact(self, seat: int, slot: int) -> bool:
        """Whether a slot has a number, or can have the 20."""
        return self.tablets[seat][slot].number is not None or self.is_free(seat, slot, HIGHEST)

    def is_free(self, seat: int, slot: int, number: int) -> bool:
        """R5: whether no other slot of this player has a number."""
        others = [other.number for i, other in enumerate(self.tablets[seat]) if i != slot]
        return 1 <= number <= HIGHEST and number not in others

    def numbers_of_die(self, seat: int, slot: int, die: int | None) -> list[int]:
        """The numbers that a dice card can put on a slot: the nearest free ones to its highest."""
        if die is None:
            return []
        free = [n for n in range(1, HIGHEST + 1) if self.is_free(seat, slot, n)]
        nearest = min(abs(number - die) for number in free)
        return [number for number in free if abs(number - die) == nearest]

    def act(self, seat: int, answer: dict[str, Any]) -> Steps:
        """Carry out one of the two actions of a turn."""
        if answer == action("draw"):
            self.draw(seat)
            return
        card = answer["card"]
        if answer["type"].endswith(".play"):
            self.put_on_discard(seat, card)
            yield from self.play_card(seat, rank_of(card))
        elif answer["type"].endswith(".enact"):
            self.enact(seat, card, self.tablets[seat][answer["slot"] - 1])
        else:
            self.put_on_discard(seat, card)  # R34
            self.tablets[seat][answer["slot"] - 1].number = answer["number"]

    def enact(self, seat: int, card: str, slot: Slot) -> None:
        """Put a card into a slot; R4: the number stays."""
        self.hands[seat].remove(card)
        if slot.card is not None:
            self.discard.append(slot.card)
        slot.card = card
        slot.number = slot.number or HIGHEST

    # -- dice ---------------------------------------------------------------------------------

    def play_card(self, seat: int, rank: str) -> Steps:
        """The effect of a card that was played; R18: a dice card starts a chain."""
        if rank not in DICE:
            yield from self.apply_effect(seat, rank, skipped=1)
        else:
            yield from self.roll_chain(seat, DICE[rank])

    def roll_chain(self, seat: int, die: int) -> Steps:
        """Roll a die, and let all laws take effect that it sets off."""
        self.fired = set()
        self.roll(seat, die)
        while self.waiting:
            owner, slot = self.waiting.pop(0)
            self.agenda.append(task("chain", owner))
            law = self.tablets[owner][slot].card
            assert law is not None
            yield from self.trigger(owner, rank_of(law))
            self.agenda.pop()
        self.fired = set()

    def roll(self, seat: int, die: int) -> None:
        """Roll a die: R16: all laws with its number wait, clockwise from the player who rolled."""
        number = self.fact("rolled", seat, "number")
        assert 1 <= number <= die
        self.rolled.append({"seat": seat, "die": die, "number": number})
        for owner in self.clockwise(seat):
            for index, slot in enumerate(self.tablets[owner]):
                place = owner, index
                if slot.card and slot.number == number and place not in self.fired:
                    self.waiting.append(place)
                    self.fired.add(place)

    def trigger(self, owner: int, rank: str) -> Steps:
        """The effect of a law; R17: its owner need not roll."""
        if rank not in DICE:
            yield from self.apply_effect(owner, rank, skipped=0)
            return
        choices = [action("roll"), action("decline")]
        answer = yield from self.ask(task("roll", owner, die=DICE[rank]), choices)
        if answer == action("roll"):
            self.roll(owner, DICE[rank])

    # -- effects ------------------------------------------------------------------------------

    def apply_effect(self, seat: int, rank: str, skipped: int) -> Steps:
        """The effect of a card from two to eight. `skipped` is 1 for a played card, which lies on
        top of the discard pile (R12)."""
        if rank == "2":
            self.draw(seat)
            self.draw(seat)
        elif rank == "3":
            yield from self.shift_number(seat)
        elif rank == "5":
            yield from self.swap_numbers(seat)
        elif rank == "7":
            self.take_discard(seat, skipped)
        else:
            yield from self.aim(seat, rank)

    def shift_number(self, seat: int) -> Steps:
        """Three: raise or lower a number by 1 (R8)."""
        options = [
            action("shift_number", slot=index + 1, number=number)
            for index, slot in enumerate(self.tablets[seat])
            if slot.number is not None
            for number in (slot.number - 1, slot.number + 1)
            if self.is_free(seat, index, number)
        ]
        if options:
            answer = yield from self.ask(task("shift", seat), options)
            self.tablets[seat][answer["slot"] - 1].number = answer["number"]

    def swap_numbers(self, seat: int) -> Steps:
        """Five: swap two numbers; one may be missing (R10)."""
        tablet = self.tablets[seat]
        options = [
            action("swap_numbers", slot=low + 1, other=high + 1)
            for low, high in ((0, 1), (0, 2), (1, 2))
            if tablet[low].number is not None or tablet[high].number is not None
        ]
        if options:
            answer = yield from self.ask(task("swap", seat), options)
            one, other = tablet[answer["slot"] - 1], tablet[answer["other"] - 1]
            one.number, other.number = other.number, one.number

    def take_discard(self, seat: int, skipped: int) -> None:
        """Seven: take the top of the discard pile, or the card beneath the seven itself (R12).
        Every viewer knows the card (R30)."""
        if len(self.discard) > skipped:
            card = self.discard.pop(-1 - skipped)
            self.receive(seat, card, knowers={*range(self.seats), None})

    def aim(self, seat: int, rank: str) -> Steps:
        """Four, six and eight need another player with cards (R15); an eight also a card to give
        (R13)."""
        others = [other for other in range(self.seats) if other != seat and self.hands[other]]
        if not others or (rank == "8" and not self.hands[seat]):
            return
        targets = [action("target", seat=other) for other in others]
        answer = yield from self.ask(task("target", seat, power=rank), targets)
        effect = {"4": self.steal, "6": self.force_discard, "8": self.swap_cards}[rank]
        yield from effect(seat, answer["seat"])

    def steal(self, thief: int, victim: int) -> Steps:
        """Four: a random card changes hands (R9)."""
        card = self.fact("stole", thief, "card")
        self.move_unseen(card, victim, {thief, victim})
        self.hands[thief].append(card)
        yield from ()

    def force_discard(self, seat: int, target: int) -> Steps:
        """Six: the other player chooses the card (R11)."""
        options = [action("discard", card=card) for card in self.hands[target]]
        answer = yield from self.ask(task("discard", target), options)
        self.put_on_discard(target, answer["card"])

    def swap_cards(self, seat: int, other: int) -> Steps:
        """Eight: give a card, then get a random one that the other had before (R13)."""
        options = [action("give", card=card) for card in self.hands[seat]]
        answer = yield from self.ask(task("give", seat, recipient=other), options)
        given, taken = answer["card"], self.fact("swapped", seat, "got")
        self.move_unseen(given, seat, {seat, other})
        self.move_unseen(taken, other, {seat, other})
        self.hands[seat].append(taken)
        self.hands[other].append(given)

    def move_unseen(self, card: str, holder: int, witnesses: set[Viewer]) -> None:
        """R30: a card leaves a hand, and only the witnesses see which. For all others it could be
        any card of the hand, so they lose track of all of it, unless it was the only one."""
        if len(self.hands[holder]) > 1:
            for other in self.hands[holder]:
                self.knowers[other] = self.knowers[other] & witnesses
        self.knowers[card] = self.knowers[card] | witnesses
        self.hands[holder].remove(card)

    # -- counts -------------------------------------------------------------------------------

    def hold_count(self, caller: int) -> Steps:
        """The count that a player called; who has the turn after it."""
        self.agenda = []
        if self.options["suit_by"] == "die":
            suit = SUIT_OF_ROLL[self.fact("suit_rolled", caller, "number")]
        else:
            suit = yield from self.vote(caller)
        assert self.fact("counted", None, "suit") == suit
        return self.first_after_call(caller, self.score(suit))

    def vote(self, caller: int) -> Steps:
        """R20: all players vote, sealed; in a tie the caller has the last word (R33)."""
        ballot = [action("vote", suit=suit) for suit in SUITS.values()]
        self.agenda = [task("vote", caller)]
        self.asked = dict.fromkeys(range(self.seats), ballot)
        while self.asked:
            seat, answer = yield
            self.votes[seat] = answer["suit"]
            del self.asked[seat]
        cast = list(self.votes.values())
        self.opened = [self.votes[seat] for seat in range(self.seats)]
        most = max(map(cast.count, cast))
        tied = [suit for suit in SUITS.values() if cast.count(suit) == most]
        self.agenda, self.votes = [], {}
        options = [action("decide", suit=suit) for suit in tied]
        answer = yield from self.ask(task("last_word", caller, suits=tied), options)
        return answer["suit"]

    def count_at_once(self) -> int:
        """R25: the count of an empty draw pile, in a random suit; who has the turn after it."""
        self.cancel()
        self.opened = []
        self.pile, self.discard = set(self.discard), []
        self.score(self.fact("counted", None, "suit"))
        is_repeated = self.version > 1 and self.options["empty_pile"] == "same"
        return self.turn if is_repeated else self.left_of(self.turn)

    def score(self, suit: str) -> list[int]:
        """Count a suit, and give each player with the most cards of it a point."""
        counted = [
            sum(suit_of(card) == suit for card in self.counted_cards(seat))
            for seat in range(self.seats)
        ]
        most = max(counted)
        scorers = [seat for seat in range(self.seats) if most and counted[seat] == most]  # R21
        for seat in scorers:
            self.points[seat] += 1
        self.counts += 1
        self.caller = None  # R22, R26
        self.last_count = {"suit": suit, "counted": counted, "scorers": scorers}
        self.find_winners()
        return scorers

    def counted_cards(self, seat: int) -> list[str]:
        """The cards of a player that are counted."""
        laws = [slot.card for slot in self.tablets[seat] if slot.card]
        return {"hands": self.hands[seat], "laws": laws, "both": self.hands[seat] + laws}[
            self.options["counted"]
        ]

    def first_after_call(self, caller: int, scorers: list[int]) -> int:
        """R22: who has the next turn after a called count."""
        rule = self.options["next_turn"] if self.version > 1 else "caller"
        left = self.left_of(caller)
        if rule == "caller":
            return caller
        if rule == "left_of_starter":
            return self.left_of(self.starter)
        if rule == "left_of_caller":
            return left
        wanted = [s for s in self.clockwise(left) if (s in scorers) == (rule == "winner")]
        return wanted[0] if wanted else left

    def is_leg_over(self) -> bool:
        """Whether a player has the points that win (R23), or 200 counts were held (R24)."""
        return max(self.points) >= self.options["points_to_win"] or self.counts == MOST_COUNTS

    def find_winners(self) -> None:
        """End the game with its last leg."""
        if self.is_leg_over() and self.leg == self.legs:
            played = [points for points in (self.first_points, self.points) if points]
            payoffs = [sum(map(payoff, played, [seat] * len(played))) for seat in range(self.seats)]
            self.winners = [seat for seat in range(self.seats) if payoffs[seat] == max(payoffs)]

    def outcome(self) -> Outcome | None:
        first = self.first_points or [0] * self.seats
        total = tuple(one + other for one, other in zip(first, self.points, strict=True))  # R37
        return Outcome(tuple(self.winners), total) if self.winners else None

    # -- views --------------------------------------------------------------------------------

    def view(self, viewer: Viewer) -> dict[str, Json]:
        fields = {
            "seat": viewer,
            "options": self.options,
            "to_act": sorted(self.asked),
            "turn": self.turn,
            "caller": self.caller,
            "points": self.points,
            "counts": self.counts,
            "last_count": self.last_count,
            "hand": [] if viewer is None else self.hands[viewer],
            "hand_sizes": [len(hand) for hand in self.hands],
            "known": self.known_to(viewer),
            "laws": [
                [{"card": slot.card, "number": slot.number} for slot in tablet]
                for tablet in self.tablets
            ],
            "draw_pile": len(self.pile),
            "discard_pile": self.discard,
            "agenda": self.agenda,
            "waiting": places(self.waiting),
            "fired": places(sorted(self.fired)),
            "rolled": self.rolled,
            "vote": None if viewer is None else self.votes.get(viewer),
            "voted": sorted(self.votes),
            "winners": self.winners,
        }
        second = {"starter": self.starter, "opened": self.opened, "leg": self.leg}
        second |= {"opener": self.opener, "first_points": self.first_points}
        added: tuple[dict[str, Json], ...] = ({}, second, second | {"turns": self.turns})
        return fields | added[self.version - 1]

    def known_to(self, viewer: Viewer) -> list[Json]:
        """R30: the cards in other hands that a viewer knows: all when the game is over."""
        known = {
            seat: [c for c in hand if self.winners or viewer in self.knowers.get(c, ())]
            for seat, hand in enumerate(self.hands)
            if seat != viewer
        }
        return [{"seat": seat, "cards": cards} for seat, cards in known.items() if cards]

    def unordered(self, view: dict[str, Json]) -> dict[str, Json]:
        known = [entry | {"cards": sorted(entry["cards"])} for entry in view["known"]]
        return view | {"hand": sorted(view["hand"]), "known": known}


def payoff(points: list[int], seat: int) -> Fraction:
    """R36: of a leg that a player won alone 1, of a shared one a part."""
    return Fraction(points[seat] == max(points), points.count(max(points)))


def places(laws: list[tuple[int, int]]) -> list[Json]:
    """Laws by seat and slot, from 1."""
    return [{"seat": seat, "slot": slot + 1} for seat, slot in laws]


def all_events(seen: Seen) -> list[dict[str, Any]]:
    """The news of a step with all that any seat may read of them."""
    heard = [seen.news(viewer) for viewer in seen.viewers]
    return [
        {name: value for item in same for name, value in item.items()}
        for same in zip(*heard, strict=True)
    ]
