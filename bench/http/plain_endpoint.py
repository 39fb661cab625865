"""A conventional implementation of the endpoint for actions: serializers, the ORM, and the whole
log replayed each time. The entry it writes is the same as ours. Only the benchmark uses it."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.models import Key
from games import selectors
from games.log_store import LogHead
from games.models import Entry, Game, Player
from tabularium_log.fairness.encryption import game_cipher, unlock_secret
from tabularium_log.fairness.signed_hash_chain import GENESIS_HASH, sign_receipt
from tabularium_log.projection.entry import StoredColumns, StoredEntry, decrypt_entry, stored_entry
from tabularium_log.projection.entry_writer import EntryWriter
from tabularium_log.projection.fold import create_projection
from tabularium_log.projection.log_replay import replay_entry
from tabularium_log.projection.projection import Projection


class DatabaseKeyAuthentication(BaseAuthentication):
    """Looks up each key in the database."""

    def authenticate(self, request: Request) -> tuple[Any, str]:
        text = request.META["HTTP_AUTHORIZATION"].removeprefix("Bearer ")
        key = Key.objects.select_related("account").get(digest=sha256(text.encode()).hexdigest())
        return key.account, text


class ActionSerializer(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    expected_seq = serializers.IntegerField()
    action = serializers.JSONField()


class EntrySerializer(serializers.Serializer[StoredEntry]):
    seq = serializers.IntegerField()
    text = serializers.CharField()
    hash = serializers.CharField()


class OfferSerializer(serializers.Serializer[Any]):
    action = serializers.JSONField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field


class ChoiceSerializer(serializers.Serializer[Any]):
    token = serializers.CharField()
    offers = OfferSerializer(many=True)


class PlainActions(APIView):
    """Append an action."""

    authentication_classes = (DatabaseKeyAuthentication,)

    @transaction.atomic
    def post(self, request: Request, game: str) -> Response:
        """Check, replay, write, answer."""
        serializer = ActionSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        seat = serializer.validated_data["seat"]
        row = Game.objects.select_for_update().get(pk=game)
        account: Any = request.user
        Player.objects.get(game=row, seat=seat, account=account)
        scribe = replay_game(row)
        table = scribe.write(seat, serializer.validated_data["action"], timezone.now())
        scribe.end_if_due(timezone.now())
        for entry_row in scribe.rows:
            assert isinstance(entry_row.columns, StoredColumns)
            Entry.objects.create(game=row, **entry_row.columns._asdict())
        for name, value in LogHead(scribe.head_hash, scribe.projection).columns().items():
            setattr(row, name, value)
        row.save()
        return Response(action_reply(scribe, table, entry_row, seat), status=201)


def replay_game(row: Game) -> EntryWriter:
    """Replay the whole game."""
    secret = unlock_secret(settings.SEALING_KEYS, row.pk, bytes(row.secret))
    cipher, hash_, entries = game_cipher(secret, row.pk), GENESIS_HASH, []
    for values in Entry.objects.filter(game=row).order_by("seq").values(*StoredColumns._fields):
        entries.append(stored_entry(row.pk, hash_, StoredColumns(**values)))
        hash_ = entries[-1].hash
    table = create_projection(row.pk, decrypt_entry(cipher, entries[0]))
    for entry in entries[1:]:
        table = replay_entry(table, decrypt_entry(cipher, entry))
    return EntryWriter(secret, table, row.hash)


def action_reply(
    scribe: EntryWriter, table: Projection, entry: StoredEntry, seat: int
) -> dict[str, Any]:
    """The reply."""
    choice = selectors.seat_choice(scribe.projection, seat)
    receipt = sign_receipt(
        settings.SIGNING_KEYS[0], table.game, scribe.projection.seq, scribe.head_hash
    )
    return {
        "seq": scribe.projection.seq,
        "entry": EntrySerializer(entry).data,
        "news": table.news(seat),
        "to_act": [s for s in range(table.creation.seats) if scribe.projection.is_awaited(s)],
        "choice": ChoiceSerializer(choice).data if choice else None,
        "result": scribe.projection.outcome and scribe.projection.outcome.reason,
        "receipt": vars(receipt),
    }
