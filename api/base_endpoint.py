"""The base class of all endpoints, DRF's view with rate limits, idempotency keys, strict reading of
queries and bodies, and cache headers."""

from __future__ import annotations

from typing import Any, ClassVar, Final, TypeVar

from django.conf import settings
from django.core.exceptions import TooManyFieldsSent
from django.utils.cache import patch_vary_headers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from api import deprecations, idempotency
from api.authentication import authorized_caller
from api.errors import Refusal
from api.limits import rate_limiting
from api.limits.rate_limiting import Admission
from api.schema import SCOPE_ATTRIBUTE, undescribed
from games import request_trace
from tabularium_engines.common.json_codec import MalformedDocument, from_json

T = TypeVar("T")

# of responses that depend on the caller: to be revalidated, or never to change
REVALIDATED: Final = "no-cache"
IMMUTABLE: Final = "max-age=31536000, immutable"
PERSONAL_CACHE_CONTROLS: Final = (REVALIDATED, IMMUTABLE)


def _parameter_names(request: Request) -> set[str]:
    """The names in the query, unless they are far too many."""
    try:
        return set(request.query_params)
    except TooManyFieldsSent as problem:
        limit = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        raise Refusal("bad-request", f"The query has more than {limit} parameters.") from problem


class EmptyQuery(Serializer[Any]):
    """No query parameters."""


class Endpoint(APIView):
    """Refuses unknown parameters, and declares how long its responses may be cached."""

    http_method_names = ("get", "head", "post", "put", "patch", "delete", "options")
    query: ClassVar[type[Serializer[Any]]] = EmptyQuery
    cache_control: ClassVar[str] = "no-store"
    # Whether responses hold no secret beside text that others have written, such as their names:
    # the length of a compressed one would tell about it.
    may_be_compressed: ClassVar[bool] = False
    # Whether a POST with an `Idempotency-Key` runs once and its reply is stored; False where it
    # changes nothing, or where the view ensures this by other means.
    keeps_replies: ClassVar[bool] = True
    min_idempotency_key_length: ClassVar[int] = 1  # characters

    admission: Admission | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before any method: apply the rate limits, refuse unknown query parameters, and handle an
        `Idempotency-Key`."""
        request_trace.add_to_trace(game=kwargs.get("game"))
        self.admission = rate_limiting.admit(request)
        if self.admission:
            self.admission.check()
        super().initial(request, *args, **kwargs)
        parameters = self.query._declared_fields
        unknown_names = sorted(_parameter_names(request) - set(parameters))
        if unknown_names:
            parameter_list = ", ".join(parameters) or "none"
            errors = [
                _parameter_error(name, "unknown", f"Known parameters: {parameter_list}.")
                for name in unknown_names
            ]
            raise Refusal("unknown-parameter", f"Unknown: {', '.join(unknown_names)}.", errors)
        if request.method == "POST" and self.keeps_replies and "Idempotency-Key" in request.headers:
            self._make_post_idempotent(request)

    def _make_post_idempotent(self, request: Request) -> None:
        """Wrap the `post` that DRF calls next, so that it runs once per idempotency key."""
        post: Any = getattr(self, "post", None)
        if post is None:
            return
        scope: str = getattr(post, SCOPE_ATTRIBUTE)
        owner = (
            authorized_caller(request, scope).account
            if scope
            else idempotency.anonymous_owner_of(request)
        )
        idempotent_request = idempotency.idempotent_request_of(
            request, owner, self.json_body(request), self.min_idempotency_key_length
        )
        if idempotent_request is not None:

            def run_once(*args: Any, **kwargs: Any) -> Response:
                return idempotency.run_idempotent(idempotent_request, lambda: post(*args, **kwargs))

            vars(self)["post"] = run_once

    def charge(self, tokens: int) -> None:
        """Count the request for that many more, or refuse it."""
        if self.admission:
            self.admission = self.admission.with_more(tokens)
            self.admission.check()

    @staticmethod
    def json_body(request: Request) -> Any:
        """The body as JSON; an empty object if there is none."""
        if not request.content_type and request.META.get("CONTENT_LENGTH", "0") not in ("", "0"):
            raise Refusal(
                "unsupported-media-type", "Send the header `Content-Type: application/json`."
            )
        return request.data if request.content_type else {}

    @staticmethod
    def parse_body(request: Request, kind: type[T]) -> T:
        """The body as a value of the shape, or a refusal that points at the mismatch."""
        body = Endpoint.json_body(request)
        deprecations.note_members(request, kind.__name__, body)
        try:
            return from_json(kind, body)
        except MalformedDocument as problem:
            error = {"pointer": problem.pointer, "code": problem.code, "detail": problem.sentence}
            raise Refusal("invalid-body", str(problem), [error]) from problem

    @undescribed
    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """The methods of this resource, in the header `Allow`."""
        return Response(status=204, headers={"Allow": ", ".join(self.allowed_methods)})

    def parse_query(self, request: Request) -> dict[str, Any]:
        """The query as values, or a refusal that lists its errors."""
        repeated_names = [name for name, values in request.query_params.lists() if len(values) > 1]
        if repeated_names:
            errors = [
                _parameter_error(name, "repeated", "Parameter given more than once.")
                for name in repeated_names
            ]
            raise Refusal("invalid-parameter", "A query parameter is given more than once.", errors)
        query = self.query(data=request.query_params.dict())
        if not query.is_valid():
            errors = [
                _parameter_error(name, detail.code, str(detail))
                for name, details in query.errors.items()
                for detail in details
            ]
            raise Refusal("invalid-parameter", "A query parameter has an invalid value.", errors)
        return dict(query.validated_data)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """After any method: only a successful response may be cached; by shared caches only if it
        is the same for all."""
        final_response = super().finalize_response(request, response, *args, **kwargs)
        if final_response.status_code == 200:
            final_response.setdefault("Cache-Control", self.cache_control)
            vars(final_response)["may_be_compressed"] = self.may_be_compressed
        if final_response.get("Cache-Control") in PERSONAL_CACHE_CONTROLS:
            sharing = "private" if "Authorization" in request.headers else "public"
            final_response["Cache-Control"] = f"{sharing}, {final_response['Cache-Control']}"
            patch_vary_headers(final_response, ("Authorization",))
        if self.admission:
            self.admission.add_headers(final_response)
        deprecations.add_headers(request, final_response)
        return final_response


def _parameter_error(parameter: str, code: str, detail: str) -> dict[str, str]:
    return {"parameter": parameter, "code": code, "detail": detail}
