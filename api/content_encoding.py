"""The representation of a response: gzip where it pays, an ETag for each encoding, and 304 if the
client's copy is current.

Only endpoints whose responses hold no secret beside text of others are compressed, because the
length of such a response would tell about the secret.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import blake2b
from typing import Final

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
CACHED_DOCUMENTS: Final = 64
GZIP_SUFFIX: Final = "-gzip"  # of the ETag of a compressed response
KEPT_HEADERS: Final = (  # of a 304 (RFC 9110, 15.4.5), and those that a client needs with any reply
    *("cache-control", "content-location", "date", "etag", "expires", "vary"),
    *("preference-applied", "ratelimit", "ratelimit-policy"),
)
CONDITION: Final = "HTTP_IF_NONE_MATCH"  # of the request
ENTITY_TAG_PATTERN: Final = re.compile(r'(?:W/)?("[^"]*")')
GZIP_NAMES: Final = ("gzip", "x-gzip", "*")  # the first one in the header decides
GZIP_PATTERN: Final = re.compile(r"(?:^|,)\s*(gzip|x-gzip|\*)\s*(?:;\s*q=([0-9.]+)\s*)?(?=,|$)")


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
    compress = compressor_of(response)
    is_compressed = compress is not None and accepts_gzip(request)
    tag = response.get("ETag") or content_tag(response.content)
    response["ETag"] = gzip_tag(tag) if is_compressed else tag
    if has_current_copy(request, response["ETag"]):
        return not_modified(response)
    if compress is not None and is_compressed:
        response.content = compress(response.content)
        response["Content-Encoding"] = "gzip"
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
    sent_tag = gzip_tag(tag) if may_be_compressed and accepts_gzip(request) else tag
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
    is_compressed = accepts_gzip(request)
    pieces = _compress_pieces(pieces) if is_compressed else pieces
    response = StreamingHttpResponse(pieces, content_type=media_type)
    if is_compressed:
        response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ("Accept-Encoding",))
    return response


def _compress_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces in gzip."""
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_WINDOW_BITS)
    for piece in pieces:
        yield compressor.compress(piece)
    yield compressor.flush()


def compressor_of(response: HttpResponse) -> Callable[[bytes], bytes] | None:
    """The compression of a response that may be compressed."""
    if not getattr(response, "may_be_compressed", False) or len(response.content) < MIN_LENGTH:
        return None
    return compress_document if "max-age" in response["Cache-Control"] else compress_content


def compress_content(content: bytes) -> bytes:
    """The content in gzip, quickly."""
    return gzip.compress(content, LEVEL, mtime=0)


@lru_cache(maxsize=CACHED_DOCUMENTS)
def compress_document(content: bytes) -> bytes:
    """The content in gzip, as short as possible; computed once."""
    return gzip.compress(content, DOCUMENT_LEVEL, mtime=0)


def accepts_gzip(request: HttpRequest) -> bool:
    """Whether the client accepts gzip: by name, or else by `*`."""
    accepted = dict(GZIP_PATTERN.findall(request.headers.get("Accept-Encoding", "").lower()))
    quality: str = next((accepted[name] for name in GZIP_NAMES if name in accepted), "0")
    return quality.strip("0.") != "" or quality == ""


def gzip_tag(tag: str) -> str:
    """The ETag of the same content in gzip."""
    return f'{tag[:-1]}{GZIP_SUFFIX}"'


def content_tag(content: bytes) -> str:
    """A strong ETag: it changes with the content."""
    return f'"{blake2b(content, digest_size=15).hexdigest()}"'


def has_current_copy(request: HttpRequest, tag: str) -> bool:
    """Whether `If-None-Match` names this ETag; weak ones count, as RFC 9110 has it (13.1.2)."""
    header = request.META.get(CONDITION, "")
    return header.strip() == "*" or tag in ENTITY_TAG_PATTERN.findall(header)


def not_modified(response: HttpResponse) -> HttpResponse:
    """The 304 in place of a response."""
    headers = {name: value for name, value in response.items() if name.lower() in KEPT_HEADERS}
    return HttpResponse(status=304, headers=headers)
