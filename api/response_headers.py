"""The headers of responses in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.request_trace import REQUEST_ID_PATTERN

HEADER_REF_PREFIX: Final = "#/components/headers/"
REQUEST_ID: Final = "Request-Id"
RATE_LIMIT_HEADERS: Final = ("RateLimit", "RateLimit-Policy")  # unless the address has no limit
COMMON_HEADERS: Final = (REQUEST_ID, "Api-Level", "Cache-Control", "Allow", *RATE_LIMIT_HEADERS)
REFUSAL_HEADERS: Final = (*COMMON_HEADERS, "Retry-After", "WWW-Authenticate")
DEPRECATION_HEADERS: Final = ("Deprecation", "Link", "Sunset")  # of replies to deprecated requests
ALWAYS_SENT: Final = (REQUEST_ID, "Api-Level", "Cache-Control")

_TEXT: Final[Mapping[str, Any]] = {"type": "string"}
_DESCRIPTIONS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "Allow": ("The methods of this resource.", _TEXT),
    "Api-Level": (
        "The level of this API: it rises with every change.",
        {"type": "integer", "minimum": 1},
    ),
    "Cache-Control": ("Whether, and for how long, the response may be kept.", _TEXT),
    "Content-Disposition": ("The name of the file that the response is.", _TEXT),
    "Deprecation": (
        "The time since which a part of the request is deprecated (RFC 9745).",
        {"type": "string", "pattern": "^@[0-9]+$"},
    ),
    "ETag": (
        (
            "The tag of this representation, one for each content encoding: send it in "
            "`If-None-Match` to ask whether your copy is current."
        ),
        {"type": "string", "pattern": '^(W/)?"[^"]*"$'},
    ),
    "Idempotent-Replayed": (
        (
            "`true` if the request with this `Idempotency-Key` was processed before: this is the "
            "stored reply."
        ),
        {"type": "string", "enum": ["true"]},
    ),
    "Link": ("Where deprecated parts are described.", _TEXT),
    "Location": (
        "The address of the new resource.",
        {"type": "string", "format": "uri-reference"},
    ),
    "Preference-Applied": ("The preference that was applied, such as `wait=10`.", _TEXT),
    "RateLimit": (
        (
            'The state of the limit that counts this request: `"read";r=1199;t=1` leaves 1,199 '
            "requests, and has one more in a second."
        ),
        _TEXT,
    ),
    "RateLimit-Policy": (
        'The limit that counts this request: `"read";q=1200;w=60` is 1,200 requests a minute.',
        _TEXT,
    ),
    "Request-Id": (
        "The id of this request, also in the server's log: name it when you report a failure.",
        {"type": "string", "pattern": f"^{REQUEST_ID_PATTERN.pattern}$"},
    ),
    "Retry-After": (
        "The number of seconds to wait before the request is sent again.",
        {"type": "integer", "minimum": 0},
    ),
    "Sunset": ("The time at which a deprecated part of the request ends (RFC 8594).", _TEXT),
    "WWW-Authenticate": ("How to authenticate; with the status 401.", _TEXT),
}


HEADERS: Final = tuple(name for name in sorted(_DESCRIPTIONS) if name not in DEPRECATION_HEADERS)


def header_components(names: Iterable[str] = HEADERS) -> dict[str, Any]:
    """Headers of responses, by name."""
    return {
        name: {
            "description": _DESCRIPTIONS[name][0],
            "schema": dict(_DESCRIPTIONS[name][1]),
            **({"required": True} if name in ALWAYS_SENT else {}),
        }
        for name in names
    }


def header_references(names: Iterable[str]) -> dict[str, Any]:
    """References to the headers of a response."""
    return {name: {"$ref": HEADER_REF_PREFIX + name} for name in sorted({*names})}
