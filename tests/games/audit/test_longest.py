"""Every export that this server writes passes its own verification and import: the longest of a
thousand games of each ruleset, with all seats taken, is less than half of the limits."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Final

import pytest

from games.audit import sandbox
from games.audit.size_budget import EXPORT_BUDGET
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.export_format import signed_seqs
from tests.games.audit.longest import BOTS, Size, play_with_bot

LONGEST: Final[Mapping[str, tuple[tuple[str, int], ...]]] = {  # by bot and seed, once measured
    "law_of_the_dice": (("greedy", 645),),
    "duel_edged_sword": (("greedy", 60),),
    "duality": (("greedy", 928),),
    "law": (("random", 48),),
    "duel_of_law": (("random", 383), ("random", 868)),
}
UNMEASURED: Final = (("random", 0),)


def checked_size(lines: list[bytes]) -> Size:
    """The size of an export, which must be far from all limits."""
    size = Size.of(lines)
    assert 2 * size.total <= EXPORT_BUDGET.total_bytes
    assert 2 * size.line <= EXPORT_BUDGET.line_bytes
    assert 2 * size.values <= EXPORT_BUDGET.line_values
    assert 2 * size.all_values <= EXPORT_BUDGET.total_values
    return size


def assert_importable(lines: list[bytes]) -> None:
    """Assert that a child process of this server verifies it and can import it."""
    game = sandbox.load_verified_game(BytesIO(b"".join(lines)))
    assert len(game.rows) > 1
    assert len(game.receipts) == len(signed_seqs(len(game.rows)))


@pytest.mark.lane("slow", core=1)
@pytest.mark.parametrize("slug", ENGINES)
def test_the_longest_games_known(slug: str) -> None:
    for bot, seed in LONGEST.get(slug, UNMEASURED):
        lines = play_with_bot(ENGINES[slug], bot, seed).lines("everything")
        checked_size(lines)
        assert_importable(lines)


@pytest.mark.soak
@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("slug", ENGINES)
def test_the_longest_of_a_thousand_games(slug: str, bot: str) -> None:
    longest: list[bytes] = []
    for seed in range(1_000):
        lines = play_with_bot(ENGINES[slug], bot, seed).lines("everything")
        if checked_size(lines).total > sum(map(len, longest)):
            longest = lines
    assert_importable(longest)
