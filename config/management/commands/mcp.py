"""`manage.py mcp`: let agents play, over the Model Context Protocol. A client of the API, like any
other: it needs no database."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from types import ModuleType
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

CLIENT: Final = settings.BASE_DIR / "clients" / "python" / "src"  # of a checkout
MISSING: Final = (
    "`manage.py mcp` needs the client's extra `mcp`: python -m pip install './clients/python[mcp]'"
)


class Command(BaseCommand):
    help = "Serve the Model Context Protocol, so that agents can play on a server of Tabularium."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        imported_command().add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        command, chosen = imported_command(), Namespace(**options)
        if sentence := command.misfit(chosen):
            raise CommandError(sentence)
        command.serve(chosen)


def imported_command() -> ModuleType:
    """The module of the client that serves, which a checkout has in a folder of its own."""
    if CLIENT.is_dir() and str(CLIENT) not in sys.path:
        sys.path.append(str(CLIENT))
    try:
        from tabularium_client.mcp_server import command  # noqa: PLC0415  # may not be installed
    except ModuleNotFoundError as missing:
        raise SystemExit(MISSING) from missing  # before Django reports errors of commands
    return command
