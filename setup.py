"""The setup script: compiles the engines and the search with mypyc. All other metadata is in
pyproject.toml.

`setup.py compile` builds into `.compiled/<digest>` for development, and keeps a copy in the user's
cache, which another checkout of the same sources takes over; a wheel (`pip wheel .`) has the
compiled modules next to their sources. Without a C compiler both print a line and stay interpreted.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Final

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))  # not on the path of an isolated build
os.environ["TABULARIUM_ENGINES"] = "interpreted"  # the build itself must not use compiled ones

from tabularium_engines.builds import compiled_engines
from tabularium_engines.builds.unit_build import (
    BUILD_COMMANDS,
    BuildForWheel,
    ParallelBuild,
    extensions,
)

BUILDS: Final = compiled_engines.PROJECT_ROOT / compiled_engines.BUILDS_FOLDER
# of the development build; sources that are edited while it is made do not get its name
TARGET: Final = compiled_engines.own_build()
MAX_BUILDS: Final = 2  # builds for development; older ones are removed
MAX_CACHED: Final = 4  # builds


class BuildWithGuides(build_py):
    """Adds the guides, which lie outside of the packages."""

    def run(self) -> None:
        from web import guides  # which a checkout that is only compiled may lack

        super().run()
        guides.copy_to(Path(self.build_lib, guides.PACKAGED.relative_to(guides.ROOT)))


class Compile(ParallelBuild):
    """Builds for development; the folder appears only once it is complete, under the name of the
    sources that were there at the beginning."""

    def run(self) -> None:
        super().run()
        if self.extensions and not TARGET.is_dir():  # another process may have been faster
            os.replace(self.build_lib, TARGET)
            remove_old(BUILDS, MAX_BUILDS)
            if cached := compiled_engines.cached_build(TARGET):
                compiled_engines.copy_build(TARGET, cached)
                remove_old(cached.parent, MAX_CACHED)


def remove_old(folder: Path, count: int) -> None:
    """Remove all builds in a folder but the newest ones."""
    for build in sorted(folder.glob("[0-9a-f]*"), key=os.path.getmtime)[:-count]:
        shutil.rmtree(build, ignore_errors=True)


def main() -> None:
    """Run the command, unless it is `compile` and there is the build, here or in the cache."""
    if "compile" in sys.argv and (TARGET.is_dir() or compiled_engines.take_cached_build(TARGET)):
        return
    BUILDS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=BUILDS) as absolute:
        folder = os.path.relpath(absolute)  # setuptools requires a relative path
        setup(
            ext_modules=extensions(folder) if BUILD_COMMANDS & set(sys.argv) else [],
            cmdclass={"build_ext": BuildForWheel, "build_py": BuildWithGuides, "compile": Compile},
            options={"compile": {"build_lib": f"{folder}/lib", "build_temp": f"{folder}/objects"}},
        )


main()
