"""`manage.py serve`: run the whole server in one command, or some of its parts."""

from __future__ import annotations

import gc
import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from importlib import import_module
from time import monotonic, sleep
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection, connections

from config import celery_app, database_timeouts, logs
from config.keys.fingerprint_check import WrongKeysError
from config.keys.key_files import MissingKeysError
from config.keys.start_refusal import is_confirmed
from config.supervisor import process_specs
from config.supervisor.forked_process import IS_FORK_SAFE
from config.supervisor.process_specs import SERVER_PARTS, ProcessSpec
from config.supervisor.supervisor import Supervisor

DEFAULT_GRACE_SECONDS = 10.0
DATABASE_START_SECONDS = 60.0  # seconds that the database may take to start
DATABASE_RETRY_SECONDS = 0.5
MIGRATION_LOCK_ID = 0x7AB1E  # advisory lock of PostgreSQL
WORKER_MODULES = ("celery.bin.celery", "celery.apps.worker", "celery.concurrency.prefork")
ONLY_HELP = "run only this part; may be repeated (default: all)"


class Command(BaseCommand):
    help = "Migrate the database, then run web server, workers and sweeper until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        cores = os.cpu_count() or 1
        add("--host", default="127.0.0.1", help="the address to listen on (default: 127.0.0.1)")
        add(
            "--port",
            type=int,
            default=settings.PORT,
            help="the port to listen on (default: PORT, or 8000)",
        )
        add("--only", action="append", choices=SERVER_PARTS, help=ONLY_HELP)
        add(
            "--concurrency",
            type=int,
            default=cores,
            help=f"the number of bots that think at the same time (default: {cores})",
        )
        add(
            "--grace",
            type=float,
            default=DEFAULT_GRACE_SECONDS,
            help="seconds to finish the current work when stopping (default: "
            f"{DEFAULT_GRACE_SECONDS:g})",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["only"] and "web" not in options["only"]:
            check_keys()
        specs = list(self.selected_processes(options))
        env = process_specs.process_environment(settings.BASE_DIR)
        if "worker" in (options["only"] or SERVER_PARTS) and IS_FORK_SAFE:
            import_worker_modules()
        prepare_forks()
        sys.exit(Supervisor(specs, env, self.write_line, options["grace"]).run())

    def selected_processes(self, options: dict[str, Any]) -> Iterator[ProcessSpec]:
        """The processes to run. With the web server, the database is migrated first."""
        parts = options["only"] or SERVER_PARTS
        if "web" in parts:
            yield self.prepare_web_process(options["host"], options["port"])
        timeouts = settings.HEARTBEAT_TIMEOUTS
        if "worker" in parts:
            yield process_specs.bot_worker_process(options["concurrency"], timeouts)
            yield process_specs.analysis_worker_process(options["concurrency"], timeouts)
            yield process_specs.default_worker_process(timeouts)
        if "sweeper" in parts:
            yield process_specs.sweeper_process(timeouts)

    def prepare_web_process(self, host: str, port: int) -> ProcessSpec:
        """The web server, on a free port and a migrated database."""
        try:
            spec = process_specs.web_process(
                process_specs.open_listener(host, port), settings.HEARTBEAT_TIMEOUTS
            )
        except OSError as problem:
            raise CommandError(f"{host}:{port}: {problem.strerror}. Set PORT.") from problem
        url_host = f"[{host}]" if ":" in host else host
        self.log(f"Tabularium: http://{url_host}:{port}/ (the API: /api/v1/docs; stop with Ctrl-C)")
        self.wait_for_database()
        check_keys()  # before any change is written, and again once they can be recorded
        migrate()
        check_keys()
        return spec

    def wait_for_database(self) -> None:
        """Wait for a database server that is still starting, for example after a crash."""
        deadline = monotonic() + DATABASE_START_SECONDS
        is_logged = False
        while True:
            try:
                connection.ensure_connection()
                return
            except OperationalError as problem:
                if monotonic() >= deadline:
                    raise CommandError(f"The database does not answer: {problem}") from problem
                if not is_logged:
                    self.log(f"Waiting for the database: {str(problem).strip()}")
                    is_logged = True
            sleep(DATABASE_RETRY_SECONDS)

    def write_line(self, line: str) -> None:
        """Relay a line at once."""
        self.stdout.write(line)
        self.stdout.flush()

    def log(self, line: str) -> None:
        """Write a line of this command's own, in the log format."""
        self.write_line(logs.format_plain_line(line, logs.read_log_format()))


def import_worker_modules() -> None:
    """Import the modules that all workers share, with the tasks."""
    for module in WORKER_MODULES:
        import_module(module)
    celery_app.loader.import_default_modules()


def prepare_forks() -> None:
    """Close all connections, and keep shared memory shared."""
    connections.close_all()
    gc.collect()
    gc.freeze()  # no later collection touches, and so copies, the shared memory


def check_keys() -> None:
    """Refuse to serve with keys other than those of the database."""
    try:
        is_confirmed()
    except (MissingKeysError, WrongKeysError) as problem:
        raise CommandError(str(problem)) from problem


def migrate() -> None:
    """Migrate the database; servers that start at once do so one after another."""
    database_timeouts.lift_limits()  # another server may be migrating, for any length of time
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK_ID])
        try:
            call_command("migrate", verbosity=0)
        finally:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT pg_advisory_unlock(%s)", [MIGRATION_LOCK_ID])
    connections.close_all()
