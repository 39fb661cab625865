"""The export of a stored game: its lines, for a viewer, from the rows of this database."""

from __future__ import annotations

from collections.abc import Iterator

from django.conf import settings

from games import selectors
from games.audit import export_writer
from games.audit.export_writer import ExportEntry, ExportSource
from games.audit.stored_game_verifier import read_game_row, read_log
from games.models import Game, Import
from games.secret_lookup import load_game_secret
from tabularium_engines.installed.registry import RulesetNotInstalled
from tabularium_log.audit.export_format import Record
from tabularium_log.fairness.canonical_json import decode_canonical
from tabularium_log.fairness.encryption import game_cipher
from tabularium_log.fairness.signed_hash_chain import Receipt, find_signing_key


def export_lines(game: str, viewer: str, record: Record | None = None) -> Iterator[str]:
    """The export of a game for a viewer, without line feeds, with its proof from the record if it
    is given; raises UnknownGame, GameUnlockError or GameRefusal."""
    row = read_game_row(game)
    secret = load_game_secret(game, bytes(row.secret))
    is_over = row.phase == Game.Phase.OVER
    pieces = _finished_export_entries(row, secret) if is_over else _running_export_entries(row)
    creation = selectors.game_creation(game)
    log = ExportSource(
        game,
        creation,
        is_over,
        selectors.needs_second_format(game),
        secret,
        pieces,
        imported_receipts(row),
        record,
    )
    key = find_signing_key(settings.SIGNING_KEYS, log.creation.key) or settings.SIGNING_KEYS[0]
    return export_writer.write_export(log, viewer, key)


def imported_receipts(game: Game) -> tuple[Receipt, ...] | None:
    """The receipts that a game came with; None if it was played here."""
    import_row: Import | None = getattr(game, "imported", None)
    if import_row is None:
        return None
    return tuple(Receipt(**receipt) for receipt in decode_canonical(import_row.receipts))


def _finished_export_entries(game: Game, secret: bytes) -> Iterator[ExportEntry]:
    box = game_cipher(secret, game.pk)
    return (export_writer.finished_export_entry(row, box) for row in read_log(game))


def _running_export_entries(game: Game) -> Iterator[ExportEntry]:
    """The readers of a running game's sealed fields are known only to its rules: where these are
    not installed, nothing is revealed."""
    try:
        for row, table in zip(read_log(game), selectors.game_projections(game.pk), strict=False):
            yield export_writer.export_entry(row, table)
    except RulesetNotInstalled:  # raised before the first entry
        yield from map(export_writer.sealed_export_entry, read_log(game))
