// SPDX-License-Identifier: Apache-2.0
// The smoke test finds what is wrong.
#include "runtime/smoke.h"

#include <gmock/gmock.h>

#include <bit>
#include <cstdlib>
#include <string>

#include "exec/runtime.h"
#include "ir/reference.h"

namespace xlashape::core {
namespace {

using testing::HasSubstr;

// A backend by the reference walker, wrong in one way at a time.
enum Fault {
  kNone,
  kWrongByte,
  kBehindTheEnd,
  kOnlyFirstTask,
  kQuietsNan,
  kWrongIndex,
  kCallsGoodBad,
  kFails,
  kGarbage
};
Fault fault = kNone;
// Which byte of an f32 has the bit that a NaN is quiet by.
constexpr int kQuietByte = std::endian::native == std::endian::big ? 1 : 2;

xlashape_status supports(void*, const xlashape_op*, xlashape_support* support, xlashape_error*) {
  support->level = XLASHAPE_SUPPORT_WORKS;
  return XLASHAPE_STATUS_OK;
}
xlashape_status plan_size(void*, const xlashape_op*, int64_t* bytes, int64_t* align, xlashape_error*) {
  *bytes = fault == kGarbage ? -1 : 8;
  *align = fault == kGarbage ? 3 : 8;
  return XLASHAPE_STATUS_OK;
}
xlashape_status plan_init(void*, const xlashape_op*, void*, xlashape_error*) { return XLASHAPE_STATUS_OK; }
void plan_destroy(void*, void*) {}
xlashape_status execute(void*, const void*, const xlashape_op* op, const xlashape_run* run, xlashape_error* err) {
  if (fault == kFails) return fail(err, XLASHAPE_STATUS_DEVICE, "no power");
  auto* dst = reinterpret_cast<unsigned char*>(run->dst);
  if (op->kind == XLASHAPE_OP_RELAYOUT) {
    if (run->task_begin > 0) return XLASHAPE_STATUS_OK;
    if (fault == kOnlyFirstTask && run->task_count > 1) return XLASHAPE_STATUS_OK;
    reference::relayout(*op->relayout, reinterpret_cast<const void*>(run->src), dst);
    if (fault == kWrongByte) dst[17] ^= 1;
    if (fault == kBehindTheEnd) dst[60] = 0;
    if (fault == kQuietsNan) dst[kQuietByte] |= 0x40;
    return XLASHAPE_STATUS_OK;
  }
  const auto* in = reinterpret_cast<const int64_t*>(run->src);
  auto* out = reinterpret_cast<int64_t*>(run->dst);
  for (int64_t i = 0; i < run->count; ++i) {
    if (op->kind == XLASHAPE_OP_TO_LINEAR) {
      out[i] = reference::position(*op->map, in + 2 * i) + (fault == kWrongIndex && i == 7);
    } else {
      reference::index_at(*op->map, in[i], out + 2 * i);
    }
  }
  if (fault == kCallsGoodBad) *run->first_invalid = 3;
  return XLASHAPE_STATUS_OK;
}

void* alloc(void*, size_t size, size_t) { return std::malloc(size); }
void release(void*, void* pointer, size_t, size_t) { std::free(pointer); }

xlashape_status open(const xlashape_host* host, xlashape_backend* table, xlashape_error*) {
  table->abi_version = host->abi_max;
  table->memory_spaces = XLASHAPE_SPACE_BIT(XLASHAPE_SPACE_CPU);
  table->name = "mock";
  table->supports = supports;
  table->plan_size = plan_size;
  table->plan_init = plan_init;
  table->plan_destroy = plan_destroy;
  table->plan_execute = execute;
  return XLASHAPE_STATUS_OK;
}

std::string smoke(Fault with) {
  fault = with;
  xlashape_host host{};
  host.abi_min = host.abi_max = XLASHAPE_BACKEND_ABI_VERSION;
  BackendCalls calls;
  const char* stage;
  EXPECT_EQ(calls.open(host, open, &stage, nullptr), XLASHAPE_STATUS_OK) << stage;
  Hooks hooks{};
  hooks.allocator.alloc = alloc;
  hooks.allocator.free = release;
  hooks.plan_smoke_form = plan_smoke_form;
  auto err = XLASHAPE_INIT(xlashape_error);
  return smoke_test(calls, hooks, &err) == XLASHAPE_STATUS_OK ? "" : err.message;
}

TEST(Smoke, FindsWhatIsWrong) {
  EXPECT_EQ(smoke(kNone), "");
  EXPECT_THAT(smoke(kWrongByte), HasSubstr("byte 17 is 0x"));
  EXPECT_THAT(smoke(kBehindTheEnd), HasSubstr("byte 60 is 0x00, it must be 0xa5"));
  EXPECT_THAT(smoke(kOnlyFirstTask), HasSubstr("in two tasks"));
  EXPECT_THAT(smoke(kQuietsNan), HasSubstr("byte " + std::to_string(kQuietByte) + " is 0xc0, it must be 0x80"));
  EXPECT_THAT(smoke(kWrongIndex), HasSubstr("result 7 is"));
  EXPECT_THAT(smoke(kCallsGoodBad), HasSubstr("number 3 is called invalid"));
  EXPECT_EQ(smoke(kFails), "no power");
  EXPECT_THAT(smoke(kGarbage), HasSubstr("plan_size asks for -1 bytes"));
}

}  // namespace
}  // namespace xlashape::core
