"""All news are as the document describes their type: those of random and golden games under every
ruleset, for each seat and for an onlooker, and those that offers foretell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from api.openapi_schemas import SCHEMA_REF_PREFIX
from api.ruleset_types import typed_news
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common.foresight import consequences_from_view
from tabularium_engines.common.news_formats import type_of
from tabularium_engines.common.replayable_log import from_lines, replay
from tabularium_engines.duality.news_text import NEWS_SENTENCES
from tabularium_engines.duel_edged_sword import news_text as sword_text
from tabularium_engines.duel_of_law import news_text as duel_text
from tabularium_engines.installed.registry import ENGINES, RULESETS, Ruleset
from tabularium_engines.law import news_text as law_text
from tabularium_engines.law_of_the_dice import news_text as dice_text
from tabularium_engines.promises.foretold_consequences import sampled_actions
from tabularium_engines.promises.random_games import all_viewers, play
from tabularium_engines.promises.variants import tables
from tabularium_log.projection.table_actions import TABLE_ACTION_CODEC, TABLE_ACTIONS
from tests.api.contract import contract
from tests.golden import book

TABLES: Final = 2  # of a ruleset, with few and with many players
SENTENCES: Final = {
    "duality": {*NEWS_SENTENCES},
    "duel_edged_sword": {*sword_text.SENTENCES},
    "duel_of_law": {*duel_text.SENTENCES, "ended"},  # which has a sentence for each ending
    "law": {*law_text.SENTENCES},
    "law_of_the_dice": {*dice_text.SENTENCES},
}
FORETOLD: Final = 3  # positions whose consequences are looked at


@pytest.fixture(scope="module")
def schema_of_type() -> dict[str, dict[str, str]]:
    """By type, the schema to which the discriminator leads."""
    union = contract().document["components"]["schemas"]["NewsItem"]
    mapping = union["discriminator"]["mapping"]
    assert union["oneOf"] == [{"$ref": reference} for reference in mapping.values()]
    return {kind: {"$ref": reference} for kind, reference in mapping.items()}


@pytest.fixture(params=RULESETS, ids=str)
def engine(request: pytest.FixtureRequest) -> AnyEngine:
    """The engine of each version."""
    ruleset: Ruleset = request.param
    return RULESETS[ruleset]


def random_states(engine: AnyEngine) -> Iterator[State]:
    """All states of random games at different tables."""
    all_tables = tables(engine)
    for seed, table in enumerate(all_tables[:: len(all_tables) // TABLES]):
        game = play(engine, table.options, table.seats, seed)
        yield from (position.state for position in game.positions)


def golden_states(engine: AnyEngine) -> Iterator[State]:
    """All states of the last golden game."""
    *_, path = sorted(book.folder(engine).glob("*.jsonl"))
    yield from replay(engine, from_lines(path.read_text(encoding="utf-8").splitlines()))


def told_items(engine: AnyEngine, state: State) -> Iterator[dict[str, Any]]:
    """The news of a state, for all viewers."""
    for viewer in all_viewers(state):
        yield from engine.news(state, viewer)


def foretold_items(engine: AnyEngine, state: State) -> Iterator[dict[str, Any]]:
    """The news that the offers of all seats foretell."""
    for seat in range(state.seats):
        actions = sampled_actions(state.legal_actions(seat), 0)
        view = engine.view(state, seat)
        for told in consequences_from_view(engine, view, seat, actions) if actions else ():
            yield from () if told is None else told.news


def test_each_item_is_as_its_type_says(
    engine: AnyEngine, schema_of_type: dict[str, dict[str, str]]
) -> None:
    slug = engine.about.slug
    validators = {
        type_of(slug, kind.kind): contract().validator(schema_of_type[type_of(slug, kind.kind)])
        for kind in engine.about.news
    }
    states = [*random_states(engine), *golden_states(engine)]
    sampled = states[:: max(1, len(states) // FORETOLD)]
    items = [item for state in states for item in told_items(engine, state)]
    items += [item for state in sampled for item in foretold_items(engine, state)]
    for item in typed_news(slug, items):
        validators[item["type"]].validate(item)
    assert len({item["kind"] for item in items}) > len(engine.about.news) / 2


def test_an_item_of_another_form_is_refused(
    engine: AnyEngine, schema_of_type: dict[str, dict[str, str]]
) -> None:
    """Without a fact, with one of another kind of news, or with null for a hidden one."""
    slug = engine.about.slug
    state = next(iter(random_states(engine)))
    item = next(item for item in typed_news(slug, told_items(engine, state)) if len(item) > 4)
    validator = contract().validator(schema_of_type[item["type"]])
    assert validator.is_valid(item)
    for name in item:
        if name not in ("cards", "card"):  # these may be hidden
            assert not validator.is_valid({key: item[key] for key in item if key != name}), name
        assert not validator.is_valid(item | {name: None}), name
    assert not validator.is_valid(item | {"other_fact": 1})


def test_each_version_names_its_kinds_once_and_apart_from_actions(engine: AnyEngine) -> None:
    about = engine.about
    types = [type_of(about.slug, kind.kind) for kind in about.news]
    types += [engine.action_codec.type_of(kind) for kind in about.actions]
    assert len(set(types)) == len(types)


def test_each_game_has_news_of_its_own(schema_of_type: dict[str, dict[str, str]]) -> None:
    """No two types have the same schema, and each is one of a ruleset or of the table."""
    references = [schema["$ref"] for schema in schema_of_type.values()]
    assert len(set(references)) == len(references)
    assert all(reference.startswith(SCHEMA_REF_PREFIX) for reference in references)
    types_of_games = {
        type_of(engine.about.slug, kind.kind)
        for engine in RULESETS.values()
        for kind in engine.about.news
    }
    types_of_table = {TABLE_ACTION_CODEC.type_of(kind) for kind in TABLE_ACTIONS}
    assert schema_of_type.keys() == types_of_games | types_of_table


@pytest.mark.parametrize(("slug", "sentences"), SENTENCES.items())
def test_each_kind_with_a_sentence_has_a_format(slug: str, sentences: set[str]) -> None:
    """However rare it is."""
    assert sentences == {kind.kind for kind in ENGINES[slug].about.news}
