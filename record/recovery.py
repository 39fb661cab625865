"""Recovery of the record after the database went back to an older dump: from a copy, whose leaves
are put back in their order, or under a new name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import transaction

from record.announced_keys import KEY_LEAF, signers_of
from record.beginning import check_origin, new_token
from record.copies import CHECKPOINT_PATH, Source, read_leaves
from record.database_tiles import DatabaseTiles
from record.growth import NewLeaf, append_to_tree, lock_tree
from record.guard_file import Guard, read_guard, write_guard
from record.integrator import due_games, prepare
from record.models import AnnouncedKey, Leaf, Tree
from record.tree import tree_root
from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.record.checkpoint import Checkpoint, open_checkpoint, parse_checkpoint
from tabularium_log.record.errors import MalformedError, RecordError, UnverifiedError
from tabularium_log.record.game_leaves import BLIND_LEAF, GAME_LEAF, leaf_text
from tabularium_log.record.hashes import leaf_hash
from tabularium_log.record.note import parse_note

LOST_LEAF: Final = "lost/1"
ORIGIN_LEAF: Final = "origin/1"
RESTORED: Final = "a restore of the database"


class Recovered(NamedTuple):
    """How many leaves were put back, and how many of them are of games that are lost."""

    leaves: int
    lost: int


def guard_here() -> Guard:
    """The guard, which a recovery needs."""
    if (guard := read_guard(settings.RECORD_GUARD)) is None:
        raise RecordError(f"There is no guard {settings.RECORD_GUARD}: run this where it is.")
    return guard


def recover(source: Source, *, has_guard: bool = True) -> Recovered:
    """Put back the leaves that were signed and that the database has no more. Without a guard, the
    operator knows that nothing after the copy's checkpoint was signed."""
    raw = source.read(CHECKPOINT_PATH)
    guard = guard_here() if has_guard else guard_of_copy(raw)
    copy = open_own_checkpoint(raw, guard.origin)
    if copy.size < guard.size:
        raise RecordError(
            f"The copy has {copy.size} leaves, and {guard.size} may have been signed: find a later "
            "copy, or continue under a new name with --new-origin."
        )
    with transaction.atomic():
        tree = lock_tree()
        if has_guard and tree.guard not in ("", guard.token):
            raise RecordError("The database names another guard: this one is of another record.")
        start = tree.size
        if start > copy.size:
            raise RecordError(f"The database has {start} leaves, and the copy {copy.size}.")
        texts = [leaf.decode() for leaf in read_leaves(source, start, copy.size)]
        append_to_tree(tree, [NewLeaf(text, public_game(text)) for text in texts])
        check_root(tree, copy, guard)
        announce_again(texts, start)
        lost = lost_leaves(texts, start)
        if lost:
            append_to_tree(tree, [NewLeaf(lost_text(lost))])
        tree.origin, tree.guard = guard.origin, guard.token
        tree.save(update_fields=["origin", "guard"])
    if not has_guard:
        write_guard(settings.RECORD_GUARD, guard)
    return Recovered(len(texts), len(lost))


def open_own_checkpoint(raw: bytes, origin: str) -> Checkpoint:
    """A checkpoint that a key of this server has signed."""
    return open_checkpoint(raw, origin, [signer.key for signer in signers_of(origin)])


def guard_of_copy(raw: bytes) -> Guard:
    """A new guard with the tree of a copy's checkpoint, in the place of one that is lost."""
    if read_guard(settings.RECORD_GUARD) is not None:
        raise RecordError(f"There is a guard: {settings.RECORD_GUARD}. Recover with it.")
    copy = open_own_checkpoint(raw, parse_checkpoint(parse_note(raw).text).origin)
    return Guard(new_token(), copy.origin, copy.size, copy.root.hex())


def check_root(tree: Tree, copy: Checkpoint, guard: Guard) -> None:
    """Refuse leaves that do not lead to the signed root, or to that of the guard."""
    if bytes(tree.root) != copy.root:
        raise UnverifiedError(
            "The leaves of the database and of the copy do not make the tree that was signed."
        )
    if tree_root(DatabaseTiles(), guard.size).hex() != guard.root:
        raise UnverifiedError("The copy is not of the tree that the guard knows.")


def parse_leaf(text: str) -> dict[str, Any]:
    """The members of a leaf."""
    members = json.loads(text)
    if not isinstance(members, dict):
        raise MalformedError(f"{text[:100]!r} is no leaf.")
    return members


def public_game(text: str) -> str | None:
    """The game that a leaf names."""
    members = parse_leaf(text)
    return str(members["game"]) if members["leaf"] == GAME_LEAF else None


def announce_again(texts: Sequence[str], start: int) -> None:
    """Record the keys that these leaves announce or retire."""
    for number, text in enumerate(texts, start):
        members = parse_leaf(text)
        if members["leaf"] != KEY_LEAF:
            continue
        if "retired" in members:
            AnnouncedKey.objects.filter(vkey=members["vkey"]).update(retired=number)
        else:
            AnnouncedKey.objects.create(vkey=members["vkey"], use=members["use"], leaf=number)


def lost_leaves(texts: Sequence[str], start: int) -> list[int]:
    """The numbers of those leaves whose games the database does not have as they were."""
    due, _ = prepare(list(due_games()))
    kept = {hash_ for each in due for hash_ in each.hashes}
    return [
        number
        for number, text in enumerate(texts, start)
        if parse_leaf(text)["leaf"] in (GAME_LEAF, BLIND_LEAF)
        and leaf_hash(text.encode()) not in kept
    ]


def lost_text(lost: Sequence[int]) -> str:
    """The leaf that states which leaves are of lost games."""
    listed = sha256(encode_canonical(list(lost)).encode()).hexdigest()
    return leaf_text(LOST_LEAF, {"because": RESTORED, "count": len(lost), "sha256": listed})


def last_known(tree: Tree) -> Guard:
    """The last tree of a name that the database knows, in the place of a guard that is lost."""
    if not tree.guard:
        raise RecordError("The record is not signed yet: run `manage.py record init ORIGIN`.")
    return Guard(tree.guard, tree.origin, tree.size, bytes(tree.root).hex())


def begin_anew(origin: str) -> None:
    """Continue under a new name. The first leaf after those that are there states the last tree of
    the old name; leaves that are gone are not put back."""
    check_origin(origin)
    with transaction.atomic():
        tree = lock_tree()
        guard = read_guard(settings.RECORD_GUARD) or last_known(tree)
        if origin == guard.origin:
            raise RecordError(f"The record has been signed as {origin!r}: choose another name.")
        members: dict[str, str | int] = {
            "origin": guard.origin,
            "root": guard.root,
            "size": guard.size,
        }
        leaf = NewLeaf(leaf_text(ORIGIN_LEAF, members))
        if not Leaf.objects.filter(hash=leaf_hash(leaf.text.encode())).exists():
            append_to_tree(tree, [leaf])  # otherwise a crash has left the guard behind
        tree.origin, tree.guard = origin, new_token()
        tree.save(update_fields=["origin", "guard"])
        new_guard = Guard(tree.guard, origin, tree.size, bytes(tree.root).hex())
    write_guard(settings.RECORD_GUARD, new_guard)
