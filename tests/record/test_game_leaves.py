"""The leaves of finished games: pinned bytes, and the same leaf from an export and a database."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import pytest

from games import services
from games.audit.stored_game_export import export_lines
from games.models import Game
from games.services import SeatAssignment
from record.stored_games import stored_game, stored_game_leaf
from tabularium_engines.base import AnyEngine
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit.export_reader import Export, read_export
from tabularium_log.audit.export_verifier import load_verified_game
from tabularium_log.record.errors import MalformedError, UnverifiedError
from tabularium_log.record.game_leaves import exported_game, exported_secret, leaf_text
from tests.docs import short_game
from tests.games.audit.making import new_plan, play_plan
from tests.games.sitting import SLUG, acting, bot_game

pytestmark = pytest.mark.stores

# The leaves of the short game of docs/fairness-short_game.json, and the hash of the first one.
LEAF = (
    '{"at":"2026-01-02T03:04:05.678Z","entries":6,"game":"game_019f0000000070008000000000000001",'
    '"hash":"c6c5ad0b681a3321fa126d760c131680520b81a5c7f94495c96d5f6ec8bab69e",'
    '"key":"7025bd85a63a1aa66abba0e8c73df74692de0e4dfd0911bac3c8ea8cb5ec74e4",'
    '"leaf":"game/1","rules":"some_game","version":1}'
)
BLIND = (
    '{"blind":"089389b7cf72639f8c02a29554225a0734c1fa8bf58954df07fe8a211db8e352","leaf":"blind/1"}'
)
LEAF_HASH = "2b713282f7ad298f38e7562f60179d63e99de61b1c9ab15b556cdac7b843e7db"


def read(lines: Iterable[str]) -> Export:
    """The export of these lines."""
    return read_export(f"{line}\n".encode() for line in lines)


def export_of(game: str) -> Export:
    """The export of a stored game, as an onlooker reads it."""
    return read(export_lines(game, "onlooker"))


def blinded_here(leaf: str, game: str, secret: bytes) -> str:
    """The blinded leaf by the formula, with the standard library alone."""
    label = json.dumps(["tabularium/blind/1", game], separators=(",", ":")).encode()
    key = hmac.new(secret, label, sha256).digest()
    return f'{{"blind":"{hmac.new(key, leaf.encode(), sha256).hexdigest()}","leaf":"blind/1"}}'


class TestVectors:
    EXPORT = read(short_game.export())

    def test_a_leaf(self) -> None:
        assert exported_game(self.EXPORT).text == LEAF
        assert sha256(b"\x00" + LEAF.encode()).hexdigest() == LEAF_HASH

    def test_a_blinded_leaf(self) -> None:
        assert exported_secret(self.EXPORT) == short_game.SECRET
        assert exported_game(self.EXPORT).blinded(short_game.SECRET) == BLIND
        assert blinded_here(LEAF, short_game.GAME, short_game.SECRET) == BLIND

    def test_the_blinding_depends_on_the_secret(self) -> None:
        assert exported_game(self.EXPORT).blinded(bytes(32)) != BLIND


class TestExports:
    def test_a_running_game_has_no_leaf(self) -> None:
        engine: AnyEngine = ENGINES[SLUG]
        running = play_plan(new_plan(engine, 2, stops_at=5))
        with pytest.raises(MalformedError, match="not over: it has no leaf yet"):
            exported_game(read_export(running.lines()))

    @pytest.mark.parametrize(
        ("name", "value"),
        [("key", None), ("key", 5), ("rules", ["x"]), ("version", "1"), ("version", True)],
    )
    def test_a_log_without_the_facts_is_refused(self, name: str, value: Any) -> None:
        export = read(short_game.export())
        export.creation[name] = value
        with pytest.raises(MalformedError, match=f"does not state '{name}'"):
            exported_game(export)

    def test_a_log_whose_end_has_no_time_is_refused(self) -> None:
        export = read(short_game.export())
        del export.entries[-1]["at"]
        with pytest.raises(MalformedError, match="does not state 'at'"):
            exported_game(export)

    def test_a_secret_that_was_not_committed_is_refused(self) -> None:
        export = read(short_game.export())
        export.entries[-1]["action"]["secret"] = "00" * 32
        with pytest.raises(UnverifiedError, match="commitment in entry 1"):
            exported_secret(export)
        export.entries[-1]["action"]["secret"] = "00"
        with pytest.raises(MalformedError, match="does not reveal its secret"):
            exported_secret(export)

    def test_a_leaf_is_short(self) -> None:
        assert len(leaf_text("x/1", {"text": "a" * 1000}).encode()) == 1024
        with pytest.raises(MalformedError, match="more than 1024 bytes"):
            leaf_text("x/1", {"text": "a" * 1001})


@pytest.mark.django_db
class TestStoredGames:
    def test_a_public_game_has_the_leaf_of_its_export(self) -> None:
        game = bot_game()
        for _ in acting(game):
            pass
        row = Game.objects.get(pk=game)
        leaf = stored_game_leaf(row)
        assert leaf == exported_game(export_of(game)).text
        facts = json.loads(leaf)
        assert facts.pop("leaf") == "game/1"
        assert facts == vars(stored_game(row))
        assert (facts["game"], facts["rules"], facts["entries"]) == (game, SLUG, row.seq)

    @pytest.mark.parametrize("visibility", ["private", "unlisted"])
    def test_any_other_game_is_blinded(self, visibility: Any) -> None:
        seating = [SeatAssignment(bot="random")] * 2
        game = services.create_game(SLUG, seating, visibility=visibility).projection.game
        for _ in acting(game):
            pass
        leaf = stored_game_leaf(Game.objects.get(pk=game))
        export = export_of(game)
        secret = exported_secret(export)
        assert leaf == exported_game(export).blinded(secret)
        assert leaf == blinded_here(exported_game(export).text, game, secret)
        assert game not in leaf

    def test_a_game_that_was_called_off(self) -> None:
        game = services.create_game(SLUG, [SeatAssignment(), SeatAssignment()]).projection.game
        with pytest.raises(MalformedError, match="not over: it has no leaf yet"):
            stored_game_leaf(Game.objects.get(pk=game))
        services.call_off_game(game)
        leaf = stored_game_leaf(Game.objects.get(pk=game))
        assert leaf == exported_game(export_of(game)).text

    @pytest.mark.parametrize("slug", ENGINES)
    def test_an_imported_game_keeps_the_key_of_its_server(self, slug: str) -> None:
        played = play_plan(new_plan(ENGINES[slug], 2, 7, has_seeds=True))
        there = exported_game(read_export(played.lines()))
        services.import_game(load_verified_game(played.lines()))
        row = Game.objects.get(pk=played.plan.game)
        assert stored_game_leaf(row) == there.text
        assert there.key == row.imported.key
