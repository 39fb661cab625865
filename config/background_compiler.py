"""Compiling the engines beside a server that runs them interpreted: `python -m
config.background_compiler`, which `serve --compile` starts. Everything else comes first."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from config.supervisor import process_specs
from games import compiled_engines

NICENESS: Final = 19  # the lowest priority
AUTOGROUP: Final = Path("/proc/self/autogroup")  # on Linux, priorities may count inside this alone
INSTALL: Final = "pip install --quiet --quiet --disable-pip-version-check --require-hashes -r"
BEGINNING: Final = "The engines run interpreted and are compiled meanwhile, in a minute or two …"
STEPS: Final = (f"{INSTALL} requirements/build.txt", "setup --quiet compile")  # as in the Makefile


def main() -> None:
    """Install the compiler, and compile; the supervisor takes over the build that appears."""
    lower_priority()
    if not compiled_engines.has_compiler():
        print(compiled_engines.NO_COMPILER)  # noqa: T201  # the supervisor relays it
        return
    print(BEGINNING, flush=True)  # noqa: T201  # the supervisor relays it
    for step in map(str.split, STEPS):
        command = process_specs.tethered_command(os.getpid(), step)
        code = subprocess.run(command, cwd=compiled_engines.PROJECT_ROOT, check=False).returncode
        if code:
            sys.exit(f"The engines run interpreted: {step[0]} ended with exit code {code}.")


def lower_priority() -> None:
    """Lower the priority of this process and of those that it starts."""
    os.nice(NICENESS)
    with suppress(OSError):
        AUTOGROUP.write_text(str(NICENESS))


if __name__ == "__main__":
    main()
