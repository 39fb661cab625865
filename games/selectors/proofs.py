"""Proofs: the commitments of a game, read from the public actions of its log alone. They need no
rules, so they answer also where these are not installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.log_reader import read_actions
from tabularium_engines.common.json_codec import Json
from tabularium_log.projection import table_actions
from tabularium_log.projection.table_actions import (
    TABLE_ACTION_CODEC,
    TYPE_PREFIX,
    Create,
    End,
    Outcome,
    Start,
)


class GameProof(NamedTuple):
    """The commitments of a game, and the secret that its end reveals."""

    creation: Create
    level: int  # of fairness
    secret: str | None  # None: the game is not over


def game_proof(game: str) -> GameProof:
    """The proof of a game."""
    actions = _actions(game)
    create = TABLE_ACTION_CODEC.from_json(next(actions))
    start = next((action for action in actions if _is(action, Start)), None)
    last = next(_actions(game, newest_first=True))
    return GameProof(
        create,
        1 if start is None else start["level"],
        last["secret"] if _is(last, End) else None,
    )


def game_creation(game: str) -> Create:
    """The first action of a game's log."""
    create: Create = TABLE_ACTION_CODEC.from_json(next(_actions(game)))
    return create


def game_outcome(game: str) -> Outcome | None:
    """The outcome of a game that is over; None if it ended without a result."""
    end: End = TABLE_ACTION_CODEC.from_json(next(_actions(game, newest_first=True)))
    return end.result


def needs_second_format(game: str) -> bool:
    """Whether the game's export is an export/2."""
    actions = read_actions(game, f'"type":"{TYPE_PREFIX}')
    return any(table_actions.needs_second_format(each.action) for each in actions)


def _actions(game: str, *, newest_first: bool = False) -> Iterator[Json]:
    """The public part of every action, in the order of the log or the reverse."""
    return (each.action for each in read_actions(game, newest_first=newest_first))


def _is(action: Json, kind: type[Start | End]) -> bool:
    """Whether an action is of that kind; the action of an entry may be sealed as a whole."""
    return action is not None and action["type"] == TABLE_ACTION_CODEC.type_of(kind)
