"""Network namespaces: each is a host of its own to the kernel, and a link joins it to this
machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from tests.chaos.faults.base import CannotInject

LETTERS: Final = "ABCDEFGH"
MARK_BYTES: Final = 3  # of a name that no other run has
PEER: Final = "up0"  # the end of the link on the host
PREFIX_BITS: Final = 30  # a network of two addresses
NETWORK_COUNT: Final = 1 << (PREFIX_BITS - 15)  # in 198.18.0.0/15, which is kept for such tests


@dataclass(frozen=True)
class Namespace:
    """A network namespace and its link."""

    letter: str
    mark: str
    number: int  # of its network

    @property
    def name(self) -> str:
        """The name of the namespace."""
        return f"crowd-{self.mark}-{self.letter}"

    @property
    def device(self) -> str:
        """The end of the link on this machine."""
        return f"cr{self.mark}{self.letter}"

    @property
    def gateway(self) -> str:
        """The address of this machine on the link."""
        return self._address(1)

    @property
    def address(self) -> str:
        """The address of the host."""
        return self._address(2)

    def _address(self, index: int) -> str:
        offset = 4 * self.number + index
        return f"198.{18 + (offset >> 16)}.{offset >> 8 & 255}.{offset & 255}"

    def command_line(self, command: list[str]) -> list[str]:
        """A command as it is run on this host, which has a hostname of its own. The command keeps
        the process that is started."""
        shell = f'echo {self.name} > /proc/sys/kernel/hostname; exec "$@"'
        inside = ["unshare", "--uts", "sh", "-c", shell, "sh", *command]
        return ["ip", "netns", "exec", self.name, *inside]

    def create(self) -> None:
        """Create the namespace and its link."""
        _ip("netns", "add", self.name)
        _ip("link", "add", self.device, "type", "veth", "peer", "name", PEER, "netns", self.name)
        _ip("addr", "add", f"{self.gateway}/{PREFIX_BITS}", "dev", self.device)
        _ip("link", "set", self.device, "up")
        _ip("-n", self.name, "addr", "add", f"{self.address}/{PREFIX_BITS}", "dev", PEER)
        _ip("-n", self.name, "link", "set", "lo", "up")
        self.set_link(is_up=True)

    def set_link(self, *, is_up: bool) -> None:
        """Take the link up or down, at the host's end: at this one, requests to the host would take
        another way out of this machine."""
        _ip("-n", self.name, "link", "set", PEER, "up" if is_up else "down")

    def remove(self) -> None:
        """Remove whatever was created."""
        _ip("link", "del", self.device, is_needed=False)
        _ip("netns", "del", self.name, is_needed=False)


@contextmanager
def open_namespaces(count: int) -> Iterator[list[Namespace]]:
    """So many namespaces, which are removed at the end of the block; CannotInject if this machine
    does not allow them."""
    if os.geteuid() != 0:
        raise CannotInject("Network namespaces need root on Linux: --hosts 1 does without.")
    missing = [name for name in ("ip", "unshare") if shutil.which(name) is None]
    if missing:
        raise CannotInject(f"Not installed: {', '.join(missing)}. --hosts 1 does without.")
    mark = os.urandom(MARK_BYTES).hex()
    first = int(mark, 16)
    with ExitStack() as stack:
        namespaces = [
            Namespace(letter, mark, (first + index) % NETWORK_COUNT)
            for index, letter in enumerate(LETTERS[:count])
        ]
        for namespace in namespaces:
            stack.callback(namespace.remove)
            namespace.create()
        yield namespaces


def _ip(*arguments: str, is_needed: bool = True) -> None:
    """Run `ip` with these arguments."""
    run = subprocess.run(["ip", *arguments], capture_output=True, text=True, check=False)
    if run.returncode and is_needed:
        command = " ".join(arguments)
        raise CannotInject(f"ip {command}: {run.stderr.strip()}. --hosts 1 does without.")
