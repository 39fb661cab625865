"""Accounts can create and manage webhooks, and see none of other accounts."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from jsonschema_rs import Draft202012Validator
from pytest_django import Settings
from standardwebhooks import Webhook as Verifier

from api.keys import ALL_SCOPES, create_key, key_cache
from api.models import Delivery, Webhook
from api.schema import openapi_document
from api.webhooks import endpoints
from games.models import Account
from tests.api.test_conventions import assert_problem
from tests.api.webhooks.conftest import KINDS, Receiver, Subscription, playing

pytestmark = pytest.mark.stores

PATH = "/api/v1/webhooks"
Work = Callable[[], int]


class Owner:
    """A program with a key."""

    def __init__(self, client: Client, account: Account, *scopes: str) -> None:
        key_cache.clear()
        _, secret = create_key(account, "", scopes or ALL_SCOPES, None)
        self.client, self.headers = client, {"authorization": f"Bearer {secret}"}

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The response to a request."""
        arguments: dict[str, Any] = {"headers": self.headers}
        if body is not None:
            arguments.update(data=json.dumps(body), content_type="application/json")
        return getattr(self.client, method)(path, **arguments)


@pytest.fixture
def owner(client: Client, account: Account, queued_tasks: list[Any]) -> Owner:
    """A program of the account."""
    return Owner(client, account)


@pytest.fixture
def path(subscription: Subscription) -> str:
    """The path of the account's webhook."""
    return f"{PATH}/{subscription.hook.pk}"


class TestCreation:
    def test_tells_the_secret_once(self, owner: Owner, receiver: Receiver) -> None:
        response = owner.ask("post", PATH, {"url": receiver.url})
        assert response.status_code == 201
        document = response.json()
        assert document["secret"].startswith("whsec_")
        assert response["Location"] == f"{PATH}/{document['webhook']['id']}"
        assert document["webhook"]["kinds"] == ["game.started", "game.your_turn", "game.over"]
        response_after = owner.ask("get", response["Location"])
        assert response_after.json() == document["webhook"]
        assert document["secret"] not in owner.ask("get", PATH).content.decode()

    def test_of_one_that_is_told_from_then_on(
        self, owner: Owner, receiver: Receiver, account: Account, work: Work
    ) -> None:
        secret = owner.ask("post", PATH, {"url": receiver.url}).json()["secret"]
        playing(account, Account.objects.create())
        work()
        assert receiver.requests
        Verifier(secret).verify(receiver.requests[0].body, receiver.requests[0].headers)

    @pytest.mark.parametrize(
        "url", ["http://127.0.0.1/", "http://[::1]/", "ftp://example.org/", "http://2130706433/"]
    )
    def test_is_refused_for_what_is_not_public(self, owner: Owner, url: str) -> None:
        document = assert_problem(owner.ask("post", PATH, {"url": url}), 422, "webhook-refused")
        assert document["errors"][0]["pointer"] == "/url"
        assert not Webhook.objects.exists()

    def test_asks_no_name_server(
        self, owner: Owner, monkeypatch: pytest.MonkeyPatch, path: str
    ) -> None:
        def hang(*_: Any, **__: Any) -> None:
            raise AssertionError("a request thread would wait here")

        monkeypatch.setattr(socket, "getaddrinfo", hang)
        body = {"url": "https://unknown.example/"}
        assert owner.ask("post", PATH, body).status_code == 201
        assert owner.ask("patch", path, body).status_code == 200

    @pytest.mark.parametrize(
        "body", [{}, {"url": 1}, {"url": "x", "kinds": ["ping"]}, {"url": "x", "secret": "y"}]
    )
    def test_is_refused_in_other_shapes(self, owner: Owner, body: Any) -> None:
        assert_problem(owner.ask("post", PATH, body), 400, "invalid-body")

    def test_has_an_end(
        self, owner: Owner, subscription: Subscription, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(endpoints, "MAX_WEBHOOKS_PER_ACCOUNT", 1)
        response = owner.ask("post", PATH, {"url": subscription.hook.url})
        assert_problem(response, 409, "too-many-webhooks")


class TestChanges:
    def test_of_kinds_and_address(self, owner: Owner, path: str, receiver: Receiver) -> None:
        document = owner.ask("patch", path, {"kinds": ["game.over"], "url": receiver.url + "c"})
        assert document.json()["kinds"] == ["game.over"]
        assert document.json()["url"] == receiver.url + "c"

    def test_never_to_what_is_not_public(self, owner: Owner, path: str, settings: Settings) -> None:
        settings.WEBHOOK_HOSTS = []
        response = owner.ask("patch", path, {"url": "http://169.254.169.254/"})
        assert_problem(response, 422, "webhook-refused")

    def test_off_and_on(
        self, owner: Owner, path: str, receiver: Receiver, account: Account, work: Work
    ) -> None:
        off = owner.ask("patch", path, {"is_enabled": False}).json()
        assert (off["is_enabled"], off["reason"]) == (False, "Its owner disabled it.")
        playing(account, Account.objects.create())
        assert work() == 0
        on = owner.ask("patch", path, {"is_enabled": True}).json()
        assert (on["is_enabled"], on["reason"]) == (True, "")
        Webhook.objects.update(since=timezone.now())
        playing(account, Account.objects.create())
        work()
        assert len({json.loads(request.body)["data"]["game"] for request in receiver.requests}) == 1

    def test_of_the_secret(
        self, owner: Owner, path: str, subscription: Subscription, receiver: Receiver, work: Work
    ) -> None:
        rotated = owner.ask("post", f"{path}/rotate").json()
        assert rotated["webhook"]["old_secret_until"] is not None
        assert rotated["secret"] != subscription.secret
        owner.ask("post", f"{path}/ping")
        work()
        for secret in (subscription.secret, rotated["secret"]):
            Verifier(secret).verify(receiver.requests[0].body, receiver.requests[0].headers)

    def test_until_it_is_deleted(self, owner: Owner, path: str) -> None:
        assert owner.ask("delete", path).status_code == 204
        assert_problem(owner.ask("get", path), 404, "not-found")


class TestDeliveries:
    def test_a_ping_is_delivered(
        self, owner: Owner, path: str, receiver: Receiver, work: Work
    ) -> None:
        response = owner.ask("post", f"{path}/ping")
        assert response.status_code == 202
        assert (response.json()["kind"], response.json()["state"]) == ("ping", "waiting")
        work()
        (one,) = owner.ask("get", f"{path}/deliveries").json()["items"]
        assert (one["id"], one["state"], one["status"]) == (response.json()["id"], "delivered", 204)
        assert json.loads(one["body"])["data"] == {"webhook": path.rpartition("/")[2]}
        assert receiver.requests[0].headers["webhook-id"] == one["id"]

    def test_a_ping_is_tried_once_and_disables_nothing(
        self, owner: Owner, path: str, receiver: Receiver, work: Work
    ) -> None:
        receiver.status, receiver.text = 410, b"What?"
        owner.ask("post", f"{path}/ping")
        work()
        (one,) = owner.ask("get", f"{path}/deliveries").json()["items"]
        assert (one["state"], one["next_attempt"], one["answer"]) == ("failed", None, "What?")
        assert owner.ask("get", path).json()["is_enabled"]

    def test_are_listed_in_pages(
        self, owner: Owner, path: str, account: Account, work: Work
    ) -> None:
        for _ in range(5):
            owner.ask("post", f"{path}/ping")
        ids, cursor = [], ""
        while True:
            page = owner.ask("get", f"{path}/deliveries?limit=2{cursor}").json()
            ids += [one["id"] for one in page["items"]]
            if page["next_cursor"] is None:
                break
            cursor = f"&cursor={page['next_cursor']}"
        assert ids == list(Delivery.objects.order_by("-pk").values_list("pk", flat=True))
        foreign = owner.ask("get", f"{path}/deliveries?cursor={ids[0]}")
        assert_problem(foreign, 400, "invalid-parameter")

    def test_are_made_again_under_the_same_name(
        self, owner: Owner, path: str, receiver: Receiver, account: Account, work: Work
    ) -> None:
        playing(account, Account.objects.create())
        work()
        first = receiver.requests[0]
        name = first.headers["webhook-id"]
        receiver.requests.clear()
        again = owner.ask("post", f"{path}/deliveries/{name}/redeliver")
        assert (again.status_code, again.json()["state"]) == (202, "waiting")
        work()
        (request,) = receiver.requests
        assert (request.headers["webhook-id"], request.body) == (name, first.body)

    def test_are_not_made_to_a_disabled_webhook(
        self, owner: Owner, path: str, account: Account, work: Work
    ) -> None:
        playing(account, Account.objects.create())
        work()
        name = Delivery.objects.first()
        owner.ask("patch", path, {"is_enabled": False})
        response = owner.ask("post", f"{path}/deliveries/{name}/redeliver")
        assert_problem(response, 409, "webhook-disabled")

    def test_that_do_not_exist(self, owner: Owner, path: str) -> None:
        response = owner.ask("post", f"{path}/deliveries/msg_none/redeliver")
        assert_problem(response, 404, "not-found")


PLACES = [
    ("get", ""),
    ("patch", ""),
    ("delete", ""),
    ("post", "/rotate"),
    ("post", "/ping"),
    ("get", "/deliveries"),
    ("post", "/deliveries/msg_none/redeliver"),
]


@pytest.mark.parametrize(("method", "suffix"), PLACES)
class TestStrangers:
    def test_see_nothing(self, path: str, client: Client, method: str, suffix: str) -> None:
        stranger = Owner(client, Account.objects.create())
        body: Any = {} if method == "patch" else None
        assert_problem(stranger.ask(method, path + suffix, body), 404, "not-found")

    def test_need_a_key(self, path: str, client: Client, method: str, suffix: str) -> None:
        assert_problem(getattr(client, method)(path + suffix), 401, "unauthorized")

    def test_need_a_key_for_it(
        self, path: str, account: Account, client: Client, method: str, suffix: str
    ) -> None:
        reader = Owner(client, account, "games:read", "games:play")
        response = reader.ask(method, path + suffix, {} if method == "patch" else None)
        assert_problem(response, 403, "insufficient-scope")


class TestDescriptions:
    def test_every_kind_is_described(self) -> None:
        kinds = {*KINDS.split(), "ping"}
        assert set(openapi_document()["webhooks"]) == kinds

    def test_what_is_sent_is_as_described(
        self, owner: Owner, path: str, account: Account, receiver: Receiver, work: Work
    ) -> None:
        game = playing(account, Account.objects.create()).game
        owner.ask("post", f"{path}/ping")
        owner.ask("post", f"/api/v1/games/{game}/resign", {"seat": 0})
        work()
        types = set()
        for request in receiver.requests:
            body = json.loads(request.body)
            types.add(body["type"])
            request_body = openapi_document()["webhooks"][body["type"]]["post"]["requestBody"]
            schema = {**request_body["content"]["application/json"]["schema"]}
            schema["components"] = {"schemas": openapi_document()["components"]["schemas"]}
            Draft202012Validator(schema).validate(body)
        assert types >= {"game.started", "game.entry", "game.over", "ping"}
