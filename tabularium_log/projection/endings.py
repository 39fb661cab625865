"""The endings of games: what brought each to its end, by the entries before its last one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from tabularium_log.projection import table_actions
from tabularium_log.projection.table_actions import TABLE_ACTION_CODEC

Ending = Literal[
    "played_out",
    "resigned",
    "timed_out",
    "abandoned",
    "agreed",
    "aborted",
    "expired",
    "called_off",
]
DECIDING_ENTRIES: Final = 2  # before the end, at most


def _by_type(endings: Mapping[type, Ending]) -> dict[str | None, Ending]:
    return {TABLE_ACTION_CODEC.type_of(action): ending for action, ending in endings.items()}


RESIGN_TYPE: Final = TABLE_ACTION_CODEC.type_of(table_actions.Resign)
_BY_LAST_ENTRY: Final = _by_type(
    {
        table_actions.Resign: "resigned",
        table_actions.Propose: "agreed",  # with bots, one person agrees alone
        table_actions.Accept: "agreed",
        table_actions.Abort: "aborted",
        table_actions.Expire: "expired",
    }
)
# of a seat that did not resign by itself
_BY_CAUSE_OF_RESIGNATION: Final = _by_type(
    {table_actions.TimeOut: "timed_out", table_actions.Claim: "abandoned"}
)


def ending_after(types: Sequence[str | None], *, has_result: bool) -> Ending:
    """The ending of a game, by the types of the last entries before its end, those of the game's
    own actions among them or left out; None stands for one that is sealed as a whole."""
    ending = _BY_LAST_ENTRY.get(types[-1]) if types else None
    if ending is None:
        return "played_out" if has_result else "called_off"
    if types[-1] == RESIGN_TYPE and len(types) > 1:
        return _BY_CAUSE_OF_RESIGNATION.get(types[-2], ending)
    return ending
