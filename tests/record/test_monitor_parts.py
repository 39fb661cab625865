"""The parts of docs/monitor.py, which shares no code with the service, agree with the service's."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from record.tiles import bundle_path, read_bundle, tile_path, tiles_of_growth, write_bundle
from tabularium_log.record.checkpoint import Checkpoint, parse_checkpoint
from tabularium_log.record.errors import MalformedError, RecordError
from tabularium_log.record.note import (
    Signer,
    VerifierKey,
    parse_note,
    parse_verifier_key,
    sign_note,
)
from tests.docs.verifier import DOCS, imported_packages
from tests.record.monitoring import MONITOR
from tests.record.plain_tree import PlainTree, leaves_of
from tests.record.recording import KEY, ORIGIN, OTHER_KEY

SIGNERS = [Signer(ORIGIN, KEY), Signer("witness.example/ω", OTHER_KEY)]
NOTE = sign_note(Checkpoint(ORIGIN, 8, bytes(range(32))).text, SIGNERS).encode()
STANDARD = {
    *("argparse", "array", "base64", "collections", "contextlib", "datetime", "fcntl", "hashlib"),
    *("hmac", "http", "io", "json", "os", "pathlib", "random", "re", "shutil", "socket", "ssl"),
    *("sys", "time", "typing", "urllib"),
}


def test_it_stands_alone() -> None:
    assert imported_packages(DOCS / "monitor.py") == {*STANDARD, "__future__"}


# -- signatures ------------------------------------------------------------------------------------


def is_genuine(public: bytes, message: bytes, signature: bytes) -> bool:
    """The verdict of `cryptography`."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


# RFC 8032, section 7.1, TEST 3
RFC_PUBLIC = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025"
RFC_SIGNATURE = (
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
)


def test_the_signature_of_the_specification() -> None:
    public, signature = bytes.fromhex(RFC_PUBLIC), bytes.fromhex(RFC_SIGNATURE)
    assert MONITOR.has_signed(public, b"\xaf\x82", signature)
    assert not MONITOR.has_signed(public, b"\xaf\x83", signature)


def test_signatures() -> None:
    random = Random(1)
    for length in range(40):
        key = Ed25519PrivateKey.from_private_bytes(random.randbytes(32))
        public, message = key.public_key().public_bytes_raw(), random.randbytes(length)
        signature = key.sign(message)
        assert MONITOR.has_signed(public, message, signature)
        for part in (public, message, signature):
            if part:
                at = random.randrange(len(part))
                other = part[:at] + bytes([part[at] ^ 1 << random.randrange(8)]) + part[at + 1 :]
                parts = [other if each is part else each for each in (public, message, signature)]
                assert not MONITOR.has_signed(*parts)


def test_a_signature_has_one_spelling() -> None:
    key = Ed25519PrivateKey.from_private_bytes(KEY)
    public, signature = key.public_key().public_bytes_raw(), key.sign(b"x")
    scalar = int.from_bytes(signature[32:], "little") + MONITOR.ORDER
    other = signature[:32] + scalar.to_bytes(32, "little")
    for each in (other, signature[:63], signature + b"\0", b"", bytes(64)):
        assert not MONITOR.has_signed(public, b"x", each)
        assert not is_genuine(public, b"x", each)


def test_strange_keys() -> None:
    """Points of small order, numbers beyond the field, and numbers that are no point."""
    numbers = [0, 1, 2, MONITOR.P - 1, MONITOR.P + 2, 2**255 - 1]
    for number in numbers:
        for sign in (0, 1 << 255):
            public = (number | sign).to_bytes(32, "little")
            for start in (bytes(32), bytes([1]) + bytes(31), public):
                verdict = MONITOR.has_signed(public, b"x", start + bytes(32))
                assert not verdict or is_genuine(public, b"x", start + bytes(32))


# -- notes -----------------------------------------------------------------------------------------


def mutations(raw: bytes, count: int) -> Iterator[bytes]:
    """The text with a byte that is another one, is there twice, or is gone."""
    random = Random(2)
    spare = b"\x00\n +0AZ=\xff" + "—".encode()
    for _ in range(count):
        at = random.randrange(len(raw))
        kind = random.randrange(4)
        if kind == 0:
            yield raw[:at] + bytes([random.choice(spare)]) + raw[at + 1 :]
        elif kind == 1:
            yield raw[:at] + raw[at : at + 1] + raw[at:]
        elif kind == 2:
            yield raw[:at] + raw[at + 1 :]
        else:
            yield raw[:at] + bytes([random.choice(spare)]) + raw[at:]


def read_by_service(raw: bytes) -> object:
    """The checkpoint and the signatures of a note; None if it is malformed."""
    try:
        note = parse_note(raw)
        stated = parse_checkpoint(note.text)
    except MalformedError:
        return None
    lines = [(line.name, line.key_id, line.value) for line in note.signatures]
    return stated.origin, stated.size, stated.root, note.text, lines


def read_by_monitor(raw: bytes) -> object:
    """The same."""
    try:
        note = MONITOR.note_of(raw)
    except ValueError:
        return None
    return note.origin, note.size, note.root, note.text, note.signatures


def test_notes() -> None:
    assert read_by_monitor(NOTE) == read_by_service(NOTE) is not None
    malformed = 0
    for raw in mutations(NOTE, 5000):
        expected = read_by_service(raw)
        malformed += expected is None
        assert read_by_monitor(raw) == expected, raw
    assert 1000 < malformed < 4900


def test_signers() -> None:
    keys = [MONITOR.key_of(signer.key.text) for signer in SIGNERS]
    note = MONITOR.note_of(NOTE)
    assert MONITOR.signers(note, keys) == keys
    assert MONITOR.signers(note, keys[1:]) == keys[1:]
    assert MONITOR.signers(note, []) == []
    with pytest.raises(MONITOR.Finding, match="is false"):
        MONITOR.signers(note._replace(text=note.text + "x\n"), keys)


def is_key(text: str) -> bool:
    """Whether the service reads a verifier key."""
    try:
        parse_verifier_key(text)
    except RecordError:
        return False
    return True


def test_keys() -> None:
    text = SIGNERS[0].key.text
    key = MONITOR.key_of(text)
    assert (key.text, key.id, key.public) == (text, SIGNERS[0].key.id, SIGNERS[0].key.public_key)
    for raw in mutations(text.encode(), 1000):
        mutated = raw.decode(errors="replace")
        assert MONITOR.fits(mutated, "vkey") == is_key(mutated), mutated


def test_keys_of_types_to_come() -> None:
    """Their lines are not verified, and their announcement is no malformed leaf."""
    later = MONITOR.Key(ORIGIN, 0x06, bytes(100))
    assert MONITOR.key_of(later.text) == later
    assert MONITOR.signers(MONITOR.note_of(NOTE), [later]) == []
    with pytest.raises(MalformedError):
        VerifierKey(ORIGIN, bytes(100), 0x06)


# -- trees -----------------------------------------------------------------------------------------


def test_roots() -> None:
    leaves = leaves_of(700)
    plain = PlainTree(leaves)
    rows = [bytearray()]
    for size, leaf in enumerate(leaves):
        if size % 7 == 0 or size in (1, 255, 256, 257, 511, 512, 513):
            assert MONITOR.root_of(rows, size) == plain.root(0, size)
        MONITOR.append(rows, MONITOR.leaf_hash(leaf))
    for size in range(700):
        assert MONITOR.root_of(rows, size) == plain.root(0, size)
    with pytest.raises(ValueError, match="lack hashes"):
        MONITOR.root_of(rows, 701)


def test_a_tree_of_three_levels() -> None:
    leaves = leaves_of(66_000)
    rows = [bytearray()]
    for start, end in ((0, 65_500), (65_500, 65_537), (65_537, 66_000)):
        MONITOR.append(rows, b"".join(map(MONITOR.leaf_hash, leaves[start:end])))
    assert [len(row) // 32 for row in rows] == [66_000, 257, 1]
    plain = PlainTree(leaves)
    for size in (65_535, 65_536, 65_537, 65_792, 66_000):
        assert MONITOR.root_of(rows, size) == plain.root(0, size)


def test_tiles() -> None:
    random = Random(3)
    for _ in range(200):
        size = random.choice([random.randrange(70_000), random.randrange(1000)])
        old = random.randrange(size + 1)
        expected = [((*place, width)) for place, width in tiles_of_growth(old, size)]
        assert [*MONITOR.grown_tiles(old, size)] == expected
        for level, number, width in expected:
            place = tiles_of_growth(old, size)[0][0]._replace(level=level, number=number)
            assert MONITOR.tile_path(level, number, width) == tile_path(place, width)
            assert MONITOR.tile_path("entries", number, width) == bundle_path(number, width)
    for number in (0, 999, 1000, 123_456_789):
        assert MONITOR.tile_path("entries", number, 256) == bundle_path(number)


def test_bundles() -> None:
    leaves = leaves_of(256)
    raw = write_bundle(leaves)
    assert MONITOR.leaves_of_bundle(raw) == leaves == read_bundle(raw, 256)
    for length in range(0, len(raw), 7):
        cut = raw[:length]
        try:
            found = MONITOR.leaves_of_bundle(cut)
        except ValueError:
            found = None
        try:
            expected = read_bundle(cut, len(found or []) or 1) if cut else []
        except MalformedError:
            expected = None
        assert found == expected
