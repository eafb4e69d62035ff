"""Makes an input small that breaks a promise, so that its cause can be seen."""

from __future__ import annotations

from fuzz.formats import Format
from fuzz.judge import VERDICTS, Judge, outcome
from fuzz.layers import Layer


def minimised(form: Format, judge: Judge, data: bytes) -> bytes:
    """The input with all left out that its finding does not need, layer by layer."""
    kind = outcome(judge, data)
    if kind in VERDICTS:
        raise ValueError("there is nothing to minimise: the input is read or refused as it should")
    before = b""
    while data != before:
        before = data
        for i in range(len(form.layers(data))):
            layers = form.layers(data)
            if i < len(layers):
                data = _shorter(layers[i], judge, kind) or data
    return data


def _shorter(layer: Layer, judge: Judge, kind: str) -> bytes | None:
    """The file with pieces of a layer left out, large ones first; None if it needs them all."""
    content, found = layer.content, None
    size = len(content)
    while size:
        at = 0
        while at < len(content):
            shorter = content[:at] + content[at + size :]
            if outcome(judge, layer.rebuilt(shorter)) == kind:
                content, found = shorter, layer.rebuilt(shorter)
            else:
                at += size
        size //= 2
    return found
