"""The promises hold in one process, whatever fails: nothing acknowledged is lost or doubled, no
stream has a gap, every game ends, and every entry is announced and every rated game counted once.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Final, TypeAlias

import pytest
from pytest_django import DjangoDbBlocker

from api import idempotency
from api.webhooks import delivery_builder
from games import group_commit
from games.group_commit import WaitingAppend
from jobs import sweeper
from tabularium_engines.common.random_generators import FastRng
from tests.chaos.simulation import world
from tests.chaos.simulation.faults import ByChance, OnceEach
from tests.chaos.simulation.processes import SWEEPER, WEB, WORKER
from tests.chaos.simulation.world import World
from tests.support import databases
from tests.support.chance import seeded
from tests.support.databases import Kept

WORLDS: Final = 240
IN_THE_GATE: Final = 12
TRIES: Final = 40  # worlds until a missing protection is noticed
ON_SERVERS: Final = 8
UNEVENTFUL: Final = 3  # worlds in a row
FAULTS: Final = 400  # at least so many different ones are there
NewStore: TypeAlias = Callable[[], AbstractContextManager[None]]


@pytest.fixture
def chance() -> FastRng:
    """The random choices of a world, by the name of its test."""
    return FastRng(secrets.randbits(60))


@pytest.mark.lane("storms", core=IN_THE_GATE)
@pytest.mark.parametrize("number", range(WORLDS))
def test_whatever_fails_by_chance(kept_here: Kept, chance: FastRng, number: int) -> None:
    check(World(ByChance(chance), chance))


@pytest.mark.stores
@pytest.mark.parametrize("number", range(ON_SERVERS))
def test_whatever_fails_on_each_store(kept_here: Kept, chance: FastRng, number: int) -> None:
    check(World(ByChance(chance), chance))


@pytest.fixture
def new_store(kept_template: Kept, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> NewStore:
    """A context manager that opens another empty database."""

    @contextmanager
    def opened() -> Iterator[None]:
        copy = databases.copy_template(kept_template, tmp_path / secrets.token_hex())
        try:
            with django_db_blocker.unblock(), copy.open_here():
                yield
        finally:
            databases.drop(copy)

    return opened


@pytest.mark.lane("storms")
def test_every_statement_fails_and_kills(new_store: NewStore, chance: FastRng) -> None:
    """Worlds, until some in a row have no point that has not failed and killed before."""
    plan, last_found, number = OnceEach(), 0, 0
    while number - last_found < UNEVENTFUL:
        number, count = number + 1, len(plan.met)
        with new_store():
            check(World(plan, chance))
        last_found = number if len(plan.met) > count else last_found
    assert {fault.point.process for fault in plan.met} == {*WEB, WORKER, SWEEPER}
    assert len(plan.met) > FAULTS


def test_a_world_is_the_same_again(new_store: NewStore) -> None:
    worlds = []
    for _ in range(2):
        with new_store(), seeded("a world"):
            chance = FastRng(5)
            worlds.append(World(ByChance(chance), chance))
            check(worlds[-1])
    first, second = worlds
    assert first.events == second.events
    assert any("dies" in event for event in first.events)


def check(played: World) -> None:
    """Play a world to its end, and assert that nothing is wrong."""
    with played.begun():
        try:
            played.play()
            wrong = played.faults()
            assert not wrong, "\n".join(wrong)
        except Exception as problem:
            problem.add_note("\n".join(played.events))
            raise


# -- without a protection --------------------------------------------------------------------------


def nobody_resends(patch: pytest.MonkeyPatch) -> None:
    """The sweeper finds no lost message."""
    patch.setattr(sweeper, "resend_lost", lambda outbox: 0)


def keys_are_kept_apart(patch: pytest.MonkeyPatch) -> None:
    """The row of an idempotency key has a transaction of its own."""
    patch.setattr(idempotency, "transaction", SimpleNamespace(atomic=nullcontext))


def entries_are_not_claimed(patch: pytest.MonkeyPatch) -> None:
    """Every caller announces the new entries, claimed or not."""
    patch.setattr(delivery_builder, "_claim_entries", lambda game, announced, seq: None)


def the_writer_is_careless(patch: pytest.MonkeyPatch) -> None:
    """The writer acknowledges an append that it has forgotten."""
    decide = group_commit._decide

    def forget_some(group: Sequence[WaitingAppend]) -> None:
        if secrets.randbelow(4):
            decide(group)
        else:
            group[0].failure = None

    patch.setattr(group_commit, "_decide", forget_some)


UNPROTECTED: Final = [
    (nobody_resends, "is waiting"),
    (keys_are_kept_apart, "was refused"),
    (entries_are_not_claimed, "the webhook was notified of"),
    (the_writer_is_careless, "acknowledged"),
]


@pytest.mark.lane("storms")
@pytest.mark.parametrize(("remove", "wrong"), UNPROTECTED)
def test_without_a_protection_it_is_noticed(
    new_store: NewStore,
    chance: FastRng,
    monkeypatch: pytest.MonkeyPatch,
    remove: Callable[[pytest.MonkeyPatch], None],
    wrong: str,
) -> None:
    remove(monkeypatch)
    monkeypatch.setattr(world, "MOST_STEPS", 150)  # none of these games takes so long
    for _ in range(TRIES):
        with new_store():
            try:
                check(World(ByChance(chance), chance))
            except AssertionError as problem:
                if wrong in str(problem):
                    return
    pytest.fail("nothing is wrong in any world")
