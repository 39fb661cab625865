"""The TypeScript client has a method for each operation, generated from the document."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.api.contract import contract
from tests.docs.verifier import load_program
from tests.support.databases import ROOT

CLIENT: Final = ROOT / "clients" / "typescript"
STREAMS: Final = {"stream_game": "entries", "stream_games": "tables", "stream_me": "updates"}


@pytest.fixture(scope="module")
def generator() -> Any:
    """The script that generates its operations."""
    return load_program(CLIENT / "generate_operations.py")


def test_every_operation_is_a_method(generator: Any) -> None:
    sources = [(CLIENT / "src" / name).read_text() for name in ("client.ts", "operations.ts")]
    methods = [name for source in sources for name in generator.METHOD.findall(source)]
    names = {STREAMS.get(name, generator.camel(name)) for name in contract().operations}
    assert names <= {*methods}
    assert len({*methods}) == len(methods)


def test_the_generated_operations_are_current(generator: Any) -> None:
    source = generator.operations_source(contract().document)
    assert generator.OPERATIONS.read_text(encoding="utf-8") == source, "make clients"
