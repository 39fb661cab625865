"""The run of a crowd: the hosts are started, the tables are played, and the records are judged."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from tests.chaos.stores import Store
from tests.crowd.crowd import Crowd, Pace
from tests.crowd.hosts import Host, Size, run_hosts
from tests.crowd.namespaces import Namespace as NetworkNamespace
from tests.crowd.people import Manner
from tests.crowd.plans import SHARES, Mix, plan_tables
from tests.crowd.processor_time import ProcessorTimes
from tests.crowd.report import CrowdReport, build_report


def play_and_judge(
    options: Namespace,
    folder: Path,
    servers: Mapping[str, Store],
    namespaces: Sequence[NetworkNamespace],
) -> CrowdReport:
    """Play all tables on these hosts, or on one on the loopback; the report."""
    call_command("migrate", verbosity=0)
    connection.close()  # a fault must neither cut it nor count it
    hosts = make_hosts(options, folder, servers, namespaces)
    manner = Manner(options.pause, options.patience)
    pace = Pace(
        options.at_once,
        options.arrival,
        manner,
        options.within,
        options.rest,
        options.fault_seconds,
    )
    crowd = Crowd(hosts, pace, options.faults, options.seed)
    times = ProcessorTimes(hosts, servers)
    with run_hosts(hosts):
        crowd.run(plan_tables(options.games, options.seed, mix_of(options)), times)
    return build_report(crowd, times.seconds, options.max_ratio)


def mix_of(options: Namespace) -> Mix:
    """The mix of tables that the options ask for."""
    shares = dict.fromkeys(options.opponents, 1) or SHARES
    return Mix(options.rules, shares, options.followers)


def make_hosts(
    options: Namespace,
    folder: Path,
    servers: Mapping[str, Store],
    namespaces: Sequence[NetworkNamespace],
) -> list[Host]:
    """The hosts, each with a data folder of its own and with the keys of all."""
    size = Size(options.web, options.concurrency)
    hosts = [
        Host(folder / f"host-{number}", servers, size, namespace)
        for number, namespace in enumerate(namespaces or [None])
    ]
    for keys in (settings.SIGNING_KEYS, settings.SEALING_KEYS):
        keys.load()
    str(settings.SECRET_KEY)  # written when it is read
    for host in hosts:
        host.prepare(folder / "keys")
    return hosts
