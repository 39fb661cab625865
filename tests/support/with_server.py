"""A command beside a server: `python -m tests.support.with_server COMMAND …` starts a server with
bots on a temporary database, and runs the command with its address as TABULARIUM_URL."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.support import databases
from tests.support.served import serving


def main(command: list[str]) -> int:
    """The exit status of the command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with TemporaryDirectory(prefix="tabularium-") as folder:
        template = databases.create_template(Path(folder, "template"))
        try:
            with serving(template, Path(folder)) as served:
                environment = {**os.environ, "TABULARIUM_URL": served.url}
                return subprocess.run(command, check=False, env=environment).returncode
        finally:
            databases.drop(template)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
