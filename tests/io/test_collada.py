"""COLLADA documents, which the links of robots come in."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from fuzz import trees
from impinge.errors import MeshFileError
from impinge.io import collada
from impinge.io.load import mesh_of
from impinge.io.read import read_with
from support import meshes
from support.collada_truth import triangles
from support.example_robots import folder

BOX = meshes.box()


def words(values: object) -> str:
    return " ".join(repr(x) for x in np.asarray(values).ravel().tolist())


def mesh_xml(
    primitives: str = "", vertices: np.ndarray = BOX[0], faces: np.ndarray = BOX[1]
) -> str:
    return (
        '<geometry id="g" name="box"><mesh><source id="s">'
        f'<float_array id="a" count="{vertices.size}">{words(vertices)}</float_array>'
        f'<technique_common><accessor source="#a" count="{len(vertices)}" stride="3">'
        '<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>'
        "</accessor></technique_common></source>"
        '<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>'
        + (
            primitives
            or f'<triangles count="{len(faces)}"><input semantic="VERTEX" source="#v" offset="0"/>'
            f"<p>{words(faces)}</p></triangles>"
        )
        + "</mesh></geometry>"
    )


def document(
    geometry: str = "", nodes: str = '<node><instance_geometry url="#g"/></node>', more: str = ""
) -> str:
    return (
        '<?xml version="1.0"?>\n<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" '
        f'version="1.4.1">{more}<library_geometries>{geometry or mesh_xml()}</library_geometries>'
        f'<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene>'
        "</library_visual_scenes>"
        '<scene><instance_visual_scene url="#scene"/></scene></COLLADA>'
    )


@pytest.fixture
def load(put):
    def write_and_read(text: str | bytes, *, lenient: bool = False):
        path = put("x.dae", text if isinstance(text, bytes) else text.encode())
        return read_with(collada.read_parts, path, lenient=lenient, split=False)

    return write_and_read


def corners_of(model) -> np.ndarray:
    mesh = mesh_of(model)
    return mesh.vertices[mesh.faces]


def test_a_box_is_read(load) -> None:
    (part,) = load(document()).parts
    assert part.name == "box"
    assert np.array_equal(part.mesh.vertices, BOX[0])
    assert np.array_equal(part.mesh.faces, BOX[1])


NODES = (
    "<node><translate>1 2 3</translate><rotate>0 0 2 90</rotate><scale>1 2 3</scale>"
    '<instance_geometry url="#g"/><node><matrix>0 -1 0 5 1 0 0 6 0 0 1 7 0 0 0 1</matrix>'
    '<instance_geometry url="#g"/></node></node>'
    '<node><instance_node url="#n"/></node>'
)
LIBRARY = (
    '<library_nodes><node id="n"><scale>2 2 2</scale><instance_geometry url="#g"/></node>'
    "</library_nodes>"
)
UNIT = '<asset><unit meter="0.5" name="half"/><up_axis>Y_UP</up_axis></asset>'


def polygons(tag: str, inside: str, count: int) -> str:
    inputs = (
        '<input semantic="NORMAL" source="#s" offset="0"/>'
        '<input semantic="VERTEX" source="#v" offset="1"/>'
    )
    return f'<{tag} count="{count}">{inputs}{inside}</{tag}>'


QUADS = [(0, 2, 3, 1), (4, 5, 7, 6)]


def with_normals(row: object) -> str:
    return words([(0, index) for index in np.ravel(row).tolist()])


@pytest.mark.parametrize(
    "text",
    [
        document(),
        document(nodes=NODES, more=LIBRARY + UNIT),
        document(
            mesh_xml(polygons("polylist", f"<vcount>4 4</vcount><p>{with_normals(QUADS)}</p>", 2))
        ),
        document(
            mesh_xml(polygons("polygons", "".join(f"<p>{with_normals(q)}</p>" for q in QUADS), 2))
        ),
        document(mesh_xml(polygons("triangles", f"<p>{with_normals(BOX[1])}</p>", 12))),
        document(
            mesh_xml(
                polygons("triangles", f"<p>{with_normals(BOX[1][:4])}</p>", 4)
                + polygons("triangles", f"<p>{with_normals(BOX[1][4:])}</p>", 8)
                + '<lines count="1"><p>0 1</p></lines>'
            )
        ),
    ],
)
def test_documents_are_what_another_reader_makes_of_them(load, text: str) -> None:
    assert np.allclose(corners_of(load(text)), triangles(text.encode()), atol=1e-15)


def test_strips_and_fans(load) -> None:
    strip = mesh_xml(
        polygons(
            "tristrips", f"<p>{with_normals([0, 1, 2, 3])}</p><p>{with_normals([4, 5, 6])}</p>", 2
        )
    )
    assert mesh_of(load(document(strip))).faces.tolist() == [[0, 1, 2], [1, 3, 2], [4, 5, 6]]
    fan = mesh_xml(polygons("trifans", f"<p>{with_normals([0, 1, 2, 3])}</p>", 1))
    assert mesh_of(load(document(fan))).faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_instances_share_a_mesh(load) -> None:
    parts = load(document(nodes=NODES, more=LIBRARY)).parts
    assert len(parts) == 3
    assert parts[0].mesh is parts[1].mesh


def test_axes_stay_and_units_become_metres(load) -> None:
    mesh = mesh_of(load(document(more=UNIT)))
    assert np.array_equal(mesh.vertices, 0.5 * BOX[0])


GOOD = document(nodes=NODES, more=LIBRARY + UNIT)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("COLLADA", "KOLLADA", "line 2: begins with <KOLLADA>, expected <COLLADA>"),
        ("</node></visual", "</visual", "line 2: is not valid XML (mismatched tag)"),
        ("<COLLADA", "<!DOCTYPE c [<!ENTITY a 'b'>]><COLLADA", "declares a document type"),
        ('<instance_visual_scene url="#scene"/>', "", "has no scene that places its geometry"),
        ('url="#scene"', 'url="#other"', "refers to the visual_scene '#other', which is missing"),
        ('url="#scene"', 'url="x.dae#scene"', "refers to the visual_scene 'x.dae#scene', which"),
        ('url="#g"', 'url="#v"', "refers to the geometry '#v', which is missing"),
        ('url="#n"', 'url="#nn"', "refers to the node '#nn', which is missing"),
        (
            '<node id="n">',
            '<node id="n"><instance_node url="#n"/>',
            "nodes stand in each other more than 64 deep",
        ),
        ("<translate>1 2 3<", "<translate>1 2<", "<translate> must hold 3 numbers"),
        ("<translate>1 2 3<", "<translate>1 2 x<", "<translate> must hold 3 numbers"),
        ("<translate>1 2 3<", "<translate>1 2 nan<", "the transforms above it are not finite"),
        ("0 0 1 7 0 0 0 1", "0 0 1 7 0 0 1 1", "the last row of a matrix must be 0 0 0 1"),
        ("<scale>1 2 3</scale>", "<skew>1 2 3 4 5 6 7</skew>", "<skew> is not supported"),
        ('meter="0.5"', 'meter="0"', "a unit of '0' metres is no length"),
        ('meter="0.5"', 'meter="x"', "a unit of 'x' metres is no length"),
        ('source="#s"', 'source="#t"', "refers to the source '#t', which is missing"),
        ('source="#v"', 'source="#s"', "refers to the vertices '#s', which is missing"),
        ('source="#a"', 'source="b"', "refers to the float_array 'b', which is missing"),
        ('"POSITION"', '"NORMAL"', "<vertices> has no input of positions"),
        ('"VERTEX"', '"NORMAL"', "<triangles> has no input of vertices"),
        ('name="X"', 'name="S"', "positions must be X, Y, Z, got S, Y, Z"),
        (
            'count="8" stride="3"',
            'count="9" stride="3"',
            "asks for 9 positions, but the array has 24 numbers",
        ),
        (
            'count="8" stride="3"',
            'count="-1" stride="3"',
            "'count' of <accessor> must be a count, got '-1'",
        ),
        ("<mesh>", "<spline>", "is not valid XML"),
        ('<triangles count="12">', '<triangles count="13">', "says it has 13 polygons, but has 12"),
        ("<p>0 ", "<p>", "has 35 corners, but its polygons have 36"),
        ("<p>0 ", "<p>8 ", "uses vertex 8, but only 8 exist"),
        ("<p>0 ", "<p>-1 ", "uses vertex -1, but only 8 exist"),
        ("<p>0 ", "<p>0.5 ", "<p> must hold only whole numbers"),
        ("<p>0 ", "<p>99999999999999999999 ", "uses vertex"),
        ('24">0.0 ', '24">nan ', "a coordinate is not a finite number"),
        ('24">0.0 ', '24">x ', "<float_array> must hold only numbers"),
        ("instance_geometry", "instance_controller", "places a geometry by a controller"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(load, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(MeshFileError) as caught:
        load(GOOD.replace(old, new))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_document_of_bombs_is_refused(load) -> None:
    doubling = "".join(
        f'<node id="n{i}"><instance_node url="#n{i + 1}"/><instance_node url="#n{i + 1}"/></node>'
        for i in range(30)
    )
    nodes = f'<library_nodes>{doubling}<node id="n30"/></library_nodes>'
    with pytest.raises(MeshFileError, match="its nodes would take"):
        load(document(more=nodes, nodes='<node><instance_node url="#n0"/></node>'))
    with pytest.raises(MeshFileError, match="elements stand in each other more than 256 deep"):
        load(document(more="<x>" * 300 + "</x>" * 300))
    accessor = GOOD.replace('count="8" stride="3"', 'count="99999999999" stride="0"')
    with pytest.raises(MeshFileError, match="positions must be"):
        load(accessor)


def outcome(load, data: bytes):
    """The message and None, or nothing and the model."""
    try:
        return "", load(data)
    except MeshFileError as error:
        return str(error), None


WORDS = (
    b'<p>0 1 2</p>|<vcount>3</vcount>|<node>|</node>|<instance_geometry url="#g"/>|1e300|-1|0|'
    b'<instance_node url="#n"/>|<triangles>|</triangles>|<polylist>|</polylist>|<matrix>1</matrix>|'
    b'offset="7"|stride="0"|count="1"|&amp;|<!-- c -->|<![CDATA[1]]>|<scale>0 0 0</scale>'
).split(b"|")


@pytest.mark.parametrize("seed", range(3))
def test_damaged_documents_are_one_line_or_what_the_other_reader_sees(load, seed: int) -> None:
    rng = Random(seed)
    mutator = trees.xml(WORDS)
    seeds = [
        GOOD,
        document(
            mesh_xml(polygons("polylist", f"<vcount>4 4</vcount><p>{with_normals(QUADS)}</p>", 2))
        ),
    ]
    read = refused = 0
    for _ in range(400):
        data = rng.choice(seeds).encode()
        for _ in range(rng.choice((1, 1, 2))):
            data = mutator(data, rng)
        message, model = outcome(load, data)
        if model is None:
            refused += 1
            assert "\n" not in message
            assert "is damaged (" not in message, (message, data)
            continue
        found = corners_of(model)
        read += 1
        try:
            truth = triangles(data)
        except (AttributeError, KeyError, ValueError, IndexError, TypeError):
            continue  # the other reader is for good ones
        assert len(found) == len(truth), data
    assert read > 20
    assert refused > 100


def test_known_robots_are_what_another_reader_makes_of_them() -> None:
    files = sorted(p for p in folder().rglob("*") if p.suffix.lower() == ".dae")
    small = [p for p in files if p.stat().st_size < 100_000]
    assert len(small) > 20
    for path in small:
        mesh = mesh_of(read_with(collada.read_parts, path, lenient=False, split=False))
        truth = triangles(path.read_bytes())
        assert len(mesh.faces) == len(truth), path
        bounds = truth.reshape(-1, 3).min(axis=0), truth.reshape(-1, 3).max(axis=0)
        assert np.allclose(mesh.bounds, bounds), path
