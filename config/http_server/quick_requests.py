"""Reading ordinary requests for an action without h11: whole, unchunked, with headers in their most
usual form. All others h11 reads, or refuses."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from django.conf import settings
from django.http.request import split_domain_port, validate_host

METHOD: Final = b"POST "
HEAD_END: Final = b"\r\n\r\n"
MAX_HEAD_BYTES: Final = 4096
MAX_BODY_BYTES: Final = 16 * 1024
REQUEST_LINE_PATTERN: Final = re.compile(
    rb"POST /api/v1/games/([A-Za-z0-9_-]{1,64})/actions HTTP/1\.1"
)
HEADER_PATTERN: Final = re.compile(rb"([A-Za-z0-9-]+): ?([!-~]|[!-~][ -~]*[!-~])")
LENGTH_PATTERN: Final = re.compile(rb"[1-9][0-9]{0,5}")
REQUIRED_HEADERS: Final = frozenset({b"host", b"authorization", b"content-type", b"content-length"})
# those that change nothing of the reply to a POST of this endpoint, but its Request-Id
HARMLESS_HEADERS: Final = REQUIRED_HEADERS | {
    *(b"accept", b"accept-encoding", b"accept-language", b"cache-control", b"connection"),
    *(b"dnt", b"forwarded", b"origin", b"pragma", b"priority", b"referer", b"request-id"),
    *(b"sec-fetch-dest", b"sec-fetch-mode", b"sec-fetch-site", b"traceparent", b"tracestate"),
    *(b"user-agent", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-port"),
    *(b"x-forwarded-proto", b"x-real-ip", b"x-request-id"),
}
# the values that headers must have, if they are there
ORDINARY_VALUES: Final = {
    b"accept": (b"*/*", b"application/json"),
    b"connection": (b"keep-alive", b"Keep-Alive"),
    b"content-type": (b"application/json", b"application/json; charset=utf-8"),
}


class QuickRequest(NamedTuple):
    """An ordinary request for an action."""

    game: str
    headers: dict[bytes, bytes]  # by their names in lower case
    body: bytes
    client: tuple[str, int] | None = None  # its address


def may_become_quick(data: bytes) -> bool:
    """Whether these first bytes of a request may be the beginning of an ordinary one whose rest is
    still to come."""
    head, end, body = data.partition(HEAD_END)
    if not end or len(head) > MAX_HEAD_BYTES:
        return False
    headers = read_head(head)
    return headers is not None and len(body) < int(headers[b"content-length"])


def read_request(data: bytes) -> QuickRequest | None:
    """The request, if this is exactly one of the ordinary form."""
    head, end, body = data.partition(HEAD_END)
    if not end or len(head) > MAX_HEAD_BYTES:
        return None
    headers = read_head(head)
    if headers is None or len(body) != int(headers[b"content-length"]):
        return None
    match = REQUEST_LINE_PATTERN.match(head)
    assert match is not None
    return QuickRequest(match[1].decode(), headers, body)


def read_head(head: bytes) -> dict[bytes, bytes] | None:
    """The headers of an ordinary head; None if it is another one."""
    request_line, *lines = head.split(b"\r\n")
    if not REQUEST_LINE_PATTERN.fullmatch(request_line):
        return None
    headers: dict[bytes, bytes] = {}
    for line in lines:
        match = HEADER_PATTERN.fullmatch(line)
        if match is None:
            return None
        headers[match[1].lower()] = match[2]
    is_ordinary = (
        len(headers) == len(lines)  # none is repeated
        and headers.keys() >= REQUIRED_HEADERS
        and headers.keys() <= HARMLESS_HEADERS
        and all(headers.get(name, values[0]) in values for name, values in ORDINARY_VALUES.items())
        and LENGTH_PATTERN.fullmatch(headers[b"content-length"])
        and int(headers[b"content-length"]) <= MAX_BODY_BYTES
        and is_allowed_host(headers[b"host"].decode())
    )
    return headers if is_ordinary else None


def is_allowed_host(host: str) -> bool:
    """Whether Django would accept this host."""
    return _is_allowed_host(host, tuple(settings.ALLOWED_HOSTS))


@lru_cache(maxsize=256)
def _is_allowed_host(host: str, allowed_hosts: tuple[str, ...]) -> bool:
    domain, _ = split_domain_port(host)
    return bool(domain) and not settings.DEBUG and validate_host(domain, allowed_hosts)
