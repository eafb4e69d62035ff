"""VTK: its collision detection filter."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from impinge.lab.bench.cases import Posed, Surface
from impinge.lab.bench.peers.protocol import Adapter, Rows, Task, one_if


class Vtk(Adapter):
    name = "vtk"
    distribution = "vtk"
    module = "vtk"

    def mesh(self, surface: Surface) -> Any:
        vtk, arrays = self.library(), import_module("vtk.util.numpy_support")
        points, cells, data = vtk.vtkPoints(), vtk.vtkCellArray(), vtk.vtkPolyData()
        points.SetData(arrays.numpy_to_vtk(surface.vertices, deep=True))
        counted = np.insert(surface.faces.astype(np.int64), 0, 3, axis=1).ravel()
        cells.SetCells(len(surface.faces), arrays.numpy_to_vtkIdTypeArray(counted, deep=True))
        data.SetPoints(points)
        data.SetPolys(cells)
        return data

    def search(self, case: Posed, answer: Any, *, first: bool) -> Any:
        vtk = self.library()
        search = vtk.vtkCollisionDetectionFilter()
        moves = [vtk.vtkMatrix4x4(), vtk.vtkMatrix4x4()]
        for index, mesh in enumerate((case.a, case.b)):
            search.SetInputData(index, self.mesh(mesh))
            search.SetMatrix(index, moves[index])
        search.SetBoxTolerance(0.0)
        search.SetCellTolerance(0.0)
        search.SetNumberOfCellsPerNode(2)
        search.GenerateScalarsOff()
        if first:
            search.SetCollisionModeToFirstContact()
        else:
            search.SetCollisionModeToAllContacts()
        poses = [pose.ravel().tolist() for pose in case.poses]

        def run(step: int) -> Any:
            moves[1].DeepCopy(poses[step])
            moves[1].Modified()
            search.Modified()
            search.Update()
            return answer(search)

        return run

    def pair(self, case: Posed) -> Task:
        return Task(self.search(case, _contact_cells, first=False), np.column_stack)

    def touch(self, case: Posed) -> Task:
        return Task(self.search(case, lambda s: s.GetNumberOfContacts(), first=True), one_if)


def _contact_cells(search: Any) -> list[Rows]:
    """Copies, since the filter writes its next answer to the same place."""
    arrays = import_module("vtk.util.numpy_support")
    return [arrays.vtk_to_numpy(search.GetContactCells(k)).astype(np.int64) for k in (0, 1)]
