"""3MF packages."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from support import mesh_files, meshes
from support.mesh_files import CORE, threemf_archive, threemf_mesh, threemf_xml

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
        ("</resources>", BOX_OBJECT + "</resources>",
         "3D/3dmodel.model, line 2: object '1' is defined twice"),
        ("<build>", BOX_OBJECT + "<build>",
         "3D/3dmodel.model, line 2: <object> stands in <model>, expected in <resources>"),
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


def test_doubling_components(refused):
    doubling = "".join(
        f'<object id="{i}"><components><component objectid="{i + 1}"/>'
        f'<component objectid="{i + 1}"/></components></object>'
        for i in range(1, 40)
    )
    message = refused("double.3mf", package(doubling + '<object id="40"></object>'))
    assert "1,099,511,627,775 placed parts would take" in message
    assert "the limit for a file of" in message


def test_tens_of_thousands_of_bolts_are_honest(load):
    """In rows of rows of rows, each placed by a transform, from a few kilobytes."""

    def row(number, of, step):
        placed = "".join(
            f'<component objectid="{of}" transform="1 0 0 0 1 0 0 0 1 {i * step} 0 0"/>'
            for i in range(40)
        )
        return f'<object id="{number}"><components>{placed}</components></object>'

    rows = row(2, 1, 10) + row(3, 2, 1000) + row(4, 3, 100000)
    model = load("bolts.3mf", package(BOX_OBJECT + rows, '<item objectid="4"/>'))
    assert len(model.parts) == 40**3
    assert len({id(part.mesh) for part in model.parts}) == 1
    assert model.parts[-1].pose[0, 3] == 39 * (10 + 1000 + 100000)


def test_a_chain_of_components_that_is_counted_piece_by_piece(refused):
    chain = "".join(
        f'<object id="{i}"><components><component objectid="{i + 1}"/></components></object>'
        for i in range(1, 2000)
    )
    build = "".join(f'<item objectid="{i}"/>' for i in range(2000, 0, -60))
    data = threemf_archive(threemf_xml(chain + BOX_OBJECT.replace('id="1"', 'id="2000"'), build))
    assert "nested without end" in refused("chain.3mf", data)


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
    padding = b" " * (48 << 20)
    data = threemf_archive(padding)
    message = refused("bomb.3mf", data)
    assert message.startswith("3D/3dmodel.model: unpacked to 50,331,648 bytes, it would take ")
    assert message.endswith(f"for a file of {len(data):,} bytes is {budget_of(data):,}")


def budget_of(data):
    return (32 << 20) + 64 * len(data)


def test_declared_size_decides_before_unpacking(refused, monkeypatch):
    data = package()
    unpack = zipfile.ZipFile.open
    monkeypatch.setattr("impinge.io.budget.ALLOWANCE", 500)
    monkeypatch.setattr("impinge.io.budget.GROWTH", 0)
    monkeypatch.setattr(
        zipfile.ZipFile,
        "open",
        lambda self, info: (
            pytest.fail("unpacked") if "model" in info.filename else unpack(self, info)
        ),
    )
    assert "would take" in refused("box.3mf", data)


def with_declared_size(data, size):
    """The archive with another size of its model in the directory."""
    lying = bytearray(data)
    at = lying.index(b"3D/3dmodel.model", lying.index(b"PK\x01\x02")) - 46
    lying[at + 24 : at + 28] = size.to_bytes(4, "little")
    return bytes(lying)


@pytest.mark.parametrize("size", [100, 10_000])
def test_a_member_is_as_long_as_it_declares(refused, size):
    message = refused("lie.3mf", with_declared_size(package(), size))
    assert message.startswith("3D/3dmodel.model: ")
    assert "Bad CRC-32" in message or "declares 10,000 bytes but has" in message


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_stored_and_deflated_members_are_unpacked(refused, method):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("3D/3dmodel.model", threemf_xml(BOX_OBJECT, '<item objectid="1"/>'))
    expected = f"3D/3dmodel.model: is packed by method {method}; known are stored and deflated"
    assert refused("x.3mf", packed.getvalue()) == expected


@pytest.mark.parametrize("encoding", ["nonsense-9", "gbk"])
def test_encodings_that_are_not_supported(refused, encoding):
    xml = f'<?xml version="1.0" encoding="{encoding}"?><model xmlns="{CORE}"/>'
    assert "is in an encoding that is not supported" in refused("x.3mf", threemf_archive(xml))


@pytest.mark.parametrize("value", ["1_0", "\u0661", "", " ", "1 2", "1,2", "0x1", "-"])
@pytest.mark.parametrize("attribute", ['x="0.0"', 'v1="0"'])
def test_only_numbers_are_numbers(refused, attribute, value):
    changed = BOX_OBJECT.replace(attribute, f'{attribute.split("=")[0]}="{value}"', 1)
    data = threemf_archive(threemf_xml(changed, '<item objectid="1"/>'))
    assert "is not a" in refused("x.3mf", data)


def test_spaces_around_numbers_are_no_matter(load):
    changed = BOX_OBJECT.replace('x="0.0"', 'x=" 0.0 "').replace('v1="0"', 'v1=" +0 "')
    data = threemf_archive(threemf_xml(changed, '<item objectid="1"/>'))
    assert np.array_equal(load("x.3mf", data).parts[0].mesh.faces, meshes.box()[1])


def test_long_tags_and_namespaces_are_refused(refused):
    long = threemf_xml("", "", attributes=f'xmlns:a="{"u" * 5000}"')
    message = refused("x.3mf", threemf_archive(long))
    assert "a namespace has 5,000 characters; the limit is 1,000" in message
    message = refused("x.3mf", threemf_archive(threemf_xml(f'<a b="{"c" * (2 << 20)}"/>', "")))
    assert "a tag or comment is longer than 1,048,576 bytes" in message


def test_deeply_nested_elements_are_refused(refused):
    message = refused("x.3mf", threemf_archive(threemf_xml("<a>" * 500_000, "")))
    assert "what the XML holds would take" in message


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
