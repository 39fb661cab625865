"""The referee of Duel of Law, written from the printed rules and RULES.md alone.

Chance decides the deal, the first seat, and the cards that are drawn; the referee reads these in
the views. Comments beginning with "Fitted" name the points that no rule decides; those beginning
with "Differs" name the points where the engine differs from RULES.md: there the referee follows
the engine, so that games can be compared to their end, and `test_duel_of_law.py` has a game in
which a referee who reads the ruling as it stands disagrees.

News are compared without their sentences. Not compared: claims in words (R4), and which of the
legal actions a list of them shows (R48).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Final

from tests.referees.duel_of_law_clauses import ALL_VALUES, JOKERS, Clause, value_name
from tests.referees.duel_of_law_lines import REGULAR, Cell, Judge, judge_of, open_joker
from tests.referees.duel_of_law_tableau import (
    ACROSS,
    AXES,
    DOWN,
    Demand,
    Line,
    Place,
    Tableau,
    beyond,
    other_axis,
)
from tests.referees.runner import Json, Outcome, Referee, Seen, Viewer

HAND_SIZE, DRAWN, CARDS_IN_ALL = 12, 6, 162
LEAD: Final = 2
NAME: Final = "duel_of_law."
DONE: Final = {
    "more": "went_on",
    "finish": "stopped",
    "leave": "left",
    "take_back": "took_back",
    "undo": "undid",
}
CARD_ORDER: Final = {card: number for number, card in enumerate((*REGULAR, *JOKERS))}


def action(kind: str, **members: Json) -> Json:
    """An action as JSON."""
    return {"type": NAME + kind, **members}


def fixed_clauses(cell: Cell, before: Cell) -> list[Clause]:
    """The respects in which a joker is determined."""
    return [
        Clause(base, "is", value_name(base, domain[0]))
        for base, domain in cell.items()
        if len(domain) == 1 and domain[0] is not None and len(before[base]) > 1
    ]


@dataclass
class Trial:
    """The turn in progress."""

    laid: list[Place] = field(default_factory=list)
    steps: list[Tableau] = field(default_factory=list)  # the tableau before each card
    is_laying: bool = True
    questions: list[Line] = field(default_factory=list)
    claimed: list[Line] = field(default_factory=list)
    stolen: list[Line] = field(default_factory=list)
    news: list[Json] = field(default_factory=list)
    taken_back: int = 0


class DuelOfLawReferee(Referee):
    """A game of Duel of Law."""

    slug: ClassVar = "duel_of_law"
    judge_kind: ClassVar[type[Judge]] = Judge
    tableau_kind: ClassVar[type[Tableau]] = Tableau

    def start(self, seen: Seen) -> None:
        self.tableau = self.tableau_kind(judge_of(self.judge_kind, self.version))
        (first,) = seen.views[None]["tableau"]["cards"]
        assert (first["row"], first["column"]) == (0, 0)
        self.tableau.put(first["card"], (0, 0))  # R28
        self.hands = [set(seen.views[seat]["hand"]) for seat in range(self.seats)]
        assert all(len(hand) == HAND_SIZE for hand in self.hands)
        self.turn = seen.views[None]["turn"]  # R35: chance
        self.is_open = False
        self.passes = 0
        self.ending: str | None = None
        self.winners: list[int] = []
        self.trial = Trial()
        self.last_turn: Json = None

    # -- the layout ---------------------------------------------------------------------------

    @property
    def deck(self) -> int:
        """The number of cards to draw."""
        return CARDS_IN_ALL - len(self.tableau.cards) - sum(map(len, self.hands))

    def axes(self) -> tuple[str, ...]:
        """The axes along which the cards laid may lie."""
        rows = {row for row, _ in self.trial.laid}
        if len(self.trial.laid) < 2:
            return AXES
        return (ACROSS,) if len(rows) == 1 else (DOWN,)

    def open_places(self) -> Iterator[tuple[Place, str | None]]:
        """R36: where the next card may lie, and along which axis; None if it is the first."""
        cards = self.tableau.cards
        if not self.trial.laid:
            around = {beyond(at, axis, by) for at in cards for axis in AXES for by in (-1, 1)}
            yield from ((place, None) for place in around - set(cards))
            return
        for axis in self.axes():
            line = self.tableau.line(self.trial.laid[0], axis)
            yield beyond(line.places[0], axis, -1), axis
            yield beyond(line.places[-1], axis, 1), axis

    def demands(self, place: Place, axis: str) -> list[Demand]:
        """R36: the clauses that a card's lines at a place must keep if cards lie along an axis.
        Fitted: lines across earlier cards are judged again only if there was another axis."""
        laid = self.trial.laid if len(self.trial.laid) == 1 else []
        lines = [self.tableau.line(at, other_axis(axis)) for at in (*laid, place)]
        along = self.tableau.demand(self.tableau.line(place, axis), is_along=True)
        return [along, *(self.tableau.demand(line, is_along=False) for line in lines)]

    def places(self) -> Iterator[Json]:
        """The ways to lay a card."""
        for place, axis in set(self.open_places()):
            ways = [self.demands(place, along) for along in ((axis,) if axis else AXES)]
            for card in self.hands[self.turn]:
                if any(all(self.tableau.meets(d, {place: card}) for d in way) for way in ways):
                    yield action("place", card=card, row=place[0], column=place[1])

    def lines(self, axis: str) -> list[Line]:
        """R36: the line along an axis, then those across, in the order of the cards laid."""
        along = self.tableau.line(self.trial.laid[0], axis)
        return [along, *(self.tableau.line(at, other_axis(axis)) for at in self.trial.laid)]

    def may_stop(self) -> bool:
        """R36: whether all lines are lawful, with the jokers that each leaves to the next (R44).
        Fitted: lines that have a law come first."""
        tableau, lines = self.tableau.copied(), self.full_lines()
        return all(map(tableau.grow, lines)) and all(map(tableau.is_lawful, lines))

    def full_lines(self) -> list[Line]:
        """The lines that need a law."""
        return [line for line in self.lines(self.axes()[0]) if len(line.places) > 2]

    # -- jokers -------------------------------------------------------------------------------

    def jokers_in_play(self) -> set[str]:
        """R44: the jokers that may be named. Fitted: those laid in this turn, and all others in
        lines of three cards or more."""
        lines = [line for axis in self.axes() for line in self.lines(axis)]
        places = {at for line in lines if len(line.places) > 2 for at in line.places}
        cards = {self.tableau.cards[at] for at in (*places, *self.trial.laid)}
        return cards & set(JOKERS)

    def names(self) -> Iterator[Json]:
        """R44: the ways to fix a joker in one respect. Fitted: also as no law permits."""
        for card in self.jokers_in_play():
            for base, domain in self.tableau.jokers[card].items():
                for value in domain if len(domain) > 1 else ():
                    assert value is not None
                    yield action("name", card=card, feature=base, value=value_name(base, value))

    # -- actions ------------------------------------------------------------------------------

    def legal_actions(self, seat: int) -> list[Json]:
        if self.ending or seat != self.turn:
            return []
        if self.trial.questions:
            return list(self.answers())
        if not self.trial.laid:
            return [*self.first_places(), action("draw_six" if self.deck else "pass")]
        if self.trial.is_laying:
            return [*self.places(), *self.ways_back()]
        return [*self.ends(), *self.names(), *self.ways_back()]

    @property
    def most_taken_back(self) -> int:
        """R37: how often cards may be taken back in a turn."""
        return 2 if self.version == 1 else 20

    def first_places(self) -> Iterator[Json]:
        """The ways to lay the first card, unless too much was taken back."""
        if self.trial.taken_back <= self.most_taken_back:
            yield from self.places()

    def ways_back(self) -> Iterator[Json]:
        """R37: take back the last card or all."""
        yield action("take_back")
        if self.version > 1 and self.trial.taken_back < self.most_taken_back:
            yield action("undo")

    def ends(self) -> Iterator[Json]:
        """Whether another card follows, or no more."""
        if next(self.places(), None):  # Fitted: only if another card may be laid
            yield action("more")
        if self.may_stop():
            yield action("finish")

    def answers(self) -> Iterator[Json]:
        """The claims for the line in question."""
        line = self.trial.questions[0]
        branch = self.tableau.merged(line)
        if branch:
            yield action("leave")
        yield action("take_back")
        for clause in self.claims(line):  # R48: legal, even if a player has to say them
            yield action("claim", **clause._asdict())

    def claims(self, line: Line) -> list[Clause]:
        """The clauses that may be added to the law of a line."""
        return self.tableau.judge.claims(self.tableau.law_of(line), self.tableau.cells(line))

    # -- a turn -------------------------------------------------------------------------------

    def take(self, seat: int, action: Json, seen: Seen) -> None:
        kind = action["type"].removeprefix(NAME)
        steps: dict[str, Callable[[Json, Seen], None]] = {
            "place": self.place,
            "name": self.name,
            "more": self.go_on,
            "finish": self.stop,
            "claim": self.claim,
            "leave": self.leave,
            "take_back": self.take_back,
            "undo": self.undo,
            "draw_six": self.draw_six,
            "pass": self.pass_turn,
        }
        self.news: list[Json] = []
        steps[kind](action, seen)
        if not self.news:
            self.news = [{"kind": "tried", "seat": seat, **self.tried(kind, action)}]
        self.compare_news(seat, seen)

    def place(self, action: Json, seen: Seen) -> None:
        """Lay a card."""
        place = action["row"], action["column"]
        self.trial.steps.append(self.tableau.copied())
        self.tableau.put(action["card"], place)
        self.hands[self.turn].remove(action["card"])
        self.trial.laid.append(place)
        self.trial.is_laying = False

    def name(self, action: Json, seen: Seen) -> None:
        """Fix a joker in one respect."""
        base = action["feature"]
        value = next(
            v for v in ALL_VALUES[base] if v is not None and value_name(base, v) == action["value"]
        )
        cell = self.tableau.jokers[action["card"]]
        self.tableau.jokers[action["card"]] = cell | {base: (value,)}

    def go_on(self, action: Json, seen: Seen) -> None:
        """Another card follows."""
        self.trial.is_laying = True

    def stop(self, action: Json, seen: Seen) -> None:
        """R36: no more cards follow: settle the lines, and ask for laws."""
        lines = self.full_lines()
        for line in lines:
            number = len(self.tableau.branches_in(line))
            if number > 1:
                size = len(line.places)
                news = {"kind": "bridged", **line.as_json(), "size": size, "branches": number}
                self.trial.news.append(news)
            assert self.tableau.grow(line)
        self.trial.questions = lines  # Fitted: a view has those that need no answer, too
        self.ask(seen)

    def is_asked(self, line: Line) -> bool:
        """R7, R9, R10: whether a line needs a law, or may be duelled for."""
        branch = self.tableau.merged(line)
        if branch is None:
            return True
        return branch.owner != self.turn and bool(self.claims(line))

    def claim(self, action: Json, seen: Seen) -> None:
        """Add a clause to the line in question."""
        line = self.trial.questions.pop(0)
        branch = self.tableau.merged(line)
        clause = Clause(*(action[name] for name in Clause._fields))
        self.tableau.claim(line, self.turn, clause)
        self.trial.claimed.append(line)
        news = {**line.as_json(), "size": len(line.places), "clause": clause._asdict()}
        if branch:
            self.trial.stolen.append(line)
            level = len(branch.stack) + 1
            self.trial.news.append(
                {"kind": "duelled", **news, "level": level, "owner": branch.owner}
            )
        else:
            self.trial.news.append({"kind": "claimed", **news, "level": 1})
        self.ask(seen)

    def leave(self, action: Json, seen: Seen) -> None:
        """Leave a branch to its owner."""
        self.trial.questions.pop(0)
        self.ask(seen)

    def ask(self, seen: Seen) -> None:
        """R36: come to the next line that needs an answer; the last answer ends the turn."""
        while self.trial.questions and not self.is_asked(self.trial.questions[0]):
            self.trial.questions.pop(0)
        if not self.trial.questions:
            self.end_turn(seen)

    def return_cards(self, number: int) -> None:
        """R37: take back the last cards."""
        for place in self.trial.laid[-number:]:
            self.hands[self.turn].add(self.tableau.cards[place])
        jokers = self.trial.steps[0].jokers
        self.tableau = self.trial.steps[-number].copied()
        for card in self.tableau.jokers:  # Fitted: all that was named in this turn is forgotten
            self.tableau.jokers[card] = jokers.get(card) or open_joker(card)
        laid, steps = self.trial.laid[:-number], self.trial.steps[:-number]
        taken_back = self.trial.taken_back + 1
        self.trial = Trial(laid, steps, is_laying=not laid, taken_back=taken_back)

    def take_back(self, action: Json, seen: Seen) -> None:
        """R37: take back all cards."""
        self.return_cards(len(self.trial.laid))

    def undo(self, action: Json, seen: Seen) -> None:
        """R37: take back the last card."""
        self.return_cards(1)

    def draw_six(self, action: Json, seen: Seen) -> None:
        """R31, R33: draw instead of laying."""
        self.passes = 0
        self.draw(DRAWN, seen)
        self.check_win_without_cards()
        self.next_turn()

    def pass_turn(self, action: Json, seen: Seen) -> None:
        """R32: do nothing."""
        self.passes += 1
        self.tell("passed")
        self.check_win_without_cards()
        if self.passes == self.seats and not self.ending:
            self.ending = "passes"
            standing = [(self.owned()[seat], self.tokens(seat)) for seat in range(self.seats)]
            self.winners = [s for s in range(self.seats) if standing[s] == max(standing)]
            self.tell("ended", how="passes", winners=self.winners)
        self.next_turn()

    def end_turn(self, seen: Seen) -> None:
        """Check for a winner, then draw a card."""
        self.passes = 0
        self.last_turn = {
            "seat": self.turn,
            "laid": [self.tableau.cards[place] for place in self.trial.laid],
            "stolen": [line.as_json() for line in self.trial.stolen],
        }
        self.tell_turn()
        self.check_win()
        self.draw(1, seen)
        self.next_turn()

    def draw(self, number: int, seen: Seen) -> None:
        """R31: draw cards, which chance decides."""
        if self.ending:
            return
        number = min(number, self.deck)
        new = set(seen.views[self.turn]["hand"]) - self.hands[self.turn]
        assert len(new) == number
        assert not new & {*self.tableau.cards.values(), *(c for h in self.hands for c in h)}
        self.hands[self.turn] |= new
        if new:
            cards = sorted(new, key=CARD_ORDER.__getitem__)
            self.tell("drew", count=number, cards=cards)

    def next_turn(self) -> None:
        """The next seat's turn."""
        self.trial = Trial()
        if not self.ending:
            self.turn = (self.turn + 1) % self.seats

    # -- news ---------------------------------------------------------------------------------

    def tell(self, kind: str, **facts: Json) -> None:
        """Add to the news of this action."""
        self.news.append({"kind": kind, "seat": self.turn, **facts})

    @staticmethod
    def tried(kind: str, action: Json) -> Json:
        """R38: the part of a turn in progress that only its seat reads."""
        members = {name: value for name, value in action.items() if name != "type"}
        if kind == "place":
            return {"did": "placed", **members}
        if kind == "name":
            clause = Clause(members["feature"], "is", members["value"])
            return {"did": "named", "card": members["card"], "clause": clause._asdict()}
        if kind == "claim":
            return {"did": "claimed", "clause": members}
        return {"did": DONE[kind]}

    def compare_news(self, seat: int, seen: Seen) -> None:
        """Compare the news of this action, without their sentences, for each viewer."""
        for viewer in seen.viewers:
            theirs = [dict(item) for item in seen.news(viewer)]
            for item in theirs:
                del item["text"]
            ours = [self.as_read(item, viewer == seat) for item in self.news]
            assert ours == theirs, f"news of viewer {viewer}: {ours}, not {theirs}"

    @staticmethod
    def as_read(item: Json, is_own: bool) -> Json:
        """News as a viewer may read them: the others learn little of a turn in progress, and
        not which cards were drawn."""
        if is_own:
            return item
        if item["kind"] == "tried":
            return {"kind": "tried", "seat": item["seat"]}
        return {name: fact for name, fact in item.items() if name != "cards"}

    def tell_turn(self) -> None:
        """R38: a turn that is finished is open to all."""
        for place in self.trial.laid:
            card = self.tableau.cards[place]
            self.tell("laid", card=card, row=place[0], column=place[1])
        for news in self.trial.news:
            self.tell(**news)
        before = self.trial.steps[0].jokers
        for card, cell in sorted(self.tableau.jokers.items()):
            fixed = fixed_clauses(cell, before.get(card) or open_joker(card))
            if fixed:
                self.tell("became", card=card, clauses=[clause._asdict() for clause in fixed])

    # -- the end ------------------------------------------------------------------------------

    def owned(self) -> list[int]:
        """The number of branches of each seat."""
        return self.tableau.owned(self.seats)

    def tokens(self, seat: int) -> int:
        """R32: the number of a seat's own tokens on its branches."""
        stacks = [branch.stack for branch in self.tableau.branches if branch.owner == seat]
        return [owner for stack in stacks for owner, _ in stack].count(seat)

    def check_win(self) -> None:
        """R29, R30: whether a player is far enough ahead."""
        was_open = self.is_open
        self.is_open = was_open or any(not hand for hand in self.hands)
        if self.is_open and not was_open:
            self.tell("opened")
        at_once = self.version == 1 or self.options["end"] == "at_once"
        if not (self.is_open if at_once else was_open):
            return
        best, second = sorted(self.owned(), reverse=True)[:2]
        if best >= second + LEAD:
            self.ending = "lead"
            self.winners = [self.owned().index(best)]
            self.tell("ended", how="lead", winners=self.winners)

    def check_win_without_cards(self) -> None:
        """R30: whether a player wins at the end of a turn in which no card was laid. Fitted: after
        the draw; a lead comes before R32. Version 1 does not know it, though RULES.md lists no
        such difference."""
        if self.version > 1:
            self.check_win()

    def outcome(self) -> Outcome | None:
        if not self.ending:
            return None
        return Outcome(tuple(self.winners), tuple(self.owned()))

    # -- views --------------------------------------------------------------------------------

    def view(self, viewer: Viewer) -> dict[str, Json]:
        is_mine = viewer == self.turn and not self.ending
        before = self.trial.steps[0] if self.trial.steps else None
        tableau = self.tableau if is_mine or before is None else before
        view = {
            "seat": viewer,
            "options": self.options,
            "to_act": [] if self.ending else [self.turn],
            "turn": self.turn,
            "tableau": tableau.as_json(),
            "trial": self.trial_json() if is_mine else None,
            "hand": [] if viewer is None else sorted(self.hands[viewer]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "deck": self.deck,
            "owned": tableau.owned(self.seats),
            "is_open": self.is_open,
            "passes": self.passes,
            "ending": self.ending,
            "winners": self.winners,
        }
        if not is_mine:  # R38
            view["hand_sizes"][self.turn] += len(self.trial.laid)
        if self.version > 1:
            view["last_turn"] = self.last_turn
        return view

    def trial_json(self) -> Json:
        """The turn in progress as a view has it."""
        trial = self.trial
        return {
            "before": trial.steps[0].as_json() if trial.steps else None,
            "laid": [self.tableau.cards[place] for place in trial.laid],
            "is_laying": trial.is_laying,
            "questions": [line.as_json() for line in trial.questions],
            "claimed": [line.as_json() for line in trial.claimed],
            "taken_back": trial.taken_back,
        }

    def unordered(self, view: dict[str, Json]) -> dict[str, Json]:
        def order(tableau: Json) -> Json:
            if tableau is None:
                return None
            return {
                "cards": sorted(tableau["cards"], key=str),
                "branches": sorted(tableau["branches"], key=str),
                "jokers": sorted(tableau["jokers"], key=str),
            }

        view = view | {"tableau": order(view["tableau"]), "hand": sorted(view["hand"])}
        if view["trial"]:
            view["trial"] = view["trial"] | {"before": order(view["trial"]["before"])}
        return view
