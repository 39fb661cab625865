"""Compiled code never shadows sources that it was not built from: every way to load it is tried."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from zipfile import ZipFile

import pytest

from tabularium_engines.builds import compiled_engines

PROBED_MODULE = "tabularium_engines.common.bits"  # a module of the unit, loaded by the probe below
SOURCE = "tabularium_engines/common/bits.py"
PROBE = (
    f"import {PROBED_MODULE} as module; from tabularium_engines.builds import compiled_engines;"
    " print(compiled_engines.engine_mode(), module.__file__)"
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of this checkout's sources, to be modified."""
    folder = compiled_engines.PACKAGE
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(compiled_engines.PROJECT_ROOT / folder, tmp_path / folder, ignore=ignored)
    return tmp_path


@pytest.fixture
def build() -> Path:
    """The build of this checkout's sources."""
    matching_build = compiled_engines.find_matching_build()
    if matching_build is None:
        pytest.skip("nothing is compiled here")
    return matching_build


@pytest.fixture
def built_tree(tree: Path, build: Path) -> Path:
    """The sources with their build."""
    shutil.copytree(build, tree / compiled_engines.BUILDS_FOLDER / build.name)
    return tree


@pytest.fixture
def wheel_tree(tree: Path, build: Path) -> Path:
    """The sources in the layout of a wheel: compiled modules next to them, and the digest file."""
    shutil.copytree(build, tree, dirs_exist_ok=True)
    compiler = compiled_engines.compiler_version()
    (tree / compiled_engines.DIGEST_FILE).write_text(f"{build.name} {compiler}\n")
    return tree


def probe(tree: Path, mode: str = "auto") -> subprocess.CompletedProcess[str]:
    """Import an engine's module from `tree` in a new process."""
    environment = {**os.environ, compiled_engines.MODE_VARIABLE: mode}
    return subprocess.run(
        [sys.executable, "-c", PROBE],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def assert_compiled(tree: Path) -> None:
    mode, file = probe(tree).stdout.split()
    assert mode == "compiled"
    assert file.endswith(EXTENSION_SUFFIXES[0])
    assert file.startswith(str(tree))


def assert_interpreted(tree: Path, mode: str = "auto") -> str:
    """Assert that the source is run; returns the message on stderr."""
    process = probe(tree, mode)
    assert process.stdout.split() == ["interpreted", str(tree / SOURCE)], process.stderr
    return process.stderr


def edit(tree: Path, path: str = SOURCE) -> None:
    """Change a source by one blank line."""
    with (tree / path).open("a") as file:
        file.write("\n")


def test_a_build_of_these_sources_is_run(built_tree: Path) -> None:
    assert_compiled(built_tree)


def test_an_edited_source_is_run_instead_of_the_build_with_a_message(built_tree: Path) -> None:
    edit(built_tree)
    message = assert_interpreted(built_tree)
    assert "running interpreted" in message
    assert message.count("\n") == 1


def test_an_edit_taken_back_finds_its_build_again(built_tree: Path) -> None:
    original = (built_tree / SOURCE).read_bytes()
    edit(built_tree)
    (built_tree / SOURCE).write_bytes(original)
    assert_compiled(built_tree)


def test_without_any_build_no_message_is_printed(tree: Path) -> None:
    assert assert_interpreted(tree) == ""


def test_the_interpreted_mode_ignores_the_build(built_tree: Path) -> None:
    assert assert_interpreted(built_tree, "interpreted") == ""


def test_a_module_left_beside_its_source_is_ignored(tree: Path) -> None:
    (tree / SOURCE).with_suffix(EXTENSION_SUFFIXES[0]).write_bytes(b"from another time")
    assert_interpreted(tree)


def test_compiled_without_a_matching_build_is_an_error_that_says_what_to_do(tree: Path) -> None:
    process = probe(tree, "compiled")
    assert process.returncode != 0
    assert "run `make compile`" in process.stderr


def test_an_unknown_mode_is_an_error(tree: Path) -> None:
    assert "must be auto, compiled or interpreted, not fast" in probe(tree, "fast").stderr


def test_a_wheel_runs_the_modules_beside_the_sources(wheel_tree: Path) -> None:
    assert_compiled(wheel_tree)


def test_a_wheel_whose_sources_were_edited_runs_these(wheel_tree: Path) -> None:
    edit(wheel_tree)
    assert "running interpreted" in assert_interpreted(wheel_tree)


# -- the digest -----------------------------------------------------------------------------------


@pytest.fixture
def small_tree(tmp_path: Path) -> Path:
    """A unit of one module, which copies in a constant of the border, and a rendering module."""
    folder = tmp_path / "tabularium_engines/tiny"
    folder.mkdir(parents=True)
    (folder / "game_logic.py").write_text(
        "from tabularium_engines.tiny.game_options import LIMIT\n"
    )
    (folder / "game_options.py").write_text("LIMIT: Final = 5\n")
    (folder / "plain_text.py").write_text("PAPER: Final = 'white'\n")
    return tmp_path


def test_the_unit_is_all_but_the_border(small_tree: Path) -> None:
    assert compiled_engines.compiled_sources(small_tree) == [
        "tabularium_engines/tiny/game_logic.py"
    ]
    assert "tabularium_engines/base.py" in compiled_engines.compiled_sources()
    assert "tabularium_engines/common/json_codec.py" not in compiled_engines.compiled_sources()


@pytest.mark.parametrize("name", ["game_logic.py", "game_options.py"])
def test_the_digest_depends_on_what_is_compiled_and_on_what_that_copies_in(
    small_tree: Path, name: str
) -> None:
    digest_before = compiled_engines.build_digest("1", small_tree)
    edit(small_tree, f"tabularium_engines/tiny/{name}")
    assert compiled_engines.build_digest("1", small_tree) != digest_before


def test_the_digest_does_not_follow_imports_into_the_folders_beside_the_rules(
    small_tree: Path,
) -> None:
    digest_before = compiled_engines.build_digest("1", small_tree)
    registry = small_tree / "tabularium_engines/installed/registry.py"
    registry.parent.mkdir()
    registry.write_text("from tabularium_engines.tiny.game_logic import LIMIT\n")
    assert compiled_engines.build_digest("1", small_tree) == digest_before
    logic = small_tree / "tabularium_engines/tiny/game_logic.py"
    logic.write_text("from tabularium_engines.installed.registry import LIMIT\n")
    assert list(compiled_engines.build_sources(small_tree)) == [str(logic.relative_to(small_tree))]


def test_the_digest_depends_on_names(small_tree: Path) -> None:
    digest_before = compiled_engines.build_digest("1", small_tree)
    (small_tree / "tabularium_engines/tiny/game_logic.py").rename(
        small_tree / "tabularium_engines/tiny/logic.py"
    )
    assert compiled_engines.build_digest("1", small_tree) != digest_before


def test_the_digest_does_not_depend_on_pictures(small_tree: Path) -> None:
    digest_before = compiled_engines.build_digest("1", small_tree)
    edit(small_tree, "tabularium_engines/tiny/plain_text.py")
    assert compiled_engines.build_digest("1", small_tree) == digest_before


def test_the_digest_depends_on_compiler_platform_and_flags(
    small_tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = [
        compiled_engines.build_digest("1", small_tree),
        compiled_engines.build_digest("2", small_tree),
    ]
    for name, value in (("COMPILER_FLAGS", ("-g",)), ("KEPT_VEC", "")):
        with monkeypatch.context() as patch:
            patch.setattr(compiled_engines, name, value)
            digests.append(compiled_engines.build_digest("1", small_tree))
    with monkeypatch.context() as patch:
        patch.setattr(sysconfig, "get_platform", lambda: "another")
        digests.append(compiled_engines.build_digest("1", small_tree))
    assert len(set(digests)) == 5


# -- real builds ----------------------------------------------------------------------------------


def setup_command(tree: Path, *command: str) -> subprocess.CompletedProcess[str]:
    for name in ("setup.py", "pyproject.toml", "LICENSE", "README.md"):
        shutil.copy(compiled_engines.PROJECT_ROOT / name, tree)
    return subprocess.run(
        [sys.executable, "setup.py", "--quiet", *command],
        cwd=tree,
        capture_output=True,
        text=True,
        check=True,
    )


def name_in_cache(build: Path) -> str:
    return "-".join(filter(None, (build.name, *platform.libc_ver())))


@pytest.mark.soak
def test_compiling_a_clean_copy_gives_the_build_of_its_digest(
    tree: Path,
    build: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("TABULARIUM_CACHE", str(cache))
    setup_command(tree, "compile")
    (new_build,) = (tree / compiled_engines.BUILDS_FOLDER).iterdir()
    assert new_build.name == build.name
    assert_compiled(tree)
    (cached,) = (cache / "engines").iterdir()
    assert cached.name == name_in_cache(build)


def test_another_checkout_of_the_same_sources_takes_the_build_from_the_cache(
    tree: Path,
    build: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cache = tmp_path_factory.mktemp("cache")
    monkeypatch.setenv("TABULARIUM_CACHE", str(cache))
    monkeypatch.setenv("CC", "no-such-compiler")
    shutil.copytree(build, cache / "engines" / name_in_cache(build))
    edit(tree)
    setup_command(tree, "compile")
    assert_interpreted(tree)
    shutil.copy(compiled_engines.PROJECT_ROOT / SOURCE, tree / SOURCE)
    setup_command(tree, "compile")
    assert_compiled(tree)


@pytest.mark.soak
def test_a_real_wheel_runs_compiled(tree: Path, build: Path, tmp_path: Path) -> None:
    setup_command(tree, "bdist_wheel", "--dist-dir", "dist")
    (wheel,) = (tree / "dist").iterdir()
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    assert_compiled(tmp_path / "installed")


def test_without_a_compiler_one_line_is_printed(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    process = setup_command(tree, "compile")
    assert (
        process.stdout
        == "No C compiler with Python's headers found: the engines run interpreted.\n"
    )
    assert_interpreted(tree)


def test_a_build_is_cached_under_its_name_whatever_the_sources_are_by_then(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(compiled_engines.CACHE_VARIABLE, str(tmp_path))
    earlier = build.with_name("0" * 16)
    cached = compiled_engines.cached_build(earlier)
    assert cached is not None
    assert cached.name == name_in_cache(earlier)


@pytest.mark.parametrize("digest", ["own", "other"])
def test_a_wheel_in_the_cache_saves_compiling(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, digest: str
) -> None:
    """If it was built from these sources; a file that is no wheel is passed over."""
    cache, target = tmp_path / "cache" / "engines", tmp_path / "builds" / build.name
    cache.mkdir(parents=True)
    (cache / "broken.whl").write_bytes(b"no wheel")
    with ZipFile(cache / "tabularium-1.0.0-cp311.whl", "w") as wheel:
        for file in filter(Path.is_file, build.rglob("*")):
            wheel.write(file, file.relative_to(build))
        built = build.name if digest == "own" else "0" * 16
        wheel.writestr(compiled_engines.DIGEST_FILE, f"{built} 1.0\n")
        wheel.writestr("tabularium_engines/base.py", "the sources are not taken")
    monkeypatch.setenv(compiled_engines.CACHE_VARIABLE, str(tmp_path / "cache"))
    assert compiled_engines.take_cached_build(target) == (digest == "own")
    if digest == "own":
        taken, there = (
            {file.relative_to(folder) for file in folder.rglob("*.so")}
            for folder in (target, build)
        )
        assert taken == there
        assert not list(target.rglob("*.py"))
