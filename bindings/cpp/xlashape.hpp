// SPDX-License-Identifier: Apache-2.0
// xlashape for C++: RAII, value types and errors over xlashape.h, which stays the reference for what everything means.
// Header-only, with no ABI of its own; C++17 and later, with or without exceptions and RTTI.
//
//     #include <xlashape.hpp>
//     xlashape::Shape tiled = xlashape::Shape::parse("u8[3,4]{0,1:T(2,2)}");
//     int64_t position = xlashape::IndexMap::of(tiled).linear_index({2, 3});
//
// Errors, one rule: what can fail has two names. `try_parse` returns Result<Shape>, a value or an Error; `parse`
// returns the Shape and throws Exception. Without exceptions the second kind aborts on failure, as std::vector::at
// does then.
//
// Units with and without exceptions may be in one program (gcc, clang). All types are the same in both, so that shapes,
// results and runtimes pass between them; each call throws or aborts as the unit that it stands in says. What an
// executor or a logger throws is caught where the unit that makes the Runtime has exceptions, what progress throws
// where the one that executes does. As with the standard library, do not compile an inline function of yours that
// throws in units of both kinds, nor mix units that have exceptions but no RTTI with units that have both: typeid and
// dynamic_cast of an Exception need the RTTI of all that throw one.
//
// Shape, Layout, IndexMap, Plan and Runtime are references to immutable, counted objects: copying one costs an atomic
// increment, and any thread may use any of them. A default-constructed or moved-from one is empty; what is asked of it
// fails, or is 0.
//
// Sizes and indices are taken as Numbers: a braced list, a vector, an array, a span. Memory is taken as any contiguous
// range of plain objects. C++20 adds nothing to the interface but std::span in the places where C++17 has a class of
// the same form, a std::formatter where <format> exists, and a layout for std::mdspan where <mdspan> does. The last two
// are untested until a compiler here has them. {fmt} is served by xlashape_fmt.hpp.
#ifndef XLASHAPE_HPP_
#define XLASHAPE_HPP_

#include "xlashape/bitcast.hpp"
#include "xlashape/box.hpp"
#include "xlashape/calibrate.hpp"
#include "xlashape/control.hpp"
#include "xlashape/element_type.hpp"
#include "xlashape/execution.hpp"
#include "xlashape/format.hpp"
#include "xlashape/head.hpp"
#include "xlashape/index_map.hpp"
#include "xlashape/index_plan.hpp"
#include "xlashape/interop.hpp"
#include "xlashape/layout.hpp"
#include "xlashape/line.hpp"
#include "xlashape/mdspan.hpp"
#include "xlashape/plan.hpp"
#include "xlashape/program_shape.hpp"
#include "xlashape/reshape.hpp"
#include "xlashape/result.hpp"
#include "xlashape/runtime.hpp"
#include "xlashape/shape.hpp"
#include "xlashape/shown.hpp"
#include "xlashape/stream.hpp"
#include "xlashape/target.hpp"
#include "xlashape/window.hpp"

#endif  // XLASHAPE_HPP_
