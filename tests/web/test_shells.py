"""The shells of the pages: their headers, their links, and that they hold no data."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, Final
from urllib.robotparser import RobotFileParser

import pytest
from django.test import Client

from tabularium_engines.builds.compiled_engines import PROJECT_ROOT
from tabularium_engines.installed.registry import ENGINES
from tests.api.test_conventions import assert_problem
from web import assets, guides

GAME: Final = "game_" + "0" * 32
PAGES: Final = (
    "/",
    "/rules/any_game",
    "/new/any_game",
    f"/t/{GAME}",
    f"/join/{GAME}",
    "/ratings/any_game",
    "/players/account_" + "0" * 32,
    "/verify",
    "/record",
    "/me",
    "/guides",
    "/guides/quickstart",
)
EMBEDDED: Final = (f"/embed/{GAME}", "/embed.js")
WEB: Final = PROJECT_ROOT / "web"
PACKAGED_GUIDES: Final = guides.PACKAGED.relative_to(PROJECT_ROOT).as_posix()
TOOLS: Final = ("bench", "release")  # packages beside those of the server
SOURCES: Final = [path for path in sorted(WEB.rglob("*")) if path.suffix in (".js", ".html", ".py")]


def links(text: str) -> list[str]:
    """The addresses to which an HTML page links, or from which it loads."""
    return re.findall(r'(?:href|src)="([^"#]+)', text)


def test_robots_learn_where_nothing_is_for_them(client: Client) -> None:
    response = client.get("/robots.txt")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    rules = RobotFileParser()
    rules.parse(response.content.decode().splitlines())
    for page in PAGES:
        is_closed = page.split("/")[1] in ("join", "me")
        assert rules.can_fetch("any", page) is not is_closed
    assert not rules.can_fetch("any", "/api/v1/games")


@pytest.mark.parametrize("page", [*PAGES, *EMBEDDED])
class TestEveryPage:
    def test_is_kept_and_asked_for_again(self, client: Client, page: str) -> None:
        response = client.get(page)
        assert response.status_code == 200
        assert response["Cache-Control"] == "no-cache"
        copy = client.get(page, headers={"If-None-Match": response["ETag"]})
        assert (copy.status_code, copy.content) == (304, b"")
        for name in ("Content-Security-Policy", "X-Frame-Options", "Cache-Control"):
            assert copy.get(name) == response.get(name), "a copy takes over the headers of its 304"

    def test_has_a_head(self, client: Client, page: str) -> None:
        response, head = client.get(page), client.head(page)
        assert head.status_code == 200
        assert head["ETag"] == response["ETag"]

    def test_is_compressed(self, client: Client, page: str) -> None:
        whole = client.get(page).content
        response = client.get(page, headers={"Accept-Encoding": "gzip"})
        if len(whole) >= 1000:
            assert gzip.decompress(response.content) == whole
        assert "Accept-Encoding" in response["Vary"]

    @pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
    def test_can_only_be_read(self, client: Client, page: str, method: str) -> None:
        response = getattr(client, method)(page)
        assert_problem(response, 405, "method-not-allowed")
        assert response["Allow"] == "GET, HEAD, OPTIONS"

    def test_runs_and_loads_only_files_of_this_server(self, client: Client, page: str) -> None:
        response = client.get(page)
        policy = dict(
            directive.split(" ", 1) for directive in response["Content-Security-Policy"].split("; ")
        )
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["require-trusted-types-for"] == "'script'"
        assert policy["frame-ancestors"] == ("*" if page in EMBEDDED else "'self'")
        assert "X-Frame-Options" not in response
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["Referrer-Policy"] == "no-referrer"

    def test_has_neither_scripts_nor_styles_within(self, client: Client, page: str) -> None:
        text = client.get(page).content.decode()
        assert not re.findall(r"<style|\sstyle=|\son\w+=|<script(?![^>]* src=)", text)
        assert all(link.startswith("/") for link in links(text))


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_the_same_to_all(client: Client, page: str) -> None:
    """No cookie, no key and no parameter changes it, and it sets no cookie."""
    response = client.get(page)
    again = client.get(
        f"{page}?name=Ada", headers={"Authorization": "Bearer tab_x", "Cookie": "a=b"}
    )
    assert again.content == response.content
    assert not response.cookies


def test_an_address_stands_in_the_page_as_text(client: Client) -> None:
    assert f'data-game="{GAME}"' in client.get(f"/join/{GAME}").content.decode()
    assert client.get('/t/"><script>').status_code == 404


@pytest.mark.parametrize("page", ["/", "/me", "/verify"])
def test_links_of_the_site_lead_somewhere(client: Client, page: str) -> None:
    found = [link for link in links(client.get(page).content.decode()) if "/static/" not in link]
    assert {"/", "/me", "/verify", "/guides", "/api/v1/docs"} <= set(found)
    for link in found:
        assert client.get(link).status_code == 200


FOR_PEOPLE: Final = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


def test_a_missing_page_is_a_page_for_browsers_alone(client: Client) -> None:
    """A program gets a problem, and so does everybody below `/api/`."""
    shown = client.get("/nowhere", headers={"Accept": FOR_PEOPLE})
    assert (shown.status_code, shown["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert 'data-page="missing"' in shown.content.decode()
    assert "Accept" in shown["Vary"]
    assert_problem(client.get("/nowhere", headers={"Accept": "*/*"}), 404, "not-found")
    assert_problem(client.get("/nowhere"), 404, "not-found")
    assert_problem(client.post("/nowhere", headers={"Accept": FOR_PEOPLE}), 404, "not-found")
    below = client.get("/api/v1/nowhere", headers={"Accept": FOR_PEOPLE})
    assert_problem(below, 404, "not-found")


def test_the_guides_are_served_as_they_are_written(client: Client) -> None:
    for name, path in guides.files().items():
        assert client.get(f"/guides/{name}").content == path.read_bytes()
    written = {path.name for path in (PROJECT_ROOT / "docs").glob("*.md")}
    assert written | {"index.md", "changelog.md"} <= set(guides.files())
    assert client.get("/guides/none.md").status_code == 404


def asset_responses(client: Client) -> list[tuple[str, Any]]:
    """Each file of the pages with its response; the content is read."""
    files = [path for path in sorted(assets.FOLDER.rglob("*")) if path.is_file()]
    responses = []
    for path in files:
        address = f"/static/{assets.PREFIX}/{path.relative_to(assets.FOLDER).as_posix()}"
        with closing(client.get(address, headers={"Accept-Encoding": "gzip"})) as response:
            responses.append((path.name, response))
    return responses


@pytest.mark.django_db  # closing a response checks connections that other tests opened
def test_assets_are_kept_for_ever(client: Client) -> None:
    for name, response in asset_responses(client):
        assert response.status_code == 200, name
        assert "immutable" in response["Cache-Control"], name
        assert response["X-Content-Type-Options"] == "nosniff"
        if name.endswith(".js"):
            assert response["Content-Type"].startswith("text/javascript")


def test_a_changed_asset_changes_the_address(tmp_path: Path) -> None:
    (tmp_path / "strings").mkdir()
    file = tmp_path / "strings" / "pages.js"
    digests = set()
    for content in ("a", "b"):
        file.write_text(content)
        digests.add(assets.digest_of(tmp_path))
    file.rename(tmp_path / "pages.js")
    digests.add(assets.digest_of(tmp_path))
    assert len(digests) == 3


@pytest.mark.parametrize("slug", ENGINES)
def test_the_pages_know_no_game(slug: str) -> None:
    assert not [path.name for path in SOURCES if slug in path.read_text(encoding="utf-8")]


def test_no_script_makes_elements_of_text() -> None:
    """Names of players become text nodes; `picture.js` alone parses, by its one policy."""
    sinks = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function"
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(sinks, text), path.name
        if path.name != "picture.js":
            assert not re.search(r"DOMParser|createPolicy", text), path.name


def test_a_wheel_has_all_that_the_server_needs(tmp_path: Path) -> None:
    (facts := tmp_path / "facts").mkdir()  # about the distribution: not beside the sources
    words = ("egg_info", "--egg-base", facts, "build_py", "--build-lib", tmp_path / "built")
    subprocess.run((sys.executable, "setup.py", "-q", *words), cwd=PROJECT_ROOT, check=True)
    tmp_path /= "built"
    built = {name for name in files_in(tmp_path) if not name.startswith(PACKAGED_GUIDES)}
    needed = {
        name
        for folder in PROJECT_ROOT.glob("*/__init__.py")
        for name in files_in(folder.parent, PROJECT_ROOT)
        if folder.parent.name not in TOOLS and name.endswith((".py", ".html"))
    }
    assert needed <= built
    assert files_in(WEB / "assets", PROJECT_ROOT) <= built
    assert files_in(tmp_path / PACKAGED_GUIDES) == set(guides.files())


def files_in(folder: Path, top: Path | None = None) -> set[str]:
    """The names of all files in a folder, below it or below `top`."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(top or folder).as_posix() for path in files}
