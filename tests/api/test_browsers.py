"""Browsers and caches: pages of other origins may call the API, copies are validated by ETags, and
responses without secrets are compressed."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from typing import Any

import pytest
from django.test import RequestFactory

from api.content_encoding import accepted_encoding, has_current_copy
from api.cross_origin import EXPOSED_HEADERS, PREFLIGHT_FIELDS
from api.games.lifecycle import create_invitation
from tests.api.contract import DECOMPRESS, contract
from tests.api.program import Program
from tests.api.world import World

API = "/api/v1"
ASSETS = "/static/drf_spectacular_sidecar/swagger-ui-dist"
OPERATIONS = contract().operations


def preflight(program: Program, path: str, method: str = "POST", **headers: str) -> Any:
    """A browser's question whether a page may send this request."""
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": method}
    return program.options(path, headers=asked | headers)


# -- other origins --------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_may_be_called_from_another_origin(client: Program, operation: str) -> None:
    """Without a key, an account or a token: a browser sends none of them."""
    path = OPERATIONS[operation]["path"].replace("{", "").replace("}", "")
    response = preflight(client, path, OPERATIONS[operation]["method"])
    assert response.status_code == 204
    assert response["Access-Control-Allow-Origin"] == "*"
    assert OPERATIONS[operation]["method"] in response["Access-Control-Allow-Methods"].split(", ")
    assert "Content-Length" not in response.headers


def test_a_preflight_allows_the_headers_that_operations_describe() -> None:
    described = {
        parameter["name"]
        for operation in OPERATIONS.values()
        for parameter in operation.get("parameters", ())
        if parameter["in"] == "header"
    }
    allowed = PREFLIGHT_FIELDS["Access-Control-Allow-Headers"].split(", ")
    assert described <= set(allowed)
    assert {"Authorization", "Content-Type", "Request-Id"} <= set(allowed)


@pytest.mark.parametrize("path", ["/rules", "/me", "/games/game_0", "/nowhere", "/openapi.json"])
def test_every_response_is_open_to_scripts_refusals_included(client: Program, path: str) -> None:
    response = client.get(f"{API}{path}")
    assert response["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in response.headers
    exposed = response["Access-Control-Expose-Headers"].split(", ")
    assert {"ETag", "Location", "RateLimit", "Retry-After", "Request-Id"} <= set(exposed)


def test_scripts_may_read_every_header_that_says_something(world: World) -> None:
    """Those that a script may always read, and those that concern the connection, need no word."""
    always = {"cache-control", "content-type", "content-length", "vary", "content-encoding"}
    exposed = {name.lower() for name in EXPOSED_HEADERS}
    of_browsers = {"x-content-type-options", "x-frame-options", "referrer-policy"}
    of_browsers |= {"content-security-policy", "cross-origin-opener-policy"}
    game = world.over()
    paths = ("/rules", "/me", "/games", f"/games/{game}", f"/games/{game}/export", "/nowhere")
    for path in paths:
        names = {name.lower() for name in world.as_ada.get(f"{API}{path}").headers}
        names = {name for name in names if not name.startswith("access-control-")}
        assert names <= always | exposed | of_browsers, path


def test_options_names_the_methods(client: Program) -> None:
    response = client.options(f"{API}/games")
    assert response.status_code == 204
    assert response["Allow"] == "GET, HEAD, POST, OPTIONS"


# -- copies ---------------------------------------------------------------------------------------

PUBLIC = [
    "/rules",
    "/rules/law",
    "/rules/law/schemas/view",
    "/rules/law/text",
    "/rules/law/picture.svg",
    "/openapi.json",
    "/bots",
]


@pytest.mark.parametrize("path", PUBLIC)
def test_a_current_copy_of_a_document_is_not_sent_again(client: Program, path: str) -> None:
    first = client.get(f"{API}{path}")
    tag = first["ETag"]
    for sent in (tag, f"W/{tag}", f'"other", {tag}', "*"):
        again = client.get(f"{API}{path}", headers={"If-None-Match": sent})
        assert (again.status_code, again["ETag"], again.content) == (304, tag, b"")
        assert again["Cache-Control"] == first["Cache-Control"]
        assert "Content-Type" not in again.headers
    assert client.get(f"{API}{path}", headers={"If-None-Match": '"other"'}).status_code == 200
    head = client.head(f"{API}{path}")
    assert (head.status_code, head["ETag"]) == (200, tag)


@pytest.mark.parametrize(
    ("header", "is_current"),
    [
        ('"a"', True),
        ('W/"a"', True),
        ('"b","a"', True),
        ('"b" , W/"a"', True),
        ("*", True),
        ('"ab"', False),
        ("a", False),
        ("", False),
        ('"a', False),
    ],
)
def test_if_none_match_is_read_as_a_list_of_weak_and_strong_tags(
    header: str, is_current: bool
) -> None:
    request = RequestFactory().get("/", headers={"If-None-Match": header})
    assert has_current_copy(request, '"a"') is is_current


def test_a_game_is_sent_again_after_a_rename_an_invitation_and_an_action(world: World) -> None:
    game = world.gathering()
    path = f"{API}/games/{game}"
    seen = {world.as_ada.get(path)["ETag"]}
    changes: tuple[Callable[[], object], ...] = (
        lambda: create_invitation(game, 1),
        lambda: world.as_ada.send(f"{API}/me", {"name": "Lovelace"}, "PATCH"),
        lambda: world.as_ada.send(f"{path}/leave", {"seat": 0}),
    )
    for number, change in enumerate(changes, start=2):
        change()
        response = world.as_ada.get(path, headers={"If-None-Match": ", ".join(seen)})
        assert response.status_code == 200
        seen.add(response["ETag"])
        assert len(seen) == number


def test_the_tag_of_a_game_changes_with_its_view(world: World) -> None:
    """Whatever a view shows is part of the tag: two views with one tag are equal."""
    games = [world.playing(), world.gathering(), world.over(), world.inviting()[0]]
    views: dict[str, bytes] = {}
    for game in games:
        for program in (world.as_ada, world.as_bob, world.as_eve, world.as_nobody):
            for query in ("", "?as=onlooker"):
                response = program.get(f"{API}/games/{game}{query}")
                assert views.setdefault(response["ETag"], response.content) == response.content
    assert len(views) > len(games)


POSITIONS = ["/states/4", "/picture.svg", "/picture.txt", "/log", "/log/4", ""]


@pytest.mark.parametrize("subpath", POSITIONS)
def test_positions_and_logs_are_validated_for_each_caller(world: World, subpath: str) -> None:
    path = f"{API}/games/{world.playing()}{subpath}"
    tags = {}
    for name in ("ada", "bob", "nobody"):
        program: Program = getattr(world, f"as_{name}")
        response = program.get(path)
        tags[name] = response["ETag"]
        sharing = "public" if name == "nobody" else "private"
        assert response["Cache-Control"] == f"{sharing}, no-cache"
        assert "Authorization" in response["Vary"]
        again = program.get(path, headers={"If-None-Match": response["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert again["Cache-Control"] == response["Cache-Control"]
        assert "Authorization" in again["Vary"]
    assert tags["ada"] != tags["nobody"] or subpath in ("/log", "/log/4")


@pytest.mark.parametrize(
    "subpath",
    ["/states/4?as=seat:0", "/picture.svg?seq=4&as=seat:0", "/picture.txt?seq=4&as=seat:0"],
)
def test_a_position_of_a_named_viewer_never_changes(world: World, subpath: str) -> None:
    path = f"{API}/games/{world.playing()}{subpath}"
    assert world.as_ada.get(path)["Cache-Control"] == "private, max-age=31536000, immutable"


@pytest.mark.parametrize("subpath", ["/picture.svg?seq=4", "/picture.svg?as=seat:0", "/states/4"])
def test_a_position_that_the_caller_or_time_decides_may_change(world: World, subpath: str) -> None:
    path = f"{API}/games/{world.playing()}{subpath}"
    assert world.as_ada.get(path)["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("path", ["/me", "/me/keys", "/webhooks", "/nowhere"])
def test_accounts_and_refusals_are_not_stored(world: World, path: str) -> None:
    response = world.as_ada.get(f"{API}{path}")
    assert response["Cache-Control"] == "no-store"
    assert "ETag" not in response.headers


# -- compression ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "encoding"),
    [
        ("gzip", "gzip"),
        ("GZIP", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("br, gzip;q=0.5", "br"),
        ("br;q=0.5, gzip", "gzip"),
        ("br;q=0, gzip;q=0.1", "gzip"),
        ("*", "br"),
        ("*;q=0, gzip", "gzip"),
        ("*;q=0.5, gzip;q=0.1", "br"),
        ("x-gzip", "gzip"),
        ("", None),
        ("deflate", None),
        ("gzip;q=0", None),
        ("gzip;q=0.000, br;q=0", None),
        ("gzip;q=0.5.1", None),
        ("identity", None),
        ("gzipped, brr", None),
    ],
)
def test_the_client_chooses_the_encoding(header: str, encoding: str | None) -> None:
    request = RequestFactory().get("/", headers={"Accept-Encoding": header})
    assert accepted_encoding(request, ("br", "gzip")) == encoding


@pytest.mark.parametrize("encoding", DECOMPRESS)
@pytest.mark.parametrize("path", ["/rules/law/text", "/rules/law/schemas/view", "/openapi.json"])
def test_a_compressed_document_has_a_tag_of_its_own(
    client: Program, path: str, encoding: str
) -> None:
    plain = client.get(f"{API}{path}")
    packed = client.get(f"{API}{path}", headers={"Accept-Encoding": encoding})
    assert packed["Content-Encoding"] == encoding
    assert packed["Content-Length"] == str(len(packed.content))
    assert DECOMPRESS[encoding](packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 2
    assert "Accept-Encoding" in packed["Vary"]
    assert "Accept-Encoding" in plain["Vary"]
    assert packed["ETag"] != plain["ETag"]
    accepting = {"Accept-Encoding": encoding, "If-None-Match": packed["ETag"]}
    assert client.get(f"{API}{path}", headers=accepting).status_code == 304
    stale = {"Accept-Encoding": encoding, "If-None-Match": plain["ETag"]}
    assert client.get(f"{API}{path}", headers=stale).status_code == 200


@pytest.mark.parametrize("encoding", DECOMPRESS)
@pytest.mark.parametrize("name", ["swagger-ui.css", "swagger-ui-bundle.js"])
def test_the_files_of_pages_are_compressed(client: Program, name: str, encoding: str) -> None:
    path = f"{ASSETS}/{name}"
    plain = client.get(path)
    packed = client.get(path, headers={"Accept-Encoding": encoding})
    assert DECOMPRESS[encoding](packed.content) == plain.content
    assert len(packed.content) < len(plain.content) / 2
    assert packed["ETag"] == plain["ETag"].removesuffix('"') + f'-{encoding}"'
    assert "Accept-Encoding" in packed["Vary"]
    assert "Accept-Encoding" in plain["Vary"]
    for headers in ({}, {"Accept-Encoding": encoding}):
        got, told = client.get(path, headers=headers), client.head(path, headers=headers)
        for field in ("Content-Type", "Content-Length", "ETag", "Cache-Control"):
            assert told[field] == got[field]
        assert told.get("Content-Encoding") == got.get("Content-Encoding")
        again = client.get(path, headers=headers | {"If-None-Match": got["ETag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_parts_and_pictures_of_pages_are_sent_as_they_are(client: Program) -> None:
    accepting = {"Accept-Encoding": "gzip"}
    part = client.get(f"{ASSETS}/swagger-ui.css", headers=accepting | {"Range": "bytes=0-99"})
    assert (part.status_code, part["Content-Length"]) == (206, "100")
    picture = client.get(f"{ASSETS}/favicon-32x32.png", headers=accepting)
    for response in (part, picture):
        assert "Content-Encoding" not in response.headers
    condition = accepting | {"If-None-Match": picture["ETag"]}
    assert client.get(f"{ASSETS}/favicon-32x32.png", headers=condition).status_code == 304


@pytest.mark.parametrize("path", ["/me", "/me/keys", "/games", "/me/games"])
def test_responses_with_text_of_others_beside_secrets_are_not_compressed(
    world: World, path: str
) -> None:
    """A long list of games shows the names of accounts; a game, the hand and such names."""
    for _ in range(3):
        world.playing()
    accepting = {"Accept-Encoding": "gzip"}
    for response in (
        world.as_ada.get(f"{API}{path}", headers=accepting),
        world.as_ada.get(f"{API}/games/{world.playing()}", headers=accepting),
    ):
        assert "Content-Encoding" not in response.headers


def test_they_are_compressed_for_who_has_no_secret(world: World) -> None:
    games = [world.playing() for _ in range(3)]
    for path in ("", f"/{games[0]}/picture.svg?names=1", f"/{games[0]}/pictures?names=1"):
        plain, packed = (
            world.as_nobody.get(f"{API}/games{path}", headers=headers)
            for headers in ({}, {"Accept-Encoding": "gzip"})
        )
        assert gzip.decompress(packed.getvalue()) == plain.getvalue()
    png = f"{API}/games/{games[0]}/picture.png?names=1"
    assert "Content-Encoding" not in world.as_nobody.get(png).headers


@pytest.mark.parametrize("subpath", ["/picture.svg", "/picture.txt", "/log"])
def test_pictures_and_logs_are_compressed(world: World, subpath: str) -> None:
    path = f"{API}/games/{world.playing()}{subpath}"
    packed = world.as_ada.get(path, headers={"Accept-Encoding": "gzip"})
    plain = world.as_ada.get(path)
    assert gzip.decompress(packed.content) == plain.content


def test_a_short_response_is_not_compressed(client: Program) -> None:
    response = client.get(f"{API}/problems/not-found", headers={"Accept-Encoding": "gzip"})
    assert len(response.content) < 1024
    assert "Content-Encoding" not in response.headers
