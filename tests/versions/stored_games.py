"""`python -m tests.versions.stored_games write|check FILE`: games of every ruleset in a database,
and all that the API says of them, to be compared after the rules have changed.

`write` makes a gathering, a running and a finished game of each. `check` reads them again, under
rules that have become the next version: each must say the same as before, the running ones must go
on under the version before, and new games must begin under the newest.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

ACTIONS: Final = 9  # made in a running game
SUBPATHS: Final = ("", "/log", "/proof", "/export", "/picture.svg", "/picture.txt", "/choice")
BOTS: Final = ("random", "greedy", "level_1")


def play(game: str, count: int, seed: int) -> None:
    """Make some random actions."""
    from games import selectors, services
    from tabularium_engines.common.random_generators import FastRng
    from tests.games.sitting import some_action

    rng = FastRng(seed)
    for _ in range(count):
        table = selectors.game_projection(game)
        if table.phase != "playing":
            return
        seat, action = some_action(table, rng)
        services.append_action(game, seat, action, choice=table.choice_token(seat))


def finish(game: str) -> None:
    """Let all seats but the first resign."""
    from games import selectors, services

    for seat in range(1, selectors.game_projection(game).creation.seats):
        if selectors.game_projection(game).phase == "playing":
            services.resign_seat(game, seat)


def create_games(account: Any) -> Iterator[str]:
    """A gathering, a running and a finished game of each ruleset."""
    from games import services
    from games.services import SeatAssignment
    from tabularium_engines.installed.registry import ENGINES

    for slug, engine in ENGINES.items():
        taken = [SeatAssignment(account=account)] * engine.about.seats[0]
        yield services.create_game(slug, [*taken[1:], SeatAssignment()]).projection.game
        running, finished = (services.create_game(slug, taken).projection.game for _ in range(2))
        for game in (running, finished):
            play(game, ACTIONS, seed=ACTIONS)
        finish(finished)
        yield from (running, finished)


def read_replies(account: Any, games: list[str]) -> dict[str, Any]:
    """The API's answers about these games, and the choices of bots in them, by game and path."""
    from ai import view_guard
    from ai.bot_kinds import Budget
    from ai.bot_registry import bot_names
    from games import selectors
    from tests.api.program import program_of

    program, replies = program_of(account), dict[str, Any]()
    for game in games:
        table = selectors.game_projection(game)
        for subpath in (*SUBPATHS, f"/states/{table.seq}", f"/log/{table.seq}"):
            response = program.get(f"/api/v1/games/{game}{subpath}")
            text = re.sub('"request_id": "[^"]+"', "", response.getvalue().decode())
            replies[f"{game}{subpath}"] = [response.status_code, text]
            assert response.status_code == 200 or subpath not in SUBPATHS[:4], text
        for seat in range(table.creation.seats if table.phase == "playing" else 0):
            if table.is_awaited(seat):
                view = selectors.game_view(game, seat)
                ruleset = table.creation.rules, table.creation.version
                replies[f"{game}, bots"] = [
                    repr(view_guard.decide_from_view(*ruleset, bot, view, 1, Budget()).action)
                    for bot in BOTS
                    if bot in bot_names(table.creation.rules)
                ]
    return replies


def write(file: Path) -> None:
    """Make the games, and store the answers."""
    from games.models import Account

    account = Account.objects.create(name="Ada")
    games = list(create_games(account))
    document = {"account": account.pk, "games": games, "replies": read_replies(account, games)}
    file.write_text(json.dumps(document))


def check(file: Path) -> None:
    """Check that everything is as it was, and that it goes on."""
    from django.core.management import call_command

    from games import selectors, services
    from games.models import Account, Game
    from tabularium_engines.installed.registry import ENGINES
    from tabularium_log.audit import export_verifier
    from tests.api.program import program_of

    document = json.loads(file.read_text())
    account = Account.objects.get(pk=document["account"])
    replies = read_replies(account, document["games"])
    differing = [path for path, reply in document["replies"].items() if replies[path] != reply]
    assert not differing, differing
    for gathering, running, finished in zip(*[iter(document["games"])] * 3, strict=True):
        export = document["replies"][f"{finished}/export"][1].encode().splitlines(keepends=True)
        assert export_verifier.verify_export(export).is_good
        services.join_game(gathering, Game.objects.get(pk=gathering).seats - 1, account=account)
        for game in (gathering, running):
            play(game, ACTIONS, seed=1)
            finish(game)
            table = selectors.game_projection(game)
            before = ENGINES[table.creation.rules].about.version - 1
            assert (table.phase, table.creation.version) == ("over", before)
    program = program_of(account)
    for slug, engine in ENGINES.items():
        body = {"rules": slug, "seats": [{"kind": "me"}] * engine.about.seats[0]}
        newest = engine.about.version
        for version, expected in ((None, newest), (1, 1), (newest, newest)):
            created = program.send("/api/v1/games", body | {"version": version}).json()
            assert created["version"] == expected
        assert program.send("/api/v1/games", body | {"version": newest + 1}).status_code == 422
        ruleset = program.get(f"/api/v1/rules/{slug}").json()
        assert (ruleset["version"], ruleset["versions"][-1]) == (newest, newest)
        for link in program.get(f"/api/v1/rules/{slug}?version=1").json()["links"].values():
            assert program.get(link).status_code == 200
    call_command("verify")


def main() -> None:
    """Run one of the two steps."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    setup_test_environment()
    call_command("migrate", verbosity=0)
    {"write": write, "check": check}[sys.argv[1]](Path(sys.argv[2]))


if __name__ == "__main__":
    main()
