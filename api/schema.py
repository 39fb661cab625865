"""How is the OpenAPI document made? From the views and serializers, with what all of them share."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from api.errors import MEDIA_TYPE
from api.serializers import ProblemSerializer


class Schema(AutoSchema):
    """Says of every operation that all its refusals are problems."""

    def _get_response_bodies(
        self, direction: Literal["request", "response"] = "response"
    ) -> dict[str, Any]:
        bodies = super()._get_response_bodies(direction)
        kind = (ProblemSerializer, "default", [MEDIA_TYPE], direction)
        told = self._get_response_for_code(*kind)  # type: ignore[no-untyped-call]
        return {**bodies, "default": {**told, "description": "Refused: a problem (RFC 9457)."}}


@cache
def openapi() -> dict[str, Any]:
    """The OpenAPI 3.1 document of this API."""
    document: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return document
