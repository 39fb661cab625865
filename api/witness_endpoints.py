"""The witness over HTTP: other logs submit checkpoints, and get cosignatures.

Statuses, bodies and paths are those of C2SP tlog-witness, so that the programs of others work with
them; they are no part of the API's document. A refusal that the API does not know is a problem of
the type `about:blank`, whose detail states the reason.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.http import Http404, HttpResponse, JsonResponse
from rest_framework.request import Request
from rest_framework.response import Response

from api.base_endpoint import Endpoint
from api.errors import PROBLEM_MEDIA_TYPE, problem_response
from api.parsers import RawParser
from api.renderers import PlainTextRenderer
from api.schema import undescribed
from games import request_trace
from record import witness
from tabularium_log.record.errors import MalformedError, RecordError

logger = logging.getLogger(__name__)

SIZE_MEDIA_TYPE: Final = "text/x.tlog.size"
STATUSES: Final[Mapping[type[RecordError], HTTPStatus]] = {
    witness.UnsignedCheckpointError: HTTPStatus.FORBIDDEN,
    witness.UnprovenError: HTTPStatus.UNPROCESSABLE_ENTITY,
    MalformedError: HTTPStatus.BAD_REQUEST,
}


class AddCheckpointEndpoint(Endpoint):
    """A new checkpoint of another log."""

    parser_classes = (RawParser,)
    renderer_classes = (PlainTextRenderer,)
    keeps_replies = False  # a cosigned checkpoint may be submitted again

    @undescribed
    def post(self, request: Request) -> Response | HttpResponse:
        """Cosign a checkpoint that is proven to continue the last one."""
        body: Any = request.data
        raw = body if isinstance(body, bytes) else b""  # without a body it is a dictionary
        try:
            return Response(witness.add_checkpoint(raw).decode())
        except witness.OldSizeError as problem:
            return HttpResponse(f"{problem.size}\n", content_type=SIZE_MEDIA_TYPE, status=409)
        except witness.UnknownLogError as problem:
            raise Http404(str(problem)) from problem
        except RecordError as problem:
            return refusal(problem)


class WitnessedEndpoint(Endpoint):
    """The last cosigned checkpoint of a log."""

    cache_control = "public, max-age=5"
    renderer_classes = (PlainTextRenderer,)

    @undescribed
    def get(self, request: Request, log: str) -> Response:
        """Get the checkpoint with the cosignatures, by the hash of the log's origin."""
        witnessed = witness.latest_witnessed(log)
        if witnessed is None:
            raise Http404("No checkpoint of this log was cosigned here.")
        return Response(witnessed.note)


def refusal(problem: RecordError) -> HttpResponse:
    """The reply for a refused checkpoint, or for a witness that is not ready."""
    status = next((status for kind, status in STATUSES.items() if isinstance(problem, kind)), None)
    if status is None:
        logger.error("The witness cosigns nothing: %s", problem)
        return problem_response("unavailable", "The witness is not ready.")
    document = {
        "type": "about:blank",
        "title": status.phrase,
        "status": status.value,
        "detail": str(problem),
        "request_id": request_trace.current_request_id(),
    }
    return JsonResponse(document, status=status.value, content_type=PROBLEM_MEDIA_TYPE)
