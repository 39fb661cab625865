"""The builder of the word list's automata: run as a program, it writes `lexicon.bin`."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[3] / "tabularium_engines/duel_of_law"
WORD_BIT = 26

Node = tuple[bool, tuple[tuple[int, int], ...]]  # is a word; by letter, the next node


def words() -> list[str]:
    """The word list in the game's folder."""
    return (FOLDER / "words.txt").read_text(encoding="ascii").split()


class Automaton:
    """The minimal automaton of a word list: prefixes with the same continuations share a node."""

    def __init__(self, word_list: Iterable[str]) -> None:
        self.numbers: dict[Node, int] = {}
        root: dict[str, object] = {}
        for word in word_list:
            node = root
            for letter in word:
                node = node.setdefault(letter, {})  # type: ignore[assignment]
            node[""] = True
        self.root = self._number(root)

    def _number(self, node: dict[str, object]) -> int:
        children = tuple(
            (ord(letter) - ord("a"), self._number(child))  # type: ignore[arg-type]
            for letter, child in sorted(node.items())
            if letter
        )
        return self.numbers.setdefault(("" in node, children), len(self.numbers))

    def layout(self, offset: int) -> tuple[list[int], int]:
        """The nodes as numbers laid out from offset `offset`, and the offset of the root."""
        offsets: dict[int, int] = {}
        for (_, children), number in self.numbers.items():
            offsets[number] = offset
            offset += 1 + len(children)
        numbers: list[int] = []
        for is_word, children in self.numbers:
            mask = sum(1 << letter for letter, _ in children)
            numbers.append(mask | (int(is_word) << WORD_BIT))
            numbers += [offsets[child] for _, child in children]
        return numbers, offsets[self.root]


def lexicon() -> bytes:
    """The offsets of both roots, then both automata: left to right, and right to left."""
    word_list = words()
    forward, root = Automaton(word_list).layout(2)
    backward, other = Automaton(word[::-1] for word in word_list).layout(2 + len(forward))
    numbers = array("I", [root, other, *forward, *backward])
    if numbers.itemsize != 4 or numbers.tobytes()[:4] != root.to_bytes(4, "little"):
        raise SystemExit("Write it on a machine whose numbers begin with the lowest byte.")
    return numbers.tobytes()


if __name__ == "__main__":
    (FOLDER / "lexicon.bin").write_bytes(lexicon())
