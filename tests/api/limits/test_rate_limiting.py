"""Replies state the caller's rate limit, and a refusal says when to retry."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from api.keys import ALL_SCOPES, create_key, key_cache
from games.models import Account
from tests.api.test_conventions import assert_problem

pytestmark = pytest.mark.stores

RULES = "/api/v1/rules"


def key(account: Account | None = None) -> dict[str, str]:
    """Headers with a new key."""
    key_cache.clear()
    _, secret = create_key(account or Account.objects.create(), "", ALL_SCOPES, None)
    return {"authorization": f"Bearer {secret}"}


def table(kind: str = "open") -> dict[str, Any]:
    """The body of a request for a new game."""
    return {"rules": "law_of_the_dice", "seats": [{"kind": "me"}, {"kind": kind}]}


def post(client: Client, path: str, headers: dict[str, str], body: Any) -> Any:
    return client.post(path, body, content_type="application/json", headers=headers)


@pytest.mark.usefixtures("limits")
class TestLimits:
    def test_each_reply_says_how_much_is_left(self, client: Client) -> None:
        response = client.get(RULES)
        assert response["RateLimit-Policy"] == '"read";q=3;w=3600'
        assert response["RateLimit"] == '"read";r=2;t=1200'
        assert client.get(RULES)["RateLimit"] == '"read";r=1;t=2400'

    def test_who_asks_too_much_is_told_when_to_come_back(self, client: Client) -> None:
        for _ in range(3):
            assert client.get(RULES).status_code == 200
        response = client.get(RULES)
        assert_problem_without_asking(response, "too-many-requests")
        assert response.json()["limit"] == "read"
        assert 1190 < int(response["Retry-After"]) <= 1200
        assert response["RateLimit"] == '"read";r=0;t=3600'

    def test_a_refusal_counts_and_says_so(self, client: Client) -> None:
        assert client.get(RULES, {"no": "such"})["RateLimit"] == '"read";r=2;t=1200'
        assert client.get("/api/v1/games/none")["RateLimit"] == '"read";r=1;t=2400'

    def test_a_bad_key_is_none_also_if_nobody_has_to_know_who_asks(self, client: Client) -> None:
        response = client.get(RULES, headers={"authorization": "Bearer tab_none"})
        assert_problem(response, 401, "unauthorized")

    def test_each_key_has_a_bucket_of_its_own(self, client: Client) -> None:
        headers, other_headers = key(), key()
        for _ in range(3):
            assert client.get(RULES, headers=headers).status_code == 200
        assert client.get(RULES, headers=headers).status_code == 429
        assert client.get(RULES, headers=other_headers).status_code == 200
        assert client.get(RULES).status_code == 200

    def test_bad_keys_count_against_the_address(self, client: Client) -> None:
        for number in range(3):
            bad = {"authorization": f"Bearer tab_{number}"}
            assert client.get(RULES, headers=bad).status_code == 401
        assert client.get(RULES, headers={"authorization": "Bearer tab_x"}).status_code == 429
        assert client.get(RULES).status_code == 429

    def test_reading_and_writing_are_counted_apart(self, client: Client) -> None:
        headers = key()
        for _ in range(4):
            client.get(RULES, headers=headers)
        response = client.patch(
            "/api/v1/me", {"name": "N"}, content_type="application/json", headers=headers
        )
        assert response.status_code == 200
        assert response["RateLimit-Policy"] == '"write";q=3;w=3600'

    def test_what_has_not_changed_costs_nothing(self, client: Client) -> None:
        headers = key()
        game = post(client, "/api/v1/games", headers, table()).json()
        path = f"/api/v1/games/{game['id']}"
        tag = client.get(path, headers=headers)["ETag"]
        for _ in range(10):
            again = client.get(path, headers={**headers, "if-none-match": tag})
            assert again.status_code == 304
        assert client.get(path, headers=headers).status_code == 200

    def test_games_are_counted_by_themselves(self, client: Client) -> None:
        headers = key()
        replies = [post(client, "/api/v1/games", headers, table()) for _ in range(3)]
        assert [reply.status_code for reply in replies] == [201, 201, 429]
        assert replies[0]["RateLimit-Policy"] == '"create";q=2;w=36'

    def test_guests_are_counted_by_address_whatever_they_show(self, client: Client) -> None:
        codes = [post(client, "/api/v1/guests", key(), {}).status_code for _ in range(3)]
        assert codes == [201, 201, 429]
        other_client = Client(REMOTE_ADDR="192.0.2.7")
        assert post(other_client, "/api/v1/guests", {}, {}).status_code == 201

    def test_health_is_never_refused(self, client: Client) -> None:
        for _ in range(9):
            response = client.get("/api/v1/healthz")
            assert response.status_code == 200
        assert "RateLimit" not in response


class TestAddresses:
    @pytest.fixture(autouse=True)
    def one_read_an_hour(self, limits: dict[str, Any], settings: Settings) -> None:
        settings.LIMITS = {**limits, "read": (1, 3600)}

    def status_of(self, forwarded_for: str, address: str = "127.0.0.1") -> int:
        """The status of a request with this `X-Forwarded-For`."""
        headers = {"x-forwarded-for": forwarded_for} if forwarded_for else {}
        return Client(REMOTE_ADDR=address).get(RULES, headers=headers).status_code

    def test_nobody_is_believed(self) -> None:
        assert self.status_of("192.0.2.1") == 200
        assert self.status_of("192.0.2.2") == 429

    def test_a_proxy_of_ours_is_believed(self, settings: Settings) -> None:
        settings.PROXIES = [ip_network("127.0.0.0/8"), ip_network("10.0.0.0/8")]
        assert self.status_of("192.0.2.1") == 200
        assert self.status_of("192.0.2.2, 10.1.1.1") == 200
        assert self.status_of("192.0.2.9, 192.0.2.2") == 429  # a client can forge the first address
        assert self.status_of("192.0.2.1") == 429
        assert self.status_of("192.0.2.3", "192.0.2.2") == 429  # not a proxy

    def test_nonsense_counts_against_the_proxy(self, settings: Settings) -> None:
        settings.PROXIES = [ip_network("127.0.0.0/8")]
        assert self.status_of("unknown") == 200
        assert self.status_of("") == 429

    def test_a_household_counts_once(self) -> None:
        assert self.status_of("", "2001:db8::1") == 200
        assert self.status_of("", "2001:db8::2:1") == 429
        assert self.status_of("", "2001:db8:0:1::1") == 200
        assert self.status_of("", "::ffff:192.0.2.5") == 200
        assert self.status_of("", "192.0.2.5") == 429


@pytest.mark.django_db
class TestQuantities:
    def test_without_limits_nothing_is_said(self, client: Client) -> None:
        assert "RateLimit" not in client.get(RULES)

    def test_a_large_body_is_refused(self, client: Client, settings: Settings) -> None:
        body = {"name": "N" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE}
        assert_problem(post(client, "/api/v1/guests", {}, body), 413, "too-large")

    def test_open_games_are_counted(self, client: Client, settings: Settings) -> None:
        settings.OPEN_GAMES = 2
        headers = key()
        replies = [post(client, "/api/v1/games", headers, table()) for _ in range(3)]
        assert [reply.status_code for reply in replies] == [201, 201, 409]
        assert_problem(replies[-1], 409, "too-many-games")
        assert post(client, "/api/v1/games", key(), table()).status_code == 201


def assert_problem_without_asking(response: Any, code: str) -> None:
    """Assert a problem of that kind; its page is not fetched, which would be refused too."""
    assert response["Content-Type"] == "application/problem+json"
    document = response.json()
    assert (document["status"], document["code"]) == (response.status_code, code)
