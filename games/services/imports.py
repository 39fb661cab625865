"""Services for imports: games that were played on other servers are stored here whole, finished and
verified; public games are hidden. Each import records where it was played, and counts against the
quota of the account that imports it."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Account, Game, Import, Player
from games.services.game_creation import game_insert_rows
from tabularium_log.audit.verdict import Flaw
from tabularium_log.audit.verified_game import VerifiedGame
from tabularium_log.fairness.canonical_json import encode_canonical
from tabularium_log.fairness.signed_hash_chain import find_signing_key
from tabularium_log.projection.projection import GameRefusal


class ImportResult(NamedTuple):
    """A game that was imported, and whether it is new here."""

    game: Game
    is_new: bool


def import_game(source: VerifiedGame, account: str | None = None) -> ImportResult:
    """Store a game for the account that imports it (None: the operator). Raises GameRefusal if
    another game of that id is here, or the quota is used up; a second import of the same game
    changes nothing."""
    game = _find_same_game(source)
    if game is not None:
        return ImportResult(game, False)
    if not source.receipts:
        raise Flaw("An imported game needs the receipts of its server.")
    try:
        with transaction.atomic():
            return ImportResult(_store_game(source, account), True)
    except IntegrityError:  # a concurrent import has just stored it
        game = _find_same_game(source)
        if game is None:
            raise
        return ImportResult(game, False)


def _find_same_game(source: VerifiedGame) -> Game | None:
    """The same game, if it is here; raises GameRefusal if a different one has its id."""
    game = Game.objects.filter(pk=source.game).first()
    if game is not None and game.hash != source.head_hash:
        raise GameRefusal("game-exists", f"Another game with the id {game.pk} exists.")
    return game


def _store_game(source: VerifiedGame, account: str | None) -> Game:
    """Store the game, and where it was played. A game that this server's own receipts prove to be
    its own is restored, not imported; its players and its visibility are no longer known."""
    is_own = find_signing_key(settings.SIGNING_KEYS, source.key) is not None
    if not is_own:
        _check_quota(account)
    game = _insert_game(source, Game.Visibility.UNLISTED if is_own else Game.Visibility.PUBLIC)
    if not is_own:
        Import.objects.create(
            game=game,
            account_id=account,
            at=timezone.now(),
            key=source.key,
            receipts=encode_canonical([vars(receipt) for receipt in source.receipts]),
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


def _insert_game(source: VerifiedGame, visibility: str) -> Game:
    game = Game(
        id=source.game,
        rules=source.rules,
        version=source.version,
        seats=source.seats,
        visibility=visibility,
        rated=source.rated,
        seq=len(source.rows),
        hash=source.head_hash,
        at=datetime.fromisoformat(source.at),
        phase=Game.Phase.OVER,
        bots=source.bots,
    )
    players = [
        Player(seat=seat, bot=bot) for seat, bot in enumerate(source.players) if bot is not None
    ]
    return game_insert_rows(game, source.rows, bytes.fromhex(source.secret), players)


def hide_game(game: str, is_hidden: bool = True) -> bool:
    """Take a public game off the lists, or put it back; returns whether that changed anything."""
    public, unlisted = Game.Visibility.PUBLIC, Game.Visibility.UNLISTED
    old_value, new_value = (public, unlisted) if is_hidden else (unlisted, public)
    return bool(Game.objects.filter(pk=game, visibility=old_value).update(visibility=new_value))
