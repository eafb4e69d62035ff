"""The process that fuzzes: libFuzzer chooses inputs, the format mutates them, the judge holds them
to the promises. A finding is kept and the run goes on; only a crash of the process ends it.

    python guided.py FORMAT END RUNS WORK INPUTS SECONDS

END of the RUNS are done then, by this process and those before it, or what SECONDS allow.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import atheris

# what is imported here is not instrumented: the readers are what is looked at
import impinge.scene

NAME, END, RUNS = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
WORK, INPUTS, SECONDS = Path(sys.argv[4]), Path(sys.argv[5]), float(sys.argv[6])
TALLY = INPUTS / "tally.json"
# what atheris and libFuzzer tell is for those who look into a crash
os.dup2(os.open(WORK / "log.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), sys.stderr.fileno())

with atheris.instrument_imports(include=["impinge"], enable_loader_override=False):
    import impinge.io.gltf
    import impinge.io.obj
    import impinge.io.off
    import impinge.io.ply
    import impinge.io.read
    import impinge.io.stl
    import impinge.io.threemf  # noqa: F401
    from fuzz.formats import CORPUS, FORMATS
    from fuzz.judge import FindingError, Judge, outcome

LONGEST = 8192
SHARE_OF_WHOLE = 0.5
REPORT_SECONDS = 10.0


class Run:
    """Counts what the judge says of each input and tells it now and then."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._verdicts: Counter[str] = Counter()
        if TALLY.exists():
            self._verdicts.update(json.loads(TALLY.read_text()))
        self.done = self._verdicts.total()
        self._told = self._began = time.monotonic()

    def one(self, data: bytes) -> None:
        try:
            self._verdicts[self._judge.verdict(data)] += 1
        except FindingError as finding:
            self._verdicts["findings"] += 1
            self._keep(finding, data)
        now = time.monotonic()
        over = now - self._began > SECONDS
        if over or self._verdicts.total() == END or now - self._told > REPORT_SECONDS:
            self._tell()
        if over:
            # libFuzzer looks at its clock too seldom
            os._exit(0)

    def _keep(self, finding: FindingError, data: bytes) -> None:
        """The smallest input of each kind."""
        name = re.sub(r"\W+", "-", finding.kind) + self._judge.extension(data)
        path = WORK / "findings" / name
        if not path.exists() or path.stat().st_size > len(data):
            path.write_bytes(data)

    def _tell(self) -> None:
        before, self._told = self._told, time.monotonic()
        before_done, self.done = self.done, self._verdicts.total()
        counts = ", ".join(f"{count:,} {what}" for what, count in self._verdicts.most_common())
        rate = (self.done - before_done) / max(self._told - before, 1e-9)
        print(f"{self.done:,} of {RUNS:,} inputs, {rate:,.0f} a second: {counts}", flush=True)
        TALLY.write_text(json.dumps(self._verdicts))


def main() -> None:
    form = FORMATS[NAME]
    judge = Judge(form, INPUTS)
    run = Run(judge)
    whole = [data for data in form.seeds().values() if outcome(judge, data) == "read"]

    def mutate(data: bytes, size: int, seed: int) -> bytes:
        rng = Random(seed)
        # most branches are reached by what is refused; silent losses are found near what is read
        if rng.random() < SHARE_OF_WHOLE:
            data = rng.choice(whole)
        return form.mutated(data, rng)[:size]

    options = [f"-runs={END - run.done}", f"-max_len={LONGEST}", "-mutate_depth=1", "-timeout=60"]
    options += ["-rss_limit_mb=4096", f"-artifact_prefix={WORK}/findings/"]
    folders = [str(WORK / "corpus"), str(CORPUS / NAME)]
    atheris.Setup([sys.argv[0], *options, *folders], run.one, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
