"""The deck: each card of the family that the printed rules imply, exactly once (R1 and R2)."""

from __future__ import annotations

from itertools import combinations

from games.engines.duality.cards import (
    CARD_CODES,
    CARD_COUNT,
    CARD_LINES,
    FACING_PORTS,
    OTHER_ENDS,
    PORT_NAMES,
    PORTS_BY_COLOUR,
    is_symmetric,
    lines_of,
)
from tests.engines.duality.plain import HALF_TURN, OPPOSITE, colours, lines, ways

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


def family() -> set[Card]:
    """Every way to join six ports by lines of both colours."""
    found = set()
    for pairing in pairings(PORT_NAMES):
        for number in (1, 2):
            for black in combinations(sorted(pairing, key=sorted), number):
                found.add(frozenset(("b" if pair in black else "w", pair) for pair in pairing))
    return found


def card(number: int, turned: bool = False) -> Card:
    way = (CARD_CODES[number], turned)
    return frozenset((colour, frozenset(ends)) for colour, *ends in lines(way))


def test_R1_the_deck_is_the_whole_family_each_card_once() -> None:
    assert len(pairings(PORT_NAMES)) == 15
    assert len(family()) == 90
    both_ways = [{card(number), card(number, True)} for number in range(54)]
    assert len(CARD_LINES) == CARD_COUNT == 54
    assert set().union(*both_ways) == family()
    assert sum(map(len, both_ways)) == 90


def test_R1_half_of_the_deck_is_double_black() -> None:
    doubles = [sum(colour == "b" for colour, _ in card(number)) for number in range(54)]
    assert (doubles.count(1), doubles.count(2)) == (27, 27)


def test_R1_swapping_the_colours_gives_the_same_deck() -> None:
    other = {"b": "w", "w": "b"}
    both_ways = {card(n, turned) for n in range(54) for turned in (False, True)}
    assert {frozenset((other[colour], ends) for colour, ends in one) for one in both_ways} == (
        both_ways
    )


def test_R2_eighteen_cards_look_the_same_turned() -> None:
    same = [number for number in range(54) if card(number) == card(number, True)]
    assert len(same) == 18
    assert [number for number in range(54) if is_symmetric(number)] == same
    assert len(list(ways(list(CARD_CODES)))) == 90


def test_the_tables_of_the_rules_say_what_the_lines_say() -> None:
    for number in range(54):
        for turned in (False, True):
            tile = 2 * number + turned
            for colour, *ends in lines((CARD_CODES[number], turned)):
                one, other = (PORT_NAMES.index(end) for end in ends)
                assert (OTHER_ENDS[8 * tile + one], OTHER_ENDS[8 * tile + other]) == (other, one)
                low, high = sorted((one, other))
                assert ("bw".index(colour), low, high) in lines_of(number, turned)
            black = {port for port, c in colours((CARD_CODES[number], turned)).items() if c == "b"}
            assert {
                p for n, p in enumerate(PORT_NAMES) if PORTS_BY_COLOUR[2 * tile] >> n & 1
            } == black
            assert PORTS_BY_COLOUR[2 * tile] ^ PORTS_BY_COLOUR[2 * tile + 1] == 63


def test_facing_ports_are_opposite() -> None:
    for number, port in enumerate(PORT_NAMES):
        assert PORT_NAMES[FACING_PORTS[number]] == OPPOSITE[port]
        assert PORT_NAMES[(number + 3) % 6] == HALF_TURN[port]
