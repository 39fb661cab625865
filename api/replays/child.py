"""The child process that draws a replay: `python -m api.replays.child 600` reads frames from
standard input, each as a line of JSON, and writes a byte for each that it has drawn, then an
animated WebP of that width."""

from __future__ import annotations

import json
import os
import re
import resource
import sys
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Final

from api.png import child

if TYPE_CHECKING:
    from PIL import Image

MAX_CPU_SECONDS: Final = 50  # below the time limit of a task, unless the processor is shared
MAX_HEIGHT: Final = 1200  # pixels; a higher picture is drawn narrower
QUALITY: Final = 70
VIEW_BOX: Final = re.compile(r'viewBox="[^ "]+ [^ "]+ ([^ "]+) ([^ "]+)"')
DRAWN: Final = b"."


def animate(images: Sequence[Image.Image], durations: Sequence[int]) -> bytes:
    """The images as an animated WebP that repeats, on one canvas."""
    size = max(image.width for image in images), max(image.height for image in images)
    first, *others = [on_canvas(image, size) for image in images]
    content = BytesIO()
    first.save(
        content,
        "WEBP",
        save_all=True,
        append_images=others,
        duration=list(durations),
        loop=0,
        quality=QUALITY,
        method=2,
    )
    return content.getvalue()


def on_canvas(image: Image.Image, size: tuple[int, int]) -> Image.Image:
    """The image in the middle of a canvas that has the colour of its upper edge, as its frame."""
    from PIL import Image  # noqa: PLC0415  # an extra, which only this process needs

    frame = image.crop((image.width // 2, 0, image.width // 2 + 1, 1)).convert("RGB")
    canvas = Image.new("RGB", size, frame.getpixel((0, 0)))
    place = (size[0] - image.width) // 2, (size[1] - image.height) // 2
    canvas.paste(image, place, image)
    return canvas


def fitting_width(picture: str, width: int) -> int:
    """The width, or a smaller one with which the picture is not too high."""
    box = VIEW_BOX.search(picture)
    if box is None:
        return width
    return min(width, int(MAX_HEIGHT * float(box[1]) / float(box[2])))


def drawn(lines: Iterable[bytes], width: int) -> tuple[list[Image.Image], list[int]]:
    """The frames as images, and their durations."""
    from PIL import Image  # noqa: PLC0415  # an extra, which only this process needs

    images, durations = [], []
    for line in lines:
        frame = json.loads(line)
        png = child.draw(frame["picture"], fitting_width(frame["picture"], width))
        images.append(Image.open(BytesIO(png)).convert("RGBA"))
        durations.append(frame["ms"])
        sys.stdout.buffer.write(DRAWN)
        sys.stdout.buffer.flush()
    return images, durations


def main() -> None:
    """Draw standard input."""
    os.nice(child.NICENESS)
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_SECONDS, MAX_CPU_SECONDS))
    sys.stdout.buffer.write(animate(*drawn(sys.stdin.buffer, int(sys.argv[1]))))


if __name__ == "__main__":
    main()
