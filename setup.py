"""The setup script: compiles the engines and the search with mypyc. All other metadata is in
pyproject.toml.

`setup.py compile` builds into `.compiled/<digest>` for development, and keeps a copy in the user's
cache, which another checkout of the same sources takes over; a wheel (`pip wheel .`) has the
compiled modules next to their sources. Without a C compiler both print a line and stay interpreted.
With GCC, each module is a C file of its own, and all cores compile and optimise them at once.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))  # not on the path of an isolated build
os.environ["TABULARIUM_ENGINES"] = "interpreted"  # the build itself must not use compiled ones

from games import compiled_engines

# the commands that need the extensions
BUILD_COMMANDS: Final = {"compile", "build_ext", "bdist_wheel"}
BUILDS: Final = compiled_engines.PROJECT_ROOT / compiled_engines.BUILDS_FOLDER
# of the development build; sources that are edited while it is made do not get its name
TARGET: Final = compiled_engines.own_build()
MAX_BUILDS: Final = 2  # builds for development; older ones are removed
MAX_CACHED: Final = 4  # builds


def extensions(folder: str) -> list[Any]:
    """The extensions, as C in `folder` and ready to build; none without a compiler. GCC optimises
    the unit as a whole when it links it, so that a file for each module costs no speed."""
    if not compiled_engines.has_compiler():
        print(compiled_engines.NO_COMPILER)
        return []
    from mypyc.build import mypycify

    # Independent of the settings and the cache of `make check`, which checks the imported modules.
    options = ["--config-file=", f"--cache-dir={os.devnull}", "--follow-imports=silent"]
    is_gcc = compiled_engines.is_compiler_gcc()
    with silence_unless_it_fails():
        modules = mypycify(
            [*options, *compiled_engines.compiled_sources()],
            group_name=compiled_engines.UNIT_NAME,
            opt_level=compiled_engines.OPTIMISATION_LEVEL,
            target_dir=folder,
            multi_file=is_gcc,
        )
    compiled_engines.give_back_vecs(Path(folder))
    for extension in modules:
        flags = [*extension.extra_compile_args, *compiled_engines.COMPILER_FLAGS]
        # only the unit, not the modules that point into it
        if is_gcc and extension.name == compiled_engines.RUNTIME_MODULE:
            extension.extra_link_args = [*flags, f"-flto={compiled_engines.usable_cores()}"]
            flags = [*flags, "-flto"]
        extension.extra_compile_args = flags  # all shared one list
    return modules


@contextmanager
def silence_unless_it_fails() -> Iterator[None]:
    """Within the block, keep the output; it is printed if the block fails, and else has only
    remarks about code that stays slower than it could be."""
    output = StringIO()
    try:
        with redirect_stdout(output):
            yield
    except BaseException:
        print(output.getvalue(), end="")
        raise


class ParallelBuild(build_ext):
    """Compiles as many C files at once as there are cores, the largest first."""

    def build_extensions(self) -> None:
        self.parallel = compiled_engines.usable_cores()
        compile_here = self.compiler.compile

        def compile_in_pool(sources: list[str], **options: Any) -> list[str]:
            largest_first = sorted(sources, key=os.path.getsize, reverse=True)
            batches = pool.map(lambda source: compile_here([source], **options), largest_first)
            return sorted(path for batch in batches for path in batch)

        # the modules of the unit are one extension, which setuptools compiles file by file
        with ThreadPoolExecutor(self.parallel) as pool:
            self.compiler.compile = compile_in_pool
            super().build_extensions()


class BuildForWheel(ParallelBuild):
    """Adds a file to the compiled modules that identifies their sources and the compiler."""

    def run(self) -> None:
        super().run()
        if self.extensions:
            compiler = compiled_engines.compiler_version()
            digest_file = Path(self.build_lib, compiled_engines.DIGEST_FILE)
            digest_file.parent.mkdir(parents=True, exist_ok=True)
            digest_file.write_text(f"{compiled_engines.build_digest(compiler)} {compiler}\n")


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
