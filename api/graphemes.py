"""How long is a name, as people count? In extended grapheme clusters (UAX #29), not code points.

Of the annex everything is here that occurs in names: combining marks, emoji with modifiers, joiners
and tags, flags, and Hangul in conjoining letters. Prepended marks (a dozen rare signs) are not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from unicodedata import category

JOINER: Final = "\u200d"  # makes a family of people
SEPARATOR: Final = "\u200c"  # keeps letters of Persian apart
PICTURES: Final = range(0x1F000, 0x1FB00)  # also those that this Python does not know yet
FLAGS: Final = range(0x1F1E6, 0x1F200)  # letters, two of which are a flag
SKINS: Final = range(0x1F3FB, 0x1F400)
TAGS: Final = range(0xE0020, 0xE0080)
LEADING: Final = range(0x1100, 0x1160)  # Hangul, by the place in a syllable
VOWELS: Final = range(0x1160, 0x11A8)
TRAILING: Final = range(0x11A8, 0x1200)
SYLLABLES: Final = range(0xAC00, 0xD7A4)
ENDINGS: Final = 28  # of a syllable; the first of them is none
MARKS: Final = ("Mn", "Mc", "Me")


def count(text: str) -> int:
    """The characters of a text."""
    return sum(1 for _ in clusters(text))


def clusters(text: str) -> Iterator[str]:
    """The characters of a text, each with all that belongs to it."""
    begun = ""
    for letter in text:
        if begun and not _goes_on(begun, letter):
            yield begun
            begun = ""
        begun += letter
    if begun:
        yield begun


def is_writable(text: str) -> bool:
    """Can it be shown, and is it what it shows? Neither controls, nor signs that turn the direction
    of writing, nor halves of characters; joiners only between what they join."""
    padded = f" {text} "
    return all(
        _is_visible(letter) or (letter in (JOINER, SEPARATOR) and _joins(before, after))
        for before, letter, after in zip(padded, padded[1:], padded[2:], strict=False)
    )


def _is_visible(letter: str) -> bool:
    return letter.isprintable() or ord(letter) in PICTURES or ord(letter) in TAGS


def _joins(before: str, after: str) -> bool:
    """Does a joiner between them change what is seen? Not between Latin letters, where it would
    make another name of the same look."""
    return all(not each.isascii() and each not in (JOINER, SEPARATOR) for each in (before, after))


def _goes_on(begun: str, letter: str) -> bool:
    """Does the letter belong to the character that has begun?"""
    if _extends(letter):
        return True
    if begun[-1] == JOINER:
        return _is_picture(letter) and _is_picture(begun[0])
    if ord(letter) in FLAGS:
        return len(begun) == 1 and ord(begun) in FLAGS
    return _is_same_syllable(ord(begun[-1]), ord(letter))


def _extends(letter: str) -> bool:
    code = ord(letter)
    if letter in (JOINER, SEPARATOR) or code in SKINS or code in TAGS:
        return True
    return category(letter) in MARKS


def _is_picture(letter: str) -> bool:
    return ord(letter) in PICTURES or category(letter) in ("So", "Sm", "Po")


def _is_same_syllable(before: int, after: int) -> bool:
    is_open = before in SYLLABLES and (before - SYLLABLES.start) % ENDINGS == 0
    if before in LEADING:
        return after in LEADING or after in VOWELS or after in SYLLABLES
    if before in VOWELS or is_open:
        return after in VOWELS or after in TRAILING
    return (before in TRAILING or before in SYLLABLES) and after in TRAILING
