"""The scripts and styles of the pages, as they are served: several modules in one file, without
comments. Their address has a digest of all of them, so that browsers keep them for ever."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Final

from web import bundles, lean

FOLDER: Final = Path(__file__).parent / "assets"
PROGRAMS: Final = (Path(__file__), Path(bundles.__file__), Path(lean.__file__))  # that serve them
TYPES: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}


def digest_of(folder: Path, *others: Path) -> str:
    """A digest of the names and contents of a folder's files, and of others."""
    digest = blake2b(digest_size=8)
    for file in (*sorted(file for file in folder.rglob("*") if file.is_file()), *others):
        content = file.read_bytes()
        name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name
        digest.update(f"{name} {len(content)} ".encode())
        digest.update(content)
    return digest.hexdigest()


PREFIX: Final = f"web/{digest_of(FOLDER, *PROGRAMS)}"  # below STATIC_URL


@cache
def scripts() -> bundles.Bundles:
    """The modules, of which some are served together."""
    files = {file.relative_to(FOLDER).as_posix(): file for file in FOLDER.rglob("*.js")}
    return bundles.Bundles({name: file.read_text("utf-8") for name, file in sorted(files.items())})


@cache
def _names() -> frozenset[str]:
    files = (file for file in FOLDER.rglob("*") if file.suffix in TYPES)
    return frozenset(file.relative_to(FOLDER).as_posix() for file in files)


@cache
def served(name: str) -> bytes:
    """A file as it is served; a LookupError if there is none of this name."""
    if name not in _names():
        raise LookupError(name)
    if name.endswith(".js"):
        return lean.lean_script(scripts().script(name)).encode()
    text = (FOLDER / name).read_text("utf-8")
    return (lean.lean_style(text) if name.endswith(".css") else text).encode()
