"""Accounts and games to test with: two players, a stranger, and games in every phase."""

from __future__ import annotations

from datetime import timedelta
from functools import cached_property
from typing import Any, Final

import pytest
from django.db import connection
from django.utils import timezone

from ai import bot_turn
from ai.models import Thought
from api.games.lifecycle import create_invitation
from games import selectors, services
from games.models import Account, Game
from games.ratings import rating_fold
from games.services import SeatAssignment
from tabularium_engines.common.random_generators import FastRng
from tabularium_engines.installed.registry import ENGINES
from tabularium_log.audit import export_verifier
from tabularium_log.projection.table_actions import Clock
from tests.api.program import Program, program_of
from tests.games.audit.making import OTHER_KEY, new_plan, play_plan
from tests.games.sitting import SLUG, seed_hash, some_action
from tests.record.recording import signed_record

BASE: Final = "/api/v1"


class World:
    """Ada plays (and owns) seat 0, Bob seat 1; Eve looks on."""

    def __init__(self) -> None:
        self.ada, self.bob, self.eve = (
            Account.objects.create(name=name) for name in ("Ada", "Bob", "Eve")
        )
        self.as_ada, self.as_bob, self.as_eve = map(program_of, (self.ada, self.bob, self.eve))
        self.as_nobody = Program()

    @cached_property
    def others(self) -> list[Account]:
        """Two more players, where the rules need them."""
        return [Account.objects.create(name=name) for name in ("Cid", "Dan")]

    # -- games ------------------------------------------------------------------------------------

    def created(self, *seating: SeatAssignment, slug: str = SLUG, **options: Any) -> str:
        """A game of Ada's; between two players a rated one has two legs."""
        if options.get("rated") and len(seating) == 2:
            options.setdefault("options", {"legs": 2})
        return services.create_game(slug, seating, owner=self.ada, **options).projection.game

    def playing(self, slug: str = SLUG, **options: Any) -> str:
        """Ada against Bob, and others where the rules need more, with the cards just dealt."""
        accounts = [self.ada, self.bob]
        if (seats := ENGINES[slug].about.seats[0]) > len(accounts):
            accounts += self.others[: seats - 2]
        seating = [SeatAssignment(account=each) for each in accounts]
        return self.created(*seating, slug=slug, **options)

    def gathering(self, **options: Any) -> str:
        """Ada alone: seat 1 is open."""
        return self.created(SeatAssignment(account=self.ada), SeatAssignment(), **options)

    def inviting(self, **options: Any) -> tuple[str, str]:
        """Ada alone, with an invitation to seat 1."""
        game = self.gathering(**options)
        return game, create_invitation(game, 1)

    def challenging(self, **options: Any) -> str:
        """Ada alone: seat 1 is kept for Bob."""
        seating = SeatAssignment(account=self.ada), SeatAssignment(challenged=self.bob)
        return self.created(*seating, **options)

    def promised(self, **options: Any) -> str:
        """Both players are seated, but Ada has yet to open her seed."""
        ada = SeatAssignment(account=self.ada, seed_hash=seed_hash())
        return self.created(ada, SeatAssignment(account=self.bob), **options)

    def proposed(self, **options: Any) -> str:
        """Ada against Bob, who proposes a draw."""
        game = self.playing(**options)
        services.make_proposal(game, 1, "draw")
        return game

    def paused(self, **options: Any) -> str:
        """Ada and Bob have agreed on a pause."""
        game = self.playing(clock=Clock(60_000, "bot"), **options)
        services.make_proposal(game, 0, "pause")
        services.make_proposal(game, 1, "pause")
        return game

    def silent(self, **options: Any) -> str:
        """Ada has waited for Bob for more than seven days."""
        last_week = timezone.now() - timedelta(days=8)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(timezone, "now", lambda: last_week)
            while True:
                game = self.playing(**options)
                if selectors.game_projection(game).is_awaited(1):
                    return game

    def over(self, **options: Any) -> str:
        """Ada has won: Bob has resigned."""
        game = self.playing(**options)
        services.resign_seat(game, 1)
        return game

    def recorded(self, **options: Any) -> str:
        """The same game, in the last signed checkpoint of the record."""
        game = self.over(**options)
        signed_record()
        return game

    def thinking(self, bot: str = "greedy", **options: Any) -> str:
        """A game in which a bot has taken the awaited seat over with entry 5, and made entry 6."""
        game = self.playing(**options)
        table = selectors.game_projection(game)
        seat = table.engine.awaited_seats(table.state)[0]
        services.replace_seat(game, seat, bot)
        choice = selectors.game_projection(game).choice_token(seat)
        assert bot_turn.take_turn(game, seat, choice)
        return game

    def thought_over(self, bot: str = "greedy", **options: Any) -> str:
        """The same game, which the other player has resigned."""
        game = self.thinking(bot, **options)
        bot_seat = selectors.game_projection(game, 6).entry.seat
        services.resign_seat(game, int(bot_seat == 0))
        return game

    def searched_over(self) -> str:
        """Such a game in which the bot has searched, because it had a choice."""
        while True:
            game = self.thought_over("level_3")
            if Thought.objects.get(game=game).simulations:
                return game

    def rated(self, **options: Any) -> str:
        """Ada has won a rated game, and the ratings include it."""
        game = self.over(clock=Clock(60_000, "resign"), rated=True, **options)
        rating_fold.count_games(SLUG)
        return game

    def foreign(self, number: int = 7) -> bytes:
        """The export of another server's game."""
        plan = new_plan(ENGINES[SLUG], 2, number, key=OTHER_KEY, ends_at=9)
        return b"".join(play_plan(plan).lines("everything"))

    def imported_game(self, visibility: str = "public", number: int = 7) -> str:
        """A game of another server, imported by Ada."""
        lines = self.foreign(number).splitlines(keepends=True)
        game, _ = services.import_game(export_verifier.load_verified_game(lines), self.ada.pk)
        Game.objects.filter(pk=game.pk).update(visibility=visibility)
        return game.pk

    def awaiting(self, **options: Any) -> str:
        """A game that waits for Ada."""
        game = self.playing(**options)
        self.turn(game)
        return game

    def awaiting_hints(self, **options: Any) -> str:
        """A game that waits for Ada, who may take hints."""
        return self.awaiting(**({"hints": True} | options))

    def joined(self, **options: Any) -> str:
        """Ada and Bob sit in a game of another owner; seat 2 is open."""
        owner = Account.objects.create(name="Owner")
        seating = [
            SeatAssignment(account=self.ada),
            SeatAssignment(account=self.bob),
            SeatAssignment(),
        ]
        return services.create_game(SLUG, seating, owner=owner, **options).projection.game

    def turn(self, game: str, seat: int = 0) -> tuple[Any, dict[str, Any]]:
        """Let the others act until `seat` is awaited; the projection, and a legal action of it."""
        rng = FastRng(7)
        while True:
            table = selectors.game_projection(game)
            awaited, action = some_action(table, rng)
            if awaited == seat:
                return table, action
            services.append_action(game, awaited, action, choice=table.choice_token(awaited))

    def game_after(self, steps: int, **options: Any) -> str:
        """A game that goes on after this many random actions of both players."""
        rng = FastRng(steps)
        while True:
            game, step = self.playing(**options), 0
            while (table := selectors.game_projection(game)).phase == "playing":
                if step == steps:
                    return game
                seat, action = some_action(table, rng)
                services.append_action(game, seat, action, choice=table.choice_token(seat))
                step += 1

    def body(self, game: str, seat: int = 0, **more: Any) -> dict[str, Any]:
        """A valid action request of `seat`, sent once it is awaited."""
        table, action = self.turn(game, seat)
        return {"seat": seat, "choice": table.choice_token(seat), "action": action} | more


COUNTING: Final = {"api_bucket"}  # changes with every request


def rows() -> dict[str, Any]:
    """The row counts of all tables, and the heads of all logs: a refusal changes none of them."""
    with connection.cursor() as cursor:
        counts: dict[str, Any] = {}
        for table in set(connection.introspection.table_names(cursor)) - COUNTING:
            cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(table)}")
            counts[table] = cursor.fetchone()[0]
    return counts | {"heads": sorted(Game.objects.values_list("pk", "seq", "hash", "phase"))}
