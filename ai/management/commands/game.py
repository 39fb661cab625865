"""`manage.py game ACTION GAME…`: the actions of an operator on games. `show` describes them without
their hidden cards, `poke` wakes the bots that they wait for, `hide` and `list` take public games
off the lists and put them back, `call-off` closes games that have not started.

Every action but `show` is recorded with the name of the operator (`manage.py staff_actions`).
`--json` prints an object for each game instead of sentences."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from ai import bot_dispatch
from ai.models import BotFailure
from games import selectors, services
from games.models import Game
from games.secret_lookup import GameUnlockError
from tabularium_engines.common.replayable_log import BrokenLog
from tabularium_engines.installed import registry
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.projection.projection import GameRefusal, Projection, format_time

UNREADABLE: Final = (BrokenLog, GameUnlockError, RulesetNotInstalled)


class Command(BaseCommand):
    help = "Show games, wake their bots, hide them from the lists, or call them off."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("action", choices=("show", *ACTIONS))
        parser.add_argument("game", nargs="+")
        parser.add_argument("--why", default="", help="a note for the record of staff actions")
        parser.add_argument("--json", action="store_true", help="print an object for each game")

    def handle(self, *_: Any, action: str, game: list[str], why: str, **options: Any) -> None:
        rows = Game.objects.in_bulk(game)
        if unknown := [name for name in game if name not in rows]:
            raise CommandError(f"There is no game {', '.join(unknown)}.")
        for name in game:
            if action == "show":
                known = facts(rows[name])
                text = json.dumps(known) if options["json"] else "\n".join(description(known))
            else:
                text = self.act(action, rows[name], why)
                if options["json"]:
                    text = json.dumps({"game": name, "action": action, "outcome": text})
            self.stdout.write(text)

    def act(self, action: str, row: Game, why: str) -> str:
        """Do it and record it, or neither; return the outcome as a sentence."""
        try:
            with transaction.atomic():
                services.record_staff_action(action, row.pk, why)
                return ACTIONS[action](row)
        except (GameRefusal, services.NoteTooLong, *UNREADABLE) as problem:
            raise CommandError(f"{row.pk}: {problem}") from problem


def facts(row: Game) -> dict[str, Any]:
    """A game as an operator may know it: nothing that its log does not show to onlookers."""
    waited_for = selectors.seats_in_mask(row.awaited) if row.phase == Game.Phase.PLAYING else ()
    failures = BotFailure.objects.filter(game=row.pk).order_by("at")
    return {
        "game": row.pk,
        "rules": row.rules,
        "version": row.version,
        "is_installed": row.version in registry.installed_versions(row.rules),
        "phase": row.phase,
        "ending": selectors.endings([row.pk]).get(row.pk),
        "visibility": row.visibility,
        "seq": row.seq,
        "at": format_time(row.at),
        "deadline": row.deadline and format_time(row.deadline),
        "seats": [
            {
                "seat": seat,
                "account": player.account,
                "bot": player.bot,
                "is_awaited": seat in waited_for,
            }
            for seat, player in sorted(selectors.players_of(row.pk).items())
        ],
        "bot_failures": [
            {"seat": failure.seat, "attempts": failure.attempts, "at": format_time(failure.at)}
            for failure in failures
        ],
    }


def description(facts: Mapping[str, Any]) -> Iterator[str]:
    """A game in lines."""
    ending = f" ({facts['ending']})" if facts["ending"] else ""
    yield (
        f"{facts['game']}: {facts['rules']} rules version {facts['version']}, "
        f"{facts['phase']}{ending}, {facts['visibility']}"
    )
    yield f"  entry {facts['seq']} at {facts['at']}, deadline {facts['deadline'] or 'none'}"
    if not facts["is_installed"]:
        yield "  its rules are not installed"
    for player in facts["seats"]:
        who = f"bot {player['bot']}" if player["bot"] else player["account"] or "a deleted account"
        yield f"  seat {player['seat']}: {who}{', awaited' if player['is_awaited'] else ''}"
    for failure in facts["bot_failures"]:
        times = f"attempt {failure['attempts']}, last at {failure['at']}"
        yield f"  seat {failure['seat']}: its bot failed, {times}"


def poke(row: Game) -> str:
    """Wake the bots that the game waits for, now and as if none had failed."""
    table = selectors.game_projection(row.pk)
    BotFailure.objects.filter(game=row.pk).delete()
    messages = [
        bot_dispatch.wake_message(table, seat, again=True)
        for seat in selectors.awaited_bot_seats(table)
    ]
    if not messages:
        return f"{row.pk}: it waits for no bot{_waiting_phrase(table)}."
    try:
        bot_dispatch.outbox.publish(messages)
    except Exception as problem:
        raise CommandError(
            f"{row.pk}: the broker does not take the message: {problem}"
        ) from problem
    seats = ", ".join(str(message.seat) for message in messages)
    return f"{row.pk}: woke the bot of seat {seats}."


def _waiting_phrase(table: Projection) -> str:
    """The people that a game waits for, in words."""
    if table.phase != "playing":
        return f", it is {table.phase}"
    seats = ", ".join(map(str, selectors.seats_in_mask(table.awaited_seats)))
    return f", but for the player of seat {seats}"


def set_hidden(row: Game, *, is_hidden: bool) -> str:
    """Take a public game off the lists, or put it back."""
    if row.visibility == Game.Visibility.PRIVATE:
        raise CommandError(f"{row.pk} is private: it is never listed.")
    is_changed = services.hide_game(row.pk, is_hidden)
    state = "hidden" if is_hidden else "listed"
    return f"{row.pk}: {state}." if is_changed else f"{row.pk}: it was {state} already."


def call_off(row: Game) -> str:
    """Close a game that has not started."""
    services.call_off_game(row.pk)
    return f"{row.pk}: called off."


ACTIONS: Final[Mapping[str, Callable[[Game], str]]] = {
    "poke": poke,
    "hide": partial(set_hidden, is_hidden=True),
    "list": partial(set_hidden, is_hidden=False),
    "call-off": call_off,
}
