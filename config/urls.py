"""The root URL configuration: the routes of the project. Errors outside the API are answered like
those of the API."""

from __future__ import annotations

from django.urls import include, path

from api import catalogue_page

urlpatterns = [
    path("", catalogue_page.CatalogueEndpoint.as_view(), name="catalogue"),
    path("api/v1", include("api.urls")),
]
handler400 = "api.errors.bad_request"
handler404 = "api.errors.not_found"
handler500 = "api.errors.internal_error"
