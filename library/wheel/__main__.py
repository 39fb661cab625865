"""`python -m library.wheel [--interpreted] [FOLDER]`: builds the wheel of the library."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from games.compiled_engines import has_compiler
from library.wheel.source_tree import assemble


def main() -> None:
    """Assemble the sources in a temporary folder, and let pip build them."""
    parser = argparse.ArgumentParser(prog="python -m library.wheel", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/wheels"))
    parser.add_argument("--interpreted", action="store_true", help="a wheel without compiled code")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        assemble(Path(folder), is_compiled=not arguments.interpreted and has_compiler())
        options = ["--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "wheel", *options]
        subprocess.run(
            [*command, "--wheel-dir", str(arguments.folder.resolve()), "."], cwd=folder, check=True
        )


if __name__ == "__main__":
    main()
