"""The outlook of a line that is being built: whether the clauses on one print can still hold
together once more cards are laid. A search gives up a beginning without such an outlook early."""

from __future__ import annotations

from librt.vecs import append, vec
from mypy_extensions import i64

from tabularium_engines.duel_of_law.cards import CARD_COUNT
from tabularium_engines.duel_of_law.laws import card_features as features
from tabularium_engines.duel_of_law.laws.clause_reader import ClauseReader
from tabularium_engines.duel_of_law.laws.clauses_on_line import holds_several


class PrintOutlook:
    """The readers of a law that look at one print, and of which of their memories it is known
    whether a line can go on from there and end lawfully."""

    def __init__(
        self, readers: list[ClauseReader], law: vec[i64], cards: vec[i64], begins_right: bool
    ) -> None:
        self.readers = readers
        self.law: vec[i64] = law
        self.cards: vec[i64] = cards  # one of each value of the print
        self.begins_right: bool = begins_right
        self.tries: i64 = 0
        self._answers: dict[tuple[int, ...], bool] = {}

    def is_open(self, line: vec[i64], size: i64) -> bool:
        """Whether the first cards of a line, which the readers have read, can be lengthened to a
        line with these clauses; or they are one."""
        answer = self._answers.get(self._key(size))
        return self._lengthen(list(line[:size])) if answer is None else answer

    def _key(self, size: i64) -> tuple[int, ...]:
        return (min(int(size), 3), *[reader.memories[size] for reader in self.readers])

    def _lengthen(self, cards: list[i64]) -> bool:
        """Lay further cards behind, in all ways that differ, until the clauses hold."""
        size: i64 = len(cards)
        path: list[tuple[int, ...]] = [self._key(size)]
        seen = {path[0]: True}
        tried: list[i64] = [0]
        is_found = self._is_lawful(cards)
        while not is_found:
            place: i64 = len(cards)
            if tried[place - size] == len(self.cards):
                if place == size:
                    break
                cards.pop()
                path.pop()
                tried.pop()
                continue
            card = self.cards[tried[place - size]]
            tried[place - size] += 1
            self.tries += 1
            if not self._read(place, card):
                continue
            key = self._key(place + 1)
            is_found = self._answers.get(key, False)
            if not is_found and key not in self._answers and key not in seen:
                seen[key] = True
                path.append(key)
                tried.append(0)
                cards.append(card)
                is_found = self._is_lawful(cards)
        self._answers.update(dict.fromkeys(path if is_found else seen, is_found))
        return is_found

    def _read(self, place: i64, card: i64) -> bool:
        for reader in self.readers:
            if not reader.read(place, card):
                return False
        return True

    def _is_lawful(self, cards: list[i64]) -> bool:
        """Whether the clauses hold on these cards."""
        if len(cards) < 3:
            return False
        line = cards[:]
        if self.begins_right:
            line.reverse()
        for reader in self.readers:
            if not holds_several(vec[i64](line), reader.said, self.law):
                return False
        return True


def outlooks(
    readers: list[ClauseReader], law: vec[i64], cards: vec[i64], begins_right: bool
) -> list[PrintOutlook]:
    """The outlook by each print that readers of a law look at."""
    found: list[PrintOutlook] = []
    for which in range(features.PRINT_COUNT):
        alike = [reader for reader in readers if features.print_of(reader.clause) == which]
        if len(alike) > 0:
            found.append(PrintOutlook(alike, law, _one_of_each(cards, which), begins_right))
    return found


def _one_of_each(cards: vec[i64], which: i64) -> vec[i64]:
    """A card of each value of a print."""
    values: list[i64] = []
    found = vec[i64]()
    for card in cards:
        value = features.PRINTED_VALUES[which * CARD_COUNT + card]
        if value not in values:
            values.append(value)
            found = append(found, card)
    return found
