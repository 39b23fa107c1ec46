"""
Check JSON values against the schemas of the suite, and say where a value parts from its schema.

The subset of JSON Schema that the suite's schemas use is understood: ``type``, ``const``, ``enum``, ``required``,
``properties``, ``additionalProperties``, ``items``, ``minItems``, ``minLength``, ``maxLength``, ``minimum``, ``pattern``,
``anyOf``, ``oneOf`` and ``$ref``. Any other tool that knows JSON Schema reads them too.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from tertium.conformance.places import folder

Schema = Mapping[str, Any]
Place = tuple[str, Schema]
"""A schema with the name of the file that its references start from."""


def problem(value: Any, schema: str) -> str:
    """
    Say how a value parts from a schema.

    Args:
        schema: ``case``, ``report`` or ``outcome``, or a place in one: ``report#/$defs/header``.

    Returns:
        The path to the value and what is wrong with it, as one text; empty where the value fits.
    """
    name, _, pointer = schema.partition("#")
    return next(_problems(value, _follow(f"{name}.schema.json#{pointer}", ""), "$"), "")


@cache
def _document(name: str) -> Any:
    return json.loads((folder() / "schemas" / name).read_text(encoding="utf-8"))


def _follow(reference: str, home: str) -> Place:
    name, _, pointer = reference.partition("#")
    found = _document(name or home)
    for part in pointer.split("/")[1:]:
        found = found[part]
    return name or home, found


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: _is_number(value) and float(value).is_integer(),
    "number": _is_number,
}


def _problems(value: Any, place: Place, path: str) -> Iterator[str]:
    home, schema = place
    if "$ref" in schema:
        yield from _problems(value, _follow(schema["$ref"], home), path)
        return
    for alternatives in ("anyOf", "oneOf"):
        if alternatives in schema:
            yield from _none_of(value, [(home, one) for one in schema[alternatives]], path)
    if "type" in schema:
        allowed = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(_TYPES[kind](value) for kind in allowed):
            yield f"{path} is {_shown(value)}, not of type {' or '.join(allowed)}"
            return
    if "const" in schema and (value != schema["const"] or type(value) is not type(schema["const"])):
        yield f"{path} is {_shown(value)} instead of {_shown(schema['const'])}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path} is {_shown(value)}, none of {', '.join(map(_shown, schema['enum']))}"
    if isinstance(value, str):
        yield from _text_problems(value, schema, path)
    elif _is_number(value) and "minimum" in schema and not value >= schema["minimum"]:
        yield f"{path} is {_shown(value)}, below {schema['minimum']}"
    elif isinstance(value, list):
        yield from _list_problems(value, place, path)
    elif isinstance(value, dict):
        yield from _object_problems(value, place, path)


def _text_problems(value: str, schema: Schema, path: str) -> Iterator[str]:
    if len(value) < schema.get("minLength", 0):
        yield f"{path} is shorter than {schema['minLength']} characters"
    if len(value) > schema.get("maxLength", len(value)):
        yield f"{path} is longer than {schema['maxLength']} characters"
    if "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{path} is {_shown(value)}, which does not match {schema['pattern']}"


def _list_problems(value: list[Any], place: Place, path: str) -> Iterator[str]:
    home, schema = place
    if len(value) < schema.get("minItems", 0):
        yield f"{path} holds {len(value)} items, fewer than {schema['minItems']}"
    if "items" in schema:
        for position, item in enumerate(value):
            yield from _problems(item, (home, schema["items"]), f"{path}[{position}]")


def _object_problems(value: dict[str, Any], place: Place, path: str) -> Iterator[str]:
    home, schema = place
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path} has no {name!r}"
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in known:
            yield from _problems(item, (home, known[name]), f"{path}.{name}")
        elif others is False:
            yield f"{path} has {name!r}, which is none of {', '.join(known)}"
        elif isinstance(others, dict):
            yield from _problems(item, (home, others), f"{path}.{name}")


def _none_of(value: Any, places: list[Place], path: str) -> Iterator[str]:
    """
    Yield what is wrong under the alternative that was meant: the only one of that type, or with such a constant.
    """
    found = [list(_problems(value, place, path)) for place in places]
    if not all(found):
        return
    for meant in (_is_of_type, _has_constants):
        named = [problems for problems, place in zip(found, places, strict=True) if meant(value, place)]
        if len(named) == 1:
            yield from named[0]
            return
    yield f"{path} is {_shown(value)}, which fits no alternative"


def _is_of_type(value: Any, place: Place) -> bool:
    home, schema = place
    if "$ref" in schema:
        return _is_of_type(value, _follow(schema["$ref"], home))
    kinds = schema.get("type", [])
    return any(_TYPES[kind](value) for kind in ([kinds] if isinstance(kinds, str) else kinds))


def _has_constants(value: Any, place: Place) -> bool:
    home, schema = place
    if "$ref" in schema:
        return _has_constants(value, _follow(schema["$ref"], home))
    constants = {name: one["const"] for name, one in schema.get("properties", {}).items() if "const" in one}
    return isinstance(value, dict) and any(value.get(name) == one for name, one in constants.items())


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
