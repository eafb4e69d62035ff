"""How much of a reader the inputs reach: lines and branches of each of its files.

python reached.py FORMAT CORPUS
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import coverage

from fuzz.formats import FORMATS

# no part of any reader
OTHERS = ["*/io/__init__.py", "*/io/load.py", "*/io/model.py"]


def main() -> None:
    form, folder = FORMATS[sys.argv[1]], Path(sys.argv[2])
    seeds = [*form.seeds().values(), *(path.read_bytes() for path in folder.iterdir())]
    measured = coverage.Coverage(
        branch=True, include=["*/impinge/io/*"], omit=OTHERS, data_file=None
    )
    measured.start()
    from fuzz.judge import Judge, outcome

    with tempfile.TemporaryDirectory() as place:
        judge = Judge(form, Path(place))
        for data in seeds:
            outcome(judge, data)
    measured.stop()
    print(f"{len(seeds):,} inputs reach")
    measured.report(file=sys.stdout, show_missing=True)


if __name__ == "__main__":
    main()
