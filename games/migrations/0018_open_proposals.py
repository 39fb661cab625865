"""The open proposal of a game, in its row."""

import json
from typing import Any, ClassVar, Final

from django.db import migrations, models

PROPOSE: Final = '"type":"table.propose"'
# after each of these, as after one that frees a seat or gives it to a bot, no proposal is open
CLOSING: Final = frozenset(
    f"table.{kind}"
    for kind in ("decline", "takeback", "pause", "time_out", "claim", "abort", "expire")
)
LEAVING: Final = frozenset(("table.leave", "table.resign", "table.replace"))


class Table:
    """The people at a table and their open proposal, by the public entries of its log."""

    def __init__(self) -> None:
        self.people: set[int] = set()
        self.proposal: dict[str, Any] | None = None

    def read(self, seq: int, seat: int, action: Any) -> None:
        """Take the next entry into account."""
        kind = "" if action is None else action["type"]
        if kind == "table.join" and action["bot"] is None:
            self.people.add(seat)
        elif kind == "table.propose":
            self.proposal = {"seq": seq, "seat": seat, "of": action["of"], "to": action["to"]}
            self.proposal["accepted"] = {seat}
        elif kind == "table.accept" and self.proposal:
            self.proposal["accepted"].add(seat)
        elif kind in LEAVING:
            self.people.discard(seat)
            self.proposal = None
        elif kind in CLOSING or (not kind.startswith("table.") and self.is_declined_by(seat)):
            self.proposal = None

    def is_declined_by(self, seat: int) -> bool:
        """Whether an action of the game by this seat closes the proposal."""
        if self.proposal is None or self.proposal["of"] == "takeback":
            return True
        return seat != self.proposal["seat"] and seat in self.people

    @property
    def text(self) -> str | None:
        """The open proposal, in canonical JSON."""
        if self.proposal is None:
            return None
        accepted = self.proposal["accepted"]
        masks = {"accepted": mask(accepted), "asked": mask(self.people - accepted)}
        return json.dumps({**self.proposal, **masks}, separators=(",", ":"), sort_keys=True)


def mask(seats: set[int]) -> int:
    """The seats as a bit mask."""
    return sum(1 << seat for seat in seats)


def fill(apps: Any, schema_editor: Any) -> None:
    """Fill the column of the games that go on."""
    games, entries, old_entries = (
        apps.get_model("games", name) for name in ("Game", "Entry", "OldEntry")
    )
    moved = entries.objects.filter(seq=1).values("game")
    for rows, columns in (
        (entries.objects.all(), ("seat", "action")),
        (old_entries.objects.exclude(game__in=moved), ("text",)),
    ):
        proposed = rows.filter(
            **{"game__phase": "playing", f"{columns[-1]}__contains": PROPOSE}
        ).values_list("game", flat=True)
        for game in list(proposed.distinct()):
            table = Table()
            log = rows.filter(game=game).order_by("seq")
            for seq, *values in log.values_list("seq", *columns):
                table.read(seq, *_seat_and_action(*values))
            games.objects.filter(pk=game).update(proposal=table.text)


def _seat_and_action(*values: Any) -> tuple[int, Any]:
    """Of an entry, by its seat and action or by its public text."""
    *seat, text = values
    public = json.loads(text)
    return (seat[0], public) if seat else (public["seat"], public["action"])


class Migration(migrations.Migration):
    dependencies: ClassVar = [("games", "0017_next_game")]
    operations: ClassVar = [
        migrations.AddField("Game", "proposal", models.TextField(null=True)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
