"""A complete bot: `python bot.py http://127.0.0.1:8000` plays a game to its end and verifies it.
Killed at any moment and started again, it goes on where it was."""

import json
import sys
from pathlib import Path

from tabularium_client import ME, Client, KeyFile, bot, types, verify

RULES = "law_of_the_dice"
RECEIPTS = Path("receipts.ndjson")


def keep(receipt: types.Receipt) -> None:
    with RECEIPTS.open("a") as file:
        file.write(json.dumps(receipt) + "\n")


with Client(sys.argv[1], keys=KeyFile("keys.json")) as client:  # a guest, if there is no key yet
    running = client.my_games(phase="playing")["items"]
    game = running[0] if running else client.create_game(rules=RULES, seats=[ME, bot("greedy")])
    client.play(game["id"], lambda turn: turn.offers[0], keep=keep)
    print(verify(client.export(game["id"]), map(json.loads, RECEIPTS.open())))
