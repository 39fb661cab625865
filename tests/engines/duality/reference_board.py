"""A reference implementation of Duality that uses only the engine's list of lines: the lines form a
graph that is rebuilt for every question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tabularium_engines.duality.cards import CARD_CODES, CARD_LINES

OPPOSITE = {"N1": "S1", "S1": "N1", "N2": "S2", "S2": "N2", "E": "W", "W": "E"}
HALF_TURN = {"N1": "S2", "S2": "N1", "N2": "S1", "S1": "N2", "E": "W", "W": "E"}
STEP = {"N1": (1, 0), "N2": (1, 0), "S1": (-1, 0), "S2": (-1, 0), "E": (0, 1), "W": (0, -1)}

Cell = tuple[int, int]  # row from 1; column relative to the file
OrientedCard = tuple[str, bool]  # a card, and whether it is turned
Port = tuple[int, int, str]


def card_lines(oriented_card: OrientedCard) -> list[tuple[str, str, str]]:
    """The colour and both ends of each line of a card, as it lies."""
    card, turned = oriented_card
    lines = []
    for line in CARD_LINES[CARD_CODES.index(card)].split(", "):
        colour, ends = line.split()
        one, other = ends.split("-")
        lines.append((colour, HALF_TURN[one], HALF_TURN[other]) if turned else (colour, one, other))
    return lines


def port_colours(oriented_card: OrientedCard) -> dict[str, str]:
    """The colour of each port, as the card lies."""
    return {end: colour for colour, *ends in card_lines(oriented_card) for end in ends}


def facing_port(row: int, column: int, port: str) -> Port:
    """The port of a neighbouring card that this port faces."""
    up, right = STEP[port]
    return row + up, column + right, OPPOSITE[port]


@dataclass(frozen=True)
class ReferenceBoard:
    """The cards on the board, and the number of rows."""

    cards: Mapping[Cell, OrientedCard]
    rows: int

    def home_row(self, seat: int) -> int:
        """The row nearest to a seat."""
        return (1, self.rows)[seat]

    def without_card(self, cell: Cell) -> ReferenceBoard:
        """This board with an empty place."""
        return ReferenceBoard({c: card for c, card in self.cards.items() if c != cell}, self.rows)

    def with_card(self, cell: Cell, oriented_card: OrientedCard) -> ReferenceBoard:
        """This board with a card at a place."""
        return ReferenceBoard({**self.cards, cell: oriented_card}, self.rows)

    def graph(self, colour: str) -> dict[Port, set[Port]]:
        """All ports of a colour, each with the ports joined to it on its card or on a neighbour."""
        neighbours: dict[Port, set[Port]] = {}
        for (row, column), oriented_card in self.cards.items():
            for line_colour, one, other in card_lines(oriented_card):
                if line_colour == colour:
                    neighbours.setdefault((row, column, one), set()).add((row, column, other))
                    neighbours.setdefault((row, column, other), set()).add((row, column, one))
        for port, others in neighbours.items():
            if facing_port(*port) in neighbours:
                others.add(facing_port(*port))
        return neighbours

    def paths(self, seat: int) -> list[set[Port]]:
        """The ports along each path that begins at a seat's home."""
        graph = self.graph("bw"[seat])
        home_ports = (("S1", "S2"), ("N1", "N2"))[seat]
        start_ports = [
            p for p in sorted(graph) if p[0] == self.home_row(seat) and p[2] in home_ports
        ]
        return [self.reachable_ports(graph, port) for port in start_ports]

    def reachable_ports(self, graph: Mapping[Port, set[Port]], port: Port) -> set[Port]:
        """All ports that can be reached from a port."""
        reached, frontier = {port}, [port]
        while frontier:
            for next_port in graph[frontier.pop()] - reached:
                reached.add(next_port)
                frontier.append(next_port)
        return reached

    def longest_path(self, seat: int) -> int:
        """The number of cards on the longest path from a seat's home."""
        return max((len({p[:2] for p in path}) for path in self.paths(seat)), default=0)

    def is_complete(self, seat: int) -> bool:
        """Whether a path from a seat's home faces the other side."""
        last_row, far_ports = ((self.rows, ("N1", "N2")), (1, ("S1", "S2")))[seat]
        return any(
            p[0] == last_row and p[2] in far_ports for path in self.paths(seat) for p in path
        )

    def connection_count(self, cell: Cell) -> int:
        """The number of ports of a card that meet their own colour, or face the player whose home
        row it is in."""
        count = 0
        for port, colour in port_colours(self.cards[cell]).items():
            row, column, facing_name = facing_port(*cell, port)
            if not 1 <= row <= self.rows:
                count += 1
            elif (row, column) in self.cards:
                count += port_colours(self.cards[row, column])[facing_name] == colour
        return count

    def next_ports(self, seat: int) -> set[Port]:
        """Every port, of a card or of an empty place, that faces a port on a path from a seat's
        home."""
        return {facing_port(*port) for path in self.paths(seat) for port in path}

    def is_facing_home(self, seat: int, cell: Cell, oriented_card: OrientedCard) -> bool:
        """Whether the card would be in the home row with a line of the seat's colour towards
        home."""
        home_ports = (("S1", "S2"), ("N1", "N2"))[seat]
        return cell[0] == self.home_row(seat) and "bw"[seat] in [
            port_colours(oriented_card)[port] for port in home_ports
        ]

    def is_outermost(self, seat: int, cell: Cell) -> bool:
        """Whether the place is directly next to either end of the cards in the seat's home row."""
        home_columns = [column for row, column in self.cards if row == self.home_row(seat)]
        return cell[1] in (min(home_columns) - 1, max(home_columns) + 1)

    def legal_plays(self, seat: int, hand: list[str]) -> set[tuple[str, str, bool, int, int]]:
        """All legal actions of a seat except passing: kind, card, turned or not, row, column."""
        plays = set()
        all_next_ports = self.next_ports(seat)
        for cell in self.cells():
            next_ports = (
                self.without_card(cell).next_ports(seat) if cell in self.cards else all_next_ports
            )
            for oriented_card in orientations(hand):
                own_ports = {
                    (*cell, end)
                    for end, colour in port_colours(oriented_card).items()
                    if colour == "bw"[seat]
                }
                is_joined = bool(own_ports & next_ports)
                is_facing_home = self.is_facing_home(seat, cell, oriented_card)
                if cell in self.cards:
                    changed_board = self.with_card(cell, oriented_card)
                    has_enough = changed_board.connection_count(cell) >= self.connection_count(cell)
                    if has_enough and (is_joined or is_facing_home):
                        plays.add(("replace", *oriented_card, *cell))
                elif is_joined or (is_facing_home and self.is_outermost(seat, cell)):
                    plays.add(("play", *oriented_card, *cell))
        return plays

    def cells(self) -> Iterator[Cell]:
        """Every place in all rows, from one left of the leftmost card to one right of the
        rightmost."""
        columns = [column for _, column in self.cards]
        for row in range(1, self.rows + 1):
            for column in range(min(columns) - 1, max(columns) + 2):
                yield row, column


def orientations(hand: list[str]) -> Iterator[OrientedCard]:
    """Every card upright and turned, unless it looks the same turned."""
    for card in hand:
        yield card, False
        if sorted(map(sorted_line, card_lines((card, False)))) != sorted(
            map(sorted_line, card_lines((card, True)))
        ):
            yield card, True


def sorted_line(line: tuple[str, str, str]) -> tuple[str, str, str]:
    """A line with its ends in a fixed order."""
    colour, one, other = line
    return colour, min(one, other), max(one, other)
