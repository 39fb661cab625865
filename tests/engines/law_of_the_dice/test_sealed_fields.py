"""Sealed fields in the log, and their readers: a vote (R20), and the card that an eight gives."""

from __future__ import annotations

from typing import Any

from tabularium_engines.law_of_the_dice import ENGINE
from tabularium_engines.law_of_the_dice.actions import Discard, Give, Play, Vote
from tabularium_engines.promises.random_games import play

RULES: Any = ENGINE  # states have the general type `State`


def sealed_by_kind(seats: int) -> dict[str, set[tuple[str, ...]]]:
    """The combinations of sealed fields for each kind of action, over a few games."""
    fields_by_kind: dict[str, set[tuple[str, ...]]] = {}
    for seed in range(6):
        for position in play(ENGINE, ENGINE.about.options(), seats, seed).positions[1:]:
            assert position.before is not None
            assert position.seat is not None
            sealed = RULES.sealed_fields(position.before, position.seat, position.action)
            decision = RULES.decode(position.before, position.seat, position.action)
            fields_by_kind.setdefault(decision.kind, set()).add(tuple(sealed))
            if isinstance(decision, Vote):
                assert sealed == {"suit": 1 << position.seat}
            if isinstance(decision, Give):
                mask = sealed["card"]
                assert mask.bit_count() == 2
                assert mask >> position.seat & 1
                assert receiver_mask(position.before, position.seat) == mask & ~(1 << position.seat)
    return fields_by_kind


def receiver_mask(state: object, seat: int) -> int:
    """The seat that gets the card according to the view, as a bit mask."""
    view = RULES.view(state, seat)
    recipient = view.agenda[-1].recipient
    assert recipient is not None
    return 1 << int(recipient)


def test_only_votes_and_gifts_are_sealed() -> None:
    fields_by_kind = sealed_by_kind(4)
    assert fields_by_kind.pop(Vote.kind) == {("suit",)}
    assert fields_by_kind.pop(Give.kind) == {("card",)}
    assert {Play.kind, Discard.kind} <= fields_by_kind.keys()
    assert all(sealed == {()} for sealed in fields_by_kind.values())
