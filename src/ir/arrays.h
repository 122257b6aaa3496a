/* SPDX-License-Identifier: Apache-2.0 */
// The only list of the arrays in the IR's forms. Code that measures or copies a form uses it.
#pragma once
#include <concepts>
#include <type_traits>

#include "xlashape_backend.h"

namespace xlashape::ir {

template <class T, class Form>
concept Is = std::same_as<std::remove_const_t<T>, Form>;

// Calls f(array, count) for each array of a form. `array` is a reference to the member, which may be null.
template <Is<xlashape_map_ir> Map>
void for_each_array(Map& map, const auto& f) {
  f(map.dimensions, map.rank);
  f(map.sum_first_term, map.sum_count + 1);
  f(map.sum_first_value, map.sum_count + 1);
  f(map.sum_bound, map.sum_count);
  f(map.term_value, map.term_count);
  f(map.term_coefficient, map.term_count);
  f(map.term_magic, map.term_count);
  f(map.term_shift, map.term_count);
  f(map.value_divisor, map.value_count);
  f(map.value_magic, map.value_count);
  f(map.value_shift, map.value_count);
  f(map.output_value, map.output_count);
  f(map.output_stride, map.output_count);
  f(map.output_extent, map.output_count);
  f(map.output_magic, map.output_count);
  f(map.output_shift, map.output_count);
}

template <Is<xlashape_loops> Loops>
void for_each_array(Loops& loops, const auto& f) {
  f(loops.extent, loops.loop_count);
  f(loops.src_stride, loops.loop_count);
  f(loops.dst_stride, loops.loop_count);
  f(loops.step, loops.loop_count);
  f(loops.guard, loops.loop_count);
  f(loops.low, loops.guard_count);
  f(loops.high, loops.guard_count);
}

template <Is<xlashape_relayout_ir> Relayout>
void for_each_array(Relayout& relayout, const auto& f) {
  f(relayout.src_base, relayout.src->rank);
  f(relayout.dst_base, relayout.src->rank);
  f(relayout.extent, relayout.src->rank);
}

template <Is<xlashape_value_ir> Values>
void for_each_array(Values& values, const auto& f) {
  f(values.scale, values.scale_count);
  f(values.zero_point, values.scale_count);
  f(values.scale_step, values.loop_count);
}

// Calls f(part) for each form that a relayout refers to. `part` is a reference to the member, which may be null.
template <Is<xlashape_relayout_ir> Relayout>
void for_each_part(Relayout& relayout, const auto& f) {
  f(relayout.src);
  f(relayout.dst);
  f(relayout.nest);
  f(relayout.fill_loops);
  f(relayout.values);
}

}  // namespace xlashape::ir
