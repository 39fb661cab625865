"""Secrecy of the secret: a running game's secret, which determines every draw, never leaves the
vault."""

from __future__ import annotations

import gc
from base64 import b64encode
from collections.abc import Iterable
from datetime import timedelta
from logging import DEBUG
from typing import Any

import pytest

from ai import bot_dispatch, bot_turn, clock_budget, tasks
from ai.bot_dispatch import WakeMessage
from games import position_cache, selectors
from games.log_store import LogHead
from games.models import Entry, Game
from games.position_cache import Position
from jobs import sweeper
from tabularium_log.projection.entry import EntryPlace
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.projection import Projection
from tests.ai.conftest import Saboteur

OURS = ("tabularium_log.", "games.", "jobs.", "ai.", "api.", "config.")


def secret_forms(secret: bytes) -> list[str]:
    """The secret in the forms in which it could be written, even in part."""
    first_half = secret[:16]
    numbers = ", ".join(map(str, first_half))
    escaped = [repr(bytes([byte]))[2:-1] for byte in first_half]  # as in a longer text: `'` or `\'`
    return [
        first_half.hex(),
        first_half.hex().upper(),
        "".join(escaped),
        "".join(escaped).replace("'", "\\'"),
        b64encode(first_half).decode()[:20],
        numbers,
    ]


def texts_with_secret(texts: Iterable[str], secret: bytes) -> list[str]:
    """The texts that contain the secret."""
    return [text for text in texts if any(form in text for form in secret_forms(secret))]


def own_objects() -> list[Any]:
    """Every object in this process whose type is defined in our code."""
    return [obj for obj in gc.get_objects() if str(type(obj).__module__).startswith(OURS)]


@pytest.fixture
def position(table: Projection) -> Position:
    """The position of a running game."""
    return position_cache.current_position(table.game)


def test_the_search_for_it_finds_it(position: Position) -> None:
    texts = [f"{tuple(position)}", f"key={position.secret.hex()}", str(list(position.secret))]
    assert texts_with_secret(texts, position.secret) == texts


def test_no_object_shows_it(position: Position) -> None:
    scribe = EntryWriter(position.secret, position.projection, position.hash)
    place = EntryPlace(position.projection.game, 5, position.hash, position.secret)
    head = LogHead(position.hash, position.projection)
    rows = [*Game.objects.all(), *Entry.objects.all()]
    objects = own_objects()
    assert {id(obj) for obj in (position.projection, scribe, place, head, *rows)} <= set(
        map(id, objects)
    )
    assert texts_with_secret(map(repr, [*objects, position, [position]]), position.secret) == []


def test_no_log_tells_it(
    position: Position,
    woken: list[WakeMessage],
    saboteur: Saboteur,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    game = position.projection.game
    monkeypatch.setattr(clock_budget, "STALLED_AFTER", timedelta(0))
    with caplog.at_level(DEBUG):
        for message in woken[:10]:
            tasks.think.apply(args=[message.game, message.seat, message.choice])
        bot_turn.take_turn(game, woken[-1].seat, woken[-1].choice, again=True)
        Game.objects.filter(pk=game).update(seq=99)
        position_cache.cache.clear()
        sweeper.resend_lost(bot_dispatch.outbox)
        tasks.think.apply(args=[game, 0, "choice"])
    assert "fails at seat" in caplog.text
    assert f"The sweeper failed at {game}" in caplog.text
    assert texts_with_secret([caplog.text, *map(str, caplog.records)], position.secret) == []


def test_no_message_carries_it(position: Position, woken: list[WakeMessage]) -> None:
    for message in woken:
        bot_turn.take_turn(message.game, message.seat, message.choice)
        if len(woken) > 8:
            break
    assert len(woken) > 1
    assert texts_with_secret(map(repr, woken), position.secret) == []


def test_no_reader_is_told_it_before_the_end(position: Position) -> None:
    game = position.projection.game
    lines = [line for viewer in (None, 0, 1) for line in selectors.game_log(game, viewer)]
    views = [selectors.game_view(game, viewer) for viewer in (None, 0, 1)]
    turns = [selectors.bot_turn(game, seat) for seat in (0, 1)]
    assert texts_with_secret(map(repr, [*lines, *views, *turns]), position.secret) == []
