/* SPDX-License-Identifier: Apache-2.0 */
// Asks a shape everything that the C API can say about it alone: for tests and fuzzers of shapes that hardly anybody
// writes. What is refused must be so by a rule.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "xlashape_interop.h"
#include "xlashape_target.h"
#include "xlashape_xla.h"

namespace every_answer {

class Asker {
 public:
  explicit Asker(const xlashape_shape* shape)
      : shape_(shape), rank_(std::min<int64_t>(xlashape_shape_rank(shape), kMostDimensions)) {}

  // False where an answer is an INTERNAL error, or another one when it is asked for again.
  bool ask() {
    numbers();
    texts();
    others();
    return holds_;
  }

 private:
  static constexpr int64_t kMostDimensions = 8;  // which are asked about one by one

  void told(xlashape_status status) { holds_ &= status != XLASHAPE_STATUS_INTERNAL; }

  // An answer of variable length: call(out, capacity, &needed).
  template <class T, class F>
  void list(F&& call) {
    int64_t needed = 0, again = 0;
    const xlashape_status status = call(static_cast<T*>(nullptr), int64_t{0}, &needed);
    told(status);
    if (status != XLASHAPE_STATUS_OK || needed == 0) return;
    std::vector<T> out(static_cast<size_t>(needed));
    holds_ &= call(out.data(), needed, &again) == XLASHAPE_STATUS_OK && again == needed;
  }
  // Another shape: create(&made), which is asked for its sizes.
  template <class F>
  void derived(F&& create) {
    xlashape_shape* made = nullptr;
    told(create(&made));
    if (made == nullptr) return;
    sizes_of(made);
    xlashape_shape_release(made);
  }
  void sizes_of(const xlashape_shape* shape) {
    auto sizes = XLASHAPE_INIT(xlashape_sizes);
    told(xlashape_shape_sizes(shape, &sizes, nullptr));
  }

  void numbers() {
    sizes_of(shape_);
    int64_t number;
    told(xlashape_shape_byte_size(shape_, 8, 0, &number, nullptr));
    told(xlashape_shape_byte_size_recursive(shape_, &number, nullptr));
    told(xlashape_shape_element_count(shape_, &number, nullptr));
    told(xlashape_shape_static_element_count(shape_, &number, nullptr));
    told(xlashape_shape_max_elements_per_split(shape_, &number, nullptr));
    for (int64_t d = 0; d < rank_; ++d) {
      told(xlashape_shape_max_split_size(shape_, d, &number, nullptr));
      xlashape_shape_is_effectively_most_major(shape_, d);
    }
    for (const xlashape_unit unit : {XLASHAPE_UNIT_ELEMENTS, XLASHAPE_UNIT_BYTES, XLASHAPE_UNIT_BITS})
      list<int64_t>([&](auto... out) { return xlashape_shape_strides(shape_, unit, out..., nullptr); });
    xlashape_index_map* map = nullptr;
    told(xlashape_index_map_create(shape_, &map, nullptr));
    xlashape_index_map_release(map);
  }

  void texts() {
    list<uint8_t>([&](auto... out) { return xlashape_shape_to_proto(shape_, 0, out..., nullptr); });
    list<uint8_t>([&](auto... out) { return xlashape_shape_to_pjrt(shape_, XLASHAPE_PJRT_DROP, out..., nullptr); });
    list<uint8_t>([&](auto... out) {
      return xlashape_shape_to_dlpack(shape_, 0, nullptr, XLASHAPE_SPACE_CPU, 0, 0, out..., nullptr);
    });
    list<char>(
        [&](auto... out) {
          constexpr uint32_t kFlags = XLASHAPE_PRINT_WITHOUT_LAYOUT;
          return xlashape_shape_print_as(shape_, XLASHAPE_NOTATION_MLIR, kFlags, out..., nullptr);
        });
    for (xlashape_notation notation = XLASHAPE_NOTATION_MEMREF; notation <= XLASHAPE_NOTATION_JAX; ++notation)
      list<char>([&](auto... out) { return xlashape_shape_print_as(shape_, notation, 0, out..., nullptr); });
    list<char>([&](auto... out) { return xlashape_shape_print(shape_, XLASHAPE_PRINT_STRICT, out..., nullptr); });
    list<char>([&](auto... out) { return xlashape_plan_key(shape_, shape_, nullptr, out..., nullptr); });
  }

  void others() {
    const int64_t sizes[] = {1, 0, 3};
    derived([&](auto** out) { return xlashape_shape_drop_degenerate_dimensions(shape_, out, nullptr); });
    derived([&](auto** out) { return xlashape_shape_to_physical_order(shape_, out, nullptr); });
    derived([&](auto** out) { return xlashape_shape_to_static(shape_, out, nullptr); });
    derived([&](auto** out) { return xlashape_shape_with_packed_elements(shape_, out, nullptr); });
    for (xlashape_target target = 0; target < xlashape_target_count(); ++target)
      derived([&](auto** out) { return xlashape_shape_for_target(shape_, target, 0, out, nullptr); });
    for (int64_t d = 0; d <= rank_; ++d)
      derived([&](auto** out) { return xlashape_shape_insert_dimensions(shape_, d, sizes, 3, 0, out, nullptr); });
    for (int64_t d = 0; d < rank_; ++d)
      derived([&](auto** out) { return xlashape_shape_delete_dimensions(shape_, &d, 1, out, nullptr); });
    xlashape_shape* row = nullptr;
    told(xlashape_shape_without_layout_fields(shape_, XLASHAPE_LAYOUT_FIELD_TILES, &row, nullptr));
    if (row == nullptr) return;
    bitcasts(shape_, row);
    bitcasts(row, shape_);
    xlashape_shape_release(row);
  }

  void bitcasts(const xlashape_shape* a, const xlashape_shape* b) {
    xlashape_shape_reshape_is_bitcast(a, b, 0);
    xlashape_shape_is_reshape_or_transpose_bitcast(a, b, 0);
    list<int64_t>([&](auto... out) { return xlashape_shape_deduce_transpose(a, b, 0, out..., nullptr); });
    int64_t transpose[2][kMostDimensions];
    auto steps = XLASHAPE_INIT(xlashape_bitcast_steps);
    steps.transpose1 = transpose[0], steps.transpose2 = transpose[1];
    steps.transpose1_capacity = steps.transpose2_capacity = kMostDimensions;
    told(xlashape_shape_decompose_bitcast(a, b, 0, &steps, nullptr));
    xlashape_shape_release(steps.reshape_from);
    xlashape_shape_release(steps.reshape_to);
    for (const int64_t other : {0, 1}) {
      const std::vector<int64_t> dimensions(static_cast<size_t>(rank_), other);
      xlashape_layout* layout = nullptr;
      told(xlashape_shape_align_layouts(a, dimensions.data(), rank_, 0, &layout, nullptr));
      xlashape_layout_release(layout);
    }
  }

  const xlashape_shape* shape_;
  int64_t rank_;
  bool holds_ = true;
};

// False where an answer is an INTERNAL error, or another one when it is asked for again.
inline bool is_answered(const xlashape_shape* shape) { return Asker(shape).ask(); }

}  // namespace every_answer
