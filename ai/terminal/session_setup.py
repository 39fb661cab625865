"""The setup of a terminal session: a game to be played or replayed, from the arguments of
`play`."""

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
from tabularium_engines.base import AnyEngine, State
from tabularium_engines.common import json_codec
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.common.replayable_log import BrokenLog, Log, start_log
from tabularium_engines.installed.registry import ENGINES

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


def start_session(arguments: PlayArguments, folder: Path) -> None:
    """Play or replay; new logs go into `folder`. Raises SetupError if the arguments cannot be
    satisfied; then nothing has happened."""
    engine = ENGINES.get(arguments.game)
    if engine is None:
        raise SetupError(f"There is no game “{arguments.game}”; available: {', '.join(ENGINES)}.")
    if arguments.replay:
        _start_replay(engine, arguments, arguments.replay)
    else:
        _start_game(engine, arguments, folder)


def _start_replay(engine: AnyEngine, arguments: PlayArguments, path: Path) -> None:
    log, states = _read_file(engine, path)
    _check_seat(arguments.seat, log.seats)
    if arguments.everything and states[-1].to_act:
        raise SetupError("The game is not over: its hidden information is not yet public.")
    LogReplay(
        engine, log, states, ReplayViewer(arguments.seat, arguments.everything), Screen()
    ).run()


def _start_game(engine: AnyEngine, arguments: PlayArguments, folder: Path) -> None:
    seed = secrets.randbelow(SEED_RANGE) if arguments.seed is None else arguments.seed
    if not 0 <= seed < SEED_RANGE:
        raise SetupError(f"A seed must be an integer from 0 to {SEED_RANGE - 1}.")
    chance, bot_rng = FastRng(seed), FastRng(seed + 1)
    if arguments.resume:
        log, states = _read_file(engine, arguments.resume)
        seating = _create_participants(engine, log.seats, arguments)
        file = game_file.reopen_game_file(arguments.resume, log)
    else:
        seats = _seat_count(engine, arguments.seats)
        seating = _create_participants(engine, seats, arguments)
        options = _parse_options(engine, arguments.option, seats)
        state, log = start_log(engine, options, seats, chance)
        states, file = [state], _create_file(arguments.log or _dated_path(folder, log.rules), log)
    GameSession(engine, file, seating, Screen()).play(states, chance, bot_rng)


# -- participants and options ---------------------------------------------------------------------


def _seat_count(engine: AnyEngine, count: int | None) -> int:
    min_seats, max_seats = engine.about.seats
    if count is None:
        return min(max(DEFAULT_SEATS, min_seats), max_seats)
    if not min_seats <= count <= max_seats:
        raise SetupError(
            f"{engine.about.title} is for {min_seats} to {max_seats} players, not {count}."
        )
    return count


def _check_seat(seat: int | None, seats: int) -> None:
    if seat is not None and not 0 <= seat < seats:
        raise SetupError(f"The seats are numbered 0 to {seats - 1}; there is no seat {seat}.")


def _create_participants(engine: AnyEngine, seats: int, arguments: PlayArguments) -> Participants:
    """The person, if one plays, and bots on all other seats, in the order they were named."""
    names = [name.strip() for name in arguments.bots.split(",")]
    available_names = bot_names(engine.about.slug)
    if unknown_names := [name for name in names if name not in available_names]:
        available = (
            f"available: {', '.join(available_names)}"
            if available_names
            else "this game has no bots"
        )
        raise SetupError(f"There is no bot “{unknown_names[0]}”; {available}.")
    if not 0 <= arguments.seconds <= 3600:
        raise SetupError("The thinking time must be 0 to 3600 seconds.")
    _check_seat(arguments.seat, seats)
    human = None if arguments.watch else arguments.seat or 0
    bot_seats = [seat for seat in range(seats) if seat != human]
    assignments = zip(bot_seats, cycle(names), strict=False)
    players = {seat: create_bot(name, engine.about.slug) for seat, name in assignments}
    return Participants(human, players, arguments.seconds)


def _parse_options(engine: AnyEngine, assignments: Sequence[str], seats: int) -> Any:
    pairs = (text.partition("=") for text in assignments)
    document = {name.strip(): _parse_value(value.strip()) for name, _, value in pairs}
    try:
        return engine.read_options(document, seats)
    except json_codec.MalformedDocument as problem:
        raise SetupError(f"Option {problem.pointer[1:]} {problem.sentence}.") from problem


def _parse_value(text: str) -> Any:
    """A number, true or false, or else a plain word."""
    try:
        return json.loads(text)
    except ValueError:
        return text


# -- files ----------------------------------------------------------------------------------------


def _read_file(engine: AnyEngine, path: Path) -> tuple[Log, list[State]]:
    try:
        return game_file.read_game_file(engine, path)
    except BrokenLog as problem:
        raise SetupError(f"{path} is not a valid log. {str(problem).rstrip('.')}.") from problem
    except OSError as problem:
        raise SetupError(f"{path} cannot be read: {problem.strerror}.") from problem


def _dated_path(folder: Path, slug: str) -> Path:
    """The path of a new game's log, named by its time."""
    return folder / f"{slug}-{datetime.now().astimezone():%Y%m%d-%H%M%S}.ndjson"


def _create_file(path: Path, log: Log) -> game_file.GameFile:
    try:
        return game_file.create_game_file(path, log)
    except FileExistsError as problem:
        raise SetupError(f"{path} already exists: use --resume to continue it.") from problem
    except OSError as problem:
        raise SetupError(f"{path} cannot be written: {problem.strerror}.") from problem
