"""Randomness is the same in every run of a test, and different between tests."""

from __future__ import annotations

import secrets
from typing import Any

import pytest

from games.ids import new_id
from tabularium_log.fairness.committed_draws import new_secret
from tests.support.chance import SEEDED_FUNCTIONS, seeded


def draw_all() -> list[Any]:
    """A value from each function."""
    return [
        secrets.randbits(80),
        secrets.randbelow(1_000_000),
        secrets.choice(range(1_000_000)),
        secrets.token_bytes(8),
        secrets.token_hex(),
        new_secret(),
        new_id("game"),
    ]


def test_the_same_seed_draws_the_same() -> None:
    with seeded("one"):
        first = draw_all()
    with seeded("one"):
        assert draw_all() == first
    with seeded("another"):
        assert not any(value == other for value, other in zip(draw_all(), first, strict=True))


def test_a_test_is_seeded_by_its_name(request: pytest.FixtureRequest) -> None:
    shift = request.config.getoption("--chance")
    draws = draw_all()
    with seeded(f"{shift} {request.node.nodeid}"):
        assert draw_all() == draws


def test_nothing_is_left_to_the_system() -> None:
    public = {name for name in secrets.__all__ if callable(getattr(secrets, name))}
    assert public - set(SEEDED_FUNCTIONS) == {"SystemRandom", "compare_digest", "token_urlsafe"}
