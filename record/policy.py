"""Policies as in C2SP tlog-policy: logs, witnesses, and the quorum of those that have to cosign."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tabularium_log.record.errors import MalformedError
from tabularium_log.record.note import COSIGNATURE, ED25519, VerifierKey, parse_verifier_key
from tabularium_log.record.strict_text import TEXT_BYTES_LIMIT

NO_WITNESS: Final = "none"
LINES_LIMIT: Final = 1000
WITNESSES_LIMIT: Final = 64  # the specification asks for at least 32; a note has 100 signatures
BLANK: Final = re.compile("[ \t]+")
CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
COUNT: Final = re.compile(r"[1-9][0-9]{0,3}")


@dataclass(frozen=True)
class Party:
    """A log or a witness, and the URL at which it is reached, if it has one."""

    key: VerifierKey
    url: str = ""


@dataclass(frozen=True)
class Group:
    """Members, of which at least so many have to cosign."""

    threshold: int
    members: tuple[str, ...]


@dataclass
class Policy:
    """The lines of a policy."""

    logs: list[Party] = field(default_factory=list)
    witnesses: dict[str, Party] = field(default_factory=dict)
    groups: dict[str, Group] = field(default_factory=dict)
    quorum: str = ""

    def is_met(self, keys: Collection[VerifierKey]) -> bool:
        """Whether a checkpoint that these keys have cosigned has its quorum."""
        signed = {name for name, party in self.witnesses.items() if party.key in keys}
        signed.add(NO_WITNESS)
        for name, group in self.groups.items():  # each after its members
            if sum(member in signed for member in group.members) >= group.threshold:
                signed.add(name)
        return self.quorum in signed

    def keys_of_log(self, origin: str) -> list[VerifierKey]:
        """The keys of a log."""
        return [log.key for log in self.logs if log.key.name == origin]


class _Reader:
    """The lines of a policy, one after the other."""

    def __init__(self) -> None:
        self.policy = Policy()

    def read(self, words: list[str]) -> None:
        """Add a line."""
        kind, *values = words
        readers = {
            "log": self._log,
            "witness": self._witness,
            "group": self._group,
            "quorum": self._quorum,
        }
        if kind not in readers:
            raise MalformedError(f"{kind[:100]!r} begins no line of a policy.")
        readers[kind](values)

    def _log(self, values: list[str]) -> None:
        party = _party(values, ED25519)
        _check_new(party, self.policy.logs)
        self.policy.logs.append(party)

    def _witness(self, values: list[str]) -> None:
        name = self._new_name(values)
        party = _party(values[1:], COSIGNATURE)
        _check_new(party, self.policy.witnesses.values())
        self.policy.witnesses[name] = party
        if len(self.policy.witnesses) > WITNESSES_LIMIT:
            raise MalformedError(f"The policy has more than {WITNESSES_LIMIT} witnesses.")

    def _group(self, values: list[str]) -> None:
        name = self._new_name(values)
        if len(values) < 3:
            raise MalformedError("A group has a name, a number of members, and members.")
        count, *members = values[1:]
        unknown = [member for member in members if not self._is_known(member)]
        if unknown or len(set(members)) < len(members):
            raise MalformedError(f"The members of {name!r} are not known, or not different.")
        counts = {"any": 1, "all": len(members)}
        threshold = int(count) if COUNT.fullmatch(count) else counts.get(count, 0)
        if not 1 <= threshold <= len(members):
            raise MalformedError(f"{count[:100]!r} is no number of members of {name!r}.")
        self.policy.groups[name] = Group(threshold, tuple(members))

    def _quorum(self, values: list[str]) -> None:
        if self.policy.quorum or len(values) != 1:
            raise MalformedError("A policy has one quorum.")
        (name,) = values
        if name != NO_WITNESS and not self._is_known(name):
            raise MalformedError(f"The quorum {name[:100]!r} is not known.")
        self.policy.quorum = name

    def _is_known(self, name: str) -> bool:
        return name in self.policy.witnesses or name in self.policy.groups

    def _new_name(self, values: list[str]) -> str:
        if not values or values[0] == NO_WITNESS or self._is_known(values[0]):
            raise MalformedError("A witness or group has a name of its own, other than none.")
        return values[0]


def _party(values: list[str], type_: int) -> Party:
    if not 1 <= len(values) <= 2:
        raise MalformedError("A log or witness has a verifier key and may have a URL.")
    key = parse_verifier_key(values[0])
    if key.type != type_:
        raise MalformedError(f"The key {key.name} has type 0x{key.type:02x}, not 0x{type_:02x}.")
    return Party(key, *values[1:])


def _check_new(party: Party, others: Iterable[Party]) -> None:
    if any(other.key.public_key == party.key.public_key for other in others):
        raise MalformedError(f"The key {party.key.name} is there twice.")


def parse_policy(raw: bytes) -> Policy:
    """Read a policy."""
    if len(raw) > TEXT_BYTES_LIMIT:
        raise MalformedError(f"The policy has more than {TEXT_BYTES_LIMIT} bytes.")
    text = raw.decode(errors="surrogateescape")  # bytes beyond ASCII have no meaning here
    if CONTROL.search(text):
        raise MalformedError("The policy has a control character.")
    lines = text.removesuffix("\n").split("\n")
    if len(lines) > LINES_LIMIT:
        raise MalformedError(f"The policy has more than {LINES_LIMIT} lines.")
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        stripped = line.strip(" \t")
        if not stripped or stripped.startswith("#"):
            continue
        try:
            reader.read(BLANK.split(stripped))
        except MalformedError as problem:
            raise MalformedError(f"Line {number}: {problem}") from problem
    if not reader.policy.quorum:
        raise MalformedError("The policy has no quorum: `quorum none` asks for no witness.")
    return reader.policy


def read_policy(path: Path) -> Policy | None:
    """The policy in a file, if there is one."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return parse_policy(raw)
    except MalformedError as problem:
        raise MalformedError(f"The policy {path} cannot be read: {problem}") from problem
