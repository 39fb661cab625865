"""The status of the witness for an operator: its keys, the logs that it witnesses, and the evidence
against them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.db.models import Count

from record.models import Evidence, Witnessed
from record.witness_identity import read_logs, read_witness


def witness_lines() -> Iterator[str]:
    """The status, line by line."""
    witness = read_witness()
    if witness is None:
        yield "witness: none; `manage.py record witness --begin NAME` begins"
        return
    for cosigner in witness.cosigners:
        yield f"key: {cosigner.key.text}"
    rows = {row.origin: row for row in Witnessed.objects.exclude(note="").order_by("origin")}
    known = {log.key.name for log in read_logs().logs}
    for origin in sorted(known | set(rows)):
        row = rows.get(origin)
        state = f"{row.size} leaves, at {row.at:%Y-%m-%d %H:%M:%S} UTC" if row else "nothing yet"
        yield f"log {origin}: {state}{'' if origin in known else ', not witnessed any more'}"
    yield from _evidence_lines()


def evidence_counts() -> list[tuple[str, str, int]]:
    """The number of refused checkpoints, by log and kind."""
    counts = Evidence.objects.values_list("origin", "kind").annotate(Count("pk"))
    return list(counts.order_by("origin", "kind"))


def _evidence_lines() -> Iterator[str]:
    for origin, kind, count in evidence_counts():
        yield f"evidence against {origin}: {kind}, {count}"


def write_evidence(folder: Path) -> int:
    """Write each refused checkpoint, and the one that was cosigned then, into files; their
    number."""
    folder.mkdir(parents=True, exist_ok=True)
    files = 0
    for row in Evidence.objects.order_by("pk"):
        name = f"{row.kind}-{row.log[:16]}-{row.pk}"
        (folder / f"{name}.refused").write_text(row.note, encoding="utf-8")
        (folder / f"{name}.cosigned").write_text(row.against, encoding="utf-8")
        files += 2
    return files
