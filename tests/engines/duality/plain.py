"""A plain reference implementation of Duality: cards are dictionaries, lines form a graph that is
rebuilt for every question, and nothing is taken from the engine but the list of lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from games.engines.duality.cards import CARD_CODES, CARD_LINES

OPPOSITE = {"N1": "S1", "S1": "N1", "N2": "S2", "S2": "N2", "E": "W", "W": "E"}
HALF_TURN = {"N1": "S2", "S2": "N1", "N2": "S1", "S1": "N2", "E": "W", "W": "E"}
STEP = {"N1": (1, 0), "N2": (1, 0), "S1": (-1, 0), "S2": (-1, 0), "E": (0, 1), "W": (0, -1)}

Cell = tuple[int, int]  # row from 1; column relative to the file
Way = tuple[str, bool]  # a card, and whether it is turned
Port = tuple[int, int, str]


def lines(way: Way) -> list[tuple[str, str, str]]:
    """The colour and both ends of each line of a card, as it lies."""
    card, turned = way
    found = []
    for line in CARD_LINES[CARD_CODES.index(card)].split(", "):
        colour, ends = line.split()
        one, other = ends.split("-")
        found.append((colour, HALF_TURN[one], HALF_TURN[other]) if turned else (colour, one, other))
    return found


def colours(way: Way) -> dict[str, str]:
    """The colour of each port, as the card lies."""
    return {end: colour for colour, *ends in lines(way) for end in ends}


def neighbour(row: int, column: int, port: str) -> Port:
    """The port of a neighbouring card that this port faces."""
    up, right = STEP[port]
    return row + up, column + right, OPPOSITE[port]


@dataclass(frozen=True)
class Plain:
    """The cards on the board, and the number of rows."""

    cards: Mapping[Cell, Way]
    rows: int

    def home(self, seat: int) -> int:
        """The row nearest to a seat."""
        return (1, self.rows)[seat]

    def without(self, cell: Cell) -> Plain:
        """The same board with that place empty."""
        return Plain({c: way for c, way in self.cards.items() if c != cell}, self.rows)

    def with_card(self, cell: Cell, way: Way) -> Plain:
        """The same board with that card at that place."""
        return Plain({**self.cards, cell: way}, self.rows)

    def graph(self, colour: str) -> dict[Port, set[Port]]:
        """All ports of a colour with the ports they are joined to, on the same card or between two
        cards."""
        joined: dict[Port, set[Port]] = {}
        for (row, column), way in self.cards.items():
            for found, one, other in lines(way):
                if found == colour:
                    joined.setdefault((row, column, one), set()).add((row, column, other))
                    joined.setdefault((row, column, other), set()).add((row, column, one))
        for port, met in joined.items():
            if neighbour(*port) in joined:
                met.add(neighbour(*port))
        return joined

    def paths(self, seat: int) -> list[set[Port]]:
        """The ports along each path that begins at a seat's home."""
        graph = self.graph("bw"[seat])
        near = (("S1", "S2"), ("N1", "N2"))[seat]
        begins = [p for p in sorted(graph) if p[0] == self.home(seat) and p[2] in near]
        return [self.connected(graph, port) for port in begins]

    def connected(self, graph: Mapping[Port, set[Port]], port: Port) -> set[Port]:
        """All ports that can be reached from a port."""
        reached, waiting = {port}, [port]
        while waiting:
            for following in graph[waiting.pop()] - reached:
                reached.add(following)
                waiting.append(following)
        return reached

    def longest(self, seat: int) -> int:
        """The number of cards on the longest path from a seat's home."""
        return max((len({p[:2] for p in path}) for path in self.paths(seat)), default=0)

    def is_complete(self, seat: int) -> bool:
        """Whether a path from a seat's home faces the other side."""
        far, away = ((self.rows, ("N1", "N2")), (1, ("S1", "S2")))[seat]
        return any(p[0] == far and p[2] in away for path in self.paths(seat) for p in path)

    def connections(self, cell: Cell) -> int:
        """The number of ports of a card that meet their own colour, or face the player whose home
        row it is in."""
        found = 0
        for port, colour in colours(self.cards[cell]).items():
            row, column, facing = neighbour(*cell, port)
            if not 1 <= row <= self.rows:
                found += 1
            elif (row, column) in self.cards:
                found += colours(self.cards[row, column])[facing] == colour
        return found

    def led_to(self, seat: int) -> set[Port]:
        """Every port, occupied or not, that faces one on a path from a seat's home."""
        return {neighbour(*port) for path in self.paths(seat) for port in path}

    def faces_home(self, seat: int, cell: Cell, way: Way) -> bool:
        """Whether the card would be in the home row with a line of the seat's colour towards
        home."""
        near = (("S1", "S2"), ("N1", "N2"))[seat]
        return cell[0] == self.home(seat) and "bw"[seat] in [colours(way)[port] for port in near]

    def is_outermost(self, seat: int, cell: Cell) -> bool:
        """Whether the place is directly next to either end of the cards in the seat's home row."""
        at_home = [column for row, column in self.cards if row == self.home(seat)]
        return cell[1] in (min(at_home) - 1, max(at_home) + 1)

    def plays(self, seat: int, hand: list[str]) -> set[tuple[str, str, bool, int, int]]:
        """All legal actions of a seat except passing: kind, card, turned or not, row, column."""
        found = set()
        everywhere = self.led_to(seat)
        for cell in self.cells():
            led_to = self.without(cell).led_to(seat) if cell in self.cards else everywhere
            for way in ways(hand):
                mine = {
                    (*cell, end) for end, colour in colours(way).items() if colour == "bw"[seat]
                }
                is_joined, faces_home = bool(mine & led_to), self.faces_home(seat, cell, way)
                if cell in self.cards:
                    new = self.with_card(cell, way)
                    enough = new.connections(cell) >= self.connections(cell)
                    if enough and (is_joined or faces_home):
                        found.add(("replace", *way, *cell))
                elif is_joined or (faces_home and self.is_outermost(seat, cell)):
                    found.add(("play", *way, *cell))
        return found

    def cells(self) -> Iterator[Cell]:
        """Every place in all rows, from one left of the leftmost card to one right of the
        rightmost."""
        columns = [column for _, column in self.cards]
        for row in range(1, self.rows + 1):
            for column in range(min(columns) - 1, max(columns) + 2):
                yield row, column


def ways(hand: list[str]) -> Iterator[Way]:
    """Every card upright and turned, unless it looks the same turned."""
    for card in hand:
        yield card, False
        if sorted(map(order, lines((card, False)))) != sorted(map(order, lines((card, True)))):
            yield card, True


def order(line: tuple[str, str, str]) -> tuple[str, str, str]:
    """A line with its ends in a fixed order."""
    colour, one, other = line
    return colour, min(one, other), max(one, other)
