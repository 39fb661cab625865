"""A crowd: the tables that its people play, and the faults that are injected meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from random import Random
from time import monotonic
from typing import Any, Final, NamedTuple

from tests.chaos.faults.base import CannotInject
from tests.chaos.http_client import WrongAnswer
from tests.chaos.readiness_check import READY, ReadinessPoller, ReadinessReply
from tests.config.processes import soon
from tests.crowd import followers
from tests.crowd.connections import Origin
from tests.crowd.faults import KINDS, STORE_KINDS
from tests.crowd.hosts import Host
from tests.crowd.judgement import Window, measure_readiness
from tests.crowd.people import Manner, Person, Records
from tests.crowd.plans import LONG_POLL, STREAM, Plan
from tests.crowd.processor_time import ProcessorTimes

POLL_INTERVAL: Final = 0.5  # seconds between two looks at the readiness of a host
LONGEST_RECOVERY: Final = 60.0  # seconds for which the next fault waits


class Pace(NamedTuple):
    """How fast a crowd plays, and for how long."""

    at_once: int  # tables
    arrival: float  # seconds over which the first tables begin
    manner: Manner  # of the people
    within: float  # seconds in which all games must end
    rest: float  # seconds without a fault, before each of them
    fault_seconds: float  # for which a store or a link is away


class Crowd:
    """The people at all tables, and the records of a run."""

    def __init__(self, hosts: Sequence[Host], pace: Pace, kinds: Sequence[str], seed: int) -> None:
        self.hosts = hosts
        self.pace = pace
        self.kinds = kinds
        self.records = Records()
        self.windows: list[Window] = []
        self.kinds_left: list[str] = []  # not injected: the games were over
        self.seconds = 0.0
        self._rng = Random(seed)
        self._origins = [Origin(host.name, host.address, host.port) for host in hosts]
        self._pollers = {host.name: ReadinessPoller(host.client()) for host in hosts}

    @property
    def readiness(self) -> dict[str, list[ReadinessReply]]:
        """The replies of `readyz`, by host."""
        return {name: list(poller.replies) for name, poller in self._pollers.items()}

    def run(self, plans: Sequence[Plan], times: ProcessorTimes) -> None:
        """Play these tables, with the faults."""
        for poller in self._pollers.values():
            poller.start()
        if not soon(self._are_all_ready):
            raise RuntimeError("a host is not ready at the beginning")
        times.start()
        started_at = monotonic()
        asyncio.run(self._run(plans))
        self.seconds = monotonic() - started_at
        times.stop()
        for poller in self._pollers.values():
            poller.stop()
        for window in self.windows:
            measure_readiness(window, self.readiness)

    def _are_all_ready(self) -> bool:
        return all(replies and replies[-1].status == READY for replies in self.readiness.values())

    async def _run(self, plans: Sequence[Plan]) -> None:
        places = asyncio.Semaphore(self.pace.at_once)
        step = self.pace.arrival / self.pace.at_once
        tables = [
            asyncio.create_task(self._play_table(plan, places, step * plan.number))
            for plan in plans
        ]
        faults = asyncio.create_task(self._inject_faults(tables))
        try:
            _, unfinished = await asyncio.wait(
                tables, timeout=self.pace.within, return_when=asyncio.FIRST_EXCEPTION
            )
            for task in unfinished:
                task.cancel()
            outcomes = await asyncio.gather(*tables, return_exceptions=True)
            await faults
        finally:
            faults.cancel()
            await asyncio.gather(faults, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception):
                raise outcome

    # -- the tables -------------------------------------------------------------------------------

    async def _play_table(self, plan: Plan, places: asyncio.Semaphore, delay: float) -> None:
        """Create a game after so many seconds, play it to its end, and follow it."""
        await asyncio.sleep(delay)
        async with places:
            rng = Random(plan.seed)
            people = [
                Person(self.records, self._origins, Random(rng.getrandbits(64)), self.pace.manner)
                for _ in range(plan.people)
            ]
            try:
                game = await self._begin(plan, people)
                async with asyncio.TaskGroup() as group:
                    for coroutine in self._parts(plan, people, game):
                        group.create_task(coroutine)
            except* WrongAnswer as problems:
                self.records.wrong_answers += [
                    f"table {plan.number}, {plan.rules}: {each}" for each in problems.exceptions
                ]
            finally:
                for person in people:
                    person.leave()

    async def _begin(self, plan: Plan, people: Sequence[Person]) -> str:
        """A new game whose seats are taken."""
        for person in people:
            await person.arrive()
        game: str = (await people[0].create_game(plan.game_request))["id"]
        self.records.plans[game] = plan
        for person in people[1:]:
            await person.join(game, plan.seats.index("open"))
        self.records.client_seats |= {
            (game, seat) for seat, kind in enumerate(plan.seats) if kind in ("me", "open")
        }
        return game

    def _parts(
        self, plan: Plan, people: Sequence[Person], game: str
    ) -> list[Coroutine[Any, Any, None]]:
        parts = [person.play(game) for person in people]
        if plan.follower == STREAM:
            parts.append(followers.follow_by_stream(people[0], self._origins, game))
        elif plan.follower == LONG_POLL:
            parts.append(followers.follow_by_long_polls(people[0], game))
        return parts

    # -- the faults -------------------------------------------------------------------------------

    async def _inject_faults(self, tables: Sequence[asyncio.Task[None]]) -> None:
        """Inject each kind once, as long as games are played."""
        for kind in self.kinds:
            await asyncio.wait(tables, timeout=self.pace.rest)
            if all(table.done() for table in tables):
                self.kinds_left.append(kind)
                continue
            await self._inject(kind)

    async def _inject(self, kind: str) -> None:
        host = self.hosts[-1] if kind == "link-down" else self._rng.choice(self.hosts)
        fault = KINDS[kind](host, self.pace.fault_seconds)
        window = Window(kind, "" if kind in STORE_KINDS else host.name, monotonic())
        self.windows.append(window)
        try:
            await asyncio.to_thread(fault.inject)
            if not await asyncio.to_thread(soon, fault.is_in_effect):
                raise CannotInject(f"{kind} does not take effect.")
            await asyncio.to_thread(fault.sustain)
        finally:
            await asyncio.to_thread(fault.heal)
            window.healed_at = monotonic()
        await self._wait_for_recovery(window)

    async def _wait_for_recovery(self, window: Window) -> None:
        deadline = monotonic() + LONGEST_RECOVERY
        while monotonic() < deadline:
            measure_readiness(window, self.readiness)
            if None not in window.recovery_seconds.values():
                return
            await asyncio.sleep(POLL_INTERVAL)
