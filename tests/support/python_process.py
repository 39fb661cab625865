"""New processes of Python, whose output is examined."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tabularium_engines.builds.compiled_engines import PROJECT_ROOT


def run_python(
    *arguments: str | Path, cwd: Path = PROJECT_ROOT, **variables: str | Path
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments and environment variables, and return its end."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
