"""`make generators`: the API document goes through four generators of clients; each client compiles
strictly, and plays a whole game of every ruleset against bots. Settings other than the generators'
defaults are those of a list, and so are warnings. The clients of earlier levels play, too."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from api import api_level
from tests.api.clients.generating import EARLIER, generate, settings_file
from tests.support.databases import ROOT

HERE: Final = Path(__file__).parent
BUILD: Final = HERE / "build"
PYTHON_CLIENT: Final = ROOT / "build/generated"  # apart from the sources of the tests
BIN: Final = Path(sys.executable).parent
DOCUMENT: Final = ROOT / "api/openapi.yaml"
PYTHON_PLAYER: Final = ROOT / "tests/api/clients/player.py"
DEBIAN_VALIDATOR: Final = Path("/usr/share/gocode/src/gopkg.in/validator.v2")
GO_CLIENT: Final = "github.com/GIT_USER_ID/GIT_REPO_ID"  # the generator's default
WARNING: Final = re.compile(r"⚠|\bWARN(ING)?\b|\bERROR\b|: error: |\bwarning\b", re.IGNORECASE)
# Some of its warnings end with an address; the generator's advice on them is not one.
NO_WARNING: Final = re.compile(r"^(Warning\(s\) encountered|Found \d+ errors? in)")


class Failure(Exception):
    """The error of a step that failed."""


def main() -> None:
    """Generate, compile and play."""
    shutil.rmtree(BUILD, ignore_errors=True)
    shutil.rmtree(PYTHON_CLIENT, ignore_errors=True)
    BUILD.mkdir()
    PYTHON_CLIENT.mkdir(parents=True)
    told = {
        "openapi-typescript": openapi_typescript(),
        "hey-api": hey_api(),
        "typescript": run("npx", "tsc", "--project", "."),
        "openapi-generator": openapi_generator(),
        "go": compile_go(),
        "openapi-python-client": openapi_python_client(),
        "mypy": mypy(),
    }
    check_warnings(told)
    for level in EARLIER:
        earlier_client(level)
    python = (sys.executable, "-m")
    command = [*python, "tests.support.with_server", *python, "tests.generators.play"]
    subprocess.run(command, cwd=ROOT, check=True)


def run(*command: str, cwd: Path = HERE, may_fail: bool = False) -> str:
    """The output of a command."""
    print(f"$ {' '.join(command)}", flush=True)  # noqa: T201
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode and not may_fail:
        raise Failure(f"{command[0]} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


# -- the generators --------------------------------------------------------------------------------


def openapi_typescript() -> str:
    return run("npx", "openapi-typescript", str(DOCUMENT), "-o", "build/openapi-typescript.ts")


def hey_api() -> str:
    return run("npx", "openapi-ts", "-i", str(DOCUMENT), "-o", "build/hey-api")


def openapi_generator() -> str:
    """The client for Go."""
    settings = ("--config", str(settings_file("openapi-generator", BUILD)))
    source = ("generate", "-g", "go", "-i", str(DOCUMENT), "-o", "build/go-client")
    return run(str(BIN / "openapi-generator-cli"), *source, *settings)


def openapi_python_client() -> str:
    """The client for Python."""
    output = ("--output-path", str(PYTHON_CLIENT / "generated_client"), "--meta", "none")
    config = ("--config", str(settings_file("openapi-python-client", PYTHON_CLIENT)))
    command = (str(BIN / "openapi-python-client"), "generate", "--path", str(DOCUMENT))
    return run(*command, *output, *config)


def earlier_client(level: int) -> None:
    """The client of openapi-python-client from the document of an earlier level."""
    folder = level_folder(level)
    folder.mkdir()
    generate(api_level.level_document(level), folder)


def level_folder(level: int) -> Path:
    return BUILD / f"level-{level}"


# -- the compilers ---------------------------------------------------------------------------------


def compile_go() -> str:
    """Vet and build the client and its player. Debian packages its only dependency; without that
    package, Go fetches it."""
    shutil.rmtree(BUILD / "go-client/test")  # stubs that need a library of tests
    folder = BUILD / "go-player"
    shutil.copytree(HERE / "go", folder)
    replacements = {GO_CLIENT: "../go-client"}
    if DEBIAN_VALIDATOR.exists():
        tests = shutil.ignore_patterns("*_test.go")
        shutil.copytree(DEBIAN_VALIDATOR, BUILD / "validator", ignore=tests)
        (BUILD / "validator/go.mod").write_text("module gopkg.in/validator.v2\n")
        replacements["gopkg.in/validator.v2"] = "../validator"
    go = str(BIN / "go")
    run(go, "mod", "init", "player", cwd=folder)
    for module, place in replacements.items():
        run(go, "mod", "edit", f"-replace={module}={place}", cwd=folder)
    return run(go, "mod", "tidy", cwd=folder) + "".join(
        run(go, *step, cwd=folder)
        for step in (("vet", GO_CLIENT), ("vet", "."), ("build", "-o", "player", "."))
    ).replace("go: ", "")


def mypy() -> str:
    """Check the types of the client strictly."""
    settings = BUILD / "mypy.ini"
    settings.write_text("[mypy]\nstrict = True\n")
    command = (str(BIN / "mypy"), "--config-file", str(settings), "--no-error-summary")
    return run(*command, "generated_client", cwd=PYTHON_CLIENT, may_fail=True)


# -- warnings --------------------------------------------------------------------------------------


def check_warnings(told: dict[str, str]) -> None:
    """Fail on a warning that is not listed, and on a listed one that does not occur."""
    accepted = tomllib.loads((HERE / "warnings.toml").read_text(encoding="utf-8"))
    flaws = [flaw for name, text in told.items() for flaw in flaws_of(name, text, accepted)]
    flaws += [f"{name}: there is no such tool" for name in accepted.keys() - told.keys()]
    if flaws:
        raise Failure("\n".join(flaws))
    count = sum(map(len, accepted.values()))
    print(f"All warnings are among the {count} that are accepted.", flush=True)  # noqa: T201


def flaws_of(name: str, text: str, accepted: dict[str, Any]) -> Iterator[str]:
    """The warnings of a tool that are not accepted, and the accepted ones that it does not give."""
    unused = {one["pattern"] for one in accepted.get(name, ())}
    for line in text.splitlines():
        if WARNING.search(line) and not NO_WARNING.search(line):
            matching = {
                one["pattern"] for one in accepted.get(name, ()) if re.search(one["pattern"], line)
            }
            unused -= matching
            if not matching:
                yield f"{name}: {line}"
    yield from (f"{name} no longer warns of {json.dumps(pattern)}" for pattern in unused)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(str(failure))
