"""docs/keys.md names the figures of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from api import accounts, handovers
from config.environment import DEFAULT_RATE_LIMITS

PAGE = " ".join((Path(__file__).parents[2] / "docs" / "keys.md").read_text("utf-8").split())
CODES, SECONDS = DEFAULT_RATE_LIMITS["codes"]


@pytest.mark.parametrize(
    "sentence",
    [
        f"An account has at most {accounts.MAX_KEYS_PER_ACCOUNT} keys.",
        f"it works with {accounts.MAX_KEYS_PER_ACCOUNT} keys as well",
        f"at least {accounts.GuestsEndpoint.min_idempotency_key_length} characters",
        f"an address may try {CODES} in ten minutes",
    ],
)
def test_a_figure_is_that_of_the_code(sentence: str) -> None:
    assert sentence in PAGE


def test_times_in_words_are_those_of_the_code() -> None:
    assert SECONDS == 600
    assert handovers.CODE_VALID_FOR.total_seconds() == 300
    assert "It is valid for five minutes" in PAGE
