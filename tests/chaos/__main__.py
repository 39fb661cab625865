"""`python -m tests.chaos`: play on a served instance through a storm, then check everything that
was acknowledged and streamed against the logs.

Without `--kind` its processes are killed at random. With `--kind`, once or several times, those
faults are injected while clients play, 32 streams are followed and readiness is polled.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import django

from tests.chaos import stores
from tests.chaos.faults.base import CannotInject
from tests.chaos.faults.kinds import KINDS, kept_in, of, together

CANNOT_INJECT: Final = 3  # the exit code where the machine does not allow a fault


class Outcome(Protocol):
    """The result of a storm."""

    @property
    def faults(self) -> list[str]:
        """Everything that is wrong."""

    def document(self) -> dict[str, Any]:
        """The result as JSON."""


def asked(arguments: list[str]) -> Namespace:
    """Parse the arguments."""
    parser = ArgumentParser(
        prog="python -m tests.chaos",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--stores", choices=("sqlite", "postgres"), default="sqlite", help="with Redis, or none")
    add("--seed", type=int, default=1, help="decides what is hit when")
    add("--report", type=Path, help="where the figures are written as JSON")
    kills = parser.add_argument_group("kills at random")
    add = kills.add_argument
    add("--games", type=int, default=20)
    add("--kills", type=int, default=24, help="how often something is killed")
    add("--pause", type=float, default=2.5, help="seconds between two kills, on average")
    add("--within", type=float, default=120, help="seconds after which all must be over")
    faults = parser.add_argument_group("faults, with watchers")
    add = faults.add_argument
    add("--kind", action="append", choices=[*KINDS, "all"], help="may be given several times")
    add("--seconds", type=float, help="how long each fault lasts (each kind's own)")
    wish = parser.parse_args(arguments)
    if wish.kind and "all" in wish.kind:
        wish.kind = together(wish.stores)
    if wrong := [name for name in wish.kind or () if name not in of(wish.stores)]:
        parser.error(f"not over {wish.stores}: {', '.join(wrong)}")
    return wish


def main(arguments: list[str]) -> int:
    """Run a storm; the exit code reports whether everything held."""
    wish = asked(arguments)
    folder = Path(tempfile.mkdtemp(prefix="tabularium-chaos-"))
    try:
        outcome = stormed(wish, folder)
    except CannotInject as problem:
        print(problem, file=sys.stderr)  # noqa: T201
        return CANNOT_INJECT
    if wish.report:
        wish.report.write_text(json.dumps(outcome.document()), encoding="utf-8")
    print(outcome)  # noqa: T201
    if outcome.faults:
        print(f"What was written is in {folder}", file=sys.stderr)  # noqa: T201
        return 1
    shutil.rmtree(folder)
    return 0


def stormed(wish: Namespace, folder: Path) -> Outcome:
    """Run one storm, over its own stores."""
    with ExitStack() as stack:
        servers = stack.enter_context(stores.running()) if wish.stores == "postgres" else {}
        rng = Random(wish.seed)
        if not wish.kind:
            _settle_in(folder, servers)
            from tests.chaos.rehearsal import endured

            return endured(wish, folder, servers, rng)
        _settle_in(stack.enter_context(kept_in(folder, wish.kind)), servers)
        from tests.chaos.gale import weathered

        return weathered(wish, folder, servers, rng)


def _settle_in(folder: Path, servers: dict[str, stores.Store]) -> None:
    """Point this process and all its children at the same stores."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="config.settings",
        TABULARIUM_DATA=str(folder),
        DATABASE_URL=servers["postgres"].url if servers else "",
        REDIS_URL=servers["redis"].url if servers else "",
    )
    django.setup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
