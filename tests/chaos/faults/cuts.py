"""Connections that are cut, servers that restart, networks that carry nothing."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic, sleep

import psycopg

from tests.chaos.faults.base import Fault
from tests.chaos.faults.hangs import answers_ping
from tests.chaos.instance import Instance
from tests.chaos.proxy import Proxy

ROUND_INTERVAL: float = 0.4  # seconds between two rounds
BACKENDS = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
TERMINATE = "SELECT pg_terminate_backend(%s)"


class Terminated(Fault):
    """All backends of PostgreSQL are terminated, again and again."""

    def __init__(self, instance: Instance, seconds: float) -> None:
        super().__init__(instance, seconds)
        self._victims: set[int] = set()

    def inject(self) -> None:
        with psycopg.connect(self.instance.database_url, autocommit=True) as connection:
            own_pid = connection.info.backend_pid
            self._victims = {pid for (pid,) in connection.execute(BACKENDS)} - {own_pid}
            for pid in self._victims:
                connection.execute(TERMINATE, [pid])

    def is_in_effect(self) -> bool:
        """Whether all the backends terminated are gone."""
        with psycopg.connect(self.instance.database_url, autocommit=True) as connection:
            backends = {pid for (pid,) in connection.execute(BACKENDS)}
        return bool(self._victims) and not self._victims & backends

    def sustain(self) -> None:
        end = monotonic() + self.seconds
        while monotonic() < end:
            sleep(ROUND_INTERVAL)
            self.inject()

    def heal(self) -> None:
        """Nothing to repair."""
        self._victims = set()


class Restarted(Fault):
    """PostgreSQL is stopped with `immediate`, which is a crash, and started again."""

    def inject(self) -> None:
        self.instance.stores["postgres"].kill()

    def is_in_effect(self) -> bool:
        return not self.instance.stores["postgres"].is_answering()

    def heal(self) -> None:
        self.instance.stores["postgres"].start()


class Network(Fault):
    """The network between the instance and one of its stores."""

    store = "postgres"

    @property
    def proxy(self) -> Proxy:
        """The proxy that carries all connections to the store."""
        return self.instance.proxies[self.store]

    def is_in_effect(self) -> bool:
        """Whether the store answers directly, and not through the proxy."""
        return self.instance.stores[self.store].is_answering() and not self.is_reachable()

    def is_reachable(self) -> bool:
        """Whether there is an answer through the proxy within two seconds."""
        url = self.instance.stores[self.store].url_at(self.proxy.port)
        with suppress(psycopg.Error):
            psycopg.connect(url, connect_timeout=2).close()
            return True
        return False

    def heal(self) -> None:
        self.proxy.heal()


class DatabaseFrozen(Network):
    """Packets to and from PostgreSQL are dropped silently."""

    def inject(self) -> None:
        self.proxy.freeze()


class DatabaseCut(Network):
    """Connections to PostgreSQL are reset, and cannot be made."""

    def inject(self) -> None:
        self.proxy.cut()


class BrokerFrozen(DatabaseFrozen):
    """Packets to and from Redis are dropped silently."""

    store = "redis"

    def is_reachable(self) -> bool:
        return answers_ping(self.proxy.port)


class BrokerCut(BrokerFrozen):
    """Connections to Redis are reset, and cannot be made."""

    def inject(self) -> None:
        self.proxy.cut()
