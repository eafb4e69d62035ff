"""What is changed, and the tests that are to notice."""

from __future__ import annotations

from dataclasses import dataclass

_EXACT = ("tests/conformance/test_oracle_by_hand.py", "tests/conformance/test_brute_is_rational.py")
_BRUTE = "tests/conformance/test_detectors_are_brute.py"
_ALIGNED = "tests/conformance/test_aligned.py"


@dataclass(frozen=True)
class Room:
    """Sources that are changed, and the tests that are to notice: the room's own first."""

    sources: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = "not gpu"  # -k of pytest


def _python(detector: str, *tests: str) -> Room:
    sources = (f"src/impinge/detectors/{detector}/*.py",)
    return Room(sources, (f"tests/detectors/{detector}", *tests), f"{detector} and not gpu")


ROOMS = {
    "geometry": Room(
        ("native/geometry/*.?pp",),
        (
            "tests/native/geometry",
            *_EXACT,
            "tests/queries/test_nearest.py",
            "tests/queries/test_distance.py",
            "tests/queries/test_relation.py",
            "tests/queries/test_ray_bounds.py",
            "tests/queries/test_raycast.py",
            "tests/conformance/test_contacts.py",
            "tests/conformance/test_extreme_scales.py",
        ),
    ),
    "pairs": Room(
        ("native/pairs/*.?pp",),
        (
            "tests/native/pairs",
            "tests/queries/test_max_pairs.py",
            "tests/native/bvh",
            "tests/detectors/cdfc/test_detector.py",
            "tests/conformance/test_another_detector.py",
            _BRUTE,
            "tests/conformance/test_margin.py",
            "tests/conformance/test_many_bodies.py",
        ),
        "not peel and not gpu",
    ),
    "bvh": Room(
        ("native/bvh/pair/*.?pp",),
        (
            "tests/native/bvh",
            "tests/queries/test_max_pairs.py",
            _BRUTE,
            "tests/conformance/test_slabs.py",
            "tests/conformance/test_poses.py",
        ),
        "not peel and not cdfc and not dop and not gpu",
    ),
    "dop": Room(
        ("native/dop/*.?pp",), ("tests/detectors/dop", _ALIGNED, _BRUTE), "dop and not gpu"
    ),
    "cdfc": Room(
        ("native/cdfc/*.?pp",), ("tests/detectors/cdfc", _ALIGNED, _BRUTE), "cdfc and not gpu"
    ),
    "raster": Room(
        ("native/raster/*.?pp",),
        ("tests/detectors/peel", "tests/detectors/cinder", _ALIGNED, _BRUTE),
        "(peel or cinder) and not gpu",
    ),
    "octree": Room(
        ("native/octree/*.?pp",), ("tests/detectors/ray", "tests/queries/test_contact_points.py")
    ),
    "python/dop": _python("dop", _ALIGNED, _BRUTE),
    "python/cdfc": _python("cdfc", _ALIGNED, _BRUTE),
    "python/peel": _python("peel", _ALIGNED, _BRUTE),
    "python/cinder": _python("cinder", _ALIGNED, _BRUTE),
    "python/ray": _python("ray", "tests/queries/test_contact_points.py"),
}
