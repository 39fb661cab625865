"""Leak detection: the honesty tests catch every planted leak, and pass honest bots."""

from __future__ import annotations

import pytest

from ai import bot_registry, view_guard
from ai.bot_dispatch import WakeMessage
from ai.bot_kinds import Bot
from games import selectors
from tabularium_engines.base import AnyEngine
from tabularium_engines.installed.registry import ENGINES
from tabularium_engines.search.playout import RandomRolloutEvaluator
from tests.ai.honesty.leaks import (
    LEAKS,
    Betrayal,
    Blushing,
    Marked,
    Peeping,
    Prophet,
    Snoop,
    Stacked,
    a_sealed_vote,
    leaky,
)
from tests.ai.honesty.pairs import (
    IS_COMPILED,
    Pair,
    bot_without_heuristic,
    check_bot,
    check_search,
    pairs,
    players,
)
from tests.ai.honesty.tables import check_tables, forked_games, games_forked_at_end
from tests.engines.lucky_draw import LuckyDraw

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="takes minutes, interpreted")

MANY = 300  # pairs in which a leak must show; few seats decide after votes have been cast
PLENTY = 60
LITTLE = 6


def some_pairs(engine: AnyEngine, number: int = PLENTY) -> list[Pair]:
    """Pairs of a game."""
    return pairs(engine, number)


@pytest.mark.lane("slow", core=1)
@pytest.mark.parametrize(("slug", "betray"), LEAKS)
def test_rules_that_betray_are_caught(slug: str, betray: Betrayal) -> None:
    telling = some_pairs(leaky(slug, betray), MANY if betray is a_sealed_vote else LITTLE)
    for bot in players(slug).values():
        with pytest.raises(AssertionError, match="what is hidden shows in the worlds"):
            check_bot(telling, bot)


@pytest.mark.parametrize("slug", ENGINES)
def test_and_so_is_a_view_that_drags_the_state_behind_it(slug: str) -> None:
    engine = leaky(slug, lambda world, truth, seat: world)
    pair = some_pairs(engine, 1)[0]
    view = engine.view(pair.truth, pair.seat)
    assert view == ENGINES[slug].view(pair.truth, pair.seat)
    with pytest.raises(view_guard.NotAView):
        view_guard.check_view(view, engine.about.view)


@pytest.mark.parametrize("kind", [Peeping, Marked, Blushing])
def test_a_search_that_peeps_is_caught(kind: type[LuckyDraw]) -> None:
    with pytest.raises(AssertionError, match="what is hidden shows in the"):
        check_search(some_pairs(kind()), RandomRolloutEvaluator())


@pytest.mark.parametrize("kind", [LuckyDraw, Stacked])
def test_an_honest_search_is_not(kind: type[LuckyDraw]) -> None:
    check_search(some_pairs(kind()), RandomRolloutEvaluator())
    check_bot(some_pairs(kind()), bot_without_heuristic())


# -- stored games with secrets ---------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("name", bot_registry.COMMON_BOT_NAMES)
@pytest.mark.parametrize("slug", ENGINES)
def test_two_tables_that_look_alike_see_the_same_bot(
    slug: str, name: str, woken: list[WakeMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    for steps in (0, 3):
        check_tables(*forked_games(slug, name, steps), monkeypatch)


@pytest.mark.django_db
def test_what_it_does_last_is_not_confused_with_the_secrets_told_then(
    woken: list[WakeMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    games, seat = games_forked_at_end("duality", "greedy", monkeypatch)
    check_tables(games, seat, monkeypatch)
    ends = [selectors.game_projection(game).entry.action for game in games]
    assert [end["type"] for end in ends] == ["table.end"] * 2
    assert ends[0]["secret"] != ends[1]["secret"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("slug", "kind"),
    [
        (slug, kind)
        for slug in ENGINES
        for kind in (Snoop, Prophet)
        if (slug, kind) != ("duel_edged_sword", Snoop)  # nothing is hidden in this game
    ],
)
def test_a_bot_that_finds_the_truth_in_memory_is_caught(
    slug: str, kind: type[Snoop], woken: list[WakeMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    games, seat = forked_games(slug, "mcts", 3)
    seat_bot_everywhere(kind, bot_registry.create_bot("mcts", slug), monkeypatch)
    with pytest.raises(AssertionError, match="what is hidden shows in the"):
        check_tables(games, seat, monkeypatch)


def seat_bot_everywhere(kind: type[Snoop], bot: Bot, patch: pytest.MonkeyPatch) -> None:
    """Put that bot into every seat."""
    patch.setattr(bot_registry, "create_bot", lambda name, slug, version: kind(bot))
