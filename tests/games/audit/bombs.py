"""Chain-valid exports that cost a server as much as any that it reads."""

from __future__ import annotations

from typing import Any

from games.audit.budget import BUDGET
from games.fairness import chain
from games.fairness.canonical import canonical
from games.registry import ENGINES
from tests.games.audit.making import opened, planned


def bomb() -> bytes:
    """A chain-valid export that goes on, with nearly as many bytes and as many values as a server
    reads."""
    begun = opened(planned(ENGINES["law_of_the_dice"], 2, 1))
    lines = begun.lines()[:2]
    prev = chain.entry_hash(lines[1][:-1].decode())
    entry = {"at": "2026-01-02T03:04:06.678Z", "game": begun.plan.game, "sealed": {}, "seat": 0}
    action = {"type": "law_of_the_dice.x", "x": [list[int]()] * 7_000, "y": "é" * 100_000}
    while sum(map(len, lines)) < BUDGET.total - 2 * BUDGET.line:
        text = canonical(entry | {"action": action, "prev": prev, "seq": len(lines)})
        prev = chain.entry_hash(text)
        lines.append(text.encode() + b"\n")
    trailer = {"count": len(lines) - 1, "head": prev, "receipts": []}
    parts: list[Any] = [{"reveal": {"fields": {}, "salts": {}}}, {"trailer": trailer}]
    return b"".join(lines + [canonical(part).encode() + b"\n" for part in parts])
