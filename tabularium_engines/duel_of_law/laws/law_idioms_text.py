"""The idioms of spoken laws: ways to say a law at the sight of its cards, each restated in words of
the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tabularium_engines.duel_of_law.cards import COLOUR_NAMES, POKER_SUITS, SHADE_NAMES

Replacement = str | Callable[[re.Match[str]], str]

UNORDERED: Final = "UNORDERED"  # the symbol for "in any order"
# Words for meanings that no law has: a sentence with one of them is refused.
A_COUNT: Final = "counted"
COUNTED_DIGITS: Final = "digited"
ZIGZAG: Final = "zigzag"

_KINDS: Final = "|".join(
    (
        *(*COLOUR_NAMES, *SHADE_NAMES, *(rf"{name}?" for name in POKER_SUITS)),
        *("green", "blue", "purple", "even", "odd", "prime", "square", "vowels?", "consonants?"),
        *("(?:face|court|picture|number) cards?", "pictures?", "jacks?", "queens?", "kings?"),
    )
)
_SUBJECTS: Final = (
    r"(?:there|it|they|these|all|cards?|letters?|the|this|line|row|is|are|must|should|be|has|have"
    r"|contains?|with)"
)
_NOT: Final = (
    r"(?:no|not|never|none|isnt|arent|without|nothing(?: with)?|none of (?:them|these|the cards))"
    r"(?: (?:a|an|any|is|are|cards? (?:is|are)|letters? (?:is|are)))*"
)
_AT_ALL: Final = r"(?: (?:cards?|letters?|here|at all|on (?:it|them)|in it|in here|allowed))*"
_GREATER: Final = (
    r"(?:go|goes|going|rise|rises|rising|climb|climbs|climbing|step|steps|count|counts)"
)
_LESSER: Final = r"(?:fall|falls|falling|drop|drops|dropping|sink|sinks)"
_UPWARD: Final = (
    rf"(?:(?:{_GREATER}|come|comes) (?:back )?up|get bigger|rise|rises|climb|climbs|increase"
    r"|increases|back up|up)"
)
_DOWNWARD: Final = (
    rf"(?:(?:{_GREATER}|come|comes) (?:back )?down|get smaller|fall|falls|drop|drops|back down"
    r"|down)"
)
_LEVEL: Final = r"(?:(?:stay|stays|are|is|remain|remains) )?(?:the same|equal|level|put)"
_THEN: Final = r"(?: to the (?:middle|centre|top|bottom))?(?: and| but)?(?: then)? "
_AGAIN: Final = r"(?:over and over|again and again|repeat(?:ed|ing|s)?|on repeat)(?: again)?"
_SERIES: Final = r"(?:prime|square|fibonacci|cube)(?: number)?|power of 2"
_MANY_SERIES: Final = r"(?:primes?|squares?|fibonaccis?)(?: numbers?)?|powers? of 2"
_SIDE_BY_SIDE: Final = "(?:side by side|next to each other)"
_NEIGHBOURS: Final = (
    r"(?:(?:any|each|every|all|the|2) )*(?:(?:neighbou?r(?:s|ing)?|adjacent)(?: pairs of| 2)?"
    r"(?P<next> \w+(?: suits?)?)?"
    rf"|2 (?P<beside>\w+(?: suits?)?) {_SIDE_BY_SIDE})"
)
_MAKE: Final = r"(?:(?:always|together|must|have to|should) )*(?:make|makes|total|totals|come to)"


def _opposite(word: str, other: str) -> tuple[str, str]:
    """The idiom that a kind of cards is missing: then they are all of the one other kind."""
    return rf"^(?:{_SUBJECTS} )*{_NOT} {word}{_AT_ALL}$", other


def _neighbours_add_up(match: re.Match[str]) -> str:
    """Neighbours whose sum is said by another verb."""
    return f"{match['next'] or match['beside'] or ''} add up to"


# An earlier idiom takes its words from later ones.
_IDIOMS: Final[tuple[tuple[str, Replacement], ...]] = (
    # missing kinds
    _opposite("dark", "light"),
    _opposite("light", "dark"),
    _opposite("vowels?", "consonants"),
    _opposite("consonants?", "vowels"),
    _opposite("(?:(?:face|court|picture) cards?|faces|pictures?)", "number cards"),
    _opposite("(?:number|numbered) cards?", "face cards"),
    (r"nothing else$", ""),
    (r"(?:nothing|none|no (?:other )?cards?) (?:but|except|other than)", "only"),
    # how many: no law counts cards or digits
    (
        rf"(?<!every )(?<!each )(?<!any )one(?= (?:{_KINDS})\b| of (?:them|these|those|the)\b)",
        A_COUNT,
    ),
    (
        r"(?:only|just|exactly) one(?! (?:colour|suit|shade|rank|letter|number|dice|die|poker))",
        A_COUNT,
    ),
    (r"(?<!every )(?<!each )(?<!any )one \w+(?: suit| value)? (?:is|has)", A_COUNT),
    (r"^one (?:is|has|rises|falls)", A_COUNT),
    (r"both digits (?:are |being )?(?:the same|equal|alike|match)", "rank equals the suit"),
    (r"(?:both|all)(?: the)? digits(?! of)", "rank and suit"),
    (r"(?:\d+|single|double|triple) (?:digits?|figures?)(?! of)(?: numbers?)?", COUNTED_DIGITS),
    # steps
    (r"one by one|one(?: step)? at a time|(?<=up )one(?: step)?|(?<=down )one(?: step)?", "by 1"),
    (rf"({_GREATER}(?: up| down)?|{_LESSER}|up|down) (\d+) at a time", r"\1 by \2"),
    (
        (
            r"(?:each|every) (\w+(?: suit)?) is the (?:next|following)(?: (?:one|letter))?"
            r"(?: (?:in|of) the alphabet)?$"
        ),
        r"\1 rises by 1",
    ),
    (r"add (\d+) (?:to get the next(?: one| number)?|(?:each|every) time)", r"rise by \1"),
    # courses
    (r"(?:go |run )?backwards? (?:through|in) the alphabet", "letters fall"),
    (r"(bigger|higher|greater|larger) and \1", "rise"),
    (r"(smaller|lower|less) and \1", "fall"),
    (r"(?:biggest|highest|largest) to (?:smallest|lowest)", "fall"),
    (r"(?:smallest|lowest) to (?:biggest|highest|largest)", "rise"),
    (rf"{_UPWARD}{_THEN}{_DOWNWARD}{_THEN}{_UPWARD}", ZIGZAG),
    (rf"{_DOWNWARD}{_THEN}{_UPWARD}{_THEN}{_DOWNWARD}", ZIGZAG),
    (r"(up|down)(?: \1)+", r"\1"),
    (rf"{_LEVEL} or {_UPWARD}|{_UPWARD} or {_LEVEL}", "never fall"),
    (rf"{_LEVEL} or {_DOWNWARD}|{_DOWNWARD} or {_LEVEL}", "never rise"),
    (rf"{_UPWARD}{_THEN}{_DOWNWARD}(?: again)?", "rise and then fall"),
    (rf"{_DOWNWARD}{_THEN}{_UPWARD}(?: again)?", "fall and then rise"),
    (r"(?:(?:like|make|makes|form|forms) )+an? (?:hill|mountain|peak)", "rise and then fall"),
    (r"(?:(?:like|make|makes|form|forms) )+an? (?:valley|dip)", "fall and then rise"),
    (r"(?:with |the )*gaps (?:are )?(?:fine|ok|okay|allowed)", ""),
    (r"(?:in )?abc order|(?:from )?a to z", "alphabetical order"),
    (r"(?:from )?z to a", "letters fall"),
    (r"an? straight(?! line)", "rank consecutive"),
    # directions
    (r"(?:as|when|if) (?:you|we) (?:go|move|read)(?: to the)? right", ""),
    (r"(?:as|when|if) (?:you|we) (?:go|move|read)(?: to the)? left", "backwards"),
    (
        (
            r"(?:(?:if|when) (?:you|we) )?(?:start|begin|read)(?:n?ing)? (?:from|at) the "
            r"(right|left|top|bottom)(?: end| side)?"
        ),
        r"from the \1",
    ),
    # growth
    (
        r"add (?:any )?2 (\w+)(?: together)? (?:to get|for) the next(?: one)?",
        r"\1 are the sum of the previous 2",
    ),
    (r"(?:the )?2 before(?: it| them)? (?:put|added) together", "the sum of the 2 before"),
    (rf"{_NEIGHBOURS} {_MAKE}(?= \d)", _neighbours_add_up),
    (rf"(\w+) {_SIDE_BY_SIDE}(?= .*\b(?:add|sum))", r"neighbouring \1"),
    (r"the (?:last|previous) 2 (?:added(?: up| together)?|together)", "the sum of the previous 2"),
    # values that recur
    (rf"(?:the )?same (\d) (\w+) {_AGAIN}", r"\1 \2 in turn"),
    (r"repeat (?:after )?every (\d)(?: cards)?", r"\1 in turn"),
    (r"(?:swap|swapping|swaps|switch|switching) (?:back and forth|places)", "alternate"),
    (r"every (?:other|2nd|second)(?= \w+ is| one is)", "PATTERN_EVERY_OTHER"),
    (r"(PATTERN_EVERY_OTHER .*) and the (?:rest|others) (?:are not|arent)", r"\1"),
    (rf"2 of (?:each|every) (\w+)(?: suit)? {_SIDE_BY_SIDE}", r"\1 in pairs"),
    (r"(?:come|lie) (?:2 by 2|in 2)|doubled up(?: like aabb(?:cc)?)?", "in pairs"),
    (r"(?:switch|swap|flip)(?:es|s)? between", "alternate between"),
    (r"forwards? and (?:in reverse|back)|back and forth", "forwards and backwards"),
    (r"(mirror) images?", r"\1"),
    (r"read(?:ing)? (?:upwards?|from below)", "backwards"),
    # sequences
    (rf"the next ({_SERIES}) (?:each|every) time", r"consecutive \1"),
    (rf"({_MANY_SERIES}) in a row", r"consecutive \1"),
    (
        (
            r"(?:wherever|(?:no|it doesnt) matter where) (?:you|we|they|it) (?:starts?|begins?)"
            r"|(?:starting|beginning|from) anywhere(?: on)?"
        ),
        "consecutive",
    ),
    (
        (
            r"(?:(?:in )?any|in no particular|no matter (?:in )?(?:what|which|the)|whatever the"
            r"|regardless of(?: the)?) (?:order|sequence)"
        ),
        UNORDERED,
    ),
    (r"one after (?:another|the other)", "in order"),
    (r"from (?:the|its|their) (?:start|beginning)", "in order"),
    (
        (
            rf"({_MANY_SERIES})(.*) (?:(?:starting|beginning) (?:with|from|at)|from) (\d+)"
            r"(?: on| onwards?| up)*$"
        ),
        r"\1\2 PATTERN_BEGINNING \3",
    ),
    (r"from (?=\d+\b(?! to))", "PATTERN_STARTS "),
    (r"(?:just )?(?:like|as in) (?:the )?(?=digits|decimals|pi|phi)", ""),
    (r"(?:just )?like e$|(?:the )?way e (?:goes|does|runs)$", "digits of e"),
    # values
    (r"pale", "light"),
    (r"(green|blue|purple)s?(.*) (?:light or dark|dark or light)$", r"\1\2"),
    (r"(?:light or dark|dark or light) (?=green|blue|purple)", ""),
    (r"an? flush (?:in|of)", ""),
    (r"(?:little |small )?suit (?:symbols?|signs?)", "poker suits"),
    (r"[3-6] of a kind(?= .*(?:\d|jack|queen|king))", "rank"),
    (r"(they|they all|all|all of them|numbers|numbers all) end in(?: an?)? (\d)$", r"rank \2"),
    (r"(?:last|final) digits?(?! of)", "rank"),
    (r"one points?", "1 point"),
    (r"divides? by|can be divided by", "divisible by"),
    (r"(spades?|hearts?|clubs?|diamonds?) (?:signs?|symbols?)", r"\1"),
    (r"letters? worth as much as", "letter value equals"),
    (r"face(?= (?:then |and )*number)", "picture"),
    # words without meaning
    (r"(?:has|have|theyve|weve|youve)(?: all)? got to", "must all"),
    (r"(every|each) single", r"\1"),
    (r"(?:everybody|everyone)(?:s| is)", "every card is"),
    (r"get to put", "put"),
    (
        r"please|throughout|everywhere|all the way(?! (?:up|down))|(?:the )?(?:whole )?lot of them",
        "",
    ),
    (
        r"and so on|everythings|will do|(?:you|we) can|(?:stay|stick|keep) (?:in|to)(?= (?!the ))",
        "",
    ),
    (r"keeps? (?=getting|going|rising|falling|climbing|dropping|growing|shrinking)", ""),
)
_COMPILED_IDIOMS: Final = [
    (re.compile(rf"\b(?:{pattern})\b" if pattern[0] != "^" else pattern), replacement)
    for pattern, replacement in _IDIOMS
]
_KIND_ONES: Final = re.compile(rf"\b({_KINDS}) ones\b")


def without_ones(words: str) -> str:
    """The words with "the red ones" as red cards; elsewhere, ones are a number."""
    return _KIND_ONES.sub(r"\1 cards", words)


def restated(words: str) -> str:
    """Plain words, with each idiom in words of the vocabulary."""
    for pattern, replacement in _COMPILED_IDIOMS:
        words = " ".join(pattern.sub(replacement, words).split())
    return words
