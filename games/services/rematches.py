"""The service of rematches: a game that is over has one, however many of its players ask for it."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from games import selectors
from games.models import Game


@transaction.atomic
def create_rematch(game: str, create: Callable[[], str]) -> tuple[str, bool]:
    """The rematch of a game, and whether it is new: it is created unless there is one. Others who
    ask wait at the row of the game; the accounts are locked before it, as everywhere."""
    row = Game.objects.select_for_update().get(pk=game)
    if existing := selectors.rematch_of(row):
        return existing, False
    created = create()
    Game.objects.filter(pk=game).update(next=created)
    return created, True
