"""Chain-valid exports that cost a server as much as any that it accepts."""

from __future__ import annotations

from typing import Any

from games.audit.size_budget import EXPORT_BUDGET
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.fairness.signed_hash_chain import entry_hash
from tests.games.audit.making import new_plan, open_plan


def bomb() -> bytes:
    """A chain-valid export of a running game with nearly as many bytes and values as a server
    reads."""
    builder = open_plan(new_plan(ENGINES["law_of_the_dice"], 2, 1))
    lines = builder.lines()[:2]
    prev = entry_hash(lines[1][:-1].decode())
    entry = {"at": "2026-01-02T03:04:06.678Z", "game": builder.plan.game, "sealed": {}, "seat": 0}
    action = {"type": "law_of_the_dice.x", "x": [list[int]()] * 7_000, "y": "é" * 100_000}
    while sum(map(len, lines)) < EXPORT_BUDGET.total_bytes - 2 * EXPORT_BUDGET.line_bytes:
        text = encode_canonical(entry | {"action": action, "prev": prev, "seq": len(lines)})
        prev = entry_hash(text)
        lines.append(text.encode() + b"\n")
    trailer = {"count": len(lines) - 1, "head": prev, "receipts": []}
    parts: list[Any] = [{"reveal": {"fields": {}, "salts": {}}}, {"trailer": trailer}]
    return b"".join(lines + [encode_canonical(part).encode() + b"\n" for part in parts])
