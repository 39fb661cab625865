"""The examples of the OpenAPI document: the request and response of every operation with all
randomness fixed. `python -m tests.api.examples` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from typing import Any, Final
from unittest.mock import patch

NOW: Final = datetime(2026, 11, 21, 12, tzinfo=UTC)
LEFT_OUT: Final = {"ready", "openapi"}  # depends on this machine; would be in itself
MEASURED: Final[tuple[Any, ...]] = (
    "law",
    4,
    {},
    "level_2",
    "level_1",
    400,
    0.4513,
    0.4033,
    0.5002,
    0.25,
)


def slug_digest(slug: str, version: int) -> str:
    """A digest that no change of code changes."""
    return sha256(slug.encode()).hexdigest()


@contextmanager
def without_chance() -> Iterator[None]:
    """The same names, secrets and times in every run."""
    from django.test import override_settings

    from ai.strength_results import StrengthResult

    names, draws = count(1), count(1)

    def new_id(prefix: str) -> str:
        return f"{prefix}_01936d0ea4007000{0x8000000000000000 + next(names):016x}"

    def token_bytes(size: int = 32) -> bytes:
        return (sha256(b"%d" % next(draws)).digest() * 2)[:size]

    with ExitStack() as stack:
        for target, replacement in (
            ("games.ids.new_id", new_id),
            ("secrets.token_bytes", token_bytes),
            ("secrets.randbits", lambda bits: int.from_bytes(token_bytes(8)) >> 64 - bits),
            ("secrets.token_hex", lambda size=32: token_bytes(size).hex()),
            ("django.utils.timezone.now", lambda: NOW),
            ("tabularium_engines.installed.registry.ruleset_digest", slug_digest),
            ("tabularium_engines.builds.compiled_engines.engine_mode", lambda: "compiled"),
            ("ai.bot_dispatch.outbox.enqueue", lambda message: None),
            ("ai.bot_registry.code_digest", slug_digest),
            ("ai.bot_registry.equal_code_digests", lambda *ruleset: {slug_digest(*ruleset)}),
            ("jobs.rating_dispatch.outbox.enqueue", lambda message: None),
            ("api.bots.load_results", lambda: (StrengthResult(*MEASURED),)),
        ):
            stack.enter_context(patch(target, replacement))
        stack.enter_context(override_settings(SIGNING_KEYS=[bytes(range(32))], LIMITS={}, PARTS=2))
        yield


def example(operation: str) -> dict[str, Any]:
    """The request and the response of a successful call."""
    from api.keys import key_cache
    from games import position_cache
    from tests.api.calls import call_of
    from tests.api.test_matrix import caller_program
    from tests.api.world import World

    key_cache.clear()
    position_cache.cache.clear()
    with without_chance():
        world = World()
        call = call_of(world, operation)
        response = call.send(caller_program(world, call))
    document: dict[str, Any] = {"status": response.status_code}
    if call.kind == "application/json":
        document["body"] = call.body
    if response.headers.get("Content-Type") == "application/json":
        document["reply"] = response.json()
    return document


def examples() -> dict[str, Any]:
    """An example for every operation that answers with JSON, each in a world of its own."""
    from django.db import transaction

    from tests.api.contract import contract

    documents: dict[str, Any] = {}
    for operation in sorted(contract().operations.keys() - LEFT_OUT):
        with transaction.atomic():
            document = example(operation)
            transaction.set_rollback(True)
        if "reply" in document:
            documents[operation] = document
    return documents


def serialized(documents: dict[str, Any]) -> str:
    """The examples in the format of the file."""
    return json.dumps(documents, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the file."""
    from django.test.utils import (
        setup_databases,
        setup_test_environment,
        teardown_databases,
        teardown_test_environment,
    )

    from api.schema import EXAMPLES_FILE

    setup_test_environment()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        EXAMPLES_FILE.write_text(serialized(examples()), encoding="utf-8")
    finally:
        teardown_databases(databases, verbosity=0)
        teardown_test_environment()


if __name__ == "__main__":
    import os

    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main()
