"""`python -m tests.examples.plugin_life play|removed FILE`: the life of a game that an installed
package brings, in a database that outlives the package.

`play` finds it in the catalogue, plays it against bots of every kind, draws, exports and verifies
it. `removed` runs without the package: the same games name the missing package.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

SLUG: Final = "kuhn_poker"
PACKAGE: Final = "tabularium-kuhn-poker"
API: Final = "/api/v1"
JSON: Final = "application/json"


def client_of(key: str) -> Any:
    """A client with that key. The committed OpenAPI document describes no game of a package, so
    its responses are not checked against it."""
    from django.test import Client

    return Client(headers={"Authorization": f"Bearer {key}"})


def play(file: Path) -> None:
    """Play the game by the API, with a bot of each kind beside an account."""
    from ai.bot_registry import bot_names
    from api import openapi_schemas
    from games.models import Account
    from tabularium_log.audit import export_verifier
    from tests.api.program import program_of

    key = program_of(Account.objects.create(name="Ada")).secret
    program = client_of(key)
    rules = program.get(f"{API}/rules/{SLUG}").json()
    assert (rules["version"], rules["versions"], rules["package"]) == (1, [1], PACKAGE)
    assert rules["proven"] is True
    assert "KuhnPokerView" in openapi_schemas.component_schemas()
    assert program.get(rules["links"]["text"]).content.startswith(b"# Kuhn Poker\n\nKuhn poker,")
    for name in ("picture", "options", "action", "news", "view"):
        assert program.get(rules["links"][name]).status_code == 200
    assert bot_names(SLUG) == ("random", "greedy", "mcts")
    games = [play_game(program, bot) for bot in bot_names(SLUG)]
    for game in games:
        check_news(program, game)
        export = program.get(f"{API}/games/{game}/export").getvalue().splitlines(keepends=True)
        assert export_verifier.verify_export(export).is_good
        assert b"<svg" in program.get(f"{API}/games/{game}/picture.svg").content
        assert b"Kuhn Poker" in program.get(f"{API}/games/{game}/picture.txt").content
    running = program.post(f"{API}/games", game_body("random"), JSON).json()["id"]
    document = {"key": key, "finished": games, "running": running}
    file.write_text(json.dumps(document))


def check_news(program: Any, game: str) -> None:
    """The news of a game and of its table are as the document of this server describes them."""
    import jsonschema_rs

    from api import openapi_schemas

    schemas = openapi_schemas.component_schemas()
    mapping = schemas["NewsItem"]["discriminator"]["mapping"]
    entries = program.get(f"{API}/games/{game}/log").json()["items"]
    items = [item for entry in entries for item in entry["news"]]
    assert f"{SLUG}.action" in {item["type"] for item in items}
    for name in {item["type"] for item in items}:
        schema = {"$ref": mapping[name], "components": {"schemas": schemas}}
        validator = jsonschema_rs.validator_for(schema)
        for item in items:
            if item["type"] == name:
                validator.validate(item)


def game_body(bot: str) -> dict[str, Any]:
    """A request for a game against that bot."""
    return {"rules": SLUG, "seats": [{"kind": "me"}, {"kind": "bot", "bot": bot}]}


def play_game(program: Any, bot: str) -> str:
    """Play a game to its end: the account takes the first offer, and the bot decides here."""
    from ai import bot_turn
    from games import selectors

    game: str = program.post(f"{API}/games", game_body(bot), JSON).json()["id"]
    while (table := selectors.game_projection(game)).phase == "playing":
        if table.is_awaited(0):
            choice = program.get(f"{API}/games/{game}/choice").json()
            action = choice["offers"][0]["action"]
            body = {"seat": 0, "choice": choice["token"], "action": action}
            assert program.post(f"{API}/games/{game}/actions", body, JSON).status_code == 201
        else:
            bot_turn.take_turn(game, 1, table.choice_token(1))
    return game


def removed(file: Path) -> None:
    """Check that the games of the removed package still answer."""
    from games.audit import stored_game_verifier

    document = json.loads(file.read_text())
    program = client_of(document["key"])
    assert program.get(f"{API}/rules/{SLUG}").status_code == 404
    for game in (*document["finished"], document["running"]):
        problem = program.get(f"{API}/games/{game}")
        assert problem.status_code == 409
        ruleset = {"rules": SLUG, "version": 1, "package": PACKAGE}
        assert problem.json()["ruleset"] == ruleset
        for subpath in ("/log", "/proof", "/export"):
            assert program.get(f"{API}/games/{game}{subpath}").status_code == 200
        verdict = str(stored_game_verifier.verify_game(game))
        assert verdict.startswith(f"{game}: not installed, ")
        assert verdict.endswith(f"{SLUG} rules version 1 are not installed (package {PACKAGE}).")


def main() -> None:
    """Run one of the two steps."""
    import django

    django.setup()
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    setup_test_environment()
    call_command("migrate", verbosity=0)
    {"play": play, "removed": removed}[sys.argv[1]](Path(sys.argv[2]))


if __name__ == "__main__":
    main()
