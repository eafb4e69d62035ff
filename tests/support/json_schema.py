"""As much of JSON Schema as our schemas use."""

from __future__ import annotations

from typing import Any

_TYPES = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": int | float,
    "object": dict,
    "string": str,
}
_KNOWN = {
    "$defs", "$ref", "$schema", "anyOf", "const", "description", "enum", "items", "maxItems",
    "minItems", "minimum", "properties", "required", "title", "type",
}  # fmt: skip


def problems(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "$") -> list[str]:
    """What of a value is not as the schema says; keys that it does not name are problems too."""
    assert schema.keys() <= _KNOWN, f"{at}: {schema.keys() - _KNOWN} is not understood"
    if "$ref" in schema:
        return problems(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, at)
    if "anyOf" in schema:
        tried = [problems(value, one, root, at) for one in schema["anyOf"]]
        return [] if [] in tried else min(tried, key=len)
    found = _of_value(value, schema, at)
    if found:
        return found
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        found += [f"{at}.{key}: missing" for key in schema.get("required", []) if key not in value]
        found += [f"{at}.{key}: unknown" for key in value if key not in properties]
        for key in value.keys() & properties.keys():
            found += problems(value[key], properties[key], root, f"{at}.{key}")
    if isinstance(value, list):
        for i, item in enumerate(value):
            found += problems(item, schema["items"], root, f"{at}[{i}]")
    return found


def _of_value(value: Any, schema: dict[str, Any], at: str) -> list[str]:
    kind = schema.get("type")
    # to Python True is a number
    if kind and (not isinstance(value, _TYPES[kind]) or (kind != "boolean" and value is True)):
        return [f"{at}: {value!r} is no {kind}"]
    checks = {
        "const": lambda wanted: value == wanted,
        "enum": lambda wanted: value in wanted,
        "minimum": lambda wanted: value >= wanted,
        "minItems": lambda wanted: len(value) >= wanted,
        "maxItems": lambda wanted: len(value) <= wanted,
    }
    return [
        f"{at}: {value!r} against {key} {schema[key]!r}"
        for key, holds in checks.items()
        if key in schema and not holds(schema[key])
    ]
