"""`python -m tests.chaos`: games on a served instance while its processes are killed at random."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path
from random import Random

import django

from tests.chaos import stores


def asked(arguments: list[str]) -> Namespace:
    """What is to be done."""
    parser = ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    add = parser.add_argument
    add("--stores", choices=("sqlite", "postgres"), default="sqlite", help="with Redis, or none")
    add("--games", type=int, default=20)
    add("--kills", type=int, default=24, help="how often something is killed")
    add("--pause", type=float, default=2.5, help="seconds between two kills, on average")
    add("--within", type=float, default=120, help="seconds after which all must be over")
    add("--seed", type=int, default=1, help="decides who is killed when")
    add("--report", type=Path, help="where the figures are written as JSON")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """A storm; the exit code says whether everything held."""
    wish = asked(arguments)
    folder = Path(tempfile.mkdtemp(prefix="tabularium-chaos-"))
    with ExitStack() as stack:
        servers = stack.enter_context(stores.running()) if wish.stores == "postgres" else {}
        _settle_in(folder, servers)
        from tests.chaos.rehearsal import endured

        outcome = endured(wish, folder, servers, Random(wish.seed))
    if wish.report:
        wish.report.write_text(json.dumps(outcome.document()), encoding="utf-8")
    print(outcome)  # noqa: T201
    if outcome.faults:
        print(f"What was written is in {folder}", file=sys.stderr)  # noqa: T201
        return 1
    shutil.rmtree(folder)
    return 0


def _settle_in(folder: Path, servers: dict[str, stores.Store]) -> None:
    """This process and all its children work on the same stores."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="config.settings",
        TABULARIUM_DATA=str(folder),
        DATABASE_URL=servers["postgres"].url if servers else "",
        REDIS_URL=servers["redis"].url if servers else "",
    )
    django.setup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
