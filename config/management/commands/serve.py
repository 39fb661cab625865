"""`manage.py serve`: run the whole server in one command, or some of its parts."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator, Sequence
from importlib import import_module
from time import monotonic, sleep
from typing import Any, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, connection, connections

from api import process_board
from config import celery_app, database_timeouts, logs
from config.keys.fingerprint_check import WrongKeysError
from config.keys.key_files import MissingKeysError
from config.keys.start_refusal import is_confirmed
from config.supervisor import own_data, process_specs
from config.supervisor.build_watch import BuildWatch
from config.supervisor.forked_process import IS_FORK_SAFE, STOP_SIGNALS
from config.supervisor.handover import Handover
from config.supervisor.process_specs import SERVER_PARTS, ProcessSpec
from config.supervisor.reload import Reloader, StatusFile
from config.supervisor.shared_folder import shared_folder
from config.supervisor.supervisor import Supervisor

DEFAULT_GRACE_SECONDS = 10.0
DATABASE_START_SECONDS = 60.0  # seconds that the database may take to start
DATABASE_RETRY_SECONDS = 0.5
MIGRATION_LOCK_ID = 0x7AB1E  # advisory lock of PostgreSQL
WORKER_MODULES = ("celery.bin.celery", "celery.apps.worker", "celery.concurrency.prefork")
COMPILE_HELP = "compile the engines beside, in a checkout without compiled ones, and use them then"
MAX_WEB_PROCESSES = process_board.SECTIONS // 2  # as many drain while they are replaced
WEB_HELP = "the number of web processes (default: the cores that bots leave, at least 1)"
TRIAL_HELP = "prepare all that the server needs, as before a reload, and end"
TEST_CLOCK_HELP = "serve empty data of its own, with a clock that POST /test/advance moves forward"
ONLY_HELP = "run only this part; may be repeated (default: all)"


class Command(BaseCommand):
    help = "Migrate the database, then run web server, workers and sweeper until Ctrl-C."
    requires_system_checks = ()
    handover: Handover | None = None  # from the image before

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
        add("--web", type=web_process_count, metavar="N", help=WEB_HELP)
        add(
            "--grace",
            type=float,
            default=DEFAULT_GRACE_SECONDS,
            help="seconds to finish the current work when stopping (default: "
            f"{DEFAULT_GRACE_SECONDS:g})",
        )
        add("--compile", action="store_true", help=COMPILE_HELP)
        add("--trial", action="store_true", help=TRIAL_HELP)
        add("--test-clock", action="store_true", help=TEST_CLOCK_HELP)

    def handle(self, *args: Any, **options: Any) -> None:
        if options["test_clock"]:
            begin_with_test_clock()
        try:
            self.serve(options)
        finally:
            own_data.remove(settings.DATA)

    def serve(self, options: dict[str, Any]) -> None:
        """Serve, or try it out."""
        self.handover = Handover.take(os.environ)
        if options["trial"]:
            self.try_out(options["only"] or SERVER_PARTS)
            return
        if options["only"] and "web" not in options["only"]:
            check_keys()
        specs = list(self.selected_processes(options))
        env = process_specs.process_environment(settings.BASE_DIR)
        if "worker" in (options["only"] or SERVER_PARTS) and IS_FORK_SAFE:
            import_worker_modules()
        watch = BuildWatch.if_useful(env)
        if watch and options["compile"] and not self.handover:
            check_checkout()
            specs.append(process_specs.compiler_process())
        prepare_forks()
        self.supervise(specs, env, options["grace"], watch)

    def supervise(
        self,
        specs: Sequence[ProcessSpec],
        env: dict[str, str],
        grace_seconds: float,
        watch: BuildWatch | None,
    ) -> NoReturn:
        """Run the processes until the end."""
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)  # until their handlers are there
        folder = shared_folder(is_handed_over=bool(self.handover))
        env[process_board.FOLDER_VARIABLE] = str(folder)
        descriptor = self.handover.status if self.handover else None
        status_file = StatusFile.open(settings.SUPERVISORS, descriptor)
        reloader = Reloader(env, watch, status_file)
        supervisor = Supervisor(specs, env, self.write_line, grace_seconds, self.handover, reloader)
        try:
            sys.exit(supervisor.run())
        finally:
            status_file.remove()
            shutil.rmtree(folder, ignore_errors=True)

    def selected_processes(self, options: dict[str, Any]) -> Iterator[ProcessSpec]:
        """The processes to run. With the web server, the database is migrated first."""
        parts = options["only"] or SERVER_PARTS
        if "web" in parts:
            listener = self.prepare_web_server(options["host"], options["port"])
            count = options["web"] or default_web_processes(parts, options["concurrency"])
            yield from process_specs.web_processes(listener, count, settings.HEARTBEAT_TIMEOUTS)
        timeouts = settings.HEARTBEAT_TIMEOUTS
        if "worker" in parts:
            yield process_specs.bot_worker_process(options["concurrency"], timeouts)
            yield process_specs.analysis_worker_process(options["concurrency"], timeouts)
            yield process_specs.errand_worker_process(timeouts)
            yield process_specs.rating_worker_process(timeouts)
        if "sweeper" in parts:
            yield process_specs.sweeper_process(timeouts)

    def prepare_web_server(self, host: str, port: int) -> int:
        """The socket of the web server, announced once the database is migrated."""
        if self.handover and self.handover.listener is not None:
            self.prepare_database()
            return self.handover.listener
        listener = open_listener(host, port)
        self.prepare_database()
        url_host = f"[{host}]" if ":" in host else host
        self.log(f"Tabularium: http://{url_host}:{port}/ (the API: /api/v1/docs; stop with Ctrl-C)")
        if settings.TEST_CLOCK:
            self.log(
                "POST /test/advance moves the clock. This server deletes its data when it stops."
            )
        return listener

    def try_out(self, parts: Sequence[str]) -> None:
        """Prepare all that these parts need, as before a reload, and run none of them."""
        if "web" in parts:
            self.prepare_database()
            import_module("config.asgi")
            import_module("api.schema").openapi_document()
        else:
            check_keys()
        if "worker" in parts:
            import_worker_modules()

    def prepare_database(self) -> None:
        """Migrate the database, if its keys are there. If its server ends meanwhile, wait for it
        and begin again."""
        while True:
            self.wait_for_database()
            try:
                check_keys()  # before any change is written, and again once they can be recorded
                migrate()
                check_keys()
            except (OperationalError, InterfaceError) as problem:
                if connection.is_usable():
                    raise
                self.log(f"The database went away: {str(problem).strip()}")
                connections.close_all()
            else:
                return

    def wait_for_database(self) -> None:
        """Wait for a database server that is still starting, for example after a crash."""
        deadline = monotonic() + DATABASE_START_SECONDS
        is_logged = False
        while True:
            try:
                connection.ensure_connection()
                return
            except OperationalError as problem:
                if monotonic() >= deadline and not self.handover:  # whose processes would end
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


def begin_with_test_clock() -> None:
    """Begin again with empty data of this process's own, unless it has them."""
    if name := own_data.store_in_environment():
        raise CommandError(f"--test-clock serves empty data of its own: unset {name}.")
    if not own_data.is_own(settings.DATA):
        own_data.execute(settings.BASE_DIR)


def open_listener(host: str, port: int) -> int:
    """A socket on a free port."""
    try:
        return process_specs.open_listener(host, port)
    except OSError as problem:
        raise CommandError(f"{host}:{port}: {problem.strerror}. Set PORT.") from problem


def web_process_count(text: str) -> int:
    """The number of web processes that an option gives."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= MAX_WEB_PROCESSES:
        raise ArgumentTypeError(f"must be a number from 1 to {MAX_WEB_PROCESSES}, not {text!r}.")
    return int(text)


def default_web_processes(parts: Sequence[str], concurrency: int) -> int:
    """The cores that bots leave: all of them, if no bot thinks here."""
    bots = concurrency if "worker" in parts else 0
    return min(max(1, (os.cpu_count() or 1) - bots), MAX_WEB_PROCESSES)


def import_worker_modules() -> None:
    """Import the modules that all workers share, with the tasks."""
    for module in WORKER_MODULES:
        import_module(module)
    celery_app.loader.import_default_modules()


def check_checkout() -> None:
    """Refuse to compile where there are no sources to compile from: an installation brings its
    compiled engines."""
    if not (settings.BASE_DIR / "setup.py").is_file():
        raise CommandError("--compile needs a checkout.")


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
