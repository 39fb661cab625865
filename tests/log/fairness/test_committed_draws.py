"""Each value derived from a secret depends on all its inputs and reveals none of them; draws are
uniform and reproducible, and differ between entries."""

from __future__ import annotations

from collections import Counter
from hashlib import shake_256
from itertools import product

import pytest

from tabularium_log.fairness.committed_draws import (
    INITIAL_WORDS,
    SECRET_BYTES,
    WORD_BYTES,
    WORD_RANGE,
    FairRng,
    box_key,
    commitment,
    draw_key,
    field_salt,
    new_secret,
)
from tabularium_log.fairness.signed_hash_chain import seal_hash

SECRET = bytes(range(32))
GAME = "game_" + "0" * 32
OTHER = "game_" + "1" * 32
KEY = bytes(range(32))
# critical values of chi-squared with limit - 1 degrees of freedom, at p = 1/10,000
BEYOND = {2: 15.1, 6: 25.7, 52: 100.9, 100: 161.3}


def test_fresh_secrets_differ() -> None:
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert {len(secret) for secret in secrets} == {SECRET_BYTES}


def test_salts_are_distinct() -> None:
    paths = ("/draws", "/action", "/action/suit", "/action/card", "/action/suit/")
    places = list(product((SECRET, bytes(32)), (GAME, OTHER), range(1, 101), paths))
    assert len({field_salt(*place) for place in places}) == len(places) == 2_000


def test_no_key_is_a_salt_or_another_key() -> None:
    keys = {
        draw_key(SECRET, GAME, ()),
        draw_key(SECRET, GAME, (None,)),
        draw_key(SECRET, GAME, ("00" * 16,)),
        draw_key(SECRET, GAME, ("00" * 16, None)),
        draw_key(SECRET, GAME, (None, "00" * 16)),
        draw_key(SECRET, OTHER, ()),
        box_key(SECRET, GAME),
        box_key(SECRET, OTHER),
        field_salt(SECRET, GAME, 1, "/draws"),
    }
    assert len(keys) == 9


def test_a_commitment_is_to_one_game_and_one_secret() -> None:
    promised = {
        commitment(game, secret) for game, secret in product((GAME, OTHER), (SECRET, bytes(32)))
    }
    assert len(promised) == 4


def test_equal_values_have_unlike_seals() -> None:
    salts = [field_salt(SECRET, GAME, seq, "/action/suit") for seq in range(1, 5)]
    assert len({seal_hash(salt, "/action/suit", "hearts") for salt in salts}) == 4
    assert seal_hash(salts[0], "/action/suit", "hearts") != seal_hash(salts[0], "/action", "hearts")


def stream_words(seq: int, number: int) -> list[int]:
    """The beginning of an entry's stream, computed independently."""
    start = b"tabularium/draw/1" + KEY + GAME.encode() + seq.to_bytes(8, "big")
    stream = shake_256(start).digest(number * WORD_BYTES)
    return [
        int.from_bytes(stream[at : at + WORD_BYTES], "big")
        for at in range(0, len(stream), WORD_BYTES)
    ]


@pytest.mark.parametrize("limit", BEYOND)
def test_every_number_comes_as_often(limit: int) -> None:
    rng, each = FairRng(KEY, GAME, 1), 1_000
    frequencies = Counter(rng.below(limit) for _ in range(each * limit))
    assert set(frequencies) <= set(range(limit))
    chi_squared = sum((frequencies[number] - each) ** 2 / each for number in range(limit))
    assert chi_squared < BEYOND[limit]


@pytest.mark.parametrize("limit", [2**63 + 1, 3 * 2**61, 3 * 2**62 + 1])
def test_unfair_words_are_left_out(limit: int) -> None:
    """Such limits reject a quarter to a half of all words."""
    rng, number = FairRng(KEY, GAME, 3), 200
    fair = WORD_RANGE - WORD_RANGE % limit
    stream = stream_words(3, 4 * number)
    kept = [word % limit for word in stream if word < fair]
    assert len(kept) < len(stream)
    assert [rng.below(limit) for _ in range(number)] == kept[:number]


def test_limits_that_divide_all_words_leave_none_out() -> None:
    rng = FairRng(KEY, GAME, 4)
    assert [rng.below(WORD_RANGE) for _ in range(50)] == stream_words(4, 50)
    assert [FairRng(KEY, GAME, 4).below(1) for _ in range(5)] == [0] * 5


def test_a_longer_stream_begins_with_the_shorter() -> None:
    rng, number = FairRng(KEY, GAME, 5), 10 * INITIAL_WORDS
    assert [rng.below(WORD_RANGE) for _ in range(number)] == stream_words(5, number)


def test_every_key_game_and_entry_has_a_stream_of_its_own() -> None:
    streams = {
        tuple(rng.below(1000) for _ in range(10))
        for rng in (
            FairRng(KEY, GAME, 1),
            FairRng(KEY, GAME, 2),
            FairRng(KEY, GAME, 256),
            FairRng(bytes(32), GAME, 1),
            FairRng(KEY, "game_" + "1" * 32, 1),
        )
    }
    assert len(streams) == 5


@pytest.mark.parametrize("limit", [0, -1, WORD_RANGE + 1])
def test_nothing_lies_below_such_limits(limit: int) -> None:
    with pytest.raises(ValueError, match="cannot draw"):
        FairRng(KEY, GAME, 1).below(limit)
