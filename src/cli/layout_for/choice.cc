#include "choice.h"

#include "cli/base/failure.h"

namespace xlashape::cli {
namespace {

std::optional<int64_t> bytes_of(const Shape& shape) {
  const Result<int64_t> bytes = shape.try_byte_size();
  if (!bytes) return std::nullopt;
  return *bytes;
}

// What another layout costs; none if there is no such layout, or it is the shape's.
std::optional<Alternative> alternative(const Shape& shape, const Result<Layout>& layout) {
  if (!layout) {
    if (layout.error().status() != Status::kOverflow) throw Failure(layout.error());
    return std::nullopt;
  }
  if (*layout == layout_of(shape)) return std::nullopt;
  return Alternative{*layout, bytes_of(shape.with_layout(*layout))};
}

void add(std::optional<int64_t>* total, std::optional<int64_t> more) {
  if (total->has_value() && (!more || __builtin_add_overflow(**total, *more, &**total))) total->reset();
}

}  // namespace

Choice choice_for(Target target, const Shape& array) {
  return as_failures([&] {
    Choice choice{for_target(array, target, XLASHAPE_TARGET_KEEP_ORDER), {}, {}, {}, {}};
    choice.sizes = sizes_with_waste(choice.shape, &choice.no_sizes);
    const Integers dimensions = array.dimensions();
    const ElementType type = array.element_type();
    choice.row_major = alternative(
        choice.shape, try_layout_for(target, type, dimensions, Layout::row_major(array.rank()).minor_to_major()));
    if (layout_of(array)) choice.own = alternative(choice.shape, try_layout_for(target, type, dimensions));
    return choice;
  });
}

TupleChoice tuple_choice_for(Target target, const Shape& tuple) {
  return as_failures([&] {
    TupleChoice choice{{}, {}, 0, 0, tuple_bytes(target, tuple.tuple_element_count())};
    for (Leaf& leaf : leaves_of(tuple)) {
      std::optional<Choice> chosen;
      if (is_array(leaf.shape)) {
        try {
          chosen = choice_for(target, leaf.shape);
        } catch (const Failure& failure) {
          throw Failure(failure.exit, failure.code, leaf.path + ": " + failure.message);
        }
        leaf.shape = chosen->shape;
        const std::optional<SizesWithWaste>& sizes = chosen->sizes;
        add(&choice.logical_bytes, sizes ? std::optional(sizes->logical_bytes) : std::nullopt);
        add(&choice.bytes, sizes ? std::optional(sizes->exact.bytes) : std::nullopt);
      }
      choice.leaves.push_back({std::move(leaf), std::move(chosen)});
    }
    choice.shape = for_target(tuple, target, XLASHAPE_TARGET_KEEP_ORDER);
    return choice;
  });
}

}  // namespace xlashape::cli
