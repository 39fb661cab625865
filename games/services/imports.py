"""Imports: games that were played on other servers are stored here whole, finished and verified.
Each records where it was played, and counts against the quota of the account that imports it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.audit.importable_game import ImportableGame
from games.audit.verdict import Flaw
from games.fairness.canonical_json import encode_canonical
from games.fairness.signed_hash_chain import find_signing_key
from games.models import Account, Game, Import, Player
from games.projection.projection import GameRefusal
from games.services.game_creation import game_insert_rows


class ImportResult(NamedTuple):
    """A game that was imported, and whether it is new here."""

    game: Game
    is_new: bool


def game_import(carried: ImportableGame, account: str | None = None) -> ImportResult:
    """Store a game for the account that imports it (None: the operator). Raises GameRefusal if
    another game of that id is here, or the quota is used up; a second import of the same game
    changes nothing."""
    found = _find_same_game(carried)
    if found is not None:
        return ImportResult(found, False)
    if not carried.receipts:
        raise Flaw("An imported game needs the receipts of its server.")
    try:
        with transaction.atomic():
            return ImportResult(_store_game(carried, account), True)
    except IntegrityError:  # a concurrent import has just stored it
        found = _find_same_game(carried)
        if found is None:
            raise
        return ImportResult(found, False)


def _find_same_game(carried: ImportableGame) -> Game | None:
    """The same game, if it is here; raises GameRefusal if a different one has its id."""
    found = Game.objects.filter(pk=carried.game).first()
    if found is not None and found.hash != carried.head_hash:
        raise GameRefusal("game-exists", f"Another game with the id {found.pk} exists.")
    return found


def _store_game(carried: ImportableGame, account: str | None) -> Game:
    """Store the game, and where it was played. A game that this server's own receipts prove to be
    its own is restored, not imported; its players and its visibility are no longer known."""
    is_ours = find_signing_key(settings.SIGNING_KEYS, carried.key) is not None
    if not is_ours:
        _check_quota(account)
    game = _insert_game(carried, Game.Visibility.UNLISTED if is_ours else Game.Visibility.PUBLIC)
    if not is_ours:
        Import.objects.create(
            game=game,
            account_id=account,
            at=timezone.now(),
            key=carried.key,
            receipts=encode_canonical([vars(receipt) for receipt in carried.receipts]),
        )
    return game


def _check_quota(account: str | None) -> None:
    """Refuse an import over the quota. The lock makes the imports of an account wait for one
    another."""
    if account is None:
        return
    Account.objects.select_for_update().get(pk=account)
    if Import.objects.filter(account=account).count() >= settings.IMPORTS_EACH:
        sentence = f"You have imported {settings.IMPORTS_EACH} games, the maximum per account."
        raise GameRefusal("too-many-imports", sentence)


def _insert_game(carried: ImportableGame, visibility: str) -> Game:
    game = Game(
        id=carried.game,
        rules=carried.rules,
        version=carried.version,
        seats=carried.seats,
        visibility=visibility,
        rated=carried.rated,
        seq=len(carried.rows),
        hash=carried.head_hash,
        at=datetime.fromisoformat(carried.at),
        phase=Game.Phase.OVER,
        bots=carried.bots,
    )
    players = [
        Player(seat=seat, bot=bot) for seat, bot in enumerate(carried.players) if bot is not None
    ]
    return game_insert_rows(game, carried.rows, bytes.fromhex(carried.secret), players)


def game_hide(game: str, is_hidden: bool = True) -> bool:
    """Take a public game off the lists, or put it back; returns whether that changed anything."""
    shown, hidden = Game.Visibility.PUBLIC, Game.Visibility.UNLISTED
    before, after = (shown, hidden) if is_hidden else (hidden, shown)
    return bool(Game.objects.filter(pk=game, visibility=before).update(visibility=after))
