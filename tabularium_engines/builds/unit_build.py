"""The build of the unit: mypyc makes C of the rules and the search, for a setup script. With GCC,
each module is a C file of its own, and all cores compile and optimise them at once."""

from __future__ import annotations

import os
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

from tabularium_engines.builds import compiled_engines

# the commands that need the extensions
BUILD_COMMANDS: Final = frozenset({"compile", "build_ext", "bdist_wheel"})


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


def setup_wheel() -> None:
    """The setup script of the wheel of this package; the build of metadata compiles nothing."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        is_build = BUILD_COMMANDS & set(sys.argv)
        modules = extensions(os.path.relpath(folder)) if is_build else []
        setup(ext_modules=modules, cmdclass={"build_ext": BuildForWheel})
