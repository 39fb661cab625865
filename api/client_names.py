"""The names of clients in the access log: by default pseudonyms of their addresses, keyed hashes
that `manage.py doctor --client ADDRESS` finds again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from django.conf import settings
from django.utils.crypto import salted_hmac

from api.limits.client_address import client_address_in

SALT: Final = "tabularium.client"
PREFIX: Final = "client_"
DIGITS: Final = 12


def client_name(scope: Mapping[str, Any]) -> str | None:
    """The name of the client that sent a request, by its ASGI scope; None if none is wanted."""
    if settings.LOG_CLIENTS == "none":
        return None
    address = client_address_in(scope)
    return address if settings.LOG_CLIENTS == "addresses" else pseudonym(address)


@lru_cache(maxsize=4096)
def pseudonym(address: str) -> str:
    """The pseudonym of an address, the same for as long as the server keeps its secret key."""
    return PREFIX + salted_hmac(SALT, address, algorithm="sha256").hexdigest()[:DIGITS]
