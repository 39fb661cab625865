"""Each value derived from a secret depends on all its inputs and reveals none of them."""

from __future__ import annotations

from itertools import product

from games.fairness import hash_chain
from games.fairness import secret as secrets

SECRET = bytes(range(32))
GAME = "game_" + "0" * 32
OTHER = "game_" + "1" * 32


def test_fresh_secrets_differ() -> None:
    fresh = {secrets.new_secret() for _ in range(100)}
    assert len(fresh) == 100
    assert {len(secret) for secret in fresh} == {secrets.SECRET_BYTES}


def test_salts_are_distinct() -> None:
    paths = ("/draws", "/action", "/action/suit", "/action/card", "/action/suit/")
    places = list(product((SECRET, bytes(32)), (GAME, OTHER), range(1, 101), paths))
    assert len({secrets.field_salt(*place) for place in places}) == len(places) == 2_000


def test_no_key_is_a_salt_or_another_key() -> None:
    made = {
        secrets.draw_key(SECRET, GAME, ()),
        secrets.draw_key(SECRET, GAME, (None,)),
        secrets.draw_key(SECRET, GAME, ("00" * 16,)),
        secrets.draw_key(SECRET, GAME, ("00" * 16, None)),
        secrets.draw_key(SECRET, GAME, (None, "00" * 16)),
        secrets.draw_key(SECRET, OTHER, ()),
        secrets.box_key(SECRET, GAME),
        secrets.box_key(SECRET, OTHER),
        secrets.field_salt(SECRET, GAME, 1, "/draws"),
    }
    assert len(made) == 9


def test_a_commitment_is_to_one_game_and_one_secret() -> None:
    promised = {
        secrets.commitment(game, secret)
        for game, secret in product((GAME, OTHER), (SECRET, bytes(32)))
    }
    assert len(promised) == 4


def test_equal_values_have_unlike_seals() -> None:
    salts = [secrets.field_salt(SECRET, GAME, seq, "/action/suit") for seq in range(1, 5)]
    assert len({hash_chain.seal_hash(salt, "/action/suit", "hearts") for salt in salts}) == 4
    assert hash_chain.seal_hash(salts[0], "/action/suit", "hearts") != hash_chain.seal_hash(
        salts[0], "/action", "hearts"
    )
