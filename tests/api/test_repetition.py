"""Idempotency of every POST: repeated under its `Idempotency-Key` it is answered as the first time,
secrets are stored sealed, and repetitions without a key are answered too."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

import pytest
from django.utils import timezone
from pytest_django import Settings

from api import idempotency
from api.games import exports
from api.limits.cleanup import delete_expired_rows
from api.models import Reply
from games import position_cache, services
from games.models import Game, Request
from games.services import SeatAssignment
from tests.api.calls import Call, call_of
from tests.api.program import Program, program_of
from tests.api.test_matrix import assert_refused, caller_program, operations_where
from tests.api.world import BASE, World, rows
from tests.games.sitting import SEED, SLUG

pytestmark = pytest.mark.stores

KEY: Final = {"Idempotency-Key": '"2a3b5c0e-7f6d-4f53-9a55-1c2d3e4f5a6b"'}
POSTS: Final = operations_where(lambda operation: operation["method"] == "POST")
# Repeating these has no further effect: they change nothing, or import the same game.
WITHOUT: Final = {"check_action", "verify_export", "import_game"}
GONE: Final = {"delete_me"}  # a deleted account takes its replies with it
KEPT: Final = [name for name in POSTS if name not in WITHOUT | GONE]
STORED: Final = [name for name in KEPT if name != "act"]  # whose replies are not in the log


def send_with_key(call: Call, program: Program, **changes: Any) -> Any:
    """The response to a call under a key."""
    changed_call = call.with_changes(**changes)
    body = "" if changed_call.body is None else changed_call.body
    kind = changed_call.kind or "application/octet-stream"
    if changed_call.body is None:
        return program.generic("POST", changed_call.path, headers=KEY)
    return program.send(changed_call.path, body, content_type=kind, headers=KEY)


def takes_key(operation: dict[str, Any]) -> bool:
    """Whether the document lets the client send a key."""
    return "Idempotency-Key" in {each["name"] for each in operation.get("parameters", ())}


def test_the_document_says_where() -> None:
    assert operations_where(takes_key) == KEPT


def readable_parts(stored: bytes) -> Iterator[bytes]:
    """The bytes as they are, and decompressed from each place on."""
    yield stored
    for start in range(len(stored)):
        with suppress(zlib.error):
            yield zlib.decompressobj().decompress(stored[start:])


def test_a_compressed_secret_can_be_read() -> None:
    stored = b"nonce" + zlib.compress(b'[201]\n{"secret": "tab_1"}')
    assert [part for part in readable_parts(stored) if b"tab_1" in part]


@pytest.mark.django_db
class TestEveryPost:
    @pytest.mark.parametrize("operation", KEPT)
    def test_is_done_once_and_answered_twice(self, world: World, operation: str) -> None:
        call = call_of(world, operation)
        first = send_with_key(call, caller_program(world, call))
        assert first.status_code == call.spec.status, first.content
        assert "Idempotent-Replayed" not in first
        before = rows()
        again = send_with_key(call, caller_program(world, call))
        assert (again.status_code, again.content) == (first.status_code, first.content)
        assert again.get("Location") == first.get("Location")
        assert again["Idempotent-Replayed"] == "true"
        assert rows() == before

    @pytest.mark.parametrize("operation", KEPT)
    def test_of_another_content_needs_another_key(self, world: World, operation: str) -> None:
        call = call_of(world, operation)
        program = caller_program(world, call)
        is_anonymous = operation in ("create_guest", "redeem_code")
        path = f"{BASE}/guests" if is_anonymous else f"{BASE}/me/keys"
        body = {"name": "first"}
        assert program.send(path, body, headers=KEY).status_code == 201
        before = rows()
        assert_refused(send_with_key(call, program), "idempotency-key-reused")
        assert rows() == before

    @pytest.mark.parametrize("operation", STORED)
    def test_keeps_nothing_that_can_be_read(self, world: World, operation: str) -> None:
        call = call_of(world, operation)
        response = send_with_key(call, caller_program(world, call)).json()
        sealed = bytes(Reply.objects.get().sealed)
        secret = (
            response.get("secret")
            or response.get("id")
            or response.get("code")
            or response["codes"][0]
        )
        assert secret is not None
        assert not [part for part in readable_parts(sealed) if secret.encode() in part]

    @pytest.mark.parametrize("operation", STORED)
    def test_says_when_the_reply_is_gone(self, world: World, operation: str) -> None:
        call = call_of(world, operation)
        send_with_key(call, caller_program(world, call))
        Reply.objects.update(created=timezone.now() - Reply.KEPT_FOR - timedelta(seconds=1))
        before = rows()
        assert_refused(send_with_key(call, caller_program(world, call)), "reply-expired")
        assert rows() == before
        delete_expired_rows()
        assert not Reply.objects.exists()
        assert_refused(send_with_key(call, caller_program(world, call)), "reply-expired")

    @pytest.mark.parametrize("operation", sorted(WITHOUT))
    def test_but_what_changes_nothing_is_asked_anew(self, world: World, operation: str) -> None:
        call = call_of(world, operation)
        for repeated in (False, True):
            response = send_with_key(call, caller_program(world, call))
            is_imported = repeated and operation == "import_game"  # already imported by then
            assert response.status_code == (200 if is_imported else call.spec.status)
            assert "Idempotent-Replayed" not in response
        assert not Request.objects.exists()

    @pytest.mark.parametrize("operation", STORED)
    def test_that_fails_in_the_end_has_done_nothing(
        self, world: World, operation: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """And no process assumes that it succeeded."""
        call = call_of(world, operation)
        keep = idempotency._store_reply

        def fail(*_: Any) -> None:
            raise OSError("the disk is full")

        monkeypatch.setattr(idempotency, "_store_reply", fail)
        before, heads = rows(), dict(position_cache.cache._latest)
        assert send_with_key(call, caller_program(world, call)).status_code == 500
        assert rows() == before
        committed = _committed()
        for game, head in position_cache.cache._latest.items():
            assert head in (heads.get(game), committed.get(game))
        monkeypatch.setattr(idempotency, "_store_reply", keep)
        assert send_with_key(call, caller_program(world, call)).status_code == call.spec.status


def _committed() -> dict[str, int]:
    """The heads of all logs."""
    return dict(Game.objects.values_list("pk", "seq"))


@pytest.mark.django_db
class TestKeys:
    def test_of_strangers_are_no_easy_guess(self, client: Program) -> None:
        short = client.send(f"{BASE}/guests", {}, headers={"Idempotency-Key": "guest-1"})
        assert "16" in assert_refused(short, "bad-request")["detail"]

    def test_of_strangers_belong_to_their_address(self, client: Program) -> None:
        first, second = (
            client.send(f"{BASE}/guests", {}, headers=KEY, REMOTE_ADDR=address).json()
            for address in ("192.0.2.1", "192.0.2.2")
        )
        assert first["account"]["id"] != second["account"]["id"]

    def test_of_an_account_are_nothing_to_another(self, world: World) -> None:
        responses = [
            program.send(f"{BASE}/me/keys", {}, headers=KEY).json()["key"]["id"]
            for program in (world.as_ada, world.as_bob)
        ]
        assert responses[0] != responses[1]

    def test_tell_a_secret_to_no_weaker_key_of_the_account(self, world: World) -> None:
        request = (f"{BASE}/me/keys", {"scopes": ["games:read"]})
        assert world.as_ada.send(*request, headers=KEY).status_code == 201
        weak = program_of(world.ada, "games:read")
        assert_refused(weak.send(*request, headers=KEY), "insufficient-scope")

    def test_are_refused_where_they_are_no_keys(self, world: World) -> None:
        for key in ("x" * 256, "a\tb"):
            headers = {"Idempotency-Key": key}
            assert_refused(world.as_ada.send(f"{BASE}/me/keys", {}, headers=headers), "bad-request")

    def test_are_ignored_where_nothing_is_posted(self, world: World) -> None:
        assert world.as_ada.get(f"{BASE}/me", headers=KEY).status_code == 200
        assert_refused(world.as_ada.send(f"{BASE}/me", {}, headers=KEY), "method-not-allowed")

    def test_are_free_again_after_a_refusal(self, world: World) -> None:
        request = (f"{BASE}/me/keys", {"name": "x" * 100})
        assert_refused(world.as_ada.send(*request, headers=KEY), "bad-name")
        assert world.as_ada.send(f"{BASE}/me/keys", {}, headers=KEY).status_code == 201

    def test_are_no_use_to_whoever_rotated_the_sealing_key_away(
        self, world: World, settings: Settings
    ) -> None:
        request: tuple[str, Any] = (f"{BASE}/me/keys", {})
        world.as_ada.send(*request, headers=KEY)
        settings.SEALING_KEYS = [bytes(32)]
        assert_refused(world.as_ada.send(*request, headers=KEY), "reply-expired")

    def test_open_no_reply_of_another_row(self, world: World) -> None:
        request: tuple[str, Any] = (f"{BASE}/me/keys", {})
        for program in (world.as_ada, world.as_bob):
            program.send(*request, headers=KEY)
        own, other = Reply.objects.order_by("pk")
        Reply.objects.filter(pk=own.pk).update(sealed=other.sealed)
        assert_refused(world.as_ada.send(*request, headers=KEY), "reply-expired")


# -- without a key --------------------------------------------------------------------------------


def ask(program: Program, game: str, command: str, **body: Any) -> Any:
    return program.send(f"{BASE}/games/{game}/{command}", body)


@pytest.mark.django_db
class TestBlindRepetition:
    def test_of_joining_is_answered_when_the_game_has_begun(self, world: World) -> None:
        game = world.gathering()
        first = ask(world.as_bob, game, "join", seat=1)
        assert first.json()["phase"] == "playing"
        before = rows()
        again = ask(world.as_bob, game, "join", seat=1)
        assert (again.status_code, again.json()["your_seats"]) == (200, [1])
        assert rows() == before

    def test_of_joining_with_another_promise_is_none(self, world: World) -> None:
        game = world.gathering()
        ask(world.as_bob, game, "join", seat=1)
        assert_refused(ask(world.as_bob, game, "join", seat=1, seed_hash="0" * 64), "started")

    def test_of_leaving_is_answered(self, world: World) -> None:
        game = world.joined()
        first = ask(world.as_bob, game, "leave", seat=1)
        before = rows()
        again = ask(world.as_bob, game, "leave", seat=1)
        assert (again.status_code, again.json()) == (200, first.json())
        assert rows() == before

    def test_of_leaving_what_nobody_took_is_none(self, world: World) -> None:
        assert_refused(ask(world.as_bob, world.joined(), "leave", seat=2), "not-your-seat")

    def test_of_leaving_is_none_once_another_sits_there(self, world: World) -> None:
        game = world.joined()
        ask(world.as_bob, game, "leave", seat=1)
        ask(world.as_eve, game, "join", seat=1)
        assert_refused(ask(world.as_bob, game, "leave", seat=1), "not-your-seat")

    def test_leaving_a_private_table_is_answered_with_its_last_look(self, world: World) -> None:
        game = world.joined(visibility="private")
        response = ask(world.as_bob, game, "leave", seat=1)
        assert (response.status_code, response.json()["your_seats"]) == (200, [])
        assert_refused(world.as_bob.get(f"{BASE}/games/{game}"), "not-found")

    @pytest.mark.parametrize("seats", [2, 3])
    def test_of_resigning_is_answered(self, world: World, seats: int) -> None:
        seating = [
            SeatAssignment(account=account) for account in (world.ada, world.bob, world.eve)[:seats]
        ]
        game = world.created(*seating)
        first = ask(world.as_ada, game, "resign", seat=0)
        before = rows()
        again = ask(world.as_ada, game, "resign", seat=0)
        assert (again.status_code, again.json()) == (200, first.json())
        assert rows() == before

    def test_of_starting_is_answered(self, world: World) -> None:
        game = world.gathering()
        first = ask(world.as_ada, game, "start", fill_with="random")
        before = rows()
        again = ask(world.as_ada, game, "start", fill_with="random")
        assert (again.status_code, again.json()) == (200, first.json())
        assert rows() == before

    def test_of_starting_what_was_called_off_is_none(self, world: World) -> None:
        game = world.gathering()
        services.call_off_game(game)
        assert_refused(ask(world.as_ada, game, "start"), "started")

    def test_of_opening_a_seed_is_answered(self, world: World) -> None:
        game = world.promised()
        first = ask(world.as_ada, game, "seeds", seat=0, seed=SEED)
        before = rows()
        again = ask(world.as_ada, game, "seeds", seat=0, seed=SEED)
        assert (again.status_code, again.json()) == (200, first.json())
        assert rows() == before
        assert_refused(ask(world.as_ada, game, "seeds", seat=0, seed="0" * 64), "started")

    def test_of_seating_a_bot_is_answered(self, world: World) -> None:
        game = world.gathering()
        for seat, bot in ((1, "random"), (0, "greedy")):
            first = ask(world.as_ada, game, "bots", seat=seat, bot=bot)
            before = rows()
            again = ask(world.as_ada, game, "bots", seat=seat, bot=bot)
            assert (again.status_code, again.json()) == (200, first.json())
            assert rows() == before
        assert_refused(ask(world.as_bob, game, "bots", seat=1, bot="random"), "not-your-seat")
        assert_refused(ask(world.as_ada, game, "bots", seat=1, bot="greedy"), "not-your-seat")
        assert_refused(ask(world.as_ada, game, "bots", seat=9, bot="greedy"), "not-your-seat")

    @pytest.mark.parametrize(
        ("service", "action", "body"),
        [
            ("join_game", "join", {"seat": 1}),
            ("leave_game", "leave", {"seat": 1}),
            ("resign_seat", "resign", {"seat": 1}),
            ("fill_seats", "start", {"fill_with": "random"}),
            ("replace_seat", "bots", {"seat": 1, "bot": "random"}),
            ("open_seed", "seeds", {"seat": 0, "seed": SEED}),
        ],
    )
    def test_at_the_same_time_is_answered(
        self,
        world: World,
        monkeypatch: pytest.MonkeyPatch,
        service: str,
        action: str,
        body: dict[str, Any],
    ) -> None:
        """The first request is processed between the check of the second and its append."""
        original = getattr(services, service)

        def append_twice(*arguments: Any, **options: Any) -> Any:
            original(*arguments, **options)
            return original(*arguments, **options)

        game = {
            "join": world.gathering,
            "start": world.gathering,
            "leave": world.joined,
            "resign": world.playing,
            "bots": world.playing,
            "seeds": world.promised,
        }[action]()
        monkeypatch.setattr(services, service, append_twice)
        client = world.as_ada if action in ("start", "seeds") else world.as_bob
        assert ask(client, game, action, **body).status_code == 200

    @pytest.mark.parametrize("seat", [7, 2**31 - 1])
    def test_of_what_never_was_is_none(self, world: World, seat: int) -> None:
        assert_refused(ask(world.as_ada, world.over(), "resign", seat=seat), "not-your-seat")
        assert_refused(ask(world.as_ada, world.gathering(), "leave", seat=seat), "unknown-seat")

    def test_of_a_webhook_tells_no_secret(self, world: World) -> None:
        body = {"url": "https://1.1.1.1/hook", "kinds": ["game.over", "game.started"]}
        first = world.as_ada.send(f"{BASE}/webhooks", body)
        reordered = {**body, "kinds": body["kinds"][::-1]}
        again = world.as_ada.send(f"{BASE}/webhooks", reordered)
        assert (first.status_code, again.status_code) == (201, 200)
        assert again.json() == {"secret": None, "webhook": first.json()["webhook"]}
        assert again["Location"] == first["Location"]
        other = world.as_ada.send(f"{BASE}/webhooks", {**body, "kinds": ["game.over"]})
        assert other.status_code == 201
        assert world.as_bob.send(f"{BASE}/webhooks", body).status_code == 201


@pytest.mark.django_db
@pytest.mark.parametrize("depth", [60, 300, 600, 1000])
@pytest.mark.parametrize("headers", [{}, KEY])
def test_a_body_may_be_nested_as_deeply_as_it_likes(
    world: World, depth: int, headers: dict[str, str]
) -> None:
    """It is refused with the appropriate problem."""
    nested = "[" * depth + "]" * depth
    text = f'{{"rules": "{SLUG}", "seats": [{{"kind": "me"}}, {{"kind": "me"}}], "options": '
    for options in (nested, f'{{"laws_kept": {nested}}}', f'{{"x": {nested}}}'):
        response = world.as_ada.send(f"{BASE}/games", f"{text}{options}}}", headers=headers)
        assert_refused(response, "invalid-options", "invalid-body", "invalid-json")
    body = f'{{"seat": 0, "choice": "x", "action": {{"type": {nested}}}}}'
    path = f"{BASE}/games/{world.awaiting()}/actions"
    assert_refused(
        world.as_ada.send(path, body, headers=headers),
        *("invalid-body", "invalid-json", "illegal-action", "stale-choice"),
    )


@pytest.mark.django_db
def test_an_import_again_is_the_same_game(world: World) -> None:
    call = call_of(world, "import_game")
    ids = {call.send(caller_program(world, call)).json()["id"] for _ in range(2)}
    assert len(ids) == 1
    assert not exports.ImportEndpoint.keeps_replies
