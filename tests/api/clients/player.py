"""A whole game with the client of openapi-python-client: `player.py <address> <rules> [<bot>]`."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from generated_client import AuthenticatedClient, Client
from generated_client.api.games import act, choice, create_game, game, log
from generated_client.api.guests import create_guest
from generated_client.api.rules import rules as rule_book
from generated_client.models import (
    ActionResult,
    ChoiceView,
    GameView,
    Guest,
    LogPage,
    NewActions,
    NewGame,
    NewSeat,
    NewSeatKind,
    Rules,
)

MOST = 120  # actions
WAIT = "wait=20"  # until it is one's turn


def main(address: str, rules: str, bot: str = "") -> None:
    """Play all seats with random legal actions, or one of them against this bot to the end; then
    print the reason for the result."""
    random.seed(rules)
    client = client_of_guest(address)
    table = new_table(client, rules, bot)
    table = play_one_seat(client, table) if bot else play_all_seats(client, table)
    check_types(table)
    print(table.result.reason if table.result else "Not over yet.")  # noqa: T201


def client_of_guest(address: str) -> AuthenticatedClient:
    """A client with the key of a new guest."""
    guest = create_guest.sync(client=Client(base_url=address))
    assert isinstance(guest, Guest)
    return AuthenticatedClient(base_url=address, token=guest.secret)


def new_table(client: AuthenticatedClient, rules: str, bot: str) -> GameView:
    """A new game of the fewest players: the guest, and bots or the guest on the other seats."""
    book = rule_book.sync(rules, client=client)
    assert isinstance(book, Rules)
    me = NewSeat(kind=NewSeatKind.ME)
    others = [NewSeat(kind=NewSeatKind.BOT, bot=bot) if bot else me] * (book.seats.fewest - 1)
    table = create_game.sync(client=client, body=NewGame(rules=rules, seats=[me, *others]))
    assert isinstance(table, GameView)
    return table


def play_one_seat(
    client: AuthenticatedClient,
    table: GameView,
    choose: Callable[[Sequence[Any]], Any] = random.choice,
) -> GameView:
    """Play to the end against bots; the game that is over."""
    while not table.result:
        choices = table.choice
        while choices and choices.is_awaited:
            action = choose(choices.offers).action
            body = NewActions(seat=choices.seat, choice=choices.token, action=action)
            result = act.sync(table.id, client=client, body=body, prefer=WAIT)
            if not isinstance(result, ActionResult):  # another seat was faster: look again
                assert getattr(result.code, "value", result.code) == "stale-choice", result
                break
            choices, table.seq = result.choice, result.seq
        page = log.sync(table.id, client=client, after=table.seq, limit=1, prefer=WAIT)
        assert isinstance(page, LogPage)
        seen = game.sync(table.id, client=client)
        assert isinstance(seen, GameView)
        table = seen
    return table


def play_all_seats(client: AuthenticatedClient, table: GameView) -> GameView:
    """Play all seats, but no more than so many actions; the game then."""
    choices, to_act = table.choice, table.to_act
    action_count = 0
    while to_act and action_count < MOST:
        action_count += 1
        if not choices:  # the reply to an action has the next choice of the same seat only
            choices = choice.sync(table.id, client=client, seat=to_act[0])
        assert isinstance(choices, ChoiceView), choices
        action = random.choice(choices.offers).action
        body = NewActions(seat=choices.seat, choice=choices.token, action=action)
        result = act.sync(table.id, client=client, body=body)
        assert isinstance(result, ActionResult), result
        check_news(result, table.rules)
        choices, to_act = result.choice, result.to_act
    seen = game.sync(table.id, client=client)
    assert isinstance(seen, GameView)
    assert seen.result or action_count == MOST
    return seen


def check_types(table: GameView) -> None:
    """Options and views have the class of their ruleset, and are as they were sent."""
    prefix = title_of(table.rules)
    sent = table.to_dict()
    for part, name in ((table.options, "options"), (table.view, "view")):
        kind = re.sub(r"V\d+", "", type(part).__name__)
        plain = kind.removeprefix(prefix).removeprefix("Second").removesuffix("WithType")
        assert plain == name.title(), type(part)
        assert sent[name]["type"] == f"{table.rules}.{name}.v{table.version}"
    assert GameView.from_dict(sent).to_dict() == sent


def check_news(result: ActionResult, rules: str) -> None:
    """Each item of news has the class of its type, and goes back to the same JSON."""
    sent = result.to_dict()
    assert ActionResult.from_dict(sent).to_dict() == sent
    for item, document in zip(result.news, sent["news"], strict=True):
        owner, _, kind = document["type"].partition(".")
        assert owner in (rules, "table")
        name = re.sub(r"V\d+", "", type(item).__name__)
        assert name.replace("Second", "") == f"{title_of(owner)}{title_of(kind)}News", type(item)


def title_of(name: str) -> str:
    """A name with underscores as a part of a class name."""
    return "".join(part.title() for part in name.split("_"))


if __name__ == "__main__":
    main(*sys.argv[1:])
