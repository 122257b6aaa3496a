// SPDX-License-Identifier: Apache-2.0
// Any bytes as the text of a shape and of a layout: what parses must print, parse again to an equal one and print the
// same; what does not must say where and why. Small buffers must get a cut text and nothing beyond.
#include <cstdlib>
#include <cstring>
#include <string>

#include "api/every_answer.h"
#include "text/print.h"
#include "text/shape_text.h"

namespace {

using namespace xlashape::core;

void check(bool holds) {
  if (!holds) std::abort();
}

void check_failure(const Error& err, Status status, size_t size) {
  check(status == XLASHAPE_STATUS_PARSE || status == XLASHAPE_STATUS_INVALID_ARGUMENT ||
        status == XLASHAPE_STATUS_OVERFLOW);
  check(err.code == status && err.message_len > 0 && err.index == -1);
  check(err.offset >= 0 && err.offset <= static_cast<int64_t>(size));
}

// print(text, capacity, needed, err) into every kind of buffer.
template <class Print>
std::string print_checked(const Print& print, unsigned seed) {
  auto err = XLASHAPE_INIT(Error);
  int64_t needed = 0;
  check(print(nullptr, 0, &needed, &err) == XLASHAPE_STATUS_OK && needed > 0);
  std::string exact(static_cast<size_t>(needed), '#');
  int64_t again = 0;
  check(print(exact.data(), needed, &again, &err) == XLASHAPE_STATUS_OK && again == needed);
  check(exact.back() == '\0' && static_cast<int64_t>(std::strlen(exact.c_str())) == needed - 1);
  exact.pop_back();
  for (const int64_t capacity : {int64_t{1}, int64_t{2}, 1 + seed % needed, needed - 1}) {
    if (capacity == 0 || capacity >= needed) continue;
    auto* small =
        static_cast<char*>(std::malloc(static_cast<size_t>(capacity)));  // its end is guarded by the sanitizer
    check(print(small, capacity, &again, &err) == XLASHAPE_STATUS_OUT_OF_RANGE && again == needed);
    check(small[capacity - 1] == '\0' && exact.compare(0, static_cast<size_t>(capacity) - 1, small) == 0);
    std::free(small);
  }
  return exact;
}

void try_shape(std::string_view text, uint32_t flags, unsigned seed) {
  auto err = XLASHAPE_INIT(Error);
  Ref<Shape> shape, second;
  if (const Status status = parse_shape(text, flags, &shape, &err)) {
    check(!shape);
    return check_failure(err, status, text.size());
  }
  check(every_answer::is_answered(shape.get()));
  const auto printed = [&](const Shape& value, uint32_t how) {
    return print_checked([&](char* out, int64_t capacity, int64_t* needed,
                             Error* e) { return print_shape(value, how, out, capacity, needed, e); },
                         seed);
  };
  const std::string canonical = printed(*shape, 0);
  check(parse_shape(canonical, flags, &second, &err) == XLASHAPE_STATUS_OK);
  check(equal(*shape, *second, 0) && hash(*shape, 0) == hash(*second, 0));
  check(printed(*second, 0) == canonical);
  check(parse_shape(printed(*shape, XLASHAPE_PRINT_WITHOUT_LAYOUT), flags, &second, &err) == XLASHAPE_STATUS_OK);
  check(equal(*shape, *second, XLASHAPE_EQUAL_IGNORE_LAYOUT));
}

// What a text begins with is a whole shape up to its end, and the same one.
void try_head(std::string_view text, uint32_t flags) {
  auto err = XLASHAPE_INIT(Error);
  Ref<Shape> shape, second;
  size_t end = text.size() + 1;
  if (const Status status = parse_shape_head(text, flags, &end, &shape, &err)) {
    check(!shape && end == text.size() + 1);
    check(parse_shape(text, flags, &second, nullptr) == status);
    return check_failure(err, status, text.size());
  }
  check(end > 0 && end <= text.size());
  check(parse_shape(text.substr(0, end), flags, &second, &err) == XLASHAPE_STATUS_OK);
  check(equal(*shape, *second, 0));
  Ref<Shape> shorter;
  size_t again;
  check(parse_shape_head(text.substr(0, end), flags, &again, &shorter, &err) == XLASHAPE_STATUS_OK && again == end);
}

void try_layout(std::string_view text, unsigned seed) {
  auto err = XLASHAPE_INIT(Error);
  Ref<Layout> layout, second;
  if (const Status status = parse_layout(text, &layout, &err)) {
    check(!layout);
    return check_failure(err, status, text.size());
  }
  const auto printed = [&](const Layout& value) {
    return print_checked([&](char* out, int64_t capacity, int64_t* needed,
                             Error* e) { return print_layout(value, 0, out, capacity, needed, e); },
                         seed);
  };
  const std::string canonical = printed(*layout);
  check(parse_layout(canonical, &second, &err) == XLASHAPE_STATUS_OK);
  check(equal(*layout, *second, 0) && hash(*layout, 0) == hash(*second, 0));
  check(printed(*second) == canonical);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  unsigned seed = 0;
  for (const char c : text) seed = 31 * seed + static_cast<unsigned char>(c);
  try_shape(text, 0, seed);
  try_shape(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT, seed);
  try_head(text, 0);
  try_head(text, XLASHAPE_SHAPE_KEEP_MISSING_LAYOUT);
  try_layout(text, seed);
  return 0;
}
