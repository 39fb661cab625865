"""Encrypted secrets and boxes open with the right key only, and only if unaltered."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from tabularium_log.fairness.encryption import (
    EntryCipher,
    UnlockError,
    find_key_and_unlock,
    key_label,
    lock_secret,
    unlock_secret,
)

SECRET = bytes(range(32))
OLD, NEW = bytes(32), bytes([1] * 32)
GAME = "game_" + "0" * 32


class TestTheSecret:
    def test_it_opens_again(self) -> None:
        assert unlock_secret([OLD], GAME, lock_secret([OLD], GAME, SECRET)) == SECRET

    def test_old_keys_still_open_when_a_new_one_locks(self) -> None:
        locked = lock_secret([OLD], GAME, SECRET)
        assert unlock_secret([NEW, OLD], GAME, locked) == SECRET
        with pytest.raises(UnlockError):
            unlock_secret([OLD], GAME, lock_secret([NEW, OLD], GAME, SECRET))

    def test_it_names_its_key_and_tells_nothing_of_it(self) -> None:
        locked = lock_secret([NEW, OLD], GAME, SECRET)
        assert locked.startswith(key_label(NEW))
        assert key_label(NEW) != key_label(OLD)
        assert find_key_and_unlock([OLD, NEW], GAME, locked) == (NEW, SECRET)
        assert NEW[:4] not in key_label(NEW)

    def test_what_was_locked_before_keys_had_names_opens(self) -> None:
        nonce = bytes(range(12))
        locked = nonce + AESGCM(OLD).encrypt(nonce, SECRET, GAME.encode())
        assert find_key_and_unlock([NEW, OLD], GAME, locked) == (OLD, SECRET)

    @pytest.mark.parametrize("locked", [b"", b"k1", bytes(12), key_label(OLD)])
    def test_what_is_too_short_is_locked(self, locked: bytes) -> None:
        with pytest.raises(UnlockError):
            unlock_secret([OLD], GAME, locked)

    def test_it_never_looks_the_same(self) -> None:
        assert len({lock_secret([OLD], GAME, SECRET) for _ in range(10)}) == 10

    def test_it_belongs_to_its_game(self) -> None:
        with pytest.raises(UnlockError):
            unlock_secret([OLD], "game_" + "1" * 32, lock_secret([OLD], GAME, SECRET))

    def test_nobody_may_touch_it(self) -> None:
        locked = lock_secret([OLD], GAME, SECRET)
        for place in range(len(locked)):
            touched = bytearray(locked)
            touched[place] ^= 1
            with pytest.raises(UnlockError):
                unlock_secret([OLD], GAME, bytes(touched))


class TestABox:
    def test_it_opens_again(self) -> None:
        assert EntryCipher(OLD).decrypt(7, EntryCipher(OLD).encrypt(7, b"content")) == b"content"

    def test_it_does_not_show_what_is_in_it(self) -> None:
        assert b"content" not in EntryCipher(OLD).encrypt(7, b"content")

    @pytest.mark.parametrize(("key", "seq"), [(NEW, 7), (OLD, 8)])
    def test_another_key_or_place_opens_nothing(self, key: bytes, seq: int) -> None:
        with pytest.raises(UnlockError):
            EntryCipher(key).decrypt(seq, EntryCipher(OLD).encrypt(7, b"content"))

    def test_nobody_may_touch_it(self) -> None:
        sealed_box = EntryCipher(OLD).encrypt(7, b"content")
        for place in range(len(sealed_box)):
            touched = bytearray(sealed_box)
            touched[place] ^= 1
            with pytest.raises(UnlockError):
                EntryCipher(OLD).decrypt(7, bytes(touched))
