"""3MF packages."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from support import mesh_files, meshes
from support.mesh_files import threemf_archive, threemf_mesh, threemf_xml

BOX = meshes.box()
TETRAHEDRON = meshes.tetrahedron()
BOX_OBJECT = f'<object id="1" name="box" type="model">{threemf_mesh(BOX)}</object>'


def package(resources=BOX_OBJECT, build='<item objectid="1"/>', **options):
    return threemf_archive(threemf_xml(resources, build, **options))


def test_items_become_parts(load):
    model = load("two.3mf", mesh_files.threemf(BOX, TETRAHEDRON))
    assert [part.name for part in model.parts] == ["part-1", "part-2"]
    assert np.array_equal(model.parts[0].mesh.vertices, BOX[0])
    assert np.array_equal(model.parts[1].mesh.faces, TETRAHEDRON[1])


def test_transforms_are_those_of_row_vectors(load):
    build = '<item objectid="1" transform="0 1 0 -1 0 0 0 0 1 10 20 30"/><item objectid="1"/>'
    turned, plain = load("box.3MF", package(build=build)).parts
    assert np.array_equal(turned.pose @ [1, 0, 0, 1], [10, 21, 30, 1])
    assert np.array_equal(plain.pose, np.eye(4))
    assert turned.mesh is plain.mesh


def test_components_are_placed_within_their_object(load):
    resources = (
        BOX_OBJECT + '<object id="2" type="model"><components>'
        '<component objectid="1"/><component objectid="1" transform="1 0 0 0 1 0 0 0 1 5 0 0"/>'
        "</components></object>"
    )
    build = '<item objectid="2" transform="1 0 0 0 1 0 0 0 1 0 7 0"/>'
    a, b = load("box.3mf", package(resources, build)).parts
    assert a.pose[:3, 3].tolist() == [0, 7, 0]
    assert b.pose[:3, 3].tolist() == [5, 7, 0]
    assert a.name == b.name == "box"


def test_components_of_other_model_parts(load):
    resources = (
        '<object id="2" type="model"><components>'
        '<component objectid="1" p:path="/3D/other.model"/></components></object>'
    )
    xml = threemf_xml(resources, '<item objectid="2"/>', attributes='requiredextensions="p"')
    data = threemf_archive(xml, other=threemf_xml(BOX_OBJECT, ""))
    assert load("box.3mf", data).triangles == 12


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('v1="0"', 'v1="8"', "3D/3dmodel.model, object 1, triangle 0: uses vertex 8, but only 0 t"),
        ('v1="0"', 'v1="-1"', "3D/3dmodel.model, object 1, triangle 0: uses vertex -1"),
        ('v1="0"', 'v1="x"', "3D/3dmodel.model, object of line 2: a triangle's vertex is not an"),
        ('v1="0"', "", "3D/3dmodel.model, line 2: <triangle> has no attribute 'v1'"),
        ('x="0.0"', 'x="nan"', "3D/3dmodel.model, object 1, vertex 0: a coordinate is not a fin"),
        ('x="0.0"', 'x="zero"', "3D/3dmodel.model, object of line 2: a vertex coordinate is not"),
        ("</mesh>", "", "3D/3dmodel.model, line 2: is not valid XML (mismatched tag)"),
        ('<item objectid="1"/>', "", "3D/3dmodel.model: its build section places no object"),
        ('<item objectid="1"/>', '<item objectid="9"/>',
         "3D/3dmodel.model, line 2: refers to object '9', which is missing"),
        ('<item objectid="1"/>', '<item objectid="1" transform="1 0 0"/>',
         "3D/3dmodel.model, line 2: transform is not 12 finite numbers"),
        ("<build>", BOX_OBJECT + "<build>", "3D/3dmodel.model, line 2: object '1' is defined tw"),
    ],
)  # fmt: skip
def test_broken_model(refused, old, new, message):
    xml = threemf_xml(BOX_OBJECT, '<item objectid="1"/>')
    assert old in xml
    assert refused("box.3mf", threemf_archive(xml.replace(old, new, 1))).startswith(message)


def test_lenient_places_unplaced_objects_and_drops_bad_triangles(load):
    xml = threemf_xml(BOX_OBJECT.replace('v1="0"', 'v1="8"', 1), "")
    model = load("box.3mf", threemf_archive(xml), lenient=True)
    assert model.triangles == 11
    assert len(model.warnings) == 2


def test_components_in_a_circle(refused):
    resources = (
        '<object id="1"><components><component objectid="1"/><component objectid="1"/>'
        "</components></object>"
    )
    assert "nested without end" in refused("circle.3mf", package(resources))


def test_doubling_components(refused, monkeypatch):
    monkeypatch.setattr("impinge.io.threemf._MOST_PARTS", 1000)
    doubling = "".join(
        f'<object id="{i}"><components><component objectid="{i + 1}"/>'
        f'<component objectid="{i + 1}"/></components></object>'
        for i in range(1, 40)
    )
    resources = doubling + '<object id="40"></object>'
    assert "nested without end" in refused("double.3mf", package(resources))


@pytest.mark.parametrize(
    "prolog",
    [
        '<!DOCTYPE model [<!ENTITY a SYSTEM "file:///etc/passwd">]>\n',
        '<!DOCTYPE model [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n',
        '<!DOCTYPE model SYSTEM "http://example.org/x.dtd">\n',
    ],
)
def test_document_types_are_refused(refused, prolog):
    message = refused("evil.3mf", package(prolog=prolog))
    assert message == "3D/3dmodel.model, line 2: declares a document type, which is refused"


def test_unknown_required_extension(refused, load):
    data = package(attributes='xmlns:z="http://acme.org/z" requiredextensions="z"')
    assert "needs the extension http://acme.org/z" in refused("box.3mf", data)
    assert load("box.3mf", data, lenient=True).triangles == 12


def test_archive_that_unpacks_to_too_much(refused):
    padding = b" " * (32 << 20)
    message = refused("bomb.3mf", threemf_archive(padding))
    assert message.startswith("3D/3dmodel.model: would unpack from ")
    assert "to 33,554,432 bytes; the limits are 200:1 and 2 GiB" in message


def test_declared_size_decides_before_unpacking(refused, monkeypatch):
    monkeypatch.setattr("impinge.io.archive.MOST_BYTES", 100)
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda *_: pytest.fail("unpacked"))
    assert "would unpack from" in refused("box.3mf", package())


def test_truncated_archive(refused):
    data = package()
    assert refused("box.3mf", data[:-30]) == "is not a whole zip archive (truncated?)"
    assert refused("box.3mf", data[:100]) == "is not a whole zip archive (truncated?)"


def test_damaged_member(refused):
    data = bytearray(package())
    at = data.index(b"3D/3dmodel.model") + 60
    data[at : at + 8] = b"garbage!"
    assert "cannot be unpacked" in refused("box.3mf", bytes(data))


def test_zip_without_a_model(refused):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.txt", "hello")
    assert refused("x.3mf", packed.getvalue()) == "is not a 3MF package (no 3D/3dmodel.model)"


def test_not_a_zip(refused):
    assert refused("x.3mf", b"solid but not packed") == "is not a whole zip archive (truncated?)"
