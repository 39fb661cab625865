"""`python -m release.wheels [--interpreted] [FOLDER]`: builds the wheels of the rules and the log,
from the files that the service imports."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from tabularium_engines.builds.compiled_engines import has_compiler

ROOT: Final = Path(__file__).resolve().parent.parent
ENGINES: Final = "tabularium_engines"
PACKAGES: Final = (ENGINES, "tabularium_log")
OF_THE_PROJECT: Final = ("pyproject.toml", "README.md")  # in the package, as it is kept
SETUP_SCRIPT: Final = """import os, sys
sys.path.insert(0, ".")  # not on the path of an isolated build
os.environ["TABULARIUM_ENGINES"] = "interpreted"  # the build itself must not use compiled ones
from tabularium_engines.builds.unit_build import setup_wheel
setup_wheel()
"""


def assemble(package: str, target: Path, is_compiled: bool) -> None:
    """Write the project of a package into an empty folder."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so", "pyproject.toml")
    shutil.copytree(ROOT / package, target / package, ignore=ignored)
    for name in OF_THE_PROJECT:
        shutil.copy(ROOT / package / name, target)
    shutil.copy(ROOT / "LICENSE", target)
    if is_compiled and package == ENGINES:
        (target / "setup.py").write_text(SETUP_SCRIPT, encoding="utf-8")


def main() -> None:
    """Assemble each project in a temporary folder, and let pip build it."""
    parser = argparse.ArgumentParser(prog="python -m release.wheels", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/wheels"))
    parser.add_argument("--interpreted", action="store_true", help="wheels without compiled code")
    arguments = parser.parse_args()
    is_compiled = not arguments.interpreted and has_compiler()
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "wheel", *options]
    for package in PACKAGES:
        with tempfile.TemporaryDirectory() as folder:
            assemble(package, Path(folder), is_compiled)
            target = ["--wheel-dir", str(arguments.folder.resolve()), "."]
            subprocess.run([*command, *target], cwd=folder, check=True)


if __name__ == "__main__":
    main()
