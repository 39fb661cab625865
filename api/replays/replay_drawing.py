"""The drawing of a replay by a worker: it steps through the game once, and a child process draws
and encodes the frames."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import IO, Final, NamedTuple, cast

import orjson

from api.games.drawn_positions import draw_position
from api.models import Replay
from api.png import drawing
from api.replays import replay_rows
from games import selectors

CHILD_COMMAND: Final = (sys.executable, "-P", "-m", "api.replays.child")
END_MS: Final = 2000  # for which the last frame is shown longer
FRAMES_PER_COUNT: Final = 4  # drawn between two records of the progress


class Frame(NamedTuple):
    """A picture, and the milliseconds for which it is shown."""

    picture: str
    ms: int


def draw_replay(name: str, *, again: bool = False) -> None:
    """Draw a replay, unless it is drawn or another worker draws it (`again`: that worker is
    dead)."""
    replay = replay_rows.claim(name, again=again)
    if replay is None:
        return
    width = replay_rows.style_of(replay).width

    def count(drawn: int) -> None:
        if drawn % FRAMES_PER_COUNT == 0:
            replay_rows.count_drawn(name, drawn)

    replay_rows.keep(name, encode(list(frames_of(replay)), width, count))


def frames_of(replay: Replay) -> Iterator[Frame]:
    """The frames of a replay: positions that look alike to its viewer are one."""
    delay = replay_rows.style_of(replay).delay
    groups = [(picture, len(list(alike))) for picture, alike in groupby(pictures_of(replay))]
    for number, (picture, count) in enumerate(groups, 1):
        yield Frame(picture, count * delay + (END_MS if number == len(groups) else 0))


def pictures_of(replay: Replay) -> Iterator[str]:
    """The picture of each of its positions."""
    style, now = replay_rows.style_of(replay), selectors.game_projection(replay.game_id)
    seqs = replay_rows.frame_seqs(now.first or 1, now.seq)
    for table in selectors.stepped_projections(replay.game_id, seqs[0], seqs[-1]):
        if table.seq in seqs:
            yield draw_position(table, style.viewer, style.look)


def encode(frames: list[Frame], width: int, count: Callable[[int], None]) -> bytes:
    """The frames as an animated WebP. The child gets no key and no address, and is killed with the
    task; `count` is called with the number of frames that it has drawn."""
    with subprocess.Popen(
        [*CHILD_COMMAND, str(width)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=drawing.child_environment(),
    ) as child:
        try:
            content = exchange(child, frames, count)
        except BaseException:
            child.kill()
            raise
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, CHILD_COMMAND)
    return content


def exchange(
    child: subprocess.Popen[bytes], frames: list[Frame], count: Callable[[int], None]
) -> bytes:
    """Give the child one frame after another; the file that it makes of them."""
    questions, replies = cast("IO[bytes]", child.stdin), cast("IO[bytes]", child.stdout)
    for number, frame in enumerate(frames, 1):
        questions.write(orjson.dumps(frame._asdict()) + b"\n")
        questions.flush()
        replies.read(1)  # it has drawn the frame
        count(number)
    questions.close()
    return replies.read()
