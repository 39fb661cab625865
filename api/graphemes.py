"""Grapheme clusters (UAX #29): the length of a text as people count its characters, not in code
points.

Covers the parts of the annex that occur in names: combining marks, emoji with modifiers, joiners
and tags, flags, and conjoining Hangul letters. Prepended marks (a dozen rare signs) are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unicodedata import category

ZERO_WIDTH_JOINER: Final = "\u200d"  # joins people to a family
ZERO_WIDTH_NON_JOINER: Final = "\u200c"  # separates letters in Persian
PICTOGRAPH_RANGE: Final = range(0x1F000, 0x1FB00)  # also those unknown to this Python
REGIONAL_INDICATOR_RANGE: Final = range(0x1F1E6, 0x1F200)  # letters; two of them make a flag
SKIN_TONE_RANGE: Final = range(0x1F3FB, 0x1F400)
TAG_CHARACTER_RANGE: Final = range(0xE0020, 0xE0080)
HANGUL_LEADING_RANGE: Final = range(0x1100, 0x1160)  # Hangul, by position in a syllable
HANGUL_VOWEL_RANGE: Final = range(0x1160, 0x11A8)
HANGUL_TRAILING_RANGE: Final = range(0x11A8, 0x1200)
HANGUL_SYLLABLE_RANGE: Final = range(0xAC00, 0xD7A4)
HANGUL_TRAILING_COUNT: Final = 28  # per syllable; the first means that there is none
MARK_CATEGORIES: Final = ("Mn", "Mc", "Me")


def count_graphemes(text: str) -> int:
    """The number of grapheme clusters in a text."""
    return sum(1 for _ in grapheme_clusters(text))


def grapheme_clusters(text: str) -> Iterator[str]:
    """The grapheme clusters of a text."""
    cluster = ""
    for letter in text:
        if cluster and not _is_same_cluster(cluster, letter):
            yield cluster
            cluster = ""
        cluster += letter
    if cluster:
        yield cluster


def is_displayable(text: str) -> bool:
    """Whether a text is displayable and looks like its content: no controls, no signs that change
    the writing direction, no lone surrogates; joiners only where they take effect."""
    padded = f" {text} "
    return all(
        _is_visible(letter)
        or (letter in (ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER) and _can_join(before, after))
        for before, letter, after in zip(padded, padded[1:], padded[2:], strict=False)
    )


def _is_visible(letter: str) -> bool:
    return (
        letter.isprintable()
        or ord(letter) in PICTOGRAPH_RANGE
        or ord(letter) in TAG_CHARACTER_RANGE
    )


def _can_join(before: str, after: str) -> bool:
    """Whether a joiner between two characters is allowed. Between ASCII characters it is not: it
    would make a second name that looks the same."""
    return all(
        not neighbour.isascii() and neighbour not in (ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER)
        for neighbour in (before, after)
    )


def _is_same_cluster(cluster: str, letter: str) -> bool:
    """Whether the letter continues the cluster."""
    if _is_extender(letter):
        return True
    if cluster[-1] == ZERO_WIDTH_JOINER:
        return _is_pictograph(letter) and _is_pictograph(cluster[0])
    if ord(letter) in REGIONAL_INDICATOR_RANGE:
        return len(cluster) == 1 and ord(cluster) in REGIONAL_INDICATOR_RANGE
    return _is_same_syllable(ord(cluster[-1]), ord(letter))


def _is_extender(letter: str) -> bool:
    code = ord(letter)
    if (
        letter in (ZERO_WIDTH_JOINER, ZERO_WIDTH_NON_JOINER)
        or code in SKIN_TONE_RANGE
        or code in TAG_CHARACTER_RANGE
    ):
        return True
    return category(letter) in MARK_CATEGORIES


def _is_pictograph(letter: str) -> bool:
    return ord(letter) in PICTOGRAPH_RANGE or category(letter) in ("So", "Sm", "Po")


def _is_same_syllable(before: int, after: int) -> bool:
    is_open = (
        before in HANGUL_SYLLABLE_RANGE
        and (before - HANGUL_SYLLABLE_RANGE.start) % HANGUL_TRAILING_COUNT == 0
    )
    if before in HANGUL_LEADING_RANGE:
        return (
            after in HANGUL_LEADING_RANGE
            or after in HANGUL_VOWEL_RANGE
            or after in HANGUL_SYLLABLE_RANGE
        )
    if before in HANGUL_VOWEL_RANGE or is_open:
        return after in HANGUL_VOWEL_RANGE or after in HANGUL_TRAILING_RANGE
    return (
        before in HANGUL_TRAILING_RANGE or before in HANGUL_SYLLABLE_RANGE
    ) and after in HANGUL_TRAILING_RANGE
