"""`manage.py account ACTION ACCOUNT`: the actions of an operator on an account. `ban` refuses its
keys, `unban` accepts them again, `erase` deletes it as `POST /me/delete` does, `export` writes all
its games as `GET /me/export` does, `show` describes it.

Every action but `show` is recorded with the name of the operator (`manage.py staff_actions`).
`--json` prints an object instead of sentences."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Count, Max

from api.games import account_export
from api.models import Key, Webhook
from api.shape_responses import format_optional_time
from api.webhooks.delivery_builder import disable_webhook
from games import selectors, services
from games.selectors import Account

ACTIONS: Final = ("show", "ban", "unban", "erase", "export")
BANNED: Final = "The account is banned."


class Command(BaseCommand):
    help = "Show, ban, unban, erase or export an account."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("action", choices=ACTIONS)
        add("account", help="its id, account_…")
        add("--why", default="", help="of a ban, told to the account; else a note for the record")
        add("--resign", action="store_true", help="of a ban: give up its games, too")
        add("--json", action="store_true", help="print an object")
        add("--to", type=Path, help="of an export: the file to write (default: standard output)")

    def handle(self, *_: Any, action: str, account: str, **options: Any) -> None:
        row = selectors.find_account(account)
        if row is None:
            raise CommandError(f"There is no account {account}.")
        try:
            outcome: str | None = getattr(self, action)(row, options)
        except services.GameBusy as problem:
            raise CommandError("Its games are busy: try again. Nothing was changed.") from problem
        except services.NoteTooLong as problem:
            raise CommandError(str(problem)) from problem
        if outcome is not None and options["json"] and action != "show":
            outcome = json.dumps({"account": account, "action": action, "outcome": outcome})
        if outcome is not None:
            self.stdout.write(outcome)

    def show(self, row: Account, options: Any) -> str:
        """Describe the account."""
        known = facts(row)
        return json.dumps(known) if options["json"] else "\n".join(description(known))

    def ban(self, row: Account, options: Any) -> str:
        """Refuse its keys from now on."""
        if not options["why"]:
            raise CommandError("Say why with --why: the account is told.")
        with transaction.atomic():
            services.record_staff_action("ban", row.pk, options["why"])
            is_new = services.ban_account(row.pk, options["why"])
            for hook in Webhook.objects.filter(account=row, is_enabled=True):
                disable_webhook(hook, BANNED)
        if options["resign"]:
            services.give_up_games(row.pk)
        return f"{row.pk} {'is' if is_new else 'was already'} banned."

    def unban(self, row: Account, options: Any) -> str:
        """Accept its keys again."""
        with transaction.atomic():
            services.record_staff_action("unban", row.pk, options["why"])
            was_banned = services.unban_account(row.pk)
        state = "is no longer banned" if was_banned else "was not banned"
        return f"{row.pk} {state}."

    def erase(self, row: Account, options: Any) -> str:
        """Delete it for ever; the logs of its games stay, which name no account."""
        with transaction.atomic():
            services.record_staff_action("erase", row.pk, options["why"])
            services.delete_account(row.pk)
        return f"{row.pk} is erased."

    def export(self, row: Account, options: Any) -> str | None:
        """Write the exports of all its games, one after another."""
        services.record_staff_action("export", row.pk, options["why"])
        games = selectors.games_of_account(row.pk, "")
        pieces = account_export.pieces(row.pk, games.iterator(), None)
        if options["to"] is None:
            for piece in pieces:
                self.stdout.write(piece.decode(), ending="")
            return None
        with options["to"].open("wb") as file:
            file.writelines(pieces)
        return f"{games.count()} games of {row.pk} are in {options['to']}."


def facts(row: Account) -> dict[str, Any]:
    """An account as an operator may know it."""
    keys = Key.objects.filter(account=row).aggregate(count=Count("pk"), last=Max("last_used"))
    return {
        "account": row.pk,
        "name": row.name,
        "created": format_optional_time(row.created),
        "banned": format_optional_time(row.banned),
        "ban_reason": row.ban_reason,
        "keys": keys["count"],
        "last_used": format_optional_time(keys["last"]),
        "webhooks": Webhook.objects.filter(account=row).count(),
        "unfinished_games": selectors.unfinished_games_of(row.pk).count(),
    }


def description(facts: Mapping[str, Any]) -> Iterator[str]:
    """An account in lines."""
    yield f"{facts['account']}: {facts['name'] or 'no name'}, since {facts['created']}"
    if facts["banned"]:
        yield f"  banned since {facts['banned']}: {facts['ban_reason']}"
    used = f", last used {facts['last_used']}" if facts["last_used"] else ""
    yield f"  {facts['keys']} keys{used}; {facts['webhooks']} webhooks"
    yield f"  {facts['unfinished_games']} games that it created are not over"
