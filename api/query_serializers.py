"""Serializers of queries and of some replies, from which the OpenAPI document describes them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SeatsSerializer(serializers.Serializer[Any]):
    fewest = serializers.IntegerField()
    most = serializers.IntegerField()


class RulesLinksSerializer(serializers.Serializer[Any]):
    self = serializers.CharField()
    text = serializers.CharField(help_text="The rules as implemented here, in Markdown.")
    picture = serializers.CharField(help_text="A freshly dealt table, as SVG.")
    ratings = serializers.CharField(help_text="The leaderboards of this ruleset.")
    options = serializers.CharField(help_text="JSON Schema of the variants.")
    action = serializers.CharField(help_text="JSON Schema of the actions.")
    view = serializers.CharField(help_text="JSON Schema of the views.")


class RulesSerializer(serializers.Serializer[Any]):
    """A ruleset."""

    slug = serializers.CharField(help_text="The name of the ruleset in every URL and action type.")
    title = serializers.CharField()
    summary = serializers.CharField()
    version = serializers.IntegerField(
        help_text="Incremented when an old log could replay differently."
    )
    seats = SeatsSerializer()
    designers = serializers.ListField(child=serializers.CharField())
    links = RulesLinksSerializer()


class RulesListSerializer(serializers.Serializer[Any]):
    items = RulesSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True, help_text="Null on the last page.")


class HealthSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=["ok"])
    engines = serializers.ChoiceField(choices=["compiled", "interpreted"])
    rules = serializers.DictField(child=serializers.IntegerField(), help_text="Versions by slug.")


class ProblemKindSerializer(serializers.Serializer[Any]):
    """The meaning of a problem's `code`."""

    code = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    meaning = serializers.CharField()


class RulesetPictureQuery(serializers.Serializer[Any]):
    seed = serializers.IntegerField(
        min_value=0,
        max_value=2**53 - 1,
        default=0,
        help_text="The seed of the deal: the same seed gives the same table.",
    )
    seats = serializers.IntegerField(
        min_value=1, required=False, help_text="The number of players; by default the fewest."
    )


class EntryPointLinksSerializer(serializers.Serializer[Any]):
    rules = serializers.CharField()
    openapi = serializers.CharField()
    docs = serializers.CharField()
    health = serializers.CharField()


class EntryPointSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    api_level = serializers.IntegerField(help_text="Incremented with every change of this API.")
    links = EntryPointLinksSerializer()


VIEWER_PATTERN = r"^(onlooker|seat:(0|[1-9][0-9]{0,2}))$"


class ViewerQuery(serializers.Serializer[Any]):
    pass


ViewerQuery._declared_fields["as"] = serializers.RegexField(
    VIEWER_PATTERN,
    required=False,
    help_text="`seat:0` or `onlooker`; by default your (first) seat.",
)


class PageQuery(serializers.Serializer[Any]):
    limit = serializers.IntegerField(min_value=1, max_value=200, default=50)
    cursor = serializers.CharField(
        required=False, max_length=200, help_text="The `next_cursor` of the previous page."
    )


class GamesListQuery(PageQuery):
    rules = serializers.SlugField(required=False, help_text="Only games of this ruleset.")
    phase = serializers.ChoiceField(
        choices=["gathering", "playing", "over"],
        required=False,
        help_text="Only games in this phase.",
    )
    rated = serializers.BooleanField(required=False, help_text="Only rated, or only unrated games.")


class GamesQuery(GamesListQuery):
    imported = serializers.BooleanField(
        default=False, help_text="Only games that were played elsewhere, latest import first."
    )


class MyGamesQuery(GamesListQuery):
    my_turn = serializers.BooleanField(
        required=False, help_text="Only games in which you must act."
    )


class LogQuery(ViewerQuery):
    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="The last entry that you have."
    )
    limit = serializers.IntegerField(min_value=1, max_value=1000, default=100)


class StateQuery(ViewerQuery):
    pass


class GamePictureQuery(ViewerQuery):
    seq = serializers.IntegerField(
        min_value=1, max_value=2**31 - 1, required=False, help_text="The position after this entry."
    )


class ChoiceQuery(serializers.Serializer[Any]):
    seat = serializers.IntegerField(min_value=0, max_value=2**31 - 1, required=False)
