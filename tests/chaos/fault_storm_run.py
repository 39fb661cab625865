"""The run of a fault storm: start, faults, end and report."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from random import Random

from django.core.management import call_command
from django.db import connection

from tests.chaos.fault_storm import FaultStorm, schedule_faults
from tests.chaos.fault_storm_report import FaultStormReport, build_report
from tests.chaos.stores import Store


def run_fault_storm(
    args: Namespace, folder: Path, servers: Mapping[str, Store], rng: Random
) -> FaultStormReport:
    """Inject the requested kinds, one after another; the report."""
    call_command("migrate", verbosity=0)
    connection.close()  # a fault must neither cut it nor count it
    storm = FaultStorm(folder, servers, rng)
    try:
        storm.begin()
        for name, seconds in schedule_faults(args.kind, args.seconds, rng):
            storm.inject_fault(name, seconds)
        storm.end()
    finally:
        storm.close()
    return build_report(args.stores, storm)
