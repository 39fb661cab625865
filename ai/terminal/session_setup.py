"""Setting up a terminal session from the arguments of `play`."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import cycle
from pathlib import Path
from typing import Any, Final

from ai.bot_registry import bot_names, create_bot
from ai.terminal import game_file
from ai.terminal.game_session import GameSession
from ai.terminal.log_replay import LogReplay, ReplayViewer
from ai.terminal.participants import Participants
from ai.terminal.screen import Screen
from games.engines.base import Engine, State
from games.engines.common import codec
from games.engines.common.replay_log import BrokenLog, Log, start_log
from games.engines.common.rng import FastRng
from games.registry import ENGINES

SEED_RANGE: Final = 2**62
DEFAULT_SEATS: Final = 3  # if not specified and the game allows it


class SetupError(ValueError):
    """Arguments that cannot be satisfied, and the reason in a sentence."""


@dataclass(frozen=True)
class PlayArguments:
    """The arguments of `play`, as typed."""

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


def start_session(wishes: PlayArguments, folder: Path) -> None:
    """Play or replay; new logs go into `folder`. Raises SetupError if the arguments cannot be
    satisfied; then nothing has happened."""
    engine = ENGINES.get(wishes.game)
    if engine is None:
        raise SetupError(f"There is no game “{wishes.game}”; available: {', '.join(ENGINES)}.")
    if wishes.replay:
        _start_replay(engine, wishes, wishes.replay)
    else:
        _start_game(engine, wishes, folder)


def _start_replay(engine: Engine[Any, Any], wishes: PlayArguments, path: Path) -> None:
    log, states = _read_file(engine, path)
    _check_seat(wishes.seat, log.seats)
    if wishes.everything and states[-1].to_act:
        raise SetupError("The game is not over: its hidden information is not yet public.")
    LogReplay(engine, log, states, ReplayViewer(wishes.seat, wishes.everything), Screen()).run()


def _start_game(engine: Engine[Any, Any], wishes: PlayArguments, folder: Path) -> None:
    seed = secrets.randbelow(SEED_RANGE) if wishes.seed is None else wishes.seed
    if not 0 <= seed < SEED_RANGE:
        raise SetupError(f"A seed must be an integer from 0 to {SEED_RANGE - 1}.")
    chance, wits = FastRng(seed), FastRng(seed + 1)
    if wishes.resume:
        log, states = _read_file(engine, wishes.resume)
        seating = _create_participants(engine, log.seats, wishes)
        kept = game_file.reopen_game_file(wishes.resume, log)
    else:
        seats = _seat_count(engine, wishes.seats)
        seating = _create_participants(engine, seats, wishes)
        state, log = start_log(engine, _parse_options(engine, wishes.option), seats, chance)
        states, kept = [state], _create_file(wishes.log or _dated_path(folder, log.rules), log)
    GameSession(engine, kept, seating, Screen()).play(states, chance, wits)


# -- participants and options ---------------------------------------------------------------------


def _seat_count(engine: Engine[Any, Any], wanted: int | None) -> int:
    low, high = engine.about.seats
    if wanted is None:
        return min(max(DEFAULT_SEATS, low), high)
    if not low <= wanted <= high:
        raise SetupError(f"{engine.about.title} is for {low} to {high} players, not {wanted}.")
    return wanted


def _check_seat(seat: int | None, seats: int) -> None:
    if seat is not None and not 0 <= seat < seats:
        raise SetupError(f"The seats are numbered 0 to {seats - 1}; there is no seat {seat}.")


def _create_participants(
    engine: Engine[Any, Any], seats: int, wishes: PlayArguments
) -> Participants:
    """The person, if one plays, and bots on all other seats, in the order they were named."""
    names = [name.strip() for name in wishes.bots.split(",")]
    known = bot_names(engine.about.slug)
    if strangers := [name for name in names if name not in known]:
        available = f"available: {', '.join(known)}" if known else "this game has no bots"
        raise SetupError(f"There is no bot “{strangers[0]}”; {available}.")
    if not 0 <= wishes.seconds <= 3600:
        raise SetupError("The thinking time must be 0 to 3600 seconds.")
    _check_seat(wishes.seat, seats)
    human = None if wishes.watch else wishes.seat or 0
    others = [seat for seat in range(seats) if seat != human]
    named = zip(others, cycle(names), strict=False)
    players = {seat: create_bot(name, engine.about.slug) for seat, name in named}
    return Participants(human, players, wishes.seconds)


def _parse_options(engine: Engine[Any, Any], given: Sequence[str]) -> Any:
    pairs = (text.partition("=") for text in given)
    document = {name.strip(): _parse_value(value.strip()) for name, _, value in pairs}
    try:
        return codec.from_json(engine.about.options, document)
    except codec.MalformedDocument as malformed:
        raise SetupError(f"Option {malformed.pointer[1:]} {malformed.sentence}.") from malformed


def _parse_value(text: str) -> Any:
    """A number, true or false, or else a plain word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


# -- files ----------------------------------------------------------------------------------------


def _read_file(engine: Engine[Any, Any], path: Path) -> tuple[Log, list[State]]:
    try:
        return game_file.read_game_file(engine, path)
    except BrokenLog as broken:
        raise SetupError(f"{path} is not a valid log. {str(broken).rstrip('.')}.") from broken
    except OSError as problem:
        raise SetupError(f"{path} cannot be read: {problem.strerror}.") from problem


def _dated_path(folder: Path, slug: str) -> Path:
    """The path of a new game's log, named by its time."""
    return folder / f"{slug}-{datetime.now().astimezone():%Y%m%d-%H%M%S}.ndjson"


def _create_file(path: Path, log: Log) -> game_file.GameFile:
    try:
        return game_file.create_game_file(path, log)
    except FileExistsError as there:
        raise SetupError(f"{path} already exists: use --resume to continue it.") from there
    except OSError as problem:
        raise SetupError(f"{path} cannot be written: {problem.strerror}.") from problem
