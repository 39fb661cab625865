"""A host of the crowd: everything that `serve` starts, in a network namespace or on the
loopback."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.chaos.http_client import HttpClient
from tests.chaos.instance import Instance
from tests.chaos.stores import LOOPBACK, Store
from tests.crowd.namespaces import Namespace
from tests.support.served import MANY_GUESTS

MANY_CONNECTIONS: Final = "20000"  # all people have the address of this machine


class Size(NamedTuple):
    """The number of web processes of a host, and of bots that think at once."""

    web: int
    concurrency: int


class Host(Instance):
    """A served instance that shares its stores with the other hosts."""

    def __init__(
        self, folder: Path, stores: Mapping[str, Store], size: Size, namespace: Namespace | None
    ) -> None:
        super().__init__(folder, stores, is_proxied=False)
        self.namespace = namespace
        self.size = size
        self.name = namespace.letter if namespace else "A"
        self.address = namespace.address if namespace else LOOPBACK
        self.store_address = namespace.gateway if namespace else LOOPBACK

    def prepare(self, keys: Path) -> None:
        """Make the data folder, with the keys that all hosts have."""
        shutil.copytree(keys, self.data_folder)

    def command_line(self) -> list[str]:
        web, concurrency = self.size
        options = [f"--host={self.address}", f"--web={web}", f"--concurrency={concurrency}"]
        command = [sys.executable, "manage.py", "serve", *options]
        return self.namespace.command_line(command) if self.namespace else command

    def environment(self) -> dict[str, str]:
        """The environment of the served processes, whose clock is the true one."""
        variables = super().environment()
        del variables["CHAOS_CLOCK"], variables["PYTHONPATH"]
        urls = {
            name: store.url_at(store.port, self.store_address)
            for name, store in self.stores.items()
        }
        return variables | {
            "DATABASE_URL": urls["postgres"],
            "REDIS_URL": urls["redis"],
            "TABULARIUM_HOSTS": self.address,
            "TABULARIUM_LIMITS": MANY_GUESTS,
            "TABULARIUM_CONNECTIONS_EACH": MANY_CONNECTIONS,
        }

    def client(self, key: str = "", address: str = "") -> HttpClient:
        return HttpClient(self.port, key, address, self.address)


@contextmanager
def run_hosts(hosts: list[Host]) -> Iterator[None]:
    """Run these hosts within the block."""
    with ExitStack() as stack:
        for host in hosts:
            stack.callback(host.stop)
            host.start()
        yield
