"""The deck: each possible card, turned cards counted as one, exactly once (R1 and R2)."""

from __future__ import annotations

from itertools import combinations

from tabularium_engines.duality.cards import (
    CARD_CODES,
    CARD_LINES,
    FACING_PORTS,
    OTHER_ENDS,
    PORT_NAMES,
    PORTS_BY_COLOUR,
    is_symmetric,
    lines_of,
)
from tests.engines.duality.reference_board import (
    HALF_TURN,
    OPPOSITE,
    card_lines,
    orientations,
    port_colours,
)

Pairing = frozenset[frozenset[str]]
Card = frozenset[tuple[str, frozenset[str]]]


def pairings(ports: tuple[str, ...]) -> list[Pairing]:
    """Every way to join ports two by two."""
    if not ports:
        return [frozenset()]
    first, *others = ports
    return [
        rest | {frozenset({first, other})}
        for other in others
        for rest in pairings(tuple(port for port in others if port != other))
    ]


def possible_cards() -> set[Card]:
    """Every way to join six ports by lines of both colours."""
    cards = set()
    for pairing in pairings(PORT_NAMES):
        for number in (1, 2):
            for black in combinations(sorted(pairing, key=sorted), number):
                cards.add(frozenset(("b" if pair in black else "w", pair) for pair in pairing))
    return cards


def card(number: int, turned: bool = False) -> Card:
    oriented_card = (CARD_CODES[number], turned)
    return frozenset((colour, frozenset(ends)) for colour, *ends in card_lines(oriented_card))


def test_R1_the_deck_has_each_possible_card_once() -> None:
    assert len(pairings(PORT_NAMES)) == 15
    assert len(possible_cards()) == 90
    both_orientations = [{card(number), card(number, True)} for number in range(54)]
    assert len(CARD_LINES) == 54
    assert set().union(*both_orientations) == possible_cards()
    assert sum(map(len, both_orientations)) == 90


def test_R1_half_of_the_deck_is_double_black() -> None:
    doubles = [sum(colour == "b" for colour, _ in card(number)) for number in range(54)]
    assert (doubles.count(1), doubles.count(2)) == (27, 27)


def test_R1_swapping_the_colours_gives_the_same_deck() -> None:
    other = {"b": "w", "w": "b"}
    both_orientations = {card(n, turned) for n in range(54) for turned in (False, True)}
    assert {
        frozenset((other[colour], ends) for colour, ends in lines) for lines in both_orientations
    } == (both_orientations)


def test_R2_eighteen_cards_look_the_same_turned() -> None:
    symmetric_cards = [number for number in range(54) if card(number) == card(number, True)]
    assert len(symmetric_cards) == 18
    assert [number for number in range(54) if is_symmetric(number)] == symmetric_cards
    assert len(list(orientations(list(CARD_CODES)))) == 90


def test_the_engines_tables_agree_with_the_card_lines() -> None:
    for number in range(54):
        for turned in (False, True):
            tile = 2 * number + turned
            for colour, *ends in card_lines((CARD_CODES[number], turned)):
                one, other = (PORT_NAMES.index(end) for end in ends)
                assert (OTHER_ENDS[8 * tile + one], OTHER_ENDS[8 * tile + other]) == (other, one)
                low, high = sorted((one, other))
                assert ("bw".index(colour), low, high) in lines_of(number, turned)
            black = {
                port for port, c in port_colours((CARD_CODES[number], turned)).items() if c == "b"
            }
            assert {
                p for n, p in enumerate(PORT_NAMES) if PORTS_BY_COLOUR[2 * tile] >> n & 1
            } == black
            assert PORTS_BY_COLOUR[2 * tile] ^ PORTS_BY_COLOUR[2 * tile + 1] == 63


def test_facing_ports_are_opposite() -> None:
    for number, port in enumerate(PORT_NAMES):
        assert PORT_NAMES[FACING_PORTS[number]] == OPPOSITE[port]
        assert PORT_NAMES[(number + 3) % 6] == HALF_TURN[port]
