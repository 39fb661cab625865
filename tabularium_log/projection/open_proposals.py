"""Open proposals as they stand in the rows of games, next to the log."""

from __future__ import annotations

from typing import NamedTuple

import orjson

from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.projection.projection import Projection
from tabularium_log.projection.table_actions import Agreement


class OpenProposal(NamedTuple):
    """An open proposal. `accepted` and `asked` are bit masks of seats: those that have accepted it,
    and those that have not answered."""

    seq: int
    seat: int
    of: Agreement
    to: int | None
    accepted: int
    asked: int


def open_proposal(table: Projection) -> OpenProposal | None:
    """The open proposal of a game."""
    return table.proposal and OpenProposal(*table.proposal, table.asked_seats)


def proposal_text(table: Projection) -> str | None:
    """The open proposal of a game, as it stands in its row."""
    proposal = open_proposal(table)
    return proposal and encode_canonical(proposal._asdict())


def read_proposal(text: str | None) -> OpenProposal | None:
    """The open proposal that a game's row holds."""
    return None if text is None else OpenProposal(**orjson.loads(text))


def asked_mask(text: str | None) -> int:
    """The seats that it asks, as a bit mask."""
    proposal = read_proposal(text)
    return 0 if proposal is None else proposal.asked
