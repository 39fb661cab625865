"""Games for the benchmark, played through the API by two guests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from urllib.request import urlopen

from bench.first_start import Client
from tabularium_engines.installed.registry import ENGINES

RULESET_SLUG: Final = "law_of_the_dice"
OPTIONS: Final = {"points_to_win": 10}
POSTPONED: Final = ".call_count"  # the game goes on while a count is put off
LAST_ENTRIES: Final = 2  # of a game that a player resigns


class Table(NamedTuple):
    """A game, and the two who play it."""

    game: str
    players: Sequence[Client]


def new_player(url: str) -> Client:
    """A guest."""
    client = Client(f"{url}/api/v1")
    client.key = client.call("/guests", {})["secret"]
    return client


def open_table(players: Sequence[Client]) -> Table:
    """A game of two."""
    host, guest = players
    seats = [{"kind": "me"}, {"kind": "open"}]
    body = {"rules": RULESET_SLUG, "seats": seats, "options": OPTIONS}
    game = host.call("/games", body)["id"]
    guest.call(f"/games/{game}/join", {"seat": 1})
    return Table(game, players)


def open_own_table(player: Client, rules: str) -> str:
    """A game whose seats are all of one player, who begins with the first of them."""
    seats = [{"kind": "me"}] * ENGINES[rules].about.seats[0]
    while True:
        game = player.call("/games", {"rules": rules, "seats": seats})
        if game["to_act"][0] == 0:
            return str(game["id"])


def play_positions(players: Sequence[Client], count: int) -> str:
    """A game that goes on, with as many positions."""
    return _play(players, lambda view: view["seq"] - view["first"] + 1 >= count).game


def play_to_the_end(players: Sequence[Client], entries: int) -> str:
    """A game that is over, by resignation, with as many entries."""
    table = _play(players, lambda view: view["seq"] + LAST_ENTRIES >= entries)
    table.players[0].call(f"/games/{table.game}/resign", {"seat": 0})
    return table.game


def _play(players: Sequence[Client], is_enough: Any) -> Table:
    """A game that is played until it is enough; one that ends before is played anew."""
    while True:
        table = open_table(players)
        while (view := players[0].call(f"/games/{table.game}"))["phase"] == "playing":
            if is_enough(view):
                return table
            _act(table, view)


def _act(table: Table, view: Any) -> None:
    """An action of the seat that must act."""
    (seat,) = view["to_act"][:1]
    player = table.players[seat]
    choice = view["choice"] if seat == 0 else player.call(f"/games/{table.game}")["choice"]
    actions = [offer["action"] for offer in choice["offers"]]
    action = next((each for each in actions if not each["type"].endswith(POSTPONED)), actions[0])
    body = {"seat": seat, "choice": choice["token"], "action": action}
    player.call(f"/games/{table.game}/actions", body)


def read(client: Client, path: str) -> bytes:
    """The content of a reply that any onlooker may read."""
    with urlopen(client.url + path, timeout=60) as response:
        return bytes(response.read())
