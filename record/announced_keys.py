"""The keys of the record: those that sign it, and their announcement in the tree.

A `key/1` leaf states when a key begins, and another one when it is retired. A configured key
begins, and one that is no longer configured is retired, as long as a key that was announced before
still signs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.conf import settings
from django.utils import timezone

from record.growth import NewLeaf, append_to_tree
from record.models import AnnouncedKey, Tree
from record.witness_identity import keys_of_witness
from tabularium_log.fairness.signed_hash_chain import public_key
from tabularium_log.projection.projection import format_time
from tabularium_log.record.errors import RecordError
from tabularium_log.record.game_leaves import leaf_text
from tabularium_log.record.note import Signer, VerifierKey

KEY_LEAF: Final = "key/1"
RECEIPTS_PATH: Final = "/receipts"  # after the origin, in the name of the receipts' keys


class LostKeysError(RecordError):
    """None of the keys that the tree has announced is here."""


def signers_of(origin: str) -> list[Signer]:
    """The keys that sign the record of this name."""
    if not settings.RECORD_KEYS.has_key:
        raise LostKeysError("The key of the record is missing: its file record_key is not there.")
    return [Signer(origin, key) for key in settings.RECORD_KEYS.load()]


def keys_here(origin: str) -> dict[str, str]:
    """The verifier keys of this server, with the use of each."""
    receipts = [
        VerifierKey(f"{origin}{RECEIPTS_PATH}", bytes.fromhex(public_key(key)))
        for key in settings.SIGNING_KEYS
    ]
    return {
        **{signer.key.text: AnnouncedKey.Use.RECORD for signer in signers_of(origin)},
        **{key.text: AnnouncedKey.Use.RECEIPTS for key in receipts},
        **{key.text: AnnouncedKey.Use.WITNESS for key in keys_of_witness()},
    }


def has_unannounced_keys(origin: str) -> bool:
    """Whether the tree has yet to state a key's beginning or end."""
    keys = keys_here(origin)
    return announced_keys(origin) != {
        vkey for vkey in keys if keys[vkey] == AnnouncedKey.Use.RECORD
    } or (AnnouncedKey.objects.filter(vkey__in=keys).count() < len(keys))


def announce_keys(tree: Tree) -> None:
    """Add the leaves of keys that begin, and of keys of the record that are retired, to the locked
    tree."""
    keys = keys_here(tree.origin)
    announced = announced_keys(tree.origin)
    if announced and announced.isdisjoint(keys):
        raise LostKeysError(
            f"The record is signed by {', '.join(sorted(announced))}, and this key is not here."
        )
    known = AnnouncedKey.objects.filter(vkey__in=keys).values_list("vkey", flat=True)
    begun = {vkey: use for vkey, use in keys.items() if vkey not in set(known)}
    _add(tree, begun)
    for vkey in sorted(announced - set(keys)):
        _retire(tree, vkey)


def announced_keys(origin: str) -> set[str]:
    """The verifier keys that sign the record of this name, as the tree states them."""
    rows = AnnouncedKey.objects.filter(
        use=AnnouncedKey.Use.RECORD, vkey__startswith=f"{origin}+", retired__isnull=True
    )
    return set(rows.values_list("vkey", flat=True))


def _add(tree: Tree, keys: Mapping[str, str]) -> None:
    first = tree.size
    append_to_tree(
        tree,
        [
            NewLeaf(leaf_text(KEY_LEAF, {"use": str(use), "vkey": vkey}))
            for vkey, use in keys.items()
        ],
    )
    AnnouncedKey.objects.bulk_create(
        AnnouncedKey(vkey=vkey, use=use, leaf=number)
        for number, (vkey, use) in enumerate(keys.items(), first)
    )


def _retire(tree: Tree, vkey: str) -> None:
    members: dict[str, str | int] = {
        "retired": format_time(timezone.now()),
        "use": "record",
        "vkey": vkey,
    }
    AnnouncedKey.objects.filter(vkey=vkey).update(retired=tree.size)
    append_to_tree(tree, [NewLeaf(leaf_text(KEY_LEAF, members))])
