"""The differences between two OpenAPI documents of this API, each of which keeps or breaks the
promises of docs/changes.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from api.openapi_schemas import SCHEMA_REF_PREFIX

Node = Mapping[str, Any]

BASE: Final = "/api/v1"
ANY: Final = "any value"
JSON_TYPES: Final = {str: "string", int: "integer", bool: "boolean", type(None): ANY}
UPPER_BOUNDS: Final = ("maximum", "maxLength", "maxItems")
LOWER_BOUNDS: Final = ("minimum", "minLength", "minItems")
FORMS: Final = ("pattern", "format")


@dataclass(frozen=True, order=True)
class Difference:
    """A change at one place of the document, and whether it breaks a client that relied on the
    document before."""

    place: str
    change: str
    breaks: bool

    def __str__(self) -> str:
        return f"{self.place}: {self.change}"


@dataclass(frozen=True)
class Alternative:
    """One of the kinds of values that a schema permits."""

    kind: str  # the JSON type
    name: str  # of its schema; empty if it has none
    node: Node

    @property
    def label(self) -> str:
        """The value of the member that tells it apart, such as `law.view.v2`."""
        return str(self.node.get("properties", {}).get("type", {}).get("const", ""))


def differences(old: Node, new: Node) -> list[Difference]:
    """All differences, by place. At a place that is both sent and received, the same change counts
    once, as breaking if it breaks either."""
    comparison = _Comparison(old, new)
    comparison.compare_operations()
    breaking = {(one.place, one.change) for one in comparison.found if one.breaks}
    kept = {
        one for one in comparison.found if one.breaks or (one.place, one.change) not in breaking
    }
    return sorted(kept)


@dataclass
class _Comparison:
    """Compares schemas from the operations on, each pair once for each direction."""

    old: Node
    new: Node
    found: set[Difference] = field(default_factory=set)
    seen: set[tuple[int, int, bool]] = field(default_factory=set)

    def report(self, place: str, change: str, breaks: bool) -> None:
        self.found.add(Difference(place, change, breaks))

    # -- operations --------------------------------------------------------------------------------

    def compare_operations(self) -> None:
        """Compare all operations, and the events of webhooks."""
        self.members(_operations(self.old), _operations(self.new), "", self.operation)
        events = [
            {name: item["post"] for name, item in document.get("webhooks", {}).items()}
            for document in (self.old, self.new)
        ]
        self.members(events[0], events[1], "webhook ", self.event)

    def members(
        self, old: Node, new: Node, prefix: str, compare: Callable[[Any, Any, str], None]
    ) -> None:
        """Report the names that are gone, which breaks, or new, and compare those in both."""
        for name in {**old, **new}:
            where = prefix + name
            if name not in old:
                self.report(where, "is new", breaks=False)
            elif name not in new:
                self.report(where, "is gone", breaks=True)
            else:
                compare(old[name], new[name], where)

    def operation(self, old: Node, new: Node, place: str) -> None:
        if old["operationId"] != new["operationId"]:
            names = f"{old['operationId']} is called {new['operationId']}"
            self.report(place, names, breaks=True)
        self.parameters(_parameters(old), _parameters(new), place)
        self.body(old.get("requestBody", {}), new.get("requestBody", {}), place)
        self.keys(old.get("security") or [{}], new.get("security") or [{}], place)
        self.replies(old["responses"], new["responses"], place)

    def event(self, old: Node, new: Node, place: str) -> None:
        """The bodies that the server sends to a webhook, and the client receives."""
        contents = [one["requestBody"]["content"] for one in (old, new)]
        self.contents(contents[0], contents[1], place, sent=False)

    def parameters(self, old: Node, new: Node, place: str) -> None:
        for name in {**old, **new}:
            where = f"{place} {name}"
            if name not in old:
                self.new_input(where, new[name].get("required", False))
            elif name not in new:
                self.report(where, "is gone", breaks=True)
            else:
                self.requirement(old[name], new[name], where)
                self.schemas(old[name]["schema"], new[name]["schema"], where, sent=True)

    def new_input(self, place: str, required: bool) -> None:
        self.report(place, "is new and required" if required else "is new", breaks=required)

    def requirement(self, old: Node, new: Node, place: str) -> None:
        """Compare whether something must be sent."""
        if old.get("required", False) != new.get("required", False):
            required = new.get("required", False)
            self.report(place, "is required" if required else "is optional", breaks=required)

    def body(self, old: Node, new: Node, place: str) -> None:
        if new and not old:
            self.new_input(f"{place} body", new.get("required", False))
        elif old and not new:
            self.report(f"{place} body", "is gone", breaks=True)
        elif old:
            self.requirement(old, new, f"{place} body")
            self.contents(old["content"], new["content"], f"{place} body", sent=True)

    def keys(self, old: Sequence[Node], new: Sequence[Node], place: str) -> None:
        """Compare the keys that are accepted; `{}` is none."""
        lost = [one for one in old if one not in new and {} not in new]
        if lost or [*old] != [*new]:
            self.report(place, f"needs {_scopes(new)} instead of {_scopes(old)}", bool(lost))

    def replies(self, old: Node, new: Node, place: str) -> None:
        """Compare the replies by status; refusals of any kind may come at any time."""
        for status in {**old, **new}:
            where = f"{place} {status}"
            if status not in old:
                self.report(where, "is new", breaks=status.startswith("2"))
            elif status not in new:
                self.report(where, "is gone", breaks=status.startswith("2"))
            else:
                contents = [one.get("content", {}) for one in (old[status], new[status])]
                self.contents(contents[0], contents[1], where, sent=False)
                headers = [one.get("headers", {}).keys() for one in (old[status], new[status])]
                for name in headers[0] - headers[1]:
                    self.report(f"{where} header {name}", "is gone", breaks=True)
                for name in headers[1] - headers[0]:
                    self.report(f"header {name}", "is new", breaks=False)

    def contents(self, old: Node, new: Node, place: str, *, sent: bool) -> None:
        self.members(
            old,
            new,
            f"{place} ",
            lambda one, other, where: self.schemas(one["schema"], other["schema"], where, sent),
        )

    # -- schemas -----------------------------------------------------------------------------------

    def schemas(self, old: Node, new: Node, place: str, sent: bool) -> None:
        """Compare all kinds of values that two schemas permit."""
        before, after = self.alternatives(self.old, old), self.alternatives(self.new, new)
        kinds, new_kinds = {one.kind for one in before}, {one.kind for one in after}
        if ANY not in new_kinds:
            for kind in sorted(kinds - new_kinds):
                self.report(place, f"is no longer {kind}", breaks=sent)
        if ANY not in kinds:
            for kind in sorted(new_kinds - kinds):
                self.report(place, f"may be {kind}", breaks=not sent)
        for kind in sorted(kinds & new_kinds):
            both = [[one for one in side if one.kind == kind] for side in (before, after)]
            self.same_kind(kind, both[0], both[1], place, sent)

    def same_kind(
        self, kind: str, old: list[Alternative], new: list[Alternative], place: str, sent: bool
    ) -> None:
        if kind == "object":
            self.objects(old, new, place, sent)
        elif kind == "array":
            self.arrays(old[0].node, new[0].node, place, sent)
        else:
            self.values(old, new, place, sent)

    def objects(
        self, old: list[Alternative], new: list[Alternative], place: str, sent: bool
    ) -> None:
        """Compare the objects that are the same in both, or alone in both."""
        pairs = [*_pairs(old, new)] or ([(old[0], new[0])] if len(old) == len(new) == 1 else [])
        for one, other in pairs:
            self.object_pair(one, other, place, sent)
        gone = [one.name for one in old if not any(one is pair[0] for pair in pairs)]
        added = [one.name for one in new if not any(one is pair[1] for pair in pairs)]
        if not pairs:
            self.report(place, f"is {_some(added)} instead of {_some(gone)}", breaks=True)
            return
        for name in gone:
            self.report(place, f"is no longer {name}", breaks=sent)
        for name in added:
            self.report(place, f"may be {name}", breaks=False)

    def object_pair(self, old: Alternative, new: Alternative, place: str, sent: bool) -> None:
        pair = (id(old.node), id(new.node), sent)
        if new.name and pair in self.seen:
            return
        self.seen.add(pair)
        where = new.name or place
        members, new_members = (one.node.get("properties", {}) for one in (old, new))
        for name in {**members, **new_members}:
            self.member(old.node, new.node, name, f"{where}.{name}", sent)
        before, after = (one.node.get("additionalProperties") for one in (old, new))
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            self.schemas(before, after, f"{where}.*", sent)

    def member(self, old: Node, new: Node, name: str, place: str, sent: bool) -> None:
        before, after = (one.get("properties", {}).get(name) for one in (old, new))
        was_required, is_required = (name in one.get("required", ()) for one in (old, new))
        if before is None:
            self.new_input(place, is_required) if sent else self.report(place, "is new", False)
        elif after is None:
            self.report(place, "is gone", breaks=True)
        else:
            if was_required != is_required:
                change = "is required" if is_required else "is optional"
                self.report(place, change, breaks=is_required == sent)
            self.schemas(before, after, place, sent)

    def arrays(self, old: Node, new: Node, place: str, sent: bool) -> None:
        self.bounds(old, new, place, sent)
        places = [one.get("prefixItems", ()) for one in (old, new)]
        for number, (before, after) in enumerate(zip(*places, strict=False)):
            self.schemas(before, after, f"{place}[{number}]", sent)
        self.schemas(old.get("items", {}), new.get("items", {}), f"{place}[]", sent)

    def values(
        self, old: list[Alternative], new: list[Alternative], place: str, sent: bool
    ) -> None:
        """Compare texts and numbers: their enumerations, or else their bounds."""
        before, after = _listed(old), _listed(new)
        if before is not None and after is not None:
            for value in before:
                if value not in after:
                    self.report(place, f"is no longer {value!r}", breaks=sent)
            for value in after:
                if value not in before:
                    self.report(place, f"may be {value!r}", breaks=False)
        elif after is not None:
            self.report(place, "is one of a list", breaks=sent)
        elif before is not None:
            self.report(place, "is no longer one of a list", breaks=False)
        else:
            self.bounds(old[0].node, new[0].node, place, sent)

    def bounds(self, old: Node, new: Node, place: str, sent: bool) -> None:
        """Compare lengths, limits, patterns and formats."""
        for name in (*UPPER_BOUNDS, *LOWER_BOUNDS, *FORMS):
            before, after = old.get(name), new.get(name)
            if before != after:
                change = f"has the {name} {after}" if after is not None else f"has no {name}"
                breaks = _is_stricter(name, before, after) if sent else _is_lost(name, before)
                self.report(place, change, breaks)

    def alternatives(self, document: Node, node: Node, name: str = "") -> list[Alternative]:
        """The kinds of values that a schema permits, without references and unions."""
        if "$ref" in node:
            name = node["$ref"].removeprefix(SCHEMA_REF_PREFIX)
            return self.alternatives(document, document["components"]["schemas"][name], name)
        for union in ("anyOf", "oneOf"):
            if union in node:
                return [one for part in node[union] for one in self.alternatives(document, part)]
        if "allOf" in node:
            parts = [self.alternatives(document, part)[0].node for part in node["allOf"]]
            return [Alternative("object", name, _merged(parts))]
        return [Alternative(kind, name, node) for kind in _kinds(node)]


def _operations(document: Node) -> dict[str, Node]:
    return {
        f"{method.upper()} {path.removeprefix(BASE) or '/'}": described
        for path, operations in document["paths"].items()
        for method, described in operations.items()
    }


def _parameters(described: Node) -> dict[str, Node]:
    return {f"{one['in']} {one['name']}": one for one in described.get("parameters", ())}


def _scopes(keys: Sequence[Node]) -> str:
    """The scopes of the keys that are accepted, in words."""
    scopes = [scope for one in keys for key_scopes in one.values() for scope in key_scopes]
    return " or ".join(scopes + (["no key"] if {} in keys else []))


def _kinds(node: Node) -> Iterator[str]:
    kinds = node.get("type", JSON_TYPES.get(type(node.get("const")), ANY))
    yield from [kinds] if isinstance(kinds, str) else kinds


def _pairs(
    old: list[Alternative], new: list[Alternative]
) -> Iterator[tuple[Alternative, Alternative]]:
    """The objects that have the same name, or else the same label."""
    names = {one.name for one in old} & {one.name for one in new} - {""}
    for one, other in product(old, new):
        same_label = one.label and one.label == other.label
        if (one.name == other.name) if {one.name, other.name} & names else same_label:
            yield one, other


def _some(names: list[str]) -> str:
    """Names in words, no more than three."""
    others = f" and {len(names) - 3} others" if len(names) > 3 else ""
    return ", ".join(names[:3]) + others


def _listed(alternatives: list[Alternative]) -> list[Any] | None:
    """The values of an enumeration, or None if any value is permitted."""
    values: list[Any] = []
    for one in alternatives:
        if "enum" not in one.node and "const" not in one.node:
            return None
        values += one.node.get("enum", [one.node.get("const")])
    return values


def _is_stricter(name: str, before: Any, after: Any) -> bool:
    """Whether a bound refuses values that were permitted."""
    if after is None or before is None:
        return after is not None
    if name in UPPER_BOUNDS:
        return bool(after < before)
    return bool(after > before) if name in LOWER_BOUNDS else True


def _is_lost(name: str, before: Any) -> bool:
    """Whether a format on which a reader relies is another one."""
    return name == "format" and before is not None


def _merged(parts: Sequence[Node]) -> Node:
    """The object that all of these schemas describe together."""
    properties: dict[str, Any] = {}
    required: list[str] = []
    for part in parts:
        properties |= part.get("properties", {})
        required += part.get("required", ())
    return {"type": "object", "properties": properties, "required": required}
