"""The root URL configuration: the routes of the project. Errors outside the API are answered like
those of the API."""

from __future__ import annotations

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.utils.module_loading import import_string

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/v1", include("api.urls")),
    path("record/", include("api.record_urls")),
    path("witness/", include("api.witness_urls")),
    path("", include("web.urls")),
]
if settings.ADMIN:
    urlpatterns.insert(0, path(f"{settings.ADMIN}/", import_string("desk.pages.desk").urls))
handler400 = "api.errors.bad_request"
handler404 = "api.errors.not_found"
handler500 = "api.errors.internal_error"
