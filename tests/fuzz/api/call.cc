// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include <cstdio>
#include <new>

namespace api_fuzz {

Count counts[kFunctions];
thread_local Failing* failing = nullptr;
Allowed allowed;
Input* current = nullptr;
Ended ended;

namespace {

int last = F_xlashape_version;

}  // namespace

bool is_printable_line(std::string_view text) {
  size_t i = 0;
  while (i < text.size()) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x20 || lead == 0x7F) return false;
    const size_t more = lead < 0x80 ? 0 : lead >= 0xC2 && lead < 0xE0 ? 1 : lead >= 0xE0 && lead < 0xF0 ? 2 : 3;
    if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || i + more >= text.size() + (more == 0)) return false;
    for (size_t k = 1; k <= more; ++k)
      if ((static_cast<unsigned char>(text[i + k]) & 0xC0) != 0x80) return false;
    i += more + 1;
  }
  return true;
}

void fault(const char* what) {
  std::fprintf(stderr, "api_fuzz: %s (the last call with a record: %s)\n", what, name_of(last));
  std::abort();
}

bool refuse_allocation() {
  if (failing == nullptr) return false;
  const int64_t call = failing->calls++;
  const bool refused = call >= failing->from && call - failing->from < failing->count;
  failing->fired |= refused;
  return refused;
}

int counted(int function) {
  ++counts[function].calls;
  return last = function;
}

Attempt::Attempt(int function, Input& input) : function_(counted(function)) {
  static constexpr size_t kSizes[] = {512, 512, 512, 512, 512, 512, 512, 512, 0, 4, 31, 32, 33, 40, 120, 4096};
  const int64_t kind = input.below(18);
  if (kind != 17) {
    size_ = kind == 16 ? static_cast<size_t>(input.below(600)) : kSizes[kind];
    const size_t room = size_ < 4 ? 4 : size_;  // struct_size itself is read
    record_ = std::make_unique<unsigned char[]>(room);
    std::memset(record_.get(), 0xA5, room);
    const auto size = static_cast<uint32_t>(size_);
    std::memcpy(record_.get(), &size, sizeof size);
  }
  if (input.one_in(24)) {
    failing_.from = input.below(8);
    failing_.count = input.one_in(2) ? 1 : INT64_MAX;
  }
  failing = &failing_;
}

Attempt::~Attempt() { failing = nullptr; }

void Attempt::end(xlashape_status status) {
  failing = nullptr;
  last = function_;  // hooks may have called others
  ended = {status, failing_.fired};
  if (status == XLASHAPE_STATUS_OK) ++counts[function_].successes;
  check(status != XLASHAPE_STATUS_NO_MEMORY || failing_.fired || allowed.no_memory,
        "NO_MEMORY, and no allocation was refused");
  check_record(status);
  if (status == XLASHAPE_STATUS_INTERNAL && !allowed.internal) {
    if (record_ && size_ > 32) std::fprintf(stderr, "%s\n", err()->message);
    fault("INTERNAL");
  }
}

void Attempt::check_record(xlashape_status status) const {
  if (!record_) return;
  const auto untouched = [&](size_t from, size_t end) {
    for (size_t i = from; i < end; ++i)
      if (record_[i] != 0xA5) return false;
    return true;
  };
  uint32_t size;
  std::memcpy(&size, record_.get(), sizeof size);
  check(size == size_, "struct_size of the error record changed");
  if (status == XLASHAPE_STATUS_OK || size_ < 32) {
    check(untouched(4, size_), status == XLASHAPE_STATUS_OK ? "the error record is written on success"
                                                            : "a record below 32 bytes is written");
    return;
  }
  const auto* err = reinterpret_cast<const xlashape_error*>(record_.get());
  check(err->code == status, "the record's code is not the status");
  check(err->index >= -1 && err->offset >= -1, "the record's index or offset is below -1");
  check(err->source <= 64, "the record's source is no backend");
  const size_t room = (size_ < sizeof *err ? size_ : sizeof *err) - 32;
  check(err->message_len <= (room == 0 ? 0 : room - 1), "the message is longer than its room");
  if (room > 0) {
    check(err->message[err->message_len] == '\0', "the message is not terminated where its length says");
    check(is_printable_line({err->message, err->message_len}), "the message is no single line of UTF-8");
    check(room < 16 || err->message_len > 0, "the message is empty");
  }
  if (size_ > sizeof *err) check(untouched(sizeof *err, size_), "bytes behind the known record are written");
}

}  // namespace api_fuzz

// Memory of the library: malloc by the linker's --wrap, operator new by its replacement.
extern "C" {
void* __real_malloc(size_t size);
int __real_posix_memalign(void** pointer, size_t alignment, size_t size);
void* __wrap_malloc(size_t size) { return api_fuzz::refuse_allocation() ? nullptr : __real_malloc(size); }
int __wrap_posix_memalign(void** pointer, size_t alignment, size_t size) {
  return api_fuzz::refuse_allocation() ? 12 : __real_posix_memalign(pointer, alignment, size);
}
}
void* operator new(size_t size) {
  void* made = __wrap_malloc(size == 0 ? 1 : size);
  if (made == nullptr) throw std::bad_alloc();
  return made;
}
void* operator new[](size_t size) { return operator new(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return __wrap_malloc(size == 0 ? 1 : size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return __wrap_malloc(size == 0 ? 1 : size); }
void operator delete(void* pointer) noexcept { std::free(pointer); }
void operator delete[](void* pointer) noexcept { std::free(pointer); }
void operator delete(void* pointer, size_t) noexcept { std::free(pointer); }
void operator delete[](void* pointer, size_t) noexcept { std::free(pointer); }
