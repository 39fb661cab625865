"""Keyrings: the keys of this server by kind, and the rows of the database that need each key."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from django.conf import settings

from config.keys import sealed_columns
from config.keys.sealed_columns import FINGERPRINT_DIGITS_SHOWN
from games.log_reader import first_actions
from games.models import Game, ServerKey
from tabularium_log.fairness.encryption import fingerprint
from tabularium_log.fairness.signed_hash_chain import public_key


class Keyring(ABC):
    """This server's keys of one kind, the one in use first."""

    kind: ServerKey.Kind
    variable: str

    def __init__(self, keys: Sequence[bytes]) -> None:
        self.keys = list(keys)

    @cached_property
    def fingerprints(self) -> list[str]:
        """The fingerprints of the keys."""
        return [self.fingerprint(key) for key in self.keys]

    @abstractmethod
    def fingerprint(self, key: bytes) -> str:
        """The public form of a key, which the database may store."""

    @abstractmethod
    def mismatch_reason(self) -> str:
        """The evidence in a database without fingerprints against these keys, if any."""

    @abstractmethod
    def count_uses_by_key(self) -> dict[str, Counter[str]]:
        """By kind of row: the number of rows per key, by the beginning of its fingerprint."""

    def describe_uses_of(self, missing_key: str) -> str:
        """The rows that need a key missing here, in words."""
        needs = {
            name: counts[missing_key[:FINGERPRINT_DIGITS_SHOWN]]
            for name, counts in self.count_uses_by_key().items()
        }
        return count_phrase(needs)

    def describe_lost_uses(self) -> str:
        """The rows that need a key that this keyring lacks, in words."""
        needs = {name: Counter(counts) for name, counts in self.count_uses_by_key().items()}
        for counts in needs.values():
            for own_key in self.fingerprints:
                counts.pop(own_key[:FINGERPRINT_DIGITS_SHOWN], None)
        return count_phrase({name: counts.total() for name, counts in needs.items()})


class SealingKeyring(Keyring):
    """The keys that encrypt secrets."""

    kind = ServerKey.Kind.SEALING
    variable = "TABULARIUM_SEALING_KEYS"

    def fingerprint(self, key: bytes) -> str:
        return fingerprint(key)

    def mismatch_reason(self) -> str:
        failures, total = sealed_columns.count_unopenable_games(self.keys)
        return f"{failures} of {total} tested running games cannot be decrypted" if failures else ""

    def count_uses_by_key(self) -> dict[str, Counter[str]]:
        return sealed_columns.count_uses_by_key(self.keys)

    def describe_uses_of(self, missing_key: str) -> str:
        """Rows encrypted before keys were named, which no key here opens, may need any missing key:
        they count, too."""
        counts_by_kind = self.count_uses_by_key()
        needs = {
            name: counts[missing_key[:FINGERPRINT_DIGITS_SHOWN]]
            + counts[sealed_columns.UNKNOWN_KEY]
            for name, counts in counts_by_kind.items()
        }
        return count_phrase(needs)


class SigningKeyring(Keyring):
    """The keys that sign receipts and the heads of logs."""

    kind = ServerKey.Kind.SIGNING
    variable = "TABULARIUM_SIGNING_KEYS"

    def fingerprint(self, key: bytes) -> str:
        return public_key(key)

    def mismatch_reason(self) -> str:
        game = sealed_columns.running_games().order_by("-pk").values_list("pk", flat=True).first()
        key = "" if game is None else _signing_key_of(game)
        return (
            f"{game} was created with another key" if key and key not in self.fingerprints else ""
        )

    def count_uses_by_key(self) -> dict[str, Counter[str]]:
        actions = first_actions(sealed_columns.running_games())
        keys = (str(action["key"]) for action in actions)
        return {"running game": Counter(key[:FINGERPRINT_DIGITS_SHOWN] for key in keys)}


def _signing_key_of(game: str) -> str:
    """The key named in entry 1 of a game."""
    (action,) = first_actions(Game.objects.filter(pk=game))
    return str(action["key"])


def server_keyrings() -> tuple[Keyring, Keyring]:
    """All keys of this server."""
    return SealingKeyring(settings.SEALING_KEYS), SigningKeyring(settings.SIGNING_KEYS)


def count_phrase(needs: dict[str, int]) -> str:
    """The counts in words; empty if all are zero."""
    phrases = [f"{count} {name}{'s' * (count > 1)}" for name, count in needs.items() if count]
    return " and ".join(filter(None, [", ".join(phrases[:-1]), *phrases[-1:]]))
