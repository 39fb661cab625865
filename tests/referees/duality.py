"""The referee of Duality, written from the printed rules and RULES.md alone.

Chance decides the cards that are dealt, how those of the file lie, who begins if both paths are
equally long, and each card that is drawn. All else follows, and is checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar, Final, NamedTuple, TypeAlias

from tests.referees.runner import Json, Outcome, Referee, Seen, Viewer

BLACK, WHITE = SEATS = (0, 1)
COLOURS: Final = "bw"
N1, N2, EAST, S2, S1, WEST = range(6)  # the ports, clockwise
HOME_PORTS: Final = ((S1, S2), (N1, N2))  # those that face each player in the player's home row
STEPS: Final = {  # from a port: rows up, columns to the right, and the port that it meets
    N1: (1, 0, S1),
    N2: (1, 0, S2),
    EAST: (0, 1, WEST),
    S2: (-1, 0, N2),
    S1: (-1, 0, N1),
    WEST: (0, -1, EAST),
}
HAND_SIZE: Final = 3
MOST_DECISIONS: Final = 300
MOST_OCCURRENCES: Final = 3
PLAY: Final = "duality.play"
REPLACE: Final = "duality.replace"
PASS: Final = {"type": "duality.pass"}
# The deck as the pages draw it: the six ports of each card, clockwise from N1. Equal letters are
# the ends of one line, which is black (b, B) or white (w, W).
FACES: Final = """
    bbBwBw bwBbBw bwBwBb wbBbBw wbBwBb wwbBbB wwbWbW wWbwbW wWbWbw
    bbBBww bwBBbw bwBBwb wbBBbw wwbbBB wwbbWW wWbbwW wWbbWw bbBwwB
    bwBwbB bwBbwB wbBwbB wwbWWb wWbWwb wWbwWb bBbwBw bBbBww bwbwBB
    bwbBBw bwbBwB bwbWwW bwbwWW bwbWWw bbwwBB bbwBBw bbwWwW bbwwWW
    bbwWWw bBBwbw bBwBbw bwWWbw bwWwbW bwwWbW bBBbww bBwbBw bwWbWw
    bwWbwW bwwbWW wbbwBB wbbWwW wbbwWW wbbWWw wbWWbw wbWwbW wbwWbW
"""
DECK: Final = {f"D{number:02}": face for number, face in enumerate(FACES.split(), 1)}

Place: TypeAlias = tuple[int, int]  # the row from Black's home, the column to Black's right
Arrival: TypeAlias = tuple[Place, int]  # a place, and the port at which a path enters it


def half_turn(face: str) -> str:
    """A face turned by half."""
    return face[3:] + face[:3]


@cache
def other_end(face: str, port: int) -> int:
    """The port to which a line leads."""
    return next(end for end in range(6) if end != port and face[end] == face[port])


def plain(face: str) -> tuple[str, ...]:
    """A face, in which it does not matter which of two black or white lines is which."""
    return tuple(face[port].lower() + str(other_end(face, port)) for port in range(6))


def beyond(place: Place, port: int) -> Arrival:
    """The place and port that a port of a card meets."""
    up, right, met = STEPS[port]
    return (place[0] + up, place[1] + right), met


@dataclass(frozen=True)
class Laid:
    """A card as it lies on the board."""

    card: str
    turned: bool

    @cached_property
    def face(self) -> str:
        """Its ports as Black sees them."""
        return half_turn(DECK[self.card]) if self.turned else DECK[self.card]

    def colour(self, port: int) -> str:
        """The colour of the line at a port."""
        return self.face[port].lower()


Board: TypeAlias = dict[Place, Laid]


class Path(NamedTuple):
    """A path (R4): where it enters each place, that at its end included, and how it ends."""

    arrivals: list[Arrival]
    ending: str  # complete, loop, open or blocked

    @property
    def places(self) -> set[Place]:
        """The places of the cards it runs across."""
        return {place for place, _ in self.arrivals[:-1]}


class DualityReferee(Referee):
    """A game of Duality."""

    slug: ClassVar = "duality"

    def start(self, seen: Seen) -> None:
        assert len({min(plain(face), plain(half_turn(face))) for face in DECK.values()}) == 54, "R1"
        self.rows = self.options["file"]
        self.board: Board = {
            (laid["row"], laid["column"]): Laid(laid["card"], laid["turned"])
            for laid in seen.views[None]["board"]
        }
        self.hands = [set(seen.views[seat]["hand"]) for seat in SEATS]
        self.latest: Place | None = None
        self.known: list[set[str]] = [set(), set()]
        self.barred: list[set[str]] = [set(), set()]
        self.plies = self.passes = 0
        self.ending: str | None = None
        self.winners: list[int] = []
        self.joined: set[Place] = set()
        self.check_deal()
        self.turn = self.first_seat(seen)
        self.history: list[Json] = []
        self.positions = Counter([self.position()])

    def check_deal(self) -> None:
        """The set-up: a file without a complete path, and three cards each."""
        assert set(self.board) == {(row, 0) for row in range(1, self.rows + 1)}
        assert not any(self.complete_paths(seat) for seat in SEATS), "R3"
        assert all(laid.turned <= self.can_turn(laid.card) for laid in self.board.values()), "R2"
        cards = [*self.hands[BLACK], *self.hands[WHITE], *self.cards_on_board()]
        assert len(set(cards)) == 2 * HAND_SIZE + self.rows

    def first_seat(self, seen: Seen) -> int:
        """The player whose longest path is shorter begins; R6: otherwise chance decides."""
        black, white = self.longest()
        if black == white:
            return int(seen.views[None]["to_act"][0])
        return BLACK if black < white else WHITE

    # -- the board ----------------------------------------------------------------------------

    def cards_on_board(self) -> set[str]:
        """All cards that are laid."""
        return {laid.card for laid in self.board.values()}

    @property
    def pile(self) -> int:
        """How many cards are left to draw."""
        return len(DECK) - len(self.board) - sum(map(len, self.hands))

    @staticmethod
    def can_turn(card: str) -> bool:
        """R2: whether a card looks different turned by half."""
        return plain(DECK[card]) != plain(half_turn(DECK[card]))

    def home_row(self, seat: int) -> int:
        """The row in front of a player."""
        return 1 if seat == BLACK else self.rows

    def outer_side(self, place: Place, port: int) -> int | None:
        """The player whom a port faces across the edge of the table."""
        for seat in SEATS:
            if place[0] == self.home_row(seat) and port in HOME_PORTS[seat]:
                return seat
        return None

    def paths(self, seat: int) -> Iterator[Path]:
        """All paths of a player."""
        for place, laid in self.board.items():
            if place[0] == self.home_row(seat):
                for port in HOME_PORTS[seat]:
                    if laid.colour(port) == COLOURS[seat]:
                        yield self.path_from(seat, place, port)

    def path_from(self, seat: int, place: Place, port: int) -> Path:
        """The path that enters the board at a port of a home row."""
        arrivals = [(place, port)]
        while True:
            way_out = other_end(self.board[place].face, port)
            side = self.outer_side(place, way_out)
            place, port = beyond(place, way_out)
            arrivals.append((place, port))
            if side is not None:
                return Path(arrivals, "loop" if side == seat else "complete")
            if place not in self.board:
                return Path(arrivals, "open")
            if self.board[place].colour(port) != COLOURS[seat]:
                return Path(arrivals, "blocked")

    def complete_paths(self, seat: int) -> list[Path]:
        """A player's paths from side to side."""
        return [path for path in self.paths(seat) if path.ending == "complete"]

    def longest(self) -> list[int]:
        """The length of each player's longest path."""
        return [max((len(path.places) for path in self.paths(seat)), default=0) for seat in SEATS]

    def connections(self, place: Place, laid: Laid) -> int:
        """R5: how many ports of a card that lies, or would lie, at a place are connected."""
        return sum(self.is_connected(place, port, laid) for port in range(6))

    def is_connected(self, place: Place, port: int, laid: Laid) -> bool:
        """Whether a port faces its player or meets its own colour."""
        if self.outer_side(place, port) is not None:
            return True
        there, met = beyond(place, port)
        return there in self.board and self.board[there].colour(met) == laid.colour(port)

    # -- plays --------------------------------------------------------------------------------

    def reached(self, seat: int) -> dict[Place, set[int]]:
        """The places that the player's paths reach, and the ports at which they do so first: a
        card with the player's colour there continues a path (R8)."""
        ports: dict[Place, set[int]] = {}
        for path in self.paths(seat):
            for place, port in dict(reversed(path.arrivals)).items():
                ports.setdefault(place, set()).add(port)
        return ports

    def may_begin(self, seat: int, place: Place) -> bool:
        """Whether a card at a place may begin a path (R7)."""
        row, column = place
        if row != self.home_row(seat):
            return False
        columns = [c for r, c in self.board if r == row]
        return place in self.board or column in (min(columns) - 1, max(columns) + 1)

    def open_ports(self, seat: int) -> dict[Place, set[int]]:
        """The places where the player may lay a card, each with the ports of which the card must
        have one in the player's colour."""
        ports = self.reached(seat)
        for place in self.empty_places() | set(self.board):
            if self.may_begin(seat, place):
                ports.setdefault(place, set()).update(HOME_PORTS[seat])
        return {place: ports[place] for place in ports if 1 <= place[0] <= self.rows}

    def empty_places(self) -> set[Place]:
        """The empty places next to cards, and none behind the players (R10)."""
        around = {beyond(place, port)[0] for place in self.board for port in range(6)}
        return {place for place in around - set(self.board) if 1 <= place[0] <= self.rows}

    def free(self, seat: int) -> set[Place]:
        """The empty places where a player may play a card that has the colour there."""
        if self.ending:
            return set()
        return set(self.open_ports(seat)) - set(self.board)

    def plays(self, seat: int, cards: set[str]) -> Iterator[tuple[str, Place, Laid]]:
        """Every way to lay one of these cards."""
        ways = [Laid(card, way) for card in cards for way in (False, True)]
        ways = [laid for laid in ways if not laid.turned or self.can_turn(laid.card)]
        for place, ports in self.open_ports(seat).items():
            least = self.connections(place, old) if (old := self.board.get(place)) else 0
            for laid in ways:
                continues = any(laid.colour(port) == COLOURS[seat] for port in ports)
                if continues and self.connections(place, laid) >= least:
                    yield (REPLACE if old else PLAY), place, laid

    def legal_actions(self, seat: int) -> list[Json]:
        if self.ending or seat != self.turn:
            return []
        plays = [
            {
                "type": kind,
                "card": laid.card,
                "turned": laid.turned,
                "row": place[0],
                "column": place[1],
            }
            for kind, place, laid in self.plays(seat, self.hands[seat])
        ]
        return plays or [PASS]

    # -- a turn -------------------------------------------------------------------------------

    def take(self, seat: int, action: Json, seen: Seen) -> None:
        self.plies += 1
        if action == PASS:
            self.pass_turn(seat)
        else:
            self.lay(seat, action, seen)
        self.turn = 1 - seat
        if self.passes < 2:
            self.positions[self.position()] += 1
        self.end_game()
        self.joined = self.shown_path(seen)

    def pass_turn(self, seat: int) -> None:
        """R12, R16: a player who passes shows that the unseen cards can nowhere be laid."""
        self.passes += 1
        self.history.append(None)
        if self.hands[seat] > self.known[seat]:
            self.barred[seat] |= {laid.card for _, _, laid in self.plays(seat, set(DECK))}

    def lay(self, seat: int, action: Json, seen: Seen) -> None:
        """Lay a card; the card that lay there goes into the hand, or a new one is drawn."""
        self.passes = 0
        place = (action["row"], action["column"])
        old, new = self.board.get(place), Laid(action["card"], action["turned"])
        self.board[place] = new
        self.latest = place
        self.hands[seat].remove(new.card)
        self.known[seat].discard(new.card)
        if old is None:
            self.draw(seat, seen)
        else:
            self.hands[seat].add(old.card)
            self.known[seat].add(old.card)
            self.history.append(self.swapped(seat, place, new, old))

    @staticmethod
    def swapped(seat: int, place: Place, new: Laid, old: Laid) -> Json:
        """A replacement as the history of a view has it."""
        return {
            "seat": seat,
            "row": place[0],
            "column": place[1],
            "laid": new.card,
            "laid_turned": new.turned,
            "taken": old.card,
            "taken_turned": old.turned,
        }

    def draw(self, seat: int, seen: Seen) -> None:
        """R11: draw a card, unless the pile is empty or the game over. A position before a new
        card can never come again."""
        self.history, self.positions = [], Counter()
        if self.pile == 0 or any(map(self.complete_paths, SEATS)):
            return
        hand = set(seen.views[seat]["hand"])
        (card,) = hand - self.hands[seat]
        assert card in set(DECK) - self.cards_on_board() - self.hands[1 - seat]
        self.hands[seat].add(card)
        self.barred[seat] = set()

    # -- the end ------------------------------------------------------------------------------

    def position(self) -> Json:
        """What is the same when a position occurs again (R14)."""
        return (self.turn, frozenset(self.board.items()), *map(frozenset, self.hands))

    def end_game(self) -> None:
        """End the game if the last decision does so (R13, R14, R15)."""
        mover = 1 - self.turn
        if owners := [seat for seat in (mover, 1 - mover) if self.complete_paths(seat)]:
            self.ending, self.winners = "connection", owners[:1]
            return
        if self.passes == 2:
            self.ending = "passes"
        elif self.positions[self.position()] == MOST_OCCURRENCES:
            self.ending = "repetition"
        elif self.plies == MOST_DECISIONS:
            self.ending = "limit"
        if self.ending:
            black, white = self.longest()
            self.winners = [
                s for s, length in enumerate((black, white)) if length >= max(black, white)
            ]

    def shown_path(self, seen: Seen) -> set[Place]:
        """The complete path of the winner: of several, the one that the engine shows."""
        ways = [path.places for seat in self.winners for path in self.complete_paths(seat)]
        shown = {(place["row"], place["column"]) for place in seen.views[None]["joined"]}
        return shown if shown in ways else set().union(*ways)

    def outcome(self) -> Outcome | None:
        if not self.ending:
            return None
        return Outcome(tuple(self.winners), tuple(self.longest()))

    # -- views --------------------------------------------------------------------------------

    def view(self, viewer: Viewer) -> dict[str, Json]:
        return {
            "seat": viewer,
            "options": self.options,
            "to_act": [] if self.ending else [self.turn],
            "board": [self.laid_json(place) for place in self.board],
            "latest": self.place_json(self.latest) if self.latest else None,
            "longest": self.longest(),
            "free": [[self.place_json(place) for place in self.free(seat)] for seat in SEATS],
            "hand": [] if viewer is None else sorted(self.hands[viewer]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "known": [sorted(self.hands[s] if self.ending else self.known[s]) for s in SEATS],
            "barred": [sorted(barred) for barred in self.barred],
            "draw_pile": self.pile,
            "plies": self.plies,
            "history": self.history,
            "occurrences": self.positions[self.position()],
            "ending": self.ending,
            "winners": self.winners,
            "joined": [self.place_json(place) for place in self.joined],
        }

    @staticmethod
    def place_json(place: Place) -> Json:
        """A place as a view has it."""
        return {"row": place[0], "column": place[1]}

    def laid_json(self, place: Place) -> Json:
        """A card on the board as a view has it."""
        laid = self.board[place]
        return self.place_json(place) | {
            "card": laid.card,
            "turned": laid.turned,
            "connections": self.connections(place, laid),
        }

    def unordered(self, view: dict[str, Json]) -> dict[str, Json]:
        def order(places: Json) -> Json:
            return sorted(places, key=lambda place: (place["column"], place["row"]))

        return view | {
            "board": order(view["board"]),
            "free": [order(free) for free in view["free"]],
            "joined": order(view["joined"]),
        }
