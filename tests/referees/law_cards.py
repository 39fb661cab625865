"""The cards of a game of Law, for its referee: piles, hands, collections, and who knows a card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Final

from tests.referees.law_bills import DECK, Rules, all_bills, rank_of
from tests.referees.runner import Json, Referee, Seen, Viewer

KIND, STRAIGHT, FLUSH = 3, 4, 5
LAWS_TO_WIN: Final = 4
UNITED: Final = (("5S", "S", "C"), ("5C", "C", "D"), ("5D", "D", "H"), ("5H", "H", "S"))


class LawCards(Referee):
    """The part of the referee that moves cards and reads Laws."""

    unchecked: ClassVar = frozenset({"agenda"})

    def set_up(self, seen: Seen) -> None:
        """The deal."""
        is_short = self.options["deck"] == "introductory"
        self.deck = [card for card in DECK if not is_short or rank_of(card) in "2345678910"]
        self.viewers: list[Viewer] = [*range(self.seats), None]
        self.hands = [list(seen.views[seat]["hand"]) for seat in range(self.seats)]
        self.knowers: dict[str, set[Viewer]] = {card: set() for card in self.deck}  # of its place
        self.somewhere: dict[str, set[Viewer]] = {card: set() for card in self.deck}  # in the pile
        for seat, hand in enumerate(self.hands):
            self.knowers |= {card: {seat} for card in hand}
        self.piles = [list(seen.views[None]["discard_piles"][0])]
        dealt = {card for hand in self.hands for card in hand} | set(self.piles[0])
        self.pile = set(self.deck) - dealt  # cards of the draw pile, in unknown order
        self.stack: list[str] = []  # cards on top of these, in order, the top last
        self.trash: set[str] = set()
        self.removed: set[str] = set()
        self.laws: list[dict[str, int | None]] = [
            {} for _ in range(self.seats)
        ]  # with their only player
        self.raised = [0] * self.seats
        self.winners: list[int] = []
        self.glimpses: list[set[Viewer]] = []  # who saw a top card that was then shuffled in
        self.facts: Iterator[dict[str, Any]] = iter(())
        self.observe(is_end=True)

    def read_facts(self, seen: Seen) -> None:
        """The cards that come from the draw pile in this step."""
        kinds = ("drew", "replenished", "collected", "granted")
        self.facts = iter([fact for fact in seen.facts() if fact["kind"] in kinds])

    def fact(self, kind: str) -> str:
        """The next card that comes from the draw pile."""
        fact = next(self.facts)
        assert fact["kind"] == kind, f"{fact} instead of {kind}"
        return str(fact["card"])

    def look_at_top(self, seen: Seen) -> None:
        """R34: the cards that views reveal: those that lay on top within the step, and the top."""
        for card in sorted(self.pile):
            for glimpse in self.glimpses:
                missing = {v for v in glimpse if v not in self.somewhere[card]}
                if missing and all(card in seen.views[v]["draw_known"] for v in missing):
                    self.somewhere[card] |= glimpse
                    self.glimpses.remove(glimpse)
                    break
        self.glimpses = []
        shown = {card for v in self.viewers for card in seen.views[v]["draw_top"][-1:] if card}
        if shown and not self.stack and any(self.applies("9S", s) for s in range(self.seats)):
            (card,) = shown
            self.pile.remove(card)
            self.stack.append(card)
            if not self.pile:  # R60: the only card is the top
                self.knowers[card] |= self.somewhere[card]
            elif self.version == 1:  # R60: others lose track of the whole draw pile
                self.forget_pile({v for v in self.viewers if not self.applies("9S", v)})
        self.observe(is_end=True)

    def observe(self, is_end: bool = False) -> None:
        """R60: all viewers see the cards that lie open for them, at the end of a step also hands
        and discard piles."""
        for viewer in self.viewers:
            seen = self.stack[-1:] if self.applies("9S", viewer) else []
            for pile in self.piles if is_end else []:
                if not self.applies("9C", viewer):
                    seen = seen + pile
                elif self.applies("AS", viewer):  # R35
                    seen = seen + pile[-1:]
            for seat, hand in enumerate(self.hands):
                if seat == viewer or (is_end and self.is_open(seat)):
                    seen = seen + hand
            for card in seen:
                self.knowers[card].add(viewer)

    def is_open(self, seat: int) -> bool:
        """Whether a hand is open (J♦)."""
        return self.applies("JD", seat) and self.is_richest(seat)

    def left_of(self, seat: int, steps: int = 1) -> int:
        """The player on the left."""
        return (seat + steps) % self.seats

    def clockwise(self, first: int) -> list[int]:
        """All players, clockwise."""
        return [(first + step) % self.seats for step in range(self.seats)]

    # -- Laws ---------------------------------------------------------------------------------

    def applies(self, law: str, viewer: Viewer) -> bool:
        """Whether a Law is in force for a player."""
        return any(law in laws and laws[law] in (None, viewer) for laws in self.laws)

    def amount(self, law: str, seat: int) -> int:
        """0 if a Law is not in force for a player, otherwise 1, or 2 if its numbers are doubled."""
        return self.applies(law, seat) * (2 if self.applies("JS", seat) else 1)

    def is_poorest(self, seat: int) -> bool:
        """R40: whether no player has fewer Laws."""
        return len(self.laws[seat]) == min(map(len, self.laws))

    def is_richest(self, seat: int) -> bool:
        """R40: whether no player has more Laws."""
        return len(self.laws[seat]) == max(map(len, self.laws))

    def needed(self, seat: int) -> int:
        """R15: the Laws with which a player wins."""
        return LAWS_TO_WIN + self.raised[seat] + 2 * self.amount("JC", seat)

    def rules(self, seat: int) -> Rules:
        """The rules of Bills for a player (R6)."""
        sizes = {}
        for size, suit, base in ((KIND, "S", 0), (STRAIGHT, "C", 1), (FLUSH, "D", 2)):
            number = (KIND, STRAIGHT, FLUSH)[base]
            fewer = self.amount(f"2{suit}", seat) + self.amount("2H", seat)
            sizes[size] = max(1, number + self.amount(f"3{suit}", seat) - fewer)
        return Rules(
            kind=0 if self.applies("4S", seat) else sizes[KIND],
            straight=0 if self.applies("4C", seat) else sizes[STRAIGHT],
            flush=0 if self.applies("4D", seat) else sizes[FLUSH],
            run=sizes[STRAIGHT],
            hearts=self.amount("3H", seat),
            wins=self.applies("4H", seat),
            any_rank=self.applies("6S", seat),
            any_suit=self.applies("6C", seat),
            classes=self.suit_classes(seat),
        )

    def sizes(self, seat: int) -> list[int]:
        """The sizes of Bills that a view shows. Fitted: 0 where all cards that are neither removed
        nor collected would not do."""
        rules = self.rules(seat)
        sizes = {"kind": rules.kind, "straight": rules.straight, "flush": rules.flush}
        if self.version == 1:
            return list(sizes.values())
        shapes = {bill.shape for _, bill in all_bills(rules, self.cards_in_play())}
        return [size if shape in shapes else 0 for shape, size in sizes.items()]

    def cards_in_play(self) -> list[str]:
        """All cards that are neither removed nor collected."""
        gone = self.removed | {card for laws in self.laws for card in laws}
        return [card for card in self.deck if card not in gone]

    def suit_classes(self, seat: int) -> tuple[str, str, str, str]:
        """R23: for each suit the first one that is the same."""
        classes = {suit: suit for suit in "SHDC"}
        for law, one, two in UNITED:
            if self.applies(law, seat):
                low, high = sorted((classes[one], classes[two]), key="SHDC".index)
                classes = {s: low if c == high else c for s, c in classes.items()}
        return classes["S"], classes["H"], classes["D"], classes["C"]

    def piles_of(self, seat: int) -> list[int]:
        """The discard piles that a player may use (9♦)."""
        return list(range(1, 1 + max(1, 2 * self.amount("9D", seat))))

    # -- piles --------------------------------------------------------------------------------

    def pile_size(self) -> int:
        """The number of cards in the draw pile."""
        return len(self.pile) + len(self.stack)

    def top_exists(self, pile: int) -> bool:
        """Whether a pile has cards."""
        return bool(self.pile_size() if pile == 0 else self.piles[pile - 1])

    def leave_pile(self, card: str, witnesses: set[Viewer]) -> None:
        """The top card of the draw pile leaves it, and the witnesses see which it is. All others
        who did not know the top lose track of the cards that they knew somewhere in the pile."""
        size = self.pile_size()
        self.observe()
        witnesses = witnesses | {v for v in self.viewers if self.applies("9S", v)}  # R34
        if self.stack:
            assert self.stack.pop() == card, f"{card} is not on top"
            knowers = self.knowers[card]
        else:
            self.pile.remove(card)
            knowers = set(self.somewhere[card]) if size == 1 else set()
        self.forget_pile(set(self.viewers) - witnesses - knowers)
        self.somewhere[card] = set()
        self.knowers[card] = knowers | witnesses

    def forget_pile(self, viewers: set[Viewer]) -> None:
        """Some viewers lose track of the cards that they knew somewhere in the draw pile."""
        self.glimpses = [glimpse - viewers for glimpse in self.glimpses]
        for card in self.deck:
            self.somewhere[card] -= viewers

    def take_discard(self, seat: int, pile: int) -> None:
        """Move the top card of a discard pile to a hand."""
        card = self.piles[pile - 1].pop()
        self.hands[seat].append(card)
        self.knowers[card] |= {seat}

    def collect_card(self, seat: int, pile: int) -> str:
        """Take the top card of a pile, to collect it."""
        card = self.fact("collected")
        if pile == 0:
            self.leave_pile(card, set(self.viewers))
        else:
            assert self.piles[pile - 1].pop() == card
        return card

    def grant_card(self) -> str:
        """Take the top card of the draw pile as a Law."""
        card = self.fact("granted")
        self.leave_pile(card, set(self.viewers))
        return card

    def put_on(self, pile: int, seat: int, card: str) -> None:
        """Put a card from a hand on a pile."""
        self.hands[seat].remove(card)
        self.knowers[card] = set(self.viewers)
        (self.stack if pile == 0 else self.piles[pile - 1]).append(card)

    def lay(self, seat: int, card: str) -> None:
        """Put a card of a Bill into the trash."""
        self.hands[seat].remove(card)
        self.trash.add(card)

    def leave_hand(self, seat: int, card: str) -> None:
        """A card from a hand becomes a Law."""
        self.hands[seat].remove(card)
        assert self.fact("collected") == card

    def match_piles(self) -> None:
        """R36, R37: have as many discard piles as 9♦ asks for."""
        number = max(max(self.piles_of(seat)) for seat in range(self.seats))
        while len(self.piles) > number:  # R37
            self.piles[number - 1] = self.piles.pop(number) + self.piles[number - 1]
        while len(self.piles) < number:
            self.piles.append([])

    def can_reshuffle(self) -> bool:
        """Whether there are cards for a new draw pile."""
        return bool(self.trash) or any(len(pile) > 1 for pile in self.piles)

    def reshuffle(self) -> None:
        """R12: trash and discards become the draw pile, except the top cards."""
        for card in self.trash:
            self.knowers[card] = set(self.viewers)
        self.shuffle_in([*self.trash, *(card for pile in self.piles for card in pile[:-1])])
        self.trash = set()
        self.piles = [pile[-1:] for pile in self.piles]

    def shuffle_in(self, cards: list[str]) -> None:
        """Shuffle cards into the draw pile."""
        self.observe()
        if self.pile and not self.stack:
            self.glimpses.append({v for v in self.viewers if self.applies("9S", v)})
        for card in (*cards, *self.stack):
            self.somewhere[card] |= self.knowers[card]
            self.knowers[card] = set()
        self.pile |= {*cards, *self.stack}
        self.stack = []

    def contribute(self, chosen: dict[int, list[str]]) -> None:
        """R13: cards from all hands become the draw pile."""
        self.observe()
        for seat, cards in chosen.items():
            self.lose_track(seat, cards, {seat})
            for card in cards:
                self.hands[seat].remove(card)
        self.shuffle_in([card for cards in chosen.values() for card in cards])

    def replenish(self, number: int) -> None:
        """R11: an empty discard pile gets the top card of the draw pile."""
        card = self.fact("replenished")
        self.leave_pile(card, {v for v in self.viewers if not self.applies("9C", v)})
        self.piles[number - 1].append(card)

    def remove_ranks(self, ranks: str) -> None:
        """Some ranks leave the game, wherever they are."""
        gone = {card for card in self.deck if rank_of(card) in ranks}
        self.removed |= gone
        self.hands = [[card for card in hand if card not in gone] for hand in self.hands]
        self.piles = [[card for card in pile if card not in gone] for pile in self.piles]
        self.stack = [card for card in self.stack if card not in gone]
        self.pile -= gone
        self.trash -= gone
        self.laws = [{c: bound for c, bound in laws.items() if c not in gone} for laws in self.laws]

    # -- hands --------------------------------------------------------------------------------

    def show_hand(self, seat: int, witnesses: set[Viewer]) -> None:
        """Some viewers see a hand."""
        for card in self.hands[seat]:
            self.knowers[card] |= witnesses

    def lose_track(self, holder: int, cards: list[str], witnesses: set[Viewer]) -> None:
        """R60: some cards leave a hand, and only the witnesses see which. For all others these
        could be any cards of the hand, so they lose track of all of it, unless all cards leave."""
        if self.is_open(holder):
            witnesses = set(self.viewers)
        if len(self.hands[holder]) > len(cards):
            for other in self.hands[holder]:
                self.knowers[other] = self.knowers[other] & witnesses
        for card in cards:
            self.knowers[card] = self.knowers[card] | witnesses

    def move_unseen(self, cards: list[str], holder: int, seat: int) -> None:
        """Cards go from hand to hand, and only these two players see them, unless one hand is
        open."""
        self.observe()
        is_seen = self.is_open(seat)
        self.lose_track(holder, cards, set(self.viewers) if is_seen else {holder, seat})
        for card in cards:
            self.hands[holder].remove(card)
            self.hands[seat].append(card)

    def move_seen(self, card: str, holder: int, seat: int) -> None:
        """A card goes from hand to hand, and all see it."""
        self.hands[holder].remove(card)
        self.hands[seat].append(card)
        self.knowers[card] = set(self.viewers)

    def swap_cards(self, one: int, two: int, given: list[str], got: list[str]) -> None:
        """Two players swap cards."""
        self.observe()
        is_seen = self.is_open(one) or self.is_open(two)
        witnesses: set[Viewer] = set(self.viewers) if is_seen else {one, two}
        self.lose_track(one, given, witnesses)
        self.lose_track(two, got, witnesses)
        self.hands[one] = [card for card in self.hands[one] if card not in given] + got
        self.hands[two] = [card for card in self.hands[two] if card not in got] + given

    def pass_hands(self) -> None:
        """R31: all hands go one seat to the left."""
        self.hands = [*self.hands[-1:], *self.hands[:-1]]

    # -- views --------------------------------------------------------------------------------

    def table_view(self, viewer: Viewer) -> dict[str, Json]:
        """The part of a view that shows cards and Laws."""
        is_down = self.applies("9C", viewer)
        return {
            "seat": viewer,
            "options": self.options,
            "hand": [] if viewer is None else self.hands[viewer],
            "hand_sizes": [len(hand) for hand in self.hands],
            "laws": [
                [{"card": card, "bound": bound} for card, bound in laws.items()]
                for laws in self.laws
            ],
            "raised": self.raised,
            "needed": [self.needed(seat) for seat in range(self.seats)],
            "sizes": [self.sizes(seat) for seat in range(self.seats)],
            "draw_pile": self.pile_size(),
            "draw_top": self.known_stack(viewer),
            "draw_known": sorted(
                card
                for card in (*self.pile, *self.stack)
                if viewer in self.somewhere[card] - self.knowers[card]
            ),
            "known": self.known_to(viewer),
            "discard_piles": [
                [card if viewer in self.knowers[card] else None for card in pile]
                for pile in self.piles
            ],
            "face_down": is_down,
            "face_up": self.applies("9S", viewer),
            "trash": sorted(self.trash),
            "removed": sorted(self.removed),
        }

    def known_stack(self, viewer: Viewer) -> list[str | None]:
        """The cards on top of the draw pile that a viewer knows; the last one is the top."""
        return [card if viewer in self.knowers[card] else None for card in self.stack]

    def known_to(self, viewer: Viewer) -> list[Json]:
        """R60: the cards in other hands that a viewer knows."""
        known = {
            seat: [card for card in hand if self.winners or viewer in self.knowers[card]]
            for seat, hand in enumerate(self.hands)
            if seat != viewer
        }
        return [{"seat": seat, "cards": cards} for seat, cards in known.items() if cards]

    def unordered(self, view: dict[str, Json]) -> dict[str, Json]:
        view = dict(view)
        for name in ("hand", "trash", "removed", "duties", "chosen", "draw_known"):
            view[name] = sorted(view[name])
        view["laws"] = [sorted(laws, key=lambda law: str(law["card"])) for laws in view["laws"]]
        view["triggers"] = [
            trigger | {"laws": sorted(trigger["laws"])} for trigger in view["triggers"]
        ]
        known = [entry | {"cards": sorted(entry["cards"])} for entry in view["known"]]
        chain = dict(view["chain"])
        chain["fired"] = sorted(chain["fired"], key=str)
        chain["happened"] = sorted(chain["happened"])
        return view | {"chain": chain, "known": known}
