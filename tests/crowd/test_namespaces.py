"""A network namespace is a host of its own, until its link is down, and leaves nothing behind."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from tests.chaos.faults.base import CannotInject
from tests.config.processes import soon
from tests.crowd import namespaces
from tests.crowd.namespaces import Namespace, open_namespaces
from tests.support.missing_requirements import skip_or_fail

CONNECT = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), 2)"
pytestmark = [
    pytest.mark.lane("crowd"),
    pytest.mark.skipif(sys.platform != "linux", reason="namespaces are Linux's"),
]


def inside(namespace: Namespace, *command: str) -> subprocess.CompletedProcess[str]:
    """The end of a command on that host."""
    line = namespace.command_line(list(command))
    return subprocess.run(line, capture_output=True, text=True, check=False)


def listed(*arguments: str) -> str:
    """The output of `ip`."""
    return subprocess.run(["ip", *arguments], capture_output=True, text=True, check=True).stdout


def test_a_host_reaches_this_machine_until_its_link_is_down() -> None:
    try:
        with (
            open_namespaces(1) as (namespace,),
            socket.create_server((namespace.gateway, 0)) as own,
        ):
            call = [sys.executable, "-c", CONNECT, *map(str, own.getsockname())]
            assert soon(lambda: inside(namespace, *call).returncode == 0)
            assert inside(namespace, "uname", "-n").stdout.strip() == namespace.name
            assert os.uname().nodename != namespace.name
            namespace.set_link(is_up=False)
            assert inside(namespace, *call).returncode != 0
            namespace.set_link(is_up=True)
            assert soon(lambda: inside(namespace, *call).returncode == 0)
            assert namespace.name in listed("netns")
    except CannotInject as problem:
        skip_or_fail(str(problem))
    assert namespace.name not in listed("netns")
    assert namespace.device not in listed("link")


def test_networks_do_not_overlap() -> None:
    first, second = Namespace("A", "ab12cd", 63), Namespace("B", "ab12cd", 64)
    assert (first.gateway, first.address) == ("198.18.0.253", "198.18.0.254")
    assert (second.gateway, second.address) == ("198.18.1.1", "198.18.1.2")
    assert Namespace("A", "ab12cd", namespaces.NETWORK_COUNT - 1).address == "198.19.255.254"


def test_without_root_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(CannotInject, match="need root on Linux: --hosts 1"), open_namespaces(2):
        pass
