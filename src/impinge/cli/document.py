"""The JSON of `impinge check`; `check.schema.json` of `impinge.data` describes it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from impinge.cli.check import Found, Options
    from impinge.io import Model
    from impinge.results.clashes import Clash

SCHEMA = 1
"""Grows when a key goes away or changes its meaning; new keys may come at any time."""


def check_document(models: list[Model], found: Found, asked: Options) -> dict[str, Any]:
    """All that was asked and found, in plain numbers, lists and strings."""
    import impinge

    check = found.check
    return {
        "schema": SCHEMA,
        "impinge": impinge.__version__,
        "files": [_file(model) for model in models],
        "options": asked.as_dict(),
        "failed": found.failed,
        "summary": {
            "parts": len(check.names),
            "triangles": found.triangles,
            "clashes": len(check.clashes),
            **check.counts,
            "self": len(found.own),
        },
        "parts": [
            {"name": body.name, "triangles": len(body.mesh.faces), "precision": body._precision()}
            for body in found.scene.bodies
        ],
        "rows": [
            _without_nan({**row.to_dict(), "faces": row.face_pairs.tolist()}) for row in check
        ],
        "self": [_own(clash, found) for clash in found.own],
        "missed": found.missed,
        "warnings": [
            *(f"{model.path}: {text}" for model in models for text in model.warnings),
            *found.warnings,
        ],
    }


def _file(model: Model) -> dict[str, Any]:
    from impinge.cli.verdicts import file_precision

    precision, numbers = file_precision(model)
    return {
        "file": str(model.path),
        "parts": len(model.parts),
        "triangles": model.triangles,
        "precision": precision,
        "numbers": numbers,
    }


def _own(clash: Clash, found: Found) -> dict[str, Any]:
    faces = [] if found.hits is None else found.hits.pairs[clash.rows].tolist()
    return {
        "part": clash.a,
        "crosses": clash.crosses,
        "pairs": clash.pairs,
        "kinds": clash.kinds,
        "length": clash.length,
        "center": clash.center.tolist(),
        "bounds": clash.bounds.tolist(),
        "faces": faces,
    }


def _without_nan(value: Any) -> Any:
    """JSON has no NaN: what there is not is null."""
    if isinstance(value, dict):
        return {key: _without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nan(item) for item in value]
    return None if isinstance(value, float) and math.isnan(value) else value
