"""The quick path from a connection to the log and back: ordinary actions are prepared on the event
loop, committed by the writer's thread in groups, and answered on the loop. A part of memory that is
out of date, such as a position to which another process has added entries, the reader's thread
reads again before."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from io import BytesIO
from time import perf_counter
from typing import Any, Final, TypeAlias

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.base import BaseHandler
from django.db import IntegrityError, connection, connections
from django.http import HttpRequest, HttpResponse

from api import metrics, request_ids
from api.games import quick_actions
from api.games.actions import ActionsEndpoint
from api.games.quick_actions import OUT_OF_DATE, QuickAction, QuickReply
from config.http_server import problem_responses
from config.http_server.quick_requests import QuickRequest
from games import request_trace, spans
from games.group_commit import NotAppended, WaitingAppend, writer
from games.log_groups import drop_dead_connection
from games.services.append_transaction import append_attributes

logger = logging.getLogger(__name__)

# appends that wait for the writer, or requests for the reader; further ones queue for a thread
MAX_WAITING: Final = 500
STATUS: Final = 201
# called on the loop: with the head and the body of the reply, or with None and the failure of an
# append that may have been made (None: it was not made) if the endpoint has to answer
Finish = Callable[[bytes | None, BaseException | None], None]
# a game, and the call once all that the request needs is up to date
Waiting: TypeAlias = tuple[str, Callable[[], None]]


class QuickAppend(WaitingAppend):
    """An action that waits for its commit."""

    def __init__(
        self, action: QuickAction, exchange: request_ids.Exchange, finish: Finish, path: QuickPath
    ) -> None:
        super().__init__(action.prepared.append, path.settle)
        self.action = action
        self.exchange = exchange
        self.finish = finish
        self.started_at = perf_counter()
        self.span = spans.start_step(exchange.trace, "append")


class QuickPath:
    """Answers ordinary requests for actions. It belongs to one event loop."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._reader = ThreadPoolExecutor(1, "reader")
        self._is_reading = False
        self._waiting: list[Waiting] = []
        self._prepared: list[QuickAppend] = []  # in this turn of the loop
        for is_limited in (False, True):
            head_template(is_limited)  # slow, so it is made before the first request

    def close(self) -> None:
        """End the reader's thread, and its connection to the database."""
        self._reader.submit(connections.close_all)
        self._reader.shutdown()

    def begin(self, request: QuickRequest, finish: Finish) -> bool:
        """Begin to answer, and call `finish` later. False if the endpoint has to answer; then
        nothing has changed."""
        appends = writer.waiting_count + len(self._prepared)
        if max(appends, len(self._waiting)) >= MAX_WAITING:
            return False
        self._loop = asyncio.get_running_loop()
        scope = {"method": "POST", "headers": request.headers.items(), "client": request.client}
        exchange = request_ids.Exchange(scope)
        try:
            return self._submit(request, exchange, finish)
        except OUT_OF_DATE:
            self._read_and_submit(request, exchange, finish)
            return True

    def _submit(
        self, request: QuickRequest, exchange: request_ids.Exchange, finish: Finish
    ) -> bool:
        """Prepare the action and hand it to the writer; False if the endpoint has to answer."""
        authorization = request.headers[b"authorization"].decode()
        with request_trace.use_trace(exchange.trace):
            try:
                action = quick_actions.prepare(request.game, authorization, request.body)
            except OUT_OF_DATE:
                raise
            except Exception as problem:  # noqa: BLE001  # the endpoint meets it again, and reports it
                logger.debug("An action is left to the endpoint: %r", problem)
                return False
        if action is None:
            return False
        self._hand_over(QuickAppend(action, exchange, finish, self))
        return True

    def _hand_over(self, append: QuickAppend) -> None:
        """Hand an append to the writer, with all others of this turn of the loop and of those right
        after it, as one group."""
        assert self._loop is not None
        self._prepared.append(append)
        if len(self._prepared) == 1:
            self._loop.call_soon(self._hand_over_all, 0)

    def _hand_over_all(self, earlier: int) -> None:
        """Hand over, unless this turn has brought further appends to the `earlier` ones: then the
        next turn may, too."""
        assert self._loop is not None
        if len(self._prepared) > earlier:
            self._loop.call_soon(self._hand_over_all, len(self._prepared))
            return
        prepared, self._prepared = self._prepared, []
        writer.submit(*prepared)

    def _read_and_submit(
        self, request: QuickRequest, exchange: request_ids.Exchange, finish: Finish
    ) -> None:
        """Let the reader bring memory up to date, and try once again."""

        def submit_again() -> None:
            try:
                has_begun = self._submit(request, exchange, finish)
            except OUT_OF_DATE:  # such as a choice that is not open: the endpoint refuses it
                has_begun = False
            if not has_begun:
                finish(None, None)

        self._waiting.append((request.game, submit_again))
        if not self._is_reading:
            self._read()

    def _read(self) -> None:
        """Read for all games that wait by now; those that come meanwhile are the next batch."""
        batch, self._waiting = self._waiting, []
        games = list(dict.fromkeys(game for game, _ in batch))
        self._is_reading = True
        assert self._loop is not None
        reading = self._loop.run_in_executor(self._reader, read_on, games)
        reading.add_done_callback(lambda done: self._finish_reading(batch, done.result()))

    def _finish_reading(self, batch: list[Waiting], is_read: bool) -> None:
        self._is_reading = False
        if not is_read:  # the others do not wait for a database that has just failed
            batch, self._waiting = batch + self._waiting, []
        if self._waiting:
            self._read()
        for _, submit_again in batch:
            try:
                submit_again()
            except Exception:
                logger.exception("A connection failed while it was answered")

    def settle(self, appends: Sequence[Any]) -> None:
        """Hand the verdicts to the loop; runs in the writer's thread. An append that was made is
        remembered and announced, even if the loop has ended."""
        try:
            for each in appends:
                if each.failure is None:
                    with request_trace.use_trace(each.exchange.trace):
                        each.action.prepared.complete()
        finally:
            assert self._loop is not None
            self._loop.call_soon_threadsafe(self._finish_all, appends)

    def _finish_all(self, appends: Sequence[QuickAppend]) -> None:
        for each in appends:
            with request_trace.use_trace(each.exchange.trace):
                try:
                    if each.span is not None:
                        is_failure = each.failure is not None
                        each.span.end(append_attributes(each.append), is_failure=is_failure)
                    _finish(each)
                except Exception:
                    logger.exception("A connection failed while it was answered")


def read_on(games: Sequence[str]) -> bool:
    """Bring memory up to date for these games; runs in the reader's thread. Returns whether the
    database has answered."""
    try:
        drop_dead_connection()
        quick_actions.renew(games)
    except Exception as problem:  # noqa: BLE001  # the endpoint meets it again, and reports it
        logger.debug("Games are left to the endpoint: %r", problem)
        connection.close()
        return False
    return True


def _finish(append: QuickAppend) -> None:
    """Answer, or leave it to the endpoint, which then counts the request."""
    if append.failure is None:
        try:
            reply = quick_actions.reply_to(append.action)
        except Exception as problem:  # noqa: BLE001  # the endpoint reports it
            append.failure = problem
        else:
            append.finish(reply_bytes(reply), None)
            _log(append, reply)
            return
    if append.action.admission is not None:
        append.action.admission.give_back()
    is_undone = isinstance(append.failure, (NotAppended, IntegrityError))
    append.finish(None, None if is_undone else append.failure)


def _log(append: QuickAppend, reply: QuickReply) -> None:
    """Count and log the request, as the middleware does."""
    exchange = append.exchange
    seconds = perf_counter() - append.started_at
    metrics.observe_request("POST", quick_actions.ROUTE, STATUS, seconds)
    request_trace.add_to_trace(route=quick_actions.ROUTE)
    exchange.status, exchange.bytes_sent = STATUS, len(reply.body)
    exchange.log_access()


# -- the head of a reply ---------------------------------------------------------------------------


def reply_bytes(reply: QuickReply) -> bytes:
    """The headers after the server's own, and the body."""
    admission = reply.admission
    values = {
        b"location": reply.location.encode(),
        b"content-length": b"%d" % len(reply.body),
        b"request-id": request_trace.current_request_id().encode(),
    }
    if admission is not None:
        values[b"ratelimit-policy"] = admission.limit.policy_header.encode()
        values[b"ratelimit"] = admission.verdict.state_header(admission.limit).encode()
    return head_template(admission is not None) % values + reply.body


@cache
def head_template(is_limited: bool) -> bytes:
    """The headers of a 201, with places for those that differ: made by Django's middleware around a
    view that answers as the endpoint does."""
    variable = [b"location", b"content-length", b"request-id"]
    if is_limited:
        variable += [b"ratelimit-policy", b"ratelimit"]
    lines = []
    for name, value in problem_responses.asgi_headers(_sample_response(is_limited)):
        content = b"%%(%b)b" % name if name in variable else value.replace(b"%", b"%%")
        lines.append(name + b": " + content + b"\r\n")
    return b"".join(lines) + b"\r\n"


def _sample_response(is_limited: bool) -> HttpResponse:
    allowed_methods = ", ".join(ActionsEndpoint().allowed_methods)
    headers = {"Content-Type": "application/json", "Location": "", "Allow": allowed_methods}
    if is_limited:
        headers |= {"RateLimit-Policy": "", "RateLimit": ""}
    response = HttpResponse(status=STATUS, headers=headers)
    with request_trace.use_trace({}):
        whole: Any = _Middleware(response).get_response(_sample_request())
    # the middleware has counted it
    metrics.request_duration_histogram.remove("POST", "other", str(STATUS))
    assert isinstance(whole, HttpResponse)
    assert whole.status_code == STATUS
    return whole


def _sample_request() -> HttpRequest:
    pattern = settings.ALLOWED_HOSTS[0]
    host = "localhost" if pattern == "*" else pattern.removeprefix(".")
    headers = [(b"host", host.encode())]
    scope = {"type": "http", "method": "POST", "path": "/", "headers": headers, "query_string": b""}
    return ASGIRequest(scope, BytesIO())


class _Middleware(BaseHandler):
    """Django's middleware around one response."""

    def __init__(self, response: HttpResponse) -> None:
        super().__init__()
        self._response = response
        self.load_middleware()

    def _get_response(self, request: HttpRequest) -> HttpResponse:
        return self._response
