// SPDX-License-Identifier: Apache-2.0
// Any bytes as the options of a picture and the texts of one shape or of two: what is drawn is drawn alike again, and
// what is not is refused by a rule.
#include <cstdlib>
#include <string>
#include <vector>
#include <xlashape/shape.hpp>

#include "view/xlashape_draw.h"

namespace {

constexpr size_t kHead = 12;     // bytes of the options; texts follow, with a newline between them
constexpr int kMostCells = 600;  // more take long

void check(bool holds) {
  if (!holds) std::abort();
}

xlashape_draw_options options_of(const uint8_t* byte, const std::vector<int64_t>& at) {
  auto options = XLASHAPE_INIT(xlashape_draw_options);
  options.flags = byte[0] % 9;
  options.format = byte[1] % 4;
  options.show = byte[2] % 7;
  options.color_by = byte[3] % 4;
  options.color_dimension = byte[4] % 5;
  options.zoom = byte[5] % 4;
  options.columns = byte[6];
  options.max_cells = 4 * byte[7] % kMostCells;                                 // 0: the default
  options.overlay_bytes = byte[8] % 64 == 63 ? 0 : int64_t{1} << byte[8] % 64;  // 0: none
  if (byte[9] % 4 == 0) options.at = at.data(), options.at_count = static_cast<int64_t>(at.size());
  return options;
}

xlashape_status drawn(const xlashape::Shape& shape, const xlashape::Shape& other, const xlashape_draw_options& options,
                      std::string* text) {
  int64_t needed = -1, again = -1;
  const xlashape_status status = xlashape_draw(shape.get(), other.get(), &options, nullptr, 0, &needed, nullptr);
  check(status != XLASHAPE_STATUS_INTERNAL && (status == XLASHAPE_STATUS_OK) == (needed > 0));
  if (status != XLASHAPE_STATUS_OK) return status;
  text->assign(static_cast<size_t>(needed), '#');
  check(xlashape_draw(shape.get(), other.get(), &options, text->data(), needed, &again, nullptr) == status);
  check(again == needed && text->find('\0') == text->size() - 1);
  return status;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < kHead) return 0;
  const std::string_view texts(reinterpret_cast<const char*>(data) + kHead, size - kHead);
  const size_t end = texts.find('\n');
  const auto shape = xlashape::Shape::try_parse(texts.substr(0, end));
  if (!shape) return 0;
  std::vector<int64_t> at = shape->dimensions();
  for (size_t d = 0; d < at.size(); ++d) at[d] = (data[10] >> d % 8 & 1) != 0 ? -1 : data[11] % 8;
  const xlashape_draw_options options = options_of(data, at);
  std::string first, second;
  xlashape::Shape beside;
  if (end != texts.npos) beside = xlashape::Shape::try_parse(texts.substr(end + 1)).value_or({});
  const xlashape_status status = drawn(*shape, beside, options, &first);
  check(drawn(*shape, beside, options, &second) == status && first == second);
  return 0;
}
