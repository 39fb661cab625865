"""docs/fairness.md matches the code: the service and the published verifier reproduce its test
vectors; its blocks and tables are compared with both."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any

import pytest

from tests.docs import vectors
from tests.docs.verifier import DOCS, VERIFIER, imported_packages

GIVEN: dict[str, Any] = json.loads(vectors.FILE.read_text(encoding="utf-8"))
PAGE = vectors.PAGE.read_text(encoding="utf-8")


def test_the_service_makes_the_vectors() -> None:
    assert vectors.vectors() == GIVEN


@pytest.mark.parametrize("name", sorted(GIVEN.keys() - {"export", "recorded"}))
def test_the_page_shows_them(name: str) -> None:
    assert json.loads(dict(vectors.BLOCK.findall(PAGE))[name]) == GIVEN[name]


class TestTheVerifier:
    def test_canonical(self) -> None:
        for vector in GIVEN["canonical"]:
            assert VERIFIER.canonical(vector["document"]) == vector["text"]
            assert VERIFIER.parsed(vector["text"].encode() + b"\n") == vector["document"]

    def test_secret(self) -> None:
        expected = GIVEN["secret"]
        game, secret = expected["game"], bytes.fromhex(expected["S"])
        assert VERIFIER.commitment(game, secret) == expected["commitment"]
        assert VERIFIER.seed_hash(bytes.fromhex(expected["seed"])) == expected["hash of the seed"]
        assert VERIFIER.draw_key(secret, game, expected["seeds"]).hex() == expected["K"]
        salt = VERIFIER.salt(secret, game, 7, "/draws").hex()
        assert salt == expected["salt of /draws in entry 7"]

    def test_draws(self) -> None:
        key, game = bytes.fromhex(GIVEN["secret"]["K"]), GIVEN["secret"]["game"]
        for vector in GIVEN["draws"]:
            limits = [limit for _, limit in vector["draws"]]
            fair = VERIFIER.drawn(key, game, vector["seq"], limits)
            assert list(fair) == [value for value, _ in vector["draws"]]

    def test_a_word_is_left_out_in_the_second_vector(self) -> None:
        vector = GIVEN["draws"][1]
        word = int(vector["stream begins"][:16], 16)
        value, limit = vector["draws"][0]
        assert word % limit != value
        assert int(vector["stream begins"][16:32], 16) % limit == value

    def test_entry_seal_and_receipt(self) -> None:
        entry, seal = GIVEN["entry"], GIVEN["seal"]
        assert VERIFIER.entry_hash(entry["text"].encode()) == entry["hash"]
        salt = bytes.fromhex(seal["salt"])
        assert VERIFIER.seal(salt, seal["path"], seal["value"]) == seal["seal"]
        assert VERIFIER.is_genuine(GIVEN["receipt"]["receipt"])

    def test_export(self) -> None:
        lines = [line.encode() + b"\n" for line in GIVEN["export"]]
        assert VERIFIER.verify(lines, key=GIVEN["receipt"]["receipt"]["key"])

    def test_the_leaves(self) -> None:
        game = VERIFIER.load([line.encode() + b"\n" for line in GIVEN["export"]])
        expected = GIVEN["record"]
        leaf = VERIFIER.leaf_of(game, "game/1")
        assert leaf.decode() == expected["leaf"]
        assert sha256(b"\0" + leaf).hexdigest() == expected["hash of the leaf"]
        assert VERIFIER.leaf_of(game, "blind/1").decode() == expected["blinded leaf"]

    def test_good_proofs(self) -> None:
        for number, vector in enumerate(GIVEN["recorded"]["good"]):
            vkey = GIVEN["record"]["verifier key"]
            for known in (None, vkey):
                *_, finding = VERIFIER.verify(lines_of(vector), record=known)
                assert f"leaf {vector['index']} (" in finding
                assert finding.endswith("has signed.") == (known is not None)
            assert json.loads(lines_of(vector)[-1])["record"]["leaf"] == LEAVES[number]

    @pytest.mark.parametrize("number", range(len(GIVEN["recorded"]["refused"])))
    def test_wrong_proofs(self, number: int) -> None:
        vector = GIVEN["recorded"]["refused"][number]
        with pytest.raises(VERIFIER.Wrong) as wrong:
            VERIFIER.verify(lines_of(vector), record=vector["verifier key"])
        assert wrong.value.sentence == vector["sentence"]


LEAVES = ("game/1", "blind/1", "game/1")


def lines_of(vector: Any) -> list[bytes]:
    """The lines of a vector: a number is that line of the first good one."""
    first = GIVEN["recorded"]["good"][0]["lines"]
    texts = [first[line] if isinstance(line, int) else line for line in vector["lines"]]
    return [text.encode() + b"\n" for text in texts]


class TestTheTables:
    """The field tables of the page match those of the verifier."""

    def test_actions(self) -> None:
        rows = re.findall(r"^\| `(table\.\w+)` \| (.*?) \|", PAGE, re.MULTILINE)
        documented = {kind: dict(re.findall(r"`(\w+)`:([\w?*]+)", fields)) for kind, fields in rows}
        checked = {kind: shape for kind, shape in VERIFIER.FIELDS.items() if "." in kind}
        assert documented == {
            kind: {name: of for name, of in shape.items() if name != "type"}
            for kind, shape in checked.items()
        }

    @pytest.mark.parametrize("kind", ["clock", "origin", "result", "receipt"])
    def test_objects(self, kind: str) -> None:
        (row,) = re.findall(rf"^\| `{kind}` \| an object: (.*?) \|", PAGE, re.MULTILINE)
        assert dict(re.findall(r"`(\w+)`:([\w?*]+)", row)) == VERIFIER.FIELDS[kind]

    def test_ranges(self) -> None:
        for kind in ("ms", "seat", "seats"):
            low, high = VERIFIER.RANGES[kind]
            assert f"| `{kind}` | a whole number from {low} to {high} |" in PAGE


def test_the_verifier_stands_alone() -> None:
    assert imported_packages(DOCS / "verify.py") <= {*STANDARD, "__future__"}


STANDARD = {
    *(
        "argparse",
        "base64",
        "datetime",
        "hashlib",
        "hmac",
        "importlib",
        "json",
        "pathlib",
        "re",
        "sys",
    ),
    "typing",
}
