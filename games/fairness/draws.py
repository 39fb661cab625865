"""Fair draws: the numbers drawn in an entry come from a stream that the game's key determines."""

from __future__ import annotations

from hashlib import shake_256
from typing import Final

from games.engines.base import Rng

WORD_BYTES: Final = 8
WORD_RANGE: Final = 1 << 64  # the number of different words
INITIAL_WORDS: Final = 16  # generated at once: enough for nearly every entry


class FairRng(Rng):
    """SHAKE-256 as big-endian words of 64 bits; words that would bias a number are skipped."""

    def __init__(self, key: bytes, game: str, seq: int) -> None:
        start = b"tabularium/draw/1" + key + game.encode() + seq.to_bytes(8, "big")
        self._source = shake_256(start)
        self._words = b""
        self._position = 0

    def below(self, limit: int) -> int:
        if not 0 < limit <= WORD_RANGE:
            raise ValueError(f"cannot draw below {limit}")
        fair = WORD_RANGE - WORD_RANGE % limit
        word = self._next_word()
        while word >= fair:
            word = self._next_word()
        return word % limit

    def _next_word(self) -> int:
        if self._position == len(self._words):
            length = max(INITIAL_WORDS * WORD_BYTES, 2 * len(self._words))
            self._words = self._source.digest(length)  # a longer digest begins with the shorter
        word = self._words[self._position : self._position + WORD_BYTES]
        self._position += WORD_BYTES
        return int.from_bytes(word, "big")
