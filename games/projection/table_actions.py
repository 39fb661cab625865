"""Table actions, such as create, join, start, resign and time out: everything that can happen to a
table besides the actions of its game. Each is an entry of the log."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar, Final, Literal

from games.engines.common.action_codec import ActionCodec
from games.engines.common.json_codec import Between, Json

ExpiryPolicy = Literal["bot", "random", "resign"]
MAX_ACTION_MS: Final = 30 * 24 * 3600 * 1000
ADDED_LATER: Final = {"since": "later"}  # of a field that older logs do not have: see TableActions


@dataclass(frozen=True)
class Clock:
    """The time that a seat has for one decision, and the consequence when it runs out."""

    action_ms: Annotated[int, Between(1000, MAX_ACTION_MS)]
    then: ExpiryPolicy = "bot"


@dataclass(frozen=True)
class Origin:
    """The position in another game with which a fork begins; `hash` is that game's at `seq`."""

    game: str
    seq: int
    hash: str
    seat: int | None  # the seat whose view it is; None: all, of a finished game


@dataclass(frozen=True)
class Create:
    """Set up a table. The commitment binds the server to a secret that only it knows yet."""

    kind: ClassVar = "create"
    rules: str
    version: int
    digest: str  # of the ruleset's source
    seats: int
    options: Any
    commitment: str
    key: str  # the public key of its receipts
    clock: Clock | None = None
    origin: Origin | None = None
    # whether the result counts for the ratings
    rated: bool = field(default=False, metadata=ADDED_LATER)


@dataclass(frozen=True)
class Join:
    """Take a free seat: an account (bot is null), or the bot of that name."""

    kind: ClassVar = "join"
    bot: str | None = None
    seed_hash: str | None = None


@dataclass(frozen=True)
class Leave:
    """Give up the seat before the game has started."""

    kind: ClassVar = "leave"


@dataclass(frozen=True)
class OpenSeed:
    """Reveal the seed whose hash was given on joining, now that every seat is taken."""

    kind: ClassVar = "open_seed"
    seed: str


@dataclass(frozen=True)
class Start:
    """Deal. From here on the key of all draws is fixed.

    Level 2: every account gave a seed of its own, and no player joined when one was open. A fork
    starts from a position instead of a deal.
    """

    kind: ClassVar = "start"
    level: Annotated[int, Between(1, 2)]
    position: Any = None


@dataclass(frozen=True)
class Resign:
    """Resign. The last seat left wins; otherwise a bot plays the seat on, which cannot win."""

    kind: ClassVar = "resign"


@dataclass(frozen=True)
class TimeOut:
    """The clock of a seat has run out. The consequence follows as the next entry."""

    kind: ClassVar = "time_out"
    then: ExpiryPolicy


@dataclass(frozen=True)
class Replace:
    """From now on the bot of that name plays the seat."""

    kind: ClassVar = "replace"
    bot: str


@dataclass(frozen=True)
class Outcome:
    """How a game ended, with the same members in every game; without scores if all but one seat
    resigned."""

    winners: tuple[int, ...]
    scores: tuple[int, ...] | None
    reason: str


@dataclass(frozen=True)
class End:
    """Close the log and reveal the secret, which opens everything. No result: called off."""

    kind: ClassVar = "end"
    secret: str
    result: Outcome | None = None


class TableActions(ActionCodec):
    """The codec of table actions. A field that was added later is left out where it has its
    default, so that entries written before keep their bytes and their hash."""

    def to_json(self, action: Any) -> dict[str, Json]:
        """An action as it stands in a log."""
        document = super().to_json(action)
        for member in fields(action):
            if member.metadata == ADDED_LATER and document[member.name] == member.default:
                del document[member.name]
        return document


TABLE_ACTIONS: Final = (Create, Join, Leave, OpenSeed, Start, Resign, TimeOut, Replace, End)
TABLE_ACTION_CODEC: Final = TableActions("table", TABLE_ACTIONS)
TYPE_PREFIX: Final = "table."  # of their types; those of a game's actions begin with its slug
