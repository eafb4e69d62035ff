// From a Python callable (or nothing) to a callback for long native work.
#pragma once

#include <nanobind/nanobind.h>

#include "base/ticker.hpp"

namespace impinge {

// The work runs without the GIL; each tick takes it, lets Ctrl-C through and asks the callable.
inline Ticker::Callback make_tick(nanobind::object callable) {
  return [callable = std::move(callable)](double fraction) {
    nanobind::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
    if (callable.is_none()) return;
    if (!nanobind::cast<bool>(callable(fraction))) throw Cancelled();
  };
}

}  // namespace impinge
