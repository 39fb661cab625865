"""The URL routes under /api/v1. No path ends in a slash."""

from __future__ import annotations

from typing import Final

from django.urls import path

from api import (
    accounts,
    bots,
    handovers,
    metrics,
    profiles,
    ratings,
    readiness,
    recovery_codes,
    rulesets,
    service_endpoints,
)
from api.games import (
    account_export,
    actions,
    agreements,
    analyses,
    exports,
    forks,
    lifecycle,
    pictures,
    read_endpoints,
    record_proofs,
    rematches,
    replays,
    thoughts,
)
from api.streams import endpoints as streams
from api.webhooks import endpoints as webhooks

GAME_ROUTES: Final = (  # the most requested routes come first
    ("actions", "/actions", actions.ActionsEndpoint),
    ("choice", "/choice", actions.ChoiceEndpoint),
    ("game", "", read_endpoints.GameEndpoint),
    ("join", "/join", lifecycle.JoinEndpoint),
    ("leave", "/leave", lifecycle.LeaveEndpoint),
    ("decline", "/decline", lifecycle.DeclineEndpoint),
    ("seeds", "/seeds", lifecycle.OpenSeedEndpoint),
    ("start", "/start", lifecycle.StartEndpoint),
    ("resign", "/resign", lifecycle.ResignEndpoint),
    ("abort", "/abort", agreements.AbortEndpoint),
    ("call-off", "/call-off", agreements.CallOffEndpoint),
    ("proposals", "/proposals", agreements.ProposalsEndpoint),
    ("accept", "/proposals/<int:proposal>/accept", agreements.AcceptEndpoint),
    ("decline", "/proposals/<int:proposal>/decline", agreements.DeclineEndpoint),
    ("resume", "/resume", agreements.ResumeEndpoint),
    ("claim", "/claim", agreements.ClaimEndpoint),
    ("rematch", "/rematch", rematches.RematchEndpoint),
    ("bots", "/bots", lifecycle.SeatBotEndpoint),
    ("invitations", "/invitations", lifecycle.InvitationsEndpoint),
    ("check", "/actions/check", actions.ActionCheckEndpoint),
    ("log", "/log", read_endpoints.LogEndpoint),
    ("entry", "/log/<int:seq>", read_endpoints.EntryEndpoint),
    ("thought", "/log/<int:seq>/thought", thoughts.ThoughtEndpoint),
    ("stream", "/stream", streams.GameStreamEndpoint),
    ("state", "/states/<int:seq>", read_endpoints.StateEndpoint),
    ("picture", "/picture.svg", pictures.PictureEndpoint),
    ("text", "/picture.txt", pictures.TextEndpoint),
    ("picture-png", "/picture.png", pictures.PngEndpoint),
    ("pictures", "/pictures", pictures.PicturesEndpoint),
    ("replay", "/replay.webp", replays.ReplayEndpoint),
    ("export", "/export", exports.ExportEndpoint),
    ("proof", "/proof", exports.ProofEndpoint),
    ("record-proof", "/record", record_proofs.RecordProofEndpoint),
    ("hide", "/hide", exports.HideGameEndpoint),
    ("forks", "/forks", forks.ForksEndpoint),
    ("analyses", "/analyses", analyses.AnalysesEndpoint),
)

WEBHOOK_ROUTES: Final = (
    ("webhook", "", webhooks.WebhookEndpoint),
    ("webhook-rotate", "/rotate", webhooks.RotateSecretEndpoint),
    ("webhook-ping", "/ping", webhooks.PingEndpoint),
    ("webhook-deliveries", "/deliveries", webhooks.DeliveriesEndpoint),
    ("webhook-redeliver", "/deliveries/<slug:delivery>/redeliver", webhooks.RedeliverEndpoint),
)

urlpatterns = [
    path("/games", read_endpoints.GamesEndpoint.as_view(), name="games"),
    path("/games/stream", streams.LobbyStreamEndpoint.as_view(), name="lobby-stream"),
    path("/games/import", exports.ImportEndpoint.as_view(), name="import"),
    *(
        path(f"/games/<slug:game>{subpath}", view.as_view(), name=f"game-{name}")
        for name, subpath, view in GAME_ROUTES
    ),
    path("", service_endpoints.EntryPointEndpoint.as_view(), name="entry-point"),
    path("/healthz", service_endpoints.HealthEndpoint.as_view(), name="health"),
    path("/readyz", readiness.ReadinessEndpoint.as_view(), name="ready"),
    path("/metrics", metrics.MetricsEndpoint.as_view(), name="metrics"),
    path("/openapi.json", service_endpoints.OpenApiEndpoint.as_view(), name="openapi"),
    path("/docs", service_endpoints.DocsEndpoint.as_view(), name="docs"),
    path("/problems/<slug:code>", service_endpoints.ProblemKindEndpoint.as_view(), name="problem"),
    path("/guests", accounts.GuestsEndpoint.as_view(), name="guests"),
    path("/me", accounts.MeEndpoint.as_view(), name="me"),
    path("/me/delete", accounts.DeleteMeEndpoint.as_view(), name="delete-me"),
    path("/me/export", account_export.AccountExportEndpoint.as_view(), name="my-export"),
    path("/me/keys", accounts.KeysEndpoint.as_view(), name="keys"),
    path("/me/keys/<slug:key>", accounts.KeyEndpoint.as_view(), name="key"),
    path("/me/keys/<slug:key>/rotate", accounts.RotateKeyEndpoint.as_view(), name="key-rotate"),
    path(
        "/me/recovery-codes",
        recovery_codes.RecoveryCodesEndpoint.as_view(),
        name="recovery-codes",
    ),
    path("/keys/handover", handovers.HandoverEndpoint.as_view(), name="key-handover"),
    path("/keys/redeem", handovers.RedeemEndpoint.as_view(), name="redeem"),
    path("/me/games", read_endpoints.MyGamesEndpoint.as_view(), name="my-games"),
    path("/me/stream", streams.MyStreamEndpoint.as_view(), name="my-stream"),
    path("/bots", bots.BotsEndpoint.as_view(), name="bots"),
    path("/bots/<slug:bot>", bots.BotEndpoint.as_view(), name="bot"),
    path("/accounts", profiles.AccountsEndpoint.as_view(), name="accounts"),
    path("/accounts/<slug:account>", profiles.AccountEndpoint.as_view(), name="account"),
    path("/verifications", exports.VerificationsEndpoint.as_view(), name="verifications"),
    path("/analyses/<slug:analysis>", analyses.AnalysisEndpoint.as_view(), name="analysis"),
    path("/webhooks", webhooks.WebhooksEndpoint.as_view(), name="webhooks"),
    *(
        path(f"/webhooks/<slug:webhook>{subpath}", view.as_view(), name=name)
        for name, subpath, view in WEBHOOK_ROUTES
    ),
    path("/rules", rulesets.RulesetsEndpoint.as_view(), name="rules-list"),
    path("/rules/<slug:slug>", rulesets.RulesetEndpoint.as_view(), name="rules"),
    path(
        "/rules/<slug:slug>/schemas/<slug:part>",
        rulesets.RulesetSchemaEndpoint.as_view(),
        name="rules-schema",
    ),
    path("/rules/<slug:slug>/ratings", ratings.RatingsEndpoint.as_view(), name="ratings"),
    path("/rules/<slug:slug>/text", rulesets.RulesetTextEndpoint.as_view(), name="rules-text"),
    path(
        "/rules/<slug:slug>/picture.svg",
        rulesets.RulesetPictureEndpoint.as_view(),
        name="rules-picture",
    ),
]
