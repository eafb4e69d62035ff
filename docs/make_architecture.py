"""Draws the two journeys of architecture.md: which function of which file comes after which.

    python docs/make_architecture.py [FOLDER]

Plain SVG, for light and dark pages. tests/docs/test_architecture.py runs both journeys and holds
the figures to what is really called.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple

from output_folder import output_folder


class Step(NamedTuple):
    """A function that is called. Files are below src/impinge, or start with native/."""

    file: str
    function: str
    text: str

    @property
    def is_native(self) -> bool:
        return self.file.startswith("native/")


Columns = dict[str, tuple[Step, ...]]

PAIR: Columns = {
    "1  Ask": (
        Step("cli/__init__.py", "main", "the command"),
        Step("cli/check.py", "check", "does all that follows"),
        Step("cli/reading.py", "read_models", "one file after the other"),
        Step("io/read.py", "read", "the reader by its ending; refuses files"),
        Step("io/stl.py", "read_parts", "binary or text, count against size"),
        Step("mesh.py", "Mesh.__init__", "arrays are checked once, then frozen"),
        Step("scene/bodies.py", "Bodies.add", "a body with a name and a pose"),
        Step("scene/solids.py", "SolidQuestions.check", "the question"),
        Step("queries/path.py", "checked", "options and detector"),
        Step("queries/plan.py", "BodySet.__init__", "bodies, and the pairs to ask about"),
        Step("queries/check.py", "_check", "pairs that are near, faces, verdicts"),
        Step("queries/parts.py", "SceneParts.prepare", "closed parts are solids"),
        Step("detectors/common/trees.py", "Trees.of", "trees are kept, refitted or built"),
        Step("queries/check.py", "_collisions", "which faces meet"),
        Step("detectors/bvh/__init__.py", "Bvh.scene", "trees, then the search"),
    ),
    "2  Find": (
        Step("native/bindings/bvh.cpp", "build_trees_py", "several trees side by side"),
        Step("native/bvh/tree/build.cpp", "Tree::Tree", "weld, order by medians, boxes"),
        Step("native/bindings/bvh.cpp", "collide_scene_py", "arrays in; the GIL is released"),
        Step("native/bvh/pair/collide.cpp", "collide_scene", "what is to be done, and by whom"),
        Step("native/pairs/jobs.hpp", "scene_jobs", "a job for two bodies, or for one"),
        Step("native/pairs/broad_phase.cpp", "broad_phase", "bodies whose boxes overlap"),
        Step(
            "native/bvh/pair/prepared_tree.cpp",
            "PreparedTree::expect_pairs",
            "slabs, where they pay",
        ),
        Step("native/bvh/pair/runner.cpp", "Runner::run", "tasks for all threads"),
        Step("native/bvh/pair/tree_to_tree.cpp", "expand_pair", "boxes and slabs, level by level"),
        Step("native/bvh/pair/leaf_pairs.cpp", "LeafPairs::judge", "leaves to candidates"),
        Step("native/pairs/judge.hpp", "Judge::drain", "the narrow phase of all detectors"),
        Step("native/pairs/float_filter.cpp", "filter_pairs", "float32, eight pairs at a time"),
        Step("native/pairs/rule.hpp", "decide", "which meetings count"),
        Step("native/geometry/triangles.cpp", "classify", "the exact test"),
        Step("native/pairs/findings.cpp", "Findings::together", "sorted, and merged"),
        Step("native/bindings/pairs.cpp", "SceneColumns::SceneColumns", "NumPy arrays out"),
    ),
    "3  Tell": (
        Step("queries/verdicts.py", "judge_solids", "overlaps against their tolerances"),
        Step("queries/penetrations.py", "measured", "relation, depth and volume, native"),
        Step("queries/verdicts.py", "judge_gaps", "what is near; then the answer, a Check"),
        Step("cli/check.py", "_write_report", "title and sources"),
        Step("report/page.py", "write_report", "the file"),
        Step("report/page.py", "report_page", "its sections"),
        Step("render/page/snapshot.py", "of_drawing", "what the 3D view will get"),
        Step("render/finding.py", "findings_of", "clashes first, the deepest of them"),
        Step("report/figures.py", "finding_pictures", "one for each clash and gap"),
        Step("render/picture/views.py", "closeup", "camera, solid and glass bodies"),
        Step("render/drawing.py", "Drawing.pieces", "the overlap, which is red"),
        Step("render/picture/renderer.py", "render", "pixels, without a browser"),
        Step("render/picture/png.py", "encode", "a PNG file"),
        Step("render/page/snapshot.py", "message", "geometry for the 3D view"),
        Step("report/markup.py", "document", "all in one HTML file"),
        Step("cli/check.py", "_as_text", "the table in the terminal"),
    ),
}

CLOTH: Columns = {
    "1  Deform and ask": (
        Step("body.py", "Body.vertices", "cloth.vertices = V: as many as before"),
        Step("_arrays.py", "as_vertices", "checked, and copied"),
        Step("body.py", "Body._deform", "a new shape; old answers keep theirs"),
        Step("scene/surfaces.py", "SurfaceQuestions.collide", "the question"),
        Step("queries/path.py", "checked", "options and detector"),
        Step("scene/questions.py", "Questions._ask", "one query of a scene at a time"),
        Step("queries/collide.py", "collisions_of", "a query as detectors take it"),
        Step("queries/plan.py", "BodySet.shapes", "the geometry as it is now"),
        Step("queries/path.py", "answer", "asks, then drops ignored pairs"),
        Step("detectors/bvh/__init__.py", "Bvh.scene", "trees, then the search"),
        Step("detectors/common/trees.py", "Trees.of", "trees are kept, refitted or built"),
        Step("detectors/common/trees.py", "Trees.of_one", "the tree of the cloth"),
        Step("_shape.py", "Structures.get", "other vertices than last time: refit"),
    ),
    "2  Refit and search": (
        Step("native/bindings/bound_tree.hpp", "Bound::refit", "the GIL is released"),
        Step("native/bvh/pair/prepared_tree.cpp", "PreparedTree::refit", "slabs are forgotten"),
        Step("native/bvh/tree/refit.cpp", "Tree::refit", "order anew where boxes are loose"),
        Step(
            "native/mesh/merged_vertices.cpp",
            "MergedVertices::holds",
            "equal vertices are still equal",
        ),
        Step("native/bvh/tree/refit.cpp", "Tree::fill_boxes", "new boxes, same tree"),
        Step("native/bindings/bvh.cpp", "collide_scene_py", "arrays in; the GIL is released"),
        Step("native/bvh/pair/collide.cpp", "collide_scene", "what is to be done, and by whom"),
        Step("native/pairs/jobs.hpp", "scene_jobs", "the cloth with itself is a job"),
        Step(
            "native/bvh/pair/prepared_tree.cpp",
            "PreparedTree::expect_self",
            "rims of sheets, where they pay",
        ),
        Step("native/bvh/pair/runner.cpp", "Runner::run", "tasks for all threads"),
        Step("native/boxes/front.hpp", "expand_self", "boxes, level by level"),
        Step(
            "native/bvh/pair/leaf_pairs.cpp",
            "LeafPairs::collect_self",
            "candidates: no common vertex",
        ),
        Step("native/pairs/judge.hpp", "Judge::drain", "filter, then the exact test"),
    ),
    "3  Neighbours and answer": (
        Step("native/bvh/pair/pairing.cpp", "Pairing::certify_stars", "eight vertices at a time"),
        Step("native/mesh/stars.cpp", "certify", "one projection settles a star"),
        Step("native/bvh/pair/pairing.cpp", "Pairing::test_star", "where that fails"),
        Step("native/mesh/star_pairs.hpp", "for_each_doubtful_pair", "pairs that no plane parts"),
        Step("native/pairs/judge.hpp", "Judge::test_neighbours", "the same judge"),
        Step("native/pairs/rule.hpp", "decide", "which meetings count"),
        Step("native/geometry/triangles.cpp", "classify_self", "all but what they share"),
        Step("native/pairs/findings.cpp", "Findings::together", "sorted, and merged"),
        Step("native/bindings/pairs.cpp", "SceneColumns::SceneColumns", "NumPy arrays out"),
        Step("queries/plan.py", "BodySet.origin", "what the answer remembers"),
        Step("queries/collide.py", "_frozen", "the answer, a Collisions"),
        Step("results/collisions.py", "Collisions.body_pairs", "computed when asked"),
        Step("results/segments.py", "intersect", "hits.segments, when asked"),
    ),
}

JOURNEYS = {"journey-pair": PAIR, "journey-cloth": CLOTH}

WIDTH, HEIGHT = 318, 62  # of a box
GAP_X, GAP_Y, MARGIN, HEAD = 34, 14, 20, 44

STYLE = """
  .page { fill: #ffffff }
  .box { fill: #f4f7fb; stroke: #b9c6d6 }
  .native { fill: #fdf5e8; stroke: #dcc08a }
  .head { font: 600 16px sans-serif; fill: #1f2933 }
  .name { font: 600 13.5px ui-monospace, Menlo, Consolas, monospace; fill: #123a66 }
  .native-name { fill: #7a4a00 }
  .file { font: 11.5px ui-monospace, Menlo, Consolas, monospace; fill: #52606d }
  .text { font: 12px sans-serif; fill: #1f2933 }
  .way { fill: none; stroke: #7b8794; stroke-width: 1.5 }
  .tip { fill: #7b8794 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #15191e }
    .box { fill: #1e2732; stroke: #3e5068 }
    .native { fill: #2b251a; stroke: #6a5630 }
    .head, .text { fill: #e4e9ee }
    .name { fill: #9cc7f5 }
    .native-name { fill: #f0c477 }
    .file { fill: #9aa8b5 }
    .way { stroke: #8795a3 }
    .tip { fill: #8795a3 }
  }
"""


def figure(columns: Columns) -> str:
    """The SVG text of a journey."""
    rows = max(len(steps) for steps in columns.values())
    width = 2 * MARGIN + len(columns) * WIDTH + (len(columns) - 1) * GAP_X
    height = 2 * MARGIN + HEAD + rows * (HEIGHT + GAP_Y) - GAP_Y
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">',
        f"<style>{STYLE}</style>",
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto"><path class="tip" d="M0 0 L8 4 L0 8 z"/></marker>',
        f'<rect class="page" width="{width}" height="{height}" rx="8"/>',
    ]
    for column, (title, steps) in enumerate(columns.items()):
        x = MARGIN + column * (WIDTH + GAP_X)
        lines.append(f'<text class="head" x="{x}" y="{MARGIN + 20}">{escape(title)}</text>')
        for row, step in enumerate(steps):
            y = _top(row)
            lines += _box(x, y, step)
            if row + 1 < len(steps):
                lines.append(_way(f"M{x + 26} {y + HEIGHT} v{GAP_Y - 1}"))
        if column + 1 < len(columns):
            lines.append(_way(_turn(x, len(steps) - 1)))
    return "\n".join([*lines, "</svg>", ""])


def _top(row: int) -> int:
    return MARGIN + HEAD + row * (HEIGHT + GAP_Y)


def _box(x: int, y: int, step: Step) -> list[str]:
    kind, name = ("box native", "name native-name") if step.is_native else ("box", "name")
    left = x + 12
    return [
        f'<rect class="{kind}" x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5"/>',
        f'<text class="{name}" x="{left}" y="{y + 19}">{escape(step.function)}</text>',
        f'<text class="file" x="{left}" y="{y + 35}">{escape(step.file)}</text>',
        f'<text class="text" x="{left}" y="{y + 52}">{escape(step.text)}</text>',
    ]


def _turn(x: int, last: int) -> str:
    """From the last box of a column to the first of the next one."""
    right, middle = x + WIDTH, HEIGHT // 2
    return f"M{right} {_top(last) + middle} h{GAP_X // 2} V{_top(0) + middle} H{right + GAP_X - 1}"


def _way(path: str) -> str:
    return f'<path class="way" marker-end="url(#tip)" d="{path}"/>'


def main() -> None:
    folder = output_folder("Draw the figures of architecture.md.")
    for name, columns in JOURNEYS.items():
        (folder / f"{name}.svg").write_text(figure(columns), encoding="utf-8")
        print(folder / f"{name}.svg")


if __name__ == "__main__":
    main()
