"""The witness over HTTP: statuses, bodies and headers as C2SP tlog-witness has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from api.limits import rate_limiting
from record.cosignature import parse_lines, verified_lines
from record.models import Witnessed
from record.witness_identity import guard_path, log_hash
from record.witness_request import AddCheckpoint
from tabularium_log.record.note import open_note
from tests.record.witnessing import LOG, WITNESS, Log, use_witness

pytestmark = pytest.mark.django_db


@pytest.fixture
def log(tmp_path: Path, settings: Settings) -> Log:
    """A log of three leaves, which the witness knows."""
    found = Log("a", "b", "c")
    use_witness(tmp_path, settings, found)
    return found


def post(body: bytes, content_type: str = "application/octet-stream", **headers: str) -> Any:
    """The reply to a checkpoint."""
    return Client().post("/witness/add-checkpoint", body, content_type, headers=headers)


def get(log: str) -> Any:
    """The reply for a log's hash."""
    return Client().get(f"/witness/{log}/checkpoint")


def assert_refused(reply: Any, status: int, *parts: str) -> None:
    """Assert that it is a problem with this status."""
    assert (reply.status_code, reply["Content-Type"]) == (status, "application/problem+json")
    document = reply.json()
    assert document["status"] == status
    assert document["request_id"] == reply["Request-Id"]
    assert reply["Cache-Control"] == "no-store"
    for part in parts:
        assert part in document["detail"]


class TestAddCheckpoint:
    @pytest.mark.parametrize(
        "content_type",
        ["application/octet-stream", "text/plain", "application/x-www-form-urlencoded", "x/y", ""],
    )
    def test_any_media_type_is_cosigned(self, log: Log, content_type: str) -> None:
        reply = post(log.body(0), content_type)
        assert reply.status_code == 200
        assert reply["Cache-Control"] == "no-store"
        assert reply["Access-Control-Allow-Origin"] == "*"
        lines = parse_lines(reply.content)
        assert verified_lines(log.note().text, lines, [WITNESS]) == [*lines]

    def test_another_old_size(self, log: Log) -> None:
        assert post(log.body(0, 2)).status_code == 200
        reply = post(log.body(0))
        assert (reply.status_code, reply.content) == (409, b"2\n")
        assert reply["Content-Type"] == "text/x.tlog.size"
        assert post(log.body(int(reply.content))).status_code == 200

    def test_refusals(self, log: Log) -> None:
        assert_refused(post(b""), 400, "does not begin with")
        assert_refused(post(b"old 1\n\nx"), 400)
        assert_refused(post(Log("a", key=bytes(32)).body(0)), 403, "has signed")
        assert_refused(post(Log("a", origin="another").body(0)), 404, "'another' is not known")
        assert_refused(post(AddCheckpoint(4, (), log.note()).encode()), 400, "above that")
        post(log.body(0))
        assert_refused(post(Log("a", "b", "x").body(3)), 422, "different roots")
        assert_refused(post(Log("a", "b", "x", "y").body(3)), 422, "another root")
        assert_refused(post(AddCheckpoint(3, (bytes(32),), log.note()).encode()), 422, "1 hashes")

    def test_a_large_body_is_refused_unread(self, log: Log) -> None:
        assert_refused(post(log.body(0) + bytes(2**16)), 413, "65536 bytes")

    def test_a_compressed_body_is_refused(self, log: Log) -> None:
        assert_refused(post(log.body(0), **{"Content-Encoding": "gzip"}), 415)

    def test_a_witness_that_is_not_ready(self, log: Log) -> None:
        post(log.body(0))
        guard_path(log_hash(LOG)).unlink()
        reply = post(log.body(3))
        assert_refused(reply, 503, "not ready")
        assert "guard" not in reply.content.decode()

    def test_other_methods_and_queries(self, log: Log) -> None:
        assert Client().get("/witness/add-checkpoint").status_code == 405
        assert Client().post("/witness/add-checkpoint?x=1").status_code == 400
        assert Client().post(f"/witness/{log_hash(LOG)}/checkpoint").status_code == 405

    def test_it_counts_like_what_is_expensive(self, log: Log, settings: Settings) -> None:
        settings.LIMITS = {"create": (2, 60)}
        rate_limiting.configured_buckets.cache_clear()
        statuses = [post(log.body(size)).status_code for size in (0, 3, 3)]
        assert statuses == [200, 200, 429]


class TestTheCheckpoint:
    def test_has_the_signatures_of_the_log_and_the_witness(self, log: Log) -> None:
        lines = post(log.body(0)).content.decode()
        reply = get(log_hash(LOG))
        assert reply.content == log.note().encode() + lines.encode()
        assert open_note(reply.content, [WITNESS]).text == log.note().text
        assert reply["Content-Type"] == "text/plain; charset=utf-8"
        assert reply["Cache-Control"] == "public, max-age=5"
        assert reply["Access-Control-Allow-Origin"] == "*"

    def test_is_missing_until_one_was_cosigned(self, log: Log) -> None:
        assert_refused(get(log_hash(LOG)), 404)
        post(log.body(2, 3))  # another old size, after which the log is known
        assert Witnessed.objects.exists()
        assert_refused(get(log_hash(LOG)), 404)
        post(log.body(0))
        for name in ("x", log_hash(LOG).upper(), log_hash("x"), LOG):
            assert_refused(get(name), 404)
        assert get(log_hash(LOG)).status_code == 200
