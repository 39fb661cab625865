"""Promise 17: the things in a picture are marked, lead to every offer, and are harmless."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice
from typing import Any, Final
from xml.etree import ElementTree as ET

from tabularium_engines.base import AnyEngine
from tabularium_engines.common import shapes_svg
from tabularium_engines.common.action_codec import allowed_values
from tabularium_engines.common.json_codec import field_types
from tabularium_engines.promises import marks
from tabularium_engines.promises.random_games import Position, play

MOST_LEFT: Final = 6  # offers that a player reads at a glance
MOST_SEATS: Final = 2  # whose pictures are checked at a position
SVG: Final = "{http://www.w3.org/2000/svg}"
PICK: Final = "data-pick"
ELEMENTS: Final = frozenset(
    f"{SVG}{name}"
    for name in (
        *("svg", "g", "defs", "use", "symbol", "title", "desc", "text", "tspan"),
        *("rect", "circle", "ellipse", "line", "polygon", "polyline", "path"),
        *("linearGradient", "radialGradient", "stop", "clipPath", "pattern"),
    )
)
# no scripts, no styles, no names of other vocabularies
_ATTRIBUTE: Final = re.compile(r"(?!on|style$)[A-Za-z][A-Za-z0-9-]*")
_OUTER_REFERENCE: Final = re.compile(r"url\(\s*(?!#)", re.IGNORECASE)
_DECLARATIONS: Final = ("<!", "<?")  # escaped in texts, so that none is part of one


def promise_17(engine: AnyEngine, options: Any, seats: int, seed: int, sample: int) -> None:
    """Marks of things in a picture, in every shape, lead to every offer; a picture has no part that
    could load or run anything."""
    positions = play(engine, options, seats, seed).sample(sample)
    stride = max(1, len(positions) // sample)
    for place, position in enumerate([*positions[seed % stride :: stride], positions[-1]]):
        shape = shapes_svg.SHAPES[(seed + place) % len(shapes_svg.SHAPES)]
        for viewer in viewers(engine, position):
            context = f"{position}, viewer {viewer}, {shape} picture"
            view = engine.view(position.state, viewer)
            picture = shapes_svg.draw(engine, view, shape)
            found = check_things(engine, check_parts(picture, context), context)
            if viewer is not None:
                check_offers(engine, position, viewer, found, context)


def viewers(engine: AnyEngine, position: Position) -> list[int | None]:
    """Some of the seats that have offers, or an onlooker if none has."""
    seats = int(position.state.seats)
    turned = [(position.seq + step) % seats for step in range(seats)]
    having = (seat for seat in turned if engine.offered_actions(position.state, seat))
    return list(islice(having, MOST_SEATS)) or [None]


def check_parts(picture: str, context: str) -> ET.Element:
    """All elements and attributes are of the lists; the parsed picture."""
    for declaration in _DECLARATIONS:
        assert declaration not in picture, f"{context}: the picture has a declaration"
    root = ET.fromstring(picture)
    for element in root.iter():
        assert element.tag in ELEMENTS, f"{context}: the picture has a {element.tag}"
        for name, value in element.items():
            assert is_harmless(name, value), f'{context}: the picture has {name}="{value}"'
    return root


@lru_cache(1 << 14)
def is_harmless(name: str, value: str) -> bool:
    """Whether this attribute neither runs nor loads anything."""
    if not _ATTRIBUTE.fullmatch(name) or _OUTER_REFERENCE.search(value):
        return False
    return name != "href" or value.startswith("#")


def check_things(engine: AnyEngine, root: ET.Element, context: str) -> set[marks.Mark]:
    """Every thing has a title, a mark of the game and no other thing in it; the marks."""
    found = set()
    for thing in root.iter():
        if (text := thing.get(PICK)) is None:
            continue
        first = next(iter(thing), None)
        has_title = first is not None and first.tag == f"{SVG}title" and (first.text or "").strip()
        assert has_title, f"{context}: {text} has no title as its first child"
        assert thing.find(f".//*[@{PICK}]") is None, f"{context}: a thing is within {text}"
        try:
            mark = marks.read_mark(text)
        except ValueError as error:
            raise AssertionError(f"{context}: {error}") from error
        for way in mark:
            assert is_possible(engine, way), f"{context}: no action has {way}"
        found.add(mark)
    return found


@lru_cache(1 << 14)
def is_possible(engine: AnyEngine, way: tuple[marks.Pair, ...]) -> bool:
    """Whether actions of one kind can have all of these pairs."""
    return any(
        all(value in values.get(field, ()) for field, value in way) for values in kinds(engine)
    )


@cache
def kinds(engine: AnyEngine) -> list[dict[str, frozenset[str]]]:
    """For each kind of action, the values of its fields as marks write them."""
    return [
        {marks.TYPE_FIELD: frozenset([kind.kind])}
        | {
            name: frozenset(map(marks.value_text, allowed_values(hint)))
            for name, hint in field_types(kind).items()
        }
        for kind in engine.about.actions
    ]


def check_offers(
    engine: AnyEngine, position: Position, seat: int, found: set[marks.Mark], context: str
) -> None:
    """The things for which an offer stands leave few others, unless it is said."""
    codes = engine.offered_actions(position.state, seat)
    offers = [engine.action_json(position.state, seat, int(code)) for code in codes]
    said = {engine.action_codec.type_of(kind) for kind in engine.about.said}
    for offer, left in zip(offers, marks.numbers_left(offers, found), strict=True):
        assert left <= MOST_LEFT or offer["type"] in said, (
            f"{context}: {left} offers fit all marks of {offer}"
        )
