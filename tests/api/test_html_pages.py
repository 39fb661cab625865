"""The HTML pages show every game, and load nothing from other sites."""

from __future__ import annotations

import re
from base64 import b64encode
from contextlib import closing
from hashlib import sha256

import pytest
from django.test import Client

from games.registry import ENGINES


def test_the_catalogue_shows_every_game_and_its_table(client: Client) -> None:
    page = client.get("/").content.decode()
    for slug, engine in ENGINES.items():
        assert engine.about.title in page
        assert f'src="/api/v1/rules/{slug}/picture.svg"' in page
        assert f'href="/api/v1/rules/{slug}/text"' in page


@pytest.mark.django_db  # closing a response checks connections that other tests opened
def test_every_link_on_the_pages_is_ours_and_leads_somewhere(client: Client) -> None:
    for page in ("/", "/api/v1/docs"):
        links = re.findall(r'(?:href|src)="([^"]+)"', client.get(page).content.decode())
        assert links
        for link in links:
            assert link.startswith(("/", "data:"))
            if link.startswith("/"):
                with closing(client.get(link)) as response:
                    assert response.status_code == 200


def test_pictures_have_words_for_those_who_cannot_see_them(client: Client) -> None:
    for picture in re.findall(r"<img[^>]*>", client.get("/").content.decode()):
        assert re.search(r'alt="[^"]+"', picture)


@pytest.mark.parametrize("page", ["/", "/api/v1/docs", "/api/v1/healthz", "/api/v1/nowhere"])
def test_no_reply_may_be_framed_sniffed_or_tell_where_one_came_from(
    client: Client, page: str
) -> None:
    headers = client.get(page).headers
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_the_description_runs_its_own_scripts_and_no_others(client: Client) -> None:
    response = client.get("/api/v1/docs")
    scripts = re.findall(rb"<script>(.*?)</script>", response.content, re.DOTALL)
    assert len(scripts) == 1
    digest = b64encode(sha256(scripts[0]).digest()).decode()
    policy = response.headers["Content-Security-Policy"]
    assert f"script-src 'self' 'sha256-{digest}';" in policy
    assert not re.findall(rb"\son\w+=", response.content)  # no inline event handlers


def test_pages_load_nothing_that_their_policy_forbids(client: Client) -> None:
    response = client.get("/")
    assert b"<script" not in response.content
    policy = response.headers["Content-Security-Policy"]
    assert "img-src 'self' data:" in policy
    assert "style-src 'unsafe-inline'" in policy
