"""Where is what, under /api/v1? No address ends in a slash."""

from __future__ import annotations

from django.urls import path

from api import rules, views

urlpatterns = [
    path("", views.EntryPoint.as_view(), name="entry-point"),
    path("/healthz", views.Health.as_view(), name="health"),
    path("/openapi.json", views.OpenApi.as_view(), name="openapi"),
    path("/docs", views.Docs.as_view(), name="docs"),
    path("/problems/<slug:code>", views.ProblemKind.as_view(), name="problem"),
    path("/rules", rules.RulesList.as_view(), name="rules-list"),
    path("/rules/<slug:slug>", rules.Rules.as_view(), name="rules"),
    path(
        "/rules/<slug:slug>/schemas/<slug:part>", rules.RulesSchema.as_view(), name="rules-schema"
    ),
    path("/rules/<slug:slug>/text", rules.RulesText.as_view(), name="rules-text"),
    path("/rules/<slug:slug>/picture.svg", rules.RulesPicture.as_view(), name="rules-picture"),
]
