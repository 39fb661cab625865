"""The representation of a response: gzip or Brotli where it pays, an ETag for each encoding, and
304 if the client's copy is current.

Only endpoints whose responses hold no secret beside text of others are compressed, because the
length of such a response would tell about the secret.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from typing import Final

import brotli  # type: ignore[import-untyped]
from django.conf import settings
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from whitenoise.middleware import WhiteNoiseFileResponse  # type: ignore[import-untyped]

from api.streams.request_handoff import CONTINUATION_KEY

MIN_LENGTH: Final = 1024  # bytes; shorter contents are not compressed
LEVEL: Final = 1  # of gzip: five times as fast as 6, and a tenth larger
GZIP_WINDOW_BITS: Final = 31  # of zlib: with the header and the trailer of gzip
DOCUMENT_LEVEL: Final = 9  # of documents, which are compressed once
LONG: Final = 200_000  # bytes
CACHED_DOCUMENTS: Final = 64
KEPT_HEADERS: Final = (  # of a 304 (RFC 9110, 15.4.5), and those that a client needs with any reply
    *("cache-control", "content-location", "date", "etag", "expires", "vary"),
    *("preference-applied", "ratelimit", "ratelimit-policy", "content-security-policy"),
)
EXEMPTION: Final = "xframe_options_exempt"  # attribute of a response that sites may frame
CONDITION: Final = "HTTP_IF_NONE_MATCH"  # of the request
ENTITY_TAG_PATTERN: Final = re.compile(r'(?:W/)?("[^"]*")')
ACCEPTED_PATTERN: Final = re.compile(r"(?:^|,)\s*([\w*-]+)\s*(?:;\s*q=([0-9.]+)\s*)?(?=,|$)")
ALIASES: Final = {"gzip": ("gzip", "x-gzip", "*")}  # the first one in the header decides


def representation_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Encode successful responses to GET and HEAD, and answer 304 where nothing is new."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if isinstance(response, HttpResponse) and _is_representation(request, response):
            return represent(request, response)
        return response

    return respond


def static_files_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Encode the static files of pages as other representations. WhiteNoise is asked for the whole
    file: also for a HEAD, of which the server drops the content."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(settings.STATIC_URL):
            return get_response(request)
        condition = request.META.pop(CONDITION, "")
        request.method = "GET" if request.method == "HEAD" else request.method
        response = get_response(request)
        if not isinstance(response, WhiteNoiseFileResponse) or response.status_code != 200:
            return response
        request.META[CONDITION] = condition
        with response.file_to_stream as file:
            whole = HttpResponse(file.read(), headers=dict(response.items()))
        vars(whole)["may_be_compressed"] = whole["Content-Type"].startswith("text/")
        return represent(request, whole)

    return respond


def _is_representation(request: HttpRequest, response: HttpResponse) -> bool:
    """Whether the response shows a resource. One that the event loop continues does not yet."""
    return (
        request.method in ("GET", "HEAD")
        and response.status_code == 200
        and "no-store" not in response.get("Cache-Control", "no-store")
        and CONTINUATION_KEY not in getattr(request, "scope", {})
    )


def represent(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The response in the encoding that the client accepts, or a 304."""
    patch_vary_headers(response, ("Accept-Encoding",))
    compressors = compressors_of(response)
    encoding = accepted_encoding(request, compressors)
    response["ETag"] = encoded_tag(response.get("ETag") or content_tag(response.content), encoding)
    if has_current_copy(request, response["ETag"]):
        return not_modified(response)
    if encoding is not None:
        response.content = compressors[encoding](response.content)
        response["Content-Encoding"] = encoding
        response["Content-Length"] = str(len(response.content))
    return response


def represent_stream(
    request: HttpRequest,
    pieces: Iterable[bytes],
    tag: str,
    media_type: str,
    *,
    may_be_compressed: bool = True,
) -> HttpResponseBase:
    """A stream of pieces with this tag, in the encoding that the client accepts, or a 304."""
    encoding = accepted_encoding(request, ("gzip",)) if may_be_compressed else None
    sent_tag = encoded_tag(tag, encoding)
    response: HttpResponseBase
    if has_current_copy(request, sent_tag):
        response = HttpResponse(status=304)
        del response["Content-Type"]
        patch_vary_headers(response, ("Accept-Encoding",))
    elif may_be_compressed:
        response = encoded_stream(request, pieces, media_type)
    else:
        response = StreamingHttpResponse(pieces, content_type=media_type)
    response["ETag"] = sent_tag
    return response


def encoded_stream(
    request: HttpRequest, pieces: Iterable[bytes], media_type: str
) -> StreamingHttpResponse:
    """A stream of pieces in the encoding that the client accepts."""
    encoding = accepted_encoding(request, ("gzip",))
    pieces = _compress_pieces(pieces) if encoding else pieces
    response = StreamingHttpResponse(pieces, content_type=media_type)
    if encoding:
        response["Content-Encoding"] = encoding
    patch_vary_headers(response, ("Accept-Encoding",))
    return response


def _compress_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces in gzip."""
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_WINDOW_BITS)
    for piece in pieces:
        yield compressor.compress(piece)
    yield compressor.flush()


def compressors_of(response: HttpResponse) -> Mapping[str, Callable[[bytes], bytes]]:
    """The encodings of a response, the shortest first: none if it may not be compressed."""
    if not getattr(response, "may_be_compressed", False) or len(response.content) < MIN_LENGTH:
        return {}
    is_document = "max-age" in response["Cache-Control"] and not getattr(
        response, "is_quick", False
    )
    return DOCUMENT_COMPRESSORS if is_document else CONTENT_COMPRESSORS


def _gzip_content(content: bytes) -> bytes:
    """The content in gzip, quickly."""
    return gzip.compress(content, LEVEL, mtime=0)


@lru_cache(maxsize=CACHED_DOCUMENTS)
def _gzip_document(content: bytes) -> bytes:
    """The content in gzip, as short as possible."""
    return gzip.compress(content, DOCUMENT_LEVEL, mtime=0)


@lru_cache(maxsize=CACHED_DOCUMENTS)
def brotli_document(content: bytes) -> bytes:
    """The content in Brotli: as short as possible, unless that takes seconds."""
    return bytes(brotli.compress(content, quality=11 if len(content) <= LONG else 9))


CONTENT_COMPRESSORS: Final = {"gzip": _gzip_content}
DOCUMENT_COMPRESSORS: Final = {"br": brotli_document, "gzip": _gzip_document}  # each computed once


def accepted_encoding(request: HttpRequest, offered: Iterable[str]) -> str | None:
    """The first of these encodings that the client likes best; None if it accepts none of them."""
    accepted = dict(ACCEPTED_PATTERN.findall(request.headers.get("Accept-Encoding", "").lower()))
    qualities = {encoding: _quality(encoding, accepted) for encoding in offered}
    best = max(qualities, key=qualities.__getitem__, default=None)
    return best if best is not None and qualities[best] > 0 else None


def _quality(encoding: str, accepted: Mapping[str, str]) -> float:
    """How much the client likes an encoding: from 0, not at all, to 1."""
    names = ALIASES.get(encoding, (encoding, "*"))
    quality = next((accepted[name] for name in names if name in accepted), "0")
    try:
        return float(quality or 1)
    except ValueError:  # such as 0.5.1
        return 0.0


def encoded_tag(tag: str, encoding: str | None) -> str:
    """The ETag of the same content in an encoding."""
    return f'{tag[:-1]}-{encoding}"' if encoding else tag


def content_tag(content: bytes) -> str:
    """A strong ETag: it changes with the content."""
    return f'"{blake2b(content, digest_size=15).hexdigest()}"'


def has_current_copy(request: HttpRequest, tag: str) -> bool:
    """Whether `If-None-Match` names this ETag; weak ones count, as RFC 9110 has it (13.1.2)."""
    header = request.META.get(CONDITION, "")
    return header.strip() == "*" or tag in ENTITY_TAG_PATTERN.findall(header)


def not_modified(response: HttpResponse) -> HttpResponse:
    """The 304 in place of a response. Browsers replace the headers of their copy by those of the
    304, so that it may be no stricter."""
    headers = {name: value for name, value in response.items() if name.lower() in KEPT_HEADERS}
    short = HttpResponse(status=304, headers=headers)
    if hasattr(response, EXEMPTION):
        vars(short)[EXEMPTION] = True
    return short
