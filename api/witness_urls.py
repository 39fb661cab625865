"""The URL routes under /witness: the witness in the paths of C2SP tlog-witness."""

from __future__ import annotations

from django.urls import path

from api.witness_endpoints import AddCheckpointEndpoint, WitnessedEndpoint

urlpatterns = [
    path("add-checkpoint", AddCheckpointEndpoint.as_view(), name="witness-add-checkpoint"),
    path("<str:log>/checkpoint", WitnessedEndpoint.as_view(), name="witness-checkpoint"),
]
