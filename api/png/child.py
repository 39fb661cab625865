"""The child process that draws a picture: `python -m api.png.child 600` reads an SVG from standard
input and writes a PNG of that width. It uses the fonts beside it, and none of the system."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from typing import Final

FONTS: Final = sorted(str(path) for path in (Path(__file__).parent / "fonts").glob("*.ttf"))
SANS_SERIF_FAMILY: Final = "DejaVu Sans"
SERIF_FAMILY: Final = "DejaVu Serif"
MAX_CPU_SECONDS: Final = 10
NICENESS: Final = 5


def draw(picture: str, width: int) -> bytes:
    """The picture as PNG."""
    import resvg_py  # noqa: PLC0415  # an extra, which only this process needs

    return resvg_py.svg_to_bytes(
        svg_string=picture,
        width=width,
        skip_system_fonts=True,
        font_files=FONTS,
        font_family=SANS_SERIF_FAMILY,
        sans_serif_family=SANS_SERIF_FAMILY,
        serif_family=SERIF_FAMILY,
    )


def main() -> None:
    """Draw standard input."""
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    picture = sys.stdin.buffer.read().decode()
    sys.stdout.buffer.write(draw(picture, int(sys.argv[1])))


if __name__ == "__main__":
    main()
