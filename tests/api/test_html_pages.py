"""The HTML pages of the API explain every problem, and load nothing from other sites."""

from __future__ import annotations

import re
from base64 import b64encode
from contextlib import closing
from hashlib import sha256
from html import unescape

import pytest
from django.test import Client

from api.problem_catalogue import PROBLEM_KINDS
from api.service_endpoints import code_markup
from tabularium_engines.installed.registry import ENGINES

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}  # as browsers send it


@pytest.mark.parametrize("code", PROBLEM_KINDS)
def test_every_problem_has_a_page_for_people(client: Client, code: str) -> None:
    response, kind = client.get(f"/api/v1/problems/{code}", headers=HTML), PROBLEM_KINDS[code]
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert "Accept" in response["Vary"].split(", ")
    words = unescape(re.sub(r"<[^>]+>", "", response.content.decode()))
    for text in (kind.title, code, str(kind.status), kind.meaning, kind.remedy, *kind.members):
        assert text.replace("`", "") in words
    assert "`" not in words


def test_a_page_of_a_problem_marks_code_and_escapes_the_rest() -> None:
    assert code_markup("`a<b` & c") == "<code>a&lt;b</code> &amp; c"


def test_an_unknown_problem_has_no_page(client: Client) -> None:
    response = client.get("/api/v1/problems/no-such-problem", headers=HTML)
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"


@pytest.mark.django_db  # closing a response checks connections that other tests opened
def test_every_link_on_the_pages_is_ours_and_leads_somewhere(client: Client) -> None:
    for page in ("/api/v1/docs", "/api/v1/problems/busy"):
        content = client.get(page, headers=HTML).content.decode()
        links = re.findall(r'(?:href|src)="([^"]+)"', content)
        assert links
        for link in links:
            assert link.startswith(("/", "data:"))
            if link.startswith("/"):
                with closing(client.get(link)) as response:
                    assert response.status_code == 200


@pytest.mark.parametrize("page", ["/api/v1/docs", "/api/v1/healthz", "/api/v1/nowhere"])
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


def test_the_description_stays_the_same(client: Client) -> None:
    tag = client.get("/api/v1/docs")["ETag"]
    assert client.get("/api/v1/docs", headers={"If-None-Match": tag}).status_code == 304


def test_pages_load_nothing_that_their_policy_forbids(client: Client) -> None:
    response = client.get("/api/v1/problems/busy", headers=HTML)
    assert b"<script" not in response.content
    policy = response.headers["Content-Security-Policy"]
    assert "img-src 'self' data:" in policy
    assert "style-src 'unsafe-inline'" in policy


def test_a_copy_of_a_picture_keeps_its_policy(client: Client) -> None:
    """A browser replaces the headers of its copy by those of the 304."""
    address = f"/api/v1/rules/{next(iter(ENGINES))}/picture.svg"
    whole = client.get(address)
    short = client.get(address, headers={"If-None-Match": whole["ETag"]})
    assert short.status_code == 304
    policy = whole.headers["Content-Security-Policy"]
    assert short.get("Content-Security-Policy", policy) == policy
