"""`python -m tests.crowd`: thousands of games at once with scripted people and bots, on two hosts
in network namespaces that share a PostgreSQL and a Redis, with faults meanwhile (`make crowd`).

Every game must end, and every acknowledged action be in the log. Outside the windows of the faults
no request may fail, and the 99th percentile of each kind of request is at most ten times its
median.
"""

from __future__ import annotations

import json
import resource
import shutil
import signal
import sys
import tempfile
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.chaos import stores
from tests.chaos.faults.base import CannotInject
from tests.crowd.plans import FOLLOWERS, SHARES

if TYPE_CHECKING:
    from tests.crowd.report import CrowdReport

CANNOT_INJECT: Final = 3  # the exit code if the machine does not allow a namespace or a fault
KINDS: Final = (
    "web-killed",
    "worker-killed",
    "broker-stopped",
    "database-restarted",
    "link-down",
)
MAX_HOSTS: Final = 8


def parse_arguments(arguments: list[str]) -> Namespace:
    """Parse the arguments."""
    parser = ArgumentParser(
        prog="python -m tests.crowd",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--games", type=int, default=2000, help="default: 2,000")
    add("--at-once", type=int, default=2000, help="games at once (default: 2,000)")
    add("--seed", type=int, default=1, help="of the tables and of all choices of people")
    add("--rules", nargs="+", default=(), metavar="SLUG", help="the rulesets (default: all)")
    add("--opponents", nargs="+", default=(), choices=SHARES, help="in equal shares")
    add("--followers", nargs="+", default=FOLLOWERS, choices=FOLLOWERS, help="of a table in turn")
    add("--hosts", type=int, default=2, choices=range(1, MAX_HOSTS + 1), help="1: on the loopback")
    add("--web", type=int, default=2, help="web processes of a host (default: 2)")
    add("--concurrency", type=int, default=2, help="bots that think at once (default: 2)")
    add("--arrival", type=float, default=60.0, help="seconds over which the first tables begin")
    add("--pause", type=float, default=4.0, help="seconds before an action, on average")
    add("--patience", type=int, default=100, help="actions after which a person resigns")
    add("--within", type=float, default=7200, help="seconds in which all games must end")
    add("--faults", nargs="*", choices=KINDS, default=KINDS, help="in this order (default: all)")
    add("--fault-seconds", type=float, default=20.0, help="that a store or a link is away")
    add("--rest", type=float, default=20.0, help="seconds before each fault")
    add("--max-ratio", type=float, default=10.0, help="of p99 to p50; 0 judges no times")
    add("--report", type=Path, help="the file for the figures, as JSON")
    options = parser.parse_args(arguments)
    if options.hosts == 1 and "link-down" in options.faults:
        parser.error("link-down needs --hosts 2: name the --faults")
    return options


def main(arguments: list[str]) -> int:
    """Run a crowd; exit code 0 if the report has no faults."""
    options = parse_arguments(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # hosts and namespaces are removed
    folder = Path(tempfile.mkdtemp(prefix="tabularium-crowd-"))
    try:
        report = run_crowd(options, folder)
    except CannotInject as problem:
        print(problem, file=sys.stderr)  # noqa: T201
        shutil.rmtree(folder)
        return CANNOT_INJECT
    if options.report:
        options.report.write_text(json.dumps(report.document()), encoding="utf-8")
    print(report)  # noqa: T201
    if report.faults:
        print("", *report.faults, f"The logs are in {folder}", sep="\n", file=sys.stderr)  # noqa: T201
        return 1
    shutil.rmtree(folder)
    return 0


def run_crowd(options: Namespace, folder: Path) -> CrowdReport:
    """Run the hosts and the crowd, and judge the records while the stores still run."""
    from tests.crowd.namespaces import open_namespaces

    allow_many_connections()
    with ExitStack() as stack:
        is_alone = options.hosts == 1
        namespaces = [] if is_alone else stack.enter_context(open_namespaces(options.hosts))
        gateways = [namespace.gateway for namespace in namespaces]
        servers = stack.enter_context(stores.run_stores(*gateways))
        keys = folder / "keys"
        keys.mkdir()
        stores.use_stores(keys, servers)
        from tests.crowd.run import play_and_judge

        return play_and_judge(options, folder, servers, namespaces)


def allow_many_connections() -> None:
    """Allow as many open connections as the system does."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
