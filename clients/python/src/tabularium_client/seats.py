"""The seats of a new game."""

from __future__ import annotations

from typing import Final

from tabularium_client import types

ME: Final[types.NewSeat] = {"kind": "me"}
OPEN: Final[types.NewSeat] = {"kind": "open"}


def bot(name: str) -> types.NewSeat:
    """A seat for the bot of this name, such as `greedy`."""
    return {"kind": "bot", "bot": name}
