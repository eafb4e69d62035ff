"""Makes random calls, one line for each before it is made, and one for each that goes wrong.

python worker.py public|core seed first count
"""

from __future__ import annotations

import json
import sys
import traceback
import warnings
from typing import Any

import core_calls
import public_calls
from values import Draw

CALLS: dict[str, Any] = {"core": core_calls, "public": public_calls}


def attempt(what: str, seed: int, number: int) -> dict[str, str]:
    """One call: how it ended."""
    calls = CALLS[what]
    name = ""
    try:
        name, make = calls.call(Draw(seed, number))
        answer = make()
        if what == "public":
            public_calls.look_at(answer)
    except calls.REFUSALS as error:
        return {"end": "refused", "name": name, "why": type(error).__name__}
    except Exception as error:
        where = "".join(traceback.format_exception(error)[-6:])
        return {"end": "foreign", "name": name, "why": where}
    return {"end": "answered", "name": name, "why": ""}


def main() -> None:
    what, *numbers = sys.argv[1:]
    seed, first, count = map(int, numbers)
    warnings.simplefilter("ignore")
    for number in range(first, first + count):
        print(json.dumps({"begin": number}), flush=True)
        print(json.dumps(attempt(what, seed, number)), flush=True)


if __name__ == "__main__":
    main()
