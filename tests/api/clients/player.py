"""A whole game with the client of openapi-python-client: `player.py <address> <rules>`."""

from __future__ import annotations

import random
import sys

from tabularium_client import AuthenticatedClient, Client
from tabularium_client.api.games import act, choice, create_game, game
from tabularium_client.api.guests import create_guest
from tabularium_client.api.rules import rules as rule_book
from tabularium_client.models import (
    ActionResult,
    ChoiceView,
    GameView,
    Guest,
    NewActions,
    NewGame,
    NewGuest,
    NewSeat,
    NewSeatKind,
    Phase,
    Rules,
)

MOST = 120  # actions


def main(address: str, rules: str) -> None:
    """Play all seats with random legal actions, and print the reason for the result."""
    guest = create_guest.sync(client=Client(base_url=address), body=NewGuest(name="Ada"))
    assert isinstance(guest, Guest)
    client = AuthenticatedClient(base_url=address, token=guest.secret)
    book = rule_book.sync(rules, client=client)
    assert isinstance(book, Rules)
    seats = [NewSeat(kind=NewSeatKind.ME)] * book.seats.fewest
    seen = create_game.sync(client=client, body=NewGame(rules=rules, seats=seats))
    acted = 0
    while isinstance(seen, GameView) and seen.phase != Phase.OVER and acted < MOST:
        acted += 1
        offered = choice.sync(seen.id, client=client, seat=seen.to_act[0])
        assert isinstance(offered, ChoiceView), offered
        wanted = random.choice(offered.offers).action
        body = NewActions(seat=offered.seat, choice=offered.token, action=wanted)
        done = act.sync(seen.id, client=client, body=body)
        assert isinstance(done, ActionResult), done
        seen = game.sync(seen.id, client=client)
    assert isinstance(seen, GameView)
    assert seen.result or acted == MOST
    print(seen.result.reason if seen.result else "Not over yet.")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
