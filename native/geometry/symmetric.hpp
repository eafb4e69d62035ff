// Symmetric matrices, and the axes along which they are diagonal.
#pragma once

namespace impinge {

struct Symmetric {
  double a[3][3];
};

// Jacobi's method: rotates until nothing is left beside the diagonal. Columns of v are the axes.
void diagonalize(Symmetric& m, double (&v)[3][3]);

}  // namespace impinge
