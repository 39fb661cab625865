"""The URL routes under /record: the public record in the paths of C2SP tlog-tiles."""

from __future__ import annotations

from django.urls import path

from api.record_files import CheckpointEndpoint, PolicyEndpoint, TileEndpoint

urlpatterns = [
    path("checkpoint", CheckpointEndpoint.as_view(), name="record-checkpoint"),
    path("policy", PolicyEndpoint.as_view(), name="record-policy"),
    path("tile/<path:tile>", TileEndpoint.as_view(), name="record-tile"),
]
