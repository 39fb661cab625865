"""Cut connections, restarts of the database, and networks that drop all packets."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic, sleep
from typing import Final

import psycopg

from tests.chaos.faults.base import Fault
from tests.chaos.faults.hangs import is_answering_ping
from tests.chaos.instance import Instance
from tests.chaos.proxy import Proxy

ROUND_INTERVAL: Final = 0.4  # seconds
BACKENDS: Final = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
TERMINATE: Final = "SELECT pg_terminate_backend(%s)"


class ConnectionsTerminated(Fault):
    """All backends of PostgreSQL are terminated, again in each round."""

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
        """Whether all terminated backends are gone."""
        with psycopg.connect(self.instance.database_url, autocommit=True) as connection:
            backends = {pid for (pid,) in connection.execute(BACKENDS)}
        return bool(self._victims) and not self._victims & backends

    def sustain(self) -> None:
        deadline = monotonic() + self.seconds
        while monotonic() < deadline:
            sleep(ROUND_INTERVAL)
            self.inject()

    def heal(self) -> None:
        """Forget the victims; the terminations end with `sustain`."""
        self._victims = set()


class DatabaseRestarted(Fault):
    """PostgreSQL shuts down at once, without a checkpoint, and is started again."""

    def inject(self) -> None:
        self.instance.stores["postgres"].kill()

    def is_in_effect(self) -> bool:
        return not self.instance.stores["postgres"].is_answering()

    def heal(self) -> None:
        self.instance.stores["postgres"].start()


class NetworkFault(Fault):
    """A failure of the network between the instance and one of its stores."""

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


class DatabaseFrozen(NetworkFault):
    """The network to PostgreSQL carries nothing; connections stay open."""

    def inject(self) -> None:
        self.proxy.freeze()


class DatabaseCut(NetworkFault):
    """Connections to PostgreSQL are reset, and cannot be made."""

    def inject(self) -> None:
        self.proxy.cut()


class BrokerFrozen(DatabaseFrozen):
    """The network to Redis carries nothing; connections stay open."""

    store = "redis"

    def is_reachable(self) -> bool:
        return is_answering_ping(self.proxy.port)


class BrokerCut(BrokerFrozen):
    """Connections to Redis are reset, and cannot be made."""

    def inject(self) -> None:
        self.proxy.cut()
