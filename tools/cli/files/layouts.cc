// SPDX-License-Identifier: Apache-2.0
#include "layouts.h"

#include <algorithm>
#include <xlashape/reshape.hpp>

#include "cli/base/failure.h"
#include "cli/base/human.h"

namespace xlashape::cli {
namespace {

Arranged of_words(const Shape& shape, const std::string& words, const char* option) {
  const Result<Arranged> arranged = try_with_words(shape, words);
  if (arranged) return *arranged;
  throw Failure(arranged.error(), option);
}

// The array of rows of bytes whose items lie as `of` has them.
Shape with_bytes(const Shape& of, int64_t bytes, const char* option) {
  const LayoutSpec given = layout_of(of).spec();
  if (!given.tiles.empty() || !given.padded_dimensions.empty())
    fail_data("{}: tiles and padding of elements of {}: give the layout in braces, of the bytes", option,
              counted(bytes, "byte"));
  Integers dimensions = of.dimensions();
  LayoutSpec spec;
  spec.minor_to_major = given.minor_to_major;
  spec.minor_to_major.insert(spec.minor_to_major.begin(), of.rank());
  dimensions.push_back(bytes);
  return Shape::array(of.element_type(), dimensions, Layout::create(spec));
}

}  // namespace

Arranged arranged(const Shape& shape, const std::string& words, const Items& items, const char* option) {
  if (!items.widened || words.starts_with("{")) return of_words(shape, words, option);
  Integers dimensions = shape.dimensions();
  const int64_t bytes = dimensions.back();
  dimensions.pop_back();
  const Arranged of_items = of_words(Shape::array(shape.element_type(), dimensions), words, option);
  return {with_bytes(of_items.destination, bytes, option), with_bytes(of_items.result, bytes, option)};
}

Shape laid_out(const Shape& shape, const std::string& words, const Items& items, const char* option) {
  const Arranged all = arranged(shape, words, items, option);
  if (all.destination != all.result)
    fail_data("{}: {} permutes the dimensions, which is not how bytes lie: give a layout, or --to {}", option, words,
              words);
  if (all.destination.element_type() != shape.element_type())
    fail_data("{}: {} says the element type {}, and the bytes are of {}: --dtype says another type of the same width",
              option, words, name(all.destination.element_type()), name(shape.element_type()));
  return all.destination;
}

}  // namespace xlashape::cli
