"""Names that accounts may not have, because readers would take them for bots or the staff of the
server, also when they are written with other letters, digits or marks.

The letters of other scripts that look like Latin ones are those of Unicode's `confusables.txt`
(15.1, Unicode License v3), without rare scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final
from unicodedata import category, normalize

from ai.bot_registry import all_bot_names

STAFF_NAMES: Final = (
    *("admin", "administrator", "bot", "mod", "moderator", "official", "operator", "root"),
    *("server", "staff", "support", "sysop", "system", "tabularium", "team"),
)
FILLERS: Final = frozenset({"a", "an", "the"})
LOOKS_BY_LETTER: Final = {
    "a": "ɑΑαАаᎪᗅꓮ",
    "b": "ƄΒВЬᏏᏴᑲᖯᗷꓐꞴ",
    "c": "ΣςСсᏟᴄⲤⲥꓚꮯ",
    "d": "ԁᎠᏧᑯᗞᗪꓒꓓ",
    "e": "ΕЕеҽᎬⴹꓰꬲ",
    "f": "ϜքᖴẝꓝꞘꞙꬵ",
    "g": "ƍɡԌցᏀᏳᶃꓖ",
    "h": "ΗНһհᎻᏂᕼⲎꓧ",
    "j": "ͿϳЈјᎫᒍꓙꞲ",
    "k": "ΚКᏦᛕⲔꓗ",
    "l": "ıƖǀɩɪΙιІіӀӏᎥᏞᒪᛁⲒⳐⵏꓡꓲꙇꭵ",
    "m": "ΜϺМᎷᗰᛖⲘꓟ",
    "n": "ΝոռⲚꓠ",
    "o": "ΟοσОоՕօଠഠဝჿዐᴏᴑⲞⲟⵔꓳꬽ",
    "p": "ΡρРрᏢᑭⲢⲣꓑ",
    "q": "ԛգզⵕ",
    "r": "ƦгᎡᏒᖇᴦⲅꓣꭇꭈꮁ",
    "s": "ƽЅѕՏᏕᏚꓢꜱꮪ",
    "t": "ΤТᎢⲦꓔ",
    "u": "ʋυՍսሀᑌᴜꓴꞟꭎꭒ",
    "v": "νѴѵᏙᐯᴠⴸꓦꛟꮩ",
    "w": "ɯѡԜԝաᎳᏔᴡꓪꮃ",
    "x": "ΧХхᕁᕽᚷⲬⵝꓫꞳ",
    "y": "ɣʏΥγУуҮүყᎩᎽᶌỿⲨꓬꭚ",
    "z": "ΖᏃᴢꓜꮓ",
}
LETTER_BY_LOOK: Final = str.maketrans(
    {look: letter for letter, looks in LOOKS_BY_LETTER.items() for look in looks}
)
LETTER_BY_SIGN: Final = str.maketrans("013457@$|i", "oleastasll")
LETTER_BY_PAIR: Final = {"rn": "m", "vv": "w"}
WORD: Final = re.compile(r"(?:[^\W_]|[@$|])+")


def is_reserved(name: str) -> bool:
    """Whether a name consists of reserved words alone, or is one that is spaced out."""
    words, reserved = list(_words(name)), _reserved_words()
    main_words = [word for word in words if word not in FILLERS]
    are_all = bool(main_words) and all(word in reserved for word in main_words)
    return are_all or "".join(words) in reserved


@cache
def _reserved_words() -> frozenset[str]:
    names = (*STAFF_NAMES, *all_bot_names())
    return frozenset(word for name in names for word in _words(name))


def _words(name: str) -> Iterator[str]:
    """The words of a name in the letters that they look like. Numbers behind them do not count."""
    signs = (sign for sign in normalize("NFKD", name) if category(sign)[0] not in "MC")
    for word in WORD.findall("".join(signs)):
        letters = word.rstrip("0123456789").translate(LETTER_BY_LOOK).casefold()
        letters = letters.translate(LETTER_BY_SIGN)
        for pair, letter in LETTER_BY_PAIR.items():
            letters = letters.replace(pair, letter)
        if letters:
            yield letters
