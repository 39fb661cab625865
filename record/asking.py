"""Asking the witnesses of the operator's policy to cosign the last checkpoint.

Cosignatures are added to a checkpoint as they come: it is served at once, and a witness that is
away stops nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from record.announced_keys import announced_keys
from record.cosignature import parse_lines, time_of, verified_lines
from record.database_tiles import DatabaseTiles
from record.models import AskedWitness, Cosignature, SignedCheckpoint
from record.policy import Party, Policy, read_policy
from record.tree import consistency_proof
from record.witness_client import Reply, post_all
from record.witness_request import AddCheckpoint
from tabularium_log.record.errors import MalformedError, RecordError, UnverifiedError
from tabularium_log.record.note import Note, Signature, VerifierKey, parse_note, parse_verifier_key
from tabularium_log.record.strict_text import decode_number

ASK_SECONDS: Final = 5.0
FRESH_FOR: Final = timedelta(hours=1)  # then the same tree is cosigned again
CLOCKS_DIFFER_BY: Final = timedelta(minutes=5)
CONFLICT: Final = 409
DETAIL_LENGTH: Final = 300


class WitnessAheadError(RecordError):
    """The witness has cosigned more leaves than there are."""


class RefusedError(RecordError):
    """The witness has refused the checkpoint."""


@dataclass(frozen=True)
class Question:
    """A witness, the checkpoint that it is asked to cosign, and the size that it has seen."""

    party: Party
    checkpoint: SignedCheckpoint
    old_size: int

    @property
    def body(self) -> bytes:
        """The request."""
        size = self.checkpoint.size
        is_grown = 0 < self.old_size < size
        proof = consistency_proof(DatabaseTiles(), self.old_size, size) if is_grown else ()
        return AddCheckpoint(self.old_size, tuple(proof), self.note).encode()

    @property
    def note(self) -> Note:
        """The checkpoint as the log has signed it."""
        return parse_note(self.checkpoint.note.encode())


def configured_policy() -> Policy | None:
    """The policy of the operator, if there is one."""
    return read_policy(settings.RECORD_POLICY)


def due_witnesses(policy: Policy, checkpoint: SignedCheckpoint, now: datetime) -> list[Party]:
    """The witnesses without a fresh cosignature of a checkpoint."""
    fresh = set(
        Cosignature.objects.filter(checkpoint=checkpoint, at__gt=now - FRESH_FOR).values_list(
            "vkey", flat=True
        )
    )
    parties = policy.witnesses.values()
    return [party for party in parties if party.url and party.key.text not in fresh]


def ask(
    parties: Sequence[Party], checkpoint: SignedCheckpoint, now: datetime
) -> dict[Party, RecordError | None]:
    """Ask these witnesses, and keep their cosignatures; the failure of each, if it failed. One that
    names another size is asked once again."""
    sizes = dict(AskedWitness.objects.values_list("vkey", "size"))
    questions = [
        Question(party, checkpoint, min(sizes.get(party.key.text, 0), checkpoint.size))
        for party in parties
    ]
    outcomes = _ask_once(questions)
    again = [each for each in map(_corrected, questions, outcomes) if each]
    by_party = dict(zip(parties, outcomes, strict=True))
    by_party |= dict(zip((each.party for each in again), _ask_once(again), strict=True))
    return {party: _keep(party, checkpoint, by_party[party], now) for party in parties}


def _ask_once(questions: Sequence[Question]) -> list[Reply | RecordError]:
    return post_all([(each.party.url, each.body) for each in questions], ASK_SECONDS)


def _corrected(question: Question, outcome: Reply | RecordError) -> Question | None:
    """The question with the size that the witness has named, if it has named one that fits."""
    try:
        size = size_in(outcome)
    except MalformedError:
        return None
    if size is None or size > question.checkpoint.size:
        return None
    return Question(question.party, question.checkpoint, size)


def size_in(outcome: Reply | RecordError) -> int | None:
    """The size that a witness has named in the place of the one that it was asked with."""
    if isinstance(outcome, RecordError) or outcome.status != CONFLICT:
        return None
    return decode_number(outcome.body.decode(errors="replace").removesuffix("\n"), "The size")


def _keep(
    party: Party, checkpoint: SignedCheckpoint, outcome: Reply | RecordError, now: datetime
) -> RecordError | None:
    """Keep the cosignature in a reply, or the reason of the failure."""
    try:
        line = cosignature_in(party.key, checkpoint, outcome, now)
    except RecordError as problem:
        AskedWitness.objects.update_or_create(
            vkey=party.key.text, defaults={"problem": str(problem)[:DETAIL_LENGTH], "at": now}
        )
        return problem
    with transaction.atomic():
        Cosignature.objects.create(
            checkpoint=checkpoint, vkey=party.key.text, line=line.line, at=now
        )
        answered = {"problem": "", "at": now, "cosigned": now, "size": checkpoint.size}
        AskedWitness.objects.update_or_create(vkey=party.key.text, defaults=answered)
    return None


def cosignature_in(
    key: VerifierKey, checkpoint: SignedCheckpoint, outcome: Reply | RecordError, now: datetime
) -> Signature:
    """The cosignature in a reply, verified; an error if there is none."""
    if isinstance(outcome, RecordError):
        raise outcome
    size = size_in(outcome)
    if size is not None and size > checkpoint.size:
        raise WitnessAheadError(
            f"It has cosigned {size} leaves, and the checkpoint here has {checkpoint.size}: the "
            "database went back, or a second history was signed."
        )
    if outcome.status != 200:
        detail = outcome.body[:DETAIL_LENGTH].decode(errors="replace")
        raise RefusedError(f"It answers {outcome.status}: {detail}")
    text = parse_note(checkpoint.note.encode()).text
    line = verified_lines(text, parse_lines(outcome.body), [key])[0]
    if not is_of_now(time_of(line), now):
        raise UnverifiedError(f"The time {time_of(line)} of its cosignature is not now.")
    return line


def is_of_now(time: int, now: datetime) -> bool:
    """Whether this is the time, as far as two clocks agree."""
    return abs(time - now.timestamp()) <= CLOCKS_DIFFER_BY.total_seconds()


# -- serving --------------------------------------------------------------------------------------


def cosignatures_of(checkpoint: SignedCheckpoint) -> Mapping[str, str]:
    """The newest line of each witness that has cosigned, by its key."""
    rows = Cosignature.objects.filter(checkpoint=checkpoint).order_by("pk")
    return dict(rows.values_list("vkey", "line"))


def served_note(checkpoint: SignedCheckpoint) -> str:
    """The checkpoint with all its cosignatures, as it is served."""
    return checkpoint.note + "".join(cosignatures_of(checkpoint).values())


def served_policy(origin: str) -> str:
    """The policy as it is served: the keys of the record, and the lines of the operator."""
    policy = configured_policy()
    listed = {log.key.text for log in policy.logs} if policy else set()
    lines = [f"log {vkey}\n" for vkey in sorted(announced_keys(origin) - listed)]
    own = settings.RECORD_POLICY.read_text(errors="replace") if policy else "quorum none\n"
    return "".join(lines) + own


# -- status ---------------------------------------------------------------------------------------


def witness_lines(checkpoint: SignedCheckpoint | None, now: datetime) -> list[str]:
    """The status of the witnesses for an operator."""
    try:
        policy = configured_policy()
    except RecordError as problem:
        return [f"witnesses: {problem}"]
    if policy is None:
        return []
    asked = {row.vkey: row for row in AskedWitness.objects.all()}
    lines = [
        f"witness {name}: {_describe(asked.get(party.key.text), now)}"
        for name, party in policy.witnesses.items()
    ]
    is_met = "reached" if has_quorum(policy, checkpoint) else "missing"
    return [*lines, f"quorum of the last checkpoint: {is_met}"]


def _describe(row: AskedWitness | None, now: datetime) -> str:
    if row is None:
        return "not asked yet"
    seconds = (now - row.cosigned).total_seconds() if row.cosigned else None
    last = f"{row.size} leaves, {seconds:.0f} s ago" if seconds is not None else "nothing yet"
    return f"{last}; {row.problem}" if row.problem else last


def has_quorum(policy: Policy, checkpoint: SignedCheckpoint | None) -> bool:
    """Whether enough witnesses have cosigned a checkpoint."""
    vkeys = cosignatures_of(checkpoint) if checkpoint else ()
    return checkpoint is not None and policy.is_met([parse_verifier_key(vkey) for vkey in vkeys])


def cosignature_times() -> dict[str, datetime | None]:
    """When each witness of the policy has last cosigned, by its name."""
    try:
        policy = configured_policy()
    except RecordError:  # the sweeper logs it
        policy = None
    times = dict(AskedWitness.objects.values_list("vkey", "cosigned"))
    witnesses = policy.witnesses if policy else {}
    return {name: times.get(party.key.text) for name, party in witnesses.items()}
