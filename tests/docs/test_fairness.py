"""docs/fairness.md matches the code: the service and the published verifier reproduce its test
vectors; its blocks and tables are compared with both."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

import pytest

from tests.docs import vectors
from tests.docs.verifier import DOCS, VERIFIER

GIVEN: dict[str, Any] = json.loads(vectors.FILE.read_text(encoding="utf-8"))
PAGE = vectors.PAGE.read_text(encoding="utf-8")


def test_the_service_makes_the_vectors() -> None:
    assert vectors.vectors() == GIVEN


@pytest.mark.parametrize("name", [name for name in GIVEN if name != "export"])
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
        assert VERIFIER.signature_check()(GIVEN["receipt"]["receipt"])

    def test_export(self) -> None:
        lines = [line.encode() + b"\n" for line in GIVEN["export"]]
        assert VERIFIER.verify(lines, key=GIVEN["receipt"]["receipt"]["key"])


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
    source = (DOCS / "verify.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 9))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else names(node))
    }
    assert imported <= {*STANDARD, "__future__"}


def names(node: ast.Import) -> list[str]:
    """The modules that an import names."""
    return [alias.name for alias in node.names]


STANDARD = {
    *("argparse", "datetime", "hashlib", "hmac", "importlib", "json", "pathlib", "re", "sys"),
    "typing",
}
