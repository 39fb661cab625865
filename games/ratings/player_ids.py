"""The ids of players in ratings: an account has its own id, which is kept when the account is
deleted so that the ratings of all others stay valid; a bot has its name."""

from __future__ import annotations

from typing import Final

from games.models import Account

BOT_PREFIX: Final = "bot_"  # ids of accounts begin differently


def rated_player_id(account: Account | None, bot: str | None) -> str:
    """The id of an account, or of a bot, in ratings."""
    return f"{BOT_PREFIX}{bot}" if account is None else account.pk


def bot_name_of(player: str) -> str | None:
    """The name of the bot; None if the player is an account."""
    return player.removeprefix(BOT_PREFIX) if player.startswith(BOT_PREFIX) else None
