// SPDX-License-Identifier: Apache-2.0
// xlashape_draw: checks the call, and runs the steps from shapes to text.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

#include "refuse.h"
#include "render.h"

namespace xlashape::view {
namespace {

Shape array_of(const xlashape_shape* given, const char* name) {
  if (given == nullptr) refuse(Status::kInvalidArgument, {name, " is NULL"});
  Shape shape(xlashape_shape_retain(given));
  switch (shape.category()) {
    case Category::kTuple:
      refuse(Status::kUnsupported, {name, " is a tuple: only arrays can be drawn, one by one"});
    case Category::kToken:
      refuse(Status::kUnsupported, {name, " is a token: only arrays can be drawn"});
    case Category::kOpaque:
      refuse(Status::kUnsupported, {name, " is an opaque: only arrays can be drawn"});
    case Category::kBuffer:
      return shape.tuple_element(0);
    default:
      return shape;
  }
}

void check_other(const Shape& array, const Shape& other) {
  const std::vector<int64_t> mine = array.dimensions(), others = other.dimensions();
  if (mine.size() != others.size())
    refuse(Status::kInvalidArgument,
           {"the shapes' ranks differ, ", std::to_string(mine.size()), " and ", std::to_string(others.size())});
  for (size_t d = 0; d < mine.size(); ++d) {
    if (mine[d] == kUnbounded || others[d] == kUnbounded)
      refuse(Status::kUnsupported, {"dimension ", std::to_string(d), " of ", mine[d] == kUnbounded ? "shape" : "other",
                                    " is unbounded: it has no size"});
    if (mine[d] != others[d])
      refuse(Status::kInvalidArgument, {"the sizes of dimension ", std::to_string(d), " differ, ", decimal(mine[d]),
                                        " and ", decimal(others[d])});
  }
}

std::string drawn(const xlashape_shape* shape, const xlashape_shape* other, const xlashape_draw_options* given) {
  const Shape array = array_of(shape, "shape");
  const Shape other_array = other == nullptr ? Shape() : array_of(other, "other");
  const Options options = read_options(given, array);
  if (other_array) {
    check_other(array, other_array);
    if (options.zoom != 0)
      refuse(Status::kInvalidArgument, {"zoom is ", decimal(options.zoom),
                                        ": two shapes have different tiles, so only their elements are drawn"});
  }
  const Scene scene(array, other_array ? &other_array : nullptr, options);
  switch (options.format) {
    case XLASHAPE_DRAW_SVG:
      return render_svg(scene, options);
    case XLASHAPE_DRAW_HTML:
      return render_html(scene, options);
    default:
      return render_text(scene, options);
  }
}

// As xlashape.h has it of results of variable size.
void answer(const std::string& picture, char* text, int64_t capacity, int64_t* needed) {
  *needed = static_cast<int64_t>(picture.size()) + 1;
  if (capacity == 0) return;
  size_t size = picture.size();
  if (*needed > capacity) {
    size = static_cast<size_t>(capacity) - 1;
    while (size > 0 && (static_cast<unsigned char>(picture[size]) & 0xC0) == 0x80) --size;  // at a character
  }
  std::memcpy(text, picture.data(), size);
  text[size] = '\0';
  if (size < picture.size())
    refuse(Status::kOutOfRange, {"the text takes ", decimal(*needed), " bytes, the capacity is ", decimal(capacity)});
}

// Fills the caller's record, which may be an older or a newer one than this library's.
xlashape_status failed(Error error, xlashape_error* err) {
  constexpr size_t kHead = offsetof(xlashape_error, message);
  const auto status = static_cast<xlashape_status>(error.status());
  if (err == nullptr || err->struct_size < kHead) return status;
  xlashape_error& record = *error.record();
  record.struct_size = err->struct_size;
  const size_t room = std::min<size_t>(err->struct_size, sizeof record) - kHead;
  record.message_len = static_cast<uint32_t>(detail::clean_line(error.message(), record.message, room));
  std::memcpy(err, &record, kHead + room);
  return status;
}

}  // namespace
}  // namespace xlashape::view

extern "C" xlashape_status xlashape_draw(const xlashape_shape* shape, const xlashape_shape* other,
                                         const xlashape_draw_options* options, char* text, int64_t capacity,
                                         int64_t* needed, xlashape_error* err) {
  using namespace xlashape;
  using namespace xlashape::view;
  try {
    if (needed == nullptr) refuse(Status::kInvalidArgument, {"needed is NULL"});
    if (capacity < 0)
      refuse(Status::kInvalidArgument, {"capacity is ", decimal(capacity), ", it must not be negative"});
    if (capacity > 0 && text == nullptr) refuse(Status::kInvalidArgument, {"text is NULL"});
    answer(drawn(shape, other, options), text, capacity, needed);
    return XLASHAPE_STATUS_OK;
  } catch (const Exception& exception) {
    return failed(exception.error(), err);
  } catch (const std::bad_alloc&) {
    return failed({Status::kNoMemory, "out of memory"}, err);
  } catch (const std::exception&) {
    return failed({Status::kInternal, "an exception that this library does not know"}, err);
  }
}
