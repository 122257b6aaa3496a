// SPDX-License-Identifier: Apache-2.0
#include "exec/form_key.h"

#include "base/hash.h"
#include "ir/arrays.h"

namespace xlashape::core {
namespace {

constexpr int64_t kForm = 2;      // to be changed with what is hashed below
constexpr int64_t kAligned = 64;  // bytes: a cache line, the widest vector

// Two hashes that begin differently.
class WideHash {
 public:
  WideHash() { low_.add(0x5DEECE66D); }
  void add(int64_t value) {
    high_.add(value);
    low_.add(value);
  }
  template <class T>
  void add(const T* values, int64_t count) {
    add(values == nullptr ? -1 : count);
    for (int64_t i = 0; values != nullptr && i < count; ++i) add(static_cast<int64_t>(values[i]));
  }
  FormKey key() const { return {high_.value(), low_.value()}; }

 private:
  Hash high_, low_;
};

void add_map(const xlashape_map_ir& map, WideHash& hash) {
  for (const int64_t value : {int64_t{map.unit_bits}, map.positions, map.data_positions, map.first_position})
    hash.add(value);
  ir::for_each_array(map, [&](const auto* array, int64_t count) { hash.add(array, count); });
}

// What remains of an offset in units of so many bits.
int64_t remainder(int64_t offset, int32_t unit_bits) {
  const int64_t units = kAligned * 8 / unit_bits;  // a power of two
  return offset & (units - 1);
}

void add_loops(const xlashape_loops* loops, const xlashape_relayout_ir& ir, WideHash& hash) {
  hash.add(loops != nullptr);
  if (loops == nullptr) return;
  ir::for_each_array(*loops, [&](const auto* array, int64_t count) { hash.add(array, count); });
  hash.add(remainder(loops->src_offset, ir.src_unit_bits));
  hash.add(remainder(loops->dst_offset, ir.dst_unit_bits));
}

void add_number(const xlashape_number& n, WideHash& hash) {
  for (const int64_t value : {int64_t{n.type}, int64_t{n.kind}, int64_t{n.bits}}) hash.add(value);
}

// What scales are does not matter for the time, only whether there are some.
void add_values(const xlashape_value_ir* values, WideHash& hash) {
  if (values == nullptr) return;
  hash.add(values->flags);
  add_number(values->src, hash);
  add_number(values->dst, hash);
  hash.add(values->scale_count);
  hash.add(values->scale_step, values->loop_count);
}

}  // namespace

FormKey form_key(const xlashape_op& op, uint32_t workers) {
  const xlashape_relayout_ir& ir = *op.relayout;
  WideHash hash;
  for (const int64_t value :
       {kForm, int64_t{workers}, int64_t{op.src_space}, int64_t{op.dst_space}, int64_t{ir.flags},
        int64_t{ir.value_bits}, int64_t{ir.src_container_bits}, int64_t{ir.dst_container_bits}, int64_t{ir.fill_policy},
        int64_t{ir.has_padding}, ir.elements, int64_t{ir.src_unit_bits}, int64_t{ir.dst_unit_bits}})
    hash.add(value);
  hash.add(ir.fill, sizeof ir.fill);
  add_loops(ir.nest, ir, hash);
  add_loops(ir.fill_loops, ir, hash);
  add_values(ir.values, hash);
  hash.add(ir.dst->positions - ir.dst->data_positions);  // the tail
  if (ir.nest == nullptr) {
    add_map(*ir.src, hash);
    add_map(*ir.dst, hash);
    ir::for_each_array(ir, [&](const auto* array, int64_t count) { hash.add(array, count); });
  }
  return hash.key();
}

}  // namespace xlashape::core
