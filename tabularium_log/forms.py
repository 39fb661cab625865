"""The forms of ids, numbers, times and hashes, in logs and in the API."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from tabularium_engines.common.json_codec import Form

Count = Annotated[int, Form(minimum=0)]
Positive = Annotated[int, Form(minimum=1)]
Thousandths = Annotated[int, Form(minimum=0, maximum=1000)]
SeatIndex = Annotated[int, Form("The number of a seat, clockwise from 0.", minimum=0)]
Seq = Annotated[int, Form("The number of an entry, from 1.", minimum=0)]
FairnessLevel = Annotated[int, Form(minimum=1, maximum=2)]
Time = Annotated[str, Form(format="date-time")]
Slug = Annotated[str, Form("The slug of the ruleset.", pattern="^[a-z][a-z0-9_]*$")]
GameId = Annotated[str, Form("The id of the game.", pattern="^game_[0-9a-f]{32}$")]
AccountId = Annotated[str, Form("The id of the account.", pattern="^account_[0-9a-f]{32}$")]
Sha256 = Annotated[str, Form(pattern="^[0-9a-f]{64}$")]  # and public keys, which are as long
Signature = Annotated[str, Form(pattern="^[0-9a-f]{128}$")]
Seed = Annotated[str, Form(pattern="^([0-9a-f]{2}){16,64}$")]
SearchSeed = Annotated[str, Form(pattern="^[0-9]+$")]


def bounds_of(form: Any) -> Mapping[str, Any]:
    """The bounds of a form, as its schema states them."""
    bounds: Mapping[str, Any] = form.__metadata__[0].bounds
    return bounds


def has_form(text: str, form: Any) -> bool:
    """Whether a text has the form that its schema states."""
    return re.fullmatch(bounds_of(form)["pattern"], text) is not None
