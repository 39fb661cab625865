"""Table actions, such as create, join, start, resign and time out: everything that can happen to a
table besides the actions of its game. Each is an entry of the log."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Annotated, Any, ClassVar, Final, Literal

from tabularium_engines.common.action_codec import ActionCodec
from tabularium_engines.common.json_codec import Between, Json
from tabularium_log.fairness.canonical_json import INTEGER_LIMIT
from tabularium_log.forms import Count, GameId, Positive, Seed, Seq, Sha256, Slug

MAX_SEQ: Final = INTEGER_LIMIT - 1
MAX_SEATS: Final = 62
EntryNumber = Annotated[int, Between(1, MAX_SEQ)]
SeatNumber = Annotated[int, Between(0, MAX_SEATS - 1)]
ExpiryPolicy = Literal["bot", "random", "resign"]
Agreement = Literal["draw", "end", "takeback", "pause"]
ClaimConsequence = Literal["bot", "resign"]
DAY_MS: Final = 24 * 3600 * 1000
MAX_ACTION_MS: Final = 30 * DAY_MS
CLAIM_AFTER_MS: Final = 7 * DAY_MS  # of silence of an awaited player, without a clock
PAUSE_MS: Final = 7 * DAY_MS  # the longest pause
EXPIRE_AFTER_MS: Final = 90 * DAY_MS  # of silence, without a clock
ADDED_LATER: Final = {"since": "later"}  # of a field that older logs do not have: see TableActions


@dataclass(frozen=True)
class Clock:
    """The time that a seat has for one decision, and the consequence when it runs out."""

    #: The time for an action, in milliseconds.
    action_ms: Annotated[int, Between(1000, MAX_ACTION_MS)]
    then: ExpiryPolicy = "bot"  #: The consequence for a seat whose time is over.


@dataclass(frozen=True)
class Origin:
    """The position in another game with which a fork begins; `hash` is that game's at `seq`."""

    game: GameId
    seq: Seq
    hash: Sha256  #: The SHA-256 of the entry after which the fork begins.
    seat: Count | None  #: The seat whose view was forked; null: all were known.


@dataclass(frozen=True)
class Create:
    """Set up a table. The commitment binds the server to a secret that only it knows yet."""

    kind: ClassVar = "create"
    rules: Slug
    version: Positive  #: The version of the rules.
    digest: Sha256  #: The SHA-256 of the source code of the ruleset.
    seats: Positive  #: The number of seats.
    options: Any  #: The options of the game, as the schema of the ruleset describes them.
    commitment: Sha256  #: The SHA-256 to which the server committed before the first seed.
    key: Sha256  #: The Ed25519 public key of its receipts.
    clock: Clock | None = None  #: The clock of the game; null if it has none.
    #: The position from which the game was forked; null if it was not.
    origin: Origin | None = None
    #: Whether the result counts for the ratings.
    rated: bool = field(default=False, metadata=ADDED_LATER)
    #: Whether players may take hints though other people play.
    hints: bool = field(default=False, metadata=ADDED_LATER)
    #: The game after which the same players meet again; or null.
    rematch: GameId | None = field(default=None, metadata=ADDED_LATER)


@dataclass(frozen=True)
class Join:
    """Take a free seat: an account (bot is null), or the bot of that name."""

    kind: ClassVar = "join"
    bot: str | None = None  #: The name of the bot; null: an account.
    #: The SHA-256 of "tabularium/seed/1" and the seed; null: no seed.
    seed_hash: Sha256 | None = None


@dataclass(frozen=True)
class Leave:
    """Give up the seat before the game has started."""

    kind: ClassVar = "leave"


@dataclass(frozen=True)
class OpenSeed:
    """Reveal the seed whose hash was given on joining, now that every seat is taken."""

    kind: ClassVar = "open_seed"
    seed: Seed  #: A seed: 16 to 64 bytes in lower-case hexadecimal digits.


@dataclass(frozen=True)
class Start:
    """Deal. From here on the key of all draws is fixed.

    Level 2: every account gave a seed of its own, and no player joined when one was open. A fork
    starts from a position instead of a deal.
    """

    kind: ClassVar = "start"
    level: Annotated[int, Between(1, 2)]  #: The level of fairness: see `docs/fairness.md`.
    position: Any = None  #: The position from which a fork begins; null: the deal.


@dataclass(frozen=True)
class Resign:
    """Resign. The last seat left wins; otherwise a bot plays the seat on, which cannot win."""

    kind: ClassVar = "resign"


@dataclass(frozen=True)
class TimeOut:
    """The clock of a seat has run out. The consequence follows as the next entry."""

    kind: ClassVar = "time_out"
    then: ExpiryPolicy  #: The consequence for the seat.


@dataclass(frozen=True)
class Replace:
    """From now on the bot of that name plays the seat."""

    kind: ClassVar = "replace"
    bot: str  #: The name of the bot.


@dataclass(frozen=True)
class Abort:
    """End the game without a result, before a person has acted."""

    kind: ClassVar = "abort"


@dataclass(frozen=True)
class Propose:
    """Propose to the other people at the table a draw, an end without a result, the return to an
    earlier entry, or a pause. It stands until one of them acts, accepts or declines."""

    kind: ClassVar = "propose"
    of: Agreement  #: The matter of the proposal.
    to: EntryNumber | None = None  #: The entry to return to, in a takeback; else null.


@dataclass(frozen=True)
class Accept:
    """Accept the proposal of that entry. The consequence follows once all people have accepted."""

    kind: ClassVar = "accept"
    proposal: EntryNumber  #: The entry of the proposal.


@dataclass(frozen=True)
class Decline:
    """Decline the proposal of that entry, or withdraw one's own."""

    kind: ClassVar = "decline"
    proposal: EntryNumber  #: The entry of the proposal.


@dataclass(frozen=True)
class Takeback:
    """Return to the position after that entry, as agreed. The log keeps what was taken back."""

    kind: ClassVar = "takeback"
    to: EntryNumber  #: The entry to return to.


@dataclass(frozen=True)
class Pause:
    """Stop the game and its clock, as agreed."""

    kind: ClassVar = "pause"


@dataclass(frozen=True)
class Resume:
    """Go on after a pause: by any player, or by the table when it has lasted for seven days."""

    kind: ClassVar = "resume"


@dataclass(frozen=True)
class Claim:
    """Claim that the player of a seat has left a table without a clock. The consequence follows as
    the next entry."""

    kind: ClassVar = "claim"
    seat: SeatNumber  #: The seat whose player has left.
    then: ClaimConsequence  #: Whether a bot plays on for the seat, or it resigns.


@dataclass(frozen=True)
class Expire:
    """End the game without a result: nothing has happened for ninety days."""

    kind: ClassVar = "expire"


@dataclass(frozen=True)
class Hint:
    """Take a hint, which only the player sees."""

    kind: ClassVar = "hint"


@dataclass(frozen=True)
class Outcome:
    """How a game ended, with the same members in every game; without scores if all but one seat
    resigned."""

    winners: tuple[int, ...]  #: The seats that win; several share the victory.
    scores: tuple[int, ...] | None  #: By seat, the score; null in games without scores.
    reason: str  #: Why the game ended, in a sentence.


@dataclass(frozen=True)
class End:
    """Close the log and reveal the secret, which opens everything. No result: called off, aborted
    or expired."""

    kind: ClassVar = "end"
    secret: Sha256  #: The secret of the game, which opens everything.
    #: The result; null before the end, and of a game that was called off.
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


TABLE_ACTIONS: Final = (
    Create,
    Join,
    Leave,
    OpenSeed,
    Start,
    Resign,
    TimeOut,
    Replace,
    End,
    Abort,
    Propose,
    Accept,
    Decline,
    Takeback,
    Pause,
    Resume,
    Claim,
    Expire,
    Hint,
)
TABLE_ACTION_CODEC: Final = TableActions("table", TABLE_ACTIONS)
TYPE_PREFIX: Final = "table."  # of their types; those of a game's actions begin with its slug

# the types and the members of `table.create` that logs have had since export/2
SECOND_FORMAT_TYPES: Final = frozenset(
    map(TABLE_ACTION_CODEC.type_of, TABLE_ACTIONS[TABLE_ACTIONS.index(End) + 1 :])
)
SECOND_FORMAT_MEMBERS: Final = frozenset(("hints", "rematch"))


def needs_second_format(action: Json) -> bool:
    """Whether an export of a log with this action is an export/2."""
    kind = action.get("type") if isinstance(action, dict) else None
    if not isinstance(kind, str):
        return False
    is_new = kind == "table.create" and not SECOND_FORMAT_MEMBERS.isdisjoint(action)
    return is_new or kind in SECOND_FORMAT_TYPES
