"""One quick pass over a log in memory, as it is stored. A log that passes is good: nothing passes
that the replay of `replay_verifier` refuses.

Texts, seals and hashes are made again from the contents and compared, instead of parsed; a run of
the game's actions changes one state in place, as when a log is loaded. Each difference or failure
raises an exception; the replay then names the flaw, or finds none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from games.audit.sealing import Sealing, WrittenAction, make_seals, sealing
from tabularium_engines.base import AnyEngine, Engine, State
from tabularium_engines.common.json_codec import Json, field_types
from tabularium_log.audit.replay_verifier import GAME_ID_PATTERN
from tabularium_log.fairness.canonical_json import OPTIONS, encode_canonical
from tabularium_log.fairness.committed_draws import FairRng, FieldSalts, draw_key
from tabularium_log.fairness.encryption import game_cipher
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH, entry_hash
from tabularium_log.projection.entry import (
    DRAWS_POINTER,
    EPOCH,
    MILLISECOND,
    Entry,
    EntryContent,
    OldBox,
    OldRow,
    action_pointer,
    compose_text,
    decrypt_contents,
    decrypt_old_contents,
    entry_from_content,
    public_action_text,
)
from tabularium_log.projection.fold import create_projection
from tabularium_log.projection.log_replay import (
    end_of_actions,
    end_of_run,
    replay_entry,
    replay_run,
)
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import TYPE_PREFIX

OPEN: Final = ("", DRAWS_POINTER)  # the paths of entries whose action is not sealed
CACHED_ACTIONS: Final = 1 << 15
END_OF_TIME: Final = (EPOCH.replace(year=9999) - EPOCH) // MILLISECOND
# an engine that overrides these reads actions in its own way, and is replayed entry by entry
READING: Final = ("encode", "_parse_action")
Row: TypeAlias = Any  # a tuple of the columns of a LogRow, or an OldRow
# an action as the rules write it before it changes the state, and its sealing
Step: TypeAlias = tuple[Json, Sealing]


class Difference(Exception):
    """The log is not the one that is made again."""


class KnownAction(NamedTuple):
    """The meaning of an action's text in logs."""

    document: Json  # as the rules write it: a shared object
    text: str  # in canonical form


class LogPass:
    """The pass over the log of one game."""

    def __init__(self, game: str, secret: bytes) -> None:
        _require(GAME_ID_PATTERN.fullmatch(game))
        self._game, self._secret = game, secret
        self._salts = FieldSalts(secret, game)
        self._head, self._at, self._seq = GENESIS_HASH, 0, 0  # of the last entry that passed

    def replay(self, log: Sequence[Row]) -> tuple[Projection, str]:
        """The projection that the log leads to, and the hash of its last entry; raises Difference,
        or any other exception."""
        contents = self._decrypt(log)
        entry = entry_from_content(contents[0])
        table = create_projection(self._game, entry)
        self._pass_alone(log[0], contents[0], entry, table)
        has_takebacks = any("takeback" in text for _, _, text, draws in contents if draws is None)
        end_of = end_of_run if has_takebacks else end_of_actions
        can_run = has_plain_reading(table.engine)
        while self._seq < len(log):
            place = self._seq
            end = end_of(contents, place) if can_run and table.phase == "playing" else place
            if end > place:
                table = self._pass_run(table, log[place:end], contents[place:end])
            else:
                entry = entry_from_content(contents[place])
                self._check_draws(table, self._seq + 1, contents[place][3])
                table = replay_entry(table, entry)
                self._pass_alone(log[place], contents[place], entry, table)
        return table, self._head

    def _decrypt(self, log: Sequence[Row]) -> list[EntryContent]:
        cipher = game_cipher(self._secret, self._game)
        if isinstance(log[0], OldRow):
            boxes = [OldBox(row.seq, bytes(row.box)) for row in log]
            return list(decrypt_old_contents(cipher, boxes))
        return list(decrypt_contents(cipher, [row[1:7] for row in log]))

    def _check_draws(self, table: Projection, seq: int, draws: Any) -> None:
        """The draws must follow from the secret and their limits."""
        if not draws:
            _require(draws is None or type(draws) in (list, tuple))
            return
        rng = FairRng(draw_key(self._secret, self._game, table.open_seeds), self._game, seq)
        for value, limit in draws:
            _require(type(value) is int and type(limit) is int and rng.below(limit) == value)

    def _pass_alone(self, row: Row, content: EntryContent, entry: Entry, table: Projection) -> None:
        """Compare an entry with the one that its projection ends with."""
        _, _, document, draws = table.entry
        _require(encode_canonical(list(entry)) == encode_canonical(list(table.entry)))
        sealed = sealing(tuple(table.field_readers), has_draws=draws is not None)
        self._pass(row, content, (document, encode_canonical(document), draws), sealed)

    def _pass_run(
        self, start: Projection, log: Sequence[Row], contents: Sequence[EntryContent]
    ) -> Projection:
        """Replay and compare a run of the game's actions; returns the projection after it."""
        start.check_can_act()
        for seq, (_, _, _, draws) in enumerate(contents, start=self._seq + 1):
            if draws != ():
                self._check_draws(start, seq, draws)
        engine, steps = start.engine, list[Step]()
        after = replay_run(start, contents, partial(_judge, engine, steps))
        for row, content, (document, sealed) in zip(log, contents, steps, strict=True):
            known_document, text = _known_action(engine, content[2])
            _require(document is known_document or encode_canonical(document) == text)
            self._pass(row, content, (document, text, content[3]), sealed)
        return after

    def _pass(
        self, row: Row, content: EntryContent, action: WrittenAction, sealed: Sealing
    ) -> None:
        """Compare an entry as it is stored with the one that is made again, and go on to it."""
        seat, at, _, _ = content
        seq, paths = self._seq + 1, sealed.paths
        is_plain = type(at) is int and (seat is None or type(seat) is int)
        _require(is_plain and self._at <= at < END_OF_TIME)
        seals, members = make_seals(self._salts, seq, sealed, action)
        is_open = paths in OPEN  # then its column is the text of its content, compared before
        public = action[1] if is_open else public_action_text(action[1], paths)
        text = compose_text(public, at, members, seat, (self._game, seq, self._head))
        hash_ = entry_hash(text)
        if type(row) is OldRow:
            is_same = row[1:4] == (seq, text, hash_)
        else:
            is_same = (
                row[7] == seals
                and row[8].hex() == hash_
                and (row[1], row[5]) == (seq, paths)
                and (is_open or public_action_text(row[4], paths) == public)
            )
        _require(is_same and type(row[1]) is int)
        self._head, self._at, self._seq = hash_, at, seq


def _require(condition: object) -> None:
    if not condition:
        raise Difference


def has_plain_reading(engine: AnyEngine) -> bool:
    """Whether an engine reads actions as all do."""
    return all(getattr(type(engine), name) is getattr(Engine, name) for name in READING)


def _judge(engine: AnyEngine, steps: list[Step], state: State) -> Callable[[int, int], bool]:
    """A judge of actions that is as strict as the replay, and adds each to the steps."""
    is_legal, result = state.is_legal, engine.result
    written, sealed_fields = engine.action_json, engine.sealed_fields
    draws_alone = _sealing_of(())

    def is_allowed(seat: int, code: int) -> bool:
        is_over = state.to_act == 0 or result(state) is not None
        if is_over or not is_legal(seat, code):
            return False
        fields = sealed_fields(state, seat, code)
        sealed = _sealing_of(tuple(fields)) if fields else draws_alone
        steps.append((written(state, seat, code), sealed))
        return True

    return is_allowed


@lru_cache(CACHED_ACTIONS)
def _sealing_of(fields: tuple[str, ...]) -> Sealing:
    """The sealing of an action of the game with these sealed fields."""
    return sealing(tuple(map(action_pointer, fields)), has_draws=True)


@lru_cache(CACHED_ACTIONS)
def _known_action(engine: AnyEngine, text: str) -> KnownAction:
    """The meaning of an action's text, which must be written in full."""
    document, codec = orjson.loads(text), engine.action_codec
    shared = codec.json_from_int(codec.int_from_text(text))  # which refuses all but the full form
    kind = document["type"]
    for form in engine.about.forms:  # the replay could read it as one of them
        _require(kind != codec.type_of(form) or field_types(form).keys().isdisjoint(document))
    canonical = encode_canonical(document)
    _require(orjson.dumps(shared, option=OPTIONS).decode() == canonical)
    _require(not kind.startswith(TYPE_PREFIX))
    return KnownAction(shared, canonical)
