"""The addresses of the pages."""

from __future__ import annotations

from django.conf import settings
from django.urls import path

from web import assets
from web.views import Asset, EmbeddedShell, GuideFile, Shell

ASSETS = f"{settings.STATIC_URL}{assets.PREFIX}/".removeprefix("/")

urlpatterns = [
    path(f"{ASSETS}<path:name>", Asset.as_view(), name="asset"),
    path("", Shell.as_view(page="home.html"), name="home"),
    path("rules/<slug:rules>", Shell.as_view(page="rules.html"), name="page-rules"),
    path("new/<slug:rules>", Shell.as_view(page="new.html"), name="page-new"),
    path("t/<slug:game>", Shell.as_view(page="table.html"), name="page-table"),
    path("join/<slug:game>", Shell.as_view(page="join.html"), name="page-join"),
    path("ratings/<slug:rules>", Shell.as_view(page="ratings.html"), name="page-ratings"),
    path("players/<slug:account>", Shell.as_view(page="player.html"), name="page-player"),
    path("verify", Shell.as_view(page="verify.html"), name="page-verify"),
    path("record", Shell.as_view(page="record.html"), name="page-record"),
    path("guides", Shell.as_view(page="guide.html"), {"guide": "index"}, name="page-guides"),
    path("guides/<slug:guide>", Shell.as_view(page="guide.html"), name="page-guide"),
    path("guides/<str:name>", GuideFile.as_view(), name="guide-file"),
    path("me", Shell.as_view(page="me.html"), name="page-me"),
    path(
        "robots.txt",
        Shell.as_view(page="robots.txt", content_type="text/plain; charset=utf-8"),
        name="robots",
    ),
    path("embed/<slug:game>", EmbeddedShell.as_view(page="embed.html"), name="page-embed"),
    path(
        "embed.js",
        EmbeddedShell.as_view(page="embed.js", content_type="text/javascript; charset=utf-8"),
        name="embed-script",
    ),
]
