"""The quick path beside the endpoint: each request for an action that a test sends is answered by
both, at the same moment and on the same database, and must have the same reply and the same
entries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import pytest
from django.db import connection, transaction
from django.utils import timezone

from api.games import quick_actions
from config.http_server import problem_responses
from config.http_server.quick_requests import QuickRequest, read_request
from config.quick_path import reply_bytes
from games import request_trace
from games.group_commit import append_rows
from games.log_groups import Append
from games.log_store import LostRace
from games.models import Game
from tests.games.sitting import stored_entries

BODY_START: Final = b"\r\n\r\n"
UNHEADED: Final = ("HTTP_COOKIE",)  # which Django's client always sends, mostly empty
compared_games: Final[list[str]] = []  # in this process, in order
Compare = Callable[[Any], None]


class Answer(NamedTuple):
    """The reply of the quick path, and the rows that it would write."""

    game: str
    headers: list[tuple[bytes, bytes]]
    body: bytes
    rows: list[Any]


@contextmanager
def compared(environ: Mapping[str, Any]) -> Iterator[Compare]:
    """Within the block, the endpoint answers; its response is to be compared."""
    request = read_request(raw_request(environ)) if environ["REQUEST_METHOD"] == "POST" else None
    if request is None or not connection.in_atomic_block or connection.needs_rollback:
        yield lambda _: None
        return
    moment = timezone.now()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timezone, "now", lambda: moment)
        answer = quick_answer(request)
        yield lambda response: None if answer is None else check(answer, response)


def raw_request(environ: Mapping[str, Any]) -> bytes:
    """The request as a client would send it."""
    query = environ.get("QUERY_STRING", "")
    target = environ["PATH_INFO"] + (f"?{query}" if query else "")
    names = [name for name in environ if name.startswith("HTTP_") and name not in UNHEADED]
    headers = {name.removeprefix("HTTP_").replace("_", "-"): environ[name] for name in names}
    headers |= {"Host": "testserver", "Content-Type": environ.get("CONTENT_TYPE", "")}
    headers["Content-Length"] = environ.get("CONTENT_LENGTH", "0")
    lines = [f"POST {target} HTTP/1.1", *(f"{name}: {text}" for name, text in headers.items())]
    body = environ["wsgi.input"]
    content: bytes = body.read()
    body.__init__(content)  # to be read once more
    return "\r\n".join(lines).encode("utf-8", "replace") + BODY_START + content


def quick_answer(request: QuickRequest) -> Answer | None:
    """The answer of the quick path, which asks no database; then all is as it was."""
    with connection.execute_wrapper(refuse_query), request_trace.use_trace({}):
        authorization = request.headers[b"authorization"].decode()
        try:
            action = quick_actions.prepare(request.game, authorization, request.body)
        except quick_actions.OUT_OF_DATE:
            return None
        if action is None:
            return None
        sent = reply_bytes(quick_actions.reply_to(action))
    if action.admission is not None:
        action.admission.give_back()
    rows = rows_after(action.prepared.append)
    if rows is None:
        return None
    head, _, body = sent.partition(BODY_START)
    lines = [line.partition(b": ") for line in head.split(b"\r\n")]
    return Answer(request.game, [(name, value) for name, _, value in lines], body, rows)


def rows_after(append: Append) -> list[Any] | None:
    """The content of the game after an append, which is then undone; None if the append has lost a
    race, and the endpoint has to answer."""
    point = transaction.savepoint()
    try:
        append_rows(*append)
        return content_of(append.game)
    except LostRace:
        return None
    finally:
        transaction.savepoint_rollback(point)


def refuse_query(execute: Any, sql: str, *arguments: Any) -> Any:
    """Fail: a query would block the event loop."""
    raise AssertionError(f"the event loop must not wait for {sql}")


def content_of(game: str) -> list[Any]:
    """The row of a game and its entries, without the encrypted columns."""
    row = Game.objects.filter(pk=game).values().get()
    return [row, [(entry.seq, entry.text, entry.hash) for entry in stored_entries(game)]]


def check(answer: Answer, response: Any) -> None:
    """Assert that the endpoint has answered and written the same."""
    assert response.status_code == 201, response.content
    headers = problem_responses.asgi_headers(response)
    assert without_id(answer.headers) == without_id(headers)
    assert answer.body == response.content
    assert answer.rows == content_of(answer.game)
    compared_games.append(answer.game)


def without_id(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers in order, without the value of the id, which no two requests share."""
    return [(name, b"" if name == b"request-id" else value) for name, value in headers]
