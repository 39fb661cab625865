"""DRF serializers of query parameters: they check them, and the OpenAPI document describes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rest_framework import serializers

from api.shapes.games import MAX_VERSION
from api.time_and_name_fields import rfc3339_time
from games.column_lengths import NAME_BYTES
from tabularium_engines.common.shapes_svg import SHAPES


class RulesetQuery(serializers.Serializer[Any]):
    version = serializers.IntegerField(
        min_value=1,
        max_value=MAX_VERSION,
        required=False,
        help_text="One of the installed `versions`; by default the newest.",
    )


class ApiDocumentQuery(serializers.Serializer[Any]):
    rules = serializers.SlugField(
        required=False,
        help_text="Only the types of this ruleset, and the examples that name no other.",
    )
    versions = serializers.ChoiceField(
        choices=["newest", "all"],
        required=False,
        help_text="The types of the newest versions of the rules, or of all: by default `newest` "
        "with `rules`, and `all` in the document of all rulesets.",
    )


class ShapeField(serializers.ChoiceField):
    """The shape of a picture."""

    def __init__(self) -> None:
        super().__init__(
            choices=list(SHAPES),
            default=SHAPES[0],
            help_text="`wide` for tables and large screens, `tall` for phones, `square` for "
            "previews.",
        )


class NamesField(serializers.BooleanField):
    """Whether a picture shows the names of the players, or a text has them."""

    def __init__(self, place: str = "below the table") -> None:
        text = f"With the names of the players, as they are called now, {place}."
        super().__init__(default=False, help_text=text)


class RulesetPictureQuery(RulesetQuery):
    shape = ShapeField()
    seed = serializers.IntegerField(
        min_value=0,
        max_value=2**53 - 1,
        default=0,
        help_text="The seed of the deal: the same seed gives the same table.",
    )
    seats = serializers.IntegerField(
        min_value=1, required=False, help_text="The number of players; by default the fewest."
    )


ACCOUNT_PATTERN = r"^account_[0-9a-f]{32}$"
VIEWERS = r"onlooker|seat:(0|[1-9][0-9]{0,2})"
VIEWER_PATTERN = rf"^({VIEWERS})$"
VIEWER_OR_ALL_PATTERN = rf"^(everything|{VIEWERS})$"


class ViewerQuery(serializers.Serializer[Any]):
    pass


ViewerQuery._declared_fields["as"] = serializers.RegexField(
    VIEWER_PATTERN,
    required=False,
    help_text="`seat:0` or `onlooker`; by default your (first) seat.",
)


class NamingQuery(ViewerQuery):
    names = NamesField("in the sentences of news and labels")


class ExportQuery(ViewerQuery):
    proof = serializers.BooleanField(
        default=False,
        help_text="Whether to add the proof that the game is in the public record: `export/3`.",
    )


class PageQuery(serializers.Serializer[Any]):
    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)
    cursor = serializers.CharField(
        required=False, max_length=200, help_text="The `next_cursor` of the previous page."
    )


class AccountsQuery(PageQuery):
    name = serializers.CharField(
        max_length=NAME_BYTES, trim_whitespace=False, help_text="The whole name, as it is written."
    )


class TimeField(serializers.DateTimeField):
    """A time with its offset, in RFC 3339, as in bodies."""

    def to_internal_value(self, value: Any) -> datetime:
        """The time."""
        moment = rfc3339_time(str(value))
        if moment is None:
            raise serializers.ValidationError(
                "Must be an RFC 3339 time, such as 2026-01-31T12:00:00Z.", "malformed"
            )
        return moment


class GamesListQuery(PageQuery):
    order = serializers.ChoiceField(
        choices=["newest", "recent"],
        default="newest",
        help_text="`newest`: by creation, the newest first; `recent`: by `updated`, the latest "
        "change first. Imported games come by import in both.",
    )
    rules = serializers.SlugField(required=False, help_text="Only games of this ruleset.")
    phase = serializers.ChoiceField(
        choices=["gathering", "playing", "over"],
        required=False,
        help_text="Only games in this phase.",
    )
    rated = serializers.BooleanField(required=False, help_text="Only rated, or only unrated games.")
    open = serializers.BooleanField(
        required=False,
        help_text="Only games with a seat that the first to join may take, or only those without.",
    )
    account = serializers.RegexField(
        ACCOUNT_PATTERN,
        required=False,
        help_text="Only games in which this account has a seat, also where a bot plays on for it.",
    )
    bot = serializers.SlugField(
        required=False, max_length=40, help_text="Only games in which this bot has a seat."
    )
    since = TimeField(required=False, help_text="Only games `updated` at this time or later.")
    until = TimeField(required=False, help_text="Only games `updated` before this time.")


class GamesQuery(GamesListQuery):
    imported = serializers.BooleanField(
        default=False, help_text="Only games that were played elsewhere, latest import first."
    )


class MyGamesQuery(GamesListQuery):
    my_turn = serializers.BooleanField(
        required=False, help_text="Only games in which you must act."
    )
    asked = serializers.BooleanField(
        required=False, help_text="Only games with a proposal that you have not answered."
    )
    challenged = serializers.BooleanField(
        required=False,
        help_text="Instead, the games in which a seat waits for you: you are challenged.",
    )


class LogQuery(NamingQuery):
    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="The last entry that you have."
    )
    limit = serializers.IntegerField(
        min_value=1,
        max_value=1000,
        required=False,
        help_text="The most entries; by default 100 in JSON, and all of them in NDJSON.",
    )


class StateQuery(serializers.Serializer[Any]):
    pass


StateQuery._declared_fields["as"] = serializers.RegexField(
    VIEWER_OR_ALL_PATTERN,
    required=False,
    help_text=(
        "`seat:0` or `onlooker`; by default your (first) seat. Once the game is over also "
        "`everything`: all hands are open."
    ),
)


MAX_PICTURES = 200  # in one response


class PositionQuery(ViewerQuery):
    seq = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, required=False, help_text="The position after this entry."
    )


class GamePictureQuery(PositionQuery):
    shape = ShapeField()
    names = NamesField()


class PngQuery(GamePictureQuery):
    width = serializers.IntegerField(
        min_value=64, max_value=1600, default=600, help_text="The width in pixels."
    )


class ReplayQuery(ViewerQuery):
    shape = ShapeField()
    names = NamesField()
    width = serializers.IntegerField(
        min_value=64, max_value=800, default=600, help_text="The width in pixels."
    )
    delay = serializers.IntegerField(
        min_value=100, max_value=5000, default=700, help_text="Milliseconds for each position."
    )


class PicturesQuery(ViewerQuery):
    shape = ShapeField()
    names = NamesField()
    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="The last picture that you have."
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_PICTURES, default=50, help_text="The most pictures."
    )


class ChoiceQuery(serializers.Serializer[Any]):
    seat = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
    names = NamesField("in labels and news")
