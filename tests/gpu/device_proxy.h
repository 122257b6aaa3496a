/* SPDX-License-Identifier: Apache-2.0 */
// Makes a backend for device memory look like one for host memory, so that the tests of all backends run on it: every
// buffer is copied to the device with canaries round it, at an offset that changes, and back.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "unit/random_relayout.h"
#include "xlashape_runtime.h"

namespace xlashape::core::testing {

inline constexpr xlashape_queue kNoQueue{};

class DeviceProxy {
 public:
  // Which sides lie on the device; with neither, the backend copies itself.
  struct Sides {
    bool src = true, dst = true;
  };

  DeviceProxy(const xlashape_backend& inner, xlashape_memory_space space, Sides sides)
      : inner_(inner), space_(space), sides_(sides) {}

  void fill(xlashape_backend* table) {
    table->self = this;
    table->supports = [](void* self, const xlashape_op* op, xlashape_support* support, xlashape_error* err) {
      const DeviceProxy& p = *static_cast<DeviceProxy*>(self);
      const xlashape_op moved = p.moved(*op);
      return p.inner_.supports(p.inner_.self, &moved, support, err);
    };
    table->plan_size = [](void* self, const xlashape_op* op, int64_t* bytes, int64_t* alignment, xlashape_error* err) {
      const DeviceProxy& p = *static_cast<DeviceProxy*>(self);
      const xlashape_status status = p.inner_.plan_size(p.inner_.self, op, bytes, alignment, err);
      *bytes += sizeof(Head);
      return status;
    };
    table->plan_init = [](void* self, const xlashape_op* op, void* storage, xlashape_error* err) {
      const DeviceProxy& p = *static_cast<DeviceProxy*>(self);
      Head* head = new (storage) Head{p.moved(*op)};
      return p.inner_.plan_init(p.inner_.self, &head->op, head + 1, err);
    };
    table->plan_tasks = [](void*, const void*, const xlashape_op*, int64_t) { return int64_t{1}; };
    table->plan_destroy = [](void* self, void* storage) {
      const DeviceProxy& p = *static_cast<DeviceProxy*>(self);
      p.inner_.plan_destroy(p.inner_.self, static_cast<Head*>(storage) + 1);
    };
    table->describe = [](void* self, const void* storage, const xlashape_op*, char* text, int64_t capacity) {
      const DeviceProxy& p = *static_cast<DeviceProxy*>(self);
      const Head* head = static_cast<const Head*>(storage);
      return p.inner_.describe(p.inner_.self, head + 1, &head->op, text, capacity);
    };
    table->plan_execute = [](void* self, const void* storage, const xlashape_op*, const xlashape_run* run,
                             xlashape_error* err) {
      return static_cast<DeviceProxy*>(self)->execute(static_cast<const Head*>(storage), *run, err);
    };
  }

 private:
  static constexpr int64_t kCanary = 256;
  struct alignas(16) Head {
    xlashape_op op;
  };

  xlashape_op moved(xlashape_op op) const {
    if (sides_.src) op.src_space = space_;
    if (sides_.dst) op.dst_space = space_;
    return op;
  }

  // Bytes [low, high) of one side on the device.
  class Buffer {
   public:
    Buffer(const DeviceProxy& proxy, const char* base, int64_t low, int64_t high, int64_t shift)
        : p_(proxy), base_(base + low), size_(high - low), shift_(shift) {
      bytes_.assign(static_cast<size_t>(size_ + shift + 2 * kCanary), kMark);
      if (size_ > 0) std::memcpy(bytes_.data() + kCanary + shift, base_, static_cast<size_t>(size_));
      auto err = XLASHAPE_INIT(xlashape_error);
      const auto total = static_cast<int64_t>(bytes_.size());
      EXPECT_EQ(p_.inner_.memory_alloc(p_.inner_.self, 0, p_.space_, total, &memory, &err), XLASHAPE_STATUS_OK)
          << err.message;
      EXPECT_EQ(p_.inner_.memory_copy(p_.inner_.self, 0, reinterpret_cast<uint64_t>(bytes_.data()), XLASHAPE_SPACE_CPU,
                                      memory, p_.space_, total, &kNoQueue, &err),
                XLASHAPE_STATUS_OK)
          << err.message;
      offset = kCanary + shift - low;
    }
    ~Buffer() { p_.inner_.memory_free(p_.inner_.self, 0, memory, p_.space_, nullptr); }
    Buffer(const Buffer&) = delete;

    // What the device has now, back to the host; nothing round it may have changed.
    void fetch() {
      xlashape_error err{};
      err.struct_size = sizeof err;
      ASSERT_EQ(p_.inner_.memory_copy(p_.inner_.self, 0, memory, p_.space_, reinterpret_cast<uint64_t>(bytes_.data()),
                                      XLASHAPE_SPACE_CPU, static_cast<int64_t>(bytes_.size()), &kNoQueue, &err),
                XLASHAPE_STATUS_OK)
          << err.message;
      const auto begin = static_cast<size_t>(kCanary + shift_), end = begin + static_cast<size_t>(size_);
      for (size_t i = 0; i < bytes_.size(); ++i) {
        if (i >= begin && i < end) continue;
        ASSERT_EQ(bytes_[i], kMark) << "a kernel wrote byte " << i << " of the canaries";
      }
      if (size_ > 0) std::memcpy(const_cast<char*>(base_), bytes_.data() + begin, static_cast<size_t>(size_));
    }

    uint64_t memory = 0;
    int64_t offset = 0;

   private:
    static constexpr unsigned char kMark = 0xC5;
    const DeviceProxy& p_;
    const char* base_;
    int64_t size_, shift_;
    std::vector<unsigned char> bytes_;
  };

  xlashape_status execute(const Head* head, xlashape_run run, xlashape_error* err) {
    const xlashape_op& op = head->op;
    int64_t range[4];  // of source and destination
    if (op.kind == XLASHAPE_OP_RELAYOUT) {
      const xlashape_relayout_ir& ir = *op.relayout;
      const int64_t ranges[] = {ir.src_low, ir.src_high, ir.dst_low, ir.dst_high};
      std::copy_n(ranges, 4, range);
    } else {
      const int64_t index =
          op.map->rank == 0 ? 0 : 8 * ((run.count - 1) * op.index_step + (op.map->rank - 1) * op.dimension_step + 1);
      const bool forwards = op.kind == XLASHAPE_OP_TO_LINEAR;
      const int64_t ranges[] = {0, forwards ? index : 8 * run.count, 0, forwards ? 8 * run.count : index};
      std::copy_n(ranges, 4, range);
    }
    // Aligned to everything, to words, to nothing.
    static constexpr int64_t kShifts[] = {0, 0, 8, 4, 1};
    const int64_t shift = op.kind == XLASHAPE_OP_RELAYOUT ? kShifts[++executions_ % 5] : 0;
    const auto* from = reinterpret_cast<const char*>(run.src);
    auto* to = reinterpret_cast<char*>(run.dst);
    std::unique_ptr<Buffer> src, dst;
    if (sides_.src) {
      src = std::make_unique<Buffer>(*this, from, range[0], range[1], shift);
      run.src = src->memory;
      run.src_byte_offset = src->offset;
    }
    if (sides_.dst) {
      dst = std::make_unique<Buffer>(*this, to, range[2], range[3], shift);
      run.dst = dst->memory;
      run.dst_byte_offset = dst->offset;
    }
    const xlashape_status status = inner_.plan_execute(inner_.self, head + 1, &op, &run, err);
    EXPECT_EQ(status, XLASHAPE_STATUS_OK) << err->message;
    if (dst) dst->fetch();
    return status;
  }

  const xlashape_backend& inner_;
  const xlashape_memory_space space_;
  const Sides sides_;
  int64_t executions_ = 0;
};

}  // namespace xlashape::core::testing
