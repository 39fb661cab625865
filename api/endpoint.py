"""What do all endpoints have in common? Careful reading of the query, and honest cache headers."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from api.errors import Refusal


class NoQuery(Serializer[Any]):
    """An endpoint without query parameters."""


class Endpoint(APIView):
    """Refuses what it does not know, says how long its answer may be kept."""

    http_method_names = (
        "get",
        "head",
        "post",
        "put",
        "patch",
        "delete",
    )  # OPTIONS would say nothing
    query: ClassVar[type[Serializer[Any]]] = NoQuery
    cache_control: ClassVar[str] = "no-store"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Before any method: is there a parameter that this endpoint does not know?"""
        super().initial(request, *args, **kwargs)
        known = self.query().fields
        unknown = sorted(set(request.query_params) - set(known))
        if unknown:
            listed = ", ".join(known) or "none"
            errors = [_error(name, "unknown", f"Known are: {listed}.") for name in unknown]
            raise Refusal("unknown-parameter", f"Unknown: {', '.join(unknown)}.", errors)

    def asked(self, request: Request) -> dict[str, Any]:
        """The query as values, or the refusal that lists all that is wrong with it."""
        query = self.query(data=request.query_params)
        if not query.is_valid():
            errors = [
                _error(name, detail.code, str(detail))
                for name, details in query.errors.items()
                for detail in details
            ]
            raise Refusal("invalid-parameter", "A query parameter cannot be read.", errors)
        return dict(query.validated_data)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """After any method: only what went well may be kept."""
        finished = super().finalize_response(request, response, *args, **kwargs)
        if finished.status_code == 200:
            finished.setdefault("Cache-Control", self.cache_control)
        return finished


def _error(parameter: str, code: str, detail: str) -> dict[str, str]:
    return {"parameter": parameter, "code": code, "detail": detail}
