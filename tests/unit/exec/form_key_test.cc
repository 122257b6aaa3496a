// SPDX-License-Identifier: Apache-2.0
// Keys of forms: the same for what runs alike, others for what may not.
#include "exec/form_key.h"

#include <gtest/gtest.h>

#include <set>

#include "plan/relayout.h"
#include "text/shape_text.h"

namespace xlashape::core {
namespace {

struct Asked {
  const char *src, *dst;
  std::vector<int64_t> base = {}, extent = {};
  xlashape_fill_policy fill = XLASHAPE_FILL_PADDING;
  bool soon = false;
};

Ref<Shape> shape(const char* text) {
  xlashape_shape* made = nullptr;
  EXPECT_EQ(xlashape_shape_parse(text, static_cast<int64_t>(std::strlen(text)), 0, &made, nullptr), XLASHAPE_STATUS_OK)
      << text;
  return Ref<Shape>::adopt(made);
}

FormKey key_of(const Asked& asked, uint32_t workers = 1) {
  alignas(16) char buffer[8192];
  Arena arena(buffer, sizeof buffer);
  const Ref<Shape> src = shape(asked.src), dst = shape(asked.dst);
  RelayoutRequest request;
  request.src.array = src.get();
  request.dst.array = dst.get();
  if (!asked.extent.empty()) {
    request.extent = asked.extent.data();
    request.src.base = request.dst.base = asked.base.data();
  }
  request.fill_policy = asked.fill;
  request.keep_in_cache = asked.soon;
  xlashape_relayout_ir ir;
  xlashape_error err;
  err.struct_size = sizeof err;
  EXPECT_EQ(build_relayout(request, arena, &ir, &err), XLASHAPE_STATUS_OK) << err.message;
  xlashape_op op{};
  op.kind = XLASHAPE_OP_RELAYOUT;
  op.src_space = op.dst_space = XLASHAPE_SPACE_CPU;
  op.relayout = &ir;
  return form_key(op, workers);
}

TEST(FormKey, WhatRunsAlikeSharesOne) {
  EXPECT_EQ(key_of({"f32[64,32]{1,0}", "f32[64,32]{0,1}"}), key_of({"s32[64,32]{1,0}", "s32[64,32]{0,1}"}));
  EXPECT_EQ(key_of({"f32[64,32]{1,0}", "f32[64,32]{0,1}"}), key_of({"f32[8,8,32]{2,1,0}", "f32[8,8,32]{1,0,2}"}));
  EXPECT_EQ(key_of({"s4[64,32]{1,0:E(4)}", "s4[64,32]{0,1}"}), key_of({"u4[64,32]{1,0:E(4)}", "u4[64,32]{0,1}"}));
  // Boxes that begin 64 bytes apart.
  const char *const src = "f32[64,64]{1,0}", *const dst = "f32[64,64]{0,1}";
  EXPECT_EQ(key_of({src, dst, {0, 0}, {16, 16}}), key_of({src, dst, {16, 32}, {16, 16}}));
}

TEST(FormKey, WhatMayDifferHasItsOwn) {
  const char *const rows = "f32[64,32]{1,0}", *const columns = "f32[64,32]{0,1}";
  std::set<FormKey> keys;
  const Asked all[] = {
      {rows, columns},
      {columns, rows},
      {rows, rows},
      {rows, columns, {}, {}, XLASHAPE_FILL_PADDING, true},
      {"f64[64,32]{1,0}", "f64[64,32]{0,1}"},
      {"f32[32,48]{1,0}", "f32[32,48]{0,1}"},
      {rows, columns, {0, 0}, {16, 16}},
      {rows, columns, {0, 1}, {16, 16}},
      {rows, columns, {0, 0}, {16, 17}},
      {"f32[60,30]{1,0}", "f32[60,30]{1,0:T(8,128)}"},
      {"f32[61,30]{1,0}", "f32[61,30]{1,0:T(8,128)}"},
      {"f32[60,30]{1,0}", "f32[60,30]{1,0:T(8,128)}", {}, {}, XLASHAPE_FILL_PRESERVE},
      {"f32[60,30]{1,0}", "f32[60,30]{1,0:T(8,128)L(5000)}"},
      {"f32[60,30]{1,0}", "f32[60,30]{1,0:T(8,128)PV(one)}"},
      {"s4[64,32]{1,0:E(4)}", "s4[64,32]{0,1:E(4)}"},
      {"u4[64,32]{1,0:E(4)}", "u4[64,32]{0,1}"},
      // Tiles without common factors: there is no nest.
      {"f32[63]{0:T(7)}", "f32[63]{0:T(5)}"},
      {"f32[64]{0:T(7)}", "f32[64]{0:T(5)}"},
  };
  for (const Asked& asked : all) EXPECT_TRUE(keys.insert(key_of(asked)).second) << asked.src << " to " << asked.dst;
  EXPECT_TRUE(keys.insert(key_of(all[0], 2)).second) << "workers";
}

// Other processes have the keys on disk.
TEST(FormKey, StaysTheSame) {
  const FormKey key = key_of({"f32[64,32]{1,0}", "f32[64,32]{0,1}"});
  EXPECT_EQ(key.high, 13174273951447442217u);
  EXPECT_EQ(key.low, 12539688318530376826u);
}

}  // namespace
}  // namespace xlashape::core
