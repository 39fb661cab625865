"""The files of a release: sources and wheels, the packed TypeScript client, the list of packages
(SBOM), notes and checksums. All are built from an export of the commit, in its time."""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Mapping
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Final

from release.refusals import ROOT, release_notes, version_in

OUTPUT: Final = ROOT / "build" / "release"
EPOCH_VARIABLE: Final = "SOURCE_DATE_EPOCH"
PYTHON_PROJECTS: Final = (".", "clients/python")
UV: Final = (sys.executable, "-m", "uv", "build", "--quiet", "--no-build-isolation")
NPM: Final = (
    ("npm", "ci", "--silent", "--ignore-scripts", "--prefer-offline"),
    ("npm", "run", "--silent", "build"),
    ("npm", "pack", "--silent", "--pack-destination"),  # the folder follows
)


def build(is_interpreted: bool) -> None:
    """Build everything, then put it in the place of an earlier release."""
    epoch = _git("log", "-1", "--format=%ct").strip().decode()
    environment = {**os.environ, EPOCH_VARIABLE: epoch}
    if is_interpreted:
        environment["CC"] = "false"  # a compiler that compiles nothing
    OUTPUT.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".unfinished-", dir=OUTPUT.parent) as folder:
        source, target = Path(folder) / "source", Path(folder) / "release"
        with tarfile.open(fileobj=BytesIO(_git("archive", "HEAD"))) as archive:
            archive.extractall(source, filter="data")
        target.mkdir()
        _build_packages(source, target, environment)
        for path in target.glob("*.tar.gz"):
            make_reproducible(path, int(epoch))
        _describe(source, target, environment)
        shutil.rmtree(OUTPUT, ignore_errors=True)
        target.rename(OUTPUT)


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout


def _build_packages(source: Path, target: Path, environment: Mapping[str, str]) -> None:
    """The wheels of service and client are built from their packed sources, as a user's are."""

    def run(*command: str, folder: str = ".") -> None:
        subprocess.run(command, cwd=source / folder, env=environment, check=True)

    for project in PYTHON_PROJECTS:
        options = ("--no-create-gitignore", "--python", sys.executable, "--out-dir", str(target))
        run(*UV, *options, folder=project)
    run(sys.executable, "-m", "release.wheels", str(target))
    *preparation, pack = NPM
    for command in (*preparation, (*pack, str(target))):
        run(*command, folder="clients/typescript")


def make_reproducible(path: Path, epoch: int) -> None:
    """Write packed sources again, without the time of the build and its user."""

    def neutral(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.mtime, member.uid, member.gid = epoch, 0, 0
        member.uname = member.gname = ""
        return member

    packed = BytesIO()
    with tarfile.open(path) as old, tarfile.open(fileobj=packed, mode="w") as new:
        for member in sorted(old.getmembers(), key=lambda each: each.name):
            member.pax_headers = {}
            new.addfile(neutral(member), old.extractfile(member) if member.isfile() else None)
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=epoch))


def _describe(source: Path, target: Path, environment: Mapping[str, str]) -> None:
    """Add the list of packages, the notes and the checksums."""
    version = version_in("pyproject.toml")
    sbom = ("--of", "JSON", "--output-reproducible", "--pyproject", "pyproject.toml")
    output = ("-o", str(target / f"tabularium-{version}.cdx.json"), "requirements/runtime.txt")
    command = [sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements"]
    subprocess.run([*command, *sbom, *output], cwd=source, env=environment, check=True)
    notes = f"# Tabularium {version}\n\n{release_notes(version)}\n"
    (target / "RELEASE_NOTES.md").write_text(notes, encoding="utf-8")
    digests = {path.name: sha256(path.read_bytes()).hexdigest() for path in target.iterdir()}
    lines = [f"{digest}  {name}\n" for name, digest in sorted(digests.items())]
    (target / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
