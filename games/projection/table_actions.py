"""What can happen to a table besides the actions of its game? Every one is an entry of the log."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar, Final, Literal

from games.engines.common.action_codec import ActionCodec
from games.engines.common.codec import Between, Json

ExpiryPolicy = Literal["bot", "random", "resign"]
MAX_ACTION_MS: Final = 30 * 24 * 3600 * 1000  # ms
ADDED_LATER: Final = {"since": "later"}  # of a field that older logs do not have: see TableActions


@dataclass(frozen=True)
class Clock:
    """How long a seat may think about one decision, and what happens then."""

    action_ms: Annotated[int, Between(1000, MAX_ACTION_MS)]
    then: ExpiryPolicy = "bot"


@dataclass(frozen=True)
class Origin:
    """The position in another game with which a fork begins; `hash` is that game's at `seq`."""

    game: str
    seq: int
    hash: str
    seat: int | None  # whose view it is; None: everything, of a game that is over


@dataclass(frozen=True)
class Create:
    """Set up a table. The commitment binds the server to a secret that nobody else knows yet."""

    kind: ClassVar = "create"
    rules: str
    version: int
    digest: str  # of the rules' source
    seats: int
    options: Any
    commitment: str
    key: str  # with which receipts are signed
    clock: Clock | None = None
    origin: Origin | None = None
    # does the result count for the ratings?
    rated: bool = field(default=False, metadata=ADDED_LATER)


@dataclass(frozen=True)
class Join:
    """Take a free seat: an account (bot is null), or the bot of that name."""

    kind: ClassVar = "join"
    bot: str | None = None
    seed_hash: str | None = None


@dataclass(frozen=True)
class Leave:
    """Give the seat up before the game has started."""

    kind: ClassVar = "leave"


@dataclass(frozen=True)
class OpenSeed:
    """Tell the seed whose hash was given on joining, now that everybody has joined."""

    kind: ClassVar = "open_seed"
    seed: str


@dataclass(frozen=True)
class Start:
    """Deal. From here on the key of all draws is fixed.

    Level 2: no seat but bots went without a seed of its own, and nobody joined when one was open.
    A fork starts from a position instead of a deal.
    """

    kind: ClassVar = "start"
    level: Annotated[int, Between(1, 2)]
    position: Any = None


@dataclass(frozen=True)
class Resign:
    """Give the game up. The last one left has won; otherwise a bot plays the seat on, and loses."""

    kind: ClassVar = "resign"


@dataclass(frozen=True)
class TimeOut:
    """The clock of a seat has run out. What is done about it follows as the next entry."""

    kind: ClassVar = "time_out"
    then: ExpiryPolicy


@dataclass(frozen=True)
class Replace:
    """From now on the bot of that name plays the seat."""

    kind: ClassVar = "replace"
    bot: str


@dataclass(frozen=True)
class Outcome:
    """How a game ended; without scores if it was given up."""

    winners: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: str


@dataclass(frozen=True)
class End:
    """Close the log and tell the secret, which opens everything. Without a result: called off."""

    kind: ClassVar = "end"
    secret: str
    result: Outcome | None = None


class TableActions(ActionCodec):
    """How they are written. A field that came later is left out where it has its default: so what
    was written before it came has the same bytes, and hash, as ever."""

    def to_json(self, action: Any) -> dict[str, Json]:
        """An action as it stands in a log."""
        document = super().to_json(action)
        for each in fields(action):
            if each.metadata == ADDED_LATER and document[each.name] == each.default:
                del document[each.name]
        return document


TABLE_ACTIONS: Final = (Create, Join, Leave, OpenSeed, Start, Resign, TimeOut, Replace, End)
TABLE_ACTION_CODEC: Final = TableActions("table", TABLE_ACTIONS)
TYPE_PREFIX: Final = "table."  # of their types; a game's own begin with its slug
