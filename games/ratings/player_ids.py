"""As whom is somebody rated? An account by its id, which is kept when the account is deleted, so
that the ratings of all others stay what they are; a bot by its name."""

from __future__ import annotations

from typing import Final

from games.models import Account

BOT_PREFIX: Final = "bot_"  # ids of accounts begin otherwise


def rated_player_id(account: Account | None, bot: str | None) -> str:
    """What ratings call an account, or a bot."""
    return f"{BOT_PREFIX}{bot}" if account is None else account.pk


def bot_name_of(player: str) -> str | None:
    """The name of the bot, if it is one."""
    return player.removeprefix(BOT_PREFIX) if player.startswith(BOT_PREFIX) else None
