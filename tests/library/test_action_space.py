"""Action numbers: each means the same action in every position, and changes only with the version
of the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tabularium_engines.adapters.action_space import (
    MAX_DENSE_SIZE,
    ActionField,
    ActionKind,
    ActionSpace,
    DenseActionSpace,
    FactoredActionSpace,
    action_space,
)
from tabularium_engines.base import AnyEngine
from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import RULESETS
from tabularium_engines.promises.variants import tables
from tests.examples.small_games import SMALL_GAMES, load_engine

DIGESTS = json.loads(
    (PROJECT_ROOT / "tabularium_engines/adapters/action_digests.json").read_text(encoding="utf-8")
)
POSITIONS = 60  # of each table
SAMPLED_NUMBERS = 20_000
ALL_ENGINES = [*RULESETS.values(), *[load_engine(name) for name in SMALL_GAMES]]


def slug_of(engine: AnyEngine) -> str:
    return engine.about.slug


def sampled_numbers(space: ActionSpace) -> range:
    """All numbers, or evenly spread ones where there are very many."""
    return range(0, space.size, 1 + space.size // SAMPLED_NUMBERS)


def recorded_actions(engine: AnyEngine) -> Iterator[dict[str, Any]]:
    """The JSON of every action in the golden games of a ruleset."""
    about = engine.about
    folder = PROJECT_ROOT / "tests" / "golden" / about.slug / f"v{about.version}"
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines()[2:]:
            yield json.loads(line)["action"]


def legal_actions(engine: AnyEngine) -> Iterator[int]:
    """The legal actions of every seat in random positions of every variant."""
    for table in tables(engine):
        rng = FastRng(table.seats)
        state = engine.start(table.options, table.seats, rng)
        for _ in range(POSITIONS):
            for seat in range(table.seats):
                yield from map(int, state.legal_actions(seat))
            if not state.to_act:
                break
            seat = engine.awaited_seats(state)[0]
            state.apply(seat, state.random_action(seat, rng), rng)


@pytest.mark.parametrize("engine", RULESETS.values(), ids=slug_of)
def test_recorded_actions_survive_the_round_trip(engine: AnyEngine) -> None:
    space, codec, count = action_space(engine), engine.action_codec, 0
    for document in recorded_actions(engine):
        words = space.words_of(codec.to_int(codec.from_json(document)))
        action = space.action_of_words(words)
        assert action is not None
        assert codec.json_from_int(action) == document
        assert all(0 <= word < space.size for word in words)
        count += 1
    assert count > 0


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_a_number_means_the_same_action_in_every_position(engine: AnyEngine) -> None:
    space, meanings = action_space(engine), dict[tuple[int, ...], int]()
    for action in legal_actions(engine):
        words = space.words_of(action)
        assert len(words) <= space.max_words
        assert meanings.setdefault(words, action) == action
        assert space.action_of_words(words) == action
        assert all(space.action_of_words(words[:n]) is None for n in range(len(words)))
    assert meanings


@pytest.mark.parametrize("engine", ALL_ENGINES, ids=slug_of)
def test_every_number_has_a_meaning_of_its_own(engine: AnyEngine) -> None:
    space = action_space(engine)
    meanings = [space.meaning_of(number) for number in sampled_numbers(space)]
    assert len(set(meanings)) == len(meanings)


def test_the_numbers_of_a_dense_space_survive_the_round_trip() -> None:
    for engine in ALL_ENGINES:
        space = action_space(engine)
        if isinstance(space, DenseActionSpace):
            for number in sampled_numbers(space):
                assert space.number_of(space.action_of(number)) == number


@pytest.mark.parametrize("number", [-1, 144])
def test_a_number_outside_a_dense_space_is_refused(number: int) -> None:
    space = action_space(RULESETS[next(r for r in RULESETS if r.slug == "duel_edged_sword")])
    assert isinstance(space, DenseActionSpace)
    with pytest.raises(ValueError, match="0 to 143"):
        space.action_of(number)


def test_only_duel_of_law_is_factored() -> None:
    factored = {
        engine.about.slug
        for engine in ALL_ENGINES
        if isinstance(action_space(engine), FactoredActionSpace)
    }
    assert factored == {"duel_of_law"}
    assert all(action_space(engine).size <= MAX_DENSE_SIZE for engine in ALL_ENGINES)


def test_the_tables_are_those_that_each_version_was_published_with() -> None:
    """A change of a table needs a new version of the rules: its numbers are in trained networks."""
    digests = {(slug, int(v)): digest for slug in DIGESTS for v, digest in DIGESTS[slug].items()}
    assert digests == {ruleset: action_space(RULESETS[ruleset]).digest() for ruleset in RULESETS}


def test_the_digest_depends_on_kinds_fields_values_and_their_order() -> None:
    cards = ActionField("card", ("a", "b"))
    tables = [
        (ActionKind("play", (cards,)), ActionKind("pass", ())),
        (ActionKind("pass", ()), ActionKind("play", (cards,))),
        (ActionKind("play", (ActionField("card", ("b", "a")),)), ActionKind("pass", ())),
        (ActionKind("play", (ActionField("tile", ("a", "b")),)), ActionKind("pass", ())),
        (ActionKind("lay", (cards,)), ActionKind("pass", ())),
    ]
    spaces = (DenseActionSpace, FactoredActionSpace)
    assert len({space(table).digest() for space in spaces for table in tables}) == 10
