"""The vocabulary of spoken laws: the phrases in which people state a law, each with the symbol that
stands for it, and the meanings that the law language lacks (R4)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from tabularium_engines.duel_of_law.cards import COLOUR_NAMES, POKER_SUITS, SHADE_NAMES
from tabularium_engines.duel_of_law.laws.clause_codes import FEATURE_NAMES
from tabularium_engines.duel_of_law.laws.law_idioms_text import (
    A_COUNT,
    COUNTED_DIGITS,
    UNORDERED,
    ZIGZAG,
    Replacement,
    without_ones,
)

# A symbol is a word in capitals: FEATURE_RANK, PATTERN_RISES, VALUE_DARK_GREEN, STEP_3.
FEATURE: Final = "FEATURE_"
PATTERN: Final = "PATTERN_"
VALUE: Final = "VALUE_"
STEP: Final = "STEP_"
HUE: Final = "HUE_"
BACKWARD: Final = "BACKWARD"
SYMBOLS: Final = (FEATURE, PATTERN, VALUE, STEP, HUE, BACKWARD, UNORDERED)

NUMBER_WORDS: Final = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen"),
    *("fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
)
_DIGIT_BY_WORD: Final = {word: str(number) for number, word in enumerate(NUMBER_WORDS)} | {
    word + ("es" if word == "six" else "s"): str(number) for number, word in enumerate(NUMBER_WORDS)
}
# "One" is a number in these places only: "the previous one" is none.
_ONE_AS_NUMBER: Final = (
    r"(?<=\bby )one\b|(?<=\bworth )one\b|(?<=\bwith )one\b|(?<=\bis )one\b"
    r"|\bone(?= (?:more|further|less|higher|lower|greater|smaller|bigger|later|earlier|up|down)\b)"
)
_BEFORE: Final = r"(?:previous|last|preceding|before|earlier)"
_COMPARED: Final = r"(?:one|card|number|rank|letter|dice|die|suit|value|colour|it|the|its|that)"
_PREVIOUS: Final = rf"(?:{_COMPARED} )*{_BEFORE}(?: {_COMPARED})*"
_MORE: Final = r"(?:higher|greater|larger|bigger|more|later|further(?: on)?)"
_LESS: Final = r"(?:lower|smaller|less|fewer|earlier)"
_UP: Final = (
    r"(?:rise|rises|rising|increase|increases|increasing|ascend|ascends|ascending|grow|grows"
    r"|growing|climb|climbs|climbing"
    r"|(?:go|goes|going|count|counts|counting|get|gets|getting|step|steps|stepping|run|runs|running)"
    rf" (?:up|upwards?|{_MORE})|up)(?: order)?"
)
_DOWN: Final = (
    r"(?:fall|falls|falling|decrease|decreases|decreasing|descend|descends|descending|drop|drops"
    r"|dropping|shrink|shrinks|shrinking|sink|sinks|sinking"
    r"|(?:go|goes|going|count|counts|counting|get|gets|getting|step|steps|stepping|run|runs|running)"
    rf" (?:down|{_LESS})|down)(?: order)?"
)
_NEVER: Final = r"(?:never|do not|does not|dont|doesnt)"
_LAST_TWO: Final = (
    r"(?:2 (?:\w+ )?before(?: it)?|(?:previous|last|preceding) 2)"
    r"(?: (?:cards|ones|numbers|ranks|suits|dice|values))?"
)
_BOTH_WAYS: Final = (
    r"(?:both ways|either way|(?:from|in|at) (?:both|either) (?:ends?|sides?|directions?)"
    r"|forwards? (?:and|as|or) backwards?|backwards? (?:and|as|or) forwards?)"
)
_FROM_END: Final = (
    r"(?:from )?(?:the )?{0} to (?:the )?{1}|(?:from )?(?:the )?{2} to (?:the )?{3}"
    r"|from the (?:{0}|{2})(?: end)?"
)
_DIGITS_OF: Final = r"(?:digits?|decimals?|decimal places|places)"

# Meanings of features, patterns and values; an earlier phrase takes its words from later ones.
_PHRASES: Final[tuple[tuple[str, Replacement], ...]] = (
    (r"(?:in|of|along|across|down) (?:this|the) (?:row|line|column|branch)", ""),
    # patterns
    (rf"{_NEVER} {_DOWN}|non decreasing", "PATTERN_NEVER_FALLS"),
    (rf"{_NEVER} {_UP}|non increasing", "PATTERN_NEVER_RISES"),
    (rf"(?:{_UP})(?: and)?(?: then)? (?:{_DOWN})", "PATTERN_PEAKS"),
    (rf"(?:{_DOWN})(?: and)?(?: then)? (?:{_UP})", "PATTERN_DIPS"),
    (rf"(?:twice|double|2 times)(?: as (?:much|big|high) as)? {_PREVIOUS}", "PATTERN_DOUBLES"),
    (r"doubl(?:e|es|ed|ing)(?: each time)?", "PATTERN_DOUBLES"),
    (rf"half(?: of)? {_PREVIOUS}|halv(?:es|ing)(?: each time)?", "PATTERN_HALVES"),
    (rf"(?:the )?(?:sum|total) of (?:the |its )?{_LAST_TWO}", "PATTERN_SUM_OF_TWO"),
    (r"(?:neighbou?r\w*|adjacent) (?=.*\b(?:add|sum|total))", ""),
    (r"(?:add|sum)(?:s|ing)?(?: up)? to|(?:make|have) a (?:sum|total) of", "PATTERN_ADDS_TO"),
    (r"(?:each|every) (\w+) (?:twice|2 times)(?! the| as)", r"\1 PATTERN_PAIRS"),
    (r"(?:come |go |lie )?(?:in|by) pairs|pairs of", "PATTERN_PAIRS"),
    (r"(\w+(?: of \d+)?) (?:and |then )?not \1", r"\1 PATTERN_OTHERS"),
    (r"and (?:the )?others?(?: numbers)?(?= .*\b(?:alternat|turn))", "PATTERN_OTHERS"),
    (r"(?:is|are) the same as (?:the |its )?(?=dice|die|suit|letter value)", "PATTERN_EQUALS "),
    (r"equals?(?: to)?|match(?:es)?", "PATTERN_EQUALS"),
    (
        rf"(?:the )?same {_BOTH_WAYS}|palindrom\w*|mirror\w*|symmetric\w*",
        "PATTERN_PALINDROME",
    ),
    (
        r"alternat\w*(?: between)?|in turns?|tak(?:e|es|ing) turns|by turns",
        "PATTERN_ALTERNATES",
    ),
    (r"(?:an? )?(?:real |valid |proper )?(?:english )?words?", "PATTERN_WORD"),
    (rf"(\d+) {_MORE}(?: than {_PREVIOUS})?", r"PATTERN_RISES STEP_\1"),
    (rf"(\d+) {_LESS}(?: than {_PREVIOUS})?", r"PATTERN_FALLS STEP_\1"),
    (rf"{_MORE} than {_PREVIOUS}", "PATTERN_RISES"),
    (rf"{_LESS} than {_PREVIOUS}", "PATTERN_FALLS"),
    (r"divisible by", "divisible"),
    (r"2 by 2|2 at a time", "FEATURE_NUMBER"),
    (r"(?:by|in|in (?:steps|jumps) of) (\d+)", r"STEP_\1"),
    (_UP, "PATTERN_RISES"),
    (_DOWN, "PATTERN_FALLS"),
    (r"alphabetical(?:ly)?(?: order)?", "FEATURE_LETTER PATTERN_RISES"),
    (r"(?:in|of|through) the alphabet", "FEATURE_LETTER"),
    (r"plus (\d+)", r"PATTERN_RISES STEP_\1"),
    (r"minus (\d+)", r"PATTERN_FALLS STEP_\1"),
    (r"consecutive|successive", "PATTERN_CONSECUTIVE"),
    (r"(?:in )?(?:order|sequence)|sequential", "PATTERN_ORDER"),
    (r"cycl(?:e|es|ing|ic)|wrap(?:s|ping)?", "PATTERN_ORDER"),
    (r"(?:start|begin)(?:s|ning|ing)?", "PATTERN_STARTS"),
    (rf"as {_PREVIOUS}", ""),
    (r"(?:the )?same", "PATTERN_SAME"),
    # directions; forward is understood
    (
        rf"backwards?|reversed|in reverse|{_FROM_END.format('right', 'left', 'bottom', 'top')}",
        BACKWARD,
    ),
    (
        rf"forwards?|{_FROM_END.format('left', 'right', 'top', 'bottom')}",
        "",
    ),
    # sequences and properties
    (rf"(?:{_DIGITS_OF} (?:of )?)?pi", "VALUE_PI"),
    (rf"{_DIGITS_OF} of (?:e|euler)|eulers number", "VALUE_EULER"),
    (rf"(?:{_DIGITS_OF} of )?(?:the )?(?:square )?root (?:of )?2|sqrt ?2", "VALUE_SQRT2"),
    (
        rf"(?:{_DIGITS_OF} of )?(?:the )?(?:phi|golden (?:ratio|section|mean))",
        "VALUE_PHI",
    ),
    (r"powers? of 2", "VALUE_POWER_OF_2"),
    (r"(?:multiples? of|divisible) 2", "VALUE_EVEN"),
    (r"(?:multiples? of|divisible) (\d+)|(?:in the )?(\d+) times table", r"VALUE_MULTIPLE_OF_\1\2"),
    *[
        (rf"{word}(?: numbers?)?", f"VALUE_{symbol}")
        for word, symbol in (
            *(("evens?", "EVEN"), ("odds?", "ODD"), ("primes?", "PRIME"), ("squares?", "SQUARE")),
            *(("triang(?:ular|les?)", "TRIANGULAR"), ("fibonaccis?", "FIBONACCI")),
            *(("cubes?", "CUBE"), ("composites?", "COMPOSITE")),
        )
    ],
    (r"parity", "VALUE_EVEN VALUE_ODD"),
    # values
    (r"(?:number|numeric|numbered|numeral|pip) cards?", "VALUE_NUMBER"),
    (r"(?:face|court|picture) cards?|faces|pictures?", "VALUE_FACE"),
    *[(name, VALUE + name.upper().replace(" ", "_")) for name in COLOUR_NAMES if " " in name],
    *[(f"{name}s?", VALUE + name.upper()) for name in COLOUR_NAMES if " " not in name],
    *[(name, VALUE + name.upper()) for name in SHADE_NAMES],
    *[(f"{name}?", VALUE + name.upper()) for name in POKER_SUITS],
    *[(rf"{name}s?", f"HUE_{name.upper()}") for name in ("green", "blue", "purple")],
    (r"vowels?", "VALUE_VOWEL"),
    (r"consonants?", "VALUE_CONSONANT"),
    *[(rf"{name}s?", VALUE + name[0].upper()) for name in ("jack", "queen", "king")],
    # features
    (
        r"(?:letters? )?worth|letters? (?:has|have|with|of)(?: an?| the)? values?",
        "FEATURE_LETTER_VALUE",
    ),
    (r"(?:letter|scrabble) (?:values?|points?|scores?)|points?", "FEATURE_LETTER_VALUE"),
    (r"poker colours?|colours? of the poker suits?", "FEATURE_POKER_COLOUR"),
    (r"poker(?: suits?)?", "FEATURE_POKER"),
    (r"(?:dice|die)(?: (?:suits?|numbers?|values?))?", "FEATURE_DICE"),
    (r"suit numbers?", "FEATURE_SUIT"),
    (r"suit colours?|colours?(?: suits?)?", "FEATURE_COLOUR"),
    (r"suits?", "FEATURE_SUIT"),
    (r"shades?", "FEATURE_SHADE"),
    (r"ranks?|digits?", "FEATURE_RANK"),
    (r"(?:card )?numbers?", "FEATURE_NUMBER"),
    (r"letters?", "FEATURE_LETTER"),
    (r"VALUE_FACE ((?:then |and )*)FEATURE_NUMBER", r"VALUE_FACE \1VALUE_NUMBER"),
    (r"FEATURE_NUMBER ((?:then |and )*)VALUE_FACE", r"VALUE_NUMBER \1VALUE_FACE"),
)
_COMPILED_PHRASES: Final = [
    (re.compile(rf"\b(?:{pattern})\b"), replacement) for pattern, replacement in _PHRASES
]

_FILLERS: Final = (
    "the a an every each all both only always just any exactly everything"
    " is are be been being must should have has having put i we it they theyre them"
    " this that these those its their there here when then"
    " you coloured show shows showing contain contains containing follow follows following say"
    " with of in on at from for to by and as per"
    " card cards suited set law rule line branch integers value values perfect"
    " read reads reading look looks spell spells spelling spelled spelt"
    " make makes making form forms forming out go goes one ones time times up"
)
FILLERS: Final = frozenset(_FILLERS.split())

_NEGATIONS: Final = (
    r"not|no|non|never|none|nothing|anything but|without|except|excluding|but|cannot|nor|neither"
    r"|avoid\w*|hardly|lack\w*|free|skip\w*|other than|apart from"
    r"|isnt|arent|dont|doesnt|cant|wont|mustnt|shouldnt|havent|hasnt"
)
_OUTSIDE: Final = (
    r"rows?|columns?|tables?|players?|seats?|hands?|turns?|positions?|places?|tokens?"
    r"|owners?|crossings?|neighbou?r\w*"
)
# Meanings that the language lacks: a code, the words that people try, and a sentence.
_LACKS: Final = (
    ("unknown", rf"\b{A_COUNT}\b", "A law speaks of each of its cards, and never counts them"),
    ("unknown", rf"\b{ZIGZAG}\b", "A law lets values turn once, never again and again"),
    ("has-no-or", r"\b(?:or|either)\b|\|", 'A law has no "or": that would be a list of cards'),
    (
        "has-no-negation",
        rf"\b(?:{_NEGATIONS})\b",
        "A law says what cards are, never what they are not: that is a list of all the others",
    ),
    (
        "has-no-difference",
        r"\b(?:different|differ|differs|distinct|unique|unlike|repeat\w*|twice)\b",
        "That cards differ says what they are not, and a law never does",
    ),
    (
        "has-no-inequality",
        rf"[<>≤≥≠]|\b(?:than|above|below|over|under|between|at (?:least|most)|{COUNTED_DIGITS})\b",
        "A law has no inequalities: they are lists of all the values on one side",
    ),
    (
        "is-outside-the-cards",
        rf"\b(?:{_OUTSIDE})\b",
        "A law speaks of the features of its cards and of nothing else",
    ),
)
LACKS: Final = [(code, re.compile(words), sentence) for code, words, sentence in _LACKS]


def plain_words(sentence: str) -> str:
    """A sentence in lower case, with British spelling, numbers as digits, and no punctuation."""
    text = sentence.lower().replace("color", "colour").replace("grey", "gray")
    text = re.sub(r"\bone['’]s\b", "one is", text)
    text = re.sub(r"['’]", "", text).replace("π", " pi ").replace("!=", " not ")
    text = re.sub(r"[^\w<>≤≥≠|]|_", " ", text)
    text = without_ones(" ".join(text.split()))
    text = re.sub(_ONE_AS_NUMBER, "1", text)
    words = [_DIGIT_BY_WORD.get(word, word) if word != "one" else word for word in text.split()]
    return " ".join(words)


def symbols(words: str) -> str:
    """The words with a symbol for each phrase of the vocabulary."""
    for pattern, replacement in _COMPILED_PHRASES:
        words = pattern.sub(replacement, words)
    return words


def known_words() -> Iterator[str]:
    """Words of the vocabulary, which a misspelt word may stand for."""
    yield from (word for word in FILLERS if len(word) > 3)
    for pattern, _ in _PHRASES:
        yield from (word for word in re.findall(r"[a-z]{4,}", pattern) if word not in FILLERS)
    yield from (name for name in FEATURE_NAMES if "_" not in name)
