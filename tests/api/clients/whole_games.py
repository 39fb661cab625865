"""Whole games against bots, with a client that was generated from the document of any level:
`whole_games.py <address> <tables>`, the bodies of new games as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from generated_client.api.games import create_game
from generated_client.models import GameView, NewGame

from tests.api.clients.player import client_of_guest, play_one_seat


def main(address: str, tables: str) -> None:
    """Play each game to its end, always with the last offer, and print its result."""
    client = client_of_guest(address)
    bodies: list[dict[str, Any]] = json.loads(tables)
    for body in bodies:
        table = create_game.sync(client=client, body=NewGame.from_dict(body))
        assert isinstance(table, GameView)
        table = play_one_seat(client, table, lambda offers: offers[-1])
        assert table.result
        print(f"{table.rules}: {table.result.reason}")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
