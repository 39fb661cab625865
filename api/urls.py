"""Where is what, under /api/v1? No address ends in a slash."""

from __future__ import annotations

from typing import Final

from django.urls import path

from api import accounts, bots, metrics, ratings, rules, views, vitals
from api.games import acting, analysing, forking, proving, reading, setting_up
from api.streams import endpoints as streams
from api.webhooks import views as webhooks

OF_A_GAME: Final = (  # what is asked for most comes first
    ("actions", "/actions", acting.Actions),
    ("choice", "/choice", acting.Choice),
    ("game", "", reading.OneGame),
    ("join", "/join", setting_up.Join),
    ("leave", "/leave", setting_up.Leave),
    ("seeds", "/seeds", setting_up.OpenSeed),
    ("start", "/start", setting_up.Start),
    ("resign", "/resign", setting_up.Resign),
    ("bots", "/bots", setting_up.Bots),
    ("invitations", "/invitations", setting_up.Invitations),
    ("check", "/actions/check", acting.Check),
    ("log", "/log", reading.Log),
    ("entry", "/log/<int:seq>", reading.OneEntry),
    ("stream", "/stream", streams.GameStream),
    ("state", "/states/<int:seq>", reading.State),
    ("picture", "/picture.svg", reading.Picture),
    ("text", "/picture.txt", reading.Text),
    ("export", "/export", proving.Export),
    ("proof", "/proof", proving.Proof),
    ("hide", "/hide", proving.Hiding),
    ("forks", "/forks", forking.Forks),
    ("analyses", "/analyses", analysing.Analyses),
)

OF_A_WEBHOOK: Final = (
    ("webhook", "", webhooks.OneWebhook),
    ("webhook-rotate", "/rotate", webhooks.Rotate),
    ("webhook-ping", "/ping", webhooks.Pings),
    ("webhook-deliveries", "/deliveries", webhooks.Deliveries),
    ("webhook-redeliver", "/deliveries/<slug:delivery>/redeliver", webhooks.Redeliver),
)

urlpatterns = [
    path("/games", reading.Games.as_view(), name="games"),
    path("/games/import", proving.Import.as_view(), name="import"),
    *(
        path(f"/games/<slug:game>{rest}", view.as_view(), name=f"game-{name}")
        for name, rest, view in OF_A_GAME
    ),
    path("", views.EntryPoint.as_view(), name="entry-point"),
    path("/healthz", views.Health.as_view(), name="health"),
    path("/readyz", vitals.Ready.as_view(), name="ready"),
    path("/metrics", metrics.Metrics.as_view(), name="metrics"),
    path("/openapi.json", views.OpenApi.as_view(), name="openapi"),
    path("/docs", views.Docs.as_view(), name="docs"),
    path("/problems/<slug:code>", views.ProblemKind.as_view(), name="problem"),
    path("/guests", accounts.Guests.as_view(), name="guests"),
    path("/me", accounts.MeView.as_view(), name="me"),
    path("/me/keys", accounts.Keys.as_view(), name="keys"),
    path("/me/keys/<slug:key>", accounts.OneKey.as_view(), name="key"),
    path("/me/keys/<slug:key>/rotate", accounts.RotateKey.as_view(), name="key-rotate"),
    path("/me/games", reading.MyGames.as_view(), name="my-games"),
    path("/me/stream", streams.MyStream.as_view(), name="my-stream"),
    path("/bots", bots.Bots.as_view(), name="bots"),
    path("/verifications", proving.Verifications.as_view(), name="verifications"),
    path("/analyses/<slug:analysis>", analysing.OneAnalysis.as_view(), name="analysis"),
    path("/webhooks", webhooks.Webhooks.as_view(), name="webhooks"),
    *(
        path(f"/webhooks/<slug:webhook>{rest}", view.as_view(), name=name)
        for name, rest, view in OF_A_WEBHOOK
    ),
    path("/rules", rules.RulesList.as_view(), name="rules-list"),
    path("/rules/<slug:slug>", rules.Rules.as_view(), name="rules"),
    path(
        "/rules/<slug:slug>/schemas/<slug:part>", rules.RulesSchema.as_view(), name="rules-schema"
    ),
    path("/rules/<slug:slug>/ratings", ratings.Ratings.as_view(), name="ratings"),
    path("/rules/<slug:slug>/text", rules.RulesText.as_view(), name="rules-text"),
    path("/rules/<slug:slug>/picture.svg", rules.RulesPicture.as_view(), name="rules-picture"),
]
