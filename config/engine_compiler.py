"""Compiling the engines: `python -m config.engine_compiler`. mypyc is installed for that time only,
unless the environment has it. `--beside` compiles beside a server (`serve --compile`), which runs
them interpreted meanwhile and comes first."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from config.supervisor import process_specs
from tabularium_engines.builds import compiled_engines

BESIDE_OPTION: Final = "--beside"
NICENESS: Final = 19  # the lowest priority
AUTOGROUP: Final = Path("/proc/self/autogroup")  # on Linux, priorities may count inside this alone
BEGINNING: Final = "The engines run interpreted and are compiled meanwhile, in a minute or two …"
PIP: Final = "pip install --quiet --quiet --disable-pip-version-check --require-hashes"
INSTALL: Final = (*PIP.split(), "--no-compile", "-r", compiled_engines.COMPILER_LOCK)
COMPILE: Final = ("setup", "--quiet", "compile")


def main() -> None:
    """Compile, unless there is the build, here or in the cache; the supervisor takes it over."""
    is_beside = BESIDE_OPTION in sys.argv[1:]
    if is_beside:
        lower_priority()
    own_build = compiled_engines.own_build()
    if own_build.is_dir() or compiled_engines.take_cached_build(own_build):
        return
    if not compiled_engines.has_compiler():
        print(compiled_engines.NO_COMPILER)  # noqa: T201  # the supervisor relays it
        return
    if is_beside:
        print(BEGINNING, flush=True)  # noqa: T201  # the supervisor relays it
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # which removes the folder
    if compiled_engines.installed_compiler() == compiled_engines.compiler_version():
        run(*COMPILE)
        return
    with TemporaryDirectory(prefix="tabularium-compiler-") as folder:
        run(*INSTALL, "--target", folder)
        run(*COMPILE, PYTHONPATH=folder)


def run(module: str, *arguments: str, **variables: str) -> None:
    """Run a module; if it fails, end with a sentence."""
    command = process_specs.tethered_command(os.getpid(), (module, *arguments))
    environment = {**os.environ, **variables}
    code = subprocess.run(
        command, cwd=compiled_engines.PROJECT_ROOT, env=environment, check=False
    ).returncode
    if code:
        sys.exit(f"The engines run interpreted: {module} ended with exit code {code}.")


def lower_priority() -> None:
    """Lower the priority of this process and of those that it starts."""
    os.nice(NICENESS)
    with suppress(OSError):
        AUTOGROUP.write_text(str(NICENESS))


if __name__ == "__main__":
    main()
