"""`python -m tests.chaos`: a storm of kills or faults on a served instance, then the check of
all acknowledged actions and streamed entries against the logs.

Without `--kind`, random processes are killed while clients play. With `--kind`, which may be given
several times, those faults are injected while clients play, follow 32 streams and poll `readyz`.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

from tests.chaos import stores
from tests.chaos.faults.base import CannotInject
from tests.chaos.faults.kinds import KINDS, compatible_kinds, kinds_on, prepare_data_folder

CANNOT_INJECT: Final = 3  # the exit code if the machine does not allow a fault


class Report(Protocol):
    """The report of a storm."""

    @property
    def faults(self) -> list[str]:
        """Everything that is wrong."""

    def document(self) -> dict[str, Any]:
        """The report as JSON."""


def parse_arguments(arguments: list[str]) -> Namespace:
    """Parse the arguments."""
    parser = ArgumentParser(
        prog="python -m tests.chaos",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--stores", choices=("sqlite", "postgres"), default="sqlite", help="with Redis, or none")
    add("--seed", type=int, default=1, help="of the random choice of victims and times")
    add("--report", type=Path, help="the file for the figures, as JSON")
    kills = parser.add_argument_group("kills at random")
    add = kills.add_argument
    add("--games", type=int, default=20)
    add("--kills", type=int, default=24, help="number of kills")
    add("--pause", type=float, default=2.5, help="seconds between two kills, on average")
    add(
        "--within",
        type=float,
        default=120,
        help="seconds from the last kill in which all games must end",
    )
    faults = parser.add_argument_group("faults")
    add = faults.add_argument
    add("--kind", action="append", choices=[*KINDS, "all"], help="may be given several times")
    add("--seconds", type=float, help="duration of each fault (default: its kind's)")
    args = parser.parse_args(arguments)
    if args.kind and "all" in args.kind:
        args.kind = compatible_kinds(args.stores)
    if unavailable := [name for name in args.kind or () if name not in kinds_on(args.stores)]:
        parser.error(f"not on {args.stores}: {', '.join(unavailable)}")
    return args


def main(arguments: list[str]) -> int:
    """Run a storm; exit code 0 if the report has no faults."""
    args = parse_arguments(arguments)
    folder = Path(tempfile.mkdtemp(prefix="tabularium-chaos-"))
    try:
        report = run_storm(args, folder)
    except CannotInject as problem:
        print(problem, file=sys.stderr)  # noqa: T201
        return CANNOT_INJECT
    if args.report:
        args.report.write_text(json.dumps(report.document()), encoding="utf-8")
    print(report)  # noqa: T201
    if report.faults:
        print(f"The files of the storm are in {folder}", file=sys.stderr)  # noqa: T201
        return 1
    shutil.rmtree(folder)
    return 0


def run_storm(args: Namespace, folder: Path) -> Report:
    """Run one storm on stores of its own."""
    with ExitStack() as stack:
        servers = stack.enter_context(stores.run_stores()) if args.stores == "postgres" else {}
        rng = Random(args.seed)
        if not args.kind:
            stores.use_stores(folder, servers)
            from tests.chaos.kill_storm_run import run_kill_storm

            return run_kill_storm(args, folder, servers, rng)
        stores.use_stores(stack.enter_context(prepare_data_folder(folder, args.kind)), servers)
        from tests.chaos.fault_storm_run import run_fault_storm

        return run_fault_storm(args, folder, servers, rng)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
