"""The visibility of games."""

from __future__ import annotations

from games.models import Game


def is_public(game: str) -> bool:
    """Whether the game is public, so that all clients may watch."""
    return Game.objects.filter(pk=game, visibility=Game.Visibility.PUBLIC).exists()
