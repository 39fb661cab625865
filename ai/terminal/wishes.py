"""What does somebody want who comes to the terminal, and can they have it?"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from ai.registry import bot, bots
from ai.terminal import record
from ai.terminal.screen import Screen
from ai.terminal.seating import Seating
from ai.terminal.sitting import Sitting
from ai.terminal.walk import Walk, Witness
from games.engines.base import Engine, State
from games.engines.common import codec
from games.engines.common.log import BrokenLog, Log, begin
from games.engines.common.rng import FastRng
from games.registry import ENGINES

SEEDS: Final = 2**62
SEATS: Final = 3  # if nobody says otherwise and the game allows it


class Unmet(ValueError):
    """A wish that cannot be fulfilled, and why, in a sentence."""


@dataclass(frozen=True)
class Wishes:
    """What was typed after `play`, as it was typed."""

    game: str
    seats: int | None = None
    option: Sequence[str] = ()
    bots: str = "mcts"
    seconds: float = 0.5
    seed: int | None = None
    seat: int | None = None
    watch: bool = False
    everything: bool = False
    log: Path | None = None
    resume: Path | None = None
    replay: Path | None = None


def fulfil(wishes: Wishes, folder: Path) -> None:
    """Play or replay; new logs go into `folder`. Unmet if that cannot be, and nothing happened."""
    engine = ENGINES.get(wishes.game)
    if engine is None:
        raise Unmet(f"There is no game “{wishes.game}”; there is {', '.join(ENGINES)}.")
    if wishes.replay:
        _replay(engine, wishes, wishes.replay)
    else:
        _play(engine, wishes, folder)


def _replay(engine: Engine[Any, Any], wishes: Wishes, path: Path) -> None:
    log, states = _read(engine, path)
    _check_seat(wishes.seat, log.seats)
    if wishes.everything and states[-1].to_act:
        raise Unmet("The game is not over: not everything may be known yet.")
    Walk(engine, log, states, Witness(wishes.seat, wishes.everything), Screen()).go()


def _play(engine: Engine[Any, Any], wishes: Wishes, folder: Path) -> None:
    seed = secrets.randbelow(SEEDS) if wishes.seed is None else wishes.seed
    if not 0 <= seed < SEEDS:
        raise Unmet(f"A seed is a whole number from 0 to {SEEDS - 1}.")
    chance, wits = FastRng(seed), FastRng(seed + 1)
    if wishes.resume:
        log, states = _read(engine, wishes.resume)
        seating = _seating(engine, log.seats, wishes)
        kept = record.continued(wishes.resume, log)
    else:
        seats = _seats(engine, wishes.seats)
        seating = _seating(engine, seats, wishes)
        state, log = begin(engine, _options(engine, wishes.option), seats, chance)
        states, kept = [state], _new_record(wishes.log or _dated(folder, log.rules), log)
    Sitting(engine, kept, seating, Screen()).play(states, chance, wits)


# -- who plays, and what --------------------------------------------------------------------------


def _seats(engine: Engine[Any, Any], wanted: int | None) -> int:
    low, high = engine.about.seats
    if wanted is None:
        return min(max(SEATS, low), high)
    if not low <= wanted <= high:
        raise Unmet(f"{engine.about.title} is for {low} to {high} players, not {wanted}.")
    return wanted


def _check_seat(seat: int | None, seats: int) -> None:
    if seat is not None and not 0 <= seat < seats:
        raise Unmet(f"The seats are numbered 0 to {seats - 1}; there is no seat {seat}.")


def _seating(engine: Engine[Any, Any], seats: int, wishes: Wishes) -> Seating:
    """The person, if one plays, and bots on all other seats, in the order they were named."""
    names = [name.strip() for name in wishes.bots.split(",")]
    known = bots(engine.about.slug)
    if strangers := [name for name in names if name not in known]:
        raise Unmet(f"There is no bot “{strangers[0]}”; there are {', '.join(known)}.")
    if not 0 <= wishes.seconds <= 3600:
        raise Unmet("A bot thinks for 0 to 3600 seconds.")
    _check_seat(wishes.seat, seats)
    human = None if wishes.watch else wishes.seat or 0
    others = [seat for seat in range(seats) if seat != human]
    named = zip(others, cycle(names), strict=False)
    players = {seat: bot(name, engine.about.slug) for seat, name in named}
    return Seating(human, players, wishes.seconds)


def _options(engine: Engine[Any, Any], given: Sequence[str]) -> Any:
    pairs = (text.partition("=") for text in given)
    document = {name.strip(): _value(value.strip()) for name, _, value in pairs}
    try:
        return codec.from_json(engine.about.options, document)
    except codec.Malformed as malformed:
        raise Unmet(f"Option {malformed.pointer[1:]} {malformed.sentence}.") from malformed


def _value(text: str) -> Any:
    """A number, true or false, or else just a word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


# -- files ----------------------------------------------------------------------------------------


def _read(engine: Engine[Any, Any], path: Path) -> tuple[Log, list[State]]:
    try:
        return record.read(engine, path)
    except BrokenLog as broken:
        raise Unmet(f"{path} is not a sound log. {str(broken).rstrip('.')}.") from broken
    except OSError as problem:
        raise Unmet(f"{path} cannot be read: {problem.strerror}.") from problem


def _dated(folder: Path, slug: str) -> Path:
    """A name for the log of a game that begins now."""
    return folder / f"{slug}-{datetime.now().astimezone():%Y%m%d-%H%M%S}.ndjson"


def _new_record(path: Path, log: Log) -> record.Record:
    try:
        return record.fresh(path, log)
    except FileExistsError as there:
        raise Unmet(f"{path} exists already: --resume goes on with it.") from there
    except OSError as problem:
        raise Unmet(f"{path} cannot be written: {problem.strerror}.") from problem
