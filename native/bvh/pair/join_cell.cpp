#include "bvh/pair/join_cell.hpp"

#include <cmath>
#include <limits>

#include "geometry/symmetric.hpp"

namespace impinge::bvh {
namespace {

// Pieces that stand for all of a cell when directions and places are chosen.
constexpr std::size_t kSample = 128;

std::size_t stride_of(std::size_t n) { return n / kSample + 1; }

void add_square(Symmetric& m, const double (&v)[3], double length) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) m.a[i][j] += length * v[i] * (length * v[j]);
  }
}

void add_directions(Symmetric& m, const std::vector<Piece>& pieces,
                    const std::vector<Strip>& strips) {
  for (std::size_t i = 0; i < pieces.size(); i += stride_of(pieces.size())) {
    const Piece& piece = pieces[i];
    add_square(m, strips[piece.strip].d, piece.t.hi - piece.t.lo);
    add_square(m, strips[piece.strip].w, piece.u.hi - piece.u.lo);
  }
}

// Zero without an area; then nothing is parted along it.
void set_normal(const Piece& piece, const std::vector<Strip>& strips, double (&normal)[3]) {
  const auto vector = [](const double (&v)[3]) { return Vector{v[0], v[1], v[2]}; };
  const Vector n = cross(vector(strips[piece.strip].d), vector(strips[piece.strip].w));
  const double length = std::sqrt(dot(n, n));
  const double scale = length > 1e-100 ? 1 / length : 0.0;
  normal[0] = scale * n.x;
  normal[1] = scale * n.y;
  normal[2] = scale * n.z;
}

std::vector<Spans> spans_of(const std::vector<Piece>& pieces, const std::vector<Strip>& strips,
                            const JoinAxes& axes) {
  std::vector<Spans> spans(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Strip& strip = strips[pieces[i].strip];
    for (int k = 0; k < kJoinAxes; ++k) spans[i][k] = StripAlong(strip, axes[k]).of(pieces[i]);
  }
  return spans;
}

Span hull_along(const std::vector<Spans>& spans, int axis) {
  Span hull{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Spans& s : spans) {
    hull.lo = std::min(hull.lo, s[axis].lo);
    hull.hi = std::max(hull.hi, s[axis].hi);
  }
  return hull;
}

}  // namespace

CellView::CellView(const JoinCell& cell, const JoinSide& side_a, const JoinSide& side_b,
                   double reach)
    : own(cell.own) {
  Symmetric m{};
  add_directions(m, cell.a, side_a.strips);
  add_directions(m, cell.b, side_b.strips);
  double v[3][3];
  diagonalize(m, v);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      axes[i][k] = i == k;
      axes[3 + i][k] = v[k][i];
    }
  }
  const auto normal_of = [](const std::vector<Piece>& pieces, std::size_t part,
                            const JoinSide& side, double (&to)[3]) {
    set_normal(pieces[pieces.size() / part], side.strips, to);
  };
  normal_of(cell.a, 2, side_a, axes[6]);
  normal_of(cell.other(), 3, side_b, axes[7]);
  normal_of(cell.a, 5, side_a, axes[8]);
  a = spans_of(cell.a, side_a.strips, axes);
  b = spans_of(cell.b, side_b.strips, axes);
  const double slack = reach + kStripSlack;
  for (int k = 0; k < kJoinAxes; ++k) {
    const Span of_a = hull_along(a, k), of_b = hull_along(other(), k);
    window[k] = {std::max(of_a.lo, of_b.lo) - slack, std::min(of_a.hi, of_b.hi) + slack};
    is_apart = is_apart || window[k].lo > window[k].hi;
  }
}

double CellView::middle(int axis) const {
  std::vector<double> centres;
  for (const auto* spans : {&a, &b}) {
    for (std::size_t i = 0; i < spans->size(); i += stride_of(spans->size())) {
      const Span &s = (*spans)[i][axis], &w = window[axis];
      centres.push_back(0.5 * (std::max(s.lo, w.lo) + std::min(s.hi, w.hi)));
    }
  }
  const auto median = centres.begin() + static_cast<std::ptrdiff_t>(centres.size() / 2);
  std::nth_element(centres.begin(), median, centres.end());
  return *median;
}

double CellView::pairs_beside(int axis, double place, double reach) const {
  const auto count = [&](const std::vector<Spans>& spans, double slack) {
    double under = 0, over = 0;
    for (const Spans& s : spans) {
      under += s[axis].lo <= place + slack;
      over += s[axis].hi >= place - slack;
    }
    return std::array{under, over};
  };
  const auto [under, over] = count(a, (own ? reach : 0.0) + kStripSlack);
  if (own) return 0.5 * (under * under + over * over);
  const auto [under_b, over_b] = count(b, reach + kStripSlack);
  return under * under_b + over * over_b;
}

int CellView::tightest() const {
  int best = 0;
  double most = 0;
  for (int k = 0; k < kJoinAxes; ++k) {
    double beyond = 0;
    for (const auto* spans : {&a, &b}) {
      for (std::size_t i = 0; i < spans->size(); i += stride_of(spans->size())) {
        beyond += (*spans)[i][k].hi - (*spans)[i][k].lo;
      }
    }
    beyond /= window[k].hi - window[k].lo + kStripSlack;
    if (beyond > most) {
      best = k;
      most = beyond;
    }
  }
  return best;
}

}  // namespace impinge::bvh
