"""Validation of HTTP request heads beyond h11's.

It refuses heads that another HTTP implementation may frame differently: behind a lenient proxy they
would allow request smuggling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import h11

from api.errors import Refusal

FOLDED_LINE_PATTERN: Final = re.compile(rb"\n[ \t]")
HEAD_END_PATTERN: Final = re.compile(rb"\n\r?\n")
CODES_BY_STATUS: Final = {431: "head-too-large", 501: "not-implemented"}  # h11's status hints
ENCODED_SLASH: Final = b"%2f"
MAX_HEAD_BYTES: Final = 16 * 1024  # bytes of a head
MAX_REASON_LENGTH: Final = 200  # characters of h11's message


def check_framing(request: h11.Request) -> None:
    """Refuse a head whose framing is ambiguous, or that asks for another protocol."""
    _check_request_line(request)
    names = {name for name, _ in request.headers}
    if {b"content-length", b"transfer-encoding"} <= names:
        raise _bad_request("A request must not have both Content-Length and Transfer-Encoding.")
    if b"transfer-encoding" in names and request.http_version < b"1.1":
        raise _bad_request("HTTP/1.0 does not support Transfer-Encoding.")
    if request.method == b"CONNECT":
        raise _bad_request("This server is not a proxy.")
    if b"upgrade" in list_tokens(header_values(request, b"connection")) and b"upgrade" in names:
        raise _bad_request("No other protocol is supported: send the request without `Upgrade`.")
    if list_tokens(header_values(request, b"expect")) - {b"100-continue"}:
        raise Refusal("expectation-failed", "The only supported expectation is `100-continue`.")


def _check_request_line(request: h11.Request) -> None:
    """Refuse another version, a method in small letters, which Django would take for the real one,
    and a path in which Django would read another one."""
    if not request.http_version.startswith(b"1."):
        version = request.http_version.decode("ascii")
        raise _bad_request(f"This server speaks HTTP/1.1, and not HTTP/{version}.")
    if request.method != request.method.upper():
        raise _bad_request("Methods are written in capital letters.")
    path, _, _ = request.target.partition(b"?")
    if ENCODED_SLASH in path.lower():
        raise Refusal("not-found", "No address here has an encoded slash.")


def check_raw_head(pending: bytes) -> None:
    """Refuse a head received so far if it is large (h11 bounds only incomplete heads) or has folded
    lines (h11 unfolds them)."""
    end = HEAD_END_PATTERN.search(pending)
    size = end.start() if end else len(pending)
    if size > MAX_HEAD_BYTES:
        raise Refusal(
            "head-too-large", f"The head of a request may have at most {MAX_HEAD_BYTES} bytes."
        )
    if FOLDED_LINE_PATTERN.search(pending, 0, size):
        raise _bad_request("Header lines must not be folded (RFC 9112, section 5.2).")


def protocol_refusal(problem: h11.RemoteProtocolError) -> Refusal:
    """The problem for a request that h11 refuses."""
    code = CODES_BY_STATUS.get(problem.error_status_hint, "bad-request")
    reason = f"{problem}"[:MAX_REASON_LENGTH]
    return Refusal(code, f"The request is not well-formed HTTP/1.1: {reason}.")


def header_values(request: h11.Request, name: bytes) -> Iterable[bytes]:
    """The values of all headers of that name."""
    return (value for key, value in request.headers if key == name)


def list_tokens(values: Iterable[bytes]) -> set[bytes]:
    """The members of comma-separated lists, in lower case."""
    return {token.strip().lower() for value in values for token in value.split(b",")} - {b""}


def _bad_request(detail: str) -> Refusal:
    return Refusal("bad-request", detail)
