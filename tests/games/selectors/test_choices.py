"""The choices of seats, and the turns of bots."""

from __future__ import annotations

import pytest

from games import selectors, services
from games.selectors import game_choice, game_view
from games.services import SeatAssignment
from tabularium_engines.common.foresight import consequences_from_view
from tabularium_engines.common.random_generators import FastRng
from tests.games.sitting import SLUG, act, acting, bot_game, duel_at_a_question

pytestmark = [pytest.mark.django_db, pytest.mark.stores]


class TestChoices:
    def test_have_every_legal_action_ready_to_be_sent(self) -> None:
        game = bot_game()
        for _ in range(10):
            table = selectors.game_projection(game)
            assert table.state is not None
            for seat in (0, 1):
                choice = game_choice(game, seat)
                assert (choice is not None) == table.is_awaited(seat)
                if choice is not None:
                    assert (choice.token, choice.is_awaited) == (table.choice_token(seat), True)
                    actions = [o.action for o in choice.offers]
                    codes = [table.engine.encode(table.state, seat, action) for action in actions]
                    assert codes == table.state.legal_actions(seat)
                    assert all(offer.label for offer in choice.offers)
                    assert choice.forms == ()
            act(game, table, FastRng(table.seq))

    def test_have_their_consequences_on_request_from_the_view_alone(self) -> None:
        table = selectors.game_projection(bot_game())
        (seat,) = table.engine.awaited_seats(table.state)
        plain = selectors.seat_choice(table, seat)
        choice = selectors.seat_choice(table, seat, has_foresight=True)
        assert plain is not None
        assert choice is not None
        assert table.state is not None
        assert all(offer.after is None for offer in plain.offers)
        assert [offer.action for offer in choice.offers] == [o.action for o in plain.offers]
        codes = table.state.legal_actions(seat)
        view = table.engine.view(table.state, seat)
        expected = consequences_from_view(table.engine, view, seat, codes)
        assert [offer.after for offer in choice.offers] == expected
        labels = [table.engine.label(table.state, seat, code) for code in codes]
        assert [offer.label for offer in choice.offers] == labels
        assert any(expected)

    @pytest.mark.parametrize(("laws", "is_listed"), [("listed", True), ("said", False)])
    def test_show_a_person_as_much_as_the_rules_offer(self, laws: str, is_listed: bool) -> None:
        game, table = duel_at_a_question(services.create_account("Ada"), laws=laws)
        choice = game_choice(game, 0)
        assert choice is not None
        kinds = {offer.action["type"].partition(".")[2] for offer in choice.offers}
        assert kinds == ({"claim", "take_back"} if is_listed else {"take_back"})
        assert [(form.type, form.member) for form in choice.forms] == [("duel_of_law.claim", "law")]
        choice_of_a_bot = selectors.seat_choice(table, 0, is_bot=True)
        assert choice_of_a_bot is not None
        claims = [o for o in choice_of_a_bot.offers if o.action["type"] == "duel_of_law.claim"]
        services.append_action(game, 0, claims[0].action, choice=choice.token)

    def test_are_none_before_the_start_and_after_the_end(self) -> None:
        gathering_game = services.create_game(
            SLUG, [SeatAssignment(), SeatAssignment()]
        ).projection.game
        over = bot_game()
        assert [*acting(over)]
        for game in (gathering_game, over):
            assert game_choice(game, 0) is None
            assert selectors.bot_turn(game, 0) is None


class TestBots:
    def test_are_told_what_their_seat_may_know(self) -> None:
        game = bot_game()
        table = selectors.game_projection(game)
        (seat,) = table.engine.awaited_seats(table.state)
        turn = selectors.bot_turn(game, seat)
        assert turn is not None
        newest = table.engine.about.version
        assert (turn.ruleset, turn.version, turn.bot) == (SLUG, newest, "random")
        assert turn.view == game_view(game, seat)
        assert turn.token == table.choice_token(seat)
        for other in (1 - seat, -1, 2):
            assert selectors.bot_turn(game, other) is None
