"""The referee of Law, written from the printed rules and RULES.md alone.

The rules are a coroutine: it plays the game, and stops wherever a player must or may act. Chance
decides who begins and every card that leaves the draw pile; the referee reads these facts in the
news. Comments beginning with "Fitted" name the points that no rule decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, Final

from tests.referees.law_bills import RANKS, all_bills, rank_of
from tests.referees.law_effects import Act, LawEffects, Steps, action
from tests.referees.runner import Json, Outcome, Seen, Viewer

TAKES, ROUNDS, MOST_DECISIONS = 3, 50, 10_000
PASSES: Final = {"8S": "pass_right", "8C": "pass_left"}
SWAPS: Final = {"8D": "swap_left", "8H": "swap_right"}
DUTIES: Final = {**PASSES, **SWAPS, "10C": "discard_down"}


class LawReferee(LawEffects):
    """A game of Law."""

    slug: ClassVar = "law"

    def start(self, seen: Seen) -> None:
        self.set_up(seen)
        self.turn = seen.views[None]["turn"]  # R20: chance
        if self.version > 1:  # R20
            assert self.options["first"] in (None, self.turn)
        self.quiet, self.decisions = 1, 0
        self.ending = ""
        self.asked = {}
        self.bill = None
        self.chosen = {}
        self.begin_chain(self.turn)
        self.begin_turn(self.turn)
        self.flow = self.play()
        next(self.flow)

    def take(self, seat: int, action: Json, seen: Seen) -> None:
        self.read_facts(seen)
        self.decisions += 1
        self.flow.send((seat, action))
        assert not list(self.facts), "more chance than the rules ask for"
        self.look_at_top(seen)

    def play(self) -> Steps:
        """The whole game: R2, one action after another."""
        while not self.winners:
            seat, act = yield
            self.begin_chain(seat)
            yield from self.perform(seat, act)
            yield from self.settle()
            self.begin_chain(seat)  # Fitted: a chain ends before the next turn begins
            if not self.winners and self.is_turn_over():
                yield from self.settle()
                self.end_turn()
                yield from self.settle()
                self.begin_chain(seat)
        self.asked = {}
        yield

    def begin_turn(self, seat: int) -> None:
        """R66: fix the duties at the start of a turn."""
        self.turn = seat
        extra = self.amount("10S", seat) + self.amount("10H", seat) * self.is_poorest(seat)
        self.takes = TAKES + extra
        self.discards: int | None = None
        self.duties: list[str] = []
        self.has_stolen = False
        self.questions = 0

    def is_turn_over(self) -> bool:
        """R3: whether the duties of the end are fixed and none is left."""
        if self.takes or self.discards is None:
            return False
        return not (any(self.open_duties()) or self.must_steal())

    def must_steal(self) -> bool:
        """R45: whether A♣ still makes the player on turn steal."""
        others = [hand for seat, hand in enumerate(self.hands) if seat != self.turn]
        return self.amount("AC", self.turn) > 0 and not self.has_stolen and any(others)

    def settle(self) -> Steps:
        """R2: all that follows from an action, then piles, hands, and the end of the game."""
        while not self.winners:
            yield from self.run_queue()
            yield from self.mend_piles()
            empty = [seat for seat in self.clockwise(self.turn) if not self.hands[seat]]
            if not empty or not self.pile_size():
                break
            yield from self.draw(empty[0])  # R10; Fitted: the order, and one step for each
        self.find_winners()

    def find_winners(self) -> None:
        """The end of the game: R14, R17, R64; a straight flush ended it before (R9)."""
        if self.winners:
            return
        for seat in self.clockwise(self.actor):
            if len(self.laws[seat]) >= self.needed(seat):
                self.finish("laws", [seat])
                return
        largest = [seat for seat in range(self.seats) if self.is_richest(seat)]
        if not any(self.can_ever_collect(seat) for seat in range(self.seats)):
            self.finish("impossible", largest)
        elif self.decisions >= MOST_DECISIONS:
            self.finish("too_long", largest)

    def end_turn(self) -> None:
        """The next turn; R18: count those since the last Law."""
        if self.winners:
            return
        self.quiet += 1
        if self.quiet <= ROUNDS * self.seats:
            self.begin_turn(self.left_of(self.turn))
        else:
            self.finish("stalemate", [s for s in range(self.seats) if self.is_richest(s)])

    def can_ever_collect(self, seat: int) -> bool:
        """R17: whether a player could still make a Bill."""
        rules = self.rules(seat)
        if self.version == 1:
            return bool(rules.kind or rules.straight or rules.flush or rules.wins)
        return bool(all_bills(rules, self.cards_in_play()))

    def legal_actions(self, seat: int) -> Iterable[Json]:
        if self.winners or self.asked:
            return self.asked.get(seat, [])
        return [*self.any_time(seat), *(self.on_turn(seat) if seat == self.turn else [])]

    def any_time(self, seat: int) -> Iterable[Act]:
        """Everything that a player may do whenever no choice is open."""
        yield from (act for act, _ in all_bills(self.rules(seat), self.hands[seat]))
        trade = self.amount("AD", seat)
        if trade and len(self.hands[seat]) >= 2 * trade:  # R46
            yield action("trade")
        if self.amount("AS", seat) and seat != self.turn:  # R44
            for pile in self.piles_of(seat):
                top = self.piles[pile - 1][-1:]
                for card in self.hands[seat] if top else []:
                    if self.is_next(seat, card, top[0]):
                        yield action("top", card=card, pile=pile)

    def is_next(self, seat: int, card: str, top: str) -> bool:
        """Whether a card can be played on another by A♠."""
        wanted = RANKS[(RANKS.index(rank_of(top)) + 1) % len(RANKS)]
        is_wild = rank_of(card) == "5" and self.amount("6S", seat) > 0
        return rank_of(card) == wanted or is_wild

    def on_turn(self, seat: int) -> Iterable[Act]:
        """Everything that only the player on turn may do."""
        yield from self.thefts(seat)
        if self.takes:
            sources = [pile for pile in (0, *self.piles_of(seat)) if self.top_exists(pile)]
            yield from (action("take", pile=pile) for pile in sources)
            return
        discards, duties = self.open_duties()
        if discards:
            for card in self.hands[seat]:
                for pile in self.discard_places(seat):
                    yield action("discard", card=card, pile=pile)
        yield from (action("attend", duty=duty) for duty in duties)
        if not (discards or duties or self.must_steal()):
            yield action("end_turn")

    def thefts(self, seat: int) -> Iterable[Act]:
        """A♣ and A♥: the ways to get cards of other players."""
        others = [other for other in range(self.seats) if other != seat and self.hands[other]]
        if self.amount("AC", seat) and not self.has_stolen:
            yield from (action("reveal", seat=other) for other in others)
        if self.questions < self.amount("AH", seat):  # R47
            for other in others:
                for card in self.askable(seat):
                    yield action("ask", seat=other, card=card)

    def askable(self, seat: int) -> list[str]:
        """R47: the cards that a player may ask for."""
        gone = {*self.hands[seat], *self.trash, *self.removed}
        gone |= {card for laws in self.laws for card in laws}
        if self.version > 1:
            if not self.applies("9C", seat):
                gone |= {card for pile in self.piles for card in pile}
            if self.applies("9S", seat):
                gone |= set(self.stack[-1:])
        return [card for card in self.deck if card not in gone]

    def end_duties(self) -> tuple[int, list[str]]:
        """R66: the discards and duties that are left, or would be fixed now."""
        if self.discards is not None:
            return self.discards, self.duties
        seat = self.turn
        fewer = self.amount("10D", seat) * self.is_poorest(seat)
        more = self.amount("JH", seat) * self.is_richest(seat)
        duties = [duty for law, duty in DUTIES.items() if self.applies(law, seat)]
        return max(0, 1 - fewer + more), duties

    def open_duties(self) -> tuple[int, list[str]]:
        """The discards and duties that the player on turn can still do."""
        discards, duties = self.end_duties()
        hand = self.hands[self.turn]
        return discards if hand else 0, [duty for duty in duties if self.is_doable(duty)]

    def is_doable(self, duty: str) -> bool:
        """Fitted: a duty that concerns no card is none."""
        hand = self.hands[self.turn]
        (law,) = [law for law, name in DUTIES.items() if name == duty]
        if not self.applies(law, self.turn):
            return False
        if duty == "discard_down":
            return len(hand) > 6 * self.amount("10C", self.turn)
        other = self.left_of(self.turn, self.seats - 1 if duty.endswith("right") else 1)
        return bool(hand and (self.hands[other] or duty.startswith("pass")))

    def perform(self, seat: int, act: Act) -> Steps:
        """Carry out an action that a player took when no choice was open."""
        kind = act["type"].partition(".")[2]
        if kind.startswith("bill_") or kind == "straight_flush":
            bills = all_bills(self.rules(seat), self.hands[seat])
            (bill,) = [bill for named, bill in bills if named == act]
            yield from self.lay_bill(seat, bill)
            return
        if kind in ("discard", "attend", "end_turn"):
            discards, duties = self.end_duties()
            self.discards, self.duties = discards, list(duties)
        yield from getattr(self, f"do_{kind}")(seat, act)

    def do_take(self, seat: int, act: Act) -> Steps:
        """Take a card (R4)."""
        self.takes -= 1
        if act["pile"] == 0:
            yield from self.draw(seat)
        else:
            self.take_discard(seat, act["pile"])
            yield from self.mend_piles()

    def do_discard(self, seat: int, act: Act) -> Steps:
        """Discard a card, as owed at the end of a turn."""
        assert self.discards
        self.discards -= 1
        self.discard(seat, act["card"], act["pile"])
        yield from self.mend_piles()

    def do_end_turn(self, seat: int, act: Act) -> Steps:
        """End a turn without duties."""
        yield from ()

    def do_attend(self, seat: int, act: Act) -> Steps:
        """Do another duty of the end of a turn."""
        duty = act["duty"]
        self.duties.remove(duty)
        (law,) = [law for law, name in DUTIES.items() if name == duty]
        number = self.amount(law, seat)
        excess = len(self.hands[seat]) - 6 * number
        yield from self.mend_piles()
        if duty == "discard_down":
            if self.version > 1:  # R39: counted when the draw pile has been filled
                excess = len(self.hands[seat]) - 6 * number
            yield from self.make_discard(seat, excess)
            return
        is_right = duty.endswith("right")
        other = self.left_of(seat, self.seats - 1 if is_right else 1)
        if law in PASSES:
            for _ in range(min(number, len(self.hands[seat]))):
                options = [action("choose", card=card) for card in self.hands[seat]]
                answer = yield from self.ask(seat, options)
                self.move_unseen([answer["card"]], seat, other)
            return
        both = min(number, len(self.hands[seat]), len(self.hands[other]))
        chosen = yield from self.ask_cards({seat: both, other: both}, self.hand_of)
        self.swap_cards(seat, other, chosen[seat], chosen[other])

    def do_trade(self, seat: int, act: Act) -> Steps:
        """A♦: discard two cards to draw one."""
        number = self.amount("AD", seat)
        yield from self.mend_piles()
        yield from self.make_discard(seat, 2 * number)
        for _ in range(number):
            yield from self.draw(seat)

    def do_top(self, seat: int, act: Act) -> Steps:
        """A♠: play the next rank on a pile, which is no discard (R27)."""
        self.put_on(act["pile"], seat, act["card"])
        for _ in range(3 * self.amount("AS", seat)):
            yield from self.draw(seat)

    def do_reveal(self, seat: int, act: Act) -> Steps:
        """A♣: look at a hand, and steal from it."""
        victim = act["seat"]
        self.has_stolen = True
        yield from self.mend_piles()
        self.show_hand(victim, {seat})
        for _ in range(min(self.amount("AC", seat), len(self.hands[victim]))):
            options = [action("choose", card=card) for card in self.hands[victim]]
            answer = yield from self.ask(seat, options)
            self.move_unseen([answer["card"]], victim, seat)

    def do_ask(self, seat: int, act: Act) -> Steps:
        """A♥: ask for a card."""
        self.questions += 1
        if act["card"] in self.hands[act["seat"]]:
            self.move_seen(act["card"], act["seat"], seat)
        yield from ()

    def outcome(self) -> Outcome | None:
        scores = tuple(len(laws) for laws in self.laws)
        return Outcome(tuple(self.winners), scores) if self.winners else None

    def view(self, viewer: Viewer) -> dict[str, Json]:
        table = self.table_view(viewer)
        turn = {
            "to_act": [] if self.winners else sorted(self.asked) or [self.turn],
            "turn": self.turn,
            "takes": self.takes,
            "discards": self.discards,
            "duties": self.duties,
            "stolen": self.has_stolen,
            "asked": self.questions,
            "bill": self.bill and self.bill.as_json,
            "quiet": self.quiet,
            "decisions": self.decisions,
            "winners": self.winners,
            "ending": self.ending,
            "chosen": [] if viewer is None else self.chosen.get(viewer, []),
            "chosen_sizes": [len(self.chosen.get(seat, [])) for seat in range(self.seats)],
            "triggers": [
                {"seat": seat, "card": card, "laws": laws} for seat, card, laws in self.queue
            ],
            "chain": {
                "actor": self.actor,
                "fired": [{"law": law, "card": card} for law, card in self.fired],
                "happened": sorted(self.happened),
                "contributed": self.has_contributed,
            },
        }
        return table | turn
