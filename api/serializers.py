"""What shape do queries and answers have? The OpenAPI document is made from these."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers


class SeatsSerializer(serializers.Serializer[Any]):
    fewest = serializers.IntegerField()
    most = serializers.IntegerField()


class RulesLinksSerializer(serializers.Serializer[Any]):
    self = serializers.CharField()
    text = serializers.CharField(help_text="The rules as we play them, in Markdown.")
    picture = serializers.CharField(help_text="A freshly dealt table, as SVG.")
    options = serializers.CharField(help_text="JSON Schema of the variants.")
    action = serializers.CharField(help_text="JSON Schema of what a seat may send.")
    view = serializers.CharField(help_text="JSON Schema of what a seat may see.")


class RulesSerializer(serializers.Serializer[Any]):
    """One rule book."""

    slug = serializers.CharField(help_text="The name of the rules in every URL and action type.")
    title = serializers.CharField()
    summary = serializers.CharField()
    version = serializers.IntegerField(help_text="Rises when an old log could replay differently.")
    seats = SeatsSerializer()
    designers = serializers.ListField(child=serializers.CharField())
    links = RulesLinksSerializer()


class RulesListSerializer(serializers.Serializer[Any]):
    items = RulesSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True, help_text="Null: there is no more.")


class HealthSerializer(serializers.Serializer[Any]):
    status = serializers.ChoiceField(choices=["ok"])
    engines = serializers.ChoiceField(choices=["compiled", "interpreted"])
    rules = serializers.DictField(child=serializers.IntegerField(), help_text="Versions by slug.")


class ProblemKindSerializer(serializers.Serializer[Any]):
    """What a `code` means."""

    code = serializers.CharField()
    status = serializers.IntegerField()
    title = serializers.CharField()
    meaning = serializers.CharField()


class ProblemErrorSerializer(serializers.Serializer[Any]):
    parameter = serializers.CharField()
    code = serializers.CharField()
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """A refusal (RFC 9457)."""

    type = serializers.CharField(help_text="The page that explains this kind of problem.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="Stable, for programs.")
    detail = serializers.CharField(help_text="A sentence about this occurrence.")
    errors = ProblemErrorSerializer(many=True, required=False)  # type: ignore[assignment]  # a field


class PictureQuery(serializers.Serializer[Any]):
    seed = serializers.IntegerField(
        min_value=0, max_value=2**53 - 1, default=0, help_text="Which deal: same seed, same table."
    )
    seats = serializers.IntegerField(
        min_value=1, required=False, help_text="How many players; as few as possible by default."
    )


class EntryPointLinksSerializer(serializers.Serializer[Any]):
    rules = serializers.CharField()
    openapi = serializers.CharField()
    docs = serializers.CharField()
    health = serializers.CharField()


class EntryPointSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    links = EntryPointLinksSerializer()
