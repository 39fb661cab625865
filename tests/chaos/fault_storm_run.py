"""A storm with watchers, from its first table to its verdict."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from random import Random

from django.core.management import call_command
from django.db import connection

from tests.chaos.fault_storm import Storm, schedule_faults
from tests.chaos.fault_storm_report import Verdict, build_verdict
from tests.chaos.stores import Store


def run_fault_storm(
    args: Namespace, folder: Path, servers: Mapping[str, Store], rng: Random
) -> Verdict:
    """Inject the requested kinds, one after another; the verdict."""
    call_command("migrate", verbosity=0)
    connection.close()  # so that it is not cut, nor counted as a connection of the service
    storm = Storm(folder, servers, rng)
    try:
        storm.begin()
        for name, seconds in schedule_faults(args.kind, args.seconds, rng):
            storm.inject_fault(name, seconds)
        storm.end()
    finally:
        storm.close()
    return build_verdict(args.stores, storm)
