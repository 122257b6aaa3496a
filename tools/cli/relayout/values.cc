// SPDX-License-Identifier: Apache-2.0
#include "values.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "cli/base/failure.h"
#include "cli/base/human.h"
#include "cli/base/number.h"
#include "cli/files/container.h"
#include "cli/output/output.h"

namespace xlashape::cli {
namespace {

bool is_float(ElementType type) { return (classes(type) & XLASHAPE_CLASS_FLOAT) != 0; }
bool is_integer(ElementType type) { return (classes(type) & XLASHAPE_CLASS_INTEGRAL) != 0; }

// Calls `work`, and names the option where it fails.
template <class Work>
auto for_option(const char* option, const Work& work) {
  try {
    return as_failures(work);
  } catch (Failure& failure) {
    failure.message = fmt::format("{}: {}", option, failure.message);
    failure.offset = -1;
    throw;
  }
}

// Whether each value of one type is one of the other, f32 or s32.
bool fits(ElementType type, ElementType as) {
  if (as == ElementType::kF32) return is_float(type) && bits(type) <= 32;
  return is_integer(type) && bits(type) <= 32 && type != ElementType::kU32;
}

// The values of a file's array in row-major order, of which all dimensions but one are 1.
template <class Number>
std::vector<Number> read_values(const char* option, const std::string& path, ElementType as, const Runtime& runtime) {
  if (path != "-" && !file_exists(place_of(path).file))
    fail_data("{}: '{}' is neither a number nor a file", option, path);
  const Array array = for_option(option, [&] { return read_array(path, {}); });
  const ElementType type = array.shape.element_type();
  if (!array.items.descr.empty() || !fits(type, as))
    fail_data("{}: {} holds {}: values of {}, or of a type that fits into it, are needed", option, path,
              array.items.descr.empty() ? array.shape.to_string() : array.items.descr, name(as));
  const Integers dimensions = array.shape.dimensions();
  if (array.shape.element_count() == 0) fail_data("{}: {} holds no value: {}", option, path, array.shape.to_string());
  if (std::count_if(dimensions.begin(), dimensions.end(), [](int64_t size) { return size != 1; }) > 1)
    fail_data("{}: {} holds {}: only one dimension may be greater than 1, whose values are those of its indices",
              option, path, array.shape.to_string());
  Request request;
  request.src = array.shape;
  request.dst = Shape::array(as, dimensions, Layout::row_major(array.shape.rank()));
  request.flags = XLASHAPE_PLAN_CONVERT;
  std::vector<Number> values(static_cast<size_t>(request.dst.element_count()));
  for_option(option, [&] { make_plan(runtime, request).execute_at(array.bytes.data(), values.data()); });
  return values;
}

// As a float of the nearest value; none where the text is no number. strtod, as not all libraries' from_chars has
// floats; a name like "nan.npy" is not read to its end, and is a file's.
std::optional<float> real_number(const char* option, const std::string& text) {
  char* end = nullptr;
  const double exact = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0) return std::nullopt;
  const auto value = static_cast<float>(exact);
  if (std::isfinite(exact) && (!std::isfinite(value) || (value == 0) != (exact == 0)))
    fail_data("{}: {} is beyond the numbers of f32", option, text);
  return value;
}

}  // namespace

Values::Values(const ValueOptions& options) : options_(options) {
  if (options.scale.empty()) {
    if (!options.zero_point.empty()) fail_usage("--zero-point is of quantized values: give their --scale, too");
    if (!options.scale_dimension.empty())
      fail_usage("--scale-dimension says of which dimension the scales are: give a --scale, too");
    return;
  }
  const Runtime runtime;
  if (const std::optional<float> one = real_number("--scale", options.scale)) {
    scale_ = {*one};
  } else {
    scale_ = read_values<float>("--scale", options.scale, ElementType::kF32, runtime);
  }
  for (size_t i = 0; i < scale_.size(); ++i)
    if (!std::isfinite(scale_[i]))
      fail_data("--scale: {}{} is not finite", scale_[i], scale_.size() > 1 ? fmt::format(", number {},", i) : "");
  if (options.zero_point.empty()) return;
  if (const std::optional<int64_t> one = number(options.zero_point)) {
    if (*one < std::numeric_limits<int32_t>::min() || *one > std::numeric_limits<int32_t>::max())
      fail_data("--zero-point: {} does not fit 32 bits", options.zero_point);
    zero_point_.assign(scale_.size(), static_cast<int32_t>(*one));
  } else {
    zero_point_ = read_values<int32_t>("--zero-point", options.zero_point, ElementType::kS32, runtime);
    if (scale_.size() == 1) scale_.assign(zero_point_.size(), scale_[0]);
    if (zero_point_.size() == 1) zero_point_.assign(scale_.size(), zero_point_[0]);
    if (zero_point_.size() != scale_.size())
      fail_data("--zero-point: {} has {}, --scale {}", options.zero_point,
                counted(static_cast<int64_t>(zero_point_.size()), "value"), grouped(std::ssize(scale_)));
  }
}

void Values::scale(Request* request) const {
  const Shape& src = request->src;
  const ElementType from = src.element_type(), to = request->dst.element_type();
  const bool pair = (is_float(from) && is_integer(to)) || (is_integer(from) && is_float(to)) ||
                    (is_float(from) && is_float(to) && bits(from) != bits(to));
  if (!pair)
    fail_data(
        "--scale: between {} and {} there is none: one must be an integer and the other a float, or the wider of two "
        "floats",
        name(from), name(to));
  if (is_float(from) && is_float(to) &&
      std::any_of(zero_point_.begin(), zero_point_.end(), [](int32_t z) { return z; }))
    fail_data("--zero-point: between {} and {} it must be 0", name(from), name(to));
  if (scale_.size() != 1 || !options_.scale_dimension.empty()) {
    if (options_.scale_dimension.empty())
      fail_data("--scale: there are {}: say with --scale-dimension which dimension of {} has one for each index",
                counted(std::ssize(scale_), "value"), src.to_string());
    const int64_t d =
        for_option("--scale-dimension", [&] { return dimension_named(src.rank(), options_.scale_dimension); });
    const int64_t size = src.dimensions()[static_cast<size_t>(d)];
    if (scale_.size() != 1 && std::ssize(scale_) != size)
      fail_data("--scale: there are {}, and dimension {} of {} has {}", counted(std::ssize(scale_), "value"), d,
                src.to_string(), grouped(size));
    request->scale_dimension = d;
  }
  request->scale = scale_;
  request->zero_point = zero_point_;
}

void Values::complete(Request* request, const Array& source) const {
  const ElementType from = request->src.element_type(), to = request->dst.element_type();
  const bool converts = from != to;
  if (converts) {
    if (!source.items.descr.empty())
      fail_data("--to: values of {} are not known, and are not converted into {}: say with --dtype what they are",
                source.items.descr.substr(0, 60), name(to));
    request->flags |= XLASHAPE_PLAN_CONVERT;
  }
  if (options_.saturate) {
    if (!converts)
      fail_data("--saturate: {} stays {}: --to says the type that values become", request->src.to_string(), name(from));
    request->flags |= XLASHAPE_PLAN_SATURATE;
  }
  if (!scale_.empty()) {
    if (!converts)
      fail_data("--scale: {} stays {}: --to says the type that values become", request->src.to_string(), name(from));
    scale(request);
  }
  const auto high_first = [&](const char* side, const Shape& shape, uint32_t flag) {
    if (options_.high_first != side && options_.high_first != "both") return;
    if (const int64_t bits = container_bits(shape); bits >= 8)
      fail_data("--high-first: the {}, {}, keeps each element in {}: elements share a byte where the layout has E(n)",
                side, shape.to_string(), counted(bits, "bit"));
    request->flags |= flag;
  };
  high_first("source", request->src, XLASHAPE_PLAN_SRC_HIGH_FIRST);
  if (source.high_first && container_bits(request->src) < 8) request->flags |= XLASHAPE_PLAN_SRC_HIGH_FIRST;
  high_first("destination", request->dst, XLASHAPE_PLAN_DST_HIGH_FIRST);
}

void warn_of_bits(const std::string& out, const Request& request) {
  if ((request.flags & XLASHAPE_PLAN_DST_HIGH_FIRST) == 0) return;
  warn(
      "xlashape: {}: elements start in the highest bits of each byte, which no shape says: read it with --high-first "
      "source\n",
      out);
}

}  // namespace xlashape::cli
