"""The watch for compiled engines that appear while a server runs interpreted ones."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tabularium_engines.builds import compiled_engines

LOAD_ENGINES: Final = "import tabularium_engines.installed.registry"


class BuildWatch:
    """Finds a build of the sources as soon as it is complete and can be loaded."""

    def __init__(self, env: Mapping[str, str], root: Path = compiled_engines.PROJECT_ROOT) -> None:
        self.root = root
        self.env = {**env, compiled_engines.MODE_VARIABLE: "compiled"}
        self.folder_time: int | None = None  # when the folder of builds changed last
        self.trial: subprocess.Popen[str] | None = None  # loads the engines of a new build

    @classmethod
    def if_useful(cls, env: Mapping[str, str]) -> BuildWatch | None:
        """A watch if this process would run compiled engines, but there are none yet."""
        mode = env.get(compiled_engines.MODE_VARIABLE, "auto")
        is_useful = mode == "auto" and compiled_engines.engine_mode() == "interpreted"
        return cls(env) if is_useful else None

    def poll(self) -> str | None:
        """Why a new build cannot be loaded; empty if it can; None while there is no new one. The
        sources are read only when the folder of builds has changed."""
        if self.trial is not None:
            return self._trial_result(self.trial)
        try:
            folder_time = (self.root / compiled_engines.BUILDS_FOLDER).stat().st_mtime_ns
        except FileNotFoundError:
            return None
        if folder_time != self.folder_time:
            self.folder_time = folder_time
            if compiled_engines.find_matching_build(self.root):
                self.trial = subprocess.Popen(
                    [sys.executable, "-c", LOAD_ENGINES],
                    cwd=self.root,  # from which `-c` imports first
                    env=self.env,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                )
        return None

    def _trial_result(self, trial: subprocess.Popen[str]) -> str | None:
        if trial.poll() is None:
            return None
        _, errors = trial.communicate()
        self.trial = None
        if trial.returncode == 0:
            return ""
        return (errors.strip() or f"exit code {trial.returncode}").splitlines()[-1]
