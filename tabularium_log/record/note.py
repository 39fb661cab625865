"""Signed notes as in C2SP signed-note: texts under signature lines, each by a named key.

A verifier key is written `name+hash+key`: the key's name, its id in hex, and its type byte and
public key in base64. The types are those of ALGORITHMS: a log signs its checkpoints with Ed25519,
and a witness cosigns them as in C2SP tlog-cosignature. Lines of unknown keys are ignored, which is
how other types and new keys arrive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tabularium_log.record.cosigned_message import message_of, parse_cosignature
from tabularium_log.record.errors import MalformedError, UnverifiedError
from tabularium_log.record.strict_text import (
    check_characters,
    decode_base64,
    decode_text,
    encode_base64,
)

ED25519: Final = 0x01  # a type byte
COSIGNATURE: Final = 0x04  # with Ed25519, and with a time
KEY_ID_BYTES: Final = 4
SIGNATURES_LIMIT: Final = 100  # the specification asks for at least 16
LINE_START: Final = "— "


def _verify_ed25519(public_key: bytes, text: bytes, value: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(value, text)
    except (InvalidSignature, ValueError):
        return False
    return True


def _verify_cosignature(public_key: bytes, text: bytes, value: bytes) -> bool:
    try:
        time, signature = parse_cosignature(value)
    except MalformedError:
        return False
    return _verify_ed25519(public_key, message_of(text, time), signature)


@dataclass(frozen=True)
class Algorithm:
    """A type of signatures."""

    key_bytes: int
    verify: Callable[[bytes, bytes, bytes], bool]  # of public key, text and signature


ALGORITHMS: Final = {
    ED25519: Algorithm(32, _verify_ed25519),
    COSIGNATURE: Algorithm(32, _verify_cosignature),
}


# -- keys -----------------------------------------------------------------------------------------


def check_key_name(name: str) -> None:
    """Refuse a name that is empty, or has a blank or a plus."""
    check_characters(name)
    if not name or "+" in name or any(character.isspace() for character in name):
        raise MalformedError(f"The key name {name[:100]!r} is empty, or has a blank or a plus.")


@dataclass(frozen=True)
class VerifierKey:
    """A public key under its name, which verifies signature lines."""

    name: str
    public_key: bytes
    type: int = ED25519

    def __post_init__(self) -> None:
        check_key_name(self.name)
        if (algorithm := ALGORITHMS.get(self.type)) is None:
            raise MalformedError(f"The key {self.name} has the unknown type 0x{self.type:02x}.")
        if len(self.public_key) != algorithm.key_bytes:
            raise MalformedError(
                f"The key {self.name} has {len(self.public_key)} bytes, not {algorithm.key_bytes}."
            )

    @property
    def typed_key(self) -> bytes:
        """The type byte and the public key."""
        return bytes([self.type]) + self.public_key

    @property
    def id(self) -> bytes:
        """The id by which a signature line names the key."""
        return sha256(self.name.encode() + b"\n" + self.typed_key).digest()[:KEY_ID_BYTES]

    @property
    def text(self) -> str:
        """The key as it is published: `name+hash+key`."""
        return f"{self.name}+{self.id.hex()}+{encode_base64(self.typed_key)}"

    def has_signed(self, text: str, value: bytes) -> bool:
        """Whether this is the key's signature of the text."""
        return ALGORITHMS[self.type].verify(self.public_key, text.encode(), value)


def parse_verifier_key(text: str) -> VerifierKey:
    """Read a verifier key as it is published."""
    parts = text.split("+", 2)  # base64 may have a plus, too
    if len(parts) != 3:
        raise MalformedError(f"A verifier key is name+hash+key, and {text[:200]!r} is not.")
    name, id_text, key_text = parts
    raw = decode_base64(key_text, "The public key")
    if not raw:
        raise MalformedError(f"The verifier key {text[:200]!r} is empty.")
    key = VerifierKey(name, raw[1:], raw[0])
    if key.id.hex() != id_text:
        raise MalformedError(
            f"The hash of the key {name} is {key.id.hex()}, not {id_text[:100]!r}."
        )
    return key


class Signer:
    """A private Ed25519 key under its name."""

    def __init__(self, name: str, private_key: bytes) -> None:
        self._private_key = Ed25519PrivateKey.from_private_bytes(private_key)
        self.key = VerifierKey(name, self._private_key.public_key().public_bytes_raw())

    def sign(self, text: str) -> Signature:
        """The signature line of a text, the same each time."""
        return Signature(self.key.name, self.key.id, self._private_key.sign(text.encode()))


# -- notes ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Signature:
    """A signature line."""

    name: str
    key_id: bytes
    value: bytes

    @property
    def line(self) -> str:
        """The line as it stands in a note."""
        return f"{LINE_START}{self.name} {encode_base64(self.key_id + self.value)}\n"


@dataclass(frozen=True)
class Note:
    """A text and its signature lines, which nothing has verified yet."""

    text: str
    signatures: tuple[Signature, ...]

    def encode(self) -> bytes:
        """The note as it is published."""
        return "".join([self.text, "\n", *(each.line for each in self.signatures)]).encode()


def sign_note(text: str, signers: Iterable[Signer]) -> Note:
    """A note under the signatures of these keys."""
    check_characters(text)
    if not text.endswith("\n"):
        raise MalformedError("The text of a note ends with a newline.")
    signatures = tuple(signer.sign(text) for signer in signers)
    if not 0 < len(signatures) <= SIGNATURES_LIMIT:
        raise MalformedError(f"A note has 1 to {SIGNATURES_LIMIT} signatures.")
    return Note(text, signatures)


def parse_note(raw: bytes) -> Note:
    """Read a note; nothing in it is verified."""
    whole = decode_text(raw)
    text, separator, block = whole.rpartition("\n\n")
    if not separator:
        raise MalformedError("The note has no empty line before its signatures.")
    if not block.endswith("\n"):
        raise MalformedError("The note does not end with a signature line and a newline.")
    lines = block.removesuffix("\n").split("\n")
    if len(lines) > SIGNATURES_LIMIT:
        raise MalformedError(f"The note has more than {SIGNATURES_LIMIT} signatures.")
    return Note(f"{text}\n", tuple(map(parse_signature, lines)))


def parse_signature(line: str) -> Signature:
    """Read a signature line, without its newline."""
    name, separator, value_text = line.removeprefix(LINE_START).partition(" ")
    if not line.startswith(LINE_START) or not separator:
        raise MalformedError(f"{line[:200]!r} is not a signature line.")
    check_key_name(name)
    raw = decode_base64(value_text, f"The signature by {name}")
    if len(raw) <= KEY_ID_BYTES:
        raise MalformedError(f"The signature by {name} is too short.")
    return Signature(name, raw[:KEY_ID_BYTES], raw[KEY_ID_BYTES:])


def verify_note(note: Note, keys: Sequence[VerifierKey]) -> list[VerifierKey]:
    """Those of the known keys that have signed a note: at least one. A wrong signature in the name
    of a known key refuses the note; lines of unknown keys are ignored."""
    known_keys = {(key.name, key.id): key for key in keys}
    if len(known_keys) != len(set(keys)):
        raise MalformedError("Two of the known keys have the same name and hash.")
    signed = []
    for signature in note.signatures:
        key = known_keys.get((signature.name, signature.key_id))
        if key is None:
            continue
        if not key.has_signed(note.text, signature.value):
            raise UnverifiedError(f"The signature by {key.name}+{key.id.hex()} is wrong.")
        if key not in signed:
            signed.append(key)
    if not signed:
        raise UnverifiedError("None of the known keys has signed the note.")
    return signed


def open_note(raw: bytes, keys: Sequence[VerifierKey]) -> Note:
    """Read a note that at least one of these keys has signed, and none wrongly."""
    note = parse_note(raw)
    verify_note(note, keys)
    return note
